"""What stands between Rockford and the exit: ways that cost, what magic walls can make, flies near walls to be opened.

The flood of a plan knows only free ways. Here boulders and walls are dear and not closed, so that of two positions in
which a diamond cannot be reached the one with less in the way is the better one.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.delirium.bd.cells import (
    AMOEBA,
    BOULDER,
    BRICK,
    BUTTERFLY,
    DIAMOND,
    DIAMOND_BIRTH,
    DIRT,
    EXIT_OPEN,
    EXIT_SHUT,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    FIREFLY,
    GROWING_WALL,
    KIND_MASK,
    MAGIC_WALL,
    ROCKFORD,
    SLIME,
    SPACE,
    STEEL,
)
from gridsage.games.delirium.bd.kernels.chance import Number
from gridsage.games.delirium.bd.kernels.plan import flood, mixed, ticks_left
from gridsage.games.delirium.bd.kernels.tick import COLS, NEEDED, SIZE, Cells, Facts, Rules
from gridsage.games.delirium.bd.state import DIAMONDS, MAGIC, PUSHES, ROCKFORD_AT, SPENT, TICKS

# (GROUND_ROWS, cells + 1): WALK and VALUE hold walking distances and the row after each a queue; COST holds the cost
# of ways, and the four rows after it a queue for each price.
Ground = NDArray[np.int64]
WALK, VALUE, COST, GROUND_ROWS = 0, 2, 4, 9
QUEUES = COST + 1
FREE, SOFT, HEAVY, SOLID, PRICES = range(5)

BOULDER_PRICE, WALL_PRICE = 12, 150
FLY_DIRT_PRICE = 3  # a fly has to wait until somebody digs
FAR: Number = np.int64(1) << 40

# All in ticks, for positions to be compared; see docs/delirium.md for what they were tried on.
DIAMOND_WORTH = 60
OUT_OF_REACH = 10
MOST_FOR_A_WAY = 130
NOT_THERE = 140
BLAST_CELLS = 9
BUTTERFLY_DIAMONDS = 6  # of them, those that can be hoped for
BUTTERFLY_HELP = 30
SUPPLY_HELP, MOST_SUPPLY_HELP = 4, 70
NO_WAY_OUT = 20
WALLED_IN = 20
MOST_FOR_A_FLY = 100
PUSH_COST = 3
DIAMOND_TICKS = 6
TOO_LATE = 2
MOST_COSTS = 64  # diamonds out of reach that are told apart
STACK, GAP = 4, 4
MOST_STOCK = 7


@kernel
def is_diamond(kind: Number) -> bool:
    """Return True for a diamond at rest, falling, or about to be."""
    return bool(kind == DIAMOND or kind == FALLING_DIAMOND or DIAMOND_BIRTH <= kind < DIAMOND_BIRTH + 4)


@kernel
def is_exit(kind: Number) -> bool:
    """Return True for an exit, shut or open."""
    return bool(kind == EXIT_SHUT or kind == EXIT_OPEN)


@kernel
def is_wall(kind: Number) -> bool:
    """Return True for what only a blast, or nothing at all, opens."""
    return bool(kind == BRICK or kind == MAGIC_WALL or kind == AMOEBA or kind == SLIME or kind == GROWING_WALL)


@kernel
def neighbour(cell: int, turn: int, cols: int) -> int:
    """Return the cell to the left, above, to the right or below: turn 0 to 3."""
    step = 1 if turn & 1 == 0 else cols
    return cell + (step if turn > 1 else -step)


@kernel
def spread_costs(cells: Cells, rules: Rules, ground: Ground, sources: int, dirt_price: int, limit: Number) -> None:
    """Fill the row COST with the least cost of a way from any of the first cells of the row QUEUES.

    It is FAR where there is none, or may be where it costs more than the limit.

    The price of a step is that of the cell entered, so the first way that reaches a cell is the cheapest, and one
    queue for each price stays sorted.
    """
    size, cols = rules[SIZE], rules[COLS]
    cost = ground[COST]
    cost[:size] = FAR
    heads, tails = np.zeros(PRICES, dtype=np.int64), np.zeros(PRICES, dtype=np.int64)
    tails[FREE] = sources
    for i in range(sources):
        cost[ground[QUEUES, i]] = 0
    while True:
        least, lowest = -1, FAR
        for price in range(PRICES):
            if heads[price] < tails[price] and cost[ground[QUEUES + price, heads[price]]] < lowest:
                least, lowest = price, cost[ground[QUEUES + price, heads[price]]]
        if least < 0 or lowest > limit:
            return
        cell = ground[QUEUES + least, heads[least]]
        heads[least] += 1
        for turn in range(4):
            near = neighbour(cell, turn, cols)
            if near < 0 or near >= size or cost[near] != FAR:
                continue
            kind = cells[near] & KIND_MASK
            if kind == STEEL:
                continue
            price, step = FREE, 1
            if kind == DIRT:
                price, step = SOFT, dirt_price
            elif kind == BOULDER or kind == FALLING_BOULDER:
                price, step = HEAVY, BOULDER_PRICE
            elif is_wall(kind):
                price, step = SOLID, WALL_PRICE
            cost[near] = lowest + step
            ground[QUEUES + price, tails[price]] = near
            tails[price] += 1


@kernel
def costs_from(cells: Cells, rules: Rules, ground: Ground, start: int, limit: Number) -> None:
    """Fill the row COST with what ways from one cell cost Rockford, as far as they do not cost more than the limit."""
    ground[QUEUES, 0] = start
    spread_costs(cells, rules, ground, 1, 1, limit)


@kernel
def boulders_above(cells: Cells, wall: int, cols: int) -> int:
    """Return how many boulders hang above a magic wall, with no more than a little dirt or space between them."""
    boulders, gap, cell = 0, 0, wall - cols
    while cell >= cols and gap < GAP:
        kind = cells[cell] & KIND_MASK
        if kind == BOULDER or kind == FALLING_BOULDER:
            boulders += 1
            gap = 0
        elif kind <= DIRT or kind >= ROCKFORD:
            gap += 1
        else:
            break
        cell -= cols
    return boulders


@kernel
def room_below(cells: Cells, wall: int, cols: int) -> int:
    """Return the space below a magic wall; 0 if a second one would change back what comes out."""
    room, cell = 0, wall + cols
    while cells[cell] & KIND_MASK == SPACE:
        room += 1
        cell += cols
    return 0 if cells[cell] & KIND_MASK == MAGIC_WALL else room


@kernel
def supply(cells: Cells, rules: Rules) -> int:
    """Return how well prepared magic walls are: boulders above them, room below, and most of all both."""
    cols, total = rules[COLS], 0
    for wall in range(2 * cols, rules[SIZE] - cols):
        if cells[wall] & KIND_MASK == MAGIC_WALL:
            boulders, room = boulders_above(cells, wall, cols), room_below(cells, wall, cols)
            total += 4 * min(room, boulders) + min(room, STACK) + min(boulders, STACK)
    return total


@kernel
def stock(cells: Cells, rules: Rules) -> Number:
    """Return what tells apart how magic walls are prepared: boulders above and room below each of them."""
    cols, value = rules[COLS], np.int64(0)
    for wall in range(2 * cols, rules[SIZE] - cols):
        if cells[wall] & KIND_MASK == MAGIC_WALL:
            boulders, room = boulders_above(cells, wall, cols), room_below(cells, wall, cols)
            value ^= mixed(wall << 8 | min(boulders, MOST_STOCK) << 4 | min(room, MOST_STOCK))
    return value


@kernel
def breach_distance(cells: Cells, rules: Rules, ground: Ground, target: int) -> Number:
    """Return what it costs a fly to come to where its blast opens the way to a walled-in cell; FAR: there is none."""
    size, cols = rules[SIZE], rules[COLS]
    costs_from(cells, rules, ground, target, WALL_PRICE)
    places = 0
    for cell in range(cols, size - cols):
        kind = cells[cell] & KIND_MASK
        if ground[COST, cell] < WALL_PRICE or kind == STEEL or is_wall(kind):
            continue
        for turn in range(4):
            wall = neighbour(cell, turn, cols)
            inside = 2 * wall - cell
            if 0 <= inside < size and is_wall(cells[wall] & KIND_MASK) and ground[COST, inside] < WALL_PRICE:
                ground[QUEUES, places] = cell
                places += 1
                break
    spread_costs(cells, rules, ground, places, FLY_DIRT_PRICE, MOST_FOR_A_FLY)
    least = FAR
    for cell in range(cols, size - cols):
        if FIREFLY <= cells[cell] & KIND_MASK < BUTTERFLY + 4:
            least = min(least, ground[COST, cell])
    return least


@kernel
def closed_room(cells: Cells, rules: Rules, ground: Ground) -> int:
    """Return the cell below a magic wall with the cheapest way to it if none of them can be walked to, else -1."""
    cols, best, least = rules[COLS], -1, FAR
    for wall in range(cols, rules[SIZE] - cols):
        below = wall + cols
        if cells[wall] & KIND_MASK != MAGIC_WALL or cells[below] & KIND_MASK == MAGIC_WALL:
            continue
        if ground[VALUE, below] >= 0:
            return -1
        if ground[COST, below] < least:
            best, least = below, ground[COST, below]
    return best


@kernel
def obstacles(cells: Cells, facts: Facts, rules: Rules, ground: Ground, wanted: int, is_shut_off: bool) -> Number:
    """Return what it is guessed to cost to get at diamonds out of reach, and at the exit if that is shut off.

    It is FAR if there are too few diamonds and what is left cannot make enough of them.

    Args:
        ground: with the distances of Rockford's walks in the row VALUE.
        wanted: so many diamonds are needed beyond those in reach.
    """
    costs_from(cells, rules, ground, facts[ROCKFORD_AT], FAR)
    prices = np.zeros(MOST_FOR_A_WAY + 1, dtype=np.int64)
    total, walled, least = np.int64(0), -1, FAR
    butterflies, amoeba, boulders, above_magic = 0, 0, 0, 0
    for cell in range(rules[SIZE]):
        kind = cells[cell] & KIND_MASK
        cost = ground[COST, cell]
        if is_diamond(kind) and ground[VALUE, cell] < 0:
            prices[min(cost // 2, MOST_FOR_A_WAY)] += 1
            if WALL_PRICE <= cost < least:
                walled, least = cell, cost
        elif is_exit(kind) and is_shut_off:
            total = NO_WAY_OUT + min(cost // 2, MOST_FOR_A_WAY)
        butterflies += BUTTERFLY <= kind < BUTTERFLY + 4
        amoeba += kind == AMOEBA
        boulders += kind == BOULDER or kind == FALLING_BOULDER
        if kind == MAGIC_WALL and facts[MAGIC] != SPENT:
            above_magic = boulders  # in the end, all above the lowest of them
    absent, dearest = max(0, wanted), 0
    for price in range(len(prices)):
        taken = min(absent, prices[price])
        if taken > 0:
            total += taken * (OUT_OF_REACH + price)
            absent -= taken
            dearest = price
    if amoeba == 0 and absent > BLAST_CELLS * butterflies + above_magic:
        return FAR
    if absent > 0:
        total += NOT_THERE * absent - BUTTERFLY_HELP * min(BUTTERFLY_DIAMONDS * butterflies, absent)
        if facts[MAGIC] != SPENT:
            total -= min(SUPPLY_HELP * supply(cells, rules), MOST_SUPPLY_HELP * absent)
            closed = closed_room(cells, rules, ground)
            walled = closed if closed >= 0 else walled
    if walled >= 0 and (absent > 0 or dearest >= WALL_PRICE // 2):
        total += WALLED_IN + min(breach_distance(cells, rules, ground, walled), MOST_FOR_A_FLY)
    return total


@kernel
def prospect(cells: Cells, facts: Facts, rules: Rules, ground: Ground) -> tuple[Number, Number]:
    """Return a guess at the ticks of the whole game if it goes on from here, and how much of it is due to obstacles."""
    distance, queue = ground[VALUE], ground[VALUE + 1]
    reached = flood(cells, rules, facts[ROCKFORD_AT], distance[: rules[SIZE]], queue)
    missing = max(0, rules[NEEDED] - facts[DIAMONDS])
    in_reach, nearest, way_out = 0, 0, -1
    for i in range(1, reached):
        kind = cells[queue[i]] & KIND_MASK
        if is_diamond(kind):
            in_reach += 1
            if in_reach == 1:
                nearest = distance[queue[i]]
        elif is_exit(kind) and way_out < 0:
            way_out = distance[queue[i]]
    way = max(way_out, 0) if missing == 0 else nearest
    late = max(0, DIAMOND_TICKS * missing + way - ticks_left(facts, rules))
    value = facts[TICKS] + PUSH_COST * facts[PUSHES] + DIAMOND_WORTH * missing + way + TOO_LATE * late
    in_the_way = np.int64(0)
    if missing > in_reach or way_out < 0:
        in_the_way = obstacles(cells, facts, rules, ground, missing - in_reach, way_out < 0)
    return value + in_the_way, in_the_way


@kernel
def first_obstacle(cells: Cells, rules: Rules, ground: Ground, start: int, goal: int) -> Number:
    """Return the last cell on the cheapest way to a goal that can be walked to, or -1 if there is no way.

    Args:
        ground: with the distances of Rockford's walks in the row WALK.
        start: where Rockford is.
    """
    costs_from(cells, rules, ground, start, FAR)
    cell: Number = np.int64(goal)
    if ground[COST, cell] == FAR:
        return np.int64(-1)
    while ground[WALK, cell] < 0:
        back = cell
        for turn in range(4):
            near = neighbour(cell, turn, rules[COLS])
            if 0 <= near < rules[SIZE] and ground[COST, near] < ground[COST, back]:
                back = near
        cell = back
    return cell
