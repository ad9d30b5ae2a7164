"""Make the sets of rated puzzles: `python bench/puzzles.py --rooms ricochet,loderunner,delirium,pushem`.

Levels are made seed by seed until enough of them were won, and every way is played to its end by the rules. What the
solver spent says how hard a puzzle is. Each one is kept in bench/out as soon as it is proved, so that a long run can
be resumed; the table that is shipped is written when a room has all of its own.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

import winnable
from gridsage.core.errors import GridsageError
from gridsage.core.room import Room
from gridsage.games import catalog, rated
from gridsage.games.rated import PuzzleSet, RatedPuzzle
from winnable import Proved

OUT = Path(__file__).parent / "out"
VERSION = 1
FIRST_SEED = 60_000  # beyond the seeds of the days; the filler of Delirium's caves takes no more than 65,535
MOST_SEEDS = 5_000


class Tried(msgspec.Struct):
    """How far the seeds of a room were tried."""

    next_seed: int = FIRST_SEED
    found: list[Proved] = []


def proved(room: Room, tried: Tried, count: int, seconds: float) -> Iterator[None]:
    """Try seeds until there are enough puzzles; one step for each seed."""
    texts = {one.digest for one in tried.found}
    while len(tried.found) < count:
        if tried.next_seed >= FIRST_SEED + MOST_SEEDS:
            raise SystemExit(f"{room.name}: only {len(tried.found)} of {MOST_SEEDS} levels were won")
        try:
            one = winnable.of_seed(room, tried.next_seed, seconds)
        except GridsageError:
            one = None  # the generator gave up
        tried.next_seed += 1
        if one is not None and one.digest not in texts:
            texts.add(one.digest)
            tried.found.append(one)
        yield


def in_order(found: list[Proved]) -> list[RatedPuzzle]:
    """Return the puzzles with their ratings, the easiest first."""
    ordered = sorted(found, key=lambda one: (one.difficulty, one.seed))
    ratings = rated.rated([one.difficulty for one in ordered])
    return [
        RatedPuzzle(rating, one.seed, one.best, one.digest, one.chance)
        for rating, one in zip(ratings, ordered, strict=True)
    ]


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--rooms", default="ricochet,loderunner,delirium,pushem")
    given.add_argument("--count", type=int, default=200)
    given.add_argument("--seconds", type=float, default=10.0, help="for one level")
    asked = given.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    for name in asked.rooms.split(","):
        room, path = catalog.ready_room(name), OUT / f"puzzles-{name}.json"
        tried = msgspec.json.decode(path.read_bytes(), type=Tried) if path.exists() else Tried()
        began = time.process_time()
        for _ in proved(room, tried, asked.count, asked.seconds):
            path.write_bytes(msgspec.json.encode(tried))
            spent = time.process_time() - began
            print(f"\r{name}: {len(tried.found)} of {asked.count}, {spent:.0f} s of CPU", end="", flush=True)
        rooms = dict(rated.puzzles().rooms) if rated.TABLE.exists() else {}
        rated.puzzles.cache_clear()
        rooms[name] = in_order(tried.found[: asked.count])
        winnable.write(PuzzleSet(VERSION, dict(sorted(rooms.items()))), rated.TABLE, 1)
        print(f"\n{name}: kept; {tried.next_seed - FIRST_SEED} seeds tried")


if __name__ == "__main__":
    main()
