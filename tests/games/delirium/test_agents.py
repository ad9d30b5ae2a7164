"""The miners: what they avoid, what they find, and that they play by what they see."""

from __future__ import annotations

import pytest

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog
from gridsage.games.delirium.agents.baseline import Baseline
from gridsage.games.delirium.agents.master import Master
from gridsage.games.delirium.checker import check
from gridsage.games.delirium.generator import generate
from gridsage.games.delirium.level import parse
from gridsage.games.delirium.level.cells import Options
from gridsage.games.delirium.rules import RIGHT, STAY, WIDEN, Delirium

NODES = Budget(nodes=20_000)


def played(text: str, agent: str = "master", budget: Budget = NODES, max_steps: int = 600, **options):
    room = catalog.ready_room("delirium")
    return play(
        episode(room, NamedLevel("test", text), (AgentSpec(agent),), 1, options, budget, max_steps=max_steps),
        keep_thoughts=True,
    )


@pytest.mark.parametrize(
    "name",
    [
        "01_first_steps",
        "05_a_row_of_stones",
        "06_push_up",
        "09_a_trap_for_blue",
        "14_against_the_clock",
        "25_three_galleries",
    ],
)
def test_the_master_wins_levels_that_need_each_skill(name):
    result = played(catalog.room("delirium").levels.text(name), budget=Budget(nodes=100_000))
    assert result.trace.outcome.winner == 0, result.trace.outcome


@pytest.mark.parametrize("seed", [3, 14])
def test_the_master_wins_caves_of_the_filler(seed):
    assert played(generate(seed).text).trace.outcome.winner == 0


def test_the_master_wins_with_a_view_of_five_by_five():
    result = played(generate(14).text, view_rows=2, view_cols=2)
    assert result.trace.outcome.winner == 0
    assert WIDEN in result.trace.actions


def test_the_master_explores_where_its_view_cannot_grow():
    text = "diamonds: 1\n" + "#" * 22 + "\n#@.................d.#\n#.s.s.s.s.s.s.s.s.sX.#\n" + "#" * 22 + "\n"
    result = played(text, view_rows=1, view_cols=1, widest_view=1)
    assert result.trace.outcome.winner == 0


def test_the_master_drops_a_stone_on_purpose_for_its_diamonds():
    result = played(catalog.room("delirium").levels.text("09_a_trap_for_blue"), budget=Budget(nodes=100_000))
    assert result.figures["kills"] == 1 and result.figures["diamonds"] >= 6


def test_the_master_does_not_follow_a_diamond_into_a_trap():
    # Left: two diamonds, but the stones fall behind him and close the way for good. Right: one, and the way out.
    text = """diamonds: 1
##############
####oo##@...d#
####..##.###.#
#dd.........X#
##############
"""
    assert played(text).trace.outcome.winner == 0


def test_the_master_lives_beside_monsters_when_nothing_can_be_won():
    text = "diamonds: 1\ntime: 60\n########\n#@     #\n# ## # #\n#    # #\n#  r   #\n########\n"
    assert played(text, max_steps=100).trace.outcome.reason == "out of time"


def test_the_master_tells_its_plan_its_fears_and_its_nodes():
    room = catalog.ready_room("delirium")
    game = room.rules.game()
    state = game.start(game.parse(room.levels.text("07_the_red_guard")), Options(), 1)
    thoughts = Master().decide(game.observe(state, 0), Budget(nodes=50_000)).thoughts
    assert thoughts.nodes > 0 and thoughts.text and thoughts.line
    assert len(thoughts.heat) == state.rows * state.cols and max(thoughts.heat) == 255
    assert thoughts.path and all(0 <= cell < state.rows * state.cols for cell in thoughts.path)


def test_the_report_goes_for_the_nearest_diamond():
    game = Delirium()
    state = game.start(parse("diamonds: 1\n##########\n#d....@.d#\n#######X##\n"), Options(), 1)
    assert Baseline().decide(game.observe(state, 0), Budget()).action == RIGHT


def test_the_report_does_not_step_beside_the_next_place_of_a_monster():
    game = Delirium()
    state = game.start(parse("diamonds: 1\n########\n#@   rd#\n######X#\n########\n"), Options(), 1)
    agent = Baseline()
    for _ in range(2):
        action = agent.decide(game.observe(state, 0), Budget()).action
        state = game.step(state, action)
    assert game.outcome(state) is None


def test_the_report_stays_where_it_sees_nothing_and_looks_further_if_told_to():
    game = Delirium()
    text = "diamonds: 1\n##########\n#@......d#\n########X#\n##########\n"
    state = game.start(parse(text), Options(view_rows=1, view_cols=1), 1)
    assert Baseline().decide(game.observe(state, 0), Budget()).action == STAY
    assert Baseline(grow_view=True).decide(game.observe(state, 0), Budget()).action == WIDEN


def test_a_check_proves_a_win_by_a_line_that_wins():
    text = catalog.room("delirium").levels.text("12_double_wall")
    report = check(text, Options(), 30.0)
    assert report.verdict == "won"
    game = Delirium()
    state = game.start(parse(text), Options(), 1)
    for action in report.plan:
        state = game.step(state, action)
    assert game.outcome(state).winner == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("diamonds: 0\n#####\n#@..#\n#####\n", "no exit"),
        ("diamonds: 5\n#####\n#@dX#\n#####\n", "it asks for 5 diamonds"),
        ("diamonds: 1\n#####\n#@bX#\n#####\n", "nothing that could fall on a monster"),
        ("diamonds: 10\n######\n#@obX#\n######\n", "1 blue monster can leave 9 each: it cannot be won"),
        ("diamonds: 1\n#####\n#o..#\n#m..#\n#@.X#\n#####\n", "1 inert magic wall"),
        ("diamonds: 0\ntime: 3\n#########\n#@.....X#\n#########\n", "within its time"),
        ("diamonds: 0\n######\n#@o.X#\n######\n", "looked at"),
    ],
)
def test_a_check_says_why_a_level_is_impossible(text, words):
    report = check(text, Options(), 10.0)
    assert report.verdict == "impossible" and words in report.text


@pytest.mark.parametrize(("needed", "verdict"), [(1, "not found within budget"), (2, "impossible")])
def test_magic_walls_that_turn_stones_are_a_source_of_diamonds(needed, verdict):
    cave = f"diamonds: {needed}\n#####\n#o..#\n#m..#\n#@.X#\n#####\n"
    assert check(cave, Options(magic_wall="turns"), 0.0).verdict == verdict


def test_patience_must_not_be_negative():
    with pytest.raises(ValueError, match="patience"):
        Master(patience=-1)


@pytest.mark.parametrize("seed", [71, 15])
def test_the_master_does_not_stand_still_for_long_to_think(seed):
    room, level, budget = catalog.ready_room("delirium"), generate(seed, difficulty=4), Budget(nodes=5_000)
    quick, slow = (
        play(episode(room, level, (AgentSpec("master", settings),), 1, {}, budget, max_steps=600)).trace
        for settings in ({}, {"patience": "400"})
    )
    assert quick.outcome.winner == slow.outcome.winner == 0
    assert len(quick.actions) < 110 < 450 < len(slow.actions)
