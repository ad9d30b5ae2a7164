"""Searches on the exact tick of a cave: a spread that finds the next goals, and a check that life goes on.

A pool holds positions as rows of two arrays; `links` says where each row came from. Positions are told apart by a hash
of all kinds, kept in an open table. Chances are settled by the rules a planner passes: pushes succeed, amoeba rests.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel, kernel
from gridsage.games.delirium.bd.cells import (
    BOULDER,
    BUTTERFLY,
    DIAMOND,
    DIAMOND_BIRTH,
    DIRT,
    EXIT_OPEN,
    EXIT_SHUT,
    EXPLOSION,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    FIREFLY,
    KIND_MASK,
    ROCKFORD,
    SPACE,
)
from gridsage.games.delirium.bd.kernels.chance import Number, Stream
from gridsage.games.delirium.bd.kernels.tick import (
    COLS,
    FIXED,
    FRAME,
    NEEDED,
    PACE,
    PART_1,
    PART_2_WORK,
    SIZE,
    Cells,
    Facts,
    Journal,
    Rules,
    copy_position,
    tick,
)
from gridsage.games.delirium.bd.state import (
    AMOEBA_STATE,
    BY_TIME,
    DIAMONDS,
    KILLS,
    MADE,
    MAGIC,
    PLAYING,
    PUSHES,
    ROCKFORD_AT,
    TIME,
    WON,
)

Pool = NDArray[np.uint8]  # (positions, cells)
FactPool = NDArray[np.int64]  # (positions, facts)
Links = NDArray[np.int64]  # (positions, LINK_WIDTH)
Table = NDArray[np.int64]  # (power of two,), 0: free
Request = NDArray[np.int64]

# columns of links
PARENT, ACTION, DEPTH, HASH, UNREST, LINK_WIDTH = range(6)
# request: what is asked, and from OUT_ on what is answered
(
    MAX_NODES,
    MAX_DEPTH,
    QUOTA,  # positions kept for one cell in one window of time; 0: no limit
    WINDOW_SHIFT,  # a window is 2**shift ticks
    SNAPS,  # 1: also dig and take without a step
    WANTED,  # stop after so many goals
    GOALS,  # bits: GOAL_DIAMOND, GOAL_MADE, GOAL_KILL, GOAL_PUSH
    EXIT_AT,  # the only exit, or -1
    UNRESTS,  # 3: count visits apart for calm positions, those in motion and those settled again; else 1
    HEAD,  # next position to expand: a spread goes on where it stopped
    COUNT,  # positions in the pool
    OUT_NODES,
    OUT_FOUND,
    FIRST_FOUND,
) = range(14)
GOAL_DIAMOND, GOAL_MADE, GOAL_KILL, GOAL_PUSH = 1, 2, 4, 8
MOST_FOUND = 32
TARGETS = FIRST_FOUND + MOST_FOUND  # from here on, for each cell: 1 where a dropped boulder makes diamonds
# UNREST: have boulders or diamonds moved since the beginning?
CALM, IN_MOTION, SETTLED = range(3)
MOST_CELLS = 1 << 40  # no limit to a flood
DROP_HEIGHT = 10  # how far above a target a boulder may hang to be of use
# what a spread returns
RUNNING, EXHAUSTED, POOL_FULL, FOUND_WIN = range(4)

# For every byte that a cell can hold, if Rockford may walk there: flies fly away, what falls comes to rest and blasts
# burn out, so that none closes a way for good.
CLOSED, WAY, WAY_OUT = range(3)
WAYS = np.zeros(256, dtype=np.uint8)
for _byte in range(256):
    _kind = _byte & KIND_MASK
    if _kind in (SPACE, DIRT, DIAMOND, FALLING_DIAMOND, ROCKFORD) or _kind >= FIREFLY:
        WAYS[_byte] = WAY
    elif _kind in (EXIT_SHUT, EXIT_OPEN):
        WAYS[_byte] = WAY_OUT

MIX_A: Number = np.int64(-7046029254386353131)
MIX_B: Number = np.int64(-4658895280553007687)


@borrowing_kernel
def mixed(value: Number) -> Number:
    """Mix the bits of a 64-bit integer (a hash finalizer)."""
    value = value * MIX_A
    value ^= (value >> 29) & 0x7FFFFFFFF
    value = value * MIX_B
    return value ^ ((value >> 32) & 0xFFFFFFFF)


@borrowing_kernel
def picture_hash(cells: Cells) -> Number:
    """Return the hash of all kinds from scratch; space counts nothing."""
    value = 0
    for cell in range(len(cells)):
        kind = np.int64(cells[cell]) & KIND_MASK
        if kind != SPACE:
            value ^= mixed(cell << 8 | kind)
    return value


@borrowing_kernel
def changed_hash(value: Number, journal: Journal) -> Number:
    """Return the hash after the changes of one tick."""
    for i in range(1, journal[0] + 1):
        packed = journal[i]
        cell, old, new = packed >> 16, packed >> 8 & 255, packed & 255
        if old != SPACE:
            value ^= mixed(cell << 8 | old)
        if new != SPACE:
            value ^= mixed(cell << 8 | new)
    return value


@borrowing_kernel
def position_key(value: Number, facts: Facts) -> Number:
    """Return the picture's hash with the diamonds in hand, magic wall and amoeba; never 0."""
    value ^= mixed(-1 - (facts[DIAMONDS] << 8 | facts[MAGIC] << 4 | facts[AMOEBA_STATE]))
    return value if value != 0 else 1


