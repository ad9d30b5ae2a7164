"""One tick of a Boulder Dash cave on flat arrays, in one scan that skips what cannot act.

A cell is a byte: its kind, MARKED while it was put there in this very tick, and ACTIVE if the scan has to look at it.
A boulder or diamond at rest is active only after something near it has changed, so that eight quiet cells cost one
comparison. What the things in the picture cost the machine of 1984, which runs its clock, is summed up as they change:
a tick costs what stood in the picture when it began, less what was taken away before the scan came to it.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel, kernel
from gridsage.games.delirium.bd.cells import (
    ACTIVE,
    AMOEBA,
    BIRTH_1,
    BIRTH_3,
    BOULDER,
    BRICK,
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
    GROWING_WALL,
    INBOX,
    KIND_MASK,
    KINDS,
    MAGIC_WALL,
    MARKED,
    ROCKFORD,
    SLIME,
    SPACE,
    STEEL,
)
from gridsage.games.delirium.bd.kernels.chance import IN_A_MILLION, Number, Stream, millionth, number_below
from gridsage.games.delirium.bd.state import (
    AMOEBA_CHANCE,
    AMOEBA_COUNT,
    AMOEBA_LEFT,
    AMOEBA_STATE,
    ASLEEP,
    AWAKE,
    BY_BLAST,
    BY_BOULDER,
    BY_BUTTERFLY,
    BY_DIAMOND,
    BY_FIREFLY,
    BY_TIME,
    COST,
    DIAMONDS,
    HATCH,
    IS_ENCLOSED,
    IS_OPEN,
    KILLS,
    MADE,
    MAGIC,
    MAGIC_LEFT,
    PLAYING,
    POINTS,
    PUSHES,
    ROCKFORD_AT,
    SLIME_HIGH,
    SLIME_LOW,
    SPENT,
    STATUS,
    TICK_COST,
    TICKS,
    TIME,
    TO_BOULDERS,
    TO_DIAMONDS,
    WON,
)

Cells = NDArray[np.uint8]
Facts = NDArray[np.int64]
Rules = NDArray[np.int64]
Journal = NDArray[np.int64]  # [0]: how many; then cell << 16 | old kind << 8 | new kind of every change of this tick

# rules
(
    COLS,
    SIZE,
    NEEDED,
    VALUE,
    EXTRA_VALUE,
    PACE,  # FIXED, PART_1 or PART_2
    FRAME,  # FIXED: milliseconds of a tick; PART_1: hundredths of a millisecond at no work; PART_2: the least
    START_COST,  # microseconds a tick for kinds of things in the start picture
    PUSH,  # chances in a million
    AMOEBA_MAX,
    AMOEBA_FAST,
    AMOEBA_AT_ONCE,
    SLIME_PREDICTABLE,
    SLIME_MASK,
    SLIME_CHANCE,
    RULES_LENGTH,
) = range(16)
FIXED, PART_1, PART_2 = range(3)
PART_2_WORK = 60  # milliseconds

# Microseconds a tick, measured on the machine of 1984.
BLAST_COST = 1200
COSTS = np.zeros(KINDS, dtype=np.int64)
COSTS[BOULDER : FALLING_DIAMOND + 1] = 156
COSTS[AMOEBA], COSTS[SLIME], COSTS[GROWING_WALL], COSTS[ROCKFORD] = 260, 211, 111, 32
COSTS[FIREFLY : BUTTERFLY + 4] = 384
COSTS[EXPLOSION : DIAMOND_BIRTH + 4] = 280

# What a kind is when it has just been put somewhere: looked at by the scan, and marked.
FLAGS = np.zeros(KINDS, dtype=np.int64)
for _kind in (SLIME, INBOX, BIRTH_1, BIRTH_1 + 1, BIRTH_3):
    FLAGS[_kind] = ACTIVE
FLAGS[EXPLOSION : DIAMOND_BIRTH + 4] = ACTIVE
for _kind in (AMOEBA, GROWING_WALL, ROCKFORD, EXPLOSION, DIAMOND_BIRTH):
    FLAGS[_kind] = ACTIVE | MARKED
FLAGS[BOULDER : FALLING_DIAMOND + 1] = ACTIVE | MARKED
FLAGS[FIREFLY : BUTTERFLY + 4] = ACTIVE | MARKED

TO_FALLING = FALLING_BOULDER - BOULDER
OTHER_FALLING = BOULDER + FALLING_DIAMOND  # less a thing at rest: the other thing, falling
ACTIVE_IN_WORD = np.int64(-0x7F7F7F7F7F7F7F80)  # the active bit of eight cells
FILLER_STEP = 0x13


@borrowing_kernel
def wake(cells: Cells, cell: int) -> None:
    """Have the scan look at `cell` if a boulder or diamond rests there."""
    kind = cells[cell] & KIND_MASK
    if kind == BOULDER or kind == DIAMOND:
        cells[cell] |= ACTIVE


@borrowing_kernel
def put(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int, kind: Number, cursor: int) -> None:
    """Put a thing into a cell while the scan is at `cursor`."""
    cols = rules[COLS]
    old = np.int64(cells[cell])
    old_kind = old & KIND_MASK
    count = journal[0] + 1
    journal[0] = count
    journal[count] = cell << 16 | old_kind << 8 | kind
    cells[cell] = kind | FLAGS[kind]
    if cols <= cell < rules[SIZE] - cols:
        facts[COST] += COSTS[kind] - COSTS[old_kind]
        if cell > cursor and old & MARKED == 0:
            facts[TICK_COST] -= COSTS[old_kind]
    if kind == SPACE:
        wake(cells, cell - cols - 1)
        wake(cells, cell - cols)
        wake(cells, cell - cols + 1)
        wake(cells, cell - 1)
        wake(cells, cell + 1)
    elif kind == BOULDER or kind == DIAMOND:
        wake(cells, cell - cols)


@borrowing_kernel
def kind_at(cells: Cells, cell: int) -> Number:
    """Return the kind of what is in `cell`."""
    return np.int64(cells[cell]) & KIND_MASK


@borrowing_kernel
def explode(cells: Cells, facts: Facts, rules: Rules, journal: Journal, centre: int, cursor: int) -> None:
    """Blow up the 3x3 cells around a fly or Rockford; steel stays."""
    kind = kind_at(cells, centre)
    leaves_diamonds = BUTTERFLY <= kind < BUTTERFLY + 4
    blast = DIAMOND_BIRTH if leaves_diamonds else EXPLOSION
    facts[TICK_COST] += BLAST_COST
    facts[KILLS] += kind != ROCKFORD
    for row in range(-1, 2):
        for col in range(-1, 2):
            cell = centre + row * rules[COLS] + col
            old = kind_at(cells, cell)
            if old == STEEL:
                continue
            if old == ROCKFORD:
                facts[ROCKFORD_AT] = -1
                if facts[STATUS] == PLAYING:
                    facts[STATUS] = BY_BLAST
            facts[MADE] += leaves_diamonds
            put(cells, facts, rules, journal, cell, blast, cursor)


@borrowing_kernel
def thing_falls(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int, kind: Number) -> bool:
    """Let a falling thing go through a magic wall or crush what is below; return True if it did either."""
    below = cell + rules[COLS]
    under = kind_at(cells, below)
    if under == MAGIC_WALL:
        if facts[MAGIC] == ASLEEP:
            facts[MAGIC] = AWAKE
        out = below + rules[COLS]
        if facts[MAGIC] == AWAKE and out < rules[SIZE] and kind_at(cells, out) == SPACE:
            facts[MADE] += kind == FALLING_BOULDER
            put(cells, facts, rules, journal, out, OTHER_FALLING - (kind - TO_FALLING), cell)
        put(cells, facts, rules, journal, cell, SPACE, cell)
        return True
    if (under == ROCKFORD or FIREFLY <= under < BUTTERFLY + 4) and cells[below] & MARKED == 0:
        if under == ROCKFORD and facts[STATUS] == PLAYING:
            facts[STATUS] = BY_BOULDER if kind == FALLING_BOULDER else BY_DIAMOND
        explode(cells, facts, rules, journal, below, cell)
        return True
    return False


@borrowing_kernel
def fly_explodes(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int, kind: Number) -> None:
    """Blow up a fly that is beside Rockford or amoeba."""
    cols = rules[COLS]
    for near in (cell - 1, cell - cols, cell + 1, cell + cols):
        if kind_at(cells, near) == ROCKFORD and facts[STATUS] == PLAYING:
            facts[STATUS] = BY_FIREFLY if kind < BUTTERFLY else BY_BUTTERFLY
    explode(cells, facts, rules, journal, cell, cell)


@borrowing_kernel
def open_exit(cells: Cells, facts: Facts, rules: Rules) -> None:
    """Have the scan look at the exits, which open when it passes them."""
    facts[IS_OPEN] = 1
    for cell in range(rules[SIZE]):
        if cells[cell] == EXIT_SHUT:
            cells[cell] |= ACTIVE


@borrowing_kernel
def take_diamond(cells: Cells, facts: Facts, rules: Rules) -> None:
    """Count a diamond; the last that is needed opens the exit, further ones bring the other value."""
    facts[POINTS] += rules[VALUE] if facts[IS_OPEN] == 0 else rules[EXTRA_VALUE]
    facts[DIAMONDS] += 1
    if facts[DIAMONDS] == rules[NEEDED]:
        open_exit(cells, facts, rules)


@borrowing_kernel
def rockford_acts(
    cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, cell: int, action: int
) -> None:
    """Let Rockford walk, take, push or snap. Actions: 1 right, 2 up, 3 left, 4 down, 5 to 8 there without a step."""
    if action < 1 or action > 8:
        return
    cols = rules[COLS]
    step = (1, -cols, -1, cols)[(action - 1) & 3]
    target = cell + step
    byte = np.int64(cells[target])
    kind = byte & KIND_MASK
    if kind == BOULDER:
        beyond = target + step
        if byte & MARKED != 0 or step == cols or step == -cols or cells[beyond] != SPACE:
            return
        if number_below(stream, IN_A_MILLION) >= rules[PUSH]:
            return
        put(cells, facts, rules, journal, beyond, BOULDER, cell)
        facts[PUSHES] += 1
    elif kind == DIAMOND and byte & MARKED == 0:
        take_diamond(cells, facts, rules)
    elif kind == EXIT_OPEN:
        facts[STATUS] = WON
    elif kind != SPACE and kind != DIRT:
        return
    if action >= 5:
        put(cells, facts, rules, journal, target, SPACE, cell)
        return
    put(cells, facts, rules, journal, target, ROCKFORD, cell)
    put(cells, facts, rules, journal, cell, SPACE, cell)
    facts[ROCKFORD_AT] = target


@borrowing_kernel
def amoeba_turns(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int) -> None:
    """Turn one cell of amoeba into what it has to become."""
    to_diamond = facts[AMOEBA_STATE] == TO_DIAMONDS
    facts[AMOEBA_COUNT] += 1
    facts[MADE] += to_diamond
    put(cells, facts, rules, journal, cell, DIAMOND if to_diamond else BOULDER, cell)


@borrowing_kernel
def slime_lets_through(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int) -> None:
    """Let what rests on slime fall on below it."""
    cols = rules[COLS]
    kind = kind_at(cells, cell - cols)
    put(cells, facts, rules, journal, cell + cols, kind + TO_FALLING, cell)
    put(cells, facts, rules, journal, cell - cols, SPACE, cell)


@borrowing_kernel
def wall_grows(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int) -> None:
    """Let a growing wall take the space to its left, else to its right."""
    for side in (-1, 1):
        if cells[cell + side] == SPACE:
            put(cells, facts, rules, journal, cell + side, GROWING_WALL, cell)
            return


@borrowing_kernel
def stage_passes(cells: Cells, facts: Facts, rules: Rules, journal: Journal, cell: int, kind: Number) -> None:
    """Let births, explosions, inbox and exit go to their next stage."""
    following = kind + 1
    if kind == EXIT_SHUT:
        following = EXIT_OPEN
    elif kind == INBOX:
        if facts[HATCH] > 0 or facts[TICKS] & 1 == 0:  # he is born at an even tick, and this one is not counted yet
            return
        following = BIRTH_1
    elif kind == BIRTH_3:
        following = ROCKFORD
        facts[ROCKFORD_AT] = cell
    elif kind == EXPLOSION + 3:
        following = SPACE
    elif kind == DIAMOND_BIRTH + 3:
        following = DIAMOND
    put(cells, facts, rules, journal, cell, following, cell)


@borrowing_kernel
def others_act(
    cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, cell: int, action: int
) -> None:
    """Let what is in an active cell do what it does, boulders, diamonds and flies excepted."""
    kind = kind_at(cells, cell)
    if kind == ROCKFORD:
        rockford_acts(cells, facts, rules, stream, journal, cell, action)
    elif kind == AMOEBA:
        amoeba_turns(cells, facts, rules, journal, cell)
    elif kind == SLIME:
        slime_lets_through(cells, facts, rules, journal, cell)
    elif kind == GROWING_WALL:
        wall_grows(cells, facts, rules, journal, cell)
    else:
        stage_passes(cells, facts, rules, journal, cell, kind)
    cells[cell] &= 0xFF ^ MARKED


@borrowing_kernel
def scan(cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, action: int) -> None:
    """Pass all rows but the first and the last, left to right; marks that are passed are taken away.

    Flies, boulders and diamonds, nearly all that moves, are written out here without calls: a call that passes five
    arrays was measured at 50 ns and more, and there are three of them for each thing that moves.
    """
    words = cells.view(np.int64)
    cols, count = rules[COLS], 0
    first, end = cols, rules[SIZE] - cols
    word, last_word = first >> 3, (end + 7) >> 3
    predictable, high, low = rules[SLIME_PREDICTABLE] != 0, facts[SLIME_HIGH], facts[SLIME_LOW]
    while word < last_word:
        if word & 3 == 0 and (words[word] | words[word + 1] | words[word + 2] | words[word + 3]) & ACTIVE_IN_WORD == 0:
            word += 4
            continue
        word += 1
        if words[word - 1] & ACTIVE_IN_WORD == 0:
            continue
        for cell in range(max(first, (word - 1) << 3), min(end, word << 3)):
            byte: Number = np.int64(cells[cell])
            if byte & ACTIVE == 0:
                continue
            if byte & MARKED != 0:
                cells[cell] = byte & (0xFF ^ MARKED)
                continue
            kind = byte & KIND_MASK
            target, new_kind = -1, kind
            if FIREFLY <= kind < BUTTERFLY + 4:
                base = FIREFLY if kind < BUTTERFLY else BUTTERFLY
                facing = kind - base
                hand = 3 if base == FIREFLY else 1
                explodes = False
                for turn in range(4):
                    step = 1 if turn & 1 == 0 else cols
                    near_byte = np.int64(cells[cell + (step if turn > 1 else -step)])
                    near_kind = near_byte & KIND_MASK
                    if near_kind == ROCKFORD or (near_kind == AMOEBA and near_byte & MARKED == 0):
                        explodes = True
                if explodes:
                    journal[0] = count
                    fly_explodes(cells, facts, rules, journal, cell, kind)
                    count = journal[0]
                    cells[cell] &= 0xFF ^ MARKED
                    continue
                for trial in range(2):
                    turn = (facing + hand) & 3 if trial == 0 else facing
                    step = 1 if turn & 1 == 0 else cols
                    near = cell + (step if turn > 1 else -step)
                    if target < 0 and cells[near] == SPACE:
                        target, new_kind = near, base + turn
                if target < 0:
                    new_kind = base + ((facing - hand) & 3)
            elif BOULDER <= kind <= FALLING_DIAMOND:
                below = cell + cols
                under = np.int64(cells[below])
                under_kind = under & KIND_MASK
                is_falling = kind >= FALLING_BOULDER
                is_thing = under_kind == BOULDER or under_kind == DIAMOND
                if under == SPACE:
                    target = below
                elif is_falling and (under_kind == MAGIC_WALL or under_kind >= ROCKFORD):
                    journal[0] = count
                    acted = thing_falls(cells, facts, rules, journal, cell, kind)
                    count = journal[0]
                    if acted:
                        cells[cell] &= 0xFF ^ MARKED
                        continue
                elif under_kind == BRICK or (is_thing and under & MARKED == 0):
                    if cells[cell - 1] == SPACE and cells[below - 1] == SPACE:
                        target = cell - 1
                    elif cells[cell + 1] == SPACE and cells[below + 1] == SPACE:
                        target = cell + 1
                if target >= 0:
                    new_kind = kind if is_falling else kind + TO_FALLING
                elif is_falling:
                    new_kind = kind - TO_FALLING
                    if cells[cell - cols] & KIND_MASK == BOULDER or cells[cell - cols] & KIND_MASK == DIAMOND:
                        cells[cell - cols] |= ACTIVE
                else:
                    if not is_thing or under & MARKED == 0:
                        cells[cell] = kind  # nothing to look at until something near it changes
                    continue
            elif kind == SLIME:
                above = np.int64(cells[cell - cols]) & (KIND_MASK | MARKED)
                is_thing = above == BOULDER or above == DIAMOND
                if predictable:  # by the filler's numbers
                    total = low + ((low & 1) << 7)
                    total = (total & 0xFF) + (total >> 8) + FILLER_STEP
                    carry, half = total >> 8, low >> 1 & 0x7F
                    low = total & 0xFF
                    total = high + carry + ((high & 1) << 7)
                    high = ((total & 0xFF) + (total >> 8) + half) & 0xFF
                    passes = high & rules[SLIME_MASK] == 0
                else:
                    passes = millionth(stream) < rules[SLIME_CHANCE]
                if not passes or not is_thing or cells[cell + cols] != SPACE:
                    continue
            elif kind == AMOEBA and facts[AMOEBA_STATE] != TO_BOULDERS and facts[AMOEBA_STATE] != TO_DIAMONDS:
                facts[AMOEBA_COUNT] += 1
                if facts[IS_ENCLOSED] != 0:
                    for turn in range(4):
                        step = 1 if turn & 1 == 0 else cols
                        if cells[cell + (step if turn > 1 else -step)] & KIND_MASK <= DIRT:
                            facts[IS_ENCLOSED] = 0
                            facts[AMOEBA_STATE] = AWAKE
                if facts[AMOEBA_STATE] == AWAKE and millionth(stream) < facts[AMOEBA_CHANCE]:
                    near = cell + (-cols, cols, -1, 1)[number_below(stream, 4)]
                    if cells[near] & KIND_MASK <= DIRT:
                        journal[0] = count
                        put(cells, facts, rules, journal, near, AMOEBA, cell)
                        count = journal[0]
                continue
            elif kind == ROCKFORD and action <= 4:
                step = 1 if action & 1 == 1 else cols
                near = cell + (step if action == 1 or action == 4 else -step)
                if action == 0:
                    continue
                if cells[near] <= DIRT:
                    target = near
                    facts[ROCKFORD_AT] = near
            if target < 0 and not (BOULDER <= kind <= FALLING_DIAMOND) and not (FIREFLY <= kind < BUTTERFLY + 4):
                journal[0] = count
                others_act(cells, facts, rules, stream, journal, cell, action)
                count = journal[0]
                continue
            if target < 0:
                count += 1
                journal[count] = cell << 16 | kind << 8 | new_kind
                cells[cell] = new_kind | ACTIVE
                continue
            journal[count + 1] = target << 16 | np.int64(cells[target]) << 8 | new_kind
            journal[count + 2] = cell << 16 | kind << 8 | SPACE
            count += 2
            cells[target] = new_kind | ACTIVE | MARKED
            cells[cell] = SPACE
            for turn in range(5):
                near = cell - cols - 1 + turn if turn < 3 else cell - 7 + 2 * turn
                near_kind = cells[near] & KIND_MASK
                if near_kind == BOULDER or near_kind == DIAMOND:
                    cells[near] |= ACTIVE
    journal[0], facts[SLIME_HIGH], facts[SLIME_LOW] = count, high, low


@borrowing_kernel
def frame_milliseconds(facts: Facts, rules: Rules) -> Number:
    """Return how long this tick lasted on the cave's clock."""
    work = (facts[TICK_COST] + rules[START_COST]) // 1000
    if rules[PACE] == PART_1:
        return (rules[FRAME] + 100 * work) // 100
    if rules[PACE] == PART_2:
        return max(PART_2_WORK + work, rules[FRAME])
    return rules[FRAME]


