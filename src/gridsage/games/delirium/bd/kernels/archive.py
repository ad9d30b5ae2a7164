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
    DIAMOND,
    DIAMOND_BIRTH,
    DIRT,
    EXIT_OPEN,
    EXIT_SHUT,
    FALLING_DIAMOND,
    KIND_MASK,
    SPACE,
)
from gridsage.games.delirium.bd.kernels.chance import Number, Stream
from gridsage.games.delirium.bd.kernels.plan import does_something, flood, is_too_late, mixed, ticks_left
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
    DIAMONDS,
    KILLS,
    MADE,
    MAGIC,
    PLAYING,
    PUSHES,
    ROCKFORD_AT,
    TICKS,
    WON,
)

Kept = NDArray[np.uint8]  # (positions, cells)
KeptFacts = NDArray[np.int64]  # (positions, facts)
Notes = NDArray[np.int64]  # (positions, NOTES)
Keys = NDArray[np.int64]  # (a power of two, 2): key or 0, position
Actions = NDArray[np.uint8]  # (all actions of all positions,)
Books = NDArray[np.int64]  # (BOOKS,)
Ground = NDArray[np.int64]  # (4, cells + 1): distances and a queue for the walk, and for values

# columns of notes
PARENT, FROM, LENGTH, TRIES, VALUE, NOTES = range(6)
# books: what a search remembers between two calls
COUNT, USED, DICE, EXIT_AT, TICKS_USED, WINNER, BOOKS = range(7)
# what `grow` returns
GROWN, FULL, FOUND_WIN = range(3)
NOBODY = -1  # the parent of the root

DRAWS = 12  # positions looked at before one is chosen
TRY_COST = 12.0  # ticks that a position is set back for each walk that began there
MOST_LEGS = 4  # of a walk
MOST_STEPS = 60  # of a leg
NEAR = 2  # cells around Rockford whose boulders and diamonds are part of the key

DIAMOND_WORTH = 60
OUT_OF_REACH = 20
NOT_THERE = 25
NO_WAY_OUT = 40
PUSH_COST = 3
HIGHEST: Number = np.int64(1) << 62


@kernel
def below(books: Books, number: int) -> Number:
    """Return a number of chance, from 0 to `number` - 1."""
    dice = books[DICE]
    dice ^= (dice << 13) & 0x7FFFFFFFFFFFFFFF
    dice ^= dice >> 7
    dice ^= (dice << 17) & 0x7FFFFFFFFFFFFFFF
    books[DICE] = dice
    return (dice >> 20) % number


@kernel
def key_of(cells: Cells, facts: Facts, rules: Rules) -> Number:
    """Return what tells a position from others: where he is, what he has, what has happened, and what lies around."""
    rockford, cols = facts[ROCKFORD_AT], rules[COLS]
    value = mixed(facts[DIAMONDS] << 32 | facts[MADE] << 20 | facts[KILLS] << 12 | rockford)
    value ^= mixed(-1 - facts[MAGIC])
    for down in range(-NEAR, NEAR + 1):
        for right in range(-NEAR, NEAR + 1):
            cell = rockford + down * cols + right
            if 0 <= cell < rules[SIZE]:
                kind = cells[cell] & KIND_MASK
                if kind == BOULDER or kind == DIAMOND:
                    value ^= mixed(cell << 8 | kind)
    return value if value != 0 else 1


@kernel
def value_of(cells: Cells, facts: Facts, rules: Rules, ground: Ground) -> Number:
    """Return a guess at the ticks of the whole game if it goes on from here; what is out of reach costs more."""
    distance, queue = ground[2], ground[3]
    reached = flood(cells, rules, facts[ROCKFORD_AT], distance[: rules[SIZE]], queue)
    missing = max(0, rules[NEEDED] - facts[DIAMONDS])
    in_reach, nearest, way_out, there = 0, -1, -1, 0
    for i in range(1, reached):
        kind = cells[queue[i]] & KIND_MASK
        if kind == DIAMOND or kind == FALLING_DIAMOND or DIAMOND_BIRTH <= kind < DIAMOND_BIRTH + 4:
            in_reach += 1
            if nearest < 0:
                nearest = distance[queue[i]]
        elif (kind == EXIT_SHUT or kind == EXIT_OPEN) and way_out < 0:
            way_out = distance[queue[i]]
    if missing > in_reach:
        for cell in range(rules[SIZE]):
            kind = cells[cell] & KIND_MASK
            there += kind == DIAMOND or kind == FALLING_DIAMOND or DIAMOND_BIRTH <= kind < DIAMOND_BIRTH + 4
    way = max(way_out, 0) if missing == 0 else max(nearest, 0)
    value = facts[TICKS] + PUSH_COST * facts[PUSHES] + DIAMOND_WORTH * missing + way
    value += OUT_OF_REACH * max(0, missing - in_reach)
    if missing > in_reach:
        value += NOT_THERE * max(0, missing - there)
    if way_out < 0:
        value += NO_WAY_OUT
    late = 6 * missing + way - ticks_left(facts, rules)
    return value + 2 * max(0, late)


