"""The five books: thirty levels each, longer and longer, every length proved."""

from __future__ import annotations

import pytest

from gridsage.cli import flags
from gridsage.core.errors import LevelError
from gridsage.games import catalog
from gridsage.games.levels import find_level, is_shipped, shipped_level, shipped_levels
from gridsage.games.ricochet import books, missions
from gridsage.games.ricochet.level import Options, parse


def proved(name: str) -> tuple[int, int]:
    """Return the fewest moves of a level, and the fewest robots that move in such a solution."""
    start = missions.start_of(parse(books.text(name)), Options())
    found = missions.solution(start, all_solutions=True, max_solutions=100_000)
    assert found.complete
    return found.length, min(len(missions.robots_used(each)) for each in found.solutions)


def remark(name: str) -> str:
    return books.text(name).splitlines()[0]


def names() -> list[str]:
    return [name for book in books.listed() for name in book.levels]


def test_there_are_thirty_different_levels_in_each_of_five_books() -> None:
    room = catalog.room("ricochet")
    listed = room.levels.books()
    assert [book.name for book in listed] == [f"book_{number}" for number in range(1, 6)]
    assert [len(book.levels) for book in listed] == [30] * 5
    assert len({books.text(name) for name in names()}) == 150


def test_levels_become_longer_from_book_to_book_and_within_them() -> None:
    lengths = [int(remark(name).split()[1]) for name in names()]
    assert lengths == sorted(lengths)
    titles = [book.title for book in books.listed()]
    assert titles[0] == f"Book 1: {lengths[0]} to {lengths[29]} moves"
    assert lengths[29] < lengths[30] and lengths[119] < lengths[120]


def test_what_the_books_say_is_proved_for_every_level() -> None:
    wrong = [name for name in names() if remark(name) != f"; {books.difficulty(*proved(name))}"]
    assert wrong == []


def test_levels_of_books_are_found_by_name_and_whole_books_too() -> None:
    room = catalog.room("ricochet")
    assert is_shipped(room, "book_3-07") and not is_shipped(room, "book_3-31") and not is_shipped(room, "book_9-01")
    assert shipped_level(room, "book_3-07").text == books.text("book_3-07") == find_level(room, "book_3-07").text
    found = flags.levels(room, "book_2,1,book_3-07")
    expected = [f"book_2-{number:02}" for number in range(1, 31)]
    assert found is not None and [level.name for level in found] == [*expected, "01_first_slide", "book_3-07"]
    assert shipped_levels(room, "book_6") is None and shipped_levels(catalog.room("pushem"), "book_1") is None
    for name in ("book_1-0", "book_1-", "book_1-+1", "book_1-1", "-01"):
        with pytest.raises(LevelError):
            find_level(room, name)
