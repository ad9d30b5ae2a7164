"""One tick of the mine on flat arrays, touching only what can move.

A position is two arrays: `cells` (uint8, one byte a cell: kind, strength bits, falling bit) and `facts` (int64:
counters, monsters, and two bitmaps of cells to look at). A stone or diamond is marked in the bitmap while it falls and
whenever a cell near it has become void or round. A bitmap has the lowest row first, so taking its first mark again and
again is the scan of the rules without the scan. What a thing does is decided on the picture before anything fell: a
cell that is left stays as it is until all have had their turn. The bitmap of this tick and that of the next swap roles
by the parity of the tick.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.delirium.level.cells import (
    BLAST_STONE,
    BLAST_VOID,
    BLUE,
    BORDER,
    CLAY,
    DIAMOND,
    EXIT,
    FALLING,
    GREEN,
    KIND_MASK,
    LEAVING,
    MAGIC,
    MINER,
    RED,
    STONE,
    STRENGTH_SHIFT,
    STURDY,
    VOID,
    WALL,
)
from gridsage.games.delirium.state import (
    BY_DIAMOND,
    BY_EXPLOSION,
    BY_STONE,
    BY_TIME,
    DIAMONDS,
    FIRST_MONSTER,
    KILLS,
    MINER_AT,
    MONSTER_COUNT,
    NOT_MOVED,
    PLAYING,
    PUSHES,
    STATUS,
    TICKS,
    TIME,
    WON,
)

Number = Any  # an int64 inside compiled code
Cells = NDArray[np.uint8]
Facts = NDArray[np.int64]
Rules = NDArray[np.int64]
Journal = NDArray[np.int64]  # [0]: how many; then cell << 16 | old byte << 8 | new byte of every change of this tick

# rules; MONSTER_COUNT is 3. Behind them: for each cell its place in the bitmaps, rows from the lowest upwards.
# Turning the rows over twice changes nothing, so the same table leads from a place back to its cell.
(
    COLS,
    SIZE,
    NEEDED,
    _,
    BLUE_RESTS,
    OTHERS_PACE,
    ROLL_FIRST,
    CRUSH_ON_ARRIVAL,
    PASSING_UNDER,
    MAGIC_TURNS,
    PUSH_UP,
    PUSH_ROWS,
    BLAST_TICKS,
    EXPLODE_ON_ARRIVAL,
    EVEN_MAP,
    ODD_MAP,
    SUMMARY_WORDS,
    PLACES,
) = range(18)
EACH_TICK, EVERY_SECOND_TICK, NEVER = range(3)

WORD_BITS = 32  # of each int64: products stay below 2**63
# log2 of a single bit by de Bruijn's multiplication, 32 bits
DE_BRUIJN = 0x077CB531
BIT_INDEX = np.array(
    [
        0,
        1,
        28,
        2,
        29,
        14,
        24,
        3,
        30,
        22,
        20,
        15,
        25,
        17,
        4,
        8,
        31,
        27,
        13,
        23,
        21,
        19,
        16,
        7,
        26,
        12,
        18,
        6,
        11,
        5,
        10,
        9,
    ],
    dtype=np.int64,
)
DIAMOND_TO_STONE = DIAMOND ^ STONE  # this bit set, a diamond reads as a stone: one comparison for both
MAGIC_STONE_SUM = STONE + DIAMOND  # one less the other
EMPTY, WAKE = 0, 1  # what is deferred to the end of a tick


@kernel
def put(cells: Cells, journal: Journal, cell: int, byte: Number) -> None:
    """Write a cell and note the change."""
    count = journal[0] + 1
    journal[0] = count
    journal[count] = cell << 16 | np.int64(cells[cell]) << 8 | byte
    cells[cell] = byte


@kernel
def mark(facts: Facts, rules: Rules, bitmap: int, cell: int) -> None:
    """Set the bit of `cell` in a bitmap and in its summary."""
    place = rules[PLACES + cell]
    word = place >> 5
    facts[bitmap + rules[SUMMARY_WORDS] + word] |= 1 << (place & 31)
    facts[bitmap + (word >> 5)] |= 1 << (word & 31)


@kernel
def is_marked(facts: Facts, rules: Rules, bitmap: int, cell: int) -> bool:
    """Return True if the bit of `cell` is set."""
    place = rules[PLACES + cell]
    return bool((facts[bitmap + rules[SUMMARY_WORDS] + (place >> 5)] >> (place & 31)) & 1 != 0)


@kernel
def may_move(cells: Cells, rules: Rules, cell: int) -> bool:
    """Return True if a stone or diamond is at `cell` that falls or could roll as things stand."""
    if (cells[cell] & KIND_MASK | DIAMOND_TO_STONE) != STONE:
        return False
    below = cell + rules[COLS]
    if cells[cell] & FALLING != 0 or cells[below] == VOID:
        return True
    under = cells[below] & KIND_MASK
    if under != STONE and under != DIAMOND and under != STURDY and under != MAGIC:
        return False
    left = cells[cell - 1] == VOID and cells[below - 1] == VOID
    return bool(left or (cells[cell + 1] == VOID and cells[below + 1] == VOID))


@kernel
def wake_around(cells: Cells, facts: Facts, rules: Rules, bitmap: int, cell: int) -> None:
    """Mark everything that may move because `cell` has become void.

    What cannot move as things stand is not marked: the change that lets it move will mark it. Written out without
    calls: each call that passes arrays was measured at 50 to 100 ns, a tenth of a whole tick.
    """
    cols = rules[COLS]
    for turn in range(5):
        near = cell - cols - 1 + turn if turn < 3 else cell - 7 + 2 * turn
        byte = cells[near]
        if (byte & KIND_MASK | DIAMOND_TO_STONE) != STONE:
            continue
        below = near + cols
        under = cells[below] & KIND_MASK
        if byte & FALLING == 0 and under != VOID:
            if (under | DIAMOND_TO_STONE) != STONE and under != STURDY and under != MAGIC:
                continue
            left = cells[near - 1] == VOID and cells[below - 1] == VOID
            if not left and not (cells[near + 1] == VOID and cells[below + 1] == VOID):
                continue
        place = rules[PLACES + near]
        word = place >> 5
        facts[bitmap + rules[SUMMARY_WORDS] + word] |= 1 << (place & 31)
        facts[bitmap + (word >> 5)] |= 1 << (word & 31)


@kernel
def step_of(heading: int, cols: int) -> int:
    """How far in flat cells one step goes: up, right, down, left."""
    if heading == 0:
        return -cols
    if heading == 1:
        return 1
    if heading == 2:
        return cols
    return -1


@kernel
def miner_acts(cells: Cells, facts: Facts, rules: Rules, journal: Journal, action: int) -> bool:
    """Let the miner act; return True if he moved. Actions: 1 right, 2 up, 3 left, 4 down, 5 to 8 dig; others wait."""
    if action < 1 or action > 8:
        return False
    odd = facts[TICKS] & 1
    now, later = rules[EVEN_MAP + odd], rules[ODD_MAP - odd]
    heading = (1, 0, 3, 2)[(action - 1) & 3]
    step = step_of(heading, rules[COLS])
    miner = facts[MINER_AT]
    target = miner + step
    kind = np.int64(cells[target]) & KIND_MASK
    if action >= 5:
        if kind == CLAY or kind == DIAMOND:
            facts[DIAMONDS] += kind == DIAMOND
            put(cells, journal, target, VOID)
            wake_around(cells, facts, rules, now, target)
        return False
    if kind == EXIT:
        if facts[DIAMONDS] < rules[NEEDED]:
            return False
        facts[STATUS] = WON
    elif kind == STONE:
        if heading == 2 or (heading == 0 and rules[PUSH_UP] == 0):
            return False
        end = target
        while cells[end] == STONE:  # with the falling bit it is not equal
            end += step
        if cells[end] != VOID or (rules[PUSH_ROWS] == 0 and end != target + step):
            return False
        put(cells, journal, end, STONE)
        if heading == 0:  # what was pushed up rests in this tick
            for cell in range(end, target, rules[COLS]):
                mark(facts, rules, later, cell)
        else:
            mark(facts, rules, now, end)
        facts[PUSHES] += 1
    elif kind == DIAMOND:
        facts[DIAMONDS] += 1
    elif kind != VOID and kind != CLAY:
        return False
    put(cells, journal, miner, VOID if facts[STATUS] == WON else LEAVING)
    put(cells, journal, target, MINER)
    facts[MINER_AT] = target
    return True


@kernel
def monsters_move(cells: Cells, facts: Facts, rules: Rules, journal: Journal) -> None:
    """Move every monster in the level's order; then one beside the miner kills him."""
    cols = rules[COLS]
    now = rules[EVEN_MAP + (facts[TICKS] & 1)]
    odd = facts[TICKS] & 1 == 1
    blue_rests = odd and rules[BLUE_RESTS] != 0
    others_rest = rules[OTHERS_PACE] == NEVER or (odd and rules[OTHERS_PACE] == EVERY_SECOND_TICK)
    for number in range(FIRST_MONSTER, FIRST_MONSTER + rules[MONSTER_COUNT]):
        packed = facts[number]
        if packed < 0:
            continue
        cell, heading = packed >> 3, packed & 7
        kind = np.int64(cells[cell])
        if (kind == BLUE and blue_rests) or (kind > RED and others_rest):
            continue
        # left of the heading first; a monster that has not moved yet starts with up
        turn = 0 if heading == NOT_MOVED else (heading + 3) & 3
        for _ in range(4):
            target = cell + step_of(turn, cols)
            if cells[target] == VOID:
                put(cells, journal, target, kind)
                put(cells, journal, cell, VOID)
                wake_around(cells, facts, rules, now, cell)
                facts[number] = target << 3 | turn
                break
            turn = (turn + 1) & 3
    miner = facts[MINER_AT]
    for heading in range(4):
        kind = cells[miner + step_of(heading, cols)]
        if BLUE <= kind < BLUE + 6:
            facts[STATUS] = kind
            return


