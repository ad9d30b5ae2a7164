"""A player that plans a whole turn at its first action and then follows the plan."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from gridsage.core.game import Action, Budget, Decision, Thoughts
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State

Plan = tuple[Sequence[Action], Thoughts | None]


class TurnPlanner:
    """The base of all players that think once a turn: their budget is for the whole turn."""

    def __init__(self) -> None:
        self._rest: deque[Action] = deque()
        self._expected: object = None  # key of the state in which the rest of the plan goes on

    def plan(self, state: State, budget: Budget) -> Plan:
        """All actions that finish the turn at hand, and why. `state` may be in the middle of a turn."""
        raise NotImplementedError

    def decide(self, observation: State, budget: Budget) -> Decision:
        thoughts = None
        if not self._rest or self._expected != GAME.key(observation):
            actions, thoughts = self.plan(observation, budget)
            self._rest = deque(actions)
        action = self._rest.popleft()
        self._expected = GAME.key(GAME.step(observation, action)) if self._rest else None
        return Decision(action, thoughts)
