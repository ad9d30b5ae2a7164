"""What a position is worth to the side at turn: the master's evaluation, a sum of weights tuned by self-play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.pushem.kernels.board import (
    BYTES,
    FOUR,
    NIBBLES,
    ONE,
    PAIRS,
    RING_1,
    RING_2,
    RING_3,
    RING_4,
    TWO,
    number,
)
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
from gridsage.games.pushem.state import NO_CARD

Memory = NDArray[np.int64]  # (MEMORY_WORDS,), see kernels/search.py

STAGES = 8  # by rings that are cracking (0 to 3), and whether the next one cracks soon
SOON = np.uint64(8)  # plies before a ring cracks in which its pawns are in a hurry
WEIGHTS = 16  # the evaluation's weights, in hundredths of a pawn
W_RINGS = WEIGHTS  # a pawn by stage and by the ring it stands on
W_CARDS = W_RINGS + 4 * STAGES  # a card in hand by rings cracking
W_TEMPO = W_CARDS + 10 * 4  # being at turn, by stage
WEIGHT_COUNT = 4 * STAGES + 10 * 4 + STAGES

BYTE_SUM = np.uint64(0x0101_0101_0101_0101)
TOP_BYTE = np.uint64(56)


@kernel
def quick_count(board: np.uint64) -> int:
    """The cells of a bitboard in the form that compilers turn into one instruction; the product wraps."""
    board = board - ((board >> ONE) & PAIRS)
    board = (board & NIBBLES) + ((board >> TWO) & NIBBLES)
    board = (board + (board >> FOUR)) & BYTES
    return number((board * BYTE_SUM) >> TOP_BYTE)


@kernel
def stage_at(stack: Stack, height: int, ply: np.uint64) -> int:
    """Twice the rings that are cracking once `ply` turns have been played, plus 1 if the next one cracks soon."""
    if ply < stack[height, R_RING1]:
        return 1 if ply + SOON >= stack[height, R_RING1] else 0
    if ply < stack[height, R_RING2]:
        return 3 if ply + SOON >= stack[height, R_RING2] else 2
    if ply < stack[height, R_RING3]:
        return 5 if ply + SOON >= stack[height, R_RING3] else 4
    return 7 if ply + SOON >= stack[height, R_LAST_PLY] else 6


@kernel
def pawns_worth(own: np.uint64, enemy: np.uint64, stage: int, memory: Memory) -> int:
    """What the pawns and the turn are worth to the side at turn (`own`)."""
    worth = W_RINGS + 4 * stage
    score: int = memory[W_TEMPO + stage]
    score += memory[worth] * (quick_count(own & RING_1) - quick_count(enemy & RING_1))
    score += memory[worth + 1] * (quick_count(own & RING_2) - quick_count(enemy & RING_2))
    score += memory[worth + 2] * (quick_count(own & RING_3) - quick_count(enemy & RING_3))
    score += memory[worth + 3] * (quick_count(own & RING_4) - quick_count(enemy & RING_4))
    return score


@kernel
def cards_worth(hand: np.uint64, enemy_hand: np.uint64, stage: int, memory: Memory) -> int:
    """What the cards in hand are worth to the side that holds `hand`."""
    score = 0
    if hand != enemy_hand:
        worth = W_CARDS + 10 * (stage // 2)
        for card in range(NO_CARD):
            bit = np.uint64(card)
            score += memory[worth + card] * (number(hand >> bit & ONE) - number(enemy_hand >> bit & ONE))
    return score


@kernel
def evaluate(stack: Stack, height: int, memory: Memory) -> int:
    """What the position is worth to the side at turn, in hundredths of a pawn."""
    stage = stage_at(stack, height, stack[height, R_PLY])
    score = pawns_worth(stack[height, R_OWN], stack[height, R_ENEMY], stage, memory)
    return score + cards_worth(stack[height, R_HAND], stack[height, R_ENEMY_HAND], stage, memory)
