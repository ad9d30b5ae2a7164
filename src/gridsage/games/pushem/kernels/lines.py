"""The learned evaluation: what every row and column of the board is worth, looked up as a whole.

Pushes act along lines, so a line of eight cells (own pawn, enemy pawn or neither: 3 ** 8 patterns) says more than its
cells. Rows and columns share the tables; a line's distance from the border and the stage of the game choose one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import inlined, kernel
from gridsage.games.pushem.kernels.board import RING_1, RING_2, RING_3, RING_4, number
from gridsage.games.pushem.kernels.evaluation import STAGES, Memory, cards_worth, quick_count, stage_at
from gridsage.games.pushem.kernels.turns import (
    R_ENEMY,
    R_ENEMY_HAND,
    R_HAND,
    R_LAST_PLY,
    R_OWN,
    R_PLY,
    R_RING1,
    R_RING2,
    R_RING3,
    Stack,
)

Learned = NDArray[np.int16]  # (LEARNED_WORDS,), in hundredths of a pawn: first the clock's part, then the lines'

DISTANCES = 4  # of a line from the border, 0 to 3
PATTERNS = 3**8
STAGE_WORDS = DISTANCES * PATTERNS
PHASES = 4  # by rings that are cracking
LATEST = 20  # plies to the next crack that are told apart
CLOCK_WORDS = 5  # a pawn by ring, and being at turn
LINES = PHASES * (LATEST + 1) * CLOCK_WORDS  # where the lines' part begins
LEARNED_WORDS = LINES + STAGES * STAGE_WORDS
BYTE = np.uint64(0xFF)

# A byte's bits as the digits of a number to the base of three.
TERNARY = np.array([sum(3**place for place in range(8) if byte >> place & 1) for byte in range(256)], np.int64)

SWAP_1 = np.uint64(0x00AA_00AA_00AA_00AA)
SWAP_2 = np.uint64(0x0000_CCCC_0000_CCCC)
SWAP_4 = np.uint64(0x0000_0000_F0F0_F0F0)
BY_7 = np.uint64(7)
BY_14 = np.uint64(14)
BY_28 = np.uint64(28)


@kernel
def transposed(board: np.uint64) -> np.uint64:
    """Return the board with rows and columns exchanged."""
    moved = (board ^ (board >> BY_7)) & SWAP_1
    board = board ^ moved ^ (moved << BY_7)
    moved = (board ^ (board >> BY_14)) & SWAP_2
    board = board ^ moved ^ (moved << BY_14)
    moved = (board ^ (board >> BY_28)) & SWAP_4
    return board ^ moved ^ (moved << BY_28)


@kernel
def clock_at(stack: Stack, height: int, ply: np.uint64) -> int:
    """Return where the weights of this ply begin: by rings that are cracking and plies to the next crack or count."""
    ends = (stack[height, R_RING1], stack[height, R_RING2], stack[height, R_RING3], stack[height, R_LAST_PLY])
    phase = 0
    while phase < PHASES - 1 and ply >= ends[phase]:
        phase += 1
    left = min(number(ends[phase]), number(ends[PHASES - 1])) - number(ply)
    return (phase * (LATEST + 1) + max(0, min(left, LATEST))) * CLOCK_WORDS


@inlined
def rows_worth(own: np.uint64, enemy: np.uint64, learned: Learned, begin: int) -> int:
    """Return the sum over the eight rows; the tables of their stage begin at `begin`.

    Indices are unsigned: a signed one is tested for being counted from the end, which made this three times slower.
    """
    score = 0
    for distance in range(DISTANCES):
        table = begin + distance * PATTERNS
        upper, lower = np.uint64(8 * distance), np.uint64(56 - 8 * distance)
        pattern = TERNARY[(own >> upper) & BYTE] + 2 * TERNARY[(enemy >> upper) & BYTE]
        score += learned[np.uint64(table + pattern)]
        pattern = TERNARY[(own >> lower) & BYTE] + 2 * TERNARY[(enemy >> lower) & BYTE]
        score += learned[np.uint64(table + pattern)]
    return score


@kernel
def pawns_learned(own: np.uint64, enemy: np.uint64, clock: int, stage: int, learned: Learned) -> int:
    """Return what the pawns and the turn are worth to the side at turn (`own`)."""
    score: int = learned[clock + PHASES]
    score += learned[clock] * (quick_count(own & RING_1) - quick_count(enemy & RING_1))
    score += learned[clock + 1] * (quick_count(own & RING_2) - quick_count(enemy & RING_2))
    score += learned[clock + 2] * (quick_count(own & RING_3) - quick_count(enemy & RING_3))
    score += learned[clock + 3] * (quick_count(own & RING_4) - quick_count(enemy & RING_4))
    begin = LINES + stage * STAGE_WORDS
    score += rows_worth(own, enemy, learned, begin)
    return score + rows_worth(transposed(own), transposed(enemy), learned, begin)


@kernel
def evaluate_learned(stack: Stack, height: int, memory: Memory, learned: Learned) -> int:
    """Return what the position is worth to the side at turn, in hundredths of a pawn."""
    ply = stack[height, R_PLY]
    stage = stage_at(stack, height, ply)
    clock = clock_at(stack, height, ply)
    score = pawns_learned(stack[height, R_OWN], stack[height, R_ENEMY], clock, stage, learned)
    return score + cards_worth(stack[height, R_HAND], stack[height, R_ENEMY_HAND], stage, memory)
