"""Searches on the exact tick: a spread that finds the next goals in time and space, and a check that life goes on.

A pool holds positions as rows of two arrays; `links` tells for each row where it came from. Positions are told apart
by a hash of all cells, headings and the parity of the tick, kept in an open table.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.delirium.kernels.tick import (
    COLS,
    NEEDED,
    PUSH_UP,
    SIZE,
    Cells,
    Facts,
    Journal,
    Number,
    Rules,
    copy_position,
    step_of,
    tick,
)
from gridsage.games.delirium.level.cells import (
    BLAST_DIAMOND,
    BLAST_STONE,
    BLAST_VOID,
    BLUE,
    CLAY,
    DIAMOND,
    EXIT,
    FALLING,
    KIND_MASK,
    STONE,
    UNKNOWN,
    VOID,
)
from gridsage.games.delirium.state import (
    BY_TIME,
    DIAMONDS,
    FIRST_MONSTER,
    KILLS,
    MINER_AT,
    MONSTER_COUNT,
    PLAYING,
    TICKS,
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
    DIGS,  # 1: also dig without moving
    WANTED,  # stop after so many goals
    GOALS,  # bits: GOAL_DIAMOND, GOAL_KILL, GOAL_SIGHT
    EXIT_AT,  # the only exit, or -1
    UNRESTS,  # 3: count visits apart for calm positions, those in motion and those settled again; else 1
    HURRY,  # 1: also give up where the diamonds as they lie now are too far for the time left
    HEAD,  # next position to expand: a spread goes on where it stopped
    COUNT,  # positions in the pool
    OUT_NODES,
    OUT_FOUND,
    OUT_STATE,
    FIRST_FOUND,
) = range(16)
GOAL_DIAMOND, GOAL_KILL, GOAL_SIGHT = 1, 2, 4
MOST_FOUND = 32
# UNREST: have stones or diamonds moved since the beginning?
CALM, IN_MOTION, SETTLED = range(3)
REQUEST_LENGTH = FIRST_FOUND + MOST_FOUND
# OUT_STATE
RUNNING, EXHAUSTED, POOL_FULL, FOUND_WIN = range(4)

MIX_A: Number = np.int64(-7046029254386353131)
MIX_B: Number = np.int64(-4658895280553007687)


@kernel
def mixed(value: Number) -> Number:
    """Mix the bits of a 64-bit integer (the finalizer of a hash)."""
    value = value * MIX_A
    value ^= (value >> 29) & 0x7FFFFFFFF
    value = value * MIX_B
    return value ^ ((value >> 32) & 0xFFFFFFFF)


@kernel
def cell_hash(cells: Cells) -> Number:
    """The hash of all cells from scratch; void counts nothing."""
    value = 0
    for cell in range(len(cells)):
        if cells[cell] != VOID:
            value ^= mixed(cell << 8 | np.int64(cells[cell]))
    return value


@kernel
def changed_hash(value: Number, journal: Journal) -> Number:
    """The hash after the changes of one tick."""
    for i in range(1, journal[0] + 1):
        packed = journal[i]
        cell, old, new = packed >> 16, packed >> 8 & 255, packed & 255
        if old != VOID:
            value ^= mixed(cell << 8 | old)
        if new != VOID:
            value ^= mixed(cell << 8 | new)
    return value


@kernel
def position_key(value: Number, facts: Facts, rules: Rules) -> Number:
    """The cells' hash with headings, the parity of the tick and the diamonds in hand; never 0."""
    for number in range(FIRST_MONSTER, FIRST_MONSTER + rules[MONSTER_COUNT]):
        value ^= mixed((number + 1) << 32 | (facts[number] & 0xFFFFFFF))
    value ^= mixed(-1 - (facts[TICKS] & 1) - (facts[DIAMONDS] << 1))
    return value if value != 0 else 1


@kernel
def is_new(table: Table, key: Number) -> bool:
    """Put `key` into the table; return True if it was new."""
    mask = len(table) - 1
    slot = key & mask
    while table[slot] != 0:
        if table[slot] == key:
            return False
        slot = (slot + 1) & mask
    table[slot] = key
    return True


@kernel
def does_something(cells: Cells, facts: Facts, rules: Rules, action: int) -> bool:
    """Return True if an action changes more than waiting would."""
    if action == 0:
        return True
    heading = (1, 0, 3, 2)[(action - 1) & 3]
    step = step_of(heading, rules[COLS])
    target = facts[MINER_AT] + step
    kind = cells[target] & KIND_MASK
    if action >= 5:
        return bool(kind == CLAY or kind == DIAMOND)
    if kind == VOID or kind == CLAY or kind == DIAMOND:
        return True
    if kind == EXIT:
        return bool(facts[DIAMONDS] >= rules[NEEDED])
    if kind != STONE or heading == 2 or (heading == 0 and rules[PUSH_UP] == 0):
        return False
    end = target
    while cells[end] == STONE:
        end += step
    return bool(cells[end] == VOID)


