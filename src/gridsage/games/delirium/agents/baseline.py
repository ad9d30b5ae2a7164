"""The miner of a course project, rebuilt: the nearest diamond, around what monsters and stones will reach next."""

from __future__ import annotations

from collections import deque

import numpy as np

from gridsage.core.amounts import counted
from gridsage.core.game import Action, Budget, Decision, Thoughts
from gridsage.games.delirium.level.cells import CLAY, DIAMOND, EXIT, KIND_MASK, MINER, MONSTERS, STONE, VOID
from gridsage.games.delirium.rules import DOWN, LEFT, RIGHT, STAY, UP, WIDEN
from gridsage.games.delirium.state import Observation

DANGER_HEAT = 255


class Baseline:
    """Knows only the pictures of this iteration and the last, as the course project's agent did.

    Args:
        grow_view: with a limited view, widen it while nothing worth walking to is seen (the authors' idea).
    """

    name = "baseline"

    def __init__(self, grow_view: bool = False) -> None:
        self.grow_view = grow_view
        self.gallery = -1
        self.monsters_before: dict[int, int] = {}
        self.falling: dict[int, bool] = {}

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        if observation.gallery != self.gallery:
            self.gallery, self.monsters_before, self.falling = observation.gallery, {}, {}
        kinds = [byte & KIND_MASK for byte in observation.cells.tolist()]
        monsters = {cell: kind for cell, kind in enumerate(kinds) if kind in MONSTERS}
        self._watch_stones(kinds, observation.cols)
        blocked = self._stone_danger(observation, kinds)
        for cell in self._next_monster_cells(observation, kinds, monsters):
            around = (cell - observation.cols, cell + observation.cols, cell - 1, cell + 1)
            blocked.update(near for near in around if kinds[near] in (VOID, CLAY))
        self.monsters_before = monsters
        path, nodes = self._path_to_goal(observation, kinds, blocked)
        action, text = self._choose(observation, kinds, blocked, path)
        return Decision(action, self._thoughts(observation, blocked, path, nodes, text))

    def _choose(
        self, observation: Observation, kinds: list[int], blocked: set[int], path: list[int]
    ) -> tuple[Action, str]:
        steps = {1: RIGHT, -observation.cols: UP, -1: LEFT, observation.cols: DOWN}
        miner = observation.miner
        if path:
            return steps[path[0] - miner], f"nearest goal in {counted(len(path), 'step')}"
        if self._must_escape(observation, kinds):
            # the project's order: right, left, up, down
            for step in (1, -1, -observation.cols, observation.cols):
                if kinds[miner + step] == VOID and miner + step not in blocked:
                    return steps[step], "escaping"
        if self.grow_view and observation.can_widen:
            return WIDEN, "nothing in view: looking further"
        return STAY, "no way to a goal"

    def _watch_stones(self, kinds: list[int], cols: int) -> None:
        """A stone that stands where none stood is falling while there is void below it."""
        before = self.falling
        stones = [cell for cell, kind in enumerate(kinds) if kind == STONE]
        if not before:
            self.falling = dict.fromkeys(stones, False)
            return
        self.falling = {cell: before.get(cell, kinds[cell + cols] in (VOID, MINER)) for cell in stones}

    def _stone_danger(self, observation: Observation, kinds: list[int]) -> set[int]:
        """Cells beside and above the miner that a falling stone reaches next."""
        cols, miner = observation.cols, observation.miner
        blocked = set()
        for stone, reached in (
            (miner - 3 * cols, miner - cols),
            (miner - 2 * cols + 1, miner + 1),
            (miner - 2 * cols - 1, miner - 1),
            (miner - 2 * cols, miner - cols),
        ):
            if stone > 0 and self.falling.get(stone):
                blocked.add(reached)
        return blocked

    def _next_monster_cells(self, observation: Observation, kinds: list[int], monsters: dict[int, int]) -> list[int]:
        """Where each monster goes next by its left-hand rule, its heading told by the last picture."""
        cols = observation.cols
        turns = (-cols, 1, cols, -1)  # up, right, down, left
        found = []
        for cell, kind in monsters.items():
            sources = [number for number, step in enumerate(turns) if self.monsters_before.get(cell - step) == kind]
            order = [(sources[0] + turn) % 4 for turn in (3, 0, 1, 2)] if sources else [0, 1, 2, 3]
            free = [cell + turns[number] for number in order if kinds[cell + turns[number]] == VOID]
            found.append(free[0] if free else cell)
        return found

    def _must_escape(self, observation: Observation, kinds: list[int]) -> bool:
        cols, miner = observation.cols, observation.miner
        above = self.falling.get(miner - cols) or self.falling.get(miner - 2 * cols)
        near = any(kinds[miner + step] in MONSTERS for step in (1, -1, cols, -cols))
        turns = (1, -1, cols, -cols)
        arrives = any(
            kinds[miner + one] == VOID and kinds[miner + one + two] in MONSTERS for one in turns for two in turns
        )
        return bool(above) or near or arrives

    def _path_to_goal(self, observation: Observation, kinds: list[int], blocked: set[int]) -> tuple[list[int], int]:
        """The shortest way to the nearest diamond, or to the exit once it is open; breadth first from the miner."""
        goal = EXIT if observation.exit_is_open else DIAMOND
        passable = (VOID, CLAY, DIAMOND, goal)
        came: dict[int, int] = {observation.miner: -1}
        queue = deque([observation.miner])
        while queue:
            cell = queue.popleft()
            if kinds[cell] == goal and cell != observation.miner:
                path = []
                while cell != observation.miner:
                    path.append(cell)
                    cell = came[cell]
                return path[::-1], len(came)
            for step in (1, -observation.cols, -1, observation.cols):
                near = cell + step
                if 0 <= near < len(kinds) and near not in came and kinds[near] in passable and near not in blocked:
                    came[near] = cell
                    queue.append(near)
        return [], len(came)

    def _thoughts(
        self, observation: Observation, blocked: set[int], path: list[int], nodes: int, text: str
    ) -> Thoughts:
        heat = np.zeros(len(observation.cells), dtype=np.int64)
        heat[list(blocked)] = DANGER_HEAT
        return Thoughts(path=tuple(path), heat=tuple(heat.tolist()) if blocked else (), nodes=nodes, text=text)
