"""The player that presses any key."""

from __future__ import annotations

from gridsage.core.game import Briefing, Budget, Decision
from gridsage.core.rng import generator
from gridsage.games.loderunner.classic.layout import KEYS, NONE
from gridsage.games.loderunner.classic.state import Observation

MOST_TICKS = 15  # a key is held


class Random:
    """Holds a key for some ticks, then another one."""

    name = "random"

    def __init__(self) -> None:
        self._dice = generator(0)
        self._key, self._left = NONE, 0

    def begin(self, briefing: Briefing) -> None:
        """Take the agent's own seed."""
        self._dice = generator(briefing.seed)

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        """Return the key held now."""
        if self._left == 0:
            self._key, self._left = self._dice.randrange(KEYS), self._dice.randint(1, MOST_TICKS)
        self._left -= 1
        return Decision(self._key)
