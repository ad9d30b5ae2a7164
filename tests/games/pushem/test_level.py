"""Positions as text, and the options of a game."""

from __future__ import annotations

import pytest

from gridsage.core.errors import LevelError, OptionError
from gridsage.core.room import parse_options
from gridsage.games.pushem import ROOM
from gridsage.games.pushem.level import Options, parse, write

BOARD = """
........
........
..oxoX..
..xoxo..
..ox#x..
..xoxO..
........
........
"""


def test_a_position_reads_back_as_it_was_written() -> None:
    level = parse(f"turn: second\nply: 12\nfirst: bomb, swap\nsecond: -\nreversed: yes\n{BOARD}")
    assert parse(write(level)) == level
    assert (level.turn, level.ply, level.second_hand, level.reversed) == (1, 12, 0, 1)
    assert level.frozen.bit_count() == 2


def test_every_shipped_position_reads_back() -> None:
    for name in ROOM.levels.names():
        level = parse(ROOM.levels.text(name))
        assert parse(write(level)) == level
        assert level.first.bit_count() == level.second.bit_count(), "both sides start with the same number of pawns"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (BOARD.replace("..ox#x..", "..ox?x.."), r"line 6, cell e4: '\?' is none of . # x o X O: '..ox\?x..'"),
        (BOARD.replace("..ox#x..", "..ox#x."), "line 6 has 7 cells, expected 8: '..ox#x.'"),
        (BOARD + "........\n", "line 10: the board has more than 8 rows"),
        (BOARD.replace("........\n", "", 1), "the board has 7 rows, expected 8"),
        ("turn: third" + BOARD, "line 1: turn is 'third', expected first or second"),
        ("ply: many" + BOARD, "line 1: ply is 'many', expected a number from 0 to 999"),
        ("hand: bomb" + BOARD, "line 1: no entry 'hand'"),
        ("first: bomp" + BOARD, "line 1: no card 'bomp'; did you mean bomb"),
        ("first: bomb bomb" + BOARD, "line 1: the card bomb is named twice"),
        ("ply: 1\nply: 2" + BOARD, "line 2: 'ply' is written twice"),
        (BOARD + "ply: 3", "line 10: 'ply: 3' stands after the board"),
        (BOARD.replace("o", ".").replace("O", "."), "second has no pawn"),
        (BOARD.replace("x", ".").replace("X", "."), "first has no pawn"),
        ("", "the board has 0 rows"),
    ],
)
def test_a_malformed_position_names_the_place(text: str, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint):
        parse(text)


@pytest.mark.parametrize(
    ("pairs", "complaint"),
    [
        ({"cards": "11"}, "cards"),
        ({"preset": "r2"}, "preset"),
        ({"deal": "bomb+sword"}, "no card 'sword'"),
        ({"hand": "3"}, "no option of pushem 'hand'; did you mean hands"),
    ],
)
def test_a_bad_option_is_named(pairs: dict[str, str], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        parse_options(Options, pairs, "pushem")
