"""Compiled distances of a relaxed classic game without guards, and the estimate of what is still to do.

The relaxed runner walks, climbs, falls, digs a hole beside him and drops through it, goes straight down through
stacked bricks, and steps sideways through a brick that can be opened from above.
"""

# ruff: noqa: SIM109 (plain comparisons compile to faster code)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.classic.kernels.ticks import Row
from gridsage.games.loderunner.classic.layout import (
    BAR,
    BRICK,
    CELLS,
    COLS,
    DIG_LEFT,
    DIG_RIGHT,
    DOWN,
    EMPTY,
    FALL,
    FALSE_BRICK,
    GOLD,
    GOLD_LEFT,
    IS_COMPLETE,
    LADDER,
    LEFT,
    RIGHT,
    RUNNER_CELL,
    SOLID,
    UP,
    WIDE,
)

FAR = 30_000
STEP, DIG, THROUGH = 5, 24, 60  # ticks of a step, a dig beside with its drop, a brick opened on the way
DOWN_THROUGH, SIDE_THROUGH = 20, 21  # ways that are no single key
MOST_WAYS = 9
MOST_GOLD = 62  # pieces whose order is weighed: one bit each
CARRIED_COST = 120  # ticks that a piece of gold on a guard is taken to cost
STRANDED_COST = 1500
NO_EXIT_COST = 3000

Base = NDArray[np.int8]  # (2, CELLS): what cells are made of, hidden ladders closed and open, without gold
Distance = NDArray[np.int16]  # (2, CELLS, CELLS): from, to
Ways = NDArray[np.int16]  # (2, CELLS, MOST_WAYS, 3): key or kind of way, cell it leads to, ticks; key -1 ends the list


@kernel
def _can_enter(code: int) -> bool:
    return code != BRICK and code != SOLID and code != FALSE_BRICK


@kernel
def _add(found: NDArray[np.int16], number: int, key: int, to: int, ticks: int) -> int:
    found[number, 0] = key
    found[number, 1] = to
    found[number, 2] = ticks
    return number + 1


@kernel
def _ways_from(base: NDArray[np.int8], cell: int, found: NDArray[np.int16]) -> None:
    """List the relaxed ways out of a cell."""
    found[:, 0] = -1
    code, below = base[cell], base[cell + WIDE]
    if code == SOLID:
        return
    number = 0
    holds = code == LADDER or code == BAR or below == BRICK or below == SOLID or below == LADDER
    if not holds:
        _add(found, 0, FALL, cell + WIDE, STEP)
        return
    for side in (-1, 1):
        beside = base[cell + side]
        if _can_enter(beside):
            number = _add(found, number, LEFT if side < 0 else RIGHT, cell + side, STEP)
            if base[cell + side + WIDE] == BRICK and beside == EMPTY:
                number = _add(found, number, DIG_LEFT if side < 0 else DIG_RIGHT, cell + side + WIDE, DIG)
        elif beside == BRICK and base[cell + side - WIDE] != BRICK and base[cell + side - WIDE] != SOLID:
            number = _add(found, number, SIDE_THROUGH, cell + side, THROUGH)
    if code == LADDER and _can_enter(base[cell - WIDE]):
        number = _add(found, number, UP, cell - WIDE, STEP)
    if below != BRICK and below != SOLID:
        number = _add(found, number, DOWN, cell + WIDE, STEP)
    if code == BRICK and below == BRICK:
        number = _add(found, number, DOWN_THROUGH, cell + WIDE, THROUGH)


@kernel
def all_ways(base: Base) -> Ways:
    """Return the relaxed ways out of every cell."""
    ways = np.full((2, CELLS, MOST_WAYS, 3), -1, np.int16)
    for opened in range(2):
        for cell in range(WIDE, CELLS - WIDE):
            _ways_from(base[opened], cell, ways[opened, cell])
    return ways


