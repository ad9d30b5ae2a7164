"""Where a person could have done better: each of their moves beside what a strong agent would have done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gridsage.core.game import Agent, Budget, Closing, Own
from gridsage.core.room import Room

THINK = Budget(nodes=4_000)  # per decision: a review must not take longer than the game
LONGEST_PLAYOUT = 600  # steps after which a game that goes on counts as lost
LOST = 1_000.0  # what losing a won game costs, in moves or in pawns: more than anything else does
LEAST_LOSS = {1: 1.0, 2: 0.5}  # by seats: a move of a solo game, half a pawn of a game for two
LONGEST_LINE = 12


@dataclass(frozen=True)
class Mistake:
    """A move after which things were worse than they had to be."""

    t: int  # moves played before it
    played: str
    better: str
    loss: float  # moves too many, or pawns; LOST and more: the game was thrown away
    line: tuple[str, ...]  # what the agent would have done from there


@dataclass(frozen=True)
class _Value:
    worth: float  # from the person's side; the higher, the better
    best: str = ""  # the agent's action; empty where it has none
    line: tuple[str, ...] = ()


class Review:
    """Judges the moves of one seat of a game."""

    def __init__(self, room: Room, new_agent: Callable[[int], Agent], seconds: float) -> None:
        self._room, self._new_agent = room, new_agent
        self._game = room.rules.game()
        self._until = time.monotonic() + seconds

    def mistakes(self, states: Sequence[Own], actions: Sequence[int], seat: int) -> Iterator[Mistake]:
        """Yield the mistakes of `seat`, in the order of the game, as far as the time allows.

        Args:
            states: every state of the game, one more than `actions`.
        """
        before: _Value | None = None
        for t, action in enumerate(actions):
            if self._game.seat(states[t]) != seat:
                before = None
                continue
            if time.monotonic() > self._until:
                return
            before = before or self._value(states[t], seat)
            after = self._value(states[t + 1], seat)
            played = self._game.label(action)
            step = 1.0 if self._room.rules.seats == 1 else 0.0  # the move itself is one of those still to be made
            loss = before.worth - after.worth + step
            if before.best not in ("", played) and loss >= LEAST_LOSS[min(2, self._room.rules.seats)]:
                yield Mistake(t, played, before.line[0], round(loss, 2), before.line[:LONGEST_LINE])
            before = after if self._game.seat(states[t + 1]) == seat else None

    def _value(self, state: Own, seat: int) -> _Value:
        outcome = self._game.outcome(state)
        if outcome is not None:
            return _Value(self._end(outcome.winner, seat))
        return self._played_out(state) if self._room.rules.seats == 1 else self._estimated(state, seat)

    def _end(self, winner: int | None, seat: int) -> float:
        if winner == seat:
            return 0.0 if self._room.rules.seats == 1 else LOST
        return 0.0 if winner is None and self._room.rules.seats > 1 else -LOST

    def _played_out(self, state: Own) -> _Value:
        """Let the agent finish the game: the fewer moves it needs, the better."""
        agent, line = self._new_agent(0), list[str]()
        try:
            while (outcome := self._game.outcome(state)) is None and len(line) < LONGEST_PLAYOUT:
                action = agent.decide(self._game.observe(state, 0), THINK).action
                line.append(self._game.label(action))
                state = self._game.step(state, action)
        finally:
            if isinstance(agent, Closing):
                agent.close()
        won = outcome is not None and outcome.winner == 0
        return _Value(-float(len(line)), line[0], tuple(line)) if won else _Value(-LOST)

    def _estimated(self, state: Own, seat: int) -> _Value:
        """Ask the agent who is to move what it thinks of its chances."""
        mover = self._game.seat(state)
        agent = self._new_agent(mover)
        try:
            decision = agent.decide(self._game.observe(state, mover), THINK)
        finally:
            if isinstance(agent, Closing):
                agent.close()
        thoughts = decision.thoughts
        if thoughts is None or thoughts.score is None:
            return _Value(0.0)
        if mover != seat:
            return _Value(-thoughts.score)
        best = self._game.label(decision.action)
        return _Value(thoughts.score, best, thoughts.line or (best,))
