"""A player without a plan."""

from __future__ import annotations

from gridsage.core.game import Briefing, Budget, Decision
from gridsage.core.rng import generator
from gridsage.games.loderunner.rules import legal_actions
from gridsage.games.loderunner.state import Observation


class Random:
    """Any legal action, by chance."""

    name = "random"

    def __init__(self) -> None:
        self._dice = generator(0, self.name)

    def begin(self, briefing: Briefing) -> None:
        """Take the agent's own seed."""
        self._dice = generator(briefing.seed, self.name)

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        """One of the legal actions."""
        return Decision(self._dice.choice(legal_actions(observation)))
