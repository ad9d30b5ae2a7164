"""Alpha-beta over any pure Model of two seats, readable rather than fast; a turn may take several actions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from gridsage.core.budget import Meter
from gridsage.core.game import Action, Budget, Model
from gridsage.search.result import UNLIMITED

S = TypeVar("S")
ENDLESS = float("inf")
WIN = 1_000_000.0  # any evaluation stays far below


@dataclass(frozen=True, slots=True)
class Answer:
    """The best action with its score for the seat whose turn it is, the expected line, and the number of positions."""

    action: Action
    score: float
    line: tuple[Action, ...]
    nodes: int
    depth: int  # turns searched completely


class OutOfBudget(Exception):
    """The budget is spent; `best_action` catches it and keeps the last complete depth."""


@dataclass
class AlphaBeta(Generic[S]):
    """Iterative deepening in turns (changes of seat), with a table of best actions to try them first.

    Args:
        evaluate: what a position is worth to the given seat, in the open interval -WIN to WIN.
    """

    model: Model[S]
    evaluate: Callable[[S, int], float]
    _meter: Meter = field(default_factory=lambda: Meter(UNLIMITED))
    _best: dict[Hashable, Action] = field(default_factory=dict)

    def best_action(self, state: S, depth: int, budget: Budget = UNLIMITED) -> Answer:
        """Return the best action within `depth` turns and the budget; with a budget of zero, the first legal one."""
        self._meter = Meter(budget)
        answer = Answer(self.model.legal(state)[0], 0.0, (), 0, 0)
        for turns in range(1, depth + 1):
            try:
                score, line = self._search(state, turns, -ENDLESS, ENDLESS)
            except OutOfBudget:
                break
            answer = Answer(line[0], score, line, self._meter.spent, turns)
        return replace(answer, nodes=self._meter.spent)

    def _search(self, state: S, turns: int, alpha: float, beta: float) -> tuple[float, tuple[Action, ...]]:
        """Return the score and the best line for the seat whose turn it is."""
        if not self._meter.spend():
            raise OutOfBudget
        seat = self.model.seat(state)
        if (outcome := self.model.outcome(state)) is not None:
            return WIN * (2 * outcome.scores[seat] - 1), ()
        if turns == 0:
            return self.evaluate(state, seat), ()
        key = self.model.key(state)
        best, best_line = -ENDLESS, ()  # type: tuple[float, tuple[Action, ...]]
        for action in self._ordered(state, key):
            following = self.model.step(state, action)
            if self.model.seat(following) == seat:
                score, line = self._search(following, turns, alpha, beta)
            else:
                score, line = self._search(following, turns - 1, -beta, -alpha)
                score = -score
            if score > best:
                best, best_line = score, (action, *line)
                self._best[key] = action
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best, best_line

    def _ordered(self, state: S, key: Hashable) -> list[Action]:
        """Return the legal actions, beginning with the one that was best in the last iteration."""
        actions = list(self.model.legal(state))
        if (first := self._best.get(key)) in actions:
            actions.remove(first)
            actions.insert(0, first)
        return actions
