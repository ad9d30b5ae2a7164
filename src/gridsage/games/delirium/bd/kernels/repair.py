"""A plan that chance has delayed, made whole again: the same actions in the same places, with other waits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.kernels.chance import Number, Stream
from gridsage.games.delirium.bd.kernels.pushes import FAILURES, endures
from gridsage.games.delirium.bd.kernels.tick import Cells, Facts, Journal, Rules, copy_position, tick
from gridsage.games.delirium.bd.state import DIAMONDS, KILLS, MADE, PLAYING, PUSHES, ROCKFORD_AT, WON

Rows = NDArray[np.uint8]  # (2 layers of delays, and a spare one; cells)
RowFacts = NDArray[np.int64]  # (the same, facts)
Steps = NDArray[np.uint8]  # (actions of the plan + 1, delays): how the position was come to
Marks = NDArray[np.int64]  # (actions of the plan + 1, MARKS): where all goes as planned

# columns of marks: Rockford's cell, diamonds, flies killed and diamonds made
AT, TAKEN, DEEDS, MARKS = range(4)

NONE, ACTED, WAITED, SKIPPED = range(4)
# what `repair` writes into `out`
REACHED, DELAY, TICKS_USED, OUT = range(4)


@borrowing_kernel
def mark(
    cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, line: NDArray[np.int64], marks: Marks
) -> None:
    """Play a line in place and write down where it leads after each action."""
    for i in range(len(line) + 1):
        marks[i, AT], marks[i, TAKEN], marks[i, DEEDS] = facts[ROCKFORD_AT], facts[DIAMONDS], deeds(facts)
        if i < len(line):
            tick(cells, facts, rules, stream, journal, line[i])


@borrowing_kernel
def repair(
    rows: Rows,
    row_facts: RowFacts,
    steps: Steps,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    line: NDArray[np.int64],
    marks: Marks,
    first_delay: int,
    most_ticks: int,
    out: NDArray[np.int64],
) -> bool:
    """Look for waits to insert into a line, or to leave out of it, with which it wins; return True if there are any.

    After each action one position is kept for each delay: that of waits as early as possible, unless flies were to be
    killed before and only a later wait killed them. `out` says how many actions can be done and with which delay;
    `steps` leads back from there.

    Args:
        rows: the first holds the position to begin at.
        first_delay: the delay it counts as, so that so many waits may be left out.
    """
    delays = (len(rows) - 1) // 2
    spare = len(rows) - 1
    steps[:] = NONE
    out[:] = 0
    copy_position(rows[first_delay], row_facts[first_delay], rows[0], row_facts[0])
    for done in range(len(line) + 1):
        this, before = (done & 1) * delays, (1 - (done & 1)) * delays
        is_reached = False
        for delay in range(delays):
            how, to = NONE, this + delay
            if done == 0 and delay == first_delay:
                how = ACTED
            elif done > 0 and steps[done - 1, delay] != NONE:
                copy_position(rows[to], row_facts[to], rows[before + delay], row_facts[before + delay])
                pushes = row_facts[to, PUSHES]
                status = tick(rows[to], row_facts[to], rules, stream, journal, line[done - 1])
                out[TICKS_USED] += 1
                if status == WON:
                    steps[done, delay] = ACTED
                    out[REACHED], out[DELAY] = done, delay
                    return True
                if status == PLAYING and is_as_marked(row_facts[to], marks[done]):
                    how = ACTED
                    if row_facts[to, PUSHES] > pushes:
                        copy_position(rows[spare], row_facts[spare], rows[before + delay], row_facts[before + delay])
                        out[TICKS_USED] += FAILURES
                        if endures(rows[spare], row_facts[spare], rules, stream, journal) < FAILURES:
                            how = NONE
            if done > 0 and how == NONE and line[done - 1] == 0 and delay + 1 < delays:
                late = before + delay + 1
                if steps[done - 1, delay + 1] != NONE and is_as_marked(row_facts[late], marks[done]):
                    copy_position(rows[to], row_facts[to], rows[late], row_facts[late])
                    how = SKIPPED
            if delay > 0 and steps[done, delay - 1] != NONE:
                copy_position(rows[spare], row_facts[spare], rows[to - 1], row_facts[to - 1])
                status = tick(rows[spare], row_facts[spare], rules, stream, journal, 0)
                out[TICKS_USED] += 1
                if status == PLAYING and (how == NONE or catches_up(row_facts[spare], row_facts[to], marks[done])):
                    copy_position(rows[to], row_facts[to], rows[spare], row_facts[spare])
                    how = WAITED
            steps[done, delay] = how
            if how != NONE and not is_reached:
                is_reached = True
                out[REACHED], out[DELAY] = done, delay
        if not is_reached or out[TICKS_USED] > most_ticks:
            return False
    return False


@borrowing_kernel
def is_as_marked(facts: Facts, wanted: NDArray[np.int64]) -> bool:
    """Return True if Rockford is where he should be and has what he should have."""
    return bool(facts[ROCKFORD_AT] == wanted[AT] and facts[DIAMONDS] >= wanted[TAKEN])


@borrowing_kernel
def deeds(facts: Facts) -> Number:
    """Return how many flies were killed and diamonds made."""
    return facts[KILLS] + facts[MADE]


@borrowing_kernel
def catches_up(facts: Facts, other: Facts, wanted: NDArray[np.int64]) -> bool:
    """Return True if less was done in another position than should be, and more here.

    What was done beyond the plan is no merit: a fly that dies too early may be the one that had to open a way.
    """
    return bool(deeds(other) < wanted[DEEDS] and deeds(facts) > deeds(other))
