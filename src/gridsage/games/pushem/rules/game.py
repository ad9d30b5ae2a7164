"""The game class of Push'em All: two sides push each other off an eight by eight board that breaks at its edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.core.errors import IllegalAction, LevelError
from gridsage.core.game import Action, Event, Outcome, action_labelled
from gridsage.core.rng import generator
from gridsage.games.pushem import level as levels
from gridsage.games.pushem.kernels import actions as kernels
from gridsage.games.pushem.level import CARD_NAMES, PRESETS, SEATS, Level, Options
from gridsage.games.pushem.rules import reasons
from gridsage.games.pushem.state import (
    ACTIONS,
    CARD_ACTIONS,
    CELL_ACTIONS,
    CELLS,
    CHOOSE_STEP,
    DIRECTIONS,
    END_ACTION,
    FIRST,
    JUMP,
    LINE_ACTIONS,
    NEVER,
    NO_CARD,
    SECOND,
    SLEEP_ACTION,
    WORDS,
    State,
    bits,
    cell_name,
    line_name,
)

OPENING_TRIES = 200  # a random opening is drawn again until it has cost both sides the same


class Pushem:
    """Push'em All, rules r1. Every method is pure, so it is a Model too."""

    name = "pushem"
    rules_version = 1

    def parse(self, text: str) -> Level:
        return levels.parse(text)

    def start(self, level: Level, options: Options, seed: int) -> State:
        """The first state: cards are dealt, and the opening is played, from the seed."""
        preset = PRESETS[options.preset]
        if level.ply >= preset.last_ply:
            raise LevelError(f"ply is {level.ply}, but the preset {options.preset} ends at ply {preset.last_ply}")
        hands = _deal(options, seed)
        rings = [*preset.rings, NEVER, NEVER][:3]
        state = State(
            first=level.first,
            second=level.second,
            abyss=level.abyss,
            frozen=level.frozen,
            turn=level.turn,
            ply=level.ply,
            first_hand=hands[FIRST] if level.first_hand is None else level.first_hand,
            second_hand=hands[SECOND] if level.second_hand is None else level.second_hand,
            reversed=level.reversed,
            choosing=CHOOSE_STEP,
            direction=0,
            card=NO_CARD,
            cell=0,
            first_before=level.first.bit_count(),
            second_before=level.second.bit_count(),
            ring1=rings[0],
            ring2=rings[1],
            ring3=rings[2],
            last_ply=preset.last_ply,
            roster=_number_pawns(level.first | level.second),
        )
        words = words_of(state)
        kernels.crack(words)
        return self._opened(_state(words, roster_of(state)), options.opening, seed)

    def seat(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Action]:
        out: NDArray[np.int64] = np.empty(ACTIONS, np.int64)
        found = kernels.legal_actions(words_of(state), out)
        actions: list[int] = out[:found].tolist()
        return actions

    def step(self, state: State, action: Action) -> State:
        if action not in self.legal(state):
            raise IllegalAction(reasons.why_illegal(state, action, self.label(action)))
        words, roster = words_of(state), roster_of(state)
        kernels.apply(words, roster, int(action))
        return _state(words, roster)

    def outcome(self, state: State) -> Outcome | None:
        if state.choosing != CHOOSE_STEP:
            return None
        left = (state.first.bit_count(), state.second.bit_count())
        if left == (0, 0):
            return _result("both sides fell", state.first_before, state.second_before)
        if not all(left):
            return _result(f"{SEATS[left.index(0)]} has no pawn left", *left)
        if state.ply >= state.last_ply:
            return _result(f"pawns counted at ply {state.last_ply}", *left)
        return None

    def observe(self, state: State, seat: int) -> State:
        return state

    def events(self, before: State, action: Action, after: State) -> Sequence[Event]:
        """What a person sees: card, moved, pushed, jumped, swapped, fell, removed, frozen, thawed, cracked, ..."""
        places = {number: cell for cell, number in enumerate(after.roster) if number}
        own = before.second if before.turn else before.first
        found: list[Event] = []
        if CARD_ACTIONS <= action < CELL_ACTIONS or action == SLEEP_ACTION:
            found.append(Event("card"))
        for cell, number in enumerate(before.roster):
            if number and (event := _pawn_event(before, action, own, cell, places.get(number), number)) is not None:
                found.append(event)
        converted = (before.first & after.second & ~before.second) | (before.second & after.first & ~before.first)
        stayed = sum(1 << cell for cell in range(CELLS) if before.roster[cell] == after.roster[cell] != 0)
        for kind, board in (
            ("converted", converted & stayed),
            ("frozen", after.frozen & ~before.frozen & stayed),
            ("thawed", before.frozen & ~after.frozen & stayed),
        ):
            found.extend(Event(kind, cell, who=f"p{after.roster[cell]}") for cell in bits(board))
        found.extend(Event("cracked", cell) for cell in bits(after.abyss & ~before.abyss))
        return found

    def label(self, action: Action) -> str:
        if 0 <= action < len(DIRECTIONS):
            return DIRECTIONS[action]
        if action == SLEEP_ACTION:
            return "sleep"
        if action == END_ACTION:
            return "end"
        if CARD_ACTIONS <= action < CELL_ACTIONS:
            return CARD_NAMES[action - CARD_ACTIONS]
        if CELL_ACTIONS <= action < LINE_ACTIONS:
            return cell_name(action - CELL_ACTIONS)
        if LINE_ACTIONS <= action < ACTIONS:
            name = line_name(action - LINE_ACTIONS)
            return f"{'row' if name.isdigit() else 'column'} {name}"
        return f"action {action}"

    def action(self, label: str) -> Action:
        return action_labelled(label, _action_of(), self.name)

    def fingerprint(self, state: State) -> bytes:
        return msgspec.msgpack.encode(state)

    def key(self, state: State) -> tuple[object, ...]:
        """Equal for positions that play alike: all but the pawns' numbers."""
        return msgspec.structs.astuple(state)[:WORDS]

    def targets(self, state: State) -> dict[str, tuple[Action, ...]]:
        """For a screen: every card that can be played now with the actions that choose its (first) target.

        While a target is being chosen it is the one card at hand; Replay lists directions, Reverse and Sleep nothing.
        """
        if state.choosing == CHOOSE_STEP:
            return {"sleep": ()} if SLEEP_ACTION in self.legal(state) else {}
        if state.card != NO_CARD:
            return {CARD_NAMES[state.card]: tuple(self.legal(state))}
        cards = [action for action in self.legal(state) if action >= CARD_ACTIONS]
        return {self.label(card): self._first_targets(state, card) for card in cards}

    def _first_targets(self, state: State, card: Action) -> tuple[Action, ...]:
        after = self.step(state, card)
        return tuple(self.legal(after)) if after.choosing != CHOOSE_STEP else ()

    def _opened(self, state: State, turns: int, seed: int) -> State:
        """The state after `turns` random steps that cost both sides the same, and none its last pawn."""
        random = generator(seed, "opening")
        opened = state
        for _ in range(OPENING_TRIES if turns else 0):
            opened = state
            for _ in range(turns):
                opened = self._plain_step(opened, random.randrange(len(DIRECTIONS)))
            if opened.first_before - opened.second_before == state.first_before - state.second_before:
                return opened
        return opened if self.outcome(opened) is None else state

    def _plain_step(self, state: State, direction: int) -> State:
        if self.outcome(state) is not None:
            return state
        state = self.step(state, direction)
        return state if state.choosing == CHOOSE_STEP else self.step(state, END_ACTION)


