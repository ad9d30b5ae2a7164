"""Amoeba shut in: how many boulders its fence still lacks, and how much room the fence leaves it.

Amoeba that cannot grow any more turns into diamonds. It grows by chance into dirt and space, so a fence has to stand
some cells off, and what it encloses fills by itself. The fence that lacks least is a smallest cut: as many ways lead
out that have no cell in common, and they are counted one after another.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.cells import (
    AMOEBA,
    DIAMOND,
    DIRT,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    KIND_MASK,
    KINDS,
    ROCKFORD,
)
from gridsage.games.delirium.bd.kernels.chance import Number
from gridsage.games.delirium.bd.kernels.tick import AMOEBA_MAX, COLS, SIZE, Cells, Rules

Pen = NDArray[np.int64]  # (PEN_ROWS, cells + 1)

# rows of a pen
STEPS, ORDER, BEFORE, AFTER, INTO, OUT_OF, QUEUE, PEN_ROWS = range(8)
# what is known about a fence: -1 or the steps it should stand off at least, the cells it should enclose at least, and
# those that it lacks (-1: unknown)
SOUGHT, LEAST, GAPS, FENCE = range(4)
NEVER, START, ITSELF = -1, -2, -3  # in INTO and OUT_OF, instead of a cell
LARGEST = 150  # cells that a fence may enclose, and at most so many in a hundred of those that amoeba lives to see
MOST_OF_LIMIT = 75
MOST_GAPS = 40

# What a fence cannot be built of: amoeba grows there, or it will not stay. Diamonds are taken away. Rockford can be the
# last piece of it, and then he is where the diamonds will be.
IS_OPEN = np.zeros(KINDS, dtype=np.bool_)
IS_OPEN[: DIRT + 1] = True
for _kind in (DIAMOND, FALLING_BOULDER, FALLING_DIAMOND):
    IS_OPEN[_kind] = True
IS_OPEN[ROCKFORD + 1 :] = True


def new_pen(size: int) -> Pen:
    """Return room to look for a fence."""
    return np.zeros((PEN_ROWS, 2 * size + 2), dtype=np.int64)


@borrowing_kernel
def enclosed(cells: Cells, rules: Rules, pen: Pen) -> tuple[Number, bool]:
    """Fill in the steps that amoeba is away from cells, and return of how many, and True if those are all.

    The cells are in ORDER, nearest first. Others have -1.
    """
    cols, size = rules[COLS], rules[SIZE]
    steps, order = pen[STEPS], pen[ORDER]
    most = min(np.int64(LARGEST), rules[AMOEBA_MAX] * MOST_OF_LIMIT // 100)
    count = np.int64(0)
    for cell in range(size):
        steps[cell] = -1
        if cells[cell] & KIND_MASK == AMOEBA:
            steps[cell] = 0
            order[count] = cell
            count += 1
    done = 0
    while done < count:
        cell = order[done]
        done += 1
        for near in (cell - 1, cell - cols, cell + 1, cell + cols):
            if steps[near] >= 0 or not IS_OPEN[cells[near] & KIND_MASK]:
                continue
            if count >= most:
                return count, False
            steps[near] = steps[cell] + 1
            order[count] = near
            count += 1
    return count, True


@borrowing_kernel
def way_out(cells: Cells, rules: Rules, pen: Pen, count: Number, reach: int) -> Number:
    """Return the last cell of one more way out of the fence, or -1 if there is none.

    A cell has two sides, where ways come into it and where they lead out of it. INTO and OUT_OF say how a side was come
    to. A cell that an older way uses is only left towards where that one came from, which then goes on from there.
    """
    cols = rules[COLS]
    steps, order, before, into, out_of, queue = pen[STEPS], pen[ORDER], pen[BEFORE], pen[INTO], pen[OUT_OF], pen[QUEUE]
    tail, head = 0, 0
    for i in range(count):
        cell = order[i]
        into[cell], out_of[cell] = NEVER, NEVER
        if steps[cell] <= reach:
            out_of[cell] = START
            queue[tail] = cell
            tail += 1
    while head < tail:
        cell = queue[head]
        head += 1
        for turn in range(5):
            near = cell
            if turn < 4:
                step = 1 if turn & 1 == 0 else cols
                near = cell + (step if turn > 1 else -step)
                if not IS_OPEN[cells[near] & KIND_MASK]:
                    continue
                if steps[near] < 0:
                    return cell
            elif before[cell] == NEVER:  # nothing leads through this cell that could be taken back
                continue
            if steps[near] <= reach or into[near] != NEVER:
                continue
            into[near] = cell if turn < 4 else ITSELF
            there = near if before[near] == NEVER else before[near]
            if out_of[there] == NEVER:
                out_of[there] = ITSELF if there == near else near
                queue[tail] = there
                tail += 1
    return np.int64(NEVER)


@borrowing_kernel
def lead_out(pen: Pen, last: Number) -> None:
    """Add the way that was found to the others."""
    before, into, out_of = pen[BEFORE], pen[INTO], pen[OUT_OF]
    cell = last
    while out_of[cell] != START:
        through = cell if out_of[cell] == ITSELF else out_of[cell]
        if into[through] == ITSELF:
            before[through] = NEVER
            cell = through
        else:
            before[through] = into[through]
            cell = into[through]


@borrowing_kernel
def gaps_of(cells: Cells, rules: Rules, pen: Pen, reach: int) -> tuple[Number, Number]:
    """Return how many cells the best fence lacks that stands more than `reach` steps off, and how many it encloses.

    The second is that of a fence that lacks nothing, else 0.
    """
    count, is_shut = enclosed(cells, rules, pen)
    if is_shut:
        return np.int64(0), count
    for i in range(count):
        pen[BEFORE, pen[ORDER, i]] = NEVER
    gaps = np.int64(0)
    while gaps < MOST_GAPS:
        last = way_out(cells, rules, pen, count, reach)
        if last == NEVER:
            break
        lead_out(pen, last)
        gaps += 1
    return gaps, np.int64(0)


@borrowing_kernel
def is_beside(rules: Rules, pen: Pen, cell: Number) -> bool:
    """Return True if a cell is beside one that a fence encloses, by the last look at it."""
    steps, cols = pen[STEPS], rules[COLS]
    return bool(max(steps[cell - 1], steps[cell + 1], steps[cell - cols], steps[cell + cols]) >= 0)
