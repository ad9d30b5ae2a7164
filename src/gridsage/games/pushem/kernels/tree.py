"""What every search of the master shares: its memory, the table of positions, scores that count the turns to a win."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.pushem.kernels.board import number
from gridsage.games.pushem.kernels.turns import (
    DRAWN,
    GOES_ON,
    R_ABYSS,
    R_ENEMY,
    R_ENEMY_HAND,
    R_FROZEN,
    R_HAND,
    R_OWN,
    R_PLY,
    R_RESULT,
    R_REVERSED,
    TURN_BITS,
    WON,
    Stack,
)

Table = NDArray[np.uint64]  # (entries, 2): hash, and the packed score, depth, bound and turn
Lists = NDArray[np.int64]  # (heights, MAX_TURNS): turns with their ordering score above them
Frames = NDArray[np.int64]  # (heights, FRAME_WORDS)

MAX_DEPTH = 60
HEIGHTS = MAX_DEPTH + 4
WIN = 30_000
ENDLESS = 32_000
WIN_BOUND = WIN - 1_000  # above it a score counts the turns to the win

# Places in memory; those from WEIGHTS on belong to the evaluation.
NODES, LIMIT, STOP, STOPPED, BEST, BEST_SCORE, BEST_DEPTH, DEEPEST = range(8)
SETTINGS = 100  # how the search cuts: see Engine
HISTORY = 110  # how often each direction was best: 4 for the root's side, 4 for the other
KILLERS = HISTORY + 8
FIRST_FREE = KILLERS + HEIGHTS  # where a search may keep more

EXACT, LOWER, UPPER = 1, 2, 3

FULL_WINDOW, EMPTY_WINDOW, REDUCED = range(3)  # how a turn is tried
UNKNOWN = -1_000_000
STOP_CHECK = 511  # nodes between two looks at the stop flag, less one

HASH_1 = np.uint64(0x9E37_79B9_7F4A_7C15)
HASH_2 = np.uint64(0xBF58_476D_1CE4_E5B9)
HASH_3 = np.uint64(0x94D0_49BB_1331_11EB)
HASH_4 = np.uint64(0xD6E8_FEB8_6659_FD93)
H29 = np.uint64(29)
H31 = np.uint64(31)
H32 = np.uint64(32)
HAND_BITS = np.uint64(10)
REVERSED_BIT = np.uint64(20)
PLY_BIT = np.uint64(21)

# Fields of a table entry's second word.
SCORE_SHIFT = np.uint64(40)
DEPTH_SHIFT = np.uint64(32)
BOUND_SHIFT = np.uint64(30)
TURN_MASK = np.uint64((1 << TURN_BITS) - 1)
DEPTH_MASK = np.uint64(0xFF)
BOUND_MASK = np.uint64(3)
SCORE_OFFSET = 40_000


@kernel
def position_hash(stack: Stack, height: int) -> np.uint64:
    """A hash of everything that decides how the game goes on."""
    small = stack[height, R_HAND] | stack[height, R_ENEMY_HAND] << HAND_BITS
    small |= stack[height, R_REVERSED] << REVERSED_BIT | stack[height, R_PLY] << PLY_BIT
    mixed: np.uint64 = stack[height, R_OWN] * HASH_1
    mixed = (mixed ^ (mixed >> H29) ^ stack[height, R_ENEMY]) * HASH_2
    mixed = (mixed ^ (mixed >> H31) ^ stack[height, R_ABYSS]) * HASH_3
    mixed = (mixed ^ (mixed >> H32) ^ small ^ stack[height, R_FROZEN] * HASH_4) * HASH_1
    return mixed ^ (mixed >> H29)


@kernel
def finished_score(result: int, height: int) -> int:
    """Return the score of a game that is over, for the side that would be at turn: sooner wins are worth more."""
    if result == DRAWN:
        return 0
    return WIN - height if result == WON else height - WIN


@kernel
def stored_score(score: int, height: int) -> int:
    """Wins are counted from the position, not from the root, in the table."""
    if score > WIN_BOUND:
        return score + height
    return score - height if score < -WIN_BOUND else score


@kernel
def entry_score(entry: np.uint64, height: int) -> int:
    """Return the score in a table entry, with wins counted from the root again."""
    score = number(entry >> SCORE_SHIFT) - SCORE_OFFSET
    if score > WIN_BOUND:
        return score - height
    return score + height if score < -WIN_BOUND else score


@kernel
def pick(lists: Lists, height: int, place: int, end: int) -> int:
    """Bring the best of the rest to `place` and return its turn."""
    best = place
    for other in range(place + 1, end):
        if lists[height, other] > lists[height, best]:
            best = other
    chosen: int = lists[height, best]
    lists[height, best] = lists[height, place]
    lists[height, place] = chosen
    return chosen & ((1 << TURN_BITS) - 1)


@kernel
def ordered(score: int, turn: int) -> int:
    """Return a turn with its ordering score above it, as lists hold them."""
    return ((score + SCORE_OFFSET) << TURN_BITS) | turn


@kernel
def stored_turn(stack: Stack, table: Table) -> int:
    """The best turn the table knows for the position in row 0, or -1."""
    key = position_hash(stack, 0)
    slot = number(key & np.uint64(table.shape[0] - 1))
    known = table[slot, 0] == key and stack[0, R_RESULT] == np.uint64(GOES_ON)
    return number(table[slot, 1] & TURN_MASK) if known else -1
