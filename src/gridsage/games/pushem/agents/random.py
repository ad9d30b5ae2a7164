"""The player that chooses among all legal small actions."""

from __future__ import annotations

from gridsage.core.game import Briefing, Budget, Decision
from gridsage.core.rng import generator
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State


class Random:
    """Any legal action, all equally likely."""

    name = "random"

    def __init__(self) -> None:
        self._random = generator(0, self.name)

    def begin(self, briefing: Briefing) -> None:
        self._random = generator(briefing.seed, self.name)

    def decide(self, observation: State, budget: Budget) -> Decision:
        return Decision(self._random.choice(GAME.legal(observation)))
