"""An archive of positions of a cave, grown by random walks with a purpose on the exact tick.

Of positions with the same key the earliest is kept. A walk begins at a promising position that was seldom tried, heads
for a diamond, a boulder to push, the exit or just somewhere, and leaves what it meets in the archive.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.delirium.bd.cells import (
    BOULDER,
    BUTTERFLY,
    DIAMOND,
    FIREFLY,
    KIND_MASK,
)
from gridsage.games.delirium.bd.kernels.aims import aim, next_step
from gridsage.games.delirium.bd.kernels.boards import FAR, GEMS, Ground, size_of
from gridsage.games.delirium.bd.kernels.books import (
    COUNT,
    EXIT_AT,
    KEPT_TO,
    LAST_KEPT,
    LEVELS,
    RING,
    RINGS,
    RISKS_TAKEN,
    TICKS_USED,
    TOP,
    USED,
    WINNER,
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
from gridsage.games.delirium.bd.kernels.pens import GAPS, enclosed, is_beside
from gridsage.games.delirium.bd.kernels.plan import does_something, is_too_late, mixed
from gridsage.games.delirium.bd.kernels.pushes import FAILURES, charge, endures, is_push, steadiness
from gridsage.games.delirium.bd.kernels.tick import (
    COLS,
    NEEDED,
    SIZE,
    Cells,
    Facts,
    Journal,
    Rules,
    copy_position,
    tick,
)
from gridsage.games.delirium.bd.state import (
    AWAKE,
    DIAMONDS,
    KILLS,
    MADE,
    MAGIC,
    PLAYING,
    PUSHES,
    ROCKFORD_AT,
    SPENT,
    TICKS,
    WON,
)

Kept = NDArray[np.uint8]  # (positions, cells)
KeptFacts = NDArray[np.int64]  # (positions, facts)
Notes = NDArray[np.int64]  # (positions, NOTES)
Keys = NDArray[np.int64]  # (a power of two, 2): key or 0, position
Actions = NDArray[np.uint8]  # (all actions of all positions,)

# columns of notes
PARENT, FROM, LENGTH, TRIES, VALUE, KEY, RISKS, NOTES = range(8)
# what `grow` returns
GROWN, FULL, FOUND_WIN, FOUND_PEN = range(4)
# what a step of a walk returns, or FOUND_WIN, or FOUND_PEN
GOES_ON, IS_OVER = range(2)
NOBODY = -1  # the parent of the root

DRAWS = 12  # positions looked at before one is chosen
TRY_COST = 12  # ticks that a position is set back for each walk that began there
RECENT = 2000
LUCK = 40
STAYING = 4  # one position in so many stays when the archive is thinned, and those that led to it
MOST_LEGS = 4  # of a walk
MOST_STEPS = 60  # of a leg
UNSTEADY = 4  # one push in so many is relied on although it leads to other things when it comes later
RISK_COST = 120  # ticks, for each of them
TICKS_FOR_MORE = 16  # of a working magic wall, for each diamond beyond those that come down by themselves
TICKS_OF_A_HARVEST = 4  # count as one: nothing is looked at in them
TICKS_OF_A_FENCE = 6  # to look for the cells that one lacks takes as long
TICKS_TO_REST = 8  # after which a fence is looked at again
RETRACED = 4  # one position in so many of an old plan is kept
NEAR = 2  # cells around Rockford whose boulders and diamonds are part of the key
FLY_NEAR = 3  # the same for flies: without them the earliest passage counts, and one that waits for a fly never
OBSTACLE_STEP = 24  # ticks of obstacles that make another key
HIGHEST: Number = np.int64(1) << 62


@kernel
def key_of(cells: Cells, facts: Facts, rules: Rules, ground: Ground, obstacles: Number) -> Number:
    """Return what tells a position from others: where he is, what he has and lacks, what happened, what is around."""
    rockford, cols = facts[ROCKFORD_AT], rules[COLS]
    value = mixed(facts[DIAMONDS] << 32 | facts[MADE] << 20 | facts[KILLS] << 12 | rockford)
    value ^= mixed(-1 - (obstacles // OBSTACLE_STEP << 2 | facts[MAGIC]))
    for down in range(-FLY_NEAR, FLY_NEAR + 1):
        for right in range(-FLY_NEAR, FLY_NEAR + 1):
            cell = rockford + down * cols + right
            if 0 <= cell < rules[SIZE]:
                kind = cells[cell] & KIND_MASK
                if FIREFLY <= kind < BUTTERFLY + 4:
                    value ^= mixed(cell << 8 | (FIREFLY if kind < BUTTERFLY else BUTTERFLY))
                elif (kind == BOULDER or kind == DIAMOND) and abs(down) <= NEAR and abs(right) <= NEAR:
                    value ^= mixed(cell << 8 | kind)
    if facts[MAGIC] != SPENT and facts[DIAMONDS] < rules[NEEDED]:
        value ^= stock(cells, rules, ground.walls)
    return value if value != 0 else 1


@kernel
def slot_of(keys: Keys, key: Number) -> Number:
    """Return where a key is, or where it belongs."""
    mask = len(keys) - 1
    slot = key & mask
    while keys[slot, 0] != 0 and keys[slot, 0] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def spent(facts: Facts, note: NDArray[np.int64]) -> Number:
    """Return what it has cost to come to a position: ticks, those that pushes fail for, and risks."""
    return facts[TICKS] + PUSH_COST * facts[PUSHES] + RISK_COST * note[RISKS]


@kernel
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


@kernel
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
        if amoeba == 0 and butterflies == 0 and crop + more < wanted:
            return False
    obstacles -= HARVEST_HELP * min(crop, wanted)
    value -= HARVEST_HELP * min(crop, wanted)
    key = key_of(kept[row], kept_facts[row], rules, ground, obstacles)
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
    enter(books, row, kept_facts[row])
    books[COUNT] += 1
    return True


@kernel
def level_of(facts: Facts) -> Number:
    """Return how far a position has come: diamonds taken and made.

    Both, so that those in which a magic wall is still being prepared are not crowded out by those that used it early.
    """
    return min(facts[DIAMONDS] + facts[MADE], np.int64(LEVELS - 1))


@kernel
def enter(books: Books, row: int, facts: Facts) -> None:
    """Write a position into the ring of its level."""
    level = level_of(facts)
    ring = RINGS + level * (1 + RING)
    books[ring + 1 + books[ring] % RING] = row
    books[ring] += 1
    books[TOP] = max(books[TOP], level)


@kernel
def promising(kept_facts: KeptFacts, notes: Notes, books: Books) -> NDArray[np.bool_]:
    """Say of each position if it is among the best with its number of diamonds, or led to one of them."""
    count = books[COUNT]
    order = np.argsort(notes[:count, VALUE] + TRY_COST * notes[:count, TRIES])
    stays, of_level = np.zeros(count, dtype=np.bool_), np.zeros(LEVELS, dtype=np.int64)
    quota = len(notes) // (STAYING * (books[TOP] + 1))
    for row in order:
        level = level_of(kept_facts[row])
        if notes[row, VALUE] < HIGHEST and of_level[level] < quota:
            of_level[level] += 1
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
            enter(books, new, kept_facts[new])
    books[COUNT], books[USED] = new_rows[-1] + 1, used


@kernel
def chosen(notes: Notes, books: Books) -> Number:
    """Return a position to go on from: the best of a few drawn ones, most of them new.

    Every other time they are drawn among those with one number of diamonds: what was taken in a hurry may have closed
    the way to the rest, and then the way leads on from positions that were left behind.
    """
    count = books[COUNT]
    best, lowest = np.int64(0), HIGHEST
    ring = RINGS + below(books, books[TOP] + 1) * (1 + RING)
    in_ring = below(books, 2) == 0 and books[ring] > 0
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


@kernel
def grow(
    kept: Kept,
    kept_facts: KeptFacts,
    notes: Notes,
    keys: Keys,
    actions: Actions,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
    most_ticks: int,
) -> int:
    """Let walks go on for about so many ticks."""
    end = books[TICKS_USED] + most_ticks
    while books[TICKS_USED] < end:
        if books[COUNT] + 2 * MOST_LEGS * MOST_STEPS >= len(notes) or books[USED] + 1000 >= len(actions):
            return FULL
        row = chosen(notes, books)
        notes[row, TRIES] += 1
        books[TICKS_USED] += 1  # also for a walk that comes to nothing: where he is shut in they all do
        code = walk(kept, kept_facts, notes, keys, actions, rules, stream, journal, ground, books, row)
        if code == FOUND_WIN or code == FOUND_PEN:
            return code
    return GROWN


@kernel
def set_out(kept: Kept, kept_facts: KeptFacts, notes: Notes, books: Books, start: int) -> None:
    """Begin a walk at a kept position; it takes place in the last row, pushes are tried in the two before."""
    at = len(kept) - 1
    copy_position(kept[at], kept_facts[at], kept[start], kept_facts[start])
    books[LAST_KEPT], books[KEPT_TO], books[RISKS_TAKEN] = start, books[USED], notes[start, RISKS]


@kernel
def stays_shut(
    kept: Kept, kept_facts: KeptFacts, rules: Rules, stream: Stream, journal: Journal, ground: Ground
) -> bool:
    """Return True if amoeba is still shut in, and Rockford beside it, when all has come to rest after a walk."""
    at, spare = len(kept) - 1, len(kept) - 2
    copy_position(kept[spare], kept_facts[spare], kept[at], kept_facts[at])
    for _ in range(TICKS_TO_REST):
        if tick(kept[spare], kept_facts[spare], rules, stream, journal, 0) != PLAYING:
            return False
    _, is_shut = enclosed(kept[spare], rules, ground.pen)
    return bool(is_shut and is_beside(rules, ground.pen, kept_facts[spare, ROCKFORD_AT]))


@kernel
def leave(
    kept: Kept,
    kept_facts: KeptFacts,
    notes: Notes,
    keys: Keys,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
) -> int:
    """Keep the position that a walk has come to, if it is worth it; return FOUND_PEN if amoeba is shut in there."""
    row, at, first = books[COUNT], len(kept) - 1, books[KEPT_TO]
    copy_position(kept[row], kept_facts[row], kept[at], kept_facts[at])
    if keep(kept, kept_facts, notes, keys, rules, stream, journal, ground, books, books[LAST_KEPT]):
        notes[row, FROM], notes[row, LENGTH] = first, books[USED] - first
        books[LAST_KEPT], books[KEPT_TO] = row, books[USED]
        if ground.fence[GAPS] == 0 and stays_shut(kept, kept_facts, rules, stream, journal, ground):
            books[WINNER] = row
            notes[row, VALUE] = HIGHEST  # nobody goes on from there either
            return FOUND_PEN
    return GOES_ON


@kernel
def may_be_pushed(
    kept: Kept, kept_facts: KeptFacts, rules: Rules, stream: Stream, journal: Journal, books: Books, action: int
) -> bool:
    """Return True if a walk may rely on a push here: he must live while it fails, and it should not have to come now.

    One that leads to other things when it comes later is relied on as often as it would succeed.
    """
    at, spare, other = len(kept) - 1, len(kept) - 2, len(kept) - 3
    copy_position(kept[spare], kept_facts[spare], kept[at], kept_facts[at])
    books[TICKS_USED] += FAILURES
    if endures(kept[spare], kept_facts[spare], rules, stream, journal) < FAILURES:
        return False
    ticks = steadiness(
        kept[at],
        kept_facts[at],
        kept[spare],
        kept_facts[spare],
        kept[other],
        kept_facts[other],
        rules,
        stream,
        journal,
        action,
    )
    books[TICKS_USED] += abs(ticks)
    if ticks < 0:
        books[RISKS_TAKEN] += 1
    return bool(ticks > 0 or below(books, UNSTEADY) == 0)


@kernel
def step(
    kept: Kept,
    kept_facts: KeptFacts,
    notes: Notes,
    keys: Keys,
    actions: Actions,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
    action: int,
    leaves: bool,
) -> int:
    """Play one action of a walk; keep what comes of it if it `leaves` something here, or if something has happened."""
    at = len(kept) - 1
    cells, facts = kept[at], kept_facts[at]
    if is_push(cells, facts, action) and not may_be_pushed(kept, kept_facts, rules, stream, journal, books, action):
        books[USED] = books[KEPT_TO]
        return IS_OVER
    diamonds, pushes, made = facts[DIAMONDS], facts[PUSHES], facts[MADE]
    status = tick(cells, facts, rules, stream, journal, action)
    books[TICKS_USED] += 1
    if facts[PUSHES] > pushes:
        charge(facts, rules)
    actions[books[USED]] = action
    books[USED] += 1
    if status == WON:
        row, first = books[COUNT], books[KEPT_TO]
        copy_position(kept[row], kept_facts[row], cells, facts)
        notes[row, PARENT], notes[row, FROM], notes[row, LENGTH] = books[LAST_KEPT], first, books[USED] - first
        notes[row, VALUE], notes[row, RISKS] = HIGHEST, books[RISKS_TAKEN]
        books[WINNER] = row
        books[COUNT] += 1
        return FOUND_WIN
    if status != PLAYING or is_too_late(facts, rules, books[EXIT_AT]):
        books[USED] = books[KEPT_TO]
        return IS_OVER
    if leaves or facts[DIAMONDS] != diamonds or facts[PUSHES] != pushes or facts[MADE] != made:
        return leave(kept, kept_facts, notes, keys, rules, stream, journal, ground, books)
    return GOES_ON


@kernel
def retrace(
    kept: Kept,
    kept_facts: KeptFacts,
    notes: Notes,
    keys: Keys,
    actions: Actions,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
    line: NDArray[np.int64],
    waits: int,
) -> int:
    """Walk an old plan again from the root, after so many ticks of waiting, and leave much of it in the archive."""
    set_out(kept, kept_facts, notes, books, 0)
    for i in range(waits + len(line)):
        if books[COUNT] + 4 >= len(notes) or books[USED] + 2 >= len(actions):
            return GROWN
        action = 0 if i < waits else line[i - waits]
        code = step(
            kept, kept_facts, notes, keys, actions, rules, stream, journal, ground, books, action, i % RETRACED == 0
        )
        if code == FOUND_WIN or code == FOUND_PEN:
            return code
        if code == IS_OVER:
            break
    books[USED] = books[KEPT_TO]
    return GROWN


@kernel
def walk(
    kept: Kept,
    kept_facts: KeptFacts,
    notes: Notes,
    keys: Keys,
    actions: Actions,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
    start: int,
) -> int:
    """Walk a few legs from a kept position; what is worth keeping on the way is kept."""
    at = len(notes) - 1
    cells, facts = kept[at], kept_facts[at]
    set_out(kept, kept_facts, notes, books, start)
    for _ in range(1 + below(books, MOST_LEGS)):
        target = aim(cells, facts, rules, ground, books)
        style = below(books, 8)
        waits = below(books, 10) if style == 0 else 0
        noise = 12 if style == 1 else 0  # one step in so many is any
        extra = 0
        steps = MOST_STEPS
        while steps > 0:
            steps -= 1
            here = facts[ROCKFORD_AT]
            action: Number = np.int64(0)
            if waits > 0:
                waits -= 1
            elif noise > 0 and below(books, noise) == 0:
                action = below(books, 9)
            elif target < 0:
                action = below(books, 5)
                steps -= 8
            elif here == target >> 4:
                action = target & 15
                if action == 0 or extra >= 3:
                    break
                extra += 1
                steps = min(steps, 2)
                target = (here + (1 if action == 1 else -1)) << 4 | action if below(books, 3) else target & ~15
            else:
                action = next_step(cells, facts, rules, ground, books)
                if action == 0:
                    steps = min(steps, 2)  # something is in the way: it may move on
            if not does_something(cells, rules, here, action):
                break
            code = step(
                kept, kept_facts, notes, keys, actions, rules, stream, journal, ground, books, action, steps % 8 == 0
            )
            if code == FOUND_WIN or code == FOUND_PEN:
                return code
            if code == IS_OVER:
                return GROWN
    if books[USED] > books[KEPT_TO]:
        code = leave(kept, kept_facts, notes, keys, rules, stream, journal, ground, books)
        books[USED] = books[KEPT_TO]
        if code == FOUND_PEN:
            return code
    return GROWN
