"""How magic walls are prepared: boulders that would come down to them, and room below for what they make."""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.cells import (
    BOULDER,
    BRICK,
    DIAMOND,
    DIRT,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    KIND_MASK,
    MAGIC_WALL,
    ROCKFORD,
    SPACE,
)
from gridsage.games.delirium.bd.kernels.boards import FAR, SPARE
from gridsage.games.delirium.bd.kernels.chance import Number, Stream
from gridsage.games.delirium.bd.kernels.tick import (
    COLS,
    SIZE,
    Cells,
    Facts,
    Journal,
    Rules,
    frame_milliseconds,
    put,
    tick,
)
from gridsage.games.delirium.bd.state import ASLEEP, MAGIC, MAGIC_LEFT, ROCKFORD_AT

PLUG = 2  # cells of dirt above a magic wall that are better left there until all is ready
TICKS_TO_DIG = 2  # one cell of dirt, while the walls work
TICKS_TO_PUSH = 12  # a boulder to where it comes down, at least
MOST_TICKS = 120  # that a harvest is looked at
MOST_TO_DIG = SPARE  # cells of dirt, beyond the plug, below a boulder that still counts


@borrowing_kernel
def may_give_way(kind: Number) -> bool:
    """Return True for what does not bar a boulder's way for good."""
    return bool(kind <= DIRT or kind == ROCKFORD or (BOULDER <= kind <= FALLING_DIAMOND))


@borrowing_kernel
def leads_to_a_wall(cells: Cells, rules: Rules, wall: int) -> bool:
    """Return True if what comes out of a magic wall falls on another one, which changes it back or swallows it."""
    cell = wall + rules[COLS]
    while cell < rules[SIZE] and cells[cell] & KIND_MASK == SPACE:
        cell += rules[COLS]
    return bool(cell < rules[SIZE] and cells[cell] & KIND_MASK == MAGIC_WALL)


@borrowing_kernel
def ways_down(cells: Cells, rules: Rules, walls: NDArray[np.int64], digs: NDArray[np.int64]) -> None:
    """Fill in how many cells of dirt lie on the best way of a boulder from each cell down to a magic wall, or FAR.

    It falls straight down, and rolls off bricks and off things at rest. Rows below are known when a row is looked at.
    """
    cols, size = rules[COLS], rules[SIZE]
    digs[:size] = FAR
    for wall in walls[1 : walls[0] + 1]:
        if wall < cols or wall + cols >= size or leads_to_a_wall(cells, rules, wall):
            continue
        above, out = cells[wall - cols] & KIND_MASK, np.int64(cells[wall + cols]) & KIND_MASK
        if above != BOULDER and above != DIAMOND and may_give_way(out):  # what rests on a wall does not fall into it
            digs[wall] = 0
    for cell in range(walls[walls[0]] - 1 if walls[0] > 0 else 0, cols, -1):
        kind = np.int64(cells[cell]) & KIND_MASK
        if not may_give_way(kind):
            continue
        below = cell + cols
        under = np.int64(cells[below]) & KIND_MASK
        best = digs[below]
        if under == BRICK or under == BOULDER or under == DIAMOND:
            for side in (-1, 1):
                beside = np.int64(cells[cell + side]) & KIND_MASK
                if digs[below + side] < best and may_give_way(beside):
                    best = min(best, digs[below + side] + (beside == DIRT))
        if best < FAR:
            digs[cell] = best + (kind == DIRT)


@borrowing_kernel
def room_for(cells: Cells, rules: Rules, walls: NDArray[np.int64], seen: NDArray[np.int64], most: Number) -> Number:
    """Return for how many things there is room below magic walls, where they come out and roll on; `most` at most."""
    cols, size = rules[COLS], rules[SIZE]
    seen[:size] = 0
    room = np.int64(0)
    for number in range(walls[0], 0, -1):
        first = walls[number] + cols
        if first < size and cells[first] & KIND_MASK == SPACE and not leads_to_a_wall(cells, rules, walls[number]):
            seen[first] = 1
    for cell in range(walls[1] + cols if walls[0] > 0 else size, size - cols):
        if seen[cell] == 0:
            continue
        room += 1
        if room >= most:
            return room
        below = cell + cols
        if cells[below] & KIND_MASK == SPACE:
            seen[below] = 1
        for side in (-1, 1):
            if cells[cell + side] & KIND_MASK == SPACE and cells[below + side] & KIND_MASK == SPACE:
                seen[below + side] = 1
    return room


