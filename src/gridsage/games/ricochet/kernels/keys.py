"""A position as one integer: serving robot, sorted helpers, ricochet mark, and which robot serves.

Helpers are interchangeable for the mission, so their cells are sorted: up to 24 positions share one key. From the
lowest bits: the cell of the serving robot, the cells of the helpers in rising order, three bits of ricochet mark, three
bits with the number of the serving robot (only where any robot may serve), and one bit that keeps the key of a lone
robot from zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.ricochet.kernels.slide import Robots

MARK_BITS = 3
MARK_MASK = (1 << MARK_BITS) - 1
SERVING_BITS = 3
SERVING_MASK = (1 << SERVING_BITS) - 1
# The serving robot has turned, or need not; marks 1 to 4: it has moved only in direction mark - 1; 5: it has not moved.
FREE, UNMOVED = 0, 5

Keys = NDArray[np.uint32 | np.int64]  # (capacity,) where 32 bits hold a position, or not


@kernel
def guard_bit(cell_bits: int, count: int) -> int:
    """What a key needs so as not to be zero, which means an empty slot: two robots cannot both be in cell 0."""
    return 1 << (cell_bits * count + MARK_BITS + SERVING_BITS) if count == 1 else 0


@kernel
def unpack(key: int, cell_bits: int, count: int, robots: Robots) -> None:
    """Write the cells of the serving robot and of the sorted helpers into `robots`."""
    mask = (1 << cell_bits) - 1
    for index in range(count):
        robots[index] = key & mask
        key >>= cell_bits


@kernel
def with_helper(key: int, cell_bits: int, count: int, robots: Robots, mover: int, cell: int) -> int:
    """The key after helper `mover` of the unpacked `robots` has gone to `cell`."""
    packed: int = robots[0]
    shift = cell_bits
    placed = False
    for index in range(1, count):
        if index == mover:
            continue
        other = robots[index]
        if not placed and cell < other:
            packed |= cell << shift
            shift += cell_bits
            placed = True
        packed |= other << shift
        shift += cell_bits
    if not placed:
        packed |= cell << shift
    state_bits = cell_bits * count
    return packed | (key >> state_bits) << state_bits


@kernel
def mark_after(mark: int, direction: int) -> int:
    """The ricochet mark after the serving robot has moved in `direction`."""
    if mark == UNMOVED:
        return direction + 1
    return mark if mark == direction + 1 else FREE


@kernel
def with_serving(key: int, cell_bits: int, count: int, direction: int, cell: int) -> int:
    """The key after the serving robot has gone in `direction` to `cell`."""
    state_bits = cell_bits * count
    mark = (key >> state_bits) & MARK_MASK
    moved = key ^ ((key ^ cell) & ((1 << cell_bits) - 1))
    return moved ^ (mark ^ mark_after(mark, direction)) << state_bits


@kernel
def pack(labelled: Robots, cell_bits: int, count: int, serving: int) -> int:
    """The key, without mark, of robots in the order of the board when robot `serving` serves."""
    packed: int = labelled[serving]
    shift = cell_bits
    below = -1
    for _ in range(count - 1):
        lowest = 1 << cell_bits
        for index in range(count):
            cell = labelled[index]
            if index != serving and below < cell < lowest:
                lowest = cell
        packed |= lowest << shift
        shift += cell_bits
        below = lowest
    return packed