@kernel
def defer(journal: Journal, cell: int, what: int) -> None:
    """Note at the end of the journal what is to be done with `cell` when everything has had its turn."""
    last = len(journal) - 1
    journal[last] += 1
    journal[last - journal[last]] = cell << 1 | what


@kernel
def explode(cells: Cells, facts: Facts, rules: Rules, journal: Journal, centre: int) -> None:
    """Blow up the monster at `centre` and, one after another, every monster its blast reaches."""
    cols, burns, last = rules[COLS], rules[BLAST_TICKS], FIRST_MONSTER + rules[MONSTER_COUNT]
    later = rules[ODD_MAP - (facts[TICKS] & 1)]
    # the queue of the chain lies behind the monsters in `facts`; a queued monster is dead already
    head = tail = last
    for number in range(FIRST_MONSTER, last):
        if facts[number] >= 0 and facts[number] >> 3 == centre:
            facts[number] = -1
            facts[tail] = centre
            tail += 1
    while head < tail:
        centre = facts[head]
        head += 1
        facts[KILLS] += 1
        kind = cells[centre]
        leaves = DIAMOND if kind == BLUE else STONE if kind == GREEN else VOID
        byte = LEAVING if leaves == VOID else leaves  # void for the others only when the tick ends
        if burns:
            blast = BLAST_VOID if leaves == VOID else BLAST_VOID + leaves - 1
            byte = blast | (burns - 1) << STRENGTH_SHIFT
        put(cells, journal, centre, VOID)
        for row in range(-1, 2):
            for col in range(-1, 2):
                cell = centre + row * cols + col
                old = np.int64(cells[cell])
                kind = old & KIND_MASK
                if kind == WALL or kind == BORDER or kind == EXIT:
                    continue
                if kind == MINER:
                    facts[STATUS] = BY_EXPLOSION
                elif BLUE <= kind < BLUE + 6:
                    for number in range(FIRST_MONSTER, last):
                        if facts[number] >= 0 and facts[number] >> 3 == cell:
                            facts[number] = -1
                            facts[tail] = cell
                            tail += 1
                elif kind == STURDY and old >> STRENGTH_SHIFT > 0:
                    put(cells, journal, cell, old - (1 << STRENGTH_SHIFT))
                else:
                    put(cells, journal, cell, byte)
                    if byte == LEAVING:
                        defer(journal, cell, EMPTY)
                        continue
                    mark(facts, rules, later, cell)
                    if burns == 0:
                        defer(journal, cell - cols, WAKE)