@borrowing_kernel
def ticks_of_magic(facts: Facts, rules: Rules) -> Number:
    """Return for how many ticks magic walls work on, FAR if they are still asleep."""
    if facts[MAGIC] == ASLEEP:
        return FAR
    return facts[MAGIC_LEFT] // max(np.int64(1), frame_milliseconds(facts, rules))


@borrowing_kernel
def boulders_ready(
    cells: Cells, facts: Facts, rules: Rules, walls: NDArray[np.int64], digs: NDArray[np.int64], wanted: Number
) -> Number:
    """Return how well the wanted number of boulders can come down to magic walls: MOST_TO_DIG each if at once.

    It is -1 if so many cannot come down in time.
    """
    ways_down(cells, rules, walls, digs)
    ticks = ticks_of_magic(facts, rules)
    size = rules[SIZE]  # beyond it is counted how many need so many digs
    for number in range(MOST_TO_DIG):
        digs[size + number] = 0
    in_time, others = np.int64(0), np.int64(0)
    lowest = walls[walls[0]] if walls[0] > 0 else 0
    for cell in range(rules[COLS], lowest):
        kind = np.int64(cells[cell]) & KIND_MASK
        if kind != BOULDER and kind != FALLING_BOULDER:
            continue
        fall = (lowest - cell) // rules[COLS]
        if fall > ticks:
            continue
        if digs[cell] == FAR:
            others += fall + TICKS_TO_PUSH <= ticks
            continue
        in_time += fall + digs[cell] <= ticks
        if digs[cell] < PLUG + MOST_TO_DIG and fall + TICKS_TO_DIG * digs[cell] <= ticks:
            digs[size + max(np.int64(0), digs[cell] - PLUG)] += 1
    if in_time + min(others, ticks // TICKS_TO_PUSH) < wanted:
        return np.int64(-1)
    total = np.int64(0)
    for number in range(MOST_TO_DIG):
        taken = min(wanted, digs[size + number])
        total += taken * (MOST_TO_DIG - number)
        wanted -= taken
    return total


@borrowing_kernel
def diamonds_in(cells: Cells, rules: Rules) -> Number:
    """Return how many diamonds there are in a picture."""
    count = np.int64(0)
    for cell in range(rules[SIZE]):
        kind = cells[cell] & KIND_MASK
        count += kind == DIAMOND or kind == FALLING_DIAMOND
    return count


@borrowing_kernel
def harvest(
    cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, walls: NDArray[np.int64]
) -> tuple[Number, Number]:
    """Return how many diamonds more there are if magic walls are opened now and nobody is in the way; and the ticks.

    It is played in place: Rockford leaves the picture, and so does the dirt just above the walls. Diamonds that fall on
    a second wall are lost.
    """
    cols = rules[COLS]
    before = diamonds_in(cells, rules)
    journal[0] = 0
    put(cells, facts, rules, journal, facts[ROCKFORD_AT], SPACE, 0)
    facts[ROCKFORD_AT] = -1
    if facts[MAGIC] == ASLEEP:
        for wall in walls[1 : walls[0] + 1]:
            for height in range(1, PLUG + 1):
                cell = wall - height * cols
                if cell > cols and cells[cell] & KIND_MASK == DIRT:
                    put(cells, facts, rules, journal, cell, SPACE, 0)
    ticks = np.int64(0)
    while ticks < MOST_TICKS:
        ticks += 1
        tick(cells, facts, rules, stream, journal, 0)
        falls = False
        for number in range(1, journal[0] + 1):
            kind = journal[number] & 255
            falls |= kind == FALLING_BOULDER or kind == FALLING_DIAMOND
        if not falls:
            break
    return diamonds_in(cells, rules) - before, ticks
