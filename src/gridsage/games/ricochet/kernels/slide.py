"""How robots slide: on a square grid of side 16, 32 or 64, so that row and column of a cell are bit fields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.search.kernels import signed

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
DIRECTIONS = 4
# Wall bits: bit `direction` of a cell tells of a wall on that side.
N, E, S, W = 1, 2, 4, 8
MAX_ROBOTS = 5

Walls = NDArray[np.uint8]  # (cells,)
Stops = NDArray[np.uint16]  # (cells, 4)
Robots = NDArray[np.int64]  # (MAX_ROBOTS,), or more where a robot's cells are the first fields


@kernel
def step_of(direction: int, side_bits: int) -> int:
    """What one step in `direction` adds to a cell."""
    if direction == NORTH:
        return -(1 << side_bits)
    if direction == EAST:
        return 1
    if direction == SOUTH:
        return 1 << side_bits
    return -1


@kernel
def close_walls(walls: Walls, side_bits: int) -> None:
    """Give each wall to both cells that it parts, and close the rim of the grid."""
    side, cells = 1 << side_bits, 1 << (2 * side_bits)
    for line in range(side):
        walls[line] |= N
        walls[cells - 1 - line] |= S
        walls[line * side] |= W
        walls[line * side + side - 1] |= E
    for cell in range(cells - 1):  # from the end of a row to the next one both cells have their walls already
        shared = (walls[cell] >> EAST | walls[cell + 1] >> WEST) & 1
        walls[cell] |= shared << EAST
        walls[cell + 1] |= shared << WEST
    for cell in range(cells - side):
        shared = (walls[cell] >> SOUTH | walls[cell + side] >> NORTH) & 1
        walls[cell] |= shared << SOUTH
        walls[cell + side] |= shared << NORTH


@kernel
def fill_stops(walls: Walls, side_bits: int, stops: Stops) -> None:
    """Where a robot comes to rest on an empty board.

    Args:
        walls: (cells,) wall bits of each cell, closed.
        stops: (cells, 4) filled here.
    """
    cells = 1 << (2 * side_bits)
    # A robot stops where its neighbour in that direction would, so each line is filled from its far end.
    for near in range(cells):
        far = cells - 1 - near
        stops[near, NORTH] = near if walls[near] & N else stops[near - (1 << side_bits), NORTH]
        stops[near, WEST] = near if walls[near] & W else stops[near - 1, WEST]
        stops[far, EAST] = far if walls[far] & E else stops[far + 1, EAST]
        stops[far, SOUTH] = far if walls[far] & S else stops[far + (1 << side_bits), SOUTH]


@kernel
def slide_ends(stops: Stops, side_bits: int, robots: Robots, count: int, mover: int) -> tuple[int, int, int, int]:
    """The cells in which robot `mover` stops when it goes north, east, south and west (its own cell: it cannot)."""
    cell = robots[mover]
    north, east = signed(stops[cell, NORTH]), signed(stops[cell, EAST])
    south, west = signed(stops[cell, SOUTH]), signed(stops[cell, WEST])
    side = 1 << side_bits
    for index in range(count):
        other = robots[index]
        difference = other ^ cell
        if difference >> side_bits == 0:
            if other > cell:
                east = min(east, other - 1)
            elif other < cell:
                west = max(west, other + 1)
        elif difference & (side - 1) == 0:
            if other > cell:
                south = min(south, other - side)
            else:
                north = max(north, other + side)
    return north, east, south, west
