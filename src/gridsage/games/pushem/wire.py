"""The position of a game of Push'em All, as data that JSON can hold."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from gridsage.core.room import Wire
from gridsage.games.pushem.level import CARD_NAMES, SEATS
from gridsage.games.pushem.state import CELLS, NO_CARD, State, bits, cards_in, cell_name

Choice = Literal["step", "card", "direction", "target", "second"]
Way = Literal["U", "R", "D", "L"]
CHOICES: tuple[Choice, ...] = get_args(Choice)  # by State.choosing
WAYS: tuple[Way, ...] = get_args(Way)  # by State.direction
_CELL_OF = {cell_name(cell): cell for cell in range(CELLS)}

Squares = Annotated[tuple[str, ...], msgspec.Meta(description="squares a1 to h8, in reading order")]
Cards = Annotated[tuple[str, ...], msgspec.Meta(description="cards that are still held")]


class Seen(msgspec.Struct, frozen=True):
    """A position, perhaps in the middle of a turn; both seats see all of it."""

    first: Squares
    second: Squares
    abyss: Squares
    frozen: Annotated[Squares, msgspec.Meta(description="pawns that stand still in their side's next step")]
    turn: Literal["first", "second"]
    ply: Annotated[int, msgspec.Meta(description="turns completed by both")]
    first_hand: Cards
    second_hand: Cards
    reversed: Annotated[bool, msgspec.Meta(description="directions are inverted, and no card may be played")]
    choosing: Annotated[Choice, msgspec.Meta(description="what next")]
    direction: Annotated[Way, msgspec.Meta(description="where the step of this turn went")]
    card: Annotated[str | None, msgspec.Meta(description="the card of this turn")]
    cell: Annotated[str, msgspec.Meta(description="the first of the two squares that Swap needs")]
    first_before: Annotated[Squares, msgspec.Meta(description="pawns at the start of the turn")]
    second_before: Squares
    ring1: Annotated[int, msgspec.Meta(description="the ply after which the outermost ring cracks")]
    ring2: int
    ring3: int
    last_ply: Annotated[int, msgspec.Meta(description="the ply at which pawns are counted")]
    numbers: Annotated[dict[str, int], msgspec.Meta(description="square -> number of the pawn on it, for screens")]


def to_wire(state: State) -> Seen:
    """Return the position as data."""
    return Seen(
        first=_squares(state.first),
        second=_squares(state.second),
        abyss=_squares(state.abyss),
        frozen=_squares(state.frozen),
        turn="second" if state.turn else "first",
        ply=state.ply,
        first_hand=tuple(cards_in(state.first_hand)),
        second_hand=tuple(cards_in(state.second_hand)),
        reversed=bool(state.reversed),
        choosing=CHOICES[state.choosing],
        direction=WAYS[state.direction],
        card=None if state.card == NO_CARD else CARD_NAMES[state.card],
        cell=cell_name(state.cell),
        first_before=_squares(state.first_before),
        second_before=_squares(state.second_before),
        ring1=state.ring1,
        ring2=state.ring2,
        ring3=state.ring3,
        last_ply=state.last_ply,
        numbers={cell_name(cell): number for cell, number in enumerate(state.roster) if number},
    )


def from_wire(seen: Seen) -> State:
    """Return the position of the data."""
    roster = bytearray(CELLS)
    for name, number in seen.numbers.items():
        roster[_CELL_OF[name]] = number
    return State(
        first=_board(seen.first),
        second=_board(seen.second),
        abyss=_board(seen.abyss),
        frozen=_board(seen.frozen),
        turn=SEATS.index(seen.turn),
        ply=seen.ply,
        first_hand=_hand(seen.first_hand),
        second_hand=_hand(seen.second_hand),
        reversed=int(seen.reversed),
        choosing=CHOICES.index(seen.choosing),
        direction=WAYS.index(seen.direction),
        card=NO_CARD if seen.card is None else CARD_NAMES.index(seen.card),
        cell=_CELL_OF[seen.cell],
        first_before=_board(seen.first_before),
        second_before=_board(seen.second_before),
        ring1=seen.ring1,
        ring2=seen.ring2,
        ring3=seen.ring3,
        last_ply=seen.last_ply,
        roster=bytes(roster),
    )


def _squares(board: int) -> tuple[str, ...]:
    return tuple(map(cell_name, bits(board)))


def _board(squares: tuple[str, ...]) -> int:
    return sum(1 << _CELL_OF[square] for square in squares)


def _hand(cards: tuple[str, ...]) -> int:
    return sum(1 << CARD_NAMES.index(card) for card in cards)


WIRE = Wire(Seen, to_wire, from_wire)
