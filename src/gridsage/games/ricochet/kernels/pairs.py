"""A better bound for hard positions: a table over (cell of the serving robot, cells of two helpers).

The strong bound of `bounds.py` lets the helper of the last helped stop move as if it could stop anywhere. In truth
walls make all of its stops; or there is a last one that the serving robot makes, or a third robot, which has to come
there first. Before that stop all three could stop anywhere. So the bound of a pair of helpers is the least of

- the natural moves of the serving robot alone,
- the moves of it and one helper that needs no help, or that the serving robot helps on its way,
- the moves of it, one helper, and the other helper as the third robot.

The bound of a position is the least over the pairs of its helpers. The ways of the third robot are followed for MOST
moves; longer ones count as one move more than that. It is consistent: one move lowers it by one at most.

A search visits few cells with the serving robot, so the part of the table for such a cell is filled when it is asked
for. Threads that share the table have it filled whole before they start.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.ricochet.kernels.bounds import (
    BOUND,
    FLOOR,
    UNREACHABLE,
    Bound,
    CellMoves,
    Tables,
    close_under_stopping_anywhere,
    lower_row,
    lower_row_to,
    natural_moves,
    raise_row,
    stop_anywhere_once,
)
from gridsage.games.ricochet.kernels.slide import DIRECTIONS, Stops, Walls, step_of
from gridsage.search.kernels import signed

MOST = 1  # moves of the third robot
BLOCK = 16  # cells
# Behind the table lie, each of (cells, cells), the bounds of one helper alone and of one that the serving robot helps,
# and in the last four the moves to helped stops.
ALONE, AIDED, STOPPED, EXTRA = 0, 1, 2, 6
# Rows of `tables[FLOOR]`, by cell of the serving robot; the first is the floor itself.
NATURAL, IS_FILLED = 1, 2

Pairs = NDArray[np.uint8]  # (cells + EXTRA, cells, cells): serving robot, one helper, another; or empty


@kernel
def prepare_pairs(walls: Walls, stops: Stops, side_bits: int, target: int, tables: Tables, pairs: Pairs) -> None:
    """Fill what all parts of the table need; no part of it is filled yet."""
    cells = walls.size
    natural = natural_moves(stops, cells, target)
    tables[FLOOR, NATURAL] = natural
    tables[FLOOR, IS_FILLED] = 0
    stopped = pairs[cells + STOPPED :].reshape((DIRECTIONS * cells, cells))
    _fill_moves_to_helped_stops(walls, side_bits, stopped)
    _fill_with_a_helper_alone(walls, stops, side_bits, natural, pairs[cells + ALONE])
    _fill_with_a_helper_aided(walls, side_bits, stopped, pairs[cells + ALONE], pairs[cells + AIDED])


@kernel
def fill_pairs(walls: Walls, side_bits: int, tables: Tables, pairs: Pairs, serving: int) -> None:
    """Fill the part of the table for one cell of the serving robot, and its floor."""
    cells = walls.size
    bound, alone = pairs[serving], pairs[cells + ALONE]
    stopped = pairs[cells + STOPPED :].reshape((DIRECTIONS * cells, cells))
    _fill_aided_by_third(walls, side_bits, stopped, alone[serving], bound)
    for _ in range(MOST):
        stop_anywhere_once(walls, side_bits, bound)
    cap = np.empty((1, cells), np.uint8)
    cap[0] = tables[BOUND, serving]
    raise_row(cap, MOST + 1)
    lower_row(cap, 0, alone, serving)
    lower_row(cap, 0, pairs[cells + AIDED], serving)
    for third in range(cells):
        lower_row(bound, third, cap, 0)
    tables[FLOOR, 0, serving] = _even_out(bound, tables[FLOOR, NATURAL, serving])
    tables[FLOOR, IS_FILLED, serving] = 1


@kernel
def fill_all_pairs(walls: Walls, side_bits: int, tables: Tables, pairs: Pairs) -> None:
    """Fill the whole table, so that several threads may read it."""
    for serving in range(walls.size):
        if not tables[FLOOR, IS_FILLED, serving]:
            fill_pairs(walls, side_bits, tables, pairs, serving)


@kernel
def _fill_aided_by_third(walls: Walls, side_bits: int, stopped: Bound, unaided: CellMoves, bound: Bound) -> None:
    """Fill `bound[third, helper]` for third robots that stand where they help and a serving robot on one cell."""
    count = unaided.size
    bound[:, :] = UNREACHABLE
    for stop in range(count):
        if unaided[stop] == UNREACHABLE:
            continue
        for direction in range(DIRECTIONS):
            if not (walls[stop] >> direction) & 1:
                blocker, way = stop + step_of(direction, side_bits), DIRECTIONS * stop + direction
                lower_row_to(bound, blocker, stopped, way, signed(unaided[stop]))


@kernel
def _even_out(bound: Bound, most: int) -> int:
    """Give each pair the lesser bound of its two orders, and `most` at most; return the least of all."""
    least, cells = np.uint8(most), bound.shape[0]
    for rows in range(0, cells, BLOCK):  # by blocks that stay in the innermost cache
        for columns in range(0, rows + 1, BLOCK):
            for one in range(rows, rows + BLOCK):
                for other in range(columns, columns + BLOCK):
                    value = min(bound[one, other], bound[other, one], np.uint8(most))
                    bound[one, other] = value
                    bound[other, one] = value
                    least = min(least, value)
    found: int = signed(least)
    return found


@kernel
def _fill_moves_to_helped_stops(walls: Walls, side_bits: int, moves: Bound) -> None:
    """For each cell and direction (as rows) and each cell of a robot: the moves until it stops there by another's help.

    The last of the moves goes in that direction and passes no wall before or behind the stop.
    """
    count = walls.size
    anywhere = np.full((count, count), UNREACHABLE, np.uint8)
    for cell in range(count):
        anywhere[cell, cell] = 0
    close_under_stopping_anywhere(walls, side_bits, anywhere)
    moves[:, :] = UNREACHABLE
    row = np.empty((1, count), np.uint8)
    for stop in range(count):
        for direction in range(DIRECTIONS):
            if (walls[stop] >> direction) & 1:
                continue
            back = (direction + 2) % DIRECTIONS
            row[:, :] = UNREACHABLE
            behind = stop
            while not (walls[behind] >> back) & 1:
                behind -= step_of(direction, side_bits)
                lower_row(row, 0, anywhere, behind)
            raise_row(row, 1)
            moves[DIRECTIONS * stop + direction] = row[0]


@kernel
def _fill_with_a_helper_aided(walls: Walls, side_bits: int, stopped: Bound, unaided: Bound, bound: Bound) -> None:
    """The bound of serving robot and helper if the serving robot makes the helper's last stop that no wall makes."""
    count = walls.size
    bound[:, :] = UNREACHABLE
    for stop in range(count):
        for direction in range(DIRECTIONS):
            serving = stop + step_of(direction, side_bits)
            if not (walls[stop] >> direction) & 1 and unaided[serving, stop] != UNREACHABLE:
                lower_row_to(bound, serving, stopped, DIRECTIONS * stop + direction, signed(unaided[serving, stop]))
    close_under_stopping_anywhere(walls, side_bits, bound)


