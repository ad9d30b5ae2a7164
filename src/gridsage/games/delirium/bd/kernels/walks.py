"""Walks with a purpose on the exact tick: from a kept position to a diamond, a boulder, the exit or just somewhere.

What a walk meets is left in the archive. A push is relied on only where Rockford lives while it fails.
"""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.cells import KIND_MASK
from gridsage.games.delirium.bd.kernels.aims import AT_ONCE, SNAP_RIGHT, aim, next_step
from gridsage.games.delirium.bd.kernels.archive import (
    FROM,
    HIGHEST,
    LENGTH,
    PARENT,
    RISKS,
    TRIES,
    VALUE,
    Actions,
    Kept,
    KeptFacts,
    Keys,
    Notes,
    chosen,
    keep,
)
from gridsage.games.delirium.bd.kernels.boards import AT_LEISURE, Ground
from gridsage.games.delirium.bd.kernels.books import (
    COUNT,
    EXIT_AT,
    KEPT_TO,
    LAST_KEPT,
    RISKS_TAKEN,
    SWERVED,
    TICKS_USED,
    USED,
    WINNER,
    Books,
    below,
)
from gridsage.games.delirium.bd.kernels.chance import Number, Stream
from gridsage.games.delirium.bd.kernels.outlook import prospect
from gridsage.games.delirium.bd.kernels.pens import GAPS, enclosed, is_beside
from gridsage.games.delirium.bd.kernels.plan import does_something, is_fly, is_too_late
from gridsage.games.delirium.bd.kernels.pushes import FAILURES, charge, endures, is_push, steadiness
from gridsage.games.delirium.bd.kernels.tick import COLS, SIZE, Journal, Rules, copy_position, tick
from gridsage.games.delirium.bd.state import DIAMONDS, KILLS, MADE, PLAYING, PUSHES, ROCKFORD_AT, STATUS, WON

# what `grow` returns
GROWN, FULL, FOUND_WIN, FOUND_PEN = range(4)
# what a step of a walk returns, or FOUND_WIN, or FOUND_PEN
GOES_ON, IS_OVER = range(2)

MOST_LEGS = 4  # of a walk
MOST_STEPS = 60  # of a leg
UNSTEADY = 4  # one push in so many is relied on although it leads to other things when it comes later
TICKS_TO_REST = 8  # after which a fence is looked at again
MOST_LURKED = 24  # ticks of waiting for a fly
DEEPEST_FALL, FLY_ASIDE = 8, 2  # cells below what he digs away, and beside them, where a fly may be hit
TICKS_OF_A_LOOK = 8  # at two positions
DIRECTIONS = 5  # and waiting is one of them
MOST_SWERVES = 3  # of a walk
RETRACED = 4  # one position in so many of an old plan is kept


@borrowing_kernel
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
        row = chosen(notes, ground, books)
        notes[row, TRIES] += 1
        books[TICKS_USED] += 1  # also for a walk that comes to nothing: where he is shut in they all do
        code = walk(kept, kept_facts, notes, keys, actions, rules, stream, journal, ground, books, row)
        if code == FOUND_WIN or code == FOUND_PEN:
            return code
    return GROWN


@borrowing_kernel
def set_out(kept: Kept, kept_facts: KeptFacts, notes: Notes, books: Books, start: int) -> None:
    """Begin a walk at a kept position; it takes place in the last row, the three before are for trials."""
    at = len(kept) - 1
    copy_position(kept[at], kept_facts[at], kept[start], kept_facts[start])
    books[LAST_KEPT], books[KEPT_TO], books[RISKS_TAKEN] = start, books[USED], notes[start, RISKS]
    books[SWERVED] = 0


@borrowing_kernel
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


@borrowing_kernel
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


@borrowing_kernel
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


