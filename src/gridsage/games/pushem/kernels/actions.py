"""The turn in small actions on one vector of words (the fields of State) and the roster of pawn numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.pushem.kernels.board import (
    ONE,
    ZERO,
    Board,
    ahead,
    card_targets,
    count,
    cracking,
    landing,
    number,
    pawns_that_move,
    play_card,
    shifted,
)
from gridsage.games.pushem.state import (
    BOMB,
    CARD_ACTIONS,
    CELL_ACTIONS,
    CHOOSE_CARD,
    CHOOSE_DIRECTION,
    CHOOSE_SECOND,
    CHOOSE_STEP,
    CHOOSE_TARGET,
    END_ACTION,
    JUMP,
    LINE_ACTIONS,
    NO_CARD,
    REPLAY,
    REVERSE,
    SLEEP,
    SLEEP_ACTION,
    SWAP,
)

Words = NDArray[np.uint64]  # (19,)
Roster = NDArray[np.uint8]  # (64,)

# Words of the vector, in the order of State's fields.
(
    W_FIRST,
    W_SECOND,
    W_ABYSS,
    W_FROZEN,
    W_TURN,
    W_PLY,
    W_FIRST_HAND,
    W_SECOND_HAND,
    W_REVERSED,
    W_CHOOSING,
    W_DIRECTION,
    W_CARD,
    W_CELL,
    W_FIRST_BEFORE,
    W_SECOND_BEFORE,
    W_RING1,
    W_RING2,
    W_RING3,
    W_LAST_PLY,
) = range(19)


@kernel
def is_over(words: Words) -> bool:
    """Return True if the turn just finished ended the game."""
    if words[W_CHOOSING] != np.uint64(CHOOSE_STEP):
        return False
    return bool(words[W_FIRST] == ZERO or words[W_SECOND] == ZERO or words[W_PLY] >= words[W_LAST_PLY])


@kernel
def legal_actions(words: Words, out: NDArray[np.int64]) -> int:
    """Write the legal actions, ascending, to `out` (ACTIONS long) and return how many there are."""
    if is_over(words):
        return 0
    seat = number(words[W_TURN])
    own, enemy = words[W_FIRST + seat], words[W_FIRST + 1 - seat]
    choosing, found = words[W_CHOOSING], 0
    if choosing in (CHOOSE_STEP, CHOOSE_DIRECTION):
        for direction in range(4):
            out[direction] = direction
        found = 4
        hand = words[W_FIRST_HAND + seat]
        if choosing == CHOOSE_STEP and hand >> np.uint64(SLEEP) & ONE and words[W_REVERSED] == ZERO:
            out[found] = SLEEP_ACTION
            found += 1
    elif choosing == CHOOSE_CARD:
        out[0] = END_ACTION
        found = 1
        playable = playable_cards(words)
        for card in range(NO_CARD):
            if playable >> np.uint64(card) & ONE:
                out[found] = CARD_ACTIONS + card
                found += 1
    else:
        targets = enemy
        base = CELL_ACTIONS
        if choosing == CHOOSE_TARGET:
            card = number(words[W_CARD])
            base = LINE_ACTIONS if card == BOMB else CELL_ACTIONS
            targets = card_targets(own, enemy, words[W_ABYSS], words[W_FROZEN], card, number(words[W_DIRECTION]))
        for cell in range(64):
            if targets >> np.uint64(cell) & ONE:
                out[found] = base + cell
                found += 1
    return found


@kernel
def playable_cards(words: Words) -> Board:
    """The cards that can follow the step of this turn, as bits of a hand."""
    seat = number(words[W_TURN])
    own, enemy = words[W_FIRST + seat], words[W_FIRST + 1 - seat]
    if words[W_REVERSED] != ZERO:
        return ZERO
    playable = ZERO
    hand = words[W_FIRST_HAND + seat]
    for card in range(NO_CARD):
        bit = ONE << np.uint64(card)
        if hand & bit == ZERO or card == SLEEP:
            continue
        direction = number(words[W_DIRECTION])
        if (
            card in (REPLAY, REVERSE)
            or card_targets(own, enemy, words[W_ABYSS], words[W_FROZEN], card, direction) != ZERO
        ):
            playable |= bit
    return playable


@kernel
def apply(words: Words, roster: Roster, action: int) -> None:
    """Change `words` and `roster` (64 pawn numbers) by one legal action."""
    choosing = words[W_CHOOSING]
    if choosing == CHOOSE_STEP:
        if action == SLEEP_ACTION:
            words[W_CARD] = np.uint64(SLEEP)
            _finish(words)
            return
        direction = action ^ 2 if words[W_REVERSED] != ZERO else action
        words[W_DIRECTION] = np.uint64(direction)
        _step(words, roster, direction)
        words[W_CHOOSING] = np.uint64(CHOOSE_CARD)
        if playable_cards(words) == ZERO:
            _finish(words)
    elif choosing == CHOOSE_CARD:
        if action == END_ACTION:
            _finish(words)
            return
        card = action - CARD_ACTIONS
        words[W_CARD] = np.uint64(card)
        if card == REVERSE:
            _finish(words)
        elif card == REPLAY:
            words[W_CHOOSING] = np.uint64(CHOOSE_DIRECTION)
        else:
            words[W_CHOOSING] = np.uint64(CHOOSE_TARGET)
    elif choosing == CHOOSE_DIRECTION:
        _step(words, roster, action)
        _finish(words)
    elif choosing == CHOOSE_TARGET and words[W_CARD] == np.uint64(SWAP):
        words[W_CELL] = np.uint64(action - CELL_ACTIONS)
        words[W_CHOOSING] = np.uint64(CHOOSE_SECOND)
    else:
        _card(words, roster, action)
        _finish(words)


@kernel
def _step(words: Words, roster: Roster, direction: int) -> None:
    seat = number(words[W_TURN])
    own, enemy = words[W_FIRST + seat], words[W_FIRST + 1 - seat]
    abyss, frozen = words[W_ABYSS], words[W_FROZEN]
    moving = pawns_that_move(own, enemy, frozen, direction)
    words[W_FIRST + seat] = shifted(own, moving, abyss, direction)
    words[W_FIRST + 1 - seat] = shifted(enemy, moving, abyss, direction)
    words[W_FROZEN] = shifted(frozen, moving, abyss, direction)
    before = roster.copy()
    for cell in range(64):
        if moving >> np.uint64(cell) & ONE:
            roster[cell] = 0
    for cell in range(64):
        bit = ONE << np.uint64(cell)
        if moving & bit:
            target = ahead(bit, direction) & ~abyss
            if target != ZERO:
                roster[count(target - ONE)] = before[cell]
    crack(words)


@kernel
def _card(words: Words, roster: Roster, action: int) -> None:
    seat, card, direction = number(words[W_TURN]), number(words[W_CARD]), number(words[W_DIRECTION])
    own, enemy = words[W_FIRST + seat], words[W_FIRST + 1 - seat]
    abyss, frozen = words[W_ABYSS], words[W_FROZEN]
    target, second = action - CELL_ACTIONS, 0
    if card == BOMB:
        target = action - LINE_ACTIONS
    elif card == SWAP:
        target, second = number(words[W_CELL]), action - CELL_ACTIONS
        roster[target], roster[second] = roster[second], roster[target]
    elif card == JUMP:
        roster[count(landing(own, enemy, abyss, frozen, target, direction) - ONE)] = roster[target]
        roster[target] = 0
    own, enemy, abyss, frozen = play_card(own, enemy, abyss, frozen, card, direction, target, second)
    words[W_FIRST + seat], words[W_FIRST + 1 - seat] = own, enemy
    words[W_ABYSS], words[W_FROZEN] = abyss, frozen
    for cell in range(64):
        if (own | enemy) >> np.uint64(cell) & ONE == ZERO:
            roster[cell] = 0
    crack(words)


@kernel
def crack(words: Words) -> None:
    """Cells of a cracking ring become abyss as soon as they are free: after the step, the card and the turn."""
    cells = cracking(words[W_PLY], words[W_RING1], words[W_RING2], words[W_RING3])
    words[W_ABYSS] |= cells & ~(words[W_FIRST] | words[W_SECOND])


@kernel
def _finish(words: Words) -> None:
    """End the turn: the card is spent, the mover's pawns thaw, and the other seat is at turn."""
    seat, card = number(words[W_TURN]), words[W_CARD]
    if card != np.uint64(NO_CARD):
        words[W_FIRST_HAND + seat] &= ~(ONE << card)
    words[W_REVERSED] = ONE if card == np.uint64(REVERSE) else ZERO
    words[W_FROZEN] &= ~words[W_FIRST + seat]
    words[W_TURN] = np.uint64(1 - seat)
    words[W_PLY] += ONE
    words[W_CHOOSING] = np.uint64(CHOOSE_STEP)
    words[W_CARD] = np.uint64(NO_CARD)
    words[W_DIRECTION] = ZERO
    words[W_CELL] = ZERO
    crack(words)
    if words[W_FIRST] != ZERO or words[W_SECOND] != ZERO:
        words[W_FIRST_BEFORE] = np.uint64(count(words[W_FIRST]))
        words[W_SECOND_BEFORE] = np.uint64(count(words[W_SECOND]))
