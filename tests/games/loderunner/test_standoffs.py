"""Enemies who stand in the only way for good: the table beside its plain twin, and the master that foresees them."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from gridsage.core.game import Budget
from gridsage.games.loderunner.agents.master import Master, guide
from gridsage.games.loderunner.kernels import lookahead, standoffs
from gridsage.games.loderunner.level import FLOOR, WALL, Options, parse
from gridsage.games.loderunner.rules import LodeRunner, pack, tables
from gridsage.games.loderunner.state import REASONS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))
from loderunner_standoffs import lost_goals
from loderunner_twin import wild_level

GAME = LodeRunner()


@pytest.mark.parametrize("seed", range(30))
def test_the_table_and_its_twin_agree_on_wild_levels(seed):
    level = parse("\n".join(wild_level(random.Random(seed))) + "\n")
    found, hints = tables(level, Options()), guide(level, Options())
    ways = lookahead.runner_ways(found.board, found.info)
    goals = [*level.bonuses, level.exit]
    for enemy, code in enumerate(level.cells):
        if code in (WALL, FLOOR):
            assert hints.plugs[enemy] == -1
            continue
        for runner in range(len(level.cells)):
            lost = int(hints.lost[hints.plugs[enemy], runner]) if hints.plugs[enemy] >= 0 else 0
            wanted = lost_goals(found.chase, level.cols, ways, goals, runner, enemy)
            bits = {standoffs.EXIT_BIT if number == len(goals) - 1 else number for number in wanted}
            assert {bit for bit in range(standoffs.EXIT_BIT + 1) if lost >> bit & 1} == bits


# The enemy cannot walk over the wall in the middle of the floor, and comes no further than its edge.
EDGE = """
WWWWWWWWWWWWW
WX..E.....R.W
WFFFFFWFFFFFW
WFFFFFFFFFFFW
WWWWWWWWWWWWW
"""


def blocked(text: str, actions: str = "") -> int:
    state = GAME.start(parse(text), Options(), 1)
    for label in actions.split():
        state = GAME.step(state, GAME.action(label))
    found, hints = tables(state.seen.level, Options()), guide(state.seen.level, Options())
    return standoffs.shut_out(found.info, hints.plugs, hints.lost, pack(state.seen, found))


def test_an_enemy_at_the_edge_of_what_it_can_walk_blocks_the_way_for_good():
    assert blocked(EDGE) == 0  # from the wall he can still dig before it comes
    assert blocked(EDGE.replace("E.....R", ".E....R")) == 1


def test_an_enemy_in_a_hole_blocks_nothing():
    lured = EDGE.replace("E.....R", "E.R....")
    assert blocked(lured, "bomb-left") == 0  # it fell into the hole under the edge
    assert blocked(lured, "none right right") == 1  # lured to the edge instead


def test_every_enemy_in_the_way_counts():
    text = EDGE.replace("X..E.....R.", "BX.EE....R.")
    assert blocked(text) == 1  # the second one stands at the edge
    assert blocked(text.replace("FFFFFWF", "FFWFFWF").replace("X.EE", "XE.E")) == 2  # and one on a wall never moves


def test_what_was_taken_is_not_missed():
    text = "WWWWWWWWWWWWW\nW.B.E.....RXW\nWFFFFWFFFFFFW\nWWWWWWWWWWWWW\n"
    assert blocked(text) == 1
    assert blocked(text.replace("B", ".")) == 0


def test_large_levels_are_looked_at_for_their_exit_alone():
    wide = "W" * 60
    rows = [wide, "WX.E." + "." * 52 + "R.W", "WFFFWF" + "F" * 53 + "W"]
    rows += ["W" + "B" * 58 + "W", "W" + "F" * 58 + "W"] * 3 + [wide]
    level = parse("\n".join(rows) + "\n")
    assert len(level.cells) * len(level.bonuses) > standoffs.MOST_WORK
    lost = guide(level, Options()).lost
    assert np.bitwise_or.reduce(lost, axis=None) == 1 << standoffs.EXIT_BIT


# Made by the generator; a master without foresight lures enemies into the only way to the exit.
LURES = """
WWWWWWWWWWWWWWWWWWWWWWWWWWWW
WCCCCCCC...CCC........CCCC.W
W................EXE.E.....W
W.......FLL...FFFFFFFF....LW
W........LL.......CCCCC...LW
W........LL.....E.........LW
WFFFFLWFFFFFFFFFFF.....FFFFW
W....L.CCCCCCCCC...CCCCC...W
WB..EL.....................W
WFLWFLF.........FFF.....WFFW
W.L..L.....................W
W.L..L.BB.R...BB..E......EBW
WFFFFFFFFFFFFFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWWWWWWWWWWWWWW
"""


def end_of(text: str, agent: Master, seed: int) -> str:
    state = GAME.start(parse(text), Options(turn_cap=400), seed)
    while state.status == 0:
        state = GAME.step(state, agent.decide(GAME.observe(state, 0), Budget(nodes=10_000)).action)
    return REASONS[state.status]


@pytest.mark.parametrize("seed", [11, 12])
def test_the_master_does_not_lure_enemies_into_the_only_way(seed):
    assert end_of(LURES, Master(), seed) == "won"
    assert end_of(LURES, Master(foresight=False), seed) == "out of turns"


def test_the_master_says_that_the_way_is_lost():
    state = GAME.start(parse(EDGE.replace("E.....R", ".E....R")), Options(), 1)
    thoughts = Master().decide(GAME.observe(state, 0), Budget(nodes=3000)).thoughts
    assert thoughts is not None and "an enemy will stand in the only way for good" in thoughts.text