@borrowing_kernel
def ticks_to_a_hit(
    kept: Kept,
    kept_facts: KeptFacts,
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    books: Books,
    action: int,
) -> Number:
    """Return after how many ticks a fly dies for some good if a boulder's support is dug away now, or 0."""
    at, spare = len(kept) - 1, len(kept) - 2
    cells, cols, size = kept[at], rules[COLS], rules[SIZE]
    support = kept_facts[at, ROCKFORD_AT] + (1 if action == SNAP_RIGHT else -1)
    is_near = False
    for down in range(1, DEEPEST_FALL + 1):
        for right in range(-FLY_ASIDE, FLY_ASIDE + 1):
            cell = support + down * cols + right
            is_near |= cell < size and is_fly(cells[cell] & KIND_MASK)
    if not is_near:
        return np.int64(0)
    copy_position(kept[spare], kept_facts[spare], kept[at], kept_facts[at])
    kills = kept_facts[spare, KILLS]
    for ticks in range(DEEPEST_FALL):
        books[TICKS_USED] += 1
        if tick(kept[spare], kept_facts[spare], rules, stream, journal, action if ticks == 0 else 0) != PLAYING:
            break
        if kept_facts[spare, KILLS] > kills:
            _, after = prospect(kept[spare], kept_facts[spare], rules, ground)
            _, before = prospect(cells, kept_facts[at], rules, ground)
            books[TICKS_USED] += TICKS_OF_A_LOOK
            return np.int64(ticks + 1 if after < before else 0)
    return np.int64(0)


@borrowing_kernel
def swerved(
    kept: Kept, kept_facts: KeptFacts, rules: Rules, stream: Stream, journal: Journal, books: Books, action: int
) -> tuple[Number, int]:
    """Go back to before a tick in which he died, and do something else there: return what, and what comes of it."""
    at, before = len(kept) - 1, len(kept) - 4
    status, other = kept_facts[at, STATUS], np.int64(action)
    first = below(books, DIRECTIONS)
    books[SWERVED] += 1
    for number in range(DIRECTIONS):
        if status == PLAYING or status == WON:
            break
        other = (first + number) % DIRECTIONS
        if other == action or is_push(kept[before], kept_facts[before], other):
            continue
        copy_position(kept[at], kept_facts[at], kept[before], kept_facts[before])
        status = tick(kept[at], kept_facts[at], rules, stream, journal, other)
        books[TICKS_USED] += 1
    return other, status


@borrowing_kernel
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
    may_swerve: bool,
) -> int:
    """Play one action of a walk, or another one if that is deadly and it `may_swerve`.

    What comes of it is kept if it `leaves` something here, or if something has happened.
    """
    at = len(kept) - 1
    cells, facts = kept[at], kept_facts[at]
    if is_push(cells, facts, action) and not may_be_pushed(kept, kept_facts, rules, stream, journal, books, action):
        books[USED] = books[KEPT_TO]
        return IS_OVER
    diamonds, pushes, made = facts[DIAMONDS], facts[PUSHES], facts[MADE]
    if may_swerve:
        copy_position(kept[at - 3], kept_facts[at - 3], cells, facts)
    status = tick(cells, facts, rules, stream, journal, action)
    books[TICKS_USED] += 1
    if may_swerve and status != PLAYING and status != WON:
        action, status = swerved(kept, kept_facts, rules, stream, journal, books, action)
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


@borrowing_kernel
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
        leaves = i % RETRACED == 0
        code = step(
            kept, kept_facts, notes, keys, actions, rules, stream, journal, ground, books, action, leaves, False
        )
        if code == FOUND_WIN or code == FOUND_PEN:
            return code
        if code == IS_OVER:
            break
    books[USED] = books[KEPT_TO]
    return GROWN


@borrowing_kernel
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
        extra, lurked, has_struck = 0, 0, False
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
                if action == 0 or extra >= 3 or lurked == MOST_LURKED:
                    break
                if action > AT_ONCE:
                    action, target = action - AT_ONCE, here << 4
                elif action > 4:
                    hit = ticks_to_a_hit(kept, kept_facts, rules, stream, journal, ground, books, action)
                    lurked += 1
                    if hit > 0:
                        waits, target, has_struck = hit - 1, here << 4, True
                    else:
                        action = 0
                else:
                    extra += 1
                    steps = min(steps, 2)
                    target = (here + (1 if action == 1 else -1)) << 4 | action if below(books, 3) else target & ~15
            else:
                action = next_step(cells, facts, rules, ground, books)
                if action == 0:
                    steps = min(steps, 2)  # something is in the way: it may move on
            if not does_something(cells, rules, here, action):
                break
            leaves = steps % 8 == 0 or (has_struck and waits == 0)
            swerves = ground.pace[0] == AT_LEISURE and books[SWERVED] < MOST_SWERVES
            code = step(
                kept, kept_facts, notes, keys, actions, rules, stream, journal, ground, books, action, leaves, swerves
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
