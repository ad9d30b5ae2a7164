"""How hard every mission of a board is: one breadth-first search over all robots, each with a name of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.ricochet.kernels.keys import Keys, guard_bit, unpack
from gridsage.games.ricochet.kernels.slide import (
    DIRECTIONS,
    MAX_ROBOTS,
    Stops,
    Walls,
    close_walls,
    fill_stops,
    slide_ends,
)
from gridsage.search.kernels import EMPTY, add_key, home_slot, prefetch, signed

# Fields of `control`; the caller sets the first group, and zeroes the rest.
SIDE_BITS, ROBOTS, MAX_DEPTH, SLICE = 0, 1, 2, 3
FIRST_ROBOT = 4
DEPTH, NEXT, LEVEL_END, STORED, TABLE_BITS, OPENED = 16, 17, 18, 19, 20, 21
CONTROL_SIZE = 32

DONE, SLICE_USED, FULL = 0, 1, 2
NOT_REACHED = 255
FIRST_TABLE_BITS = 16
RING = 128
RING_DELAY = 32

Control = NDArray[np.int64]  # (CONTROL_SIZE,)
Fewest = NDArray[np.uint8]  # (robots, cells)


@kernel
def rate_cells(control: Control, walls: Walls, stops: Stops, keys: Keys, table: Keys, fewest: Fewest) -> int:
    """Note in `fewest` the moves that each robot needs to stop on each cell; one of the codes above.

    Args:
        walls: (cells,) wall bits, closed at the start; stops: (cells, 4) is filled at the start.
        keys: (capacity,) the positions met so far, level by level.
        table: a power of two of slots; the first 2**TABLE_BITS are in use.
        fewest: (robots, cells) uint8, NOT_REACHED everywhere at first.
    """
    count, cell_bits = control[ROBOTS], 2 * control[SIDE_BITS]
    if control[STORED] == 0:
        close_walls(walls, control[SIDE_BITS])
        fill_stops(walls, control[SIDE_BITS], stops)
        key = 0
        for robot in range(count):
            fewest[robot, control[FIRST_ROBOT + robot]] = 0
            key |= control[FIRST_ROBOT + robot] << (robot * cell_bits)
        keys[0] = key | guard_bit(cell_bits, count)
        control[TABLE_BITS] = FIRST_TABLE_BITS
        table[: 1 << FIRST_TABLE_BITS] = EMPTY
        add_key(table, FIRST_TABLE_BITS, signed(keys[0]))
        control[STORED] = control[LEVEL_END] = 1
    while control[DEPTH] < control[MAX_DEPTH]:
        if 2 * control[STORED] > 1 << control[TABLE_BITS]:
            if 2 << control[TABLE_BITS] > table.size:
                return FULL
            control[TABLE_BITS] += 1
            refill(control, keys, table)
        code = _open_level(control, stops, keys, table, fewest)
        if code == SLICE_USED:
            return SLICE_USED
        if code == FULL:
            if control[STORED] + RING + DIRECTIONS * MAX_ROBOTS >= keys.size:
                return FULL
            continue
        control[DEPTH] += 1
        if control[STORED] == control[LEVEL_END]:
            return DONE
        control[LEVEL_END] = control[STORED]
    return DONE


@kernel
def refill(control: Control, keys: Keys, table: Keys) -> None:
    """Empty the slots in use and put all stored keys into them."""
    bits, stored = control[TABLE_BITS], control[STORED]
    table[: 1 << bits] = EMPTY
    for index in range(stored):
        prefetch(table, home_slot(signed(keys[min(index + RING_DELAY, stored - 1)]), bits))
        add_key(table, bits, signed(keys[index]))


@kernel
def _open_level(control: Control, stops: Stops, keys: Keys, table: Keys, fewest: Fewest) -> int:
    """Open the positions of one level; those of the last level are noted and not stored."""
    side_bits, count, bits = control[SIDE_BITS], control[ROBOTS], control[TABLE_BITS]
    cell_bits = 2 * side_bits
    depth = control[DEPTH] + 1
    is_last = depth == control[MAX_DEPTH]
    stored = control[STORED]
    stored_end = min(keys.size, (1 << bits) * 5 // 8) - RING - DIRECTIONS * MAX_ROBOTS
    opened_end = min(control[LEVEL_END], control[NEXT] + control[SLICE])
    robots = np.empty(MAX_ROBOTS, np.int64)
    ring = np.empty(RING, np.int64)
    waiting_from, waiting_to = 0, 0
    node = control[NEXT]
    while node < opened_end and stored < stored_end:
        key = signed(keys[node])
        node += 1
        unpack(key, cell_bits, count, robots)
        for mover in range(count):
            origin = robots[mover]
            ends = slide_ends(stops, side_bits, robots, count, mover)
            for direction in range(DIRECTIONS):
                cell = ends[direction]
                if cell == origin:
                    continue
                if fewest[mover, cell] > depth:
                    fewest[mover, cell] = depth
                if not is_last:
                    child = key ^ ((origin ^ cell) << (mover * cell_bits))
                    prefetch(table, home_slot(child, bits))
                    ring[waiting_to & (RING - 1)] = child
                    waiting_to += 1
        while waiting_to - waiting_from > RING_DELAY:
            child = ring[waiting_from & (RING - 1)]
            waiting_from += 1
            if add_key(table, bits, child):
                keys[stored] = child
                stored += 1
    while waiting_to > waiting_from:
        child = ring[waiting_from & (RING - 1)]
        waiting_from += 1
        if add_key(table, bits, child):
            keys[stored] = child
            stored += 1
    control[OPENED] += node - control[NEXT]
    control[NEXT] = node
    control[STORED] = stored
    if node == control[LEVEL_END]:
        return DONE
    return SLICE_USED if node == opened_end else FULL