@kernel
def sees_unknown(cells: Cells, rules: Rules, cell: int) -> bool:
    """Return True if a cell orthogonally beside this one is unknown."""
    found = False
    for heading in range(4):
        found |= cells[cell + step_of(heading, rules[COLS])] == UNKNOWN
    return found


@kernel
def unrest_after(unrest: Number, journal: Journal) -> Number:
    """The unrest of a position after one tick with these changes."""
    for i in range(1, journal[0] + 1):
        if journal[i] & FALLING != 0:
            return IN_MOTION
    return CALM if unrest == CALM else SETTLED


@kernel
def is_too_late(facts: Facts, rules: Rules, exit_at: int) -> bool:
    """Return True if the time left is less than a tick per missing diamond and the straight way to the exit."""
    left = facts[TIME]
    if left < 0 or exit_at < 0:
        return False
    cols = rules[COLS]
    rows_off = abs(facts[MINER_AT] // cols - exit_at // cols)
    cols_off = abs(facts[MINER_AT] % cols - exit_at % cols)
    return bool(left < max(rows_off + cols_off, rules[NEEDED] - facts[DIAMONDS] + 1))


@kernel
def is_hopeless(cells: Cells, facts: Facts, rules: Rules, exit_at: int) -> bool:
    """As is_too_late, over the diamonds where they lie now: quick, but a falling diamond may prove it wrong."""
    left, missing, cols = facts[TIME], rules[NEEDED] - facts[DIAMONDS], rules[COLS]
    if left < 0 or exit_at < 0 or missing <= 0:
        return False
    row, col = facts[MINER_AT] // cols, facts[MINER_AT] % cols
    exit_row, exit_col = exit_at // cols, exit_at % cols
    in_time = 0  # diamonds that can be visited on the way to the exit
    for cell in range(rules[SIZE]):
        if cells[cell] & KIND_MASK == DIAMOND:
            there, up = cell % cols, cell // cols
            way = abs(up - row) + abs(there - col) + abs(up - exit_row) + abs(there - exit_col)
            in_time += way <= left
    return bool(in_time < missing)


@kernel
def spread(
    pool: Pool,
    fact_pool: FactPool,
    links: Links,
    table: Table,
    quota: NDArray[np.int64],
    rules: Rules,
    journal: Journal,
    request: Request,
) -> int:
    """Breadth first from the position in row 0 until enough goals are found; called again it goes on.

    Args:
        quota: one counter for each unrest, window of time and cell, zero at the beginning.
    """
    size = rules[SIZE]
    windows = len(quota) // (size * request[UNRESTS])
    nodes, head, count = 0, request[HEAD], request[COUNT]
    if head == 0 and count == 1:
        links[0, PARENT], links[0, ACTION], links[0, DEPTH], links[0, UNREST] = -1, 0, 0, CALM
        links[0, HASH] = cell_hash(pool[0])
        is_new(table, position_key(links[0, HASH], fact_pool[0], rules))
    state = RUNNING
    last_action = 9 if request[DIGS] != 0 else 5
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
            if not does_something(pool[parent], fact_pool[parent], rules, action):
                continue
            cells, facts = pool[count], fact_pool[count]
            copy_position(cells, facts, pool[parent], fact_pool[parent])
            nodes += 1
            status = tick(cells, facts, rules, journal, action)
            if status == WON:
                links[count, PARENT], links[count, ACTION], links[count, DEPTH] = parent, action, depth
                request[FIRST_FOUND] = count
                request[OUT_FOUND] = 1
                request[HEAD], request[COUNT], request[OUT_NODES] = head, count + 1, nodes
                request[OUT_STATE] = FOUND_WIN
                return FOUND_WIN
            if status != PLAYING or is_too_late(facts, rules, request[EXIT_AT]):
                continue
            if request[HURRY] != 0 and is_hopeless(cells, facts, rules, request[EXIT_AT]):
                continue
            value = changed_hash(links[parent, HASH], journal)
            collected = facts[DIAMONDS] > fact_pool[parent][DIAMONDS] and facts[DIAMONDS] <= rules[NEEDED]
            killed = facts[KILLS] > fact_pool[parent][KILLS]
            at = 0
            if request[QUOTA] != 0:
                window = min(depth >> request[WINDOW_SHIFT], windows - 1)
                unrest = unrest_after(links[parent, UNREST], journal)
                links[count, UNREST] = unrest
                if request[UNRESTS] == 1:
                    unrest = 0
                at = (unrest * windows + window) * size + facts[MINER_AT]
                if quota[at] >= request[QUOTA] and not killed:
                    continue
            # only what is kept enters the table: it has twice as many slots as the pool has rows
            if not is_new(table, position_key(value, facts, rules)):
                continue
            if request[QUOTA] != 0:
                quota[at] += 1
            links[count, PARENT], links[count, ACTION], links[count, DEPTH] = parent, action, depth
            links[count, HASH] = value
            is_goal = (collected and request[GOALS] & GOAL_DIAMOND != 0) or (killed and request[GOALS] & GOAL_KILL != 0)
            if not is_goal and request[GOALS] & GOAL_SIGHT != 0 and facts[MINER_AT] != fact_pool[parent][MINER_AT]:
                is_goal = sees_unknown(cells, rules, facts[MINER_AT])
            if is_goal and request[OUT_FOUND] < MOST_FOUND:
                request[FIRST_FOUND + request[OUT_FOUND]] = count
                request[OUT_FOUND] += 1
                links[count, DEPTH] = request[MAX_DEPTH]  # the plan after it is a search of its own
            count += 1
    request[HEAD], request[COUNT], request[OUT_NODES] = head, count, nodes
    request[OUT_STATE] = state
    return state


@kernel
def survives(
    cells: Cells,
    facts: Facts,
    rules: Rules,
    pool: Pool,
    fact_pool: FactPool,
    journal: Journal,
    ticks: int,
    most_nodes: int,
) -> int:
    """Look for a way to live so many ticks more: the nodes spent if there is one, else their negative.

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
        if not does_something(pool[depth], fact_pool[depth], rules, action):
            continue
        copy_position(pool[depth + 1], fact_pool[depth + 1], pool[depth], fact_pool[depth])
        nodes += 1
        status = tick(pool[depth + 1], fact_pool[depth + 1], rules, journal, action)
        if status == WON or status == BY_TIME:
            return nodes  # the end of the time is nothing that living on could help
        if status == PLAYING:
            depth += 1
            next_action[depth] = 0
            deepest = max(deepest, depth)
    return -max(nodes, 1)


@kernel
def flood(cells: Cells, rules: Rules, start: int, distance: NDArray[np.int64], queue: NDArray[np.int64]) -> int:
    """Walking distances over void, clay and diamonds, -1 where none; cells reached. Exits are reached, not passed."""
    for cell in range(len(distance)):
        distance[cell] = -1
    distance[start] = 0
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        if cells[cell] & KIND_MASK == EXIT:
            continue
        for heading in range(4):
            near = cell + step_of(heading, rules[COLS])
            if near < 0 or near >= rules[SIZE] or distance[near] >= 0:
                continue
            kind = cells[near] & KIND_MASK
            # monsters walk away and blasts burn out: neither closes a way for good
            free = kind == VOID or kind == CLAY or kind == DIAMOND or kind == EXIT
            if free or BLUE <= kind < BLUE + 6 or BLAST_VOID <= kind <= BLAST_STONE:
                distance[near] = distance[cell] + 1
                queue[tail] = near
                tail += 1
    return tail


@kernel
def prospects(
    cells: Cells, facts: Facts, rules: Rules, distance: NDArray[np.int64], queue: NDArray[np.int64], out: Facts
) -> None:
    """What lies ahead without moving a stone: diamonds in reach, steps to the nearest and to the exit (or -1)."""
    reached = flood(cells, rules, facts[MINER_AT], distance, queue)
    out[0], out[1], out[2] = 0, -1, -1
    for i in range(1, reached):
        kind = cells[queue[i]] & KIND_MASK
        if kind == DIAMOND or kind == BLAST_DIAMOND:
            out[0] += 1
            if out[1] < 0:
                out[1] = distance[queue[i]]
        elif kind == EXIT and out[2] < 0:
            out[2] = distance[queue[i]]


@kernel
def follow(cells: Cells, facts: Facts, rules: Rules, journal: Journal, actions: NDArray[np.int64]) -> int:
    """Play a line of actions in place; how many were played while the game went on (the last one may end it)."""
    for i in range(len(actions)):
        if tick(cells, facts, rules, journal, actions[i]) != PLAYING:
            return i + 1
    return len(actions)


@kernel
def danger(cells: Cells, facts: Facts, rules: Rules, journal: Journal, heat: NDArray[np.int64], ticks: int) -> None:
    """How soon each cell is beside a monster or under a falling thing while the miner waits: 255 now, less later."""
    for cell in range(len(heat)):
        heat[cell] = 0
    for passed in range(ticks):
        warmth = 255 - passed * 255 // ticks
        for number in range(FIRST_MONSTER, FIRST_MONSTER + rules[MONSTER_COUNT]):
            if facts[number] < 0:
                continue
            for heading in range(4):
                near = (facts[number] >> 3) + step_of(heading, rules[COLS])
                heat[near] = max(heat[near], warmth)
        for i in range(1, journal[0] + 1):
            cell = journal[i] >> 16
            below = cell + rules[COLS]
            if cells[cell] & FALLING != 0 and below < rules[SIZE]:
                heat[below] = max(heat[below], warmth)
        if tick(cells, facts, rules, journal, 0) != PLAYING:
            return
