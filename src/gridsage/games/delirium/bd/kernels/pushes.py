"""Pushes that may fail: what a plan may rely on where chance decides how long a push takes."""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.cells import (
    BOULDER,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    KIND_MASK,
    SPACE,
)
from gridsage.games.delirium.bd.kernels.chance import Stream
from gridsage.games.delirium.bd.kernels.outlook import has_prey
from gridsage.games.delirium.bd.kernels.tick import (
    SIZE,
    Cells,
    Facts,
    Journal,
    Rules,
    clocks_run,
    copy_position,
    frame_milliseconds,
    tick,
)
from gridsage.games.delirium.bd.state import PLAYING, PUSHES, ROCKFORD_AT

FAILURES = 6  # of a push, one after another, that he must live through: one in five pushes has more
TICKS_FAILED = 4  # by a push that one waits for, a little more than the average
LATE = 3  # ticks that a push comes later when it is tried if that makes a difference
SETTLED = 24  # ticks after which everything that falls should have come to rest


@borrowing_kernel
def is_push(cells: Cells, facts: Facts, action: int) -> bool:
    """Return True if an action pushes a boulder that can be pushed."""
    turn = 1 if (action - 1) & 3 == 0 else -1
    here = facts[ROCKFORD_AT]
    if action == 0 or action & 1 == 0 or cells[here + turn] & KIND_MASK != BOULDER:
        return False
    return bool(cells[here + 2 * turn] & KIND_MASK == SPACE)


@borrowing_kernel
def endures(cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal) -> int:
    """Return the ticks that Rockford lives where a push fails again and again, FAILURES at most; in place."""
    for ticks in range(FAILURES):
        if tick(cells, facts, rules, stream, journal, 0) != PLAYING:
            return ticks
    return FAILURES


@borrowing_kernel
def charge(facts: Facts, rules: Rules) -> None:
    """Let the clocks run on for the ticks that a push fails for before it succeeds."""
    clocks_run(facts, rules, TICKS_FAILED * frame_milliseconds(facts, rules))


@borrowing_kernel
def is_thing(kind: int) -> bool:
    """Return True for a boulder or a diamond."""
    return bool(kind >= BOULDER and kind <= FALLING_DIAMOND)


@borrowing_kernel
def steadiness(
    cells: Cells,
    facts: Facts,
    soon: Cells,
    soon_facts: Facts,
    late: Cells,
    late_facts: Facts,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    action: int,
) -> int:
    """Return the ticks used to find out if a push leads to the same things when it comes later, less than 0 if not.

    Two games are played in `soon` and `late`, until nothing falls any more or Rockford is dead, who would have gone on.
    Where no butterfly has to be hit they end as soon as both look the same.
    """
    copy_position(soon, soon_facts, cells, facts)
    copy_position(late, late_facts, cells, facts)
    ticks, differs, hunts = LATE, False, has_prey(cells, facts, rules)
    for _ in range(LATE):
        tick(late, late_facts, rules, stream, journal, 0)
    tick(soon, soon_facts, rules, stream, journal, action)
    if tick(late, late_facts, rules, stream, journal, action) != PLAYING or late_facts[PUSHES] != soon_facts[PUSHES]:
        return -ticks
    for _ in range(SETTLED):
        ticks += 2
        soon_status = tick(soon, soon_facts, rules, stream, journal, 0)
        if tick(late, late_facts, rules, stream, journal, 0) != PLAYING or soon_status != PLAYING:
            return ticks
        differs, falls = False, False
        for cell in range(rules[SIZE]):
            kind, other = soon[cell] & KIND_MASK, late[cell] & KIND_MASK
            differs |= is_thing(kind) != is_thing(other)
            falls |= kind == FALLING_BOULDER or kind == FALLING_DIAMOND
            falls |= other == FALLING_BOULDER or other == FALLING_DIAMOND
        if not falls or not (differs or hunts):
            break
    return -ticks if differs else ticks


@borrowing_kernel
def risks(
    rows: NDArray[np.uint8],
    row_facts: NDArray[np.int64],
    rules: Rules,
    stream: Stream,
    journal: Journal,
    line: NDArray[np.int64],
) -> int:
    """Return how many pushes of a line have to come at once; it is played in the first row, and tried in two more."""
    count = 0
    for i in range(len(line)):
        if is_push(rows[0], row_facts[0], line[i]):
            ticks = steadiness(
                rows[0],
                row_facts[0],
                rows[1],
                row_facts[1],
                rows[2],
                row_facts[2],
                rules,
                stream,
                journal,
                line[i],
            )
            count += ticks < 0
        tick(rows[0], row_facts[0], rules, stream, journal, line[i])
    return count
