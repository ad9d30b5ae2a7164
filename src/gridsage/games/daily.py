"""The puzzle of the day: the same for everybody by its date, easy on Monday and hard on Sunday, each one proved."""

from __future__ import annotations

import datetime
import hashlib
import re
from functools import cache
from pathlib import Path

import msgspec

from gridsage.core.errors import LevelError, UnknownName
from gridsage.core.room import NamedLevel, Room

PREFIX = "daily/"  # a level is called daily/2026-11-16
TABLE = Path(__file__).with_suffix(".json")
DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
WEEK = 7
DIGEST_BYTES = 4


class Puzzle(msgspec.Struct, frozen=True, array_like=True):
    """A level that was won: the seed that makes it, the steps of the best way that is known, and its digest."""

    seed: int
    best: int
    digest: str
    chance: int = 0  # the seed with which it is played: enemies do the same for everybody


class Year(msgspec.Struct, frozen=True):
    """Every day that is proved, from a Monday on: afterwards they come again, week by week."""

    version: int
    first: datetime.date
    rooms: dict[str, list[Puzzle]]


@cache
def year() -> Year:
    """Return the days that are shipped."""
    return msgspec.json.decode(TABLE.read_bytes(), type=Year)


def games() -> list[str]:
    """Return the names of the games that have a puzzle every day."""
    return [name for name, days in year().rooms.items() if days]


def puzzle(game: str, day: datetime.date) -> Puzzle:
    """Return the puzzle of a game on this day."""
    days = year().rooms.get(game)
    if not days:
        raise UnknownName(f"{game} has no puzzle of the day; these have: {', '.join(games())}")
    return days[(day - year().first).days % len(days)]


def day_named(text: str) -> datetime.date:
    """Return the day that a text like 2026-11-16 means."""
    try:
        if DATE.fullmatch(text):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass  # the 31st of November
    raise LevelError(f"a puzzle of the day is named by its date, like 2026-11-16: {text[:40]!r}")


def level(room: Room, day: datetime.date) -> NamedLevel:
    """Return the level of a day; a LevelError where another version of gridsage made it otherwise."""
    wanted = puzzle(room.name, day)
    made = candidate(room, wanted.seed)
    if digest(made.text) != wanted.digest:
        raise LevelError(f"the puzzle of {day} is not the one that was proved: the generator has changed")
    return NamedLevel(f"{PREFIX}{day}", made.text)


def candidate(room: Room, seed: int) -> NamedLevel:
    """Return the level that a seed makes, before anybody knows whether it can be won."""
    if room.levels.puzzle is not None:
        return room.levels.puzzle(seed)
    if room.levels.of_seed is not None:
        return room.levels.of_seed(seed)
    assert room.levels.generate is not None, f"{room.name} makes no levels"
    return room.levels.generate(seed=seed)


def digest(text: str) -> str:
    """Return a short digest of a level: the same text on every machine."""
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()
