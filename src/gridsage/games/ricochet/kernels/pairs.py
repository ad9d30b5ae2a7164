"""A better bound for hard positions: a table over (cell of the serving robot, cells of two helpers).

The strong bound of `bounds.py` lets the helper of the last helped stop move as if it could stop anywhere. In truth
walls make all of its stops; or there is a last one that the serving robot makes, or a third robot, which has to come
there first. Before that stop all three could stop anywhere. So the bound of a pair of helpers is the least of

- the natural moves of the serving robot alone,
- the moves of it and one helper that needs no help, or that the serving robot helps on its way,
- the moves of it, one helper, and the other helper as the third robot.

The bound of a position is the least over the pairs of its helpers. The way of the third robot is followed for one move;
longer ones count as two. It is consistent: one move lowers it by one at most.

The two helpers of a pair are interchangeable: only entries whose cells are in rising order are to be read.

A search visits few cells with the serving robot, so the part of the table for such a cell is filled when it is asked
for. Threads that share the table have it filled whole before they start.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import inlined, kernel
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
)
from gridsage.games.ricochet.kernels.slide import DIRECTIONS, NORTH, WEST, Stops, Walls, step_of
from gridsage.search.kernels import signed

ONE, FURTHEST = np.uint8(1), np.uint8(UNREACHABLE - 1)
CELLS = 256
WORD = 8  # entries
# The low parts of a word's entries, of its pairs of entries, and of its halves.
BYTES, TWO_BYTES, FOUR_BYTES = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFFFFFF)
# Behind the table lie, each of (cells, cells), the bounds of one helper alone and of one that the serving robot helps,
# in four more the moves to helped stops, and room for the least bounds of each line of the board.
ALONE, AIDED, STOPPED, ACROSS, DOWN, EXTRA = 0, 1, 2, 6, 7, 8
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
    stopped = pairs[cells + STOPPED : cells + ACROSS].reshape((DIRECTIONS * cells, cells))
    _fill_moves_to_helped_stops(walls, side_bits, stopped)
    _fill_with_a_helper_alone(walls, stops, side_bits, natural, pairs[cells + ALONE])
    _fill_with_a_helper_aided(walls, side_bits, stopped, pairs[cells + ALONE], pairs[cells + AIDED])


@kernel
def fill_pairs(walls: Walls, stops: Stops, side_bits: int, tables: Tables, pairs: Pairs, serving: int) -> None:
    """Fill the part of the table for one cell of the serving robot, and its floor."""
    cells = walls.size
    bound, alone = pairs[serving], pairs[cells + ALONE]
    across, down = pairs[cells + ACROSS], pairs[cells + DOWN]
    _fill_aided_by_third(walls, side_bits, pairs, serving)
    for third in range(cells):
        _note_row(across, stops[third, WEST], down, stops[third, NORTH], bound, third)
    cap = np.empty((1, cells), np.uint8)
    cap[0] = tables[BOUND, serving]
    raise_row(cap, 2)
    lower_row(cap, 0, alone, serving)
    lower_row(cap, 0, pairs[cells + AIDED], serving)
    cap[0] = np.minimum(cap[0], tables[FLOOR, NATURAL, serving])
    least = np.uint8(UNREACHABLE)
    for third in range(cells):
        least = min(least, _lower_to_near(bound, third, across, stops[third, WEST], down, stops[third, NORTH], cap))
    tables[FLOOR, 0, serving] = least
    _even_out(bound)
    tables[FLOOR, IS_FILLED, serving] = 1


@kernel
def _note_row(across: Bound, row: int, down: Bound, column: int, bound: Bound, third: int) -> None:
    """Lower `across[row]` and `down[column]` to `bound[third]`; a line's cells come in their order, its first first."""
    if row == third:
        across[row] = UNREACHABLE
    if column == third:
        down[column] = UNREACHABLE
    for helper in range(bound.shape[1]):
        value = bound[third, helper]
        across[row, helper] = min(across[row, helper], value)
        down[column, helper] = min(down[column, helper], value)


@kernel
def fill_all_pairs(walls: Walls, stops: Stops, side_bits: int, tables: Tables, pairs: Pairs) -> None:
    """Fill the whole table, so that several threads may read it."""
    for serving in range(walls.size):
        if not tables[FLOOR, IS_FILLED, serving]:
            fill_pairs(walls, stops, side_bits, tables, pairs, serving)


