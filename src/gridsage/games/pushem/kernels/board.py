"""What steps and cards do to the bitboards of the mover (`own`) and of the other side (`enemy`)."""

from __future__ import annotations

import numpy as np

from gridsage.core.jit import kernel
from gridsage.games.pushem.state import (
    ABYSSES,
    BOMB,
    DOWN,
    FREEZE,
    JUMP,
    PROPAGANDA,
    RIGHT,
    SHINIGAMI,
    SWAP,
    UP,
)

Board = np.uint64  # bit n is cell n

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
FOUR = np.uint64(4)
ROW = np.uint64(8)  # a shift by one row
TWO_ROWS = np.uint64(16)
FOUR_ROWS = np.uint64(32)

NOT_COLUMN_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_COLUMN_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
TOP_ROW = np.uint64(0xFF)
COLUMN_A = np.uint64(0x0101_0101_0101_0101)
RING_1 = np.uint64(0xFF81_8181_8181_81FF)  # the outer border
RING_2 = np.uint64(0x007E_4242_4242_7E00)
RING_3 = np.uint64(0x0000_3C24_243C_0000)
RING_4 = np.uint64(0x0000_0018_1800_0000)  # the middle that stays

PAIRS = np.uint64(0x5555_5555_5555_5555)
NIBBLES = np.uint64(0x3333_3333_3333_3333)
BYTES = np.uint64(0x0F0F_0F0F_0F0F_0F0F)


@kernel
def number(word: np.uint64) -> int:
    """The word as a signed number; Numba's own int() would leave it unsigned."""
    return np.int64(word)  # type: ignore[return-value]


@kernel
def count(board: Board) -> int:
    """How many cells a bitboard has."""
    board = board - ((board >> ONE) & PAIRS)
    board = (board & NIBBLES) + ((board >> TWO) & NIBBLES)
    board = (board + (board >> FOUR)) & BYTES
    # The sum of all bytes, without a multiplication that overflows.
    board = board + (board >> ROW)
    board = board + (board >> TWO_ROWS)
    board = board + (board >> FOUR_ROWS)
    return number(board & np.uint64(0x7F))


@kernel
def ahead(board: Board, direction: int) -> Board:
    """Every cell moved by one; cells that leave the board are gone."""
    if direction == UP:
        return board >> ROW
    if direction == DOWN:
        return board << ROW
    if direction == RIGHT:
        return (board << ONE) & NOT_COLUMN_A
    return (board >> ONE) & NOT_COLUMN_H


@kernel
def line_ahead(source: Board, through: Board, direction: int) -> Board:
    """`source` and every cell of `through` reached from it in a gapless line; doubles its reach three times."""
    if direction == UP:
        source |= through & (source >> ROW)
        through &= through >> ROW
        source |= through & (source >> TWO_ROWS)
        through &= through >> TWO_ROWS
        return source | (through & (source >> FOUR_ROWS))
    if direction == DOWN:
        source |= through & (source << ROW)
        through &= through << ROW
        source |= through & (source << TWO_ROWS)
        through &= through << TWO_ROWS
        return source | (through & (source << FOUR_ROWS))
    if direction == RIGHT:
        through &= NOT_COLUMN_A
        source |= through & (source << ONE)
        through &= through << ONE
        source |= through & (source << TWO)
        through &= through << TWO
        return source | (through & (source << FOUR))
    through &= NOT_COLUMN_H
    source |= through & (source >> ONE)
    through &= through >> ONE
    source |= through & (source >> TWO)
    through &= through >> TWO
    return source | (through & (source >> FOUR))


@kernel
def pawns_that_move(own: Board, enemy: Board, frozen: Board, direction: int) -> Board:
    """The pawns of both sides that a step of `own` shifts by one cell."""
    pawns = own | enemy
    stuck = own & frozen
    if stuck == ZERO:
        return line_ahead(own, pawns, direction)
    moving = line_ahead(own & ~stuck, pawns & ~stuck, direction)
    return moving & ~line_ahead(stuck, moving, direction ^ 2)


