"""Players of Lights Out, weakest first."""

from __future__ import annotations

from gridsage import Briefing, Budget, Decision, Thoughts, search
from gridsage.core.rng import generator
from lights_out.rules import LightsOut, State

GAME = LightsOut()


class Random:
    """Presses any lamp."""

    name = "random"

    def begin(self, briefing: Briefing) -> None:
        self.random = generator(briefing.seed)

    def decide(self, observation: State, budget: Budget) -> Decision:
        return Decision(self.random.choice(GAME.legal(observation)))


class Bfs:
    """Searches breadth first; its plan is the shortest."""

    name = "bfs"

    def decide(self, observation: State, budget: Budget) -> Decision:
        found = search.bfs(GAME, observation, budget)
        action = found.plan[0] if found.plan else GAME.legal(observation)[0]
        return Decision(action, Thoughts(nodes=found.nodes, line=tuple(map(GAME.label, found.plan))))


class Patient:
    """Chases the light down, row by row: presses below the first lamp that is lit."""

    name = "patient"

    def decide(self, observation: State, budget: Budget) -> Decision:
        row, col = divmod(min(observation.lit), observation.level.cols)
        below = min(row + 1, observation.level.rows - 1)
        return Decision(GAME.action(f"{'abcdefghi'[col]}{below + 1}"), Thoughts(nodes=1))
