"""Breadth-first search where deflectors bend slides: one limit after the other, positions packed into 63 bits.

The faster kernels take slides for straight lines. Boards with deflectors come here, all others never do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.ricochet.kernels.slide import DIRECTIONS, MAX_ROBOTS, Robots, Walls
from gridsage.search.kernels import add_key

CELL_BITS = 12  # of a cell in a key; five robots and the serving one's heading make 63 bits
CELL_MASK = (1 << CELL_BITS) - 1
HEADING_SHIFT = CELL_BITS * MAX_ROBOTS
# The serving robot's heading in a key: not moved, a direction + 1, or turned.
UNMOVED, TURNED = 0, 5
FAR = 255  # a bound of cells from which the target cannot be reached

# Fields of `control`.
COUNT, COLS, TARGET, SERVING, MUST_RICOCHET, LIMIT, HEAD, STORED, OPENED, OPENED_LIMIT, WAS_CUT, TABLE_BITS = range(12)
FINAL_MOVE = 12
CONTROL_SIZE = 13

# How `search` ended; after SOLVED the last move is in FINAL_MOVE and its position is the one at HEAD.
SOLVED, EXHAUSTED, SLICE_USED, FULL = range(4)

Bends = NDArray[np.uint8]  # (robots, cells): what turns that robot there, 0 nothing, 1 a rising, 3 a falling deflector
Bound = NDArray[np.uint8]  # (cells,): moves the serving robot needs at least, or FAR


@kernel
def slide(
    walls: Walls, bends: Bends, cols: int, robots: Robots, count: int, mover: int, direction: int
) -> tuple[int, bool]:
    """The cell where the robot stops (its own if it goes round and round), and True if a deflector has turned it."""
    start = robots[mover]
    cell, heading, turned = start, direction, False
    while not walls[cell] >> heading & 1:
        step = -cols if heading == 0 else (1 if heading == 1 else (cols if heading == 2 else -1))
        ahead = cell + step
        for other in range(count):
            if other != mover and robots[other] == ahead:
                return cell, turned
        cell = ahead
        if bends[mover, cell]:
            heading ^= bends[mover, cell]
            turned = True
        if cell == start and heading == direction:
            return start, turned
    return cell, turned


@kernel
def packed(robots: Robots, count: int, heading: int) -> int:
    """The position as a key; never 0."""
    key = (heading + 1) << HEADING_SHIFT
    for robot in range(count):
        key |= robots[robot] << (CELL_BITS * robot)
    return int(key)


@kernel
def unpack(key: int, count: int, robots: Robots) -> int:
    """Write the robots of a key and return the serving one's heading."""
    for robot in range(count):
        robots[robot] = (key >> (CELL_BITS * robot)) & CELL_MASK
    return (key >> HEADING_SHIFT) - 1


@kernel
def heading_after(heading: int, direction: int, turned: bool) -> int:
    """The heading of a robot that slides in a direction."""
    if turned or not (heading == UNMOVED or heading == direction + 1):
        return TURNED
    return direction + 1


@kernel
def search(
    control: NDArray[np.int64],
    walls: Walls,
    bends: Bends,
    bound: Bound,
    keys: NDArray[np.int64],  # (arena,)
    links: NDArray[np.int32],  # (2, arena): parent, move
    depths: NDArray[np.uint8],  # (arena,)
    table: NDArray[np.int64],  # (power of two,)
) -> int:
    """Go on opening positions in the order they were found, none that takes more than LIMIT moves."""
    count, serving, limit = control[COUNT], control[SERVING], control[LIMIT]
    robots = np.zeros(MAX_ROBOTS, np.int64)
    while control[HEAD] < control[STORED]:
        if control[OPENED] >= control[OPENED_LIMIT]:
            return SLICE_USED
        if control[STORED] + DIRECTIONS * count > keys.shape[0]:
            return FULL
        head = control[HEAD]
        depth = int(depths[head]) + 1
        heading = unpack(keys[head], count, robots)
        if depth > limit:
            control[WAS_CUT] = 1
            control[HEAD] += 1
            continue
        control[OPENED] += 1
        for move in range(count * DIRECTIONS):
            mover, direction = move // DIRECTIONS, move % DIRECTIONS
            was = robots[mover]
            stop, turned = slide(walls, bends, control[COLS], robots, count, mover, direction)
            if stop == was:
                continue
            new = heading
            if mover == serving:
                if control[MUST_RICOCHET]:
                    new = heading_after(heading, direction, turned)
                if stop == control[TARGET] and (not control[MUST_RICOCHET] or new == TURNED):
                    control[FINAL_MOVE] = move
                    return SOLVED
            robots[mover] = stop
            if depth + int(bound[robots[serving]]) > limit:
                control[WAS_CUT] = 1
            else:
                key = packed(robots, count, new)
                if add_key(table, control[TABLE_BITS], key):
                    place = control[STORED]
                    keys[place] = key
                    links[0, place] = head
                    links[1, place] = move
                    depths[place] = depth
                    control[STORED] += 1
            robots[mover] = was
        control[HEAD] += 1
    return EXHAUSTED