@kernel
def keep(
    kept: Kept, kept_facts: KeptFacts, notes: Notes, keys: Keys, rules: Rules, ground: Ground, books: Books, parent: int
) -> bool:
    """Keep the position in row COUNT if its key is new or was met later; return True if it was kept."""
    row = books[COUNT]
    key = key_of(kept[row], kept_facts[row], rules)
    mask = len(keys) - 1
    slot = key & mask
    while keys[slot, 0] != 0 and keys[slot, 0] != key:
        slot = (slot + 1) & mask
    spent = kept_facts[row, TICKS] + PUSH_COST * kept_facts[row, PUSHES]
    tries = 0
    if keys[slot, 0] == key:
        old = keys[slot, 1]
        if kept_facts[old, TICKS] + PUSH_COST * kept_facts[old, PUSHES] <= spent:
            return False
        tries = notes[old, TRIES]
        notes[old, VALUE] = HIGHEST  # nobody goes on from there
    keys[slot, 0], keys[slot, 1] = key, row
    notes[row, PARENT] = parent
    notes[row, TRIES] = tries // 2
    notes[row, VALUE] = value_of(kept[row], kept_facts[row], rules, ground)
    books[COUNT] += 1
    return True


@kernel
def chosen(notes: Notes, books: Books) -> Number:
    """Return a position to go on from: the best of a few drawn ones, most of them new."""
    count = books[COUNT]
    best, lowest = np.int64(0), 1e18
    for draw in range(DRAWS):
        span = count if draw % 2 == 0 else min(count, 2000)
        row = count - 1 - below(books, span)
        if notes[row, VALUE] == HIGHEST:
            continue
        score = notes[row, VALUE] + TRY_COST * notes[row, TRIES] + below(books, 40)
        if score < lowest:
            best, lowest = row, score
    return best


@kernel
def aim(cells: Cells, facts: Facts, rules: Rules, ground: Ground, books: Books) -> Number:
    """Choose where to walk, and return it with the action to do there: cell << 4 | action; -1 for nowhere.

    Afterwards `ground` holds the distances to that place.
    """
    distance, queue = ground[0], ground[1]
    size = rules[SIZE]
    here = facts[ROCKFORD_AT]
    reached = flood(cells, rules, here, distance[:size], queue)
    missing = rules[NEEDED] > facts[DIAMONDS]
    kind_of_aim = below(books, 10)
    found: Number = np.int64(-1)
    if kind_of_aim < 5:
        skip = below(books, 4)  # one of the nearest few
        for i in range(1, reached):
            kind = cells[queue[i]] & KIND_MASK
            wanted = (kind == DIAMOND) if missing else (kind == EXIT_OPEN or kind == EXIT_SHUT)
            if wanted:
                found = queue[i] << 4
                if skip == 0:
                    break
                skip -= 1
    elif kind_of_aim < 8 and reached > 1:
        # a boulder to push, from the side on which he can stand
        for _ in range(12):
            cell = queue[below(books, min(reached, 150))]
            step = 1 if below(books, 2) == 0 else -1
            if cells[cell + step] & KIND_MASK == BOULDER and cells[cell + 2 * step] & KIND_MASK == SPACE:
                found = cell << 4 | (1 if step == 1 else 3)
                break
    if found < 0 and reached > 1:
        found = queue[1 + below(books, min(reached - 1, 80))] << 4
    if found >= 0:
        flood(cells, rules, found >> 4, distance[:size], queue)
    return found


@kernel
def next_step(cells: Cells, facts: Facts, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return an action that leads nearer to where he is going, 0 if none does."""
    here, cols = facts[ROCKFORD_AT], rules[COLS]
    best, least = 0, ground[0, here]
    first = below(books, 4)
    for number in range(4):
        action = 1 + (first + number) % 4
        step = 1 if action == 1 else (-cols if action == 2 else (-1 if action == 3 else cols))
        there = ground[0, here + step]
        kind = cells[here + step] & KIND_MASK
        if 0 <= there < least and (kind == SPACE or kind == DIRT or kind == DIAMOND or kind == EXIT_OPEN):
            best, least = action, there
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
        code = walk(kept, kept_facts, notes, keys, actions, rules, stream, journal, ground, books, row)
        if code == FOUND_WIN:
            return FOUND_WIN
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
    parent = start
    at = len(notes) - 1  # the last row is where the walk takes place
    cells, facts = kept[at], kept_facts[at]
    copy_position(cells, facts, kept[start], kept_facts[start])
    first = books[USED]
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
            diamonds, pushes, made = facts[DIAMONDS], facts[PUSHES], facts[MADE]
            status = tick(cells, facts, rules, stream, journal, action)
            books[TICKS_USED] += 1
            actions[books[USED]] = action
            books[USED] += 1
            if status == WON:
                row = books[COUNT]
                copy_position(kept[row], kept_facts[row], cells, facts)
                notes[row, PARENT], notes[row, FROM], notes[row, LENGTH] = parent, first, books[USED] - first
                books[WINNER] = row
                books[COUNT] += 1
                return FOUND_WIN
            if status != PLAYING or is_too_late(facts, rules, books[EXIT_AT]):
                books[USED] = first
                return GROWN
            if facts[DIAMONDS] != diamonds or facts[PUSHES] != pushes or facts[MADE] != made or steps % 8 == 0:
                row = books[COUNT]
                copy_position(kept[row], kept_facts[row], cells, facts)
                if keep(kept, kept_facts, notes, keys, rules, ground, books, parent):
                    notes[row, FROM], notes[row, LENGTH] = first, books[USED] - first
                    parent, first = row, books[USED]
    row = books[COUNT]
    if books[USED] > first:
        copy_position(kept[row], kept_facts[row], cells, facts)
        if keep(kept, kept_facts, notes, keys, rules, ground, books, parent):
            notes[row, FROM], notes[row, LENGTH] = first, books[USED] - first
        else:
            books[USED] = first
    return GROWN
