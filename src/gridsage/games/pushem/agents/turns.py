"""Between the master's compiled turns and the small actions of the game."""

from __future__ import annotations

from collections.abc import Iterator

from gridsage.core.game import Action
from gridsage.games.pushem.kernels.turns import CARD_SHIFT, SECOND_SHIFT, SLEEPING, TARGET_SHIFT
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import (
    BOMB,
    CARD_ACTIONS,
    CELL_ACTIONS,
    CHOOSE_CARD,
    CHOOSE_STEP,
    END_ACTION,
    LINE_ACTIONS,
    NO_CARD,
    REPLAY,
    REVERSE,
    SLEEP_ACTION,
    SWAP,
    State,
)


def written_actions(turn: int) -> tuple[Action, ...]:
    """The small actions that a compiled turn names; a plain step may still need `end`."""
    direction, card = turn & 7, turn >> CARD_SHIFT & 15
    target, second = turn >> TARGET_SHIFT & 63, turn >> SECOND_SHIFT & 63
    if direction == SLEEPING:
        return (SLEEP_ACTION,)
    if card == NO_CARD:
        return (direction,)
    if card == REVERSE:
        return (direction, CARD_ACTIONS + card)
    if card == REPLAY:
        return (direction, CARD_ACTIONS + card, target)
    base = LINE_ACTIONS if card == BOMB else CELL_ACTIONS
    chosen = (direction, CARD_ACTIONS + card, base + target)
    return (*chosen, CELL_ACTIONS + second) if card == SWAP else chosen


def actions_of(turn: int, state: State) -> tuple[Action, ...]:
    """All small actions of a compiled turn from `state`."""
    actions = written_actions(turn)
    if turn >> CARD_SHIFT & 15 == NO_CARD and GAME.step(state, actions[0]).choosing == CHOOSE_CARD:
        return (*actions, END_ACTION)
    return actions


def ways_to_finish(state: State) -> Iterator[tuple[tuple[Action, ...], State]]:
    """Every way to complete the turn at hand: its actions and the state after it, in a fixed order."""
    for action in GAME.legal(state):
        following = GAME.step(state, action)
        if following.choosing == CHOOSE_STEP:
            yield (action,), following
        else:
            for rest, end in ways_to_finish(following):
                yield (action, *rest), end