@borrowing_kernel
def is_new(table: Table, key: Number) -> bool:
    """Insert `key`; return True if it was new."""
    mask = len(table) - 1
    slot = key & mask
    while table[slot] != 0:
        if table[slot] == key:
            return False
        slot = (slot + 1) & mask
    table[slot] = key
    return True


@borrowing_kernel
def is_fly(kind: Number) -> bool:
    """Return True for a fly of either kind."""
    return bool(FIREFLY <= kind < BUTTERFLY + 4)


@borrowing_kernel
def does_something(cells: Cells, rules: Rules, rockford: int, action: int) -> bool:
    """Return True if an action may change more than waiting would."""
    if action == 0:
        return True
    cols = rules[COLS]
    turn = (action - 1) & 3
    step = 1 if turn & 1 == 0 else cols
    target = rockford + (step if turn == 0 or turn == 3 else -step)
    kind = cells[target] & KIND_MASK
    if action >= 5:
        return bool(kind == DIRT or kind == DIAMOND)
    if kind == SPACE or kind == DIRT or kind == DIAMOND or kind == EXIT_OPEN or kind == FALLING_BOULDER:
        return True
    if kind != BOULDER:
        return is_fly(kind)
    if turn & 1 == 1 or cells[2 * target - rockford] & KIND_MASK != SPACE:
        return False
    # A push may fail, and then he stands where he stood: not under something that falls.
    above = cells[rockford - cols] & KIND_MASK
    if above == SPACE and rockford >= 2 * cols:
        above = cells[rockford - 2 * cols] & KIND_MASK
    return bool(above != FALLING_BOULDER and above != FALLING_DIAMOND)


@borrowing_kernel
def ticks_left(facts: Facts, rules: Rules) -> Number:
    """Return how many ticks the clock can still allow, at the least length of one."""
    length = rules[FRAME]
    if rules[PACE] == PART_1:
        length = rules[FRAME] // 100
    elif rules[PACE] != FIXED:
        length = max(PART_2_WORK, rules[FRAME])
    return facts[TIME] // max(length, 1) + 1


