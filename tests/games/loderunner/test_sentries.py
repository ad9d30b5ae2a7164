"""Proofs that an enemy keeps something for good, beside a search of the whole game on small levels."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from gridsage.core.game import Budget
from gridsage.games.loderunner.checker import check, doubts, lost_for_good, played_by_master
from gridsage.games.loderunner.kernels import sentries
from gridsage.games.loderunner.level import Level, Options, parse
from gridsage.games.loderunner.rules import LodeRunner, tables
from gridsage.games.loderunner.state import BOMB_LEFT, WON

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))
from loderunner_sentries import can_be_won, small_level

MOST_POSITIONS = 1000


def lost_cells(level: Level, *enemies: int) -> list[tuple[int, int]]:
    found = tables(level, Options())
    goals = np.array([*level.bonuses, level.exit], np.int64)
    cells = np.array([level.enemies[enemy] for enemy in enemies or (0,)], np.int64)
    lost = sentries.out_of_reach((found.board, found.chase, found.info), goals, level.runner, cells, 0)
    return [divmod(int(cell), level.cols) for cell in goals[lost]]


@pytest.mark.parametrize("first", [0, 30])
def test_what_is_proved_to_be_lost_is_lost(first):
    proved = 0
    for seed in range(first, first + 30):
        level = parse(small_level(random.Random(seed)))
        together = range(len(level.enemies))
        if any(lost_cells(level, enemy) for enemy in together) or lost_cells(level, *together):
            assert not can_be_won(level, MOST_POSITIONS), seed
            proved += 1
    assert proved >= 3


# No enemy walks on from the cell above the wall; the one beside it catches whoever comes there.
AT_THE_EDGE = """
WWWWWWWWWWWWW
W.BE.....R.XW
WFFFWFFFFFFFW
WFFFFFFFFFFFW
WWWWWWWWWWWWW
"""


def test_an_enemy_beside_the_edge_can_neither_be_lured_nor_trapped():
    assert lost_cells(parse(AT_THE_EDGE)) == [(1, 2)]
    report = check(AT_THE_EDGE, seconds=1.0)
    assert report.verdict == "impossible"
    assert report.text == (
        "a bonus in row 1, column 2 can never be reached: the enemy in row 1, column 3 keeps the way to it "
        "and can neither be lured away nor trapped"
    )


def test_some_cells_farther_there_is_time_to_dig():
    text = AT_THE_EDGE.replace("W.BE.....R.X", "WBE......R.X").replace("WFFFWFFF", "WFFFFFFW")
    assert lost_cells(parse(text)) == []
    assert played_by_master(parse(text), Options(), 1, Budget(nodes=20_000), most=100)[0].status == WON


def test_what_lies_before_the_enemy_is_not_lost():
    text = AT_THE_EDGE.replace("W.BE.....R.X", "W..E.B...R.X")
    assert lost_cells(parse(text)) == [] == doubts(text)


# The ladder leads into floor that can be dug from above: when such a hole closes, who is inside reappears anywhere.
THROWN = """
WWWWWWWWWWWWWWW
W.BE.....R...XW
WFFFWFFFFFFFFFW
W........L....W
WFFFFFFFFFFFFFW
WWWWWWWWWWWWWWW
"""


def test_who_climbs_into_a_hole_may_be_thrown_past_the_enemy():
    assert lost_cells(parse(THROWN.replace("L", "."))) == [(1, 2)]
    assert lost_cells(parse(THROWN)) == []


# Two ways lead to the right: along the upper floor, where an enemy stands beside the edge, and down from the upper
# cable to the lower one, where he can dig only once he has crossed it.
TWO_WAYS = """
WWWWWWWWWWWWWWWWWWWW
W..CCC.............W
W.......E..........W
WFL...FWFFFFFWFFFFLW
W.L..CCCCC........LW
W.L.........E...B.LW
WLF.......FFFFFFFFFW
WL.................W
WL.....R.X.........W
WFFFFFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWWWWWW
"""


def test_two_enemies_keep_what_neither_keeps_alone():
    level = parse(TWO_WAYS)
    assert lost_cells(level, 0) == lost_cells(level, 1) == []
    assert lost_cells(level, 0, 1) == [(5, 16)]
    start = LodeRunner().start(level, Options(), 1)
    assert lost_for_good(start.seen) == [
        "a bonus in row 5, column 16 can never be reached: the enemies in row 2, column 8 and row 5, column 12 keep "
        "the way to it and can neither be lured away nor trapped"
    ]
    assert doubts(TWO_WAYS) == []  # that takes too long for a look


def test_farther_from_the_cable_there_is_time_to_dig():
    level = parse(TWO_WAYS.replace("E...B", "...EB"))
    assert lost_for_good(LodeRunner().start(level, Options(), 1).seen) == []


def test_nothing_is_said_while_a_hole_is_open():
    game = LodeRunner()
    state = game.step(game.start(parse(TWO_WAYS), Options(), 1), BOMB_LEFT)
    assert lost_for_good(state.seen) == []
