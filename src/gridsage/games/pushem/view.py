"""State -> Frame: sprite names, pawns that keep their number, and status words."""

from __future__ import annotations

from gridsage.core.frame import Entity, Frame
from gridsage.games.pushem.level import CARD_NAMES, SEATS, SIZE, Level, write
from gridsage.games.pushem.state import (
    ABYSSES,
    BOMB,
    CELL_ACTIONS,
    CELLS,
    CHOOSE_CARD,
    CHOOSE_DIRECTION,
    CHOOSE_SECOND,
    CHOOSE_STEP,
    CHOOSE_TARGET,
    DIRECTIONS,
    FREEZE,
    JUMP,
    LINE_ACTIONS,
    NO_CARD,
    PROPAGANDA,
    SHINIGAMI,
    SWAP,
    State,
    cards_in,
    cell_name,
)

GLYPHS = {
    "ground": ("·", "dim"),
    "cracking": ("~", "yellow"),
    "abyss": (" ", "on black"),
    "first": ("●", "bold white"),
    "second": ("■", "bold red"),
    "first_frozen": ("◎", "white"),
    "second_frozen": ("□", "red"),
}

# Cards, cells, rows and columns are typed as their labels say.
KEYS = {
    "ArrowUp": "U",
    "ArrowRight": "R",
    "ArrowDown": "D",
    "ArrowLeft": "L",
    "w": "U",
    "d": "R",
    "s": "D",
    "a": "L",
    "z": "sleep",
    "Enter": "end",
    "e": "end",
}

MEANINGS = {
    "U": "All your pawns step up and push what stands before them.",
    "R": "All your pawns step right and push what stands before them.",
    "D": "All your pawns step down and push what stands before them.",
    "L": "All your pawns step left and push what stands before them.",
    "end": "End the turn without a card.",
    "replay": "Step a second time, in a direction you choose.",
    "sleep": "Instead of a step: nothing moves this turn.",
    "reverse": "On the next turn the other side's directions are inverted, and it may play no card.",
    "shinigami": "Remove an enemy pawn.",
    "propaganda": "An enemy pawn changes to your side.",
    "freeze": "An enemy pawn stands still in its side's next step, and blocks it.",
    "jump": "One of your pawns leaps in the direction of your step to the first free cell.",
    "bomb": "Remove every pawn of both sides on a row or a column.",
    "swap": "One of your pawns and an enemy pawn change places.",
    "abysses": "A free cell becomes an abyss.",
}

CHOICES = {
    CHOOSE_STEP: "a direction",
    CHOOSE_CARD: "a card or the end of the turn",
    CHOOSE_DIRECTION: "a second direction",
    CHOOSE_SECOND: "an enemy pawn",
}


TARGETS = {
    SHINIGAMI: "an enemy pawn",
    PROPAGANDA: "an enemy pawn",
    FREEZE: "an enemy pawn",
    JUMP: "one of your pawns",
    SWAP: "one of your pawns",
    BOMB: "a row or a column",
    ABYSSES: "a free cell",
}


def frame(state: State) -> Frame:
    """One picture of the board as it is now, also in the middle of a turn."""
    status = _status(state)
    return Frame(
        rows=SIZE,
        cols=SIZE,
        cells=tuple(_ground(state, cell) for cell in range(CELLS)),
        entities=tuple(_pawn(state, cell) for cell in range(CELLS) if (state.first | state.second) >> cell & 1),
        coordinates=("abcdefgh", "87654321"),
        sides=SEATS,
        chosen=(state.cell,) if state.choosing == CHOOSE_SECOND else (),
        begun=_begun(state),
        hands=(tuple(cards_in(state.first_hand)), tuple(cards_in(state.second_hand))),
        status=status,
        choose=status["choose"],
        text=", ".join(f"{key} {value}" for key, value in status.items()),
    )


def point(state: State, action: int) -> int:
    """The cell that an action names, or -1."""
    return action - CELL_ACTIONS if CELL_ACTIONS <= action < LINE_ACTIONS else -1


def area(state: State, action: int) -> range | tuple[()]:
    """The cells of the row or column that an action names."""
    if action < LINE_ACTIONS:
        return ()
    line = action - LINE_ACTIONS
    if line < SIZE:
        first = (SIZE - 1 - line) * SIZE
        return range(first, first + SIZE)
    return range(line - SIZE, CELLS, SIZE)


def position(state: State) -> str:
    """The position as a level; empty in the middle of a turn, which no level can tell."""
    if state.choosing != CHOOSE_STEP:
        return ""
    return write(
        Level(
            first=state.first,
            second=state.second,
            abyss=state.abyss,
            frozen=state.frozen,
            turn=state.turn,
            ply=state.ply,
            first_hand=state.first_hand,
            second_hand=state.second_hand,
            reversed=state.reversed,
        )
    )


def _ground(state: State, cell: int) -> str:
    if state.abyss >> cell & 1:
        return "abyss"
    row, col = divmod(cell, SIZE)
    ring = min(row, col, SIZE - 1 - row, SIZE - 1 - col)
    broken = (state.ring1, state.ring2, state.ring3)
    return "cracking" if ring < len(broken) and state.ply >= broken[ring] else "ground"


def _pawn(state: State, cell: int) -> Entity:
    side = "second" if state.second >> cell & 1 else "first"
    frozen = "_frozen" if state.frozen >> cell & 1 else ""
    return Entity(f"p{state.roster[cell]}", side + frozen, *divmod(cell, SIZE))


def _begun(state: State) -> tuple[str, ...]:
    """The labels of what this turn consists of so far."""
    if state.choosing == CHOOSE_STEP:
        return ()
    card = (CARD_NAMES[state.card],) if state.card != NO_CARD else ()
    target = (cell_name(state.cell),) if state.choosing == CHOOSE_SECOND else ()
    return (DIRECTIONS[state.direction], *card, *target)


def _status(state: State) -> dict[str, str]:
    status = {
        "turn": SEATS[state.turn] + (" (reversed)" if state.reversed else ""),
        "choose": TARGETS.get(state.card, "a target") if state.choosing == CHOOSE_TARGET else CHOICES[state.choosing],
        "ply": f"{state.ply} of {state.last_ply}",
        "first": f"{state.first.bit_count()} pawns; {', '.join(cards_in(state.first_hand)) or 'no card'}",
        "second": f"{state.second.bit_count()} pawns; {', '.join(cards_in(state.second_hand)) or 'no card'}",
    }
    coming = [ply for ply in (state.ring1, state.ring2, state.ring3) if state.ply < ply < state.last_ply]
    status["next ring cracks"] = f"after ply {coming[0]}" if coming else "never"
    if state.choosing != CHOOSE_STEP:
        played = DIRECTIONS[state.direction]
        if state.card != NO_CARD:
            played += f"+{CARD_NAMES[state.card]}"
        if state.choosing == CHOOSE_SECOND:
            played += f"@{cell_name(state.cell)}"
        status["this turn"] = played
    return status