@borrowing_kernel
def is_too_late(facts: Facts, rules: Rules, exit_at: int) -> bool:
    """Return True if the time left cannot suffice: one tick for each missing diamond, the straight way to the exit."""
    if exit_at < 0:
        return False
    cols, rockford = rules[COLS], facts[ROCKFORD_AT]
    way = abs(rockford // cols - exit_at // cols) + abs(rockford % cols - exit_at % cols)
    return bool(ticks_left(facts, rules) < max(way, rules[NEEDED] - facts[DIAMONDS] + 1))


@borrowing_kernel
def unrest_after(unrest: Number, journal: Journal) -> Number:
    """Return the unrest of a position after one tick with these changes."""
    for i in range(1, journal[0] + 1):
        kind = journal[i] & 255
        if kind == FALLING_BOULDER or kind == FALLING_DIAMOND:
            return IN_MOTION
    return CALM if unrest == CALM else SETTLED


@borrowing_kernel
def goal_reached(facts: Facts, before: Facts, needed: int, goals: int) -> bool:
    """Return True if one of the goals was reached between two positions."""
    if goals & GOAL_DIAMOND != 0 and before[DIAMONDS] < facts[DIAMONDS] <= needed:
        return True
    if goals & GOAL_MADE != 0 and facts[MADE] > before[MADE]:
        return True
    return bool(goals & GOAL_KILL != 0 and facts[KILLS] > before[KILLS])


@borrowing_kernel
def pushed_above_target(cells: Cells, facts: Facts, before: Facts, rules: Rules, request: Request) -> bool:
    """Return True if a boulder was just pushed to where it can be dropped on a target."""
    if facts[PUSHES] == before[PUSHES] or facts[ROCKFORD_AT] == before[ROCKFORD_AT]:
        return False
    cell = 2 * facts[ROCKFORD_AT] - before[ROCKFORD_AT] + rules[COLS]
    for _ in range(DROP_HEIGHT):
        if cell >= rules[SIZE] or request[TARGETS + cell] != 0:
            break
        if cells[cell] & KIND_MASK > DIRT:
            return False
        cell += rules[COLS]
    return bool(cell < rules[SIZE] and request[TARGETS + cell] != 0)


@borrowing_kernel
def spread(
    pool: Pool,
    fact_pool: FactPool,
    links: Links,
    table: Table,
    quota: NDArray[np.int64],
    rules: Rules,
    stream: Stream,
    journal: Journal,
    request: Request,
) -> int:
    """Search breadth first from the position in row 0 until enough goals are found; called again it goes on.

    Args:
        quota: one counter for each unrest, window of time and cell, zero at the beginning.
    """
    size = rules[SIZE]
    windows = len(quota) // (size * request[UNRESTS])
    nodes, head, count = 0, request[HEAD], request[COUNT]
    if head == 0 and count == 1:
        links[0, PARENT], links[0, ACTION], links[0, DEPTH], links[0, UNREST] = -1, 0, 0, CALM
        links[0, HASH] = picture_hash(pool[0])
        is_new(table, position_key(links[0, HASH], fact_pool[0]))
    state = RUNNING
    last_action = 9 if request[SNAPS] != 0 else 5
    while nodes < request[MAX_NODES] and request[OUT_FOUND] < request[WANTED]:
        if head >= count:
            state = EXHAUSTED
            break
        if count + 9 >= len(links):
            state = POOL_FULL
            break
        parent = head
        head += 1
        depth = links[parent, DEPTH] + 1
        if depth > request[MAX_DEPTH]:
            continue
        for turn in range(last_action):
            # moving before waiting: of two ways to the same cell the busy one is often the shorter
            action = turn + 1 if turn < 4 else (0 if turn == 4 else turn)
            if not does_something(pool[parent], rules, fact_pool[parent, ROCKFORD_AT], action):
                continue
            cells, facts = pool[count], fact_pool[count]
            copy_position(cells, facts, pool[parent], fact_pool[parent])
            nodes += 1
            status = tick(cells, facts, rules, stream, journal, action)
            if status == WON:
                links[count, PARENT], links[count, ACTION], links[count, DEPTH] = parent, action, depth
                request[FIRST_FOUND] = count
                request[OUT_FOUND] = 1
                request[HEAD], request[COUNT], request[OUT_NODES] = head, count + 1, nodes
                return FOUND_WIN
            if status != PLAYING or is_too_late(facts, rules, request[EXIT_AT]):
                continue
            value = changed_hash(links[parent, HASH], journal)
            is_goal = goal_reached(facts, fact_pool[parent], rules[NEEDED], request[GOALS])
            if request[GOALS] & GOAL_PUSH != 0 and not is_goal:
                is_goal = pushed_above_target(cells, facts, fact_pool[parent], rules, request)
            at = 0
            if request[QUOTA] != 0:
                window = min(depth >> request[WINDOW_SHIFT], windows - 1)
                unrest = unrest_after(links[parent, UNREST], journal)
                links[count, UNREST] = unrest
                if request[UNRESTS] == 1:
                    unrest = 0
                at = (unrest * windows + window) * size + facts[ROCKFORD_AT]
                if quota[at] >= request[QUOTA] and not is_goal:
                    continue
            # only what is kept enters the table: it has twice as many slots as the pool has rows
            if not is_new(table, position_key(value, facts)):
                continue
            if request[QUOTA] != 0:
                quota[at] += 1
            links[count, PARENT], links[count, ACTION], links[count, DEPTH] = parent, action, depth
            links[count, HASH] = value
            if is_goal and request[OUT_FOUND] < MOST_FOUND:
                request[FIRST_FOUND + request[OUT_FOUND]] = count
                request[OUT_FOUND] += 1
                links[count, DEPTH] = request[MAX_DEPTH]  # the plan after it is a search of its own
            count += 1
    request[HEAD], request[COUNT], request[OUT_NODES] = head, count, nodes
    return state


@kernel
def survives(
    cells: Cells,
    facts: Facts,
    rules: Rules,
    pool: Pool,
    fact_pool: FactPool,
    stream: Stream,
    journal: Journal,
    ticks: int,
    most_nodes: int,
) -> int:
    """Return the node count if Rockford can live for so many ticks more, and minus the node count if he cannot.

    Depth first, waiting before moving. The pools need `ticks` + 1 rows. With its nodes used up it answers yes for a
    line that reached half of the way, else no.
    """
    copy_position(pool[0], fact_pool[0], cells, facts)
    next_action = np.zeros(ticks + 1, dtype=np.int64)
    depth, nodes, deepest = 0, 0, 0
    while depth >= 0:
        if depth == ticks:
            return max(nodes, 1)
        if nodes >= most_nodes:
            return nodes if 2 * deepest >= ticks else -max(nodes, 1)
        action = next_action[depth]
        if action == 5:
            depth -= 1
            continue
        next_action[depth] += 1
        if not does_something(pool[depth], rules, fact_pool[depth, ROCKFORD_AT], action):
            continue
        copy_position(pool[depth + 1], fact_pool[depth + 1], pool[depth], fact_pool[depth])
        nodes += 1
        status = tick(pool[depth + 1], fact_pool[depth + 1], rules, stream, journal, action)
        if status == WON or status == BY_TIME:
            return nodes  # the end of the time is nothing that living on could help
        if status == PLAYING:
            depth += 1
            next_action[depth] = 0
            deepest = max(deepest, depth)
    return -max(nodes, 1)


@borrowing_kernel
def flood(
    cells: Cells,
    rules: Rules,
    start: int,
    distance: NDArray[np.int64],
    queue: NDArray[np.int64],
    goal: int = -1,
    most: int = MOST_CELLS,
) -> int:
    """Fill in walking distances, -1 where none, and return the number of cells reached. Exits are not passed.

    With a goal it ends there, and only distances up to that of the goal are filled in. It also ends with the first step
    after which it has reached as many cells as asked for.

    Args:
        queue: the cells in the order in which they were reached; one more than there are cells.
    """
    for cell in range(len(distance)):
        distance[cell] = -1
    distance[start] = 0
    queue[0] = start
    head, tail = 0, 1
    cols, size = rules[COLS], rules[SIZE]
    while head < tail < most:
        cell = queue[head]
        if cell == goal:
            return tail
        if head > 0 and WAYS[cells[cell]] == WAY_OUT:
            head += 1
            continue
        head += 1
        steps = distance[cell] + 1
        for turn in range(4):
            step = 1 if turn & 1 == 0 else cols
            near = np.uint64(cell + (step if turn > 1 else -step))
            if near >= np.uint64(size):
                continue
            # without a branch: which cells are new cannot be foreseen
            is_new_cell = (distance[near] < 0) & (WAYS[cells[near]] != CLOSED)
            distance[near] = steps if is_new_cell else distance[near]
            queue[tail] = np.int64(near)
            tail += int(is_new_cell)
    return tail


@borrowing_kernel
def prospects(
    cells: Cells, facts: Facts, rules: Rules, distance: NDArray[np.int64], queue: NDArray[np.int64], out: Facts
) -> None:
    """Say what lies ahead: diamonds in reach, steps to the nearest and to the exit (or -1), and diamonds in all."""
    reached = flood(cells, rules, facts[ROCKFORD_AT], distance, queue)
    out[0], out[1], out[2], out[3] = 0, -1, -1, 0
    for i in range(1, reached):
        kind = cells[queue[i]] & KIND_MASK
        if kind == DIAMOND or kind == FALLING_DIAMOND or DIAMOND_BIRTH <= kind < DIAMOND_BIRTH + 4:
            out[0] += 1
            if out[1] < 0:
                out[1] = distance[queue[i]]
        elif (kind == EXIT_SHUT or kind == EXIT_OPEN) and out[2] < 0:
            out[2] = distance[queue[i]]
    for cell in range(rules[SIZE]):
        kind = cells[cell] & KIND_MASK
        out[3] += kind == DIAMOND or kind == FALLING_DIAMOND or DIAMOND_BIRTH <= kind < DIAMOND_BIRTH + 4


@borrowing_kernel
def follow(
    cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, actions: NDArray[np.int64]
) -> int:
    """Play a line of actions in place; return how many were played while the game went on."""
    for i in range(len(actions)):
        if tick(cells, facts, rules, stream, journal, actions[i]) != PLAYING:
            return i + 1
    return len(actions)


@borrowing_kernel
def danger(
    cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, heat: NDArray[np.int64], ticks: int
) -> None:
    """Say how soon each cell is beside a fly, under a falling thing or in a blast: 255 now, less later."""
    cols = rules[COLS]
    for depth in range(ticks):
        for cell in range(cols, rules[SIZE] - cols):
            kind = cells[cell] & KIND_MASK
            shade = 255 - depth * 255 // ticks
            if is_fly(kind):
                for near in (cell - 1, cell + 1, cell - cols, cell + cols):
                    heat[near] = max(heat[near], shade)
            elif kind == FALLING_BOULDER or kind == FALLING_DIAMOND:
                heat[cell + cols] = max(heat[cell + cols], shade)
            elif EXPLOSION <= kind < DIAMOND_BIRTH + 4:
                heat[cell] = max(heat[cell], shade)
        if tick(cells, facts, rules, stream, journal, 0) != PLAYING:
            return
