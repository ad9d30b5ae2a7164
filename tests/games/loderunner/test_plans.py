"""What plans are worth, before a siege and in one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gridsage.games.loderunner.agents.distances import guide
from gridsage.games.loderunner.agents.plans import PATIENCE, Leanings, Plan, Scene, played, prices
from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner, pack, tables
from gridsage.games.loderunner.state import NONE, RIGHT

TEXT = "WWWWWWWWWW\nWRB.....XW\nWFFFFFFFFW\nWWWWWWWWWW\n"
BEFORE, IN_A_SIEGE = PATIENCE - 1, PATIENCE  # rounds without a bonus


def late(rounds_before: int, waited: int) -> Plan:
    """The plan to wait for so many rounds and then take the bonus, after so many rounds without one."""
    level = parse(TEXT)
    scene = Scene(tables(level, Options()), guide(level, Options()))
    row = pack(LodeRunner().start(level, Options(), 1).seen, scene.found)
    luck, risk, pace = prices(waited)
    plan = played([NONE] * rounds_before + [RIGHT], row, scene, Leanings(4, 3, luck=luck, risk=risk, pace=pace))
    assert plan is not None
    return plan


def test_a_siege_makes_burials_free_and_rounds_cheap():
    before, siege, later = prices(BEFORE), prices(IN_A_SIEGE), prices(2 * PATIENCE)
    assert siege[0] == later[0] == 0 < before[0]
    assert before[1] == siege[1] > later[1] > 0
    assert before[2] == 1 < siege[2] == later[2]


@pytest.mark.parametrize("rounds_before", [360, 500])
def test_a_bonus_that_takes_long_is_kept_in_view_only_in_a_siege(rounds_before):
    assert late(rounds_before, BEFORE).bonuses_left == 1
    assert late(rounds_before, IN_A_SIEGE).bonuses_left == 0


def test_a_long_way_to_a_bonus_is_worth_more_than_to_wait_in_a_siege():
    waits, takes = late(360, BEFORE), late(250, IN_A_SIEGE)
    besieged = replace(waits, pace=takes.pace, luck_cost=takes.luck_cost)
    assert takes.worth > besieged.worth
    assert replace(takes, pace=waits.pace, luck_cost=waits.luck_cost).worth < waits.worth
