"""An archive of positions of a cave, which grows by walks (see `walks`).

Of positions with the same key the earliest is kept. A walk begins at a promising position that was seldom tried.
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
    DIRT,
    FIREFLY,
    KIND_MASK,
    ROCKFORD,
    SPACE,
)
from gridsage.games.delirium.bd.kernels.boards import AT_LEISURE, FAR, GEMS, Ground, size_of
from gridsage.games.delirium.bd.kernels.books import (
    COUNT,
    LEVELS,
    LOTS,
    RING,
    RINGS,
    RISKS_TAKEN,
    TICKS_USED,
    TOP,
    USED,
    Books,
    below,
)
from gridsage.games.delirium.bd.kernels.chance import Number, Stream
from gridsage.games.delirium.bd.kernels.funnels import harvest, ticks_of_magic
from gridsage.games.delirium.bd.kernels.outlook import (
    HARVEST_HELP,
    PUSH_COST,
    makers,
    prospect,
    stock,
)
from gridsage.games.delirium.bd.kernels.pens import GAPS
from gridsage.games.delirium.bd.kernels.plan import is_fly, mixed
from gridsage.games.delirium.bd.kernels.tick import (
    COLS,
    NEEDED,
    SIZE,
    Cells,
    Facts,
    Journal,
    Rules,
    copy_position,
)
from gridsage.games.delirium.bd.state import (
    AWAKE,
    DIAMONDS,
    KILLS,
    MADE,
    MAGIC,
    PUSHES,
    ROCKFORD_AT,
    SPENT,
    TICKS,
)

Kept = NDArray[np.uint8]  # (positions, cells)
KeptFacts = NDArray[np.int64]  # (positions, facts)
Notes = NDArray[np.int64]  # (positions, NOTES)
Keys = NDArray[np.int64]  # (a power of two, 2): key or 0, position
Actions = NDArray[np.uint8]  # (all actions of all positions,)

# columns of notes
PARENT, FROM, LENGTH, TRIES, VALUE, KEY, RISKS, LEFT, NOTES = range(9)
NOBODY = -1  # the parent of the root

DRAWS = 12  # positions looked at before one is chosen
TRY_COST = 12  # ticks that a position is set back for each walk that began there
RECENT = 2000
LUCK = 40
LOT_SHARE = 3  # of LOTS: how much of the room for a level one lot may take when the archive is thinned
STAYING = 4  # one position in so many stays when the archive is thinned, and those that led to it
RISK_COST = 120  # ticks, for each push that is relied on although it has to come at once
TICKS_FOR_MORE = 16  # of a working magic wall, for each diamond beyond those that come down by themselves
READY, READY_OF = 2, 3  # two thirds of what is needed has to come down by itself when magic walls are opened
TICKS_OF_A_HARVEST = 4  # count as one: nothing is looked at in them
TICKS_OF_A_FENCE = 6  # to look for the cells that one lacks takes as long
BLOCK = 5  # cells: that a diamond lies in another block of so many rows and columns tells positions apart
NEAR = 2  # cells around Rockford whose boulders and diamonds are part of the key
DEEPEST_DROP = 2  # cells that a boulder may fall and that are part of the key
FLY_NEAR = 3  # the same for flies: without them the earliest passage counts, and one that waits for a fly never
OBSTACLE_STEP = 24  # ticks of obstacles that make another key
FIRST_DROP = KIND_MASK + 1  # no kind has this number
HIGHEST: Number = np.int64(1) << 62


@borrowing_kernel
def drop_of(cells: Cells, rules: Rules, boulder: Number) -> Number:
    """Return how far a boulder falls, beyond the cell below it, when the dirt or Rockford who bears it goes away."""
    cell, deep = boulder + 2 * rules[COLS], np.int64(0)
    bearer = cells[boulder + rules[COLS]] & KIND_MASK
    if bearer != DIRT and bearer != ROCKFORD:
        return deep
    while deep < DEEPEST_DROP and cell < rules[SIZE] and cells[cell] & KIND_MASK == SPACE:
        deep += 1
        cell += rules[COLS]
    return deep


@borrowing_kernel
def diamonds_left(cells: Cells, rules: Rules, ground: Ground) -> Number:
    """Return a number that tells where in the cave diamonds are left; 0 where most of them have to be made.

    Without it the first one within reach is taken first in nearly all positions kept, and if that bars the way to
    another one nothing is known of what else could be done.
    """
    value = np.int64(0)
    if ground.pace[0] == AT_LEISURE:
        for cell in range(rules[SIZE]):
            if cells[cell] & KIND_MASK == DIAMOND:
                value += mixed(cell // rules[COLS] // BLOCK << 8 | cell % rules[COLS] // BLOCK) >> 8
    return value


@borrowing_kernel
def key_of(cells: Cells, facts: Facts, rules: Rules, ground: Ground, obstacles: Number, left: Number) -> Number:
    """Return what tells a position from others: where he is, what he has and lacks, what happened, what is around."""
    rockford, cols = facts[ROCKFORD_AT], rules[COLS]
    value = mixed(left) if left != 0 else np.int64(0)
    value ^= mixed(facts[DIAMONDS] << 32 | facts[MADE] << 20 | facts[KILLS] << 12 | rockford)
    value ^= mixed(-1 - (obstacles // OBSTACLE_STEP << 2 | facts[MAGIC]))
    for down in range(-FLY_NEAR, FLY_NEAR + 1):
        for right in range(-FLY_NEAR, FLY_NEAR + 1):
            cell = rockford + down * cols + right
            if 0 <= cell < rules[SIZE]:
                kind = cells[cell] & KIND_MASK
                if is_fly(kind):
                    value ^= mixed(cell << 8 | (FIREFLY if kind < BUTTERFLY else BUTTERFLY))
                elif (kind == BOULDER or kind == DIAMOND) and abs(down) <= NEAR and abs(right) <= NEAR:
                    value ^= mixed(cell << 8 | kind)
                    if kind == BOULDER and ground.pace[0] == AT_LEISURE:
                        # the first dirt dug away here changes nothing else yet, and the earliest would do without it
                        value ^= drop_of(cells, rules, cell) * mixed(cell << 8 | FIRST_DROP)
    if facts[MAGIC] != SPENT and facts[DIAMONDS] < rules[NEEDED]:
        value ^= stock(cells, rules, ground.walls)
    return value if value != 0 else 1


@borrowing_kernel
def slot_of(keys: Keys, key: Number) -> Number:
    """Return where a key is, or where it belongs."""
    mask = len(keys) - 1
    slot = key & mask
    while keys[slot, 0] != 0 and keys[slot, 0] != key:
        slot = (slot + 1) & mask
    return slot


@borrowing_kernel
def spent(facts: Facts, note: NDArray[np.int64]) -> Number:
    """Return what it has cost to come to a position: ticks, those that pushes fail for, and risks."""
    return facts[TICKS] + PUSH_COST * facts[PUSHES] + RISK_COST * note[RISKS]


@borrowing_kernel
def crop_of(
    kept: Kept,
    kept_facts: KeptFacts,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
    row: int,
) -> tuple[Number, Number]:
    """Return how many diamonds magic walls would make if they were opened now, and how many are wanted of them.

    Args:
        ground: drawn. The last row but one of `kept` is used.
    """
    wanted = rules[NEEDED] - kept_facts[row, DIAMONDS] - size_of(ground.boards[GEMS])
    if wanted <= 0 or kept_facts[row, MAGIC] == SPENT or ground.walls[0] == 0 or kept_facts[row, ROCKFORD_AT] < 0:
        return np.int64(0), np.int64(0)
    spare = len(kept) - 2
    copy_position(kept[spare], kept_facts[spare], kept[row], kept_facts[row])
    crop, ticks = harvest(kept[spare], kept_facts[spare], rules, stream, journal, ground.walls)
    books[TICKS_USED] += ticks // TICKS_OF_A_HARVEST
    return crop, wanted


@borrowing_kernel
def keep(
    kept: Kept,
    kept_facts: KeptFacts,
    notes: Notes,
    keys: Keys,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
    parent: int,
) -> bool:
    """Keep the position in row COUNT if its key is new or was met later; return True if it was kept.

    One in which the diamonds cannot suffice is not kept, the root excepted, nor one in which magic walls work already
    and too little comes down to them.
    """
    row = books[COUNT]
    notes[row, RISKS] = books[RISKS_TAKEN]
    cost = spent(kept_facts[row], notes[row])
    value, obstacles = prospect(kept[row], kept_facts[row], rules, ground)
    if ground.fence[GAPS] >= 0:
        books[TICKS_USED] += TICKS_OF_A_FENCE
    if obstacles == FAR and parent != NOBODY:
        return False
    crop, wanted = crop_of(kept, kept_facts, rules, stream, journal, ground, books, row)
    if kept_facts[row, MAGIC] == AWAKE and parent != NOBODY:
        amoeba, butterflies, _ = makers(kept[row], rules)
        more = ticks_of_magic(kept_facts[row], rules) // TICKS_FOR_MORE
        too_few = crop + more < wanted or READY_OF * (rules[NEEDED] - wanted + crop) < READY * rules[NEEDED]
        if amoeba == 0 and butterflies == 0 and too_few:
            return False
    obstacles -= HARVEST_HELP * min(crop, wanted)
    value -= HARVEST_HELP * min(crop, wanted)
    left = diamonds_left(kept[row], rules, ground)
    key = key_of(kept[row], kept_facts[row], rules, ground, obstacles, left)
    slot = slot_of(keys, key)
    value += RISK_COST * notes[row, RISKS]
    tries = 0
    if keys[slot, 0] == key:
        old = keys[slot, 1]
        if spent(kept_facts[old], notes[old]) <= cost:
            return False
        tries = notes[old, TRIES]
        notes[old, VALUE] = HIGHEST  # nobody goes on from there
    keys[slot, 0], keys[slot, 1] = key, row
    notes[row, PARENT], notes[row, TRIES], notes[row, VALUE], notes[row, KEY] = parent, tries // 2, value, key
    notes[row, LEFT] = left
    enter(books, row, kept_facts[row], left)
    books[COUNT] += 1
    return True


@borrowing_kernel
def level_of(facts: Facts) -> Number:
    """Return how far a position has come: diamonds taken and made.

    Both, so that those in which a magic wall is still being prepared are not crowded out by those that used it early.
    """
    return min(facts[DIAMONDS] + facts[MADE], np.int64(LEVELS - 1))


@borrowing_kernel
def lot_of(level: Number, left: Number) -> Number:
    """Return the number of the ring for positions of a level with diamonds left here or there."""
    return level * LOTS + (left >> 5) % LOTS


@borrowing_kernel
def enter(books: Books, row: int, facts: Facts, left: Number) -> None:
    """Write a position into the ring of its level and lot."""
    level = level_of(facts)
    ring = RINGS + lot_of(level, left) * (1 + RING)
    books[ring + 1 + books[ring] % RING] = row
    books[ring] += 1
    books[TOP] = max(books[TOP], level)


@kernel
def promising(kept_facts: KeptFacts, notes: Notes, books: Books) -> NDArray[np.bool_]:
    """Say of each position if it is among the best of its lot with its number of diamonds, or led to one of them."""
    count = books[COUNT]
    order = np.argsort(notes[:count, VALUE] + TRY_COST * notes[:count, TRIES])
    stays, of_lot = np.zeros(count, dtype=np.bool_), np.zeros(LEVELS * LOTS, dtype=np.int64)
    quota = len(notes) // (STAYING * (books[TOP] + 1))
    for row in order:
        lot = lot_of(level_of(kept_facts[row]), notes[row, LEFT])
        most = quota if notes[row, LEFT] == 0 else LOT_SHARE * quota // LOTS
        if notes[row, VALUE] < HIGHEST and of_lot[lot] < most:
            of_lot[lot] += 1
            stays[row] = True
    stays[0] = True
    for row in range(count - 1, 0, -1):
        if stays[row]:
            stays[notes[row, PARENT]] = True
    return stays


@kernel
def thin(kept: Kept, kept_facts: KeptFacts, notes: Notes, keys: Keys, actions: Actions, books: Books) -> None:
    """Forget all positions but the promising ones and those that led to them."""
    stays = promising(kept_facts, notes, books)
    new_rows = np.cumsum(stays) - 1
    keys[:] = 0
    books[RINGS:] = 0
    used = 0
    for row in range(len(stays)):
        if not stays[row]:
            continue
        new = new_rows[row]
        copy_position(kept[new], kept_facts[new], kept[row], kept_facts[row])
        notes[new] = notes[row]
        if row > 0:
            notes[new, PARENT] = new_rows[notes[row, PARENT]]
        first = notes[row, FROM]  # rows and their actions have the same order: nothing is overwritten before its turn
        for i in range(notes[row, LENGTH]):
            actions[used + i] = actions[first + i]
        notes[new, FROM] = used
        used += notes[row, LENGTH]
        if notes[new, VALUE] < HIGHEST:
            slot = slot_of(keys, notes[new, KEY])
            keys[slot, 0], keys[slot, 1] = notes[new, KEY], new
            enter(books, new, kept_facts[new], notes[new, LEFT])
    books[COUNT], books[USED] = new_rows[-1] + 1, used


@borrowing_kernel
def chosen(notes: Notes, ground: Ground, books: Books) -> Number:
    """Return a position to go on from: the best of a few drawn ones, most of them new.

    Every other time they are drawn among those with one number of diamonds, and with the others left in one of a few
    sets of places: what was taken in a hurry may have closed the way to the rest, and then the way leads on from
    positions that were left behind.
    """
    count = books[COUNT]
    best, lowest = np.int64(0), HIGHEST
    level, in_ring = below(books, books[TOP] + 1), below(books, 2) == 0
    ring = RINGS + level * LOTS * (1 + RING)
    if in_ring and ground.pace[0] == AT_LEISURE:
        first = below(books, LOTS)
        for i in range(LOTS):
            ring = RINGS + lot_of(level, (first + i) << 5) * (1 + RING)
            if books[ring] > 0:
                break
    in_ring = in_ring and books[ring] > 0
    for draw in range(DRAWS):
        if in_ring:
            row = books[ring + 1 + below(books, min(books[ring], RING))]
        else:
            row = count - 1 - below(books, count if draw % 2 == 0 else min(count, RECENT))
        if notes[row, VALUE] == HIGHEST:
            continue
        score = notes[row, VALUE] + TRY_COST * notes[row, TRIES] + below(books, LUCK)
        if score < lowest:
            best, lowest = row, score
    return best
