"""Positions of the classic game, drawn before and after."""

from __future__ import annotations

import pytest

from games.loderunner.classic.boards import GAME, drawn, held, start
from gridsage.core.errors import IllegalAction
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.rules import share_earned


def seen(state):
    return GAME.observe(state, 0)


def test_a_cell_takes_five_ticks():
    state = start("&....\n#####")
    assert drawn(held(state, ("right", 2)), 2) == ["&", "#####"]
    assert drawn(held(state, ("right", 3)), 2) == [".&", "#####"]
    assert seen(held(state, ("right", 5))).runner[:3] == (14 * 28 + 1, 0, 0)


def test_a_dig_takes_eleven_ticks_after_its_key_and_the_hole_closes_after_187_more():
    state = held(start("&....\n#####"), ("dig-right", 1))
    assert seen(state).dig == (15 * 28 + 1, 0)
    state = held(state, ("none", 10))
    assert drawn(state, 2) == ["&", "#####"]
    state = held(state, ("none", 1))
    assert drawn(state, 2) == ["&", "#o###"]
    assert drawn(held(state, ("none", 185)), 2) == ["&", "#o###"]
    assert drawn(held(state, ("none", 186)), 2) == ["&", "#####"]


def test_the_runner_is_frozen_while_he_digs():
    assert drawn(held(start("&....\n#####"), ("dig-right", 1), ("left", 5), ("right", 6)), 2) == ["&", "#o###"]


@pytest.mark.parametrize("board", ["&$...\n#####", "&H...\n#####", "&....\n#@###", "&....\n#####\n#####"])
def test_what_cannot_be_dug(board):
    state = held(start(board), ("dig-right", 1))
    digs = seen(state).dig[0] >= 0
    assert digs == board.endswith("#####\n#####")


def test_a_runner_in_a_closing_hole_is_buried():
    state = held(start("&....\n#####"), ("dig-right", 1), ("none", 11), ("right", 10), ("none", 300))
    assert GAME.outcome(state).reason == "buried"


def test_a_runner_falls_through_a_false_brick():
    state = held(start("&...\n#X##\n....\n####"), ("right", 6), ("none", 20))
    assert drawn(state, 4)[2] == ".&"


def test_a_bar_holds_and_down_lets_go():
    state = start("&---\n#...\n....\n####")
    hanging = held(state, ("right", 10))
    assert drawn(hanging, 4)[0] == ".-&-"
    assert drawn(held(hanging, ("down", 1), ("none", 20)), 4)[2] == "..&"


def test_gold_is_taken_and_hidden_ladders_appear_after_the_last_piece():
    state = start("..S.\n&$S.\n####")
    assert not seen(state).is_complete
    after = held(state, ("right", 5))
    assert seen(after).gold_left == 0 and seen(after).is_complete
    assert drawn(after, 3)[0] == "..H"


def test_the_top_row_wins_and_only_with_all_gold():
    rows = "\n".join(["..H......"] * 15)
    state = start(rows + "\n&.H$.....")
    assert GAME.outcome(held(state, ("right", 10), ("up", 100))) is None
    won = held(state, ("right", 15), ("left", 5), ("up", 100))
    assert GAME.outcome(won).reason == "won"
    assert share_earned(won) == 1


def test_a_guard_walks_to_the_runner_and_catches_him():
    state = held(start("&......0\n########"), ("none", 200))
    assert GAME.outcome(state).reason == "caught"
    assert GAME.outcome(state).winner is None


@pytest.mark.parametrize(("ai", "ticks"), [(4, 67), (3, 52)])
def test_a_guard_in_a_hole_waits_and_climbs_out(ai, ticks):
    state = start("&........0\n##########", ai=ai)
    state = held(state, ("dig-right", 1), ("none", 11))
    while seen(state).guards[0].action != layout.IN_HOLE:
        state = held(state, ("none", 1))
        assert GAME.outcome(state) is None
    assert seen(state).guards[0].wait == ticks - 1
    state = held(state, ("none", ticks - 1))
    assert seen(state).guards[0].action == layout.CLIMB_OUT


def test_one_walks_over_a_guard_in_a_hole():
    state = held(start("&........0\n##########"), ("dig-right", 1), ("none", 11))
    while seen(state).guards[0].action != layout.IN_HOLE:
        state = held(state, ("none", 1))
    state = held(state, ("right", 20))
    assert GAME.outcome(state) is None
    assert drawn(state, 2)[0].index("&") == 4


def test_a_guard_takes_gold_and_drops_it_when_it_falls_into_a_hole():
    state = held(start("&....$....0\n###########"), ("dig-right", 1), ("none", 11))
    kinds = []
    while seen(state).guards[0].action != layout.IN_HOLE:
        after = held(state, ("none", 1))
        kinds += [event.kind for event in GAME.events(state, 0, after)]
        state = after
    assert [kind for kind in kinds if kind.endswith("gold")] == ["took gold", "dropped gold"]
    assert kinds.count("trapped") == 1
    assert drawn(state, 2)[0] == "&$"
    assert seen(state).gold_left == 1


def test_chance_is_seeded_and_hidden():
    states = [start("&......$0\n##########", seed=seed) for seed in (1, 2)]
    assert states[0] != states[1]
    assert seen(states[0]) == seen(states[1])
    ends = {held(state, ("none", 30)).row for state in states}
    assert len(ends) == 2
    assert len({seen(held(state, ("none", 25))) for state in states}) == 1


def test_a_level_without_gold_is_open_at_once():
    state = start("&.S.\n####")
    assert seen(state).is_complete and drawn(state, 2)[0] == "&.H"


def test_the_tick_cap_ends_a_game():
    assert GAME.outcome(held(start("&...\n####", tick_cap=7), ("none", 9))).reason == "out of ticks"


def test_no_key_after_the_end_and_none_outside_the_seven():
    over = held(start("&...\n####", tick_cap=1), ("none", 1))
    with pytest.raises(IllegalAction, match="up after the end of the game"):
        GAME.step(over, layout.UP)
    with pytest.raises(IllegalAction, match="expected 0 to 6"):
        GAME.step(start("&...\n####"), 7)