@borrowing_kernel
def clocks_run(facts: Facts, rules: Rules, milliseconds: int) -> None:
    """Run the cave's clock and those of magic wall, amoeba and birth."""
    if facts[HATCH] <= 0:
        facts[TIME] = max(0, facts[TIME] - milliseconds)
    if facts[MAGIC] == AWAKE:
        facts[MAGIC_LEFT] = max(0, facts[MAGIC_LEFT] - milliseconds)
        if facts[MAGIC_LEFT] == 0:
            facts[MAGIC] = SPENT
    if rules[AMOEBA_AT_ONCE] != 0 or facts[AMOEBA_STATE] == AWAKE:
        facts[AMOEBA_LEFT] = max(0, facts[AMOEBA_LEFT] - milliseconds)
        if facts[AMOEBA_LEFT] == 0:
            facts[AMOEBA_CHANCE] = rules[AMOEBA_FAST]
    if facts[HATCH] > 0:
        facts[HATCH] -= milliseconds if rules[PACE] != FIXED else 1


@borrowing_kernel
def tick(cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, action: int) -> int:
    """Play one tick in place and return the status. `journal` then lists every changed cell."""
    journal[0] = 0
    if facts[STATUS] != PLAYING:
        return int(facts[STATUS])
    facts[TICK_COST], facts[IS_ENCLOSED], facts[AMOEBA_COUNT] = facts[COST], 1, 0
    scan(cells, facts, rules, stream, journal, action)
    for number in range(1, journal[0] + 1):
        cells[journal[number] >> 16] &= 0xFF ^ MARKED
    if facts[AMOEBA_STATE] == AWAKE:
        if facts[AMOEBA_COUNT] >= rules[AMOEBA_MAX]:
            facts[AMOEBA_STATE] = TO_BOULDERS
        if facts[IS_ENCLOSED] != 0:
            facts[AMOEBA_STATE] = TO_DIAMONDS
    clocks_run(facts, rules, frame_milliseconds(facts, rules))
    facts[TICKS] += 1
    if facts[STATUS] == PLAYING and facts[TIME] == 0:
        facts[STATUS] = BY_TIME
    return int(facts[STATUS])


@borrowing_kernel
def copy_position(cells: Cells, facts: Facts, from_cells: Cells, from_facts: Facts) -> None:
    """Overwrite a position with another, eight cells at a time."""
    words, from_words = cells.view(np.int64), from_cells.view(np.int64)
    for i in range(len(words)):
        words[i] = from_words[i]
    for i in range(len(facts)):
        facts[i] = from_facts[i]


@kernel
def random_play(
    cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, seed: int, ticks: int
) -> int:
    """Play random games from one position, a whole copy for every tick; return how many were begun."""
    live_cells, live_facts = cells.copy(), facts.copy()
    next_cells, next_facts = cells.copy(), facts.copy()
    games = 1
    for _ in range(ticks):
        copy_position(next_cells, next_facts, live_cells, live_facts)
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        if tick(next_cells, next_facts, rules, stream, journal, 1 + (seed >> 16) % 4) != PLAYING:
            copy_position(next_cells, next_facts, cells, facts)
            games += 1
        live_cells, next_cells = next_cells, live_cells
        live_facts, next_facts = next_facts, live_facts
    return games