@kernel
def _fill_with_a_helper_alone(walls: Walls, stops: Stops, side_bits: int, natural: CellMoves, bound: Bound) -> None:
    """The bound of serving robot and helper if walls make every stop of the helper."""
    count = walls.size
    last_stop = np.full((count, count), UNREACHABLE, np.uint8)  # serving robot, cell on which the helper must stand
    for stop in range(count):
        for direction in range(DIRECTIONS):
            if (walls[stop] >> direction) & 1 or natural[stop] >= UNREACHABLE - 1:
                continue
            step, back = step_of(direction, side_bits), (direction + 2) % DIRECTIONS
            moves = np.uint8(natural[stop] + 1)
            behind = stop
            while not (walls[behind] >> back) & 1:
                behind -= step
                last_stop[behind, stop + step] = min(last_stop[behind, stop + step], moves)
    close_under_stopping_anywhere(walls, side_bits, last_stop)
    towards = _natural_moves_to_each(stops)
    bound[:, :] = UNREACHABLE
    for serving in range(count):
        for blocker in range(count):
            if last_stop[serving, blocker] != UNREACHABLE:
                lower_row_to(bound, serving, towards, blocker, signed(last_stop[serving, blocker]))


@kernel
def _natural_moves_to_each(stops: Stops) -> Bound:
    """For each pair of cells the fewest moves from the second to the first of a robot alone on the board."""
    count = stops.shape[0]
    moves = np.full((count, count), UNREACHABLE, np.uint8)
    for cell in range(count):
        moves[cell, cell] = 0
    following = np.empty((1, count), np.uint8)
    changed = True
    while changed:
        changed = False
        for cell in range(count):
            following[:, :] = UNREACHABLE
            for direction in range(DIRECTIONS):
                lower_row_to(following, 0, moves, stops[cell, direction], 1)
            changed |= lower_row(moves, cell, following, 0)
    return np.ascontiguousarray(moves.T)