@kernel
def move_thing(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int, target: int) -> None:
    """Move a stone or diamond: it is falling now and acts again in the next tick; its cell is emptied later."""
    put(cells, journal, target, (cells[cell] & KIND_MASK) | FALLING)
    mark(facts, rules, rules[ODD_MAP - (facts[TICKS] & 1)], target)
    defer(journal, cell, EMPTY)


@kernel
def thing_acts(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int, stepped: bool) -> None:
    """Let one stone or diamond fall, kill, explode, roll or come to rest."""
    cols = rules[COLS]
    byte = np.int64(cells[cell])
    kind, was_falling = byte & KIND_MASK, byte & FALLING != 0
    below = cell + cols
    under = cells[below] & KIND_MASK
    if under == VOID:
        move_thing(cells, facts, rules, journal, cell, below)
        next_below = cells[below + cols] & KIND_MASK
        if was_falling and next_below == MINER and rules[CRUSH_ON_ARRIVAL] != 0:
            facts[STATUS] = BY_STONE if kind == STONE else BY_DIAMOND
        elif BLUE <= next_below < BLUE + 6 and rules[EXPLODE_ON_ARRIVAL] != 0:
            explode(cells, facts, rules, journal, below + cols)
        return
    if is_marked(facts, rules, rules[ODD_MAP - (facts[TICKS] & 1)], below):
        # What is below came in this very tick: another one wanted that cell too, and was first.
        defer(journal, cell, WAKE)
        if was_falling:
            put(cells, journal, cell, kind)
        return
    if was_falling:
        if under == MINER:
            if stepped and rules[PASSING_UNDER] != 0:
                put(cells, journal, cell, kind)
            else:
                facts[STATUS] = BY_STONE if kind == STONE else BY_DIAMOND
            return
        if BLUE <= under < BLUE + 6:
            explode(cells, facts, rules, journal, below)
            return
        if under == MAGIC and rules[MAGIC_TURNS] != 0:
            defer(journal, cell, EMPTY)
            out = below + cols
            if out < rules[SIZE] and cells[out] == VOID:
                put(cells, journal, out, (MAGIC_STONE_SUM - kind) | FALLING)
                mark(facts, rules, rules[ODD_MAP - (facts[TICKS] & 1)], out)
            return
    if under == STONE or under == DIAMOND or under == STURDY or under == MAGIC:
        side = rules[ROLL_FIRST]
        for _ in range(2):
            if cells[cell + side] == VOID and cells[below + side] == VOID:
                move_thing(cells, facts, rules, journal, cell, cell + side)
                return
            side = -side
    if was_falling:
        put(cells, journal, cell, kind)


