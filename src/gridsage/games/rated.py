"""Puzzles with ratings: each was won by a solver, and what that took says how hard it is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from gridsage.core.errors import LevelError, UnknownName, shown
from gridsage.core.room import NamedLevel, Room
from gridsage.games import daily

PREFIX = "puzzle/"  # a level is called puzzle/17
TABLE = Path(__file__).with_suffix(".json")
LOWEST, HIGHEST = 600, 2400  # ratings of the easiest and the hardest puzzle of a room


class RatedPuzzle(msgspec.Struct, frozen=True, array_like=True):
    """A level that was won: its rating, the seed that makes it, and the steps or turns of the best way known."""

    rating: int
    seed: int
    best: int
    digest: str
    chance: int = 0  # the seed with which it is played


class PuzzleSet(msgspec.Struct, frozen=True):
    """The puzzles of every room, the easiest first."""

    version: int
    rooms: dict[str, list[RatedPuzzle]]


@cache
def puzzles() -> PuzzleSet:
    """Return the puzzles that are shipped."""
    return msgspec.json.decode(TABLE.read_bytes(), type=PuzzleSet)


def of_game(game: str) -> list[RatedPuzzle]:
    """Return the puzzles of a game, the easiest first; none if it has none."""
    return puzzles().rooms.get(game, [])


def number_named(text: str) -> int:
    """Return the number that a text like 17 means."""
    if text.isascii() and text.isdigit() and len(text) <= len("1000"):
        return int(text)
    raise LevelError(f"a puzzle is named by its number, like {PREFIX}17: {shown(text)}")


def puzzle(game: str, number: int) -> RatedPuzzle:
    """Return a puzzle of a game by its number; 1 is the easiest."""
    found = of_game(game)
    if not found:
        raise UnknownName(f"{game} has no puzzles; these have: {', '.join(puzzles().rooms)}")
    if not 1 <= number <= len(found):
        raise LevelError(f"the puzzles of {game} are numbered 1 to {len(found)}, not {number}")
    return found[number - 1]


def level(room: Room, number: int) -> NamedLevel:
    """Return the level of a puzzle; a LevelError where another version of gridsage made it otherwise."""
    wanted = puzzle(room.name, number)
    made = daily.candidate(room, wanted.seed)
    if daily.digest(made.text) != wanted.digest:
        raise LevelError(f"puzzle {number} is not the one that was proved: the generator has changed")
    return NamedLevel(f"{PREFIX}{number}", made.text)


def rated(difficulties: list[float]) -> list[int]:
    """Return ratings for puzzles in order of their difficulty: evenly spread, equal for what is equally hard."""
    last = max(1, len(difficulties) - 1)
    places = [difficulties.index(value) for value in difficulties]
    return [LOWEST + round((HIGHEST - LOWEST) * place / last) for place in places]
