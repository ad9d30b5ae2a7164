"""Pushes that may fail: what a plan may rely on, and how a delayed one is made whole again."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from gridsage.core.game import Budget
from gridsage.games.delirium.agents.planner import new_meter
from gridsage.games.delirium.bd.agents.master import Master
from gridsage.games.delirium.bd.agents.planner import Planner
from gridsage.games.delirium.bd.agents.repair import LEFT_OUT, Mender
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.kernels import pushes
from gridsage.games.delirium.bd.level import Options
from gridsage.games.delirium.bd.rules import STAY, BoulderDash, position_arrays
from gridsage.games.delirium.bd.state import (
    AWAKE,
    KILLS,
    MAGIC,
    MAGIC_LEFT,
    PLAYING,
    ROCKFORD_AT,
    SPENT,
    STATUS,
    TIME,
    WON,
)

RIGHT, UP, LEFT, DOWN, SNAP_RIGHT, SNAP_LEFT = 1, 2, 3, 4, 5, 7


def born(rows: str, keys: str = ""):
    """Return a planner of a cave, and the position in which Rockford is born."""
    lines = rows.strip().split("\n")
    text = f"[cave]\nSize={len(lines[0])} {len(lines)}\n{keys}[map]\n{rows.strip()}\n[/map]\n[/cave]\n"
    game = BoulderDash()
    cells, facts, rules = position_arrays(game.observe(game.start(parse(text), Options(), 1), 0))
    planner = Planner(rules, len(cells), pool_bytes=1)
    while facts[ROCKFORD_AT] < 0:
        planner.tick(cells, facts, STAY)
    return planner, (cells, facts)


def row_of(row: str):
    return born(f"WWWWWWWW\nWwwwwwwW\n{row}\nWWWWWWWW")


def is_push(row: str, action: int) -> bool:
    return bool(pushes.is_push(*row_of(row)[1], action))


def test_only_a_boulder_with_space_behind_it_is_pushed():
    assert all(is_push("W rPr .W", action) for action in (RIGHT, LEFT, SNAP_RIGHT, SNAP_LEFT))
    assert not is_push("W rPr .W", UP) and not is_push("W rPr .W", STAY)
    assert not is_push("W rPr..W", RIGHT)
    assert not is_push("W rPd .W", RIGHT)


@pytest.mark.parametrize(("row", "lives"), [("W .Pr .W", True), ("W qPr .W", False)])
def test_it_is_known_where_he_dies_if_a_push_fails(row, lives):
    planner, (cells, facts) = row_of(row)
    ticks = pushes.endures(cells, facts, planner.rules, planner.stream, planner.journal)
    assert (ticks == pushes.FAILURES) == lives, "a fly comes"


def risks(rows: str, line: list[int], needed: int = 0) -> int:
    planner, start = born(rows, f"DiamondsRequired={needed}\n")
    return Mender(planner.rules, len(start[0])).risks(start, line)


ACROSS = """
WWWWWWWWW
WPr   ..W
W...{}...W
W... ...W
W.......W
WWWWWWWWW
"""


def test_a_push_may_come_later_where_the_boulder_lies_on_dirt():
    assert risks(ACROSS.format("."), [RIGHT, RIGHT]) == 0


def test_a_boulder_pushed_over_a_hole_falls_in_if_the_next_push_fails():
    assert risks(ACROSS.format(" "), [RIGHT, RIGHT]) == 0, "the second one only brings it over the hole"
    assert risks(ACROSS.format(" "), [RIGHT, RIGHT, RIGHT]) == 1
    assert risks(ACROSS.format(" "), [RIGHT, RIGHT, STAY, STAY, STAY]) == 0, "it is meant to fall"


def test_what_falls_elsewhere_does_not_make_a_push_risky():
    rows = ACROSS.format(".").replace("W... ...W\nW.......W", "W... ...W\nWrrrrrr.W\nW       W\nW.......W")
    assert risks(rows, [RIGHT, RIGHT]) == 0


LEDGE = """
WWWWWWWWW
WPr .WWWW
W.. .WWWW
W.. .WWWW
W       W
W      CW
WWWWWWWWW
"""


def test_a_push_that_makes_a_boulder_hit_a_fly_far_below_has_to_come_at_once():
    planner, start = born(LEDGE)
    found = set()
    for waited in range(30):
        kills, lives = [], True
        for late in (0, pushes.LATE):
            cells, facts = start[0].copy(), start[1].copy()
            planner.follow(cells, facts, [STAY] * (waited + late) + [SNAP_RIGHT] + [STAY] * 12)
            kills.append(int(facts[KILLS]))
            lives = lives and facts[STATUS] == PLAYING
        if lives:
            push = [STAY] * waited + [SNAP_RIGHT]
            found.add((*kills, risks(LEDGE, push, needed=1)))
            assert risks(LEDGE, push) <= risks(LEDGE, push, needed=1), "nobody hunts where no diamond is lacking"
    assert {(0, 0, 0), (0, 1, 1), (1, 0, 1)} <= found
    assert found.isdisjoint({(0, 1, 0), (1, 0, 0)})


def test_a_push_takes_time_of_the_magic_wall_and_of_the_cave():
    planner, (_, facts) = row_of("W rPr .W")
    facts[MAGIC], facts[MAGIC_LEFT] = AWAKE, 100_000
    before = int(facts[TIME])
    pushes.charge(facts, planner.rules)
    used = before - int(facts[TIME])
    assert used > 0 and 100_000 - facts[MAGIC_LEFT] == used
    facts[MAGIC_LEFT] = used
    pushes.charge(facts, planner.rules)
    assert facts[MAGIC] == SPENT


# A firefly goes around the block of steel; to pass below it one has to wait for the right moment.
PATROL = """
WWWWWWWWWWW
WP........W
WWWWW.WWWWW
W   q     W
W WWWWWWW W
W         W
WWWWW.WWWWW
W......d.XW
WWWWWWWWWWW
"""


def wins(planner, start, line: list[int]) -> bool:
    cells, facts = start[0].copy(), start[1].copy()
    planner.follow(cells, facts, line)
    return bool(facts[STATUS] == WON)


def passing(planner, start, delay: int = 0) -> list[int]:
    """Return the first line that wins: right to the gap, waits, and around the block."""
    for waits in range(delay, 40):
        for there, back in ((LEFT, RIGHT), (RIGHT, LEFT)):
            way = [DOWN, DOWN, *[there] * 4, DOWN, DOWN, *[back] * 4, DOWN, DOWN, *[RIGHT] * 4]
            line = [*[RIGHT] * 4, *[STAY] * waits, *way]
            if wins(planner, start, line):
                return line
    raise AssertionError("no wait helps")


def passing_now(waits: int) -> list[int]:
    """Return the way right to the gap and to the left or right around the block, by turns."""
    there, back = ((LEFT, RIGHT), (RIGHT, LEFT))[waits % 2]
    return [*[RIGHT] * 4, DOWN, DOWN, *[there] * 4, DOWN, DOWN, *[back] * 4, DOWN, DOWN, *[RIGHT] * 4]


@pytest.fixture
def patrol():
    return born(PATROL, "DiamondsRequired=1\nCaveTime=200\n")


def mended_when_late(planner, start, line, lates):
    """Mend a line that begins so many ticks late, for each of them; every one must win."""
    mender = Mender(planner.rules, len(start[0]))
    marks = mender.marks_of(start, line)
    for late in lates:
        here = (start[0].copy(), start[1].copy())
        planner.follow(*here, [STAY] * late)
        mended = mender.mend(here, line, marks, new_meter(Budget(nodes=100_000)))
        assert mended.wins and wins(planner, here, mended.line)
        yield mended


def test_a_plan_that_is_late_is_mended_by_other_waits(patrol):
    planner, start = patrol
    line = passing(planner, start)
    too_late = [late for late in range(1, 21) if not wins(planner, start, [STAY] * late + line)]
    assert too_late, "this would prove nothing"
    for mended in mended_when_late(planner, start, line, too_late):
        assert [action for action in mended.line if action] == [action for action in line if action]
        assert mended.holds == len(mended.line) and len(mended.marks) == len(mended.line) + 1


def test_a_long_plan_is_mended_too_and_one_that_wins_stays_as_it_is(patrol):
    planner, start = patrol
    line = next(line for waits in range(700, 740) if wins(planner, start, line := [STAY] * waits + passing_now(waits)))
    too_late = [late for late in range(1, 21) if not wins(planner, start, [STAY] * late + line)]
    assert too_late, "this would prove nothing"
    assert len(list(mended_when_late(planner, start, line, too_late))) == len(too_late)
    (unchanged,) = mended_when_late(planner, start, line, [0])
    assert unchanged.line == line


def test_waits_of_a_plan_are_left_out_to_be_in_time(patrol):
    planner, start = patrol
    line = passing(planner, start, delay=9)
    assert line.count(STAY) > 8
    too_late = [late for late in range(1, 9) if not wins(planner, start, [STAY] * late + line)]
    saved = [len(line) - len(mended.line) for mended in mended_when_late(planner, start, line, too_late)]
    assert 0 < max(saved) <= LEFT_OUT


def test_of_a_plan_that_cannot_be_mended_it_is_known_how_much_holds(patrol):
    planner, start = patrol
    line = passing(planner, start)
    mender = Mender(planner.rules, len(start[0]))
    marks = mender.marks_of(start, line)
    blocked = start[0].copy()
    cols = PATROL.strip().index("\n")
    blocked[6 * cols + 5] = blocked[0]  # steel in the lower gap
    mended = mender.mend((blocked, start[1].copy()), line, marks, new_meter(Budget(nodes=100_000)))
    assert not mended.wins
    cells, facts = blocked.copy(), start[1].copy()
    planner.follow(cells, facts, mended.line[: mended.holds])
    assert facts[ROCKFORD_AT] == 5 * cols + 5, "he stands before the closed gap"
    assert mended.line[mended.holds :] == line[-(len(mended.line) - mended.holds) :], "the rest is kept as it was"
    assert np.array_equal(mended.marks[-1], marks[-1])


# The same on a long round with a train of fireflies, which takes longer to pass than one repair can wait.
LONG_PATROL = "\n".join(row[:6] + 60 * row[6] + row[6:] for row in PATROL.strip().split("\n"))
LONG_PATROL = LONG_PATROL.replace("   q" + 65 * " ", 17 * "q   " + " ")


def test_a_plan_that_one_repair_does_not_mend_is_tried_again_after_longer_waits():
    planner, start = born(LONG_PATROL, "DiamondsRequired=1\nCaveTime=200\n")
    way = [DOWN, DOWN, *[LEFT] * 4, DOWN, DOWN, *[RIGHT] * 4, DOWN, DOWN, *[RIGHT] * 64]
    line = next(line for waits in range(160) if wins(planner, start, line := [*[RIGHT] * 4, *[STAY] * waits, *way]))
    master = Master()
    master.planner, master.mender = planner, Mender(planner.rules, len(start[0]))
    marks = master.mender.marks_of(start, line)
    meter = new_meter(Budget(nodes=1_000_000))
    broken = 0
    for late in range(4, 160, 4):
        here = (start[0].copy(), start[1].copy())
        planner.follow(*here, [STAY] * late)
        master.known = master.mender.mend(here, line, marks, meter)
        if master.known.wins:
            continue
        broken += 1
        master.plan, master.mend_at = deque(), 0
        assert any(master._mends_later(here, meter) for _ in range(6))
        assert wins(planner, here, list(master.plan)) and master.is_final
    assert broken, "this would prove nothing"


# He lets the boulder down the shaft. Low in it the firefly is crushed out of the way; high up it destroys the diamond.
SHAFT = """
WWWWWWWWWWWW
WWWWrWWWWWWW
WP........XW
WWWW dWWWWWW
WWWW WWWWWWW
WWWW WWWWWWW
WWWW WWWWWWW
WWWWqWWWWWWW
WWWWWWWWWWWW
"""


def test_a_fly_that_dies_too_early_does_not_spoil_the_waits_after_which_it_would_not():
    planner, start = born(SHAFT, "DiamondsRequired=1\nCaveTime=200\n")
    way = [*[RIGHT] * 7, *[STAY] * 10, *[LEFT] * 3, DOWN, UP, *[RIGHT] * 5]
    first = next(waits for waits in range(20) if wins(planner, start, [STAY] * waits + way))
    line = [STAY] * first + way
    lates = range(1, 25)
    assert not all(wins(planner, start, [STAY] * late + line) for late in lates), "this would prove nothing"
    assert len(list(mended_when_late(planner, start, line, lates))) == len(lates)


def test_after_a_failed_push_the_waits_before_it_are_where_he_stands():
    planner, here = row_of("W .Pr .W")
    master = Master()
    master.mender = Mender(planner.rules, len(here[0]))
    ahead = (here[0].copy(), here[1].copy())
    planner.follow(*ahead, [RIGHT])
    master.foreseen, master.plan = ahead, deque([STAY])
    assert ahead[1][ROCKFORD_AT] == here[1][ROCKFORD_AT] + 1
    mended = master._mended(here, [RIGHT, STAY], new_meter(Budget(nodes=1000)))
    assert mended.marks[0, 0] == here[1][ROCKFORD_AT] and mended.marks[1, 0] == ahead[1][ROCKFORD_AT]
