"""Why an action is illegal, in words a player understands."""

from __future__ import annotations

from gridsage.games.pushem.level import CARD_NAMES, SIZE
from gridsage.games.pushem.state import (
    ABYSSES,
    ACTIONS,
    BOMB,
    CARD_ACTIONS,
    CELL_ACTIONS,
    CHOOSE_CARD,
    CHOOSE_DIRECTION,
    CHOOSE_SECOND,
    CHOOSE_STEP,
    DIRECTIONS,
    FREEZE,
    JUMP,
    LINE_ACTIONS,
    NO_CARD,
    PROPAGANDA,
    SHINIGAMI,
    SLEEP,
    SLEEP_ACTION,
    SWAP,
    State,
    cards_in,
)

EXPECTED = {
    CHOOSE_STEP: "choose a direction (U, R, D, L) or sleep",
    CHOOSE_CARD: "choose a card or end the turn",
    CHOOSE_DIRECTION: "choose the second direction (U, R, D, L)",
    CHOOSE_SECOND: "choose an enemy pawn",
}


def why_illegal(state: State, action: int, label: str) -> str:
    """One sentence that names what is wrong with `action` here."""
    if not 0 <= action < ACTIONS:
        return f"{label} does not exist: actions are numbered 0 to {ACTIONS - 1}"
    if state.choosing == CHOOSE_STEP and (not state.first or not state.second or state.ply >= state.last_ply):
        return f"{label} comes too late: the game is over"
    if _names_card(state, action):
        return _why_not_card(state, action, label)
    if (
        CELL_ACTIONS <= action < LINE_ACTIONS
        and state.card not in (NO_CARD, BOMB)
        and state.choosing > CHOOSE_DIRECTION
    ):
        return _why_not_cell(state, action - CELL_ACTIONS, label)
    if action >= LINE_ACTIONS and state.card == BOMB:
        return f"{label} has no pawn: bomb needs a row or column with at least one"
    expected = EXPECTED.get(state.choosing, "choose a row or a column" if state.card == BOMB else "choose a cell")
    return f"{label} cannot be chosen now: {expected}"


def _names_card(state: State, action: int) -> bool:
    if state.choosing == CHOOSE_STEP:
        return action == SLEEP_ACTION
    return state.choosing == CHOOSE_CARD and (CARD_ACTIONS <= action < CELL_ACTIONS or action == SLEEP_ACTION)


def _why_not_card(state: State, action: int, label: str) -> str:
    card = SLEEP if action == SLEEP_ACTION else action - CARD_ACTIONS
    hand = state.second_hand if state.turn else state.first_hand
    if state.reversed:
        return f"{label} cannot be played: under Reverse a side plays no card"
    if not hand >> card & 1:
        return f"{label} is not in your hand: you hold {', '.join(cards_in(hand)) or 'no card'}"
    if card == SLEEP:
        return "sleep replaces the step: it cannot follow one"
    if card == JUMP:
        return f"no pawn of yours can jump {DIRECTIONS[state.direction]}"
    return f"{CARD_NAMES[card]} has no target on this board"


def _why_not_cell(state: State, cell: int, label: str) -> str:
    own, enemy = (state.second, state.first) if state.turn else (state.first, state.second)
    bit, name = 1 << cell, CARD_NAMES[state.card]
    found = (
        "your own pawn"
        if own & bit
        else "an enemy pawn"
        if enemy & bit
        else "an abyss"
        if state.abyss & bit
        else "empty"
    )
    if state.card in (SHINIGAMI, PROPAGANDA, FREEZE) or state.choosing == CHOOSE_SECOND:
        needs = "an enemy pawn"
    elif state.card == ABYSSES:
        needs = "a free cell of ground"
    else:
        needs = "a pawn of your own"
    if not (own & bit and state.card in (JUMP, SWAP)) or state.choosing == CHOOSE_SECOND:
        return f"{label} is {found}: {name} needs {needs}"
    if state.frozen & bit:
        return f"{label} is frozen: {name} needs a pawn that can move"
    row, col = divmod(cell, SIZE)
    if row in (0, SIZE - 1) or col in (0, SIZE - 1):
        return f"{label} stands on the outer border: jump needs a pawn further inside"
    return f"{label} has no free cell to land on in direction {DIRECTIONS[state.direction]}"
