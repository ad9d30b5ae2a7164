"""Sets of a cave's cells as bits, and what spreads over them a whole layer at once.

A set is a row of 64-bit words, a bit for each cell. Each row of the cave begins with a word of its own, so that what is
above or below a word is another word as it stands; an empty row before the first and after the last makes sure that
every neighbour can be looked up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
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
Due = NDArray[np.int64]  # (DUE,): where in its row something waits in a slot, or 0; then NOW, and ends of queues

# What a cell is to those who pass. Each is one or more of these.
PASSED, EXITS, GEMS, LIGHT, SOFT, HEAVY, SOLID, FLIES, CLASSES = range(9)
# further sets
REACHED, FRONT, NEAR, OPEN, TARGETS, HITS, ROOMS, FIRST_SLOT = range(CLASSES, CLASSES + 8)
BOULDER_PRICE, WALL_PRICE = 12, 150
SLOTS = 256  # more than any price, and a power of two: what is reached at a cost waits in slot cost % SLOTS
BOARDS = FIRST_SLOT + SLOTS
LAST_SLOT, NOW = SLOTS - 1, SLOTS
FREE_WAY, SOFT_WAY, HEAVY_WAY, SOLID_WAY, PRICES = range(5)
HEADS, TAILS, DUE = NOW + 1, NOW + 1 + PRICES, NOW + 1 + 2 * PRICES  # of the queues, one for each price
# ticks that have gone and count as one: who hurries bars the way to the rest, but magic walls were prepared in haste
IN_HASTE, AT_LEISURE = 1, 2
FALLS = 8  # rows that a boulder comes down at most
SPARE = 8  # numbers
NOT_DRAWN = KIND_MASK  # no kind has this number
HALF = 32  # bits: in one of them is the first word of a slot that is not empty, in the other the end of such words
LOW_HALF = (1 << HALF) - 1
FAR: Number = np.int64(1) << 40

CLASS_OF = np.zeros(256, dtype=np.uint64)  # for every byte that a cell can hold
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
    for _flags in range(0, 256, KIND_MASK + 1):
        CLASS_OF[_flags + _kind] = _bits

ONE, BYTE, LAST_BIT = np.uint64(1), np.uint64(8), np.uint64(63)
LOW_BITS = np.uint64(0x0101010101010101)
HIGHEST_BYTE, BYTE_MASK = np.uint64(56), np.uint64(0xFF)
NONE = np.uint64(0)
PAIRS, FOURS, EIGHTS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
TWO, FOUR, SIXTEEN, THIRTY_TWO = np.uint64(2), np.uint64(4), np.uint64(16), np.uint64(32)
# what changes places in a square of eight times eight bits that is turned over its diagonal: bits, pairs, fours
SWAP_BITS, SWAP_PAIRS = np.uint64(0x00AA00AA00AA00AA), np.uint64(0x0000CCCC0000CCCC)
SWAP_FOURS = np.uint64(0x00000000F0F0F0F0)
SEVEN, FOURTEEN, TWENTY_EIGHT = np.uint64(7), np.uint64(14), np.uint64(28)


class Ground(NamedTuple):
    """What is written down about the ways of one position.

    Args:
        walk: walking distances by cell, -1 where there is no way; see `aims.aim` for where from.
        queue: the cells of it in the order of their distance.
        cost: what ways cost that lead through boulders and walls as well, and SPARE numbers more.
        queues: four of them, one for each price.
        boards: sets of cells.
        due: what waits in `boards`.
        walls: how many magic walls there are, and their cells.
        drawn: the kinds of the picture in `boards`.
        pen: how amoeba could be shut in.
        fence: what is known about that; see `pens`.
        pace: one number, IN_HASTE or AT_LEISURE.
        shunned: the picture, with steel where flies can be soon.
        lure: one flag, set where diamonds are lacking that butterflies make beside amoeba.
    """

    walk: NDArray[np.int64]
    queue: NDArray[np.int64]
    cost: NDArray[np.int64]
    queues: NDArray[np.int64]
    boards: Boards
    due: Due
    walls: NDArray[np.int64]
    drawn: NDArray[np.uint8]
    pen: NDArray[np.int64]
    fence: NDArray[np.int64]
    pace: NDArray[np.int64]
    shunned: NDArray[np.uint8]
    lure: NDArray[np.bool_]


def new_ground(cols: int, size: int) -> Ground:
    """Return room to write down the ways of a position."""
    words = (size // cols + 2) * row_words(cols)
    rows = [np.zeros(size + 1, dtype=np.int64) for _ in range(3)]
    return Ground(
        walk=rows[0],
        queue=rows[1],
        cost=np.zeros(size + SPARE, dtype=np.int64),
        queues=np.zeros((PRICES, size + 1), dtype=np.int64),
        boards=np.zeros((BOARDS, words), dtype=np.uint64),
        due=np.zeros(DUE, dtype=np.int64),
        walls=rows[2],
        drawn=np.full(size, NOT_DRAWN, dtype=np.uint8),
        pen=new_pen(size),
        fence=np.full(FENCE, -1, dtype=np.int64),
        pace=np.full(1, AT_LEISURE, dtype=np.int64),
        shunned=np.zeros(size, dtype=np.uint8),
        lure=np.zeros(1, dtype=np.bool_),
    )


@borrowing_kernel
def row_words(cols: int) -> int:
    """Return how many words a row of the cave takes, and the empty row before the first one."""
    return (cols + 63) >> 6


@borrowing_kernel
def turned(square: np.uint64) -> np.uint64:
    """Return eight bytes of eight bits each with bit `i` of byte `k` as bit `k` of byte `i`."""
    swap = (square ^ square >> SEVEN) & SWAP_BITS
    square = square ^ swap ^ swap << SEVEN
    swap = (square ^ square >> FOURTEEN) & SWAP_PAIRS
    square = square ^ swap ^ swap << FOURTEEN
    swap = (square ^ square >> TWENTY_EIGHT) & SWAP_FOURS
    return square ^ swap ^ swap << TWENTY_EIGHT


@borrowing_kernel
def draw_row(cells: Cells, boards: Boards, first: int, end: int, place: int) -> None:
    """Write down what the cells of a row are to those who pass, from a word of the sets on."""
    for start in range(first, end, 8):
        eight = NONE
        if start + 8 <= end:
            for i in range(8):
                eight |= CLASS_OF[cells[np.uint64(start + i)]] << np.uint64(8 * i)
        else:
            for i in range(end - start):
                eight |= CLASS_OF[cells[start + i]] << np.uint64(8 * i)
        eight, shift = turned(eight), np.uint64((start - first) & 63)
        word = place + ((start - first) >> 6)
        for number in range(CLASSES):
            before = NONE if shift == NONE else boards[number, word]
            boards[number, word] = before | (eight >> np.uint64(8 * number) & BYTE_MASK) << shift


@borrowing_kernel
def draw(cells: Cells, rules: Rules, ground: Ground) -> None:
    """Write down what each cell of a picture is to those who pass, and where magic walls are.

    Rows that are as they were when this was done last are left as they are.
    """
    drawn, walls, cols, size = ground.drawn, ground.walls, rules[COLS], rules[SIZE]
    place, words, has_new_walls = row_words(cols), row_words(cols), False
    for first in range(0, size, cols):
        differs = 0
        for cell in range(np.uint64(first), np.uint64(first + cols)):
            differs |= (cells[cell] ^ drawn[cell]) & KIND_MASK
        if differs != 0:
            for cell in range(first, first + cols):
                kind = cells[cell] & KIND_MASK
                if kind != drawn[cell]:
                    has_new_walls |= kind == MAGIC_WALL or drawn[cell] == MAGIC_WALL or drawn[cell] == NOT_DRAWN
                    drawn[cell] = kind
            draw_row(cells, ground.boards, first, first + cols, place)
        place += words
    if has_new_walls:
        walls[0] = 0
        for cell in range(size):
            if drawn[cell] == MAGIC_WALL:
                walls[0] += 1
                walls[walls[0]] = cell


@borrowing_kernel
def add_cell(board: Board, cols: int, cell: int) -> None:
    """Put a cell into a set."""
    row = cell // cols
    col = cell - row * cols
    board[(row + 1) * row_words(cols) + (col >> 6)] |= ONE << np.uint64(col & 63)


@borrowing_kernel
def has_cell(board: Board, cols: int, cell: int) -> bool:
    """Return True if a cell is in a set."""
    row = cell // cols
    col = cell - row * cols
    return bool(board[(row + 1) * row_words(cols) + (col >> 6)] >> np.uint64(col & 63) & ONE != NONE)


@borrowing_kernel
def bits_of(word: np.uint64) -> Number:
    """Return how many bits of a word are set."""
    word = word - (word >> ONE & PAIRS)
    word = (word & FOURS) + (word >> TWO & FOURS)
    word = word + (word >> FOUR) & EIGHTS
    return np.int64(word * LOW_BITS >> HIGHEST_BYTE)


@borrowing_kernel
def size_of(board: Board) -> Number:
    """Return how many cells are in a set."""
    total = np.int64(0)
    for i in range(len(board)):
        if board[i] != NONE:
            total += bits_of(board[i])
    return total


@borrowing_kernel
def first_of(board: Board, cols: int) -> Number:
    """Return the first cell of a set, or -1."""
    words = row_words(cols)
    for i in range(words, len(board)):
        word = board[i]
        if word != NONE:
            row = i // words
            return np.int64((row - 1) * cols + ((i - row * words) << 6)) + bits_of((word ^ (word - ONE)) >> ONE)
    return np.int64(-1)


@borrowing_kernel
def fill(board: Board, ways: Board, cols: int) -> None:
    """Add to a set all cells that can be reached from it through others, as fast as that goes: without distances.

    A bit added to a run of ways carries on to the end of the run: what changes is what lies beyond that bit.
    """
    jump = row_words(cols)
    first, last = np.uint64(jump), np.uint64(len(board) - jump - 1)
    down = np.uint64(jump)
    changed, passes = True, 0
    while changed:
        changed = False
        for number in range(first, last + ONE):
            i = first + last - number if passes & 1 == 1 else number
            open_ways, old = ways[i], board[i]
            word = old | board[i - ONE] >> LAST_BIT | board[i + ONE] << LAST_BIT | board[i + down] | board[i - down]
            word = word & open_ways | old
            if word == NONE or (word == old and passes > 0):
                continue
            seeds = (word | word << ONE | word >> ONE) & open_ways
            word |= (open_ways + seeds ^ open_ways) & open_ways | seeds
            left = open_ways
            for step in (ONE, TWO, FOUR, BYTE, SIXTEEN, THIRTY_TWO):
                word |= left & word >> step
                left &= left >> step
            changed |= word != old
            board[i] = word
        passes += 1


@borrowing_kernel
def add_exits(boards: Boards, cols: int) -> bool:
    """Add to REACHED the exits beside it; return True if there is one."""
    jump, met = row_words(cols), NONE
    reached = boards[REACHED]
    for i in range(jump, boards.shape[1] - jump):
        if boards[EXITS, i] == NONE:
            continue
        near = reached[i] << ONE | reached[i - 1] >> LAST_BIT | reached[i] >> ONE | reached[i + 1] << LAST_BIT
        near = (near | reached[i + jump] | reached[i - jump]) & boards[EXITS, i]
        boards[NEAR, i] = near
        met |= near
    if met != NONE:
        for i in range(jump, boards.shape[1] - jump):
            if boards[EXITS, i] != NONE:
                reached[i] |= boards[NEAR, i]
    return bool(met != NONE)


@borrowing_kernel
def steps_to(boards: Boards, cols: int, start: int, kind: int) -> Number:
    """Return the steps from a cell to the nearest one of a kind that is in REACHED, which must have one elsewhere."""
    jump, end = row_words(cols), boards.shape[1] - row_words(cols)
    boards[FRONT], boards[NEAR] = NONE, NONE
    for i in range(boards.shape[1]):
        boards[OPEN, i] = boards[REACHED, i]
    add_cell(boards[FRONT], cols, start)
    low = (start // cols + 1) * jump
    high = low + jump
    here, there, steps, hits, left = FRONT, NEAR, np.int64(0), NONE, ONE
    down = np.uint64(jump)
    while hits == NONE and left != NONE:
        steps += 1
        left = NONE
        low, high = max(jump, low - jump), min(end, high + jump)
        for i in range(np.uint64(low), np.uint64(high)):
            word = boards[here, i]
            near = word << ONE | boards[here, i - ONE] >> LAST_BIT | word >> ONE | boards[here, i + ONE] << LAST_BIT
            near = (near | boards[here, i + down] | boards[here, i - down]) & boards[OPEN, i]
            boards[OPEN, i] ^= near
            hits |= near & boards[kind, i]
            near &= boards[PASSED, i]
            left |= near
            boards[there, i] = near
        here, there = there, here
    return steps


@borrowing_kernel
def reach(boards: Boards, cols: int, start: int, to_exit: bool) -> Number:
    """Fill REACHED with the cells that can be walked to; return the steps to the nearest diamond or exit, or -1.

    Exits are not passed.
    """
    boards[REACHED] = NONE
    add_cell(boards[REACHED], cols, start)
    fill(boards[REACHED], boards[PASSED], cols)
    is_out = add_exits(boards, cols)
    hits = ONE if is_out else NONE
    if not to_exit:
        hits = NONE
        for i in range(boards.shape[1]):
            hits |= boards[REACHED, i] & boards[GEMS, i]
    return steps_to(boards, cols, start, EXITS if to_exit else GEMS) if hits != NONE else np.int64(-1)


@borrowing_kernel
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


@borrowing_kernel
def wait(due: Due, slot: int, low: int, high: int, new: np.uint64) -> None:
    """Note that something new waits in a slot, between two words of its row."""
    if new != NONE:
        if due[slot] != 0:
            low, high = min(low, due[slot] & LOW_HALF), max(high, due[slot] >> HALF)
        due[slot] = high << HALF | low


@borrowing_kernel
def advance(boards: Boards, due: Due, cols: int, dirt_price: int, limit: Number, is_barred_from_above: bool) -> Number:
    """Spread on until a cell of TARGETS is reached; return what that costs, with those cells in HITS, or FAR.

    The price of a step is that of the cell entered, so the first way that touches a cell is the cheapest. What is
    touched leaves OPEN. FAR: the rest costs more than the limit, or cannot be reached at all.

    Args:
        is_barred_from_above: no way leads down into a boulder.
    """
    jump = row_words(cols)
    first, end = jump, boards.shape[1] - jump
    down = np.uint64(jump)
    now = due[NOW]
    bars = ~NONE if is_barred_from_above else NONE
    while True:
        here = FIRST_SLOT + (now & LAST_SLOT)
        low, high = due[now & LAST_SLOT] & LOW_HALF, due[now & LAST_SLOT] >> HALF
        due[now & LAST_SLOT] = 0
        free_slot, soft_slot = (now + 1) & LAST_SLOT, (now + dirt_price) & LAST_SLOT
        heavy_slot, solid_slot = (now + BOULDER_PRICE) & LAST_SLOT, (now + WALL_PRICE) & LAST_SLOT
        some_free, some_soft, some_heavy, some_solid = NONE, NONE, NONE, NONE
        from_word, to_word = end, first
        for place in range(max(first, low - jump), min(end, high + jump)):
            at = np.uint64(place)
            word = boards[here, at]
            near = word << ONE | boards[here, at - ONE] >> LAST_BIT | word >> ONE | boards[here, at + ONE] << LAST_BIT
            near |= boards[here, at + down] | boards[here, at - down] & ~(boards[HEAVY, at] & bars)
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
        while waited < SLOTS and due[(now + waited) & LAST_SLOT] == 0:
            waited += 1
        now += waited
        if waited == SLOTS or now > limit:
            return FAR
        here = FIRST_SLOT + (now & LAST_SLOT)
        hits = NONE
        for i in range(due[now & LAST_SLOT] & LOW_HALF, due[now & LAST_SLOT] >> HALF):
            hits |= boards[here, i] & boards[TARGETS, i]
        if hits != NONE:
            for i in range(first, end):
                boards[HITS, i] = boards[here, i] & boards[TARGETS, i]
            due[NOW] = now
            return now


@borrowing_kernel
def is_met(boards: Boards, kind: int) -> bool:
    """Return True if one of the cells in HITS is of a kind."""
    met = NONE
    for i in range(boards.shape[1]):
        met |= boards[HITS, i] & boards[kind, i]
    return bool(met != NONE)


@borrowing_kernel
def places_beyond(boards: Boards, cols: int) -> None:
    """Fill FRONT with the cells one step behind a wall, in the same direction, as seen from the cells in HITS."""
    inside, solid, front = boards[HITS], boards[SOLID], boards[FRONT]
    jump = row_words(cols)
    front[:] = NONE
    for i in range(jump, len(front) - jump):
        word = inside[i]
        wall = (word << ONE | inside[i - 1] >> LAST_BIT) & solid[i]
        front[i] |= wall << ONE
        front[i + 1] |= wall >> LAST_BIT
        wall = (word >> ONE | inside[i + 1] << LAST_BIT) & solid[i]
        front[i] |= wall >> ONE
        front[i - 1] |= wall << LAST_BIT
        front[i - jump] |= inside[i + jump] & solid[i]
        front[i + jump] |= inside[i - jump] & solid[i]


@borrowing_kernel
def keep_below_boulders(boards: Boards, cols: int) -> None:
    """Leave only those cells in FRONT onto which a boulder can be dropped that rests on dirt."""
    jump = row_words(cols)
    bearing, falling = boards[ROOMS], boards[NEAR]
    bearing[:], falling[:] = NONE, NONE
    for i in range(jump, boards.shape[1] - jump):
        bearing[i] = boards[HEAVY, i - jump] & boards[SOFT, i]
    for _ in range(FALLS):
        for i in range(boards.shape[1] - jump - 1, jump - 1, -1):
            ways = boards[LIGHT, i] | boards[SOFT, i]
            falling[i] |= (bearing[i - jump] | falling[i - jump]) & ways
    for i in range(boards.shape[1]):
        boards[FRONT, i] &= falling[i]