def words_of(state: State) -> NDArray[np.uint64]:
    """The vector of words that the kernels work on, a new one."""
    return np.array(msgspec.structs.astuple(state)[:WORDS], np.uint64)


def roster_of(state: State) -> NDArray[np.uint8]:
    """The roster as an array of 64 pawn numbers, a new one."""
    return np.frombuffer(state.roster, np.uint8).copy()


def _state(words: NDArray[np.uint64], roster: NDArray[np.uint8]) -> State:
    made: Callable[..., State] = State  # all fields but the last are the words, in their order
    return made(*words.tolist(), roster.tobytes())


def _number_pawns(pawns: int) -> bytes:
    roster = bytearray(CELLS)
    for number, cell in enumerate(bits(pawns), 1):
        roster[cell] = number
    return bytes(roster)


def _deal(options: Options, seed: int) -> tuple[int, int]:
    """The two hands; different ones come from both ends of one shuffled deck."""
    if options.deal:
        hand = levels.parse_hand(options.deal.replace("+", " "), "option deal")
        return hand, hand
    deck = generator(seed, "deal").sample(range(len(CARD_NAMES)), len(CARD_NAMES))
    first = sum(1 << card for card in deck[: options.cards])
    if options.hands == "same":
        return first, first
    return first, sum(1 << card for card in deck[len(deck) - options.cards :])


def _result(reason: str, first: int, second: int) -> Outcome:
    """Who has more wins; a draw gives both a half."""
    if first == second:
        return Outcome(reason, (0.5, 0.5))
    winner = FIRST if first > second else SECOND
    return Outcome(reason, (1.0 - winner, float(winner)), winner)


def _pawn_event(state: State, action: Action, own: int, cell: int, place: int | None, number: int) -> Event | None:
    """What happened to the pawn that stood on `cell` and now stands on `place` (None: gone)."""
    if cell == place:
        return None
    who, is_step = f"p{number}", action < len(DIRECTIONS)
    if place is None:
        return Event("fell" if is_step else "removed", cell, who=who)
    if is_step:
        return Event("moved" if own >> cell & 1 else "pushed", cell, place, who)
    return Event("jumped" if state.card == JUMP else "swapped", cell, place, who)


@cache
def _action_of() -> dict[str, Action]:
    """The actions by their labels; `sleep` is the action before a step, not the card that allows it."""
    return {GAME.label(action): action for action in reversed(range(ACTIONS))}


GAME = Pushem()
