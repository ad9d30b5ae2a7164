"""Lower bounds on the moves still needed, as a table over (cell of the serving robot, cell of one helper).

The bound of a position is the least entry over its helpers, so that looking it up costs a few byte loads.

Weak table: the serving robot could stop anywhere on its way; the helper's cell does not matter.

Strong table: call a stop natural if a wall makes it. Either all stops of the serving robot from here on are natural, or
there is a last stop that is not: some helper stands beyond that cell, and natural stops alone lead from it to the
target. Before it the serving robot, and all the time the helper, could stop anywhere.

One move lowers either bound by one at most (they are consistent), so a best-first search opens no position twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.ricochet.kernels.slide import DIRECTIONS, EAST, NORTH, SOUTH, WEST, Stops, Walls, step_of
from gridsage.search.kernels import signed

UNREACHABLE = 255
# Longer bounds are cut to this: a cut bound is still a bound, and one byte an entry keeps the table in the inner cache.
LONGEST_BOUND = 254
# `tables[BOUND]` is the bound in use; `tables[FLOOR, 0]` has for each cell of the serving robot the least bound that
# any helper could give.
BOUND, FLOOR = 0, 1

Tables = NDArray[np.uint8]  # (2, cells, cells)
Bound = NDArray[np.uint8]  # (cells, cells)
CellMoves = NDArray[np.uint8]  # (cells,)


@kernel
def fill_weak_bound(stops: Stops, side_bits: int, target: int, tables: Tables) -> None:
    """Fill FLOOR with the weak bound, which is the same for all cells of a helper."""
    cells, side = 1 << (2 * side_bits), 1 << side_bits
    moves = tables[FLOOR, 0]
    moves[:cells] = UNREACHABLE
    queue = np.empty(cells, np.int64)
    is_known = np.zeros((2, cells), np.bool_)  # lines across and down, by their first cell
    moves[target] = 0
    queue[0] = target
    taken, known = 0, 1
    while taken < known:
        cell = queue[taken]
        taken += 1
        following = min(signed(moves[cell]) + 1, LONGEST_BOUND)
        for way in range(2):
            first, last = signed(stops[cell, NORTH if way else WEST]), signed(stops[cell, SOUTH if way else EAST])
            if is_known[way, first]:
                continue
            is_known[way, first] = True
            for reached in range(first, last + 1, side if way else 1):
                if moves[reached] == UNREACHABLE:
                    moves[reached] = following
                    queue[known] = reached
                    known += 1


@kernel
def spread_weak_bound(tables: Tables) -> None:
    """Fill BOUND with the weak bound, from FLOOR."""
    for cell in range(tables.shape[1]):
        tables[BOUND, cell, :] = tables[FLOOR, 0, cell]


@kernel
def fill_strong_bound(walls: Walls, stops: Stops, side_bits: int, target: int, tables: Tables) -> None:
    """Fill BOUND with the strong bound and FLOOR, which holds the weak one, with its floor."""
    cells = 1 << (2 * side_bits)
    bound, distances = tables[0], tables[1]
    weak = tables[FLOOR, 0].copy()
    distances[:, :] = UNREACHABLE
    for cell in range(cells):
        distances[cell, cell] = 0
    close_under_stopping_anywhere(walls, side_bits, distances)
    natural = natural_moves(stops, cells, target)
    _fill_last_helped_stop(walls, side_bits, natural, tables)
    close_under_stopping_anywhere(walls, side_bits, bound)
    # To the target and back is the longest way between two cells; the bound adds two ways, a natural one and a move.
    may_be_cut = 4 * _longest(weak) + _longest(natural) + 1 > LONGEST_BOUND
    caps = np.empty((1, cells), np.uint8)
    for cell in range(cells):
        cap = natural[cell]
        if may_be_cut and weak[cell] != UNREACHABLE:
            cap = min(cap, np.uint8(LONGEST_BOUND))
        caps[:, :] = cap
        lower_row(bound, cell, caps, 0)
        bound[cell, cell] = cap
        tables[FLOOR, 0, cell] = _least_of_row(bound, cell)


@kernel
def _least_of_row(table: Bound, row: int) -> int:
    least: int = table[row, 0]
    for index in range(table.shape[1]):
        least = min(least, table[row, index])
    return least


@kernel
def _longest(moves: CellMoves) -> int:
    """The longest entry that is not UNREACHABLE."""
    longest = 0
    for entry in moves:
        if entry != UNREACHABLE:
            longest = max(longest, signed(entry))
    return longest


@kernel
def natural_moves(stops: Stops, cells: int, target: int) -> CellMoves:
    """For each cell the fewest moves to `target` of a robot alone on the board."""
    moves = np.full(cells, UNREACHABLE, np.uint8)
    moves[target] = 0
    changed = True
    while changed:
        changed = False
        for cell in range(cells):
            for direction in range(DIRECTIONS):
                following = signed(moves[stops[cell, direction]]) + 1
                if following < signed(moves[cell]) and following <= LONGEST_BOUND:
                    moves[cell] = following
                    changed = True
    return moves


@kernel
def _fill_last_helped_stop(walls: Walls, side_bits: int, natural: CellMoves, tables: Tables) -> None:
    """Fill `tables[0]` with the bound for positions whose next move is the one that ends at the last helped stop."""
    cells = 1 << (2 * side_bits)
    bound, distances = tables[0], tables[1]
    bound[:, :] = UNREACHABLE
    best = np.empty((1, cells), np.uint8)
    helped = np.empty((1, cells), np.uint8)
    for direction in range(DIRECTIONS):
        step = step_of(direction, side_bits)
        back = (direction + 2) % DIRECTIONS
        for end in range(cells):
            if not (walls[end] >> direction) & 1 or (walls[end] >> back) & 1:
                continue
            # Walk away from the wall: `best` is over the helped stops passed so far, all ahead of the robot.
            best[:, :] = UNREACHABLE
            cell = end
            while not (walls[cell] >> back) & 1:
                blocker = cell
                cell -= step
                lower_row(bound, cell, best, 0)
                if natural[cell] < LONGEST_BOUND:
                    helped[0] = distances[blocker]
                    raise_row(helped, signed(natural[cell]) + 1)
                    lower_row(best, 0, helped, 0)


@kernel
def close_under_stopping_anywhere(walls: Walls, side_bits: int, table: Bound) -> None:
    """Lower `table[cell]` to one more than any `table[reached]` that a robot on `cell` passes, to the end."""
    while stop_anywhere_once(walls, side_bits, table):
        pass


@kernel
def stop_anywhere_once(walls: Walls, side_bits: int, table: Bound) -> bool:
    """Lower it once along each row and then along each column of the board; return True if anything changed."""
    cells = 1 << (2 * side_bits)
    best = np.empty((1, cells), np.uint8)
    changed = False
    for direction in (EAST, SOUTH):
        step = step_of(direction, side_bits)
        back = (direction + 2) % DIRECTIONS
        for start in range(cells):
            if not (walls[start] >> back) & 1 or (walls[start] >> direction) & 1:
                continue
            best[0] = table[start]
            cell = start
            while not (walls[cell] >> direction) & 1:
                cell += step
                lower_row(best, 0, table, cell)
            raise_row(best, 1)
            while cell != start:
                changed |= lower_row(table, cell, best, 0)
                cell -= step
            changed |= lower_row(table, start, best, 0)
    return changed


# The next two are written so that the compiler does sixteen entries at a time.
@kernel
def lower_row(table: Bound, row: int, other: Bound, other_row: int) -> bool:
    """Lower each entry of `table[row]` to that of `other[other_row]`; return True if any changed."""
    changed = False
    for index in range(table.shape[1]):
        new = min(table[row, index], other[other_row, index])
        changed |= new != table[row, index]
        table[row, index] = new
    return changed


@kernel
def raise_row(table: Bound, more: int) -> None:
    """Add `more` to each entry of `table[0]`; sums end at UNREACHABLE."""
    highest, added = np.uint8(UNREACHABLE - more), np.uint8(more)
    for index in range(table.shape[1]):
        table[0, index] = np.uint8(min(table[0, index], highest) + added)


@kernel
def lower_row_to(table: Bound, row: int, other: Bound, other_row: int, more: int) -> None:
    """Lower each entry of `table[row]` to `more` above that of `other[other_row]`; sums end at UNREACHABLE."""
    highest, added = np.uint8(UNREACHABLE - more), np.uint8(more)
    for index in range(table.shape[1]):
        table[row, index] = min(table[row, index], np.uint8(min(other[other_row, index], highest) + added))