@kernel
def all_distances(ways: Ways) -> Distance:
    """Return the ticks of the shortest relaxed way between all cells, by buckets from every start."""
    buckets = 64  # more than the dearest way costs
    distance = np.full((2, CELLS, CELLS), FAR, np.int16)
    queue = np.empty((buckets, 2 * CELLS), np.int16)
    length = np.zeros(buckets, np.int64)
    for opened in range(2):
        for start in range(WIDE, CELLS - WIDE):
            if ways[opened, start, 0, 0] < 0:
                continue
            reached = distance[opened, start]
            reached[start] = 0
            queue[0, 0] = start
            length[0] = 1
            ticks, idle = 0, 0
            while idle < buckets:
                place = ticks % buckets
                idle += 1
                number = 0
                while number < length[place]:
                    cell = queue[place, number]
                    number += 1
                    if reached[cell] != ticks:
                        continue
                    idle = 0
                    for way in range(MOST_WAYS):
                        if ways[opened, cell, way, 0] < 0:
                            break
                        to = ways[opened, cell, way, 1]
                        then = ticks + ways[opened, cell, way, 2]
                        if then < reached[to]:
                            reached[to] = then
                            slot = then % buckets
                            if length[slot] < queue.shape[1]:
                                queue[slot, length[slot]] = to
                                length[slot] += 1
                length[place] = 0
                ticks += 1
    return distance


Guided = tuple[Ways, Distance, Base]  # what a search is guided by
Scratch = tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.int16]]  # what `estimate` writes to


def new_scratch() -> Scratch:
    """Return room for what `estimate` writes to."""
    return np.empty(MOST_GOLD, np.int16), np.empty(MOST_GOLD, np.int64), np.empty(1, np.int16)


@kernel
def gold_cells(row: Row, found: NDArray[np.int16]) -> int:
    """List the cells with gold on the board and return their number."""
    number = 0
    for cell in range(WIDE, CELLS - WIDE):
        if row[cell] == GOLD and number < found.shape[0]:
            found[number] = cell
            number += 1
    return number


@kernel
def exit_cell(distance: Distance, cell: int) -> int:
    """Return the nearest cell of the top row, or -1."""
    best, nearest = -1, FAR
    for col in range(COLS):
        if distance[1, cell, WIDE + 1 + col] < nearest:
            best, nearest = WIDE + 1 + col, int(distance[1, cell, WIDE + 1 + col])
    return best


@kernel
def _ones(bits: int) -> int:
    number = 0
    while bits:
        bits &= bits - 1
        number += 1
    return number


@kernel
def estimate(
    row: Row,
    distance: Distance,
    gold: NDArray[np.int16],  # (MOST_GOLD,), takes the cells of gold
    reach: NDArray[np.int64],  # (MOST_GOLD,), takes for every piece the others within reach of it, as bits
    first: NDArray[np.int16],  # (1,), takes the first goal of the tour, or -1
) -> int:
    """Return the ticks still needed by a greedy tour that strands as little gold as it can."""
    cell = int(row[RUNNER_CELL])
    first[0] = -1
    if row[IS_COMPLETE]:
        goal = exit_cell(distance, cell)
        first[0] = goal
        return NO_EXIT_COST if goal < 0 else int(distance[1, cell, goal])
    number = gold_cells(row, gold)
    total = max(0, int(row[GOLD_LEFT]) - number) * CARRIED_COST
    near = 0
    for piece in range(number):
        bits = 0
        for other in range(number):
            if distance[0, gold[piece], gold[other]] < FAR:
                bits |= 1 << other
        reach[piece] = bits
        if distance[0, cell, gold[piece]] < FAR:
            near |= 1 << piece
    lost = number - _ones(near)
    while near:
        best, cost = -1, FAR * FAR
        for piece in range(number):
            if near >> piece & 1:
                stranded = _ones(near & ~reach[piece] & ~(1 << piece))
                ticks = int(distance[0, cell, gold[piece]]) + stranded * FAR
                if ticks < cost:
                    best, cost = piece, ticks
        lost += cost // FAR
        total += cost % FAR
        cell = int(gold[best])
        if first[0] < 0:
            first[0] = cell
        near &= reach[best] & ~(1 << best)
    goal = exit_cell(distance, cell)
    if goal < 0:
        return total + (lost + 1) * STRANDED_COST
    return total + lost * STRANDED_COST + int(distance[1, cell, goal])
