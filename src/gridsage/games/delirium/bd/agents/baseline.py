"""The simple players of a cave: one that wanders, one that walks to the nearest diamond."""

from __future__ import annotations

from collections import deque

from gridsage.core.amounts import counted
from gridsage.core.game import Briefing, Budget, Decision, Thoughts
from gridsage.core.rng import generator
from gridsage.games.delirium.bd.cells import DIAMOND, DIRT, EXIT_OPEN, SPACE
from gridsage.games.delirium.bd.kernels import tick as kernels
from gridsage.games.delirium.bd.kernels.chance import stream_of
from gridsage.games.delirium.bd.rules import DOWN, LEFT, RIGHT, STAY, UP, journal_of, position_arrays
from gridsage.games.delirium.bd.state import PLAYING, ROCKFORD_AT, WON, Observation


class Random:
    """Does anything at all."""

    name = "random"

    def __init__(self) -> None:
        self.random = generator(0, "random")

    def begin(self, briefing: Briefing) -> None:
        self.random = generator(briefing.seed, "random")

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        return Decision(self.random.randrange(9))


class Baseline:
    """Walks to the nearest diamond, or to the open exit, and never takes a step that kills him in this very tick."""

    name = "baseline"

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        path = nearest_way(observation)
        cols = observation.cave.cols
        steps = {1: RIGHT, -cols: UP, -1: LEFT, cols: DOWN}
        wished = steps[path[0] - int(observation.facts[ROCKFORD_AT])] if path else STAY
        for action in (wished, STAY, LEFT, RIGHT, UP, DOWN):
            if lives_after(observation, action):
                break
        else:
            action = wished
        return Decision(
            action, Thoughts(path=tuple(path), nodes=1, text=f"nearest goal in {counted(len(path), 'step')}")
        )


def lives_after(seen: Observation, action: int) -> bool:
    """Return True if Rockford is alive after this action, as far as chance has no hand in it."""
    cells, facts, rules = position_arrays(seen)
    status = kernels.tick(cells, facts, rules, stream_of(0), journal_of(seen.cave), action)
    return status in (PLAYING, WON)


def nearest_way(seen: Observation) -> list[int]:
    """Return the cells to the nearest diamond or to the open exit, breadth first; empty if there is no way."""
    kinds, cols = seen.kinds.tolist(), seen.cave.cols
    start = int(seen.facts[ROCKFORD_AT])
    if start < 0:
        return []
    goal = EXIT_OPEN if EXIT_OPEN in kinds else DIAMOND
    came, queue = {start: start}, deque([start])
    while queue:
        cell = queue.popleft()
        if kinds[cell] == goal:
            path = []
            while cell != start:
                path.append(cell)
                cell = came[cell]
            return path[::-1]
        for near in (cell + 1, cell - cols, cell - 1, cell + cols):
            if near not in came and kinds[near] in (SPACE, DIRT, DIAMOND, goal):
                came[near] = cell
                queue.append(near)
    return []