@kernel
def _fill_aided_by_third(walls: Walls, side_bits: int, pairs: Pairs, serving: int) -> None:
    """Fill `bound[third, helper]` for third robots that stand where they help and a serving robot on one cell."""
    count = walls.size
    bound, unaided = pairs[serving], pairs[count + ALONE, serving]
    stopped = pairs[count + STOPPED : count + STOPPED + DIRECTIONS].reshape((DIRECTIONS * count, count))
    for third in range(count):
        bound[third] = UNREACHABLE
        for direction in range(DIRECTIONS):
            stop = third - step_of(direction, side_bits)
            back = (direction + 2) % DIRECTIONS
            if not (walls[third] >> back) & 1 and unaided[stop] != UNREACHABLE:
                lower_row_to(bound, third, stopped, DIRECTIONS * stop + direction, signed(unaided[stop]))


@kernel
def _lower_to_near(bound: Bound, third: int, across: Bound, row: int, down: Bound, column: int, cap: Bound) -> np.uint8:
    """Lower `bound[third]` to one move more than the rows of its two lines, and to `cap[0]`; return its least."""
    least = np.uint8(UNREACHABLE)
    for helper in range(bound.shape[1]):
        near = min(across[row, helper], down[column, helper])
        moved = np.uint8(min(near, FURTHEST) + ONE)
        value = min(bound[third, helper], moved, cap[0, helper])
        bound[third, helper] = value
        least = min(least, value)
    return least


@kernel
def _even_out(bound: Bound) -> None:
    """Give each pair of cells in rising order the lesser bound of both orders."""
    turned = np.empty((CELLS, CELLS), np.uint8)
    _turn_lower_half(bound, turned)
    entries, others = bound.reshape(-1), turned.reshape(-1)
    for low in range(CELLS):  # with these constants the compiler does sixteen entries at a time
        for high in range(low // WORD * WORD, CELLS):
            entries[low * CELLS + high] = min(entries[low * CELLS + high], others[low * CELLS + high])


@kernel
def _turn_lower_half(bound: Bound, turned: Bound) -> None:
    """Transpose the blocks of eight by eight entries on and below the diagonal, each as eight words."""
    words, turned_words = bound.reshape(-1).view(np.uint64), turned.reshape(-1).view(np.uint64)
    width = bound.shape[1] // WORD
    for down in range(width):
        for right in range(down + 1):
            place = WORD * width * down + right
            a, b, c, d = words[place], words[place + width], words[place + 2 * width], words[place + 3 * width]
            place += 4 * width
            e, f, g, h = words[place], words[place + width], words[place + 2 * width], words[place + 3 * width]
            a, b = _exchanged(a, b, BYTES, 8)
            c, d = _exchanged(c, d, BYTES, 8)
            e, f = _exchanged(e, f, BYTES, 8)
            g, h = _exchanged(g, h, BYTES, 8)
            a, c = _exchanged(a, c, TWO_BYTES, 16)
            b, d = _exchanged(b, d, TWO_BYTES, 16)
            e, g = _exchanged(e, g, TWO_BYTES, 16)
            f, h = _exchanged(f, h, TWO_BYTES, 16)
            a, e = _exchanged(a, e, FOUR_BYTES, 32)
            b, f = _exchanged(b, f, FOUR_BYTES, 32)
            c, g = _exchanged(c, g, FOUR_BYTES, 32)
            d, h = _exchanged(d, h, FOUR_BYTES, 32)
            place = WORD * width * right + down
            turned_words[place], turned_words[place + width] = a, b
            turned_words[place + 2 * width], turned_words[place + 3 * width] = c, d
            place += 4 * width
            turned_words[place], turned_words[place + width] = e, f
            turned_words[place + 2 * width], turned_words[place + 3 * width] = g, h


@inlined
def _exchanged(upper: np.uint64, lower: np.uint64, mask: np.uint64, bits: int) -> tuple[np.uint64, np.uint64]:
    """Exchange the high parts of one word with the low parts of another; the mask is over low parts of so many bits."""
    difference = ((upper >> np.uint64(bits)) ^ lower) & mask
    return upper ^ (difference << np.uint64(bits)), lower ^ difference


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