@kernel
def blast_burns(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int) -> None:
    """One tick less to burn; at the end the blast leaves what it leaves, which acts from the next tick on."""
    byte = np.int64(cells[cell])
    if byte == BLAST_VOID:
        defer(journal, cell, EMPTY)
        return
    if byte >> STRENGTH_SHIFT > 0:
        put(cells, journal, cell, byte - (1 << STRENGTH_SHIFT))
    else:
        put(cells, journal, cell, byte - BLAST_VOID + 1)
        defer(journal, cell - rules[COLS], WAKE)
    mark(facts, rules, rules[ODD_MAP - (facts[TICKS] & 1)], cell)


@kernel
def things_fall(cells: Cells, facts: Facts, rules: Rules, journal: Journal, stepped: bool) -> None:
    """Take the marked cells, lowest row first; a cell marked for the next tick already has had its turn."""
    odd = facts[TICKS] & 1
    now, later = rules[EVEN_MAP + odd], rules[ODD_MAP - odd]
    words = now + rules[SUMMARY_WORDS]
    for group in range(rules[SUMMARY_WORDS]):
        while facts[now + group] != 0:
            summary = facts[now + group]
            word = group << 5 | BIT_INDEX[((summary & -summary) * DE_BRUIJN & 0xFFFFFFFF) >> 27]
            bits = facts[words + word]
            rest = bits & (bits - 1)
            facts[words + word] = rest
            if rest == 0:
                facts[now + group] = summary & (summary - 1)
            cell = rules[PLACES + (word << 5 | BIT_INDEX[((bits & -bits) * DE_BRUIJN & 0xFFFFFFFF) >> 27])]
            if is_marked(facts, rules, later, cell):
                continue
            kind = cells[cell] & KIND_MASK
            if kind == STONE or kind == DIAMOND:
                thing_acts(cells, facts, rules, journal, cell, stepped)
                if facts[STATUS] != PLAYING:
                    return
            elif BLAST_VOID <= kind <= BLAST_STONE:
                blast_burns(cells, facts, rules, journal, cell)