@kernel
def shifted(board: Board, moving: Board, abyss: Board, direction: int) -> Board:
    """The pawns of `board` after those in `moving` went one cell; who enters an abyss is gone."""
    return (board & ~moving) | (ahead(board & moving, direction) & ~abyss)


@kernel
def cracking(ply: Board, ring1: Board, ring2: Board, ring3: Board) -> Board:
    """The cells that are breaking once `ply` turns have been played."""
    cells = ZERO
    if ply >= ring1:
        cells |= RING_1
    if ply >= ring2:
        cells |= RING_2
    if ply >= ring3:
        cells |= RING_3
    return cells


@kernel
def line_board(line: int) -> Board:
    """The cells of a bomb's line: rows 1 to 8, then columns a to h."""
    if line < 8:
        return TOP_ROW << np.uint64(8 * (7 - line))
    return COLUMN_A << np.uint64(line - 8)


@kernel
def landing(own: Board, enemy: Board, abyss: Board, frozen: Board, cell: int, direction: int) -> Board:
    """The cell where a jump from `cell` ends, as a bitboard; empty when the pawn may not or cannot jump."""
    pawn = ONE << np.uint64(cell)
    if pawn & own & ~frozen & ~RING_1 == ZERO:
        return ZERO
    taken = own | enemy | abyss
    return ahead(line_ahead(pawn, taken, direction), direction) & ~taken


@kernel
def card_targets(own: Board, enemy: Board, abyss: Board, frozen: Board, card: int, direction: int) -> Board:
    """The cells among which `card` chooses (Swap: its own pawn), as a bitboard; for Bomb, bit n is line n."""
    if card in (SHINIGAMI, PROPAGANDA, FREEZE):
        return enemy
    if card == ABYSSES:
        return ~(own | enemy | abyss)
    if card == SWAP:
        return own & ~frozen if enemy != ZERO else ZERO
    if card == JUMP:
        return jumpers(own, enemy, abyss, frozen, direction)
    if card == BOMB:
        lines = ZERO
        for line in range(16):
            if line_board(line) & (own | enemy) != ZERO:
                lines |= ONE << np.uint64(line)
        return lines
    return ZERO


@kernel
def jumpers(own: Board, enemy: Board, abyss: Board, frozen: Board, direction: int) -> Board:
    """The pawns that can jump: from a free cell, walk back through the unbroken line that leads to it."""
    taken = own | enemy | abyss
    return line_ahead(ahead(~taken, direction ^ 2) & taken, taken, direction ^ 2) & own & ~frozen & ~RING_1


@kernel
def play_card(
    own: Board, enemy: Board, abyss: Board, frozen: Board, card: int, direction: int, target: int, second: int
) -> tuple[Board, Board, Board, Board]:
    """The boards (own, enemy, abyss, frozen) after a card with a target; the target is legal."""
    bit = ONE << np.uint64(target)
    if card == SHINIGAMI:
        return own, enemy & ~bit, abyss, frozen & ~bit
    if card == PROPAGANDA:
        return own | bit, enemy & ~bit, abyss, frozen & ~bit
    if card == FREEZE:
        return own, enemy, abyss, frozen | bit
    if card == JUMP:
        return (own & ~bit) | landing(own, enemy, abyss, frozen, target, direction), enemy, abyss, frozen
    if card == BOMB:
        left = ~line_board(target)
        return own & left, enemy & left, abyss, frozen & left
    if card == SWAP:
        other = ONE << np.uint64(second)
        thawed = frozen & ~(bit | other)
        if frozen & other != ZERO:
            thawed |= bit
        return own ^ bit ^ other, enemy ^ bit ^ other, abyss, thawed
    if card == ABYSSES:
        return own, enemy, abyss | bit, frozen
    return own, enemy, abyss, frozen
