"""The children of a position: its moves, those whose estimate is wanted, and the layers in which the others are due.

There are three ways to make them: for any number of robots on any board, for four robots on 16 x 16 cells, and for the
same under the bound over pairs of helpers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import inlined, kernel
from gridsage.games.ricochet.kernels.bounds import BOUND, FLOOR, UNREACHABLE, Tables
from gridsage.games.ricochet.kernels.keys import unpack, with_helper, with_serving
from gridsage.games.ricochet.kernels.pairs import IS_FILLED
from gridsage.games.ricochet.kernels.slide import (
    DIRECTIONS,
    EAST,
    MAX_ROBOTS,
    NORTH,
    SOUTH,
    WEST,
    Robots,
    Stops,
    slide_ends,
)
from gridsage.search.kernels import signed

CHILDREN = DIRECTIONS * MAX_ROBOTS
# The game as it is sold.
SMALL_SIDE, SMALL_CELL_BITS, PAIRED_ROBOTS = 16, 8, 4
SMALL_CELL_MASK = (1 << SMALL_CELL_BITS) - 1
HELPERS_MASK = (1 << PAIRED_ROBOTS * SMALL_CELL_BITS) - (1 << SMALL_CELL_BITS)
NEXT_LAYER_BIT = 2  # an instalment due one layer later
LAST_BIT = 7  # instalments due this many layers later or more
# `open_position` returns the number of children in its lowest bits and the instalments still due above them; and above
# these a bit for each child that would make no children at its own layer.
MADE_BITS, DUE_BITS = 8, 8
MADE_MASK, DUE_MASK = (1 << MADE_BITS) - 1, (1 << DUE_BITS) - 1
QUIET_BITS = MADE_BITS + DUE_BITS

Children = NDArray[np.int64]  # (CHILDREN,)
Row = NDArray[np.uint8]  # a table of bounds as one long row


@kernel
def least_bound(tables: Tables, serving: int, robots: Robots, count: int) -> int:
    """The lower bound of a position: the least over its helpers `robots[1:count]`."""
    least = tables[BOUND, serving, serving]
    for index in range(1, count):
        least = min(least, tables[BOUND, serving, robots[index]])
    bound: int = signed(least)
    return bound


@kernel
def open_position(
    stops: Stops, tables: Tables, side_bits: int, count: int, key: int, due: int, robots: Robots, children: Children
) -> int:
    """Write the children whose estimate is `due` above that of the position itself; see MADE_BITS for the result.

    Args:
        robots: (MAX_ROBOTS,) left with the unpacked position.
        children: (CHILDREN,) left with the keys.
    """
    cell_bits = 2 * side_bits
    unpack(key, cell_bits, count, robots)
    serving = robots[0]
    least = signed(tables[BOUND, serving, serving])
    second = least
    for index in range(1, count):
        value = signed(tables[BOUND, serving, robots[index]])
        if value < least:
            least, second = value, least
        elif value < second:
            second = value
    wanted = least - 1 + due
    made, instalments = 0, 0

    ends = slide_ends(stops, side_bits, robots, count, 0)
    for direction in range(DIRECTIONS):
        cell = ends[direction]
        if cell == serving:
            continue
        value = least_bound(tables, cell, robots, count)
        if value == wanted:
            children[made] = with_serving(key, cell_bits, count, direction, cell)
            made += 1
        elif wanted < value < UNREACHABLE:
            instalments |= 1 << min(value + 1 - least, LAST_BIT)

    # At its own layer a position needs moves that lower the bound.
    if due == 0 and least == tables[FLOOR, 0, serving]:
        return made | NEXT_LAYER_BIT << MADE_BITS
    for mover in range(1, count):
        own = signed(tables[BOUND, serving, robots[mover]])
        # Only a helper that sets the bound can lower it.
        if due == 0 and own != least:
            continue
        rest = second if own == least else least
        ends = slide_ends(stops, side_bits, robots, count, mover)
        for direction in range(DIRECTIONS):
            cell = ends[direction]
            if cell == robots[mover]:
                continue
            value = min(rest, signed(tables[BOUND, serving, cell]))
            if value == wanted:
                children[made] = with_helper(key, cell_bits, count, robots, mover, cell)
                made += 1
            elif value > wanted:
                instalments |= 1 << min(value + 1 - least, LAST_BIT)
    # At its own layer not all moves were looked at, so the next layer looks at them all.
    return made | (NEXT_LAYER_BIT if due == 0 else instalments) << MADE_BITS


@inlined
def entry(bounds: Row, index: int) -> int:
    """One bound; the index is known not to be negative, which spares a test."""
    bound: int = signed(bounds[np.uint64(index)])
    return bound


@inlined
def pair_entry(pairs: Row, table: int, one: int, two: int) -> int:
    """The bound of two helpers in any order."""
    return entry(pairs, table | min(one, two) << SMALL_CELL_BITS | max(one, two))


@inlined
def pair_bound(pairs: Row, serving: int, one: int, two: int, three: int) -> int:
    """The lower bound of a position with three helpers in rising order: the least over their pairs."""
    table = serving << 2 * SMALL_CELL_BITS
    first, second = table | one << SMALL_CELL_BITS, table | two << SMALL_CELL_BITS
    return min(entry(pairs, first | two), entry(pairs, first | three), entry(pairs, second | three))


@inlined
def ends_among_three(stops: Stops, cell: int, one: int, two: int, three: int) -> tuple[int, int, int, int]:
    """Do the same as `slide_ends` for a robot on `cell` of 16 x 16 and three others."""
    north, east = signed(stops[np.uint64(cell), NORTH]), signed(stops[np.uint64(cell), EAST])
    south, west = signed(stops[np.uint64(cell), SOUTH]), signed(stops[np.uint64(cell), WEST])
    for other in (one, two, three):
        difference = other ^ cell
        if difference < SMALL_SIDE:
            if other > cell:
                east = min(east, other - 1)
            else:
                west = max(west, other + 1)
        elif difference & (SMALL_SIDE - 1) == 0:
            if other > cell:
                south = min(south, other - SMALL_SIDE)
            else:
                north = max(north, other + SMALL_SIDE)
    return north, east, south, west


@inlined
def with_helpers(key: int, low: int, high: int, cell: int) -> int:
    """The key with other helpers, of four robots on 16 x 16 cells: those on `low` < `high` and one more on `cell`."""
    least, other = min(low, cell), max(low, cell)
    middle, most = min(high, other), max(high, other)
    helpers = least << SMALL_CELL_BITS | middle << 2 * SMALL_CELL_BITS | most << 3 * SMALL_CELL_BITS
    return helpers | (key & ~HELPERS_MASK)


@inlined
def cells_of(key: int) -> tuple[int, int, int, int]:
    """The cells of the serving robot and of three helpers on 16 x 16 cells."""
    return (
        key & SMALL_CELL_MASK,
        (key >> SMALL_CELL_BITS) & SMALL_CELL_MASK,
        (key >> 2 * SMALL_CELL_BITS) & SMALL_CELL_MASK,
        (key >> 3 * SMALL_CELL_BITS) & SMALL_CELL_MASK,
    )


@inlined
def is_off_lines(cell: int, serving: int) -> bool:
    """Return True if `cell` of 16 x 16 is neither in the row nor in the column of `serving`."""
    difference = cell ^ serving
    return (difference >= SMALL_SIDE) & (difference & (SMALL_SIDE - 1) != 0)


@kernel
def open_four(
    stops: Stops, tables: Tables, bounds: Row, shift: int, mask: int, key: int, due: int, children: Children
) -> int:
    """Do the same as `open_position`, for four robots on 16 x 16 cells and with as few looks at the bound as possible.

    - A move lowers a bound by one at most, so a helper that does not set the bound cannot lower it, and neither can any
      if the bound is at its floor.
    - The two other helpers bound what a helper's move can reach from above.
    - Under the weak bound only the serving robot lowers it. Where it cannot, neither can it after a helper's move that
      begins and ends off its row and column: such a child is quiet.

    Args:
        bounds: the bound of a serving and a helper cell is `bounds[serving << shift | helper & mask]`.
    """
    serving, one, two, three = cells_of(key)
    own_row = serving << shift
    first, second = entry(bounds, own_row | one & mask), entry(bounds, own_row | two & mask)
    third = entry(bounds, own_row | three & mask)
    least = min(first, second, third)
    wanted = least - 1 + due
    made, instalments, quiet, may_be_quiet = 0, 0, 0, mask == 0
    ends = ends_among_three(stops, serving, one, two, three)
    for direction in range(DIRECTIONS):
        cell = ends[direction]
        if cell == serving:
            continue
        row = cell << shift
        value = min(entry(bounds, row | one & mask), entry(bounds, row | two & mask), entry(bounds, row | three & mask))
        if value == wanted:
            children[made] = with_serving(key, SMALL_CELL_BITS, PAIRED_ROBOTS, direction, cell)
            made += 1
        elif wanted < value < UNREACHABLE:
            instalments |= 1 << min(value + 1 - least, LAST_BIT)
        may_be_quiet &= value >= least

    is_lowest = least == signed(tables[FLOOR, 0, serving])
    if due == 0 and is_lowest:
        return made | NEXT_LAYER_BIT << MADE_BITS
    for mover in range(1, PAIRED_ROBOTS):
        own = first if mover == 1 else (second if mover == 2 else third)
        rest = min(second if mover == 1 else first, second if mover == 3 else third)
        if rest < wanted or (due == 0 and own != least):
            continue
        origin = one if mover == 1 else (two if mover == 2 else three)
        low, high = (two if mover == 1 else one), (two if mover == 3 else three)
        ends = ends_among_three(stops, origin, serving, low, high)
        if due == 1 and rest == least and (is_lowest or own != least):
            is_aside = may_be_quiet and is_off_lines(origin, serving)
            for direction in range(DIRECTIONS):
                cell = ends[direction]
                children[made] = with_helpers(key, low, high, cell)
                quiet |= (is_aside & is_off_lines(cell, serving) & (cell != origin)) << made
                made += cell != origin
            continue
        for direction in range(DIRECTIONS):
            cell = ends[direction]
            if cell == origin:
                continue
            value = min(rest, entry(bounds, own_row | cell & mask))
            if value == wanted:
                children[made] = with_helpers(key, low, high, cell)
                made += 1
            elif value > wanted:
                instalments |= 1 << min(value + 1 - least, LAST_BIT)
    return made | (NEXT_LAYER_BIT if due == 0 else instalments) << MADE_BITS | quiet << QUIET_BITS


@kernel
def open_paired(stops: Stops, tables: Tables, strong: Row, pairs: Row, key: int, due: int, children: Children) -> int:
    """Do the same as `open_four` under the bound over pairs of helpers.

    Most of a hard search is spent here. Where the part of the table for a cell of the serving robot is missing, the
    result is -1 minus that cell.

    At its own layer a position needs moves that lower the bound, so the strong bound, which is the lower of the two and
    has the smaller table, is asked first.
    """
    serving, one, two, three = cells_of(key)
    table, own_row = serving << 2 * SMALL_CELL_BITS, serving << SMALL_CELL_BITS
    one_two = entry(pairs, table | one << SMALL_CELL_BITS | two)
    one_three = entry(pairs, table | one << SMALL_CELL_BITS | three)
    two_three = entry(pairs, table | two << SMALL_CELL_BITS | three)
    least = min(one_two, one_three, two_three)
    wanted = least - 1 + due
    made, instalments = 0, 0

    ends = ends_among_three(stops, serving, one, two, three)
    for direction in range(DIRECTIONS):
        cell = ends[direction]
        if cell == serving:
            continue
        row = cell << SMALL_CELL_BITS
        if due == 0 and min(entry(strong, row | one), entry(strong, row | two), entry(strong, row | three)) > wanted:
            continue
        if not tables[FLOOR, IS_FILLED, cell]:
            return -1 - cell
        value = pair_bound(pairs, cell, one, two, three)
        if value == wanted:
            children[made] = with_serving(key, SMALL_CELL_BITS, PAIRED_ROBOTS, direction, cell)
            made += 1
        elif wanted < value < UNREACHABLE:
            instalments |= 1 << min(value + 1 - least, LAST_BIT)

    is_lowest = least == signed(tables[FLOOR, 0, serving])
    if due == 0 and is_lowest:
        return made | NEXT_LAYER_BIT << MADE_BITS
    for mover in range(1, PAIRED_ROBOTS):
        rest = two_three if mover == 1 else (one_three if mover == 2 else one_two)
        may_lower = min(one_two if mover < 3 else one_three, one_three if mover == 1 else two_three) == least
        if rest < wanted or (due == 0 and not may_lower):
            continue
        origin = one if mover == 1 else (two if mover == 2 else three)
        low, high = (two if mover == 1 else one), (two if mover == 3 else three)
        ends = ends_among_three(stops, origin, serving, low, high)
        if due == 1 and rest == wanted and (is_lowest or not may_lower):
            for direction in range(DIRECTIONS):
                children[made] = with_helpers(key, low, high, ends[direction])
                made += ends[direction] != origin
            continue
        weaker = min(entry(strong, own_row | low), entry(strong, own_row | high))
        for direction in range(DIRECTIONS):
            cell = ends[direction]
            if cell == origin or (due == 0 and min(weaker, entry(strong, own_row | cell)) > wanted):
                continue
            value = min(rest, pair_entry(pairs, table, cell, low), pair_entry(pairs, table, cell, high))
            if value == wanted:
                children[made] = with_helpers(key, low, high, cell)
                made += 1
            elif value > wanted:
                instalments |= 1 << min(value + 1 - least, LAST_BIT)
    return made | (NEXT_LAYER_BIT if due == 0 else instalments) << MADE_BITS
