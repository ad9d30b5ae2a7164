from __future__ import annotations

import pytest

from gridsage.core.errors import IllegalAction
from gridsage.games.ricochet.notation import arrows, compact, parse_moves, words
from gridsage.games.ricochet.rules import GIVE_UP, Ricochet

ACTIONS = tuple(range(GIVE_UP))


def test_the_three_writings_of_one_plan():
    plan = parse_moves("R^ B>")
    assert plan == (0, 9)
    assert (arrows(plan), words(plan), compact(plan)) == ("R^ B>", "red up, blue right", "RNBE")


@pytest.mark.parametrize("write", [arrows, words, compact])
def test_every_move_is_read_back(write):
    assert parse_moves(write(ACTIONS)) == ACTIONS


def test_writings_can_be_mixed_and_letters_may_be_small_before_arrows():
    assert parse_moves("red UP,b>;  KS\nYv") == parse_moves("R^ B> Kv Yv")


def test_words_are_the_labels_of_the_game():
    assert words(ACTIONS).split(", ") == [Ricochet().label(action) for action in ACTIONS]


@pytest.mark.parametrize(("text", "column"), [("R^ Q>", 4), ("red", 1), ("R^B", 3), ("R?", 1), ("red sideways", 1)])
def test_what_is_no_move_is_told_by_column(text, column):
    with pytest.raises(IllegalAction, match=f"column {column}: expected a move"):
        parse_moves(text)


def test_nothing_is_no_move():
    assert parse_moves("") == ()
