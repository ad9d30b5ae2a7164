"""Whole turns for searching: a turn is one int, a position a row of words seen by the side at turn.

A stack of positions is an array (heights, ROW_WORDS); `play_turn` writes row `height + 1` from row `height`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.pushem.kernels.board import (
    ONE,
    ZERO,
    card_targets,
    count,
    cracking,
    pawns_that_move,
    play_card,
    shifted,
)
from gridsage.games.pushem.state import NO_CARD, REPLAY, REVERSE, SLEEP, SWAP

Stack = NDArray[np.uint64]  # (heights, ROW_WORDS)

# Words of a row. The last four never change during a search: every row of a stack holds them from the start.
(
    R_OWN,
    R_ENEMY,
    R_ABYSS,
    R_FROZEN,
    R_HAND,
    R_ENEMY_HAND,
    R_REVERSED,
    R_PLY,
    R_RESULT,
    R_KEY,
    R_RING1,
    R_RING2,
    R_RING3,
    R_LAST_PLY,
) = range(14)
ROW_WORDS = 14
MAX_TURNS = 6_144  # Swap has at most 4 * 32 * 32, the others a few hundred each

GOES_ON, LOST, DRAWN, WON = range(4)  # R_RESULT, for the side at turn

# Bits of a turn: 3 for the direction (SLEEPING for none), 4 for the card, 6 for each target.
SLEEPING = 4
CARD_SHIFT = 3
TARGET_SHIFT = 7
SECOND_SHIFT = 13
TURN_BITS = 19


@kernel
def turn_of(direction: int, card: int, target: int, second: int) -> int:
    """The turn as one int; `second` is Swap's enemy pawn, `target` also Replay's second direction and Bomb's line."""
    return direction | card << CARD_SHIFT | target << TARGET_SHIFT | second << SECOND_SHIFT


@kernel
def play_turn(stack: Stack, height: int, turn: int) -> None:
    """Write the position after `turn` to the next row, seen by the other side."""
    own, enemy = stack[height, R_OWN], stack[height, R_ENEMY]
    abyss, frozen = stack[height, R_ABYSS], stack[height, R_FROZEN]
    hand, ply = stack[height, R_HAND], stack[height, R_PLY]
    ring1, ring2, ring3 = stack[height, R_RING1], stack[height, R_RING2], stack[height, R_RING3]
    following = height + 1
    stack[following, R_REVERSED] = ZERO
    direction, card = turn & 7, (turn >> CARD_SHIFT) & 15
    cracks = cracking(ply, ring1, ring2, ring3)
    if direction != SLEEPING:
        if stack[height, R_REVERSED] != ZERO:
            direction ^= 2
        moving = pawns_that_move(own, enemy, frozen, direction)
        own, enemy = shifted(own, moving, abyss, direction), shifted(enemy, moving, abyss, direction)
        frozen = shifted(frozen, moving, abyss, direction)
        abyss |= cracks & ~(own | enemy)
    if card != NO_CARD:
        hand &= ~(ONE << np.uint64(card))
        target = (turn >> TARGET_SHIFT) & 63
        if card == REPLAY:
            moving = pawns_that_move(own, enemy, frozen, target)
            own, enemy = shifted(own, moving, abyss, target), shifted(enemy, moving, abyss, target)
            frozen = shifted(frozen, moving, abyss, target)
        elif card == REVERSE:
            stack[following, R_REVERSED] = ONE
        elif card != SLEEP:
            second = turn >> SECOND_SHIFT
            own, enemy, abyss, frozen = play_card(own, enemy, abyss, frozen, card, direction, target, second)
        abyss |= cracks & ~(own | enemy)
    ply += ONE
    abyss |= cracking(ply, ring1, ring2, ring3) & ~(own | enemy)
    stack[following, R_OWN], stack[following, R_ENEMY] = enemy, own
    stack[following, R_ABYSS], stack[following, R_FROZEN] = abyss, frozen & enemy
    stack[following, R_HAND], stack[following, R_ENEMY_HAND] = stack[height, R_ENEMY_HAND], hand
    stack[following, R_PLY] = ply
    result = GOES_ON
    if own == ZERO or enemy == ZERO or ply >= stack[height, R_LAST_PLY]:
        result = result_after(stack, height, own, enemy)
    stack[following, R_RESULT] = np.uint64(result)


