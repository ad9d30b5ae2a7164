"""Whole turns as people write them: `R`, `R,U`, `sleep`, `R+reverse`, `R+bomb@4`, `R+swap@c3:d4`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridsage.core.amounts import counted
from gridsage.core.errors import IllegalAction, unknown
from gridsage.core.game import Action
from gridsage.games.pushem.level import CARD_NAMES
from gridsage.games.pushem.rules.game import GAME
from gridsage.games.pushem.state import (
    BOMB,
    CARD_ACTIONS,
    CELL_ACTIONS,
    CHOOSE_CARD,
    CHOOSE_STEP,
    DIRECTIONS,
    END_ACTION,
    LINE_ACTIONS,
    REPLAY,
    REVERSE,
    SLEEP,
    SLEEP_ACTION,
    SWAP,
    State,
    cell_name,
    line_name,
)

LINES = {line_name(line): line for line in range(16)}
CELLS = {cell_name(cell): cell for cell in range(64)}


def turn_text(actions: Iterable[Action]) -> str:
    """The notation of one turn given as its small actions (`end` may be missing)."""
    step, *rest = [action for action in actions if action != END_ACTION]
    if step == SLEEP_ACTION:
        return "sleep"
    if not rest:
        return DIRECTIONS[step]
    card, *chosen = rest
    if card == CARD_ACTIONS + REPLAY:
        return f"{DIRECTIONS[step]},{DIRECTIONS[chosen[0]]}" if chosen else f"{DIRECTIONS[step]}+replay"
    words = f"{DIRECTIONS[step]}+{CARD_NAMES[card - CARD_ACTIONS]}"
    places = [
        line_name(action - LINE_ACTIONS) if action >= LINE_ACTIONS else cell_name(action - CELL_ACTIONS)
        for action in chosen
    ]
    return f"{words}@{':'.join(places)}" if places else words


def parse_turn(text: str, state: State) -> tuple[Action, ...]:
    """The small actions of the turn `text` from `state`; an IllegalAction says what is wrong with it."""
    if state.choosing != CHOOSE_STEP:
        raise IllegalAction(f"{text!r}: a turn can be read only at its start")
    actions = _written_actions(text.strip())
    for number, action in enumerate(actions):
        if state.choosing == CHOOSE_STEP and number:
            raise IllegalAction(f"{text!r}: {_why_over(state, actions)}")
        try:
            state = GAME.step(state, action)
        except IllegalAction as error:
            raise IllegalAction(f"{text!r}: {error}") from None
    return (*actions, END_ACTION) if state.choosing == CHOOSE_CARD else tuple(actions)


def _why_over(state: State, actions: Sequence[Action]) -> str:
    """The step already ended the turn, because its side has no card to play."""
    name = CARD_NAMES[actions[1] - CARD_ACTIONS]
    return f"{name} cannot be played: this side has no playable card after the step"


def _written_actions(text: str) -> list[Action]:
    if text == "sleep":
        return [SLEEP_ACTION]
    step, comma, second = text.partition(",")
    if comma:
        return [_direction(step, text), CARD_ACTIONS + REPLAY, _direction(second, text)]
    step, plus, rest = text.partition("+")
    direction = _direction(step, text)
    if not plus:
        return [direction]
    name, at, places = rest.partition("@")
    if name not in CARD_NAMES:
        raise IllegalAction(f"{text!r}: {unknown('card', name, CARD_NAMES)}")
    card = CARD_NAMES.index(name)
    if card == SLEEP:
        raise IllegalAction(f"{text!r}: sleep replaces the step: write 'sleep' alone")
    if card == REPLAY:
        raise IllegalAction(f"{text!r}: replay is written with its two directions: 'R,U'")
    return [direction, CARD_ACTIONS + card, *_places(card, at, places, text)]


def _places(card: int, at: str, places: str, text: str) -> list[Action]:
    if card == REVERSE:
        if at:
            raise IllegalAction(f"{text!r}: reverse has no target")
        return []
    words = places.split(":") if at else []
    wanted = 2 if card == SWAP else 1
    if len(words) != wanted:
        example = "R+bomb@4" if card == BOMB else "R+swap@c3:d4" if card == SWAP else f"R+{CARD_NAMES[card]}@d4"
        raise IllegalAction(
            f"{text!r} names {counted(len(words), 'target')}, {CARD_NAMES[card]} needs {wanted}: {example!r}"
        )
    known, base = (LINES, LINE_ACTIONS) if card == BOMB else (CELLS, CELL_ACTIONS)
    for word in words:
        if word not in known:
            expected = "a row 1 to 8 or a column a to h" if card == BOMB else "a cell a1 to h8"
            raise IllegalAction(f"{text!r}: {word!r} is not {expected}")
    return [base + known[word] for word in words]


def _direction(word: str, text: str) -> Action:
    if word not in DIRECTIONS:
        raise IllegalAction(f"{text!r}: {word!r} is not a direction; known: U, R, D, L, or 'sleep'")
    return DIRECTIONS.index(word)
