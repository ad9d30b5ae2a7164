"""All solutions of a known shortest length, by depth-first search with a memory of dead ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.ricochet.kernels.best_first import (
    FIRST_ROBOT,
    LENGTH,
    MUST_RICOCHET,
    OPENED,
    OPENED_LIMIT,
    ROBOTS,
    SIDE_BITS,
    SLICE_USED,
    SOLVED,
    TARGET,
    TARGET_ROBOT,
    Control,
)
from gridsage.games.ricochet.kernels.bounds import Bound
from gridsage.games.ricochet.kernels.keys import FREE, UNMOVED, mark_after, pack
from gridsage.games.ricochet.kernels.slide import DIRECTIONS, MAX_ROBOTS, Robots, Stops, slide_ends
from gridsage.search.kernels import home_slot, signed

# A frame is one position on the way: robots, then these fields.
MARK, NEXT_ACTION, IS_DEAD_END, FRAME_SIZE = MAX_ROBOTS, MAX_ROBOTS + 1, MAX_ROBOTS + 2, MAX_ROBOTS + 3
# Fields of `progress`.
DEPTH, FOUND, PROGRESS_SIZE = 0, 1, 2
NOT_STARTED = -1
MOVES_LEFT_BITS = 10
LARGEST_KEY = 1 << (62 - MOVES_LEFT_BITS)  # larger ones (five robots on 64 x 64 cells) are not remembered

Progress = NDArray[np.int64]  # (PROGRESS_SIZE,)
Frames = NDArray[np.int64]  # (LENGTH + 1, FRAME_SIZE)
DeadEnds = NDArray[np.int64]  # a power of two
Moves = NDArray[np.uint8]  # (rows, LENGTH)


@kernel
def list_solutions(
    control: Control,
    progress: Progress,
    stops: Stops,
    bound: Bound,
    frames: Frames,
    dead_ends: DeadEnds,
    solutions: Moves,
) -> int:
    """Write solutions of LENGTH moves by robot TARGET_ROBOT until all are listed (SOLVED), or the slice is used.

    Stops as SOLVED too when `solutions` is full: FOUND is then its number of rows.

    Args:
        progress: (PROGRESS_SIZE,) int64; DEPTH is NOT_STARTED at first, FOUND counts the rows written.
        frames: (LENGTH + 1, FRAME_SIZE) int64; the way from the start to the position looked at.
        dead_ends: a power of two of int64 slots, zeros at first; a slot keeps the newest of its positions.
        solutions: (rows, LENGTH) uint8.
    """
    count, side_bits, length = control[ROBOTS], control[SIDE_BITS], control[LENGTH]
    serving, cell_bits = control[TARGET_ROBOT], 2 * control[SIDE_BITS]
    memory_bits = signed(np.log2(dead_ends.size))
    if progress[DEPTH] == NOT_STARTED:
        frames[0, :count] = control[FIRST_ROBOT : FIRST_ROBOT + count]
        frames[0, MARK] = UNMOVED if control[MUST_RICOCHET] else FREE
        frames[0, NEXT_ACTION] = 0
        frames[0, IS_DEAD_END] = 1
        progress[DEPTH] = 0
    depth = progress[DEPTH]
    while depth >= 0 and progress[FOUND] < solutions.shape[0]:
        if control[OPENED] >= control[OPENED_LIMIT]:
            progress[DEPTH] = depth
            return SLICE_USED
        frame = frames[depth]
        moves_left = length - depth
        action = frame[NEXT_ACTION]
        if action == count * DIRECTIONS or moves_left == 0:
            if frame[IS_DEAD_END]:
                key = _marked_key(frame, cell_bits, count, serving)
                if key < LARGEST_KEY:
                    dead_ends[home_slot(key, memory_bits)] = key << MOVES_LEFT_BITS | moves_left
            elif depth > 0:
                frames[depth - 1, IS_DEAD_END] = 0
            depth -= 1
            continue
        frame[NEXT_ACTION] += 1
        mover, direction = action // DIRECTIONS, action % DIRECTIONS
        cell = slide_ends(stops, side_bits, frame, count, mover)[direction]
        if cell == frame[mover]:
            continue
        control[OPENED] += 1
        child = frames[depth + 1]
        child[: MARK + 1] = frame[: MARK + 1]
        child[mover] = cell
        if mover == serving:
            child[MARK] = mark_after(frame[MARK], direction)
        solutions[progress[FOUND], depth] = action
        if moves_left == 1:
            if child[serving] == control[TARGET] and child[MARK] == FREE:
                progress[FOUND] += 1
                frame[IS_DEAD_END] = 0
                if progress[FOUND] < solutions.shape[0]:
                    solutions[progress[FOUND]] = solutions[progress[FOUND] - 1]
            continue
        if _least_labelled_bound(bound, child, count, serving) >= moves_left:
            continue
        key = _marked_key(child, cell_bits, count, serving)
        dead_end = dead_ends[home_slot(key, memory_bits)]
        if dead_end >> MOVES_LEFT_BITS == key and dead_end & ((1 << MOVES_LEFT_BITS) - 1) >= moves_left - 1:
            continue
        child[NEXT_ACTION] = 0
        child[IS_DEAD_END] = 1
        depth += 1
    progress[DEPTH] = depth
    return SOLVED


@kernel
def _marked_key(frame: Robots, cell_bits: int, count: int, serving: int) -> int:
    mark: int = frame[MARK]
    return pack(frame, cell_bits, count, serving) | mark << (cell_bits * count)


@kernel
def _least_labelled_bound(bound: Bound, robots: Robots, count: int, serving: int) -> int:
    least = bound[robots[serving], robots[serving]]
    for index in range(count):
        if index != serving:
            least = min(least, bound[robots[serving], robots[index]])
    labelled: int = signed(least)
    return labelled
