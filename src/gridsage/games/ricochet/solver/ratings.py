"""How many moves every robot needs to every cell of a board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.games.ricochet.kernels import rating
from gridsage.games.ricochet.solver.position import (
    MAX_ROBOTS,
    SMALL_SIDE_BITS,
    KeyType,
    check_board,
    grid_cells,
    lay_out,
    side_bits_of,
)

# Four robots reach near two million positions in 12 moves; more room is made when needed.
RATING_ARENA = 1 << 21
RATING_SLICE = 1 << 15


def rate(
    walls: NDArray[np.uint8],
    robots: tuple[int, ...],
    max_depth: int = 12,
    *,
    cancel: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """For every (robot, cell) the fewest moves until that robot stops there; 255 if above `max_depth` (plain rule).

    Args:
        cancel: set element 0 from another thread to stop within some milliseconds; what is unknown by then stays 255.
    """
    check_board(walls, robots)
    side_bits = side_bits_of(walls)
    side, count = 1 << side_bits, len(robots)
    key_type: KeyType = np.uint32 if side_bits == SMALL_SIDE_BITS and count <= 4 else np.int64
    grid = np.empty(side * side, np.uint8)
    lay_out(walls, grid.reshape(1 << side_bits, 1 << side_bits))
    control = np.zeros(rating.CONTROL_SIZE, np.int64)
    control[rating.SIDE_BITS] = side_bits
    control[rating.ROBOTS] = count
    control[rating.MAX_DEPTH] = max_depth
    control[rating.SLICE] = RATING_SLICE
    control[rating.FIRST_ROBOT : rating.FIRST_ROBOT + count] = grid_cells(robots, walls, side_bits)
    stops = np.empty((side * side, 4), np.uint16)
    keys, table = np.empty(RATING_ARENA, key_type), np.empty(2 * RATING_ARENA, key_type)
    fewest = np.full((count, side * side), rating.NOT_REACHED, np.uint8)
    code = rating.SLICE_USED
    while code != rating.DONE and not (cancel is not None and cancel[0]):
        code = rating.rate_cells(control, grid, stops, keys, table, fewest)
        if code == rating.FULL:
            keys = np.concatenate([keys, np.empty_like(keys)])
            table = np.empty(2 * table.size, key_type)
            rating.refill(control, keys, table)
    return fewest.reshape(count, side, side)[:, : walls.shape[0], : walls.shape[1]].reshape(count, walls.size).copy()


def compile_rating(robots: tuple[int, ...]) -> None:
    """Run the rating kernels once, on one type of key: compact up to four robots, wide for five."""
    rate(np.zeros((3, 3), np.uint8), robots, 1)
    wide = len(robots) == MAX_ROBOTS
    key_type: KeyType = np.int64 if wide else np.uint32
    keys = np.zeros(1, key_type)
    control = np.zeros(rating.CONTROL_SIZE, np.int64)
    rating.refill(control, keys, keys.copy())
