"""Amoeba shut in: the cells that a fence lacks, plans tried out while it grows, and the master who follows them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridsage.core.budget import Meter
from gridsage.core.game import Budget
from gridsage.games.delirium.bd.agents.explorer import FEWEST_KEPT, Explorer
from gridsage.games.delirium.bd.agents.fencer import RUN_TICKS, Fencer
from gridsage.games.delirium.bd.agents.master import Master
from gridsage.games.delirium.bd.agents.planner import planning_rules
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.cells import AMOEBA, KIND_MASK, SPACE, SYMBOLS
from gridsage.games.delirium.bd.kernels import pens, trials
from gridsage.games.delirium.bd.kernels.tick import AMOEBA_MAX, COLS, NEEDED, RULES_LENGTH, SIZE, tick
from gridsage.games.delirium.bd.level import Options
from gridsage.games.delirium.bd.rules import DOWN, LEFT, RIGHT, STAY, UP, BoulderDash, position_arrays
from gridsage.games.delirium.bd.state import AMOEBA_CHANCE, DIAMONDS, ROCKFORD_AT
from naive.delirium_bd_pens import gaps_of


def drawn(rows: list[str], amoeba_max: int = 200):
    """Return cells, rules and room to look for a fence."""
    cells = np.array([SYMBOLS[symbol] for symbol in "".join(rows)], dtype=np.uint8)
    rules = np.zeros(RULES_LENGTH, dtype=np.int64)
    rules[COLS], rules[SIZE], rules[AMOEBA_MAX] = len(rows[0]), len(cells), amoeba_max
    return cells, rules, pens.new_pen(len(cells))


# In the last five a way has to give up a cell altogether for another one, which is rare.
@pytest.mark.parametrize("seed", [*range(30), 265, 571, 1379, 1426, 1748])
def test_the_cells_that_a_fence_lacks_agree_with_the_plain_twin(seed):
    dice = random.Random(seed)
    cols = dice.randint(6, 20)
    inner = ["S" + "".join(dice.choices("  ...oo#d@1O", k=cols - 2)) + "S" for _ in range(dice.randint(4, 14))]
    middle, at = len(inner) // 2, cols // 2
    inner[middle] = inner[middle][:at] + "a" + inner[middle][at + 1 :]
    rows = ["S" * cols, *inner, "S" * cols]
    most = dice.randint(6, 100)
    cells, rules, pen = drawn(rows, amoeba_max=-(-most * 100 // pens.MOST_OF_LIMIT))
    for reach in (0, 1, 3):
        expected = gaps_of(rows, reach, most)
        assert pens.gaps_of(cells, rules, pen, reach)[0] == expected


def test_a_fence_that_lacks_nothing_says_what_it_encloses():
    cells, rules, pen = drawn(["SSSSSS", "S.ooSS", "So. oS", "SSoaoS", "S.SooS", "SSSSSS"])
    assert pens.gaps_of(cells, rules, pen, 1) == (0, 3)
    assert pens.is_beside(rules, pen, 13)
    assert not pens.is_beside(rules, pen, 7)


def test_rockford_is_a_piece_of_the_fence_and_what_falls_is_not():
    for symbol, gaps in (("@", 0), ("o", 0), ("O", 1), ("1", 1), ("d", 1), (".", 1)):
        rows = ["SSSSSSS", "S     S", f"S##{symbol}##S", "S#.a.#S", "S#####S", "SSSSSSS"]
        cells, rules, pen = drawn(rows, amoeba_max=8)
        assert pens.gaps_of(cells, rules, pen, 0)[0] == gaps, symbol


CAVE = """[cave]
Size=13 6
DiamondsRequired=6
CaveTime=200
AmoebaTime=20
[map]
WWWWWWWWWWWWW
WP..........W
W..........XW
Wwwwww.wwwwwW
Wwa........wW
WWWWWWWWWWWWW
[/map]
[/cave]
"""


def born(text: str):
    """Return real rules, and the position in which Rockford is born with amoeba at rest until then."""
    game = BoulderDash()
    cells, facts, rules = position_arrays(game.observe(game.start(parse(text), Options(), 1), 0))
    chance, facts[AMOEBA_CHANCE] = int(facts[AMOEBA_CHANCE]), 0
    planning = planning_rules(rules)
    journal = np.zeros(16 * len(cells) + 64, dtype=np.int64)
    while facts[ROCKFORD_AT] < 0:
        tick(cells, facts, planning, np.array([1], dtype=np.int64), journal, STAY)
    return rules, cells, facts, chance


def worth(line: list[int], needed: int = 6) -> int:
    rules, cells, facts, chance = born(CAVE)
    rules[NEEDED] = needed
    fencer = Fencer(rules, len(cells), Explorer(planning_rules(rules), len(cells), FEWEST_KEPT))
    fencer.rows[0], fencer.row_facts[0] = cells, facts
    fencer.row_facts[0, AMOEBA_CHANCE] = chance
    return int(
        trials.worth_of_fence(
            fencer.rows,
            fencer.row_facts,
            rules,
            fencer.stream,
            fencer.journal,
            fencer.explorer.ground,
            np.array(line, dtype=np.int64),
            8,
        )[0]
    )


def test_a_plan_counts_by_what_amoeba_becomes_when_it_really_grows():
    to_the_gap = [RIGHT] * 5 + [DOWN] * 2
    assert worth(to_the_gap) > 600
    assert 0 < worth(to_the_gap, needed=20) <= 500, "it becomes fewer than half of them"
    assert worth([*to_the_gap, UP, UP, LEFT]) == 0, "he has left the gap"
    assert worth([STAY] * 3) == 0


def test_the_plan_that_is_followed_is_tried_less_often_where_time_is_up():
    rules, cells, facts, chance = born(CAVE)
    spent, worths = [], []
    for budget in (Budget(nodes=1), Budget(seconds=0.0)):
        fencer = Fencer(rules, len(cells), Explorer(planning_rules(rules), len(cells), FEWEST_KEPT))
        fencer.plan, meter = [RIGHT] * 5 + [DOWN] * 2, Meter(budget)
        fencer.think((cells, facts), chance, meter)
        spent.append(meter.spent)
        worths.append(fencer.worth)
    assert 0 < 2 * spent[1] < spent[0]
    assert min(worths) > 500, "what was tried still counts"


def new_fencer() -> tuple[Fencer, tuple[np.ndarray, np.ndarray]]:
    """Return a fencer of the cave, and the position in which Rockford is born."""
    rules, cells, facts, _ = born(CAVE)
    return Fencer(rules, len(cells), Explorer(planning_rules(rules), len(cells), FEWEST_KEPT)), (cells, facts)


def with_looks(fencer: Fencer, monkeypatch, worths: list[int]) -> list[list[int]]:
    """Let the next looks say what they are told to; return the list of the plans that are looked at."""
    plans: list[list[int]] = []

    def look(line: list[int], meter: Meter, least: int = 0) -> int:
        plans.append(line)
        return worths.pop(0)

    monkeypatch.setattr(fencer, "_worth_of", look)
    return plans


def test_every_look_at_a_plan_has_other_chance():
    fencer, (cells, facts) = new_fencer()
    fencer.rows[0], fencer.row_facts[0] = cells, facts
    fencer.row_facts[0, AMOEBA_CHANCE] = born(CAVE)[3]
    late = [STAY] * 200 + [RIGHT] * 5 + [DOWN] * 2  # amoeba may have left by then
    looks = [fencer._worth_of(late, Meter(Budget(nodes=1))) for _ in range(6)]
    assert 0 < min(looks) < max(looks) < 1000


def test_a_plan_that_was_lucky_once_is_not_followed(monkeypatch):
    for further, is_followed in (([500, 600], True), ([500, 400], False), ([1000, 0], False)):
        fencer, _ = new_fencer()
        fencer.plan, fencer.looks, fencer.is_begun = [LEFT], [400], True
        with_looks(fencer, monkeypatch, [1000, *further])
        fencer._compare([RIGHT], Meter(Budget(nodes=1)))
        assert fencer.plan == ([RIGHT] if is_followed else [LEFT])
        assert fencer.worth == (550 if is_followed else 400)


def test_a_plan_must_be_better_than_the_one_that_is_followed_and_is_not_compared_with_itself(monkeypatch):
    fencer, _ = new_fencer()
    fencer.plan, fencer.looks, fencer.is_begun = [LEFT], [400], True
    plans = with_looks(fencer, monkeypatch, [500, 501, 501, 501])
    fencer._compare([RIGHT], Meter(Budget(nodes=1)))
    assert (fencer.plan, len(plans)) == ([LEFT], 1)
    fencer._compare([LEFT], Meter(Budget(nodes=1)))
    assert len(plans) == 1
    fencer._compare([UP], Meter(Budget(nodes=1)))
    assert fencer.plan == [UP]


def test_a_plan_counts_by_the_mean_of_its_last_looks_and_nothing_once_it_fails(monkeypatch):
    fencer, here = new_fencer()
    fencer.plan = [RIGHT]
    with_looks(fencer, monkeypatch, [900, 600, 300, 300, 0, 300])
    worths = []
    for _ in range(6):
        fencer.think(here, 0, Meter(Budget(nodes=0)))
        worths.append(fencer.worth)
    assert worths == [900, 750, 600, 400, 0, 200]


def test_less_is_enough_the_longer_he_has_waited():
    fencer, here = new_fencer()
    fencer.plan, fencer.looks = [RIGHT], [300]
    actions = [fencer.next_action(here) for _ in range(11)]
    assert actions == [None] * 10 + [RIGHT], "600 is asked for, and 30 less each tick"
    assert fencer.waited == 0
    fencer.plan = [RIGHT]
    assert fencer.next_action(here) == RIGHT, "what is begun goes on with 300"
    fencer.plan, fencer.looks = [RIGHT], [180]
    assert [fencer.next_action(here) for _ in range(9)] == [None] * 8 + [RIGHT], "below 200 it is 5 less each tick"
    fencer.looks, fencer.waited = [0], 1000
    assert fencer.next_action(here) is None, "what is worth nothing is never enough"


def test_runs_grow_while_no_plan_is_worth_a_step():
    fencer, here = new_fencer()
    ticks = []
    for turn in range(9):
        fencer.plan, fencer.looks = [RIGHT], [200 if turn == 7 else 0]
        fencer._begin_run(here)
        ticks.append(fencer.run_ticks // RUN_TICKS)
    assert ticks == [1, 1, 2, 1, 1, 2, 4, 1, 1]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_master_stands_in_the_gap_until_amoeba_has_become_diamonds(seed):
    game, player = BoulderDash(), Master()
    state = game.start(parse(CAVE), Options(), seed)
    while (outcome := game.outcome(state)) is None:
        state = game.step(state, player.decide(game.observe(state, 0), Budget(nodes=3_000)).action)
    assert outcome.winner == 0
    assert state.facts[DIAMONDS] >= 6


def test_no_fence_is_needed_where_there_is_no_amoeba_or_enough_lies_about():
    rules, cells, facts, _ = born(CAVE)
    fencer = Fencer(rules, len(cells), Explorer(planning_rules(rules), len(cells), FEWEST_KEPT))
    assert fencer.is_needed((cells, facts))
    facts[DIAMONDS] = rules[NEEDED]
    assert not fencer.is_needed((cells, facts))
    facts[DIAMONDS] = 0
    cells[cells & KIND_MASK == AMOEBA] = SPACE
    assert not fencer.is_needed((cells, facts))
