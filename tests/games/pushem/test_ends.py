"""Where a game of Push'em All ends, nothing can be played; a reversed turn cannot be slept away."""

from __future__ import annotations

import msgspec
import pytest

from gridsage.games.pushem.level import Options, parse
from gridsage.games.pushem.rules import GAME, parse_turn
from gridsage.games.pushem.state import State

BOARD = """
........
........
..oxox..
..xoxo..
..oxox..
..xoxo..
........
........
"""


def start(**options: str) -> State:
    return GAME.start(parse(BOARD), Options(**options), 1)


def labels(state: State) -> list[str]:
    return [GAME.label(action) for action in GAME.legal(state)]


@pytest.mark.parametrize(("plies_left", "over"), [(1, False), (0, True), (-1, True)])
def test_nothing_is_legal_from_the_last_ply_on(plies_left, over):
    state = start()
    state = msgspec.structs.replace(state, ply=state.last_ply - plies_left)
    assert (GAME.outcome(state) is not None, GAME.legal(state) == []) == (over, over)


@pytest.mark.parametrize("side", ["first", "second"])
def test_nothing_is_legal_when_a_side_is_gone(side):
    state = msgspec.structs.replace(start(), **{side: 0})
    assert GAME.outcome(state) is not None
    assert GAME.legal(state) == []


def test_sleep_is_offered_in_a_plain_turn_and_not_in_a_reversed_one():
    begun = start(deal="reverse+sleep")
    assert any("sleep" in label for label in labels(begun))
    plain, turned = begun, begun
    for action in parse_turn("R", begun):
        plain = GAME.step(plain, action)
    for action in parse_turn("R+reverse", begun):
        turned = GAME.step(turned, action)
    assert (plain.turn, turned.turn) == (1, 1)
    assert any("sleep" in label for label in labels(plain))
    assert not any("sleep" in label for label in labels(turned))
