"""The state of a game of Push'em All: bitboards, hands, and how far the turn at hand has been chosen."""

from __future__ import annotations

import msgspec

from gridsage.games.pushem.level import CARD_NAMES, SIZE

CELLS = SIZE * SIZE
FIRST, SECOND = 0, 1

# A cell is row * 8 + col with row 0 on top, so a8 is cell 0 and h1 is cell 63; bit n of a board is cell n.
DIRECTIONS = ("U", "R", "D", "L")
UP, RIGHT, DOWN, LEFT = range(4)

REPLAY, SLEEP, REVERSE, SHINIGAMI, PROPAGANDA, FREEZE, JUMP, BOMB, SWAP, ABYSSES = range(10)
NO_CARD = 10

# A turn is a few small actions: a direction or sleep; then a card or the end; then what the card needs.
SLEEP_ACTION = 4
END_ACTION = 5
CARD_ACTIONS = 6  # 6..15: card 0..9
CELL_ACTIONS = 16  # 16..79: cell 0..63
LINE_ACTIONS = 80  # 80..87: rows 1..8; 88..95: columns a..h
ACTIONS = 96

# What the next action chooses.
CHOOSE_STEP, CHOOSE_CARD, CHOOSE_DIRECTION, CHOOSE_TARGET, CHOOSE_SECOND = range(5)

NEVER = 1_000  # a ply no game reaches: the ring that never cracks


class State(msgspec.Struct, frozen=True, array_like=True):
    """A position, perhaps in the middle of a turn; the kernels see all fields but `roster` as one vector of words."""

    first: int  # bitboard of First's pawns
    second: int
    abyss: int
    frozen: int  # pawns of either side that stand still in their side's next step
    turn: int  # the seat whose turn it is
    ply: int  # turns completed by both
    first_hand: int  # bit n: card n is still held
    second_hand: int
    reversed: int  # 1: directions of the seat at turn are inverted, and it may play no card
    choosing: int  # CHOOSE_STEP between turns
    direction: int  # where the step of this turn really went
    card: int  # the card of this turn, or NO_CARD
    cell: int  # the first of the two cells that Swap needs
    first_before: int  # pawns at the start of the turn; they decide when both sides lose their last pawn at once
    second_before: int
    ring1: int  # the plies after which the outer rings crack, one by one
    ring2: int
    ring3: int
    last_ply: int  # the ply at which pawns are counted
    roster: bytes = bytes(CELLS)  # number of the pawn on every cell, 0 for none; it tells pawns apart on the screen


WORDS = len(State.__struct_fields__) - 1


def bits(board: int) -> list[int]:
    """The cells of a bitboard, in reading order."""
    cells = []
    while board:
        low = board & -board
        cells.append(low.bit_length() - 1)
        board ^= low
    return cells


def cell_name(cell: int) -> str:
    """`a1` to `h8` as people call a cell."""
    return f"{'abcdefgh'[cell % SIZE]}{SIZE - cell // SIZE}"


def line_name(line: int) -> str:
    """`1` to `8` for a row, `a` to `h` for a column."""
    return str(line + 1) if line < SIZE else "abcdefgh"[line - SIZE]


def cards_in(hand: int) -> list[str]:
    """The names of the cards in a hand, in the fixed order of the ten."""
    return [name for number, name in enumerate(CARD_NAMES) if hand >> number & 1]
