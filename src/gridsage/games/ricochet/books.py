"""The five books: levels in order of their length, each with the number of moves that is proved to be the fewest."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from gridsage.core.amounts import counted
from gridsage.core.room import Book
from gridsage.games.ricochet import level

FOLDER = Path(__file__).parent / "levels" / "books"


class Graded(NamedTuple):
    """A level of a book: the fewest moves, the fewest robots that move in such a solution, and the position."""

    moves: int
    robots: int
    position: str


def to_line(entry: Graded) -> str:
    """Return the line of a book that holds this level."""
    return f"{entry.moves} {entry.robots} {entry.position}"


def difficulty(moves: int, robots: int) -> str:
    """Return in words how long the shortest solutions are, and how many robots have to move in them."""
    return f"{counted(moves, 'move')}, {counted(robots, 'robot')}"


def listed() -> list[Book]:
    """Return the five books with the names of their levels, easiest first."""
    return [Book(name, _title(name, entries), tuple(_names(name, entries))) for name, entries in _books().items()]


def has(name: str) -> bool:
    """Return True if a book has a level of that name."""
    book = name.rpartition("-")[0]
    return name in _names(book, _books().get(book, []))


def text(name: str) -> str:
    """Return the drawing of a level of a book, with a remark about it."""
    book, _, number = name.rpartition("-")
    entry = _books()[book][int(number) - 1]
    return f"; {difficulty(entry.moves, entry.robots)}\n{level.draw(level.parse(entry.position))}"


def _title(name: str, entries: list[Graded]) -> str:
    return f"Book {name.rpartition('_')[2]}: {entries[0].moves} to {entries[-1].moves} moves"


def _names(name: str, entries: list[Graded]) -> list[str]:
    return [f"{name}-{number:02}" for number in range(1, len(entries) + 1)]


@cache
def _books() -> dict[str, list[Graded]]:
    paths = sorted(FOLDER.glob("*.txt"))
    return {path.stem: [_entry(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in paths}


def _entry(line: str) -> Graded:
    moves, robots, position = line.split(" ", 2)
    return Graded(int(moves), int(robots), position)
