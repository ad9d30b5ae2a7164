"""Sets of a cave's cells as bits, and what spreads over them a whole layer at once.

A set is a row of 64-bit words, a bit for each cell in reading order, with empty words before and after it so that every
neighbour can be looked up. The neighbours of all cells of a set are six shifts of each word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.delirium.bd.cells import (
    AMOEBA,
    BOULDER,
    BRICK,
    BUTTERFLY,
    DIAMOND,
    DIAMOND_BIRTH,
    DIRT,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    FIREFLY,
    GROWING_WALL,
    KIND_MASK,
    KINDS,
    MAGIC_WALL,
    SLIME,
    STEEL,
)
from gridsage.games.delirium.bd.kernels.chance import Number
from gridsage.games.delirium.bd.kernels.pens import FENCE, new_pen
from gridsage.games.delirium.bd.kernels.plan import WAY, WAY_OUT, WAYS
from gridsage.games.delirium.bd.kernels.tick import COLS, SIZE, Cells, Rules

Board = NDArray[np.uint64]  # (words,)
Boards = NDArray[np.uint64]  # (BOARDS, words)
Due = NDArray[np.int64]  # (SLOTS + 1,): where in its row something waits in a slot, or 0; then NOW

# What a cell is to those who pass. Each is one or more of these.
PASSED, EXITS, GEMS, LIGHT, SOFT, HEAVY, SOLID, FLIES, CLASSES = range(9)
# further sets
REACHED, FRONT, NEAR, OPEN, TARGETS, HITS, ROOMS, FIRST_SLOT = range(CLASSES, CLASSES + 8)
BOULDER_PRICE, WALL_PRICE = 12, 150
SLOTS = 256  # more than any price, and a power of two: what is reached at a cost waits in slot cost % SLOTS
BOARDS = FIRST_SLOT + SLOTS
NOW = SLOTS
# ticks that have gone and count as one: who hurries bars the way to the rest, but magic walls were prepared in haste
IN_HASTE, AT_LEISURE = 1, 2
FALLS = 4  # passes over a picture, each of which lets things fall a row or two
HALF = 32  # bits: in one of them is the first word of a slot that is not empty, in the other the end of such words
LOW_HALF = (1 << HALF) - 1
FAR: Number = np.int64(1) << 40

CLASS_OF = np.zeros(KIND_MASK + 1, dtype=np.uint64)
for _kind in range(KINDS):
    _gem = _kind in (DIAMOND, FALLING_DIAMOND) or DIAMOND_BIRTH <= _kind < DIAMOND_BIRTH + 4
    _price = LIGHT
    if _kind == DIRT:
        _price = SOFT
    elif _kind in (BOULDER, FALLING_BOULDER):
        _price = HEAVY
    elif _kind in (BRICK, MAGIC_WALL, AMOEBA, SLIME, GROWING_WALL):
        _price = SOLID
    _bits = int(WAYS[_kind] == WAY) << PASSED | int(WAYS[_kind] == WAY_OUT) << EXITS | _gem << GEMS
    _bits |= (_kind != STEEL) << _price | (FIREFLY <= _kind < BUTTERFLY + 4) << FLIES
    CLASS_OF[_kind] = _bits

ONE, BYTE, LAST_BIT = np.uint64(1), np.uint64(8), np.uint64(63)
LOW_BITS = np.uint64(0x0101010101010101)
GATHER = np.uint64(0x0102040810204080)  # times eight low bits: these bits, in the highest byte
HIGHEST_BYTE = np.uint64(56)
NONE = np.uint64(0)
PAIRS, FOURS, EIGHTS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
TWO, FOUR = np.uint64(2), np.uint64(4)


class Ground(NamedTuple):
    """What is written down about the ways of one position.

    Args:
        walk: walking distances by cell, -1 where there is no way; see `aims.aim` for where from.
        queue: the cells of it in the order of their distance.
        cost: what ways cost that lead through boulders and walls as well.
        queues: four of them, one for each price.
        boards: sets of cells.
        due: what waits in `boards`.
        walls: how many magic walls there are, and their cells.
        pen: how amoeba could be shut in.
        fence: what is known about that; see `pens`.
        pace: one number, IN_HASTE or AT_LEISURE.
    """

    walk: NDArray[np.int64]
    queue: NDArray[np.int64]
    cost: NDArray[np.int64]
    queues: NDArray[np.int64]
    boards: Boards
    due: Due
    walls: NDArray[np.int64]
    pen: NDArray[np.int64]
    fence: NDArray[np.int64]
    pace: NDArray[np.int64]


def new_ground(cols: int, size: int) -> Ground:
    """Return room to write down the ways of a position."""
    words = ((size + 63) >> 6) + 2 * margin(cols)
    rows = [np.zeros(size + 1, dtype=np.int64) for _ in range(4)]
    return Ground(
        walk=rows[0],
        queue=rows[1],
        cost=rows[2],
        queues=np.zeros((4, size + 1), dtype=np.int64),
        boards=np.zeros((BOARDS, words), dtype=np.uint64),
        due=np.zeros(SLOTS + 1, dtype=np.int64),
        walls=rows[3],
        pen=new_pen(size),
        fence=np.full(FENCE, -1, dtype=np.int64),
        pace=np.full(1, AT_LEISURE, dtype=np.int64),
    )


@kernel
def margin(cols: int) -> int:
    """Return how many empty words there are before a set, and after it."""
    return (cols >> 6) + 2


@kernel
def draw(cells: Cells, rules: Rules, ground: Ground) -> None:
    """Write down what each cell of a picture is to those who pass, and where magic walls are."""
    boards, walls, size = ground.boards, ground.walls, rules[SIZE]
    first = margin(rules[COLS])
    for row in range(CLASSES):
        boards[row] = NONE
    count = 0
    for start in range(0, size, 8):
        eight = NONE
        for i in range(min(8, size - start)):
            kind = np.int64(cells[start + i]) & KIND_MASK
            eight |= CLASS_OF[kind] << np.uint64(8 * i)
            if kind == MAGIC_WALL:
                count += 1
                walls[count] = start + i
        place, shift = first + (start >> 6), np.uint64(start & 63)
        for row in range(CLASSES):
            boards[row, place] |= (((eight >> np.uint64(row)) & LOW_BITS) * GATHER >> HIGHEST_BYTE) << shift
    walls[0] = count


@kernel
def around(front: Board, near: Board, cols: int, size: int) -> None:
    """Fill a set with the neighbours of another one: to the left, to the right, above and below."""
    jump, first = cols >> 6, margin(cols)
    shift = np.uint64(cols & 63)
    rest = LAST_BIT - shift  # and one more: a shift by 64 is none
    for i in range(first, first + ((size + 63) >> 6)):
        word = front[i]
        sides = word << ONE | front[i - 1] >> LAST_BIT | word >> ONE | front[i + 1] << LAST_BIT
        above = front[i + jump] >> shift | (front[i + jump + 1] << ONE) << rest
        below = front[i - jump] << shift | (front[i - jump - 1] >> ONE) >> rest
        near[i] = sides | above | below


@kernel
def add_cell(board: Board, cols: int, cell: int) -> None:
    """Put a cell into a set."""
    board[margin(cols) + (cell >> 6)] |= ONE << np.uint64(cell & 63)


@kernel
def has_cell(board: Board, cols: int, cell: int) -> bool:
    """Return True if a cell is in a set."""
    return bool(board[margin(cols) + (cell >> 6)] >> np.uint64(cell & 63) & ONE != NONE)


@kernel
def bits_of(word: np.uint64) -> Number:
    """Return how many bits of a word are set."""
    word = word - (word >> ONE & PAIRS)
    word = (word & FOURS) + (word >> TWO & FOURS)
    word = word + (word >> FOUR) & EIGHTS
    return np.int64(word * LOW_BITS >> HIGHEST_BYTE)


@kernel
def size_of(board: Board) -> Number:
    """Return how many cells are in a set."""
    total = np.int64(0)
    for i in range(len(board)):
        if board[i] != NONE:
            total += bits_of(board[i])
    return total


@kernel
def first_of(board: Board, cols: int) -> Number:
    """Return the first cell of a set, or -1."""
    for i in range(len(board)):
        word = board[i]
        if word != NONE:
            return np.int64((i - margin(cols)) << 6) + bits_of((word ^ (word - ONE)) >> ONE)
    return np.int64(-1)


@kernel
def fill(board: Board, ways: Board, cols: int, size: int) -> None:
    """Add to a set all cells that can be reached from it through others, as fast as that goes: without distances."""
    jump, first = cols >> 6, margin(cols)
    end = first + ((size + 63) >> 6)
    shift = np.uint64(cols & 63)
    rest = LAST_BIT - shift  # and one more: a shift by 64 is none
    changed, passes = True, 0
    while changed:
        changed = False
        for number in range(first, end):
            i = first + end - 1 - number if passes & 1 == 1 else number
            open_ways, old = ways[i], board[i]
            word = old | board[i - 1] >> LAST_BIT | board[i + 1] << LAST_BIT
            word |= board[i + jump] >> shift | (board[i + jump + 1] << ONE) << rest
            word |= board[i - jump] << shift | (board[i - jump - 1] >> ONE) >> rest
            word = word & open_ways | old
            if word == NONE or (word == old and passes > 0):
                continue
            right, left = open_ways, open_ways
            for step in (ONE, TWO, FOUR, BYTE, BYTE + BYTE, FOUR * BYTE):
                word |= right & word << step | left & word >> step
                right &= right << step
                left &= left >> step
            changed |= word != old
            board[i] = word
        passes += 1


@kernel
def reach(boards: Boards, cols: int, size: int, start: int, to_exit: bool) -> Number:
    """Fill REACHED with the cells that can be walked to; return the steps to the nearest diamond or exit, or -1.

    Exits are not passed.
    """
    reached, front, near = boards[REACHED], boards[FRONT], boards[NEAR]
    reached[:], front[:] = NONE, NONE
    add_cell(front, cols, start)
    add_cell(reached, cols, start)
    wanted = boards[EXITS if to_exit else GEMS]
    steps = np.int64(0)
    left, hits = ONE, NONE
    while left != NONE and hits == NONE:
        steps += 1
        around(front, near, cols, size)
        left = NONE
        for i in range(len(front)):
            new = near[i] & ~reached[i] & (boards[PASSED, i] | boards[EXITS, i])
            reached[i] |= new
            hits |= new & wanted[i]
            front[i] = new & boards[PASSED, i]
            left |= front[i]
    if left != NONE:
        for i in range(len(reached)):
            reached[i] &= ~boards[EXITS, i]
        fill(reached, boards[PASSED], cols, size)
        around(reached, near, cols, size)
        for i in range(len(reached)):
            reached[i] |= near[i] & boards[EXITS, i]
    return steps if hits != NONE else np.int64(-1)


@kernel
def set_out(boards: Boards, due: Due) -> None:
    """Begin to spread from the cells in FRONT, through all that is not steel."""
    for slot in range(SLOTS):
        if due[slot] != 0:
            boards[FIRST_SLOT + slot] = NONE
            due[slot] = 0
    due[NOW] = 0
    low, high = boards.shape[1], 0
    for i in range(boards.shape[1]):
        word = boards[FRONT, i]
        whole = boards[LIGHT, i] | boards[SOFT, i] | boards[HEAVY, i] | boards[SOLID, i]
        boards[OPEN, i] = whole & ~word
        boards[FIRST_SLOT, i] = word
        if word != NONE:
            low, high = min(low, i), i + 1
    due[0] = high << HALF | low


@kernel
def wait(due: Due, slot: int, low: int, high: int, new: np.uint64) -> None:
    """Note that something new waits in a slot, between two words of its row."""
    if new != NONE:
        if due[slot] != 0:
            low, high = min(low, due[slot] & LOW_HALF), max(high, due[slot] >> HALF)
        due[slot] = high << HALF | low


@kernel
def advance(boards: Boards, due: Due, cols: int, size: int, dirt_price: int, limit: Number) -> Number:
    """Spread on until a cell of TARGETS is reached; return what that costs, with those cells in HITS, or FAR.

    The price of a step is that of the cell entered, so the first way that touches a cell is the cheapest. What is
    touched leaves OPEN. FAR: the rest costs more than the limit, or cannot be reached at all.
    """
    jump, first = cols >> 6, margin(cols)
    end = first + ((size + 63) >> 6)
    shift = np.uint64(cols & 63)
    rest = LAST_BIT - shift  # and one more: a shift by 64 is none
    now = due[NOW]
    while True:
        here = FIRST_SLOT + now % SLOTS
        low, high = due[now % SLOTS] & LOW_HALF, due[now % SLOTS] >> HALF
        due[now % SLOTS] = 0
        free_slot, soft_slot = (now + 1) % SLOTS, (now + dirt_price) % SLOTS
        heavy_slot, solid_slot = (now + BOULDER_PRICE) % SLOTS, (now + WALL_PRICE) % SLOTS
        some_free, some_soft, some_heavy, some_solid = NONE, NONE, NONE, NONE
        from_word, to_word = end, first
        for place in range(max(first, low - jump - 1), min(end, high + jump + 1)):
            at = np.uint64(place)
            on, back = at + np.uint64(jump), at - np.uint64(jump)
            word = boards[here, at]
            near = word << ONE | boards[here, at - ONE] >> LAST_BIT | word >> ONE | boards[here, at + ONE] << LAST_BIT
            near |= boards[here, on] >> shift | (boards[here, on + ONE] << ONE) << rest
            near |= boards[here, back] << shift | (boards[here, back - ONE] >> ONE) >> rest
            near &= boards[OPEN, at]
            if near == NONE:
                continue
            from_word, to_word = min(from_word, place), place + 1
            boards[OPEN, at] ^= near
            light, soft = near & boards[LIGHT, at], near & boards[SOFT, at]
            heavy, solid = near & boards[HEAVY, at], near & boards[SOLID, at]
            boards[FIRST_SLOT + free_slot, at] |= light
            boards[FIRST_SLOT + soft_slot, at] |= soft
            boards[FIRST_SLOT + heavy_slot, at] |= heavy
            boards[FIRST_SLOT + solid_slot, at] |= solid
            some_free |= light
            some_soft |= soft
            some_heavy |= heavy
            some_solid |= solid
        wait(due, free_slot, from_word, to_word, some_free)
        wait(due, soft_slot, from_word, to_word, some_soft)
        wait(due, heavy_slot, from_word, to_word, some_heavy)
        wait(due, solid_slot, from_word, to_word, some_solid)
        for i in range(low, high):
            boards[here, i] = NONE
        waited = 1
        while waited < SLOTS and due[(now + waited) % SLOTS] == 0:
            waited += 1
        now += waited
        if waited == SLOTS or now > limit:
            return FAR
        here = FIRST_SLOT + now % SLOTS
        hits = NONE
        for i in range(due[now % SLOTS] & LOW_HALF, due[now % SLOTS] >> HALF):
            hits |= boards[here, i] & boards[TARGETS, i]
        if hits != NONE:
            for i in range(first, end):
                boards[HITS, i] = boards[here, i] & boards[TARGETS, i]
            due[NOW] = now
            return now


@kernel
def is_met(boards: Boards, kind: int) -> bool:
    """Return True if one of the cells in HITS is of a kind."""
    met = NONE
    for i in range(boards.shape[1]):
        met |= boards[HITS, i] & boards[kind, i]
    return bool(met != NONE)


@kernel
def places_beyond(boards: Boards, cols: int, size: int) -> None:
    """Fill FRONT with the cells one step behind a wall, in the same direction, as seen from the cells in HITS."""
    inside, front, near, beyond = boards[HITS], boards[FRONT], boards[NEAR], boards[ROOMS]
    jump, first, words = cols >> 6, margin(cols), (size + 63) >> 6
    shift = np.uint64(cols & 63)
    rest = LAST_BIT - shift
    front[:] = NONE
    for direction in range(4):
        for leg in range(2):
            here, there = (inside, near) if leg == 0 else (near, beyond)
            for i in range(first, first + words):
                if direction == 0:
                    word = here[i] << ONE | here[i - 1] >> LAST_BIT
                elif direction == 1:
                    word = here[i] >> ONE | here[i + 1] << LAST_BIT
                elif direction == 2:
                    word = here[i + jump] >> shift | (here[i + jump + 1] << ONE) << rest
                else:
                    word = here[i - jump] << shift | (here[i - jump - 1] >> ONE) >> rest
                there[i] = word & boards[SOLID, i] if leg == 0 else word
        for i in range(first, first + words):
            front[i] |= beyond[i]


@kernel
def word_below(board: Board, ways: Board, cols: int, i: int) -> np.uint64:
    """Return word `i` of the cells in `ways` that lie just below those of a set."""
    jump, shift = cols >> 6, np.uint64(cols & 63)
    word: np.uint64 = ways[i] & (board[i - jump] << shift | (board[i - jump - 1] >> ONE) >> LAST_BIT - shift)
    return word


@kernel
def keep_below_boulders(boards: Boards, cols: int, size: int) -> None:
    """Leave only those cells in FRONT onto which a boulder can be dropped that rests on dirt."""
    first, words = margin(cols), (size + 63) >> 6
    bearing, falling, ways = boards[ROOMS], boards[NEAR], boards[FIRST_SLOT]
    for i in range(boards.shape[1]):
        bearing[i], falling[i] = NONE, NONE
        ways[i] = boards[LIGHT, i] | boards[SOFT, i]
    for i in range(first, first + words):
        bearing[i] = word_below(boards[HEAVY], boards[SOFT], cols, i)
    for _ in range(FALLS):
        for i in range(first, first + words):
            falling[i] |= word_below(bearing, ways, cols, i) | word_below(falling, ways, cols, i)
    for i in range(boards.shape[1]):
        boards[FRONT, i] &= falling[i]
        ways[i] = NONE
