"""The bot of a 2009 course project, rebuilt from its text: weights per square, tiers of searching, random unsticking.

It fights nothing but walks on, knows no traps, and notices standing still but not running in circles.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from gridsage.core.game import Briefing, Budget, Decision, Thoughts
from gridsage.core.rng import generator
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.behaviours import DOWN_KEY, ESCAPE, KICK, SEARCH
from gridsage.games.nethack.agents.world import STEP_OF_WAY, WAYS, World
from gridsage.games.nethack.level import CELLS, COLS, ROWS
from gridsage.games.nethack.state import State

# The project's order: open doors and passages, then corridors and closed doors; beside us each counts a class higher.
PASSAGE, SECONDARY, NOTHING = 2, 1, 0
FREEZE = 10  # keys without moving before a random step
TIER = 2  # searches of each square in the first round; every round adds as many
RING_ROWS, RING_COLS = np.divmod(np.arange(CELLS), COLS)


class Baseline:
    """Explores by weight, searches in tiers, descends when nothing is left, and steps at random when frozen."""

    name = "baseline"

    def __init__(self) -> None:
        self._prepare(random.Random(0))

    def begin(self, briefing: Briefing) -> None:
        self._prepare(generator(briefing.seed, "nethack report"))

    def _prepare(self, chance: random.Random) -> None:
        self.world = World()
        self._chance = chance
        self._keys: list[int] = []  # the project's list of commands
        self._frozen = 0
        self._last = -1
        self._busy = False  # searching or kicking: standing still is meant
        self._tier: dict[tuple[int, int], int] = {}
        self._doing = ""

    def decide(self, observation: State, budget: Budget) -> Decision:
        world = self.world
        world.update(observation)
        world.brave = 2
        key = self._key(observation)
        world.left_by(key)
        return Decision(key, Thoughts(text=self._doing))

    def _key(self, state: State) -> int:
        world = self.world
        self._frozen = 0 if world.hero != self._last or self._busy else self._frozen + 1
        self._last = world.hero
        if self._keys:
            return self._keys.pop(0)
        self._busy = False
        if state.prompt:
            return ESCAPE
        if self._frozen >= FREEZE:
            self._frozen = 0
            self._doing = "random step"
            return self._random_step()
        return self._wanted()

    def _random_step(self) -> int:
        on_door = kn.OPEN_DOOR <= self.world.memory[kn.TERRAIN, self.world.hero] <= kn.LOCKED_DOOR
        return self.world.try_step(self._chance.randrange(4 if on_door else 8))

    def _wanted(self) -> int:
        world = self.world
        dist = world.paths()
        terrain = world.memory[kn.TERRAIN]
        rings = np.maximum(abs(RING_ROWS - world.hero // COLS), abs(RING_COLS - world.hero % COLS))
        reachable = (dist < kn.FAR) & (dist > 0)
        target = self._incomplete(terrain, reachable, rings)
        if target < 0:
            target = self._heaviest(terrain, reachable, rings)
        self._doing = "explore"
        if target < 0 and terrain[world.hero] == kn.DOWN:
            self._doing = "descend"
            return DOWN_KEY
        if target < 0:
            self._doing = "descend"
            target = int(kn.nearest_of(world.memory, dist, kn.TERRAIN, kn.DOWN))
        if target < 0:
            return self._search(terrain, dist < kn.FAR, rings)
        return self._step(target)

    def _step(self, target: int) -> int:
        world = self.world
        way = world.way_to(target)
        if way < 0:
            return self._random_step()
        if world.memory[kn.TERRAIN, world.hero + STEP_OF_WAY[way]] == kn.LOCKED_DOOR:
            self._busy = True
            self._keys = [WAYS[way]]
            return KICK
        return world.try_step(way)

    def _heaviest(self, terrain: NDArray[np.int32], reachable: NDArray[np.bool_], rings: NDArray[np.int64]) -> int:
        """The heaviest unvisited square, the nearest ring first."""
        fresh = reachable & (self.world.memory[kn.WALKED] == 0)
        weight = np.where(np.isin(terrain, (kn.DOORWAY, kn.OPEN_DOOR)), PASSAGE, NOTHING)
        weight = np.where(np.isin(terrain, (kn.CORRIDOR, kn.CLOSED_DOOR, kn.LOCKED_DOOR)), SECONDARY, weight)
        weight = np.where((weight > 0) & (rings == 1), weight + 1, weight)
        score = np.where(fresh & (weight > 0), weight * CELLS - rings, 0)
        best = int(score.argmax())
        return best if score[best] > 0 else -1

    def _incomplete(self, terrain: NDArray[np.int32], reachable: NDArray[np.bool_], rings: NDArray[np.int64]) -> int:
        """An unvisited floor square beside a wall that lacks a neighbour: the room is not fully seen."""
        wall = np.isin(terrain, (kn.WALL, kn.DOORWAY, kn.OPEN_DOOR, kn.CLOSED_DOOR, kn.LOCKED_DOOR))
        broken = (terrain == kn.WALL) & (_around(wall) < 2)
        ground = np.isin(terrain, (kn.FLOOR, kn.COVERED))
        near = reachable & ground & (_around(broken) > 0) & (self.world.memory[kn.WALKED] == 0)
        if not near.any():
            return -1
        return int(np.where(near, rings, CELLS).argmin())

    def _search(self, terrain: NDArray[np.int32], reachable: NDArray[np.bool_], rings: NDArray[np.int64]) -> int:
        """Search the least searched square beside a wall, or a dead end, up to the tier of this round."""
        world = self.world
        self._doing = "search"
        key = world.level.key
        tier = self._tier.setdefault(key, TIER)
        count = world.memory[kn.TRIES]  # the project counts searches on the square itself; doors are not searched from
        ground = np.isin(terrain, (kn.FLOOR, kn.COVERED, kn.UP)) & (_around(terrain == kn.WALL) > 0)
        ways = _around((terrain > kn.WALL) & (terrain < kn.WATER))
        spots = reachable & (ground | ((terrain == kn.CORRIDOR) & (ways < 2)))
        if not spots.any():
            return self._random_step()
        order = np.where(spots, count * CELLS + rings, CELLS * CELLS)
        target = int(order.argmin())
        if count[target] >= tier:
            self._tier[key] = tier + TIER
        if target != world.hero:
            return self._step(target)
        self._busy = True
        count[target] += 1
        return SEARCH


def _around(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many of the eight neighbours of each cell are set."""
    padded = np.zeros((ROWS + 2, COLS + 2), np.int64)
    padded[1:-1, 1:-1] = mask.reshape(ROWS, COLS)
    total = np.zeros((ROWS, COLS), np.int64)
    for drow in range(3):
        for dcol in range(3):
            if (drow, dcol) != (1, 1):
                total += padded[drow : drow + ROWS, dcol : dcol + COLS]
    return total.reshape(-1)
