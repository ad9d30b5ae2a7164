"""Prove the puzzles of the day: a week at a time, kept as soon as it is done, so that a long run can be resumed.

    python bench/daily.py --weeks 52 --rooms ricochet,loderunner,delirium

For each week seven levels are made that the room's solver wins; the fewer steps its way has, the earlier the day.
"""

from __future__ import annotations

import argparse
import datetime
import time
from collections.abc import Iterator

import winnable
from gridsage.core.errors import GridsageError
from gridsage.core.room import Room
from gridsage.games import catalog, daily
from gridsage.games.daily import WEEK, Puzzle, Year

FIRST = datetime.date(2026, 11, 16)  # a Monday
VERSION = 1
SEEDS_OF_A_WEEK = 1_000


def proved(room: Room, week: int, seconds: float) -> Iterator[Puzzle]:
    """Yield levels of a week that were won, with the steps of a way that was played to its end."""
    for seed in range(week * SEEDS_OF_A_WEEK + 1, (week + 1) * SEEDS_OF_A_WEEK):
        try:
            found = winnable.of_seed(room, seed, seconds)
        except GridsageError:
            continue  # the generator gave up
        if found is not None:
            yield Puzzle(found.seed, found.best, found.digest, found.chance)


def week_of(room: Room, week: int, seconds: float) -> list[Puzzle]:
    """Return seven puzzles, easy to hard."""
    found = [one for one, _ in zip(proved(room, week, seconds), range(WEEK), strict=False)]
    if len(found) < WEEK:
        raise GridsageError(f"week {week} of {room.name}: only {len(found)} levels were won")
    return sorted(found, key=lambda one: one.best)


def main() -> None:
    """Prove what is not proved yet."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--rooms", default="ricochet,loderunner,delirium")
    given.add_argument("--weeks", type=int, default=52)
    given.add_argument("--seconds", type=float, default=10.0, help="for one level")
    asked = given.parse_args()
    year = daily.year() if daily.TABLE.exists() else Year(VERSION, FIRST, {})
    for week in range(asked.weeks):
        for name in asked.rooms.split(","):
            days = year.rooms.setdefault(name, [])
            if len(days) > week * WEEK:
                continue
            began = time.process_time()
            days += week_of(catalog.ready_room(name), week, asked.seconds)
            winnable.write(year, daily.TABLE, WEEK)
            bests = [one.best for one in days[-WEEK:]]
            print(f"{name} week {week + 1}: {bests} steps, {time.process_time() - began:.1f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
