"""What stands between Rockford and the exit: ways that cost, what magic walls can make, flies near walls to be opened.

The flood of a plan knows only free ways. Here boulders and walls are dear and not closed, so that of two positions in
which a diamond cannot be reached the one with less in the way is the better one.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
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
    GROWING_WALL,
    KIND_MASK,
    MAGIC_WALL,
    ROCKFORD,
    SLIME,
    SPACE,
    STEEL,
)
from gridsage.games.delirium.bd.kernels import funnels
from gridsage.games.delirium.bd.kernels.boards import (
    AT_LEISURE,
    BOULDER_PRICE,
    EXITS,
    FAR,
    FLIES,
    FREE_WAY,
    FRONT,
    GEMS,
    HEADS,
    HEAVY,
    HEAVY_WAY,
    HITS,
    LIGHT,
    NEAR,
    NONE,
    OPEN,
    PRICES,
    REACHED,
    ROOMS,
    SOFT,
    SOFT_WAY,
    SOLID_WAY,
    TAILS,
    TARGETS,
    WALL_PRICE,
    Ground,
    add_cell,
    advance,
    bits_of,
    draw,
    fill,
    first_of,
    has_cell,
    is_met,
    keep_below_boulders,
    places_beyond,
    reach,
    set_out,
    size_of,
)
from gridsage.games.delirium.bd.kernels.chance import Number
from gridsage.games.delirium.bd.kernels.lures import tunnel_distance
from gridsage.games.delirium.bd.kernels.pens import GAPS, LEAST, SOUGHT, gaps_of, is_beside
from gridsage.games.delirium.bd.kernels.plan import mixed, ticks_left
from gridsage.games.delirium.bd.kernels.tick import COLS, NEEDED, SIZE, Cells, Facts, Rules
from gridsage.games.delirium.bd.state import DIAMONDS, MAGIC, PUSHES, ROCKFORD_AT, SPENT, TICKS

FLY_DIRT_PRICE = 3  # a fly has to wait until somebody digs

# All in ticks, for positions to be compared; see docs/delirium.md for what they were tried on.
DIAMOND_WORTH = 60
OUT_OF_REACH = 10
MOST_FOR_A_WAY = 130
NOT_THERE = 140
BLAST_CELLS = 9
BUTTERFLY_DIAMONDS = 6  # of them, those that can be hoped for
BUTTERFLY_HELP = 30
SUPPLY_HELP, MOST_SUPPLY_HELP = 4, 70
READY_HELP, ROOM_HELP, HARVEST_HELP = 2, 9, 45  # a cell of dirt less, a cell of room, a diamond that would be made
GAP_PRICE = 60  # for each cell that a fence around amoeba lacks
NO_WAY_OUT = 20
SHUT_IN = 150  # where only a blast opens a way to the exit: nobody goes down through a boulder
WALLED_IN = 20
MOST_FOR_A_FLY = 100
NO_FLY_LEFT = 150  # for each closed room with diamonds that are needed, beyond those that the flies left can open
SHUT_ROOM = 250  # for each room below magic walls that only a blast opens
LANE_PRICE, MOST_FOR_A_LANE = 12, 200  # for each cell of dirt between a fly and where a boulder opens such a room
PUSH_COST = 3
DIAMOND_TICKS = 6
TOO_LATE = 2
STACK, GAP = 4, 4
MOST_STOCK = 7


@borrowing_kernel
def is_diamond(kind: Number) -> bool:
    """Return True for a diamond at rest, falling, or about to be."""
    return bool(kind == DIAMOND or kind == FALLING_DIAMOND or DIAMOND_BIRTH <= kind < DIAMOND_BIRTH + 4)


@borrowing_kernel
def is_exit(kind: Number) -> bool:
    """Return True for an exit, shut or open."""
    return bool(kind == EXIT_SHUT or kind == EXIT_OPEN)


@borrowing_kernel
def is_wall(kind: Number) -> bool:
    """Return True for what only a blast, or nothing at all, opens."""
    return bool(kind == BRICK or kind == MAGIC_WALL or kind == AMOEBA or kind == SLIME or kind == GROWING_WALL)


@borrowing_kernel
def neighbour(cell: int, turn: int, cols: int) -> int:
    """Return the cell to the left, above, to the right or below: turn 0 to 3."""
    step = 1 if turn & 1 == 0 else cols
    return cell + (step if turn > 1 else -step)


@borrowing_kernel
def costs_from(cells: Cells, rules: Rules, ground: Ground, start: int, goal: int, dirt_price: int) -> None:
    """Fill in what ways from a cell cost, as far as they do not cost more than that to the goal, else FAR.

    The price of a step is that of the cell entered, so the first way that reaches a cell is the cheapest, and one
    queue for each price stays sorted.
    """
    size, cols = rules[SIZE], rules[COLS]
    cost, queues, ends = ground.cost, ground.queues, ground.due
    cost[:size] = FAR
    for price in range(PRICES):
        ends[HEADS + price], ends[TAILS + price] = 0, 0
    ends[TAILS + FREE_WAY] = 1
    cost[start], queues[FREE_WAY, 0] = 0, start
    while True:
        least, lowest = -1, FAR
        for price in range(PRICES):
            head = ends[HEADS + price]
            if head < ends[TAILS + price] and cost[queues[price, head]] < lowest:
                least, lowest = price, cost[queues[price, head]]
        if least < 0 or lowest >= cost[goal]:
            return
        cell = queues[least, ends[HEADS + least]]
        ends[HEADS + least] += 1
        for turn in range(4):
            near = neighbour(cell, turn, cols)
            if near < 0 or near >= size or cost[near] != FAR:
                continue
            kind = cells[near] & KIND_MASK
            if kind == STEEL:
                continue
            price, step = FREE_WAY, 1
            if kind == DIRT:
                price, step = SOFT_WAY, dirt_price
            elif kind == BOULDER or kind == FALLING_BOULDER:
                price, step = HEAVY_WAY, BOULDER_PRICE
            elif is_wall(kind):
                price, step = SOLID_WAY, WALL_PRICE
            cost[near] = lowest + step
            queues[price, ends[TAILS + price]] = near
            ends[TAILS + price] += 1


@borrowing_kernel
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


@borrowing_kernel
def room_below(cells: Cells, wall: int, cols: int) -> int:
    """Return the space below a magic wall; 0 if a second one would change back what comes out."""
    room, cell = 0, wall + cols
    while cells[cell] & KIND_MASK == SPACE:
        room += 1
        cell += cols
    return 0 if cells[cell] & KIND_MASK == MAGIC_WALL else room


@borrowing_kernel
def supply(cells: Cells, rules: Rules, walls: NDArray[np.int64]) -> int:
    """Return how well prepared magic walls are: boulders above them, room below, and most of all both."""
    cols, total = rules[COLS], 0
    for wall in walls[1 : walls[0] + 1]:
        if 2 * cols <= wall < rules[SIZE] - cols:
            boulders, room = boulders_above(cells, wall, cols), room_below(cells, wall, cols)
            total += 4 * min(room, boulders) + min(room, STACK) + min(boulders, STACK)
    return total


@borrowing_kernel
def stock(cells: Cells, rules: Rules, walls: NDArray[np.int64]) -> Number:
    """Return what tells apart how magic walls are prepared: boulders above and room below each of them."""
    cols, value = rules[COLS], np.int64(0)
    for wall in walls[1 : walls[0] + 1]:
        if 2 * cols <= wall < rules[SIZE] - cols:
            boulders, room = boulders_above(cells, wall, cols), room_below(cells, wall, cols)
            value ^= mixed(wall << 8 | min(boulders, MOST_STOCK) << 4 | min(room, MOST_STOCK))
    return value


@borrowing_kernel
def fly_distance(ground: Ground, cols: int, size: int, dirt_price: int, most: int, is_below_boulders: bool) -> Number:
    """Return what it costs a fly to come to where its blast opens the way to cells in HITS; FAR: there is none.

    Args:
        is_below_boulders: only places count where a boulder that rests on dirt can be dropped on it.
    """
    boards, due = ground.boards, ground.due
    inside = boards[HITS]
    for i in range(boards.shape[1]):
        boards[OPEN, i] = boards[LIGHT, i] | boards[SOFT, i] | boards[HEAVY, i]
    fill(inside, boards[OPEN], cols)
    places_beyond(boards, cols)
    if is_below_boulders:
        keep_below_boulders(boards, cols)
    for i in range(boards.shape[1]):
        boards[FRONT, i] &= boards[OPEN, i] & ~inside[i]
        boards[TARGETS, i] = boards[FLIES, i]
        if boards[FRONT, i] & boards[FLIES, i] != NONE:
            return np.int64(0)
    set_out(boards, due)
    return advance(boards, due, cols, dirt_price, most, is_barred_from_above=False)


@borrowing_kernel
def breach_distance(ground: Ground, cols: int, size: int, target: Number) -> Number:
    """Return what it costs a fly to come to where its blast opens the way to a walled-in cell; FAR: there is none."""
    ground.boards[HITS] = NONE
    add_cell(ground.boards[HITS], cols, target)
    return fly_distance(ground, cols, size, FLY_DIRT_PRICE, MOST_FOR_A_FLY, is_below_boulders=False)


@borrowing_kernel
def closed_rooms(ground: Ground, cols: int, size: int, start: Number, wanted: Number) -> Number:
    """Return how many rooms have to be opened by blasts for so many diamonds out of reach.

    Args:
        start: where Rockford is.
    """
    boards = ground.boards
    room, ways, shut = boards[HITS], boards[OPEN], boards[NEAR]
    for i in range(boards.shape[1]):
        room[i] = NONE
        ways[i] = boards[LIGHT, i] | boards[SOFT, i] | boards[HEAVY, i]
        shut[i] = boards[GEMS, i] & ~boards[REACHED, i]
    rooms, cell = np.int64(-1), start
    while cell >= 0:
        add_cell(room, cols, cell)
        fill(room, ways, cols)
        for i in range(boards.shape[1]):
            wanted -= bits_of(shut[i] & room[i])
            shut[i] &= ~room[i]
            room[i] = NONE
        rooms += 1
        cell = first_of(shut, cols) if wanted > 0 else np.int64(-1)
    return rooms


@borrowing_kernel
def makers(cells: Cells, rules: Rules) -> tuple[Number, Number, Number]:
    """Return what makes diamonds: cells of amoeba, butterflies, and boulders above the lowest magic wall."""
    amoeba, butterflies, above = np.int64(0), np.int64(0), np.int64(0)
    for cell in range(rules[SIZE]):
        kind = cells[cell] & KIND_MASK
        amoeba += kind == AMOEBA
        butterflies += (kind >= BUTTERFLY) & (kind < BUTTERFLY + 4)
    lowest = rules[SIZE] - 1
    while lowest > 0 and cells[lowest] & KIND_MASK != MAGIC_WALL:
        lowest -= 1
    for cell in range(lowest):
        kind = cells[cell] & KIND_MASK
        above += (kind == BOULDER) | (kind == FALLING_BOULDER)
    return amoeba, butterflies, above


@borrowing_kernel
def has_prey(cells: Cells, facts: Facts, rules: Rules) -> bool:
    """Return True where diamonds are lacking that butterflies can make, and no amoeba blows them up by itself."""
    amoeba, butterflies, _ = makers(cells, rules)
    diamonds = facts[DIAMONDS]
    for cell in range(rules[SIZE]):
        diamonds += is_diamond(cells[cell] & KIND_MASK)  # those about to be, too
    return bool(butterflies > 0 and amoeba == 0 and diamonds < rules[NEEDED])


@borrowing_kernel
def mark_closed_room(cells: Cells, ground: Ground, cols: int, size: int) -> bool:
    """Put the cells below magic walls into HITS; return False if one of them can be walked to."""
    boards, walls = ground.boards, ground.walls
    boards[HITS] = NONE
    some = False
    for wall in walls[1 : walls[0] + 1]:
        below = wall + cols
        if below < size and cells[below] & KIND_MASK != MAGIC_WALL:
            if has_cell(boards[REACHED], cols, below):
                return False
            add_cell(boards[HITS], cols, below)
            some = True
    return some


@borrowing_kernel
def mark_shut_rooms(cells: Cells, ground: Ground, cols: int, size: int, start: Number) -> Number:
    """Put a cell of each room below magic walls that only a blast opens into HITS; return how many there are.

    Args:
        start: where Rockford is.
    """
    boards, walls = ground.boards, ground.walls
    known, ways, shut = boards[NEAR], boards[OPEN], boards[HITS]
    for i in range(boards.shape[1]):
        known[i], shut[i] = boards[REACHED, i], NONE
        ways[i] = boards[LIGHT, i] | boards[SOFT, i] | boards[HEAVY, i]
    rooms, is_spread = np.int64(0), False
    for wall in walls[1 : walls[0] + 1]:
        below = wall + cols
        if (
            below >= size
            or has_cell(known, cols, below)
            or not funnels.may_give_way(np.int64(cells[below]) & KIND_MASK)
        ):
            continue
        if not is_spread:
            add_cell(known, cols, start)
            fill(known, ways, cols)
            is_spread = True
        if not has_cell(known, cols, below):
            add_cell(shut, cols, below)
            add_cell(known, cols, below)
            fill(known, ways, cols)
            rooms += 1
    return rooms


@borrowing_kernel
def obstacles(cells: Cells, facts: Facts, rules: Rules, ground: Ground, wanted: Number, is_shut_off: bool) -> Number:
    """Return what it is guessed to cost to get at diamonds out of reach, and at the exit if that is shut off.

    It is FAR if there are too few diamonds and what is left cannot make enough of them.

    Args:
        ground: drawn, with what can be walked to in REACHED.
        wanted: so many diamonds are needed beyond those in reach.
    """
    cols, size = rules[COLS], rules[SIZE]
    boards, due = ground.boards, ground.due
    left = np.int64(0)
    for i in range(boards.shape[1]):
        boards[TARGETS, i] = boards[GEMS, i] & ~boards[REACHED, i]
        left += bits_of(boards[TARGETS, i])
    total, walled, closed, dearest = np.int64(0), np.int64(-1), np.int64(-1), np.int64(0)
    to_take: Number = min(left, max(np.int64(0), wanted))
    out_of_reach = to_take
    absent: Number = max(np.int64(0), wanted - left)
    seeks_room, shut_rooms, is_at_leisure = False, np.int64(0), bool(ground.pace[0] == AT_LEISURE)
    if absent > 0:
        amoeba, butterflies, above_magic = makers(cells, rules)
        if facts[MAGIC] == SPENT:
            above_magic = 0
        if amoeba == 0 and absent > BLAST_CELLS * butterflies + above_magic:
            return FAR
        if ground.fence[SOUGHT] >= 0 and absent > BLAST_CELLS * butterflies + above_magic:
            gaps, room = gaps_of(cells, rules, ground.pen, ground.fence[SOUGHT])
            ground.fence[GAPS] = gaps
            if gaps == 0 and (room < ground.fence[LEAST] or not is_beside(rules, ground.pen, facts[ROCKFORD_AT])):
                return FAR
            total += GAP_PRICE * gaps
        total += NOT_THERE * absent - BUTTERFLY_HELP * min(BUTTERFLY_DIAMONDS * butterflies, absent)
        if amoeba > 0 and butterflies > 0:
            total += tunnel_distance(cells, rules, ground)
            for i in range(boards.shape[1]):
                boards[TARGETS, i] = boards[GEMS, i] & ~boards[REACHED, i]
        if facts[MAGIC] != SPENT:
            ready = funnels.boulders_ready(cells, facts, rules, ground.walls, ground.cost, absent)
            if ready < 0 and amoeba == 0 and butterflies == 0:
                return FAR
            total -= READY_HELP * max(np.int64(0), ready)
            total -= min(SUPPLY_HELP * supply(cells, rules, ground.walls), MOST_SUPPLY_HELP * absent)
            total -= ROOM_HELP * funnels.room_for(cells, rules, ground.walls, ground.cost, absent)
            shut_rooms = mark_shut_rooms(cells, ground, cols, size, facts[ROCKFORD_AT])
            total += SHUT_ROOM * shut_rooms
            seeks_room = shut_rooms == 0 and mark_closed_room(cells, ground, cols, size)
    seeks_exit = is_shut_off and size_of(boards[EXITS]) > 0
    boards[FRONT] = NONE
    for i in range(boards.shape[1]):
        if seeks_exit:
            boards[TARGETS, i] |= boards[EXITS, i]
        if seeks_room:
            boards[ROOMS, i] = boards[HITS, i]
            boards[TARGETS, i] |= boards[HITS, i]
    add_cell(boards[FRONT], cols, facts[ROCKFORD_AT])
    set_out(boards, due)
    while to_take > 0 or seeks_exit or seeks_room:
        cost = advance(boards, due, cols, 1, FAR, is_barred_from_above=is_at_leisure)
        price = min(cost // 2, np.int64(MOST_FOR_A_WAY))
        if cost == FAR:  # what is left cannot be reached at all
            total += to_take * (OUT_OF_REACH + price)
            dearest = price if to_take > 0 else dearest
            break
        if seeks_exit and is_met(boards, EXITS):
            total += NO_WAY_OUT + price
            if cost >= WALL_PRICE and is_at_leisure:
                total += SHUT_IN
            seeks_exit = False
        if seeks_room and is_met(boards, ROOMS):
            for i in range(boards.shape[1]):
                boards[NEAR, i] = boards[HITS, i] & boards[ROOMS, i]
            closed = first_of(boards[NEAR], cols)
            seeks_room = False
        met = np.int64(0)
        for i in range(boards.shape[1]):
            boards[NEAR, i] = boards[HITS, i] & boards[GEMS, i]
            met += bits_of(boards[NEAR, i])
        if met > 0:
            if cost >= WALL_PRICE and walled < 0:
                walled = first_of(boards[NEAR], cols)
            taken = min(to_take, met)
            total += taken * (OUT_OF_REACH + price)
            dearest = price if taken > 0 else dearest
            to_take -= taken
    if seeks_exit:
        total += NO_WAY_OUT + MOST_FOR_A_WAY
    walled = closed if closed >= 0 else walled
    if dearest >= WALL_PRICE // 2:
        rooms = closed_rooms(ground, cols, size, facts[ROCKFORD_AT], out_of_reach)
        total += NO_FLY_LEFT * max(np.int64(0), rooms - size_of(boards[FLIES]))
    if shut_rooms > 0:
        mark_shut_rooms(cells, ground, cols, size, facts[ROCKFORD_AT])
        lane = fly_distance(ground, cols, size, LANE_PRICE, MOST_FOR_A_LANE, is_below_boulders=True)
        total += min(lane, MOST_FOR_A_LANE)
    elif walled >= 0 and (absent > 0 or dearest >= WALL_PRICE // 2):
        total += WALLED_IN + min(breach_distance(ground, cols, size, walled), MOST_FOR_A_FLY)
    return total


@borrowing_kernel
def prospect(cells: Cells, facts: Facts, rules: Rules, ground: Ground) -> tuple[Number, Number]:
    """Return a guess at what the whole game costs from here, in ticks, and how much of it is due to obstacles."""
    boards = ground.boards
    ground.fence[GAPS] = -1
    draw(cells, rules, ground)
    missing = max(np.int64(0), rules[NEEDED] - facts[DIAMONDS])
    way = max(np.int64(0), reach(boards, rules[COLS], facts[ROCKFORD_AT], bool(missing == 0)))
    in_reach, exits = np.int64(0), NONE
    for i in range(boards.shape[1]):
        in_reach += bits_of(boards[REACHED, i] & boards[GEMS, i])
        exits |= boards[REACHED, i] & boards[EXITS, i]
    late = max(0, DIAMOND_TICKS * missing + way - ticks_left(facts, rules))
    value = facts[TICKS] // ground.pace[0] + PUSH_COST * facts[PUSHES] + DIAMOND_WORTH * missing + way + TOO_LATE * late
    in_the_way = np.int64(0)
    if missing > in_reach or exits == NONE:
        in_the_way = obstacles(cells, facts, rules, ground, missing - in_reach, bool(exits == NONE))
    return value + in_the_way, in_the_way


@borrowing_kernel
def rooms_to_open(cells: Cells, facts: Facts, rules: Rules, ground: Ground) -> Number:
    """Return how many rooms have to be opened by blasts for the diamonds that are missing.

    Where there are too few, the rooms below magic walls count as well.
    """
    cols, size = rules[COLS], rules[SIZE]
    draw(cells, rules, ground)
    reach(ground.boards, cols, facts[ROCKFORD_AT], to_exit=False)
    wanted = rules[NEEDED] - facts[DIAMONDS]
    for i in range(ground.boards.shape[1]):
        wanted -= bits_of(ground.boards[REACHED, i] & ground.boards[GEMS, i])
    shut_rooms = np.int64(0)
    if rules[NEEDED] - facts[DIAMONDS] > size_of(ground.boards[GEMS]) and facts[MAGIC] != SPENT:
        shut_rooms = mark_shut_rooms(cells, ground, cols, size, facts[ROCKFORD_AT])
    return shut_rooms + closed_rooms(ground, cols, size, facts[ROCKFORD_AT], wanted)


@borrowing_kernel
def step_back(rules: Rules, ground: Ground, cell: Number) -> Number:
    """Return the cell before another one on the cheapest way to it that `costs_from` has found."""
    back = cell
    for turn in range(4):
        near = neighbour(cell, turn, rules[COLS])
        if 0 <= near < rules[SIZE] and ground.cost[near] < ground.cost[back]:
            back = near
    return back


@borrowing_kernel
def first_obstacle(cells: Cells, rules: Rules, ground: Ground, start: int, goal: int) -> Number:
    """Return the last cell on the cheapest way to a goal that can be walked to, or -1 if there is no way.

    Args:
        ground: with the distances of Rockford's walks.
        start: where Rockford is.
    """
    costs_from(cells, rules, ground, start, goal, 1)
    cell: Number = np.int64(goal)
    if ground.cost[cell] == FAR:
        return np.int64(-1)
    while ground.walk[cell] < 0:
        cell = step_back(rules, ground, cell)
    return cell