@kernel
def result_after(stack: Stack, height: int, own: np.uint64, enemy: np.uint64) -> int:
    """The result for the side that comes to turn (`enemy`), by the pawns after the turn, or before it if all fell."""
    ours, theirs = count(enemy), count(own)
    if ours == 0 and theirs == 0:
        ours, theirs = count(stack[height, R_ENEMY]), count(stack[height, R_OWN])
    if ours == theirs:
        return DRAWN
    return WON if ours > theirs else LOST


@kernel
def plain_turns(turns: NDArray[np.int64]) -> int:
    """Write the four turns without a card to `turns`; returns 4."""
    for direction in range(4):
        turns[direction] = turn_of(direction, NO_CARD, 0, 0)
    return 4


@kernel
def card_turns(stack: Stack, height: int, turns: NDArray[np.int64], found: int) -> int:
    """Append every turn that plays a card to `turns`, of which `found` are taken; returns how many there are now."""
    hand = stack[height, R_HAND]
    if hand == ZERO or stack[height, R_REVERSED] != ZERO:
        return found
    if hand >> np.uint64(SLEEP) & ONE:
        turns[found] = turn_of(SLEEPING, SLEEP, 0, 0)
        found += 1
    own, enemy = stack[height, R_OWN], stack[height, R_ENEMY]
    abyss, frozen = stack[height, R_ABYSS], stack[height, R_FROZEN]
    cracks = cracking(stack[height, R_PLY], stack[height, R_RING1], stack[height, R_RING2], stack[height, R_RING3])
    for direction in range(4):
        moving = pawns_that_move(own, enemy, frozen, direction)
        own2, enemy2 = shifted(own, moving, abyss, direction), shifted(enemy, moving, abyss, direction)
        frozen2 = shifted(frozen, moving, abyss, direction)
        abyss2 = abyss | (cracks & ~(own2 | enemy2))
        for card in range(NO_CARD):
            if hand >> np.uint64(card) & ONE == ZERO or card == SLEEP:
                continue
            if card == REVERSE:
                turns[found] = turn_of(direction, card, 0, 0)
                found += 1
            elif card == REPLAY:
                for second in range(4):
                    turns[found] = turn_of(direction, card, second, 0)
                    found += 1
            else:
                targets = card_targets(own2, enemy2, abyss2, frozen2, card, direction)
                found = _targeted(turns, found, direction, card, targets, enemy2)
    return found


@kernel
def _targeted(
    turns: NDArray[np.int64], found: int, direction: int, card: int, targets: np.uint64, enemy: np.uint64
) -> int:
    while targets != ZERO:
        low = targets & (~targets + ONE)
        targets ^= low
        target = count(low - ONE)
        if card == SWAP:
            others = enemy
            while others != ZERO:
                other = others & (~others + ONE)
                others ^= other
                turns[found] = turn_of(direction, card, target, count(other - ONE))
                found += 1
        else:
            turns[found] = turn_of(direction, card, target, 0)
            found += 1
    return found


@kernel
def count_turns(stack: Stack, depth: int, turns: NDArray[np.int64]) -> int:
    """How many lines of `depth` turns there are from row 0; a finished game has none further.

    Args:
        stack: (depth + 1, ROW_WORDS), the position in row 0.
        turns: (depth, MAX_TURNS), scratch.
    """
    ends, places = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    ends[0] = card_turns(stack, 0, turns[0], plain_turns(turns[0]))
    height, total = 0, 0
    while height >= 0:
        if height == depth - 1:
            total += ends[height]
            height -= 1
        elif places[height] == ends[height]:
            height -= 1
        else:
            play_turn(stack, height, turns[height, places[height]])
            places[height] += 1
            height += 1
            places[height], ends[height] = 0, 0
            if stack[height, R_RESULT] == np.uint64(GOES_ON):
                ends[height] = card_turns(stack, height, turns[height], plain_turns(turns[height]))
    return total
