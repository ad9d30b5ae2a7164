"""The search for a shortest solution: best-first by layers of equal estimate, opening every position once.

The estimate of a position is the moves made plus the lower bound of `bounds.py`. Layer after layer of rising estimate
is searched until a solution turns up. The bound is consistent, so a position is first met by a shortest path, whatever
the order inside a layer; the newest is taken first, because that meets the solution of the last layer early. So are,
layer by layer, the older positions whose turn has come: random missions open three quarters as many as the other way
round.

A position makes its children in instalments (partial expansion): those of its own layer at once, those of estimate + k
in the layer k later. So no child is made twice, and no position is stored that no layer has asked for.

The search stops and goes on at any point between two positions: all that it knows is in `control` and the arrays.
Several threads may work on one layer: each has its own `control` and its own part of the arrays, the table of known
keys is shared. If two of them add a key at the same moment, a position is stored twice, which costs time and nothing
else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import inlined, kernel
from gridsage.games.ricochet.kernels.bounds import (
    FLOOR,
    UNREACHABLE,
    Tables,
    fill_strong_bound,
    fill_weak_bound,
    spread_weak_bound,
)
from gridsage.games.ricochet.kernels.keys import (
    FREE,
    MARK_BITS,
    MARK_MASK,
    SERVING_MASK,
    UNMOVED,
    Keys,
    guard_bit,
    pack,
    unpack,
)
from gridsage.games.ricochet.kernels.opening import (
    CHILDREN,
    DUE_MASK,
    LAST_BIT,
    MADE_BITS,
    MADE_MASK,
    NEXT_LAYER_BIT,
    PAIRED_ROBOTS,
    QUIET_BITS,
    SMALL_CELL_BITS,
    SMALL_CELL_MASK,
    least_bound,
    open_four,
    open_paired,
    open_position,
    pair_bound,
)
from gridsage.games.ricochet.kernels.pairs import IS_FILLED, Pairs, fill_pairs, prepare_pairs
from gridsage.games.ricochet.kernels.slide import (
    DIRECTIONS,
    MAX_ROBOTS,
    Robots,
    Stops,
    Walls,
    close_walls,
    fill_stops,
    slide_ends,
)
from gridsage.search.kernels import EMPTY, add_key, borrowed, home_slot, prefetch, signed

# Children wait here while the processor fetches their slot of the table.
RING = 128
RING_DELAY = 32

# Fields of `control`. The caller sets those down to ONE_LAYER, the first of them anew for every search, in one write. A
# NumPy record would read better, but Numba takes some 40 us to accept one per call: measured side by side, hard
# positions take the same time and random ones 1.28 times the median.
STAGE = 0  # FRESH at the start
OPENED = 1  # positions opened, counting each instalment; 0 at the start
PROVED = 2  # no solution has this many moves or fewer; -1 at the start
OPENED_LIMIT = 3  # return when OPENED has come so far
WEAK_LIMIT = 4  # positions to open before the strong bound is worth its price
ROBOTS, TARGET, TARGET_ROBOT, MUST_RICOCHET = 5, 6, 7, 8
FIRST_ROBOT = 9
SIDE_BITS = 14
ARENA_FIRST, ARENA_END = 15, 16  # the part of the arrays that belongs to this thread
STRONG_LIMIT = 17  # positions to open before the bound over pairs is worth its price
ONE_LAYER = 18  # return at the end of each layer (where several threads work together)
# The kernel sets these.
LAYER = 19
STORED = 20  # one past the last stored position
STACKED = 21
TABLE_BITS = 22
RANGES = 23
RANGE, RANGE_NEXT = 24, 25  # where the walk through the older layers stands
ALIVE = 26  # 1 if a later layer may still get positions
LENGTH = 27
LAST_NODE = 28
LAST_KEY = 29  # the solved position
STORED_LIMIT = 30  # the value of STORED at which the table has to grow
SHARES_TABLE = 31  # other threads use the table too: the caller lets it grow
MISSING = 32  # the cell of the serving robot for which PART_MISSING was returned
# The stored positions of one layer: from, to, stride, estimate; newest last.
FIRST_RANGE = 33
RANGE_FIELDS = 4
MAX_RANGES = 500
FIRST_MOVE = FIRST_RANGE + RANGE_FIELDS * MAX_RANGES
MAX_LENGTH = 1000
# Room to work in: the robots of the position being opened, its children, and children that wait with their parents.
FIRST_OPENED = FIRST_MOVE + MAX_LENGTH
FIRST_CHILD = FIRST_OPENED + MAX_ROBOTS
FIRST_RING = FIRST_CHILD + CHILDREN
CONTROL_SIZE = FIRST_RING + 2 * RING

# Stages.
FRESH, WEAK, STRONG, PAIRED, STRONG_ONLY = 0, 1, 2, 3, 4
# What `advance` returns.
SOLVED, UNSOLVABLE, SLICE_USED, LAYER_DONE, TABLE_FULL, ARENA_FULL, TOO_DEEP = 0, 1, 2, 3, 4, 5, 6
PART_MISSING = 7  # only inside `advance`: the search needs a part of the table over pairs

# Easy positions are solved before the strong bound (near 0.3 ms to build) would pay.
WEAK_OPENINGS = 2500
# Hard ones are worth the raised bound (near 5 ms).
STRONG_OPENINGS = 20_000
FIRST_TABLE_BITS = 13

Control = NDArray[np.int64]  # (CONTROL_SIZE,)
Links = NDArray[np.uint32]  # (2, capacity)
Later = NDArray[np.uint8]  # (capacity,)


@kernel
def advance(
    control: Control,
    walls: Walls,
    stops: Stops,
    tables: Tables,
    pairs: Pairs,
    keys: Keys,
    links: Links,
    later: Later,
    table: Keys,
) -> int:
    """Search on until there is something to tell the caller: one of the codes above.

    Args:
        control: (CONTROL_SIZE,) int64, see the fields above.
        walls: (cells,) wall bits; closed at the start.
        stops, tables: (cells, 4) and (3, cells, cells); filled at the start.
        pairs: see `pairs.py`; empty on boards for which that table would be too large.
        keys: (capacity,) the stored positions; links: (2, capacity) their parents, and the stack of positions to open.
        later: (capacity,) bit k: children are due k layers after the position's own.
        table: a power of two of slots; the first 2**TABLE_BITS are in use.
    """
    # The caller owns them all: counting references anew in every call below took a fifth of the time of hard positions.
    control, walls, stops, tables = borrowed(control), borrowed(walls), borrowed(stops), borrowed(tables)
    pairs, keys, links = borrowed(pairs), borrowed(keys), borrowed(links)
    later, table = borrowed(later), borrowed(table)
    if control[STAGE] == FRESH:
        close_walls(walls, control[SIDE_BITS])
        fill_stops(walls, control[SIDE_BITS], stops)
        fill_weak_bound(stops, control[SIDE_BITS], control[TARGET], tables)
        if not is_as_sold(control):
            spread_weak_bound(tables)
        control[PROVED] = -1
        control[ONE_LAYER] = control[OPENED] = control[SHARES_TABLE] = control[ARENA_FIRST] = 0
        control[STAGE] = WEAK
        if not _begin(control, walls, stops, tables, pairs, keys, links, later, table):
            return UNSOLVABLE
    while True:
        code = _search_layer(control, stops, tables, pairs, keys, links, later, table)
        if code == PART_MISSING:
            fill_pairs(walls, stops, control[SIDE_BITS], tables, pairs, control[MISSING])
            continue
        if code == SOLVED:
            _write_moves(control, stops, keys, links)
            return SOLVED
        if code == SLICE_USED and control[STAGE] == WEAK and control[OPENED] >= control[WEAK_LIMIT]:
            fill_strong_bound(walls, stops, control[SIDE_BITS], control[TARGET], tables)
            control[STAGE] = STRONG if is_as_sold(control) else STRONG_ONLY
            _begin(control, walls, stops, tables, pairs, keys, links, later, table)
            continue
        if code == SLICE_USED and control[STAGE] == STRONG and control[OPENED] >= control[STRONG_LIMIT]:
            prepare_pairs(walls, stops, control[SIDE_BITS], control[TARGET], tables, pairs)
            control[STAGE] = PAIRED
            _begin(control, walls, stops, tables, pairs, keys, links, later, table)
            continue
        if code == TABLE_FULL and not control[SHARES_TABLE] and 2 << control[TABLE_BITS] <= table.size:
            grow_table(control, keys, table)
            continue
        if code != LAYER_DONE:
            return code
        if control[ONE_LAYER]:
            return LAYER_DONE
        if not control[ALIVE]:
            return UNSOLVABLE
        if not begin_layer(control, control[LAYER] + 1):
            return TOO_DEEP


@inlined
def is_as_sold(control: Control) -> bool:
    """Return True for four robots on 16 x 16 cells: there is code for just these, and the bound over pairs."""
    return bool(control[ROBOTS] == PAIRED_ROBOTS and 2 * control[SIDE_BITS] == SMALL_CELL_BITS)


@kernel
def _begin(
    control: Control,
    walls: Walls,
    stops: Stops,
    tables: Tables,
    pairs: Pairs,
    keys: Keys,
    links: Links,
    later: Later,
    table: Keys,
) -> bool:
    """Empty the search and store the starting positions; false if the target is out of reach for every robot."""
    count, cell_bits = control[ROBOTS], 2 * control[SIDE_BITS]
    state_bits = count * cell_bits
    control[TABLE_BITS] = FIRST_TABLE_BITS
    table[: 1 << FIRST_TABLE_BITS] = EMPTY
    control[RANGES] = 0
    control[STORED] = 0
    control[STORED_LIMIT] = table_limit(FIRST_TABLE_BITS)
    robots = np.empty(MAX_ROBOTS, np.int64)
    least = UNREACHABLE
    for serving in range(count):
        if control[TARGET_ROBOT] >= 0 and serving != control[TARGET_ROBOT]:
            continue
        key = pack(control[FIRST_ROBOT : FIRST_ROBOT + count], cell_bits, count, serving)
        unpack(key, cell_bits, count, robots)
        if control[STAGE] == WEAK:
            estimate = signed(tables[FLOOR, 0, robots[0]])
        else:
            estimate = least_bound(tables, robots[0], robots, count)
        if control[STAGE] == PAIRED:
            if not tables[FLOOR, IS_FILLED, robots[0]]:
                fill_pairs(walls, stops, control[SIDE_BITS], tables, pairs, robots[0])
            estimate = pair_bound(pairs.reshape(-1), robots[0], robots[1], robots[2], robots[3])
        if estimate == UNREACHABLE:
            continue
        if control[MUST_RICOCHET]:
            key |= UNMOVED << state_bits
        if control[TARGET_ROBOT] < 0:
            key |= serving << (state_bits + MARK_BITS)
        key |= guard_bit(cell_bits, count)
        node = control[STORED]
        keys[node] = key
        add_key(table, FIRST_TABLE_BITS, key)
        links[0, node] = node
        later[node] = 1
        control[STORED] += 1
        least = min(least, estimate)
        first_range = FIRST_RANGE + RANGE_FIELDS * control[RANGES]
        control[first_range] = node
        control[first_range + 1] = node + 1
        control[first_range + 2] = 1
        control[first_range + 3] = estimate
        control[RANGES] += 1
    if control[STORED] == 0:
        return False
    begin_layer(control, least)
    return True


@kernel
def begin_layer(control: Control, layer: int) -> bool:
    """Make ready for the layer of this estimate; false if there is no room for its range."""
    if control[RANGES] >= MAX_RANGES:
        return False
    first_range = FIRST_RANGE + RANGE_FIELDS * control[RANGES]
    control[first_range] = control[STORED]
    control[first_range + 1] = control[STORED]
    control[first_range + 2] = 1
    control[first_range + 3] = layer
    control[RANGES] += 1
    control[LAYER] = layer
    control[PROVED] = max(control[PROVED], layer - 1)
    control[RANGE] = control[RANGES] - 2
    control[RANGE_NEXT] = control[first_range - RANGE_FIELDS]
    control[STACKED] = 0
    control[ALIVE] = 0
    return True


@kernel
def table_limit(bits: int) -> int:
    """How many keys a table of 2**bits slots may hold before looking one up takes too many steps."""
    return (5 << bits) >> 3


@kernel
def grow_table(control: Control, keys: Keys, table: Keys) -> None:
    """Put all keys of a search on one thread into twice as many slots."""
    bits = control[TABLE_BITS] + 1
    table[: 1 << bits] = EMPTY
    add_stored_keys(keys, 0, control[STORED], table, bits)
    control[TABLE_BITS] = bits
    control[STORED_LIMIT] = table_limit(bits)


@kernel
def add_stored_keys(keys: Keys, first: int, end: int, table: Keys, bits: int) -> None:
    """Put the keys of the stored positions `first` to `end` into a table of 2**bits slots."""
    for node in range(first, end):
        ahead = min(node + RING_DELAY, end - 1)
        prefetch(table, home_slot(signed(keys[ahead]), bits))
        add_key(table, bits, signed(keys[node]))


@kernel
def _search_layer(
    control: Control,
    stops: Stops,
    tables: Tables,
    pairs: Pairs,
    keys: Keys,
    links: Links,
    later: Later,
    table: Keys,
) -> int:
    """Open the positions of this layer and the due instalments of older ones."""
    side_bits, count, bits = control[SIDE_BITS], control[ROBOTS], control[TABLE_BITS]
    state_bits = 2 * side_bits * count
    cell_mask, target = (1 << 2 * side_bits) - 1, control[TARGET]
    layer, stored, stacked, opened = control[LAYER], control[STORED], control[STACKED], control[OPENED]
    last_range = control[RANGES] - 1
    opened_limit = control[OPENED_LIMIT]
    strong_row, pair_row = tables.reshape(-1), pairs.reshape(-1)
    is_paired, four = control[STAGE] == PAIRED, is_as_sold(control)
    # Where the bound of a serving and a helper cell is found: the weak one is a single row over the serving cells.
    bounds, shift, mask = strong_row, SMALL_CELL_BITS, SMALL_CELL_MASK
    if control[STAGE] == WEAK and four:
        bounds, shift, mask = tables[FLOOR, 0], 0, 0
    if control[STAGE] == WEAK:
        opened_limit = min(opened_limit, control[WEAK_LIMIT])
    elif control[STAGE] == STRONG:
        opened_limit = min(opened_limit, control[STRONG_LIMIT])
    stored_end = min(control[STORED_LIMIT], control[ARENA_END]) - RING - CHILDREN
    at_range, next_old = control[RANGE], control[RANGE_NEXT]
    robots, children = control[FIRST_OPENED:FIRST_CHILD], control[FIRST_CHILD:FIRST_RING]
    ring_keys, ring_parents = control[FIRST_RING : FIRST_RING + RING], control[FIRST_RING + RING :]
    delay = 0 if control[STAGE] == WEAK else RING_DELAY  # a small table is in the innermost cache
    waiting_from, waiting_to = 0, 0
    alive = control[ALIVE] != 0
    code = LAYER_DONE
    while True:
        node = -1
        due, outcome = 0, 0
        is_stacked = stacked > 0
        if opened >= opened_limit or stored >= stored_end:
            code = SLICE_USED
        elif is_stacked:
            stacked -= 1
            node = signed(links[1, control[ARENA_FIRST] + stacked])
        elif at_range >= 0:
            fields = FIRST_RANGE + RANGE_FIELDS * at_range
            range_end, stride = control[fields + 1], control[fields + 2]
            due = layer - control[fields + 3]
            if due < 0:
                alive = True
                next_old = range_end
            bit = min(due, LAST_BIT)
            while next_old < range_end:
                waiting = later[next_old] >> bit
                if waiting & 1:
                    node = next_old
                    next_old += stride
                    break
                if waiting:
                    alive = True
                next_old += stride
            if node < 0:
                at_range -= 1
                next_old = control[FIRST_RANGE + RANGE_FIELDS * max(at_range, 0)]
                continue
        elif waiting_from == waiting_to:
            break
        if node >= 0:
            opened += 1
            key = signed(keys[node])
            if is_paired:
                outcome = open_paired(stops, tables, strong_row, pair_row, key, due, children)
            elif four:
                outcome = open_four(stops, tables, bounds, shift, mask, key, due, children)
            else:
                outcome = open_position(stops, tables, side_bits, count, key, due, robots, children)
            if outcome < 0:
                control[MISSING] = -1 - outcome
                code = PART_MISSING
                opened -= 1
                if is_stacked:  # put the position back
                    stacked += 1
                else:
                    next_old = node
                node = -1
        if node >= 0:
            made = outcome & MADE_MASK
            instalments = (outcome >> MADE_BITS) & DUE_MASK
            later[node] = instalments
            alive |= instalments != 0
            quiet = outcome >> QUIET_BITS
            for index in range(made):
                key = children[index]
                if key & cell_mask == target and (key >> state_bits) & MARK_MASK == FREE:
                    control[LENGTH] = layer
                    control[LAST_NODE] = node
                    control[LAST_KEY] = key
                    control[OPENED] = opened
                    return SOLVED
                prefetch(table, home_slot(key, bits))
                ring_keys[waiting_to & (RING - 1)] = key
                ring_parents[waiting_to & (RING - 1)] = node << 1 | ((quiet >> index) & 1)
                waiting_to += 1
        may_wait = delay if node >= 0 else 0
        while waiting_to - waiting_from > may_wait:
            key = ring_keys[waiting_from & (RING - 1)]
            parent = ring_parents[waiting_from & (RING - 1)]
            waiting_from += 1
            if add_key(table, bits, key):
                keys[stored] = key
                links[0, stored] = parent >> 1
                if parent & 1:  # a quiet child: its turn comes in the next layer
                    later[stored] = NEXT_LAYER_BIT
                    alive = True
                else:
                    links[1, control[ARENA_FIRST] + stacked] = stored
                    stacked += 1
                stored += 1
        if code != LAYER_DONE:
            break
    control[FIRST_RANGE + RANGE_FIELDS * last_range + 1] = stored
    control[STORED], control[STACKED], control[OPENED] = stored, stacked, opened
    control[RANGE], control[RANGE_NEXT] = at_range, next_old
    control[ALIVE] = alive
    if code == SLICE_USED and opened < opened_limit:
        return TABLE_FULL if control[STORED_LIMIT] <= control[ARENA_END] else ARENA_FULL
    return code


@kernel
def _write_moves(control: Control, stops: Stops, keys: Keys, links: Links) -> None:
    """Write the moves that lead to the solved position, from FIRST_MOVE on, and LENGTH."""
    side_bits, count, length = control[SIDE_BITS], control[ROBOTS], control[LENGTH]
    cell_bits = 2 * side_bits
    state_mask = (1 << (cell_bits * count)) - 1
    path = np.empty(length, np.int64)
    node = control[LAST_NODE]
    path[length - 1] = control[LAST_KEY]
    for place in range(length - 2, -1, -1):
        path[place] = keys[node]
        node = signed(links[0, node])
    serving = control[TARGET_ROBOT]
    if serving < 0:
        serving = (control[LAST_KEY] >> (cell_bits * count + MARK_BITS)) & SERVING_MASK
    robots = control[FIRST_ROBOT : FIRST_ROBOT + count].copy()
    for place in range(length):
        control[FIRST_MOVE + place] = move_to(stops, side_bits, robots, serving, path[place] & state_mask)


@kernel
def move_to(stops: Stops, side_bits: int, robots: Robots, serving: int, wanted: int) -> int:
    """The action that turns the labelled `robots` into the position `wanted`; makes the move on `robots`."""
    count = robots.size
    for mover in range(count):
        origin = robots[mover]
        ends = slide_ends(stops, side_bits, robots, count, mover)
        for direction in range(DIRECTIONS):
            robots[mover] = ends[direction]
            if ends[direction] != origin and pack(robots, 2 * side_bits, count, serving) == wanted:
                return mover * DIRECTIONS + direction
        robots[mover] = origin
    return -1