@kernel
def spare_blasts(cells: Cells, facts: Facts, rules: Rules, journal: Journal) -> None:
    """Keep the cells from being emptied that a blast has come over since they were left."""
    later, last = rules[ODD_MAP - (facts[TICKS] & 1)], len(journal) - 1
    for number in range(last - journal[last], last):
        cell = journal[number] >> 1
        if cells[cell] != LEAVING and is_marked(facts, rules, later, cell):
            journal[number] |= WAKE


@kernel
def settle(cells: Cells, facts: Facts, rules: Rules, journal: Journal) -> None:
    """Empty the cells that were left and mark what may move next."""
    later, last = rules[ODD_MAP - (facts[TICKS] & 1)], len(journal) - 1
    for number in range(last - journal[last], last):
        cell = journal[number] >> 1
        if journal[number] & 1 == EMPTY:
            put(cells, journal, cell, VOID)
            wake_around(cells, facts, rules, later, cell)
        elif may_move(cells, rules, cell):
            mark(facts, rules, later, cell)


@kernel
def tick(cells: Cells, facts: Facts, rules: Rules, journal: Journal, action: int) -> int:
    """Play one tick in place and return the status. `journal` then lists every changed cell."""
    journal[0] = 0
    journal[len(journal) - 1] = 0
    if facts[STATUS] != PLAYING:
        return int(facts[STATUS])
    left = facts[MINER_AT]
    stepped = miner_acts(cells, facts, rules, journal, action)
    if facts[STATUS] != PLAYING:
        return int(facts[STATUS])
    monsters_move(cells, facts, rules, journal)
    if facts[STATUS] == PLAYING:
        kills = facts[KILLS]
        things_fall(cells, facts, rules, journal, stepped)
        # In most ticks nothing falls, and the call alone was measured at a tenth of a tick.
        if journal[len(journal) - 1] > 0:
            if facts[KILLS] > kills:
                spare_blasts(cells, facts, rules, journal)
            settle(cells, facts, rules, journal)
    if stepped and cells[left] == LEAVING:
        put(cells, journal, left, VOID)
        wake_around(cells, facts, rules, rules[ODD_MAP - (facts[TICKS] & 1)], left)
    facts[TICKS] += 1
    if facts[TIME] > 0:
        facts[TIME] -= 1
        if facts[TIME] == 0 and facts[STATUS] == PLAYING:
            facts[STATUS] = BY_TIME
    return int(facts[STATUS])


@kernel
def mark_all(cells: Cells, facts: Facts, rules: Rules) -> None:
    """Mark everything that can move in a position drawn by somebody else."""
    now = rules[EVEN_MAP + (facts[TICKS] & 1)]
    for cell in range(rules[SIZE]):
        kind = cells[cell] & KIND_MASK
        if may_move(cells, rules, cell) or BLAST_VOID <= kind <= BLAST_STONE:
            mark(facts, rules, now, cell)


@kernel
def copy_position(cells: Cells, facts: Facts, from_cells: Cells, from_facts: Facts) -> None:
    """Overwrite a position with another. Plain loops: Numba's slice assignment was measured 30 times slower."""
    for i in range(len(cells)):
        cells[i] = from_cells[i]
    for i in range(len(facts)):
        facts[i] = from_facts[i]


@kernel
def random_play(cells: Cells, facts: Facts, rules: Rules, journal: Journal, seed: int, ticks: int) -> int:
    """Random games from one position, each from a fresh copy; the number of games begun. For measuring speed."""
    live_cells, live_facts = cells.copy(), facts.copy()
    next_cells, next_facts = cells.copy(), facts.copy()
    games = 1
    for _ in range(ticks):
        # a whole copy for every tick, as a search makes
        copy_position(next_cells, next_facts, live_cells, live_facts)
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        if tick(next_cells, next_facts, rules, journal, 1 + (seed >> 16) % 4) != PLAYING:
            copy_position(next_cells, next_facts, cells, facts)
            games += 1
        live_cells, next_cells = next_cells, live_cells
        live_facts, next_facts = next_facts, live_facts
    return games
