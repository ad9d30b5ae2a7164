"""Compiled shortening of a plan: leave a piece out, walk to where it ended, and play the rest again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.classic.kernels.archive import (
    KEY,
    MOST_SCRIPT,
    SCRIPT,
    SCRIPT_AT,
    SCRIPTED,
    TARGET,
    Meters,
    Mind,
    Plan,
    key_to_target,
    play_macro,
    play_pair,
    roll,
)
from gridsage.games.loderunner.classic.kernels.ticks import Row
from gridsage.games.loderunner.classic.kernels.ways import FAR, Guided
from gridsage.games.loderunner.classic.layout import (
    ALIVE,
    GOLD_LEFT,
    IS_COMPLETE,
    RUNNER_CELL,
    SIZE,
    STATUS,
    TICK,
    WON,
)
from gridsage.search.kernels import borrowed

Rows = NDArray[np.int16]  # (macros at most + 1, SIZE): the position before each macro, and the last one

# What stands in `counts`: macros of the plan, ticks played, trials made, pieces left out.
LENGTH, PLAYED, TRIALS, SAVED = range(4)
COUNTS = 4

MOST_WALK = 60  # macros
SHORT_GAP, LONG_GAP = 12, 80  # macros left out at most, in most trials and in the others


@kernel
def lay_out(start: Row, plan: Plan, length: int, rows: Rows) -> int:
    """Play a plan and keep the position before each macro; return the macros played until the game ended."""
    fed = np.zeros((2, 0), np.int16)
    row = start.copy()
    for number in range(length):
        rows[number] = row
        play_pair(row, plan[number, 0], plan[number, 1], fed)
        if row[STATUS] != ALIVE:
            rows[number + 1] = row
            return number + 1
    rows[length] = row
    return length


@kernel
def _walk(row: Row, level: Guided, goal: int, trial: Plan, mind: Mind, meters: Meters) -> int:
    """Walk to a cell; return the macros used, or -1 if that failed."""
    fed = np.zeros((2, 0), np.int16)
    mind[:SCRIPT] = 0
    mind[TARGET] = goal
    for number in range(MOST_WALK):
        if row[RUNNER_CELL] == goal:
            return number
        if mind[SCRIPT_AT] < mind[SCRIPTED]:
            key = int(mind[SCRIPT + mind[SCRIPT_AT]])
            mind[SCRIPT_AT] += 1
        elif level[1][row[IS_COMPLETE], row[RUNNER_CELL], goal] >= FAR:
            return -1
        else:
            key = key_to_target(row, level, mind, meters)
        mind[KEY] = key
        trial[number, 0] = key
        trial[number, 1] = play_macro(row, key, fed)
        if row[STATUS] != ALIVE:
            return -1
    return -1


@kernel
def shorten(
    level: Guided,
    plan: Plan,
    rows: Rows,
    counts: NDArray[np.int64],  # (COUNTS,)
    meters: Meters,  # of which only the dice are used
    trials: int,
) -> None:
    """Try so many times to leave out a piece; a plan of the same length replaces the old one as well."""
    plan, rows = borrowed(plan), borrowed(rows)
    fed = np.zeros((2, 0), np.int16)
    mind = np.zeros(SCRIPT + MOST_SCRIPT, np.int64)
    walk = np.zeros((MOST_WALK, 2), np.int16)
    row = np.empty(SIZE, np.int16)
    tail = np.empty((plan.shape[0], SIZE), np.int16)
    for _ in range(trials):
        length = counts[LENGTH]
        if length < 2:
            return
        counts[TRIALS] += 1
        first = roll(meters, length - 1)
        last = min(length, first + 1 + roll(meters, SHORT_GAP if roll(meters, 3) else LONG_GAP))
        row[:] = rows[first]
        goal = int(rows[last, RUNNER_CELL])
        steps = 0
        if last < length:
            steps = _walk(row, level, goal, walk, mind, meters)
            counts[PLAYED] += row[TICK] - rows[first, TICK]
            if steps < 0 or row[TICK] > rows[last, TICK] or row[GOLD_LEFT] > rows[last, GOLD_LEFT]:
                continue
            if row[TICK] == rows[last, TICK] and roll(meters, 4):
                continue
        gain = last - first - steps
        if gain < 0 and length - gain > plan.shape[0]:
            continue
        begun = row[TICK]
        number = last
        while number < length and row[STATUS] == ALIVE:
            tail[number] = row
            if row[GOLD_LEFT] > rows[number, GOLD_LEFT] + 1:
                break
            play_pair(row, plan[number, 0], plan[number, 1], fed)
            number += 1
        counts[PLAYED] += row[TICK] - begun
        if row[STATUS] != WON or row[TICK] > rows[length, TICK]:
            continue
        _accept(plan, rows, tail, walk, counts, first, last, steps, number, row)


@kernel
def _accept(
    plan: Plan,
    rows: Rows,
    tail: Rows,
    walk: Plan,
    counts: NDArray[np.int64],
    first: int,
    last: int,
    steps: int,
    end: int,
    row: Row,
) -> None:
    """Put the walk and the rest behind the first part of the plan."""
    saved = rows[counts[LENGTH], TICK] - row[TICK]
    counts[SAVED] += saved
    shift = first + steps - last
    rest = plan[last:end].copy()
    for number in range(end - last):
        plan[last + shift + number] = rest[number]
        rows[last + shift + number] = tail[last + number]
    fed = np.zeros((2, 0), np.int16)
    state = rows[first].copy()
    for number in range(steps):
        plan[first + number] = walk[number]
        rows[first + number] = state
        play_pair(state, walk[number, 0], walk[number, 1], fed)
    rows[end + shift] = row
    counts[LENGTH] = end + shift
