"""The runner of a course project, rebuilt: A* over distance and danger, and a panic routine. It has no memory."""

from __future__ import annotations

import heapq
import time
from collections import deque
from functools import lru_cache
from typing import Literal

from gridsage.core.amounts import counted
from gridsage.core.game import Budget, Decision, Thoughts
from gridsage.games.loderunner.kernels import lookahead
from gridsage.games.loderunner.level import Level, Options
from gridsage.games.loderunner.rules import legal_actions, tables
from gridsage.games.loderunner.state import (
    BOMB_LEFT,
    BOMB_RIGHT,
    DOWN,
    LEFT,
    NONE,
    RIGHT,
    UP,
    Observation,
)

DANGER_REACH = 3  # cells around an enemy that cost more
DANGER_COST = 8  # of an enemy's own cell; halves with every cell of distance
NEAR = 2  # Manhattan distance at which the runner panics
CLEAR = 3  # cells that must be free of enemies in the direction of flight
SAFE_APART = 2  # what `keep_distance` demands
HEAT = 255 // DANGER_COST

Ways = tuple[tuple[tuple[int, int], ...], ...]  # per cell: (action, cell it leads to)


@lru_cache(maxsize=16)
def ways_of(level: Level, options: Options) -> Ways:
    """Where every lone step of the runner ends, falls included."""
    found = tables(level, options)
    table = lookahead.runner_ways(found.board, found.info)[:, :RIGHT, 0].tolist()
    return tuple(tuple((way + 1, last) for way, last in enumerate(row) if last >= 0) for row in table)


class Baseline:
    """Stateless: nearest bonus by A* over distance and danger, panic when an enemy is two cells away.

    Args:
        keep_distance: never step where an enemy is nearer than two cells, if there is another way.
        guess: see every enemy where its shortest path will have brought it after its next step.
        chances: spread the danger of every enemy over the cells it could stand on after its next step.
        search: `breadth` takes the fewest steps to any bonus and sees no danger but cells that are taken.
        estimate: of A*; `manhattan` is cheaper than the steps to the nearest goal, and worse.
    """

    name = "baseline"

    def __init__(
        self,
        keep_distance: bool = False,
        guess: bool = False,
        chances: bool = False,
        search: Literal["astar", "breadth"] = "astar",
        estimate: Literal["steps", "manhattan"] = "steps",
    ) -> None:
        self._keep_distance, self._guess, self._chances = keep_distance, guess, chances
        self._search, self._estimate = search, estimate

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        """Panic if an enemy is near, else the first step to the best bonus, or to the exit when none is left."""
        began = time.perf_counter()
        seen = observation
        enemies = [enemy.cell for enemy in seen.enemies]
        feared = _guessed(seen) if self._guess else enemies
        danger = _spread_danger(seen, feared) if self._chances else _danger(seen.level, feared)
        blocked = _blocked(seen)
        ends = dict(ways_of(seen.level, seen.options)[seen.runner])
        legal = [action for action in legal_actions(seen) if ends.get(action, seen.runner) not in blocked]
        if any(_apart(seen.level, seen.runner, cell) <= NEAR for cell in enemies):
            action, text = self._panic(seen, enemies, legal), "an enemy is near"
            return Decision(self._careful(seen, feared, action, legal), Thoughts(heat=_heat(danger), text=text))
        goals = set(seen.bonuses) or {seen.level.exit}
        deadline = None if budget.seconds is None else began + budget.seconds
        guide = self._guide(seen, goals, danger)
        path, first, nodes = _cheapest_way(seen, goals, guide, blocked, budget.nodes, deadline)
        action = first if first is not None else self._panic(seen, enemies, legal)
        text = f"{counted(len(path), 'step')} to the next goal" if path else "no way to a goal"
        thoughts = Thoughts(path=tuple(path), heat=_heat(danger), nodes=nodes, text=text)
        return Decision(self._careful(seen, feared, action, legal), thoughts)

    def _guide(self, seen: Observation, goals: set[int], danger: list[int]) -> list[int]:
        """Return for every cell what the search adds to the steps made so far: an estimate and the danger there."""
        if self._search == "breadth":
            return [0] * len(danger)
        if self._estimate == "manhattan":
            nearest = [min(_apart(seen.level, cell, goal) for goal in goals) for cell in range(len(danger))]
        else:
            distance = _distances(ways_of(seen.level, seen.options), goals)
            nearest = [distance.get(cell, len(danger)) for cell in range(len(danger))]
        return [steps + more for steps, more in zip(nearest, danger, strict=True)]

    def _panic(self, seen: Observation, enemies: list[int], legal: list[int]) -> int:
        """The project's last resorts, in its order."""
        runner, cols = seen.runner, seen.level.cols
        beside = {LEFT: _in_row(runner, enemies, -1, cols), RIGHT: _in_row(runner, enemies, 1, cols)}
        for side, bomb in ((LEFT, BOMB_LEFT), (RIGHT, BOMB_RIGHT)):
            if beside[side] == NEAR and bomb in legal:
                return bomb
        offsets = {LEFT: -1, RIGHT: 1, UP: -cols, DOWN: cols}
        for action, offset in offsets.items():
            ahead = {runner + offset * step for step in range(1, CLEAR + 1)}
            if action in legal and not ahead & set(enemies):
                return action
        for _, side in sorted((distance, side) for side, distance in beside.items() if distance):
            bomb = BOMB_LEFT if side == LEFT else BOMB_RIGHT
            if bomb in legal:
                return bomb
        for action, offset in offsets.items():
            target = runner + offset
            if action in legal and all(_apart(seen.level, target, cell) > 1 for cell in enemies):
                return action
        return NONE

    def _careful(self, seen: Observation, feared: list[int], action: int, legal: list[int]) -> int:
        """The action, or another one if `keep_distance` forbids the cell it leads to."""
        if not self._keep_distance:
            return action
        ends = dict(ways_of(seen.level, seen.options)[seen.runner])
        enemies = [enemy.cell for enemy in seen.enemies]

        def margin(choice: int) -> int:
            end = ends.get(choice, seen.runner)
            return min((_apart(seen.level, end, cell) for cell in (*feared, *enemies)), default=SAFE_APART)

        if margin(action) >= SAFE_APART:
            return action
        return max(
            (choice for choice in legal if choice < BOMB_LEFT),
            default=NONE,
            key=lambda choice: (margin(choice), -choice),
        )


def _cheapest_way(
    seen: Observation,
    goals: set[int],
    guide: list[int],
    blocked: set[int],
    nodes: int | None,
    deadline: float | None,
) -> tuple[list[int], int | None, int]:
    """Path, first action and expanded cells of the way to a goal that A* finds; no action when it finds none.

    Args:
        guide: what is added to the steps made, for every cell; all 0: breadth first.
    """
    ways = ways_of(seen.level, seen.options)
    cost = {seen.runner: 0}
    came: dict[int, tuple[int, int]] = {}
    queue = [(0, seen.runner)]
    closed: set[int] = set()
    expanded = 0
    while queue:
        _, cell = heapq.heappop(queue)
        if cell in goals and cell != seen.runner:
            return (*_traced(came, seen.runner, cell), expanded)
        if cell in closed:
            continue
        if (nodes is not None and expanded >= nodes) or (deadline is not None and time.perf_counter() >= deadline):
            break
        closed.add(cell)
        expanded += 1
        for action, target in ways[cell]:
            price = cost[cell] + 1
            if target not in blocked and (target not in cost or price < cost[target]):
                cost[target] = price
                came[target] = (cell, action)
                heapq.heappush(queue, (price + guide[target], target))
    return [], None, expanded


def _traced(came: dict[int, tuple[int, int]], start: int, goal: int) -> tuple[list[int], int]:
    path, action, cell = [], NONE, goal
    while cell != start:
        path.append(cell)
        cell, action = came[cell]
    return path[::-1], action


def _distances(ways: Ways, goals: set[int]) -> dict[int, int]:
    """Steps from every cell to its nearest goal, by a search from all goals at once."""
    sources: dict[int, list[int]] = {}
    for cell, targets in enumerate(ways):
        for _, target in targets:
            sources.setdefault(target, []).append(cell)
    distance = dict.fromkeys(goals, 0)
    queue = deque(goals)
    while queue:
        cell = queue.popleft()
        for source in sources.get(cell, ()):
            if source not in distance:
                distance[source] = distance[cell] + 1
                queue.append(source)
    return distance


def _blocked(seen: Observation) -> set[int]:
    """Cells the project's map marks as taken: an enemy stands there, or an empty hole is right below."""
    enemies = {enemy.cell for enemy in seen.enemies}
    return enemies | {hole.cell - seen.level.cols for hole in seen.holes if hole.cell not in enemies}


def _danger(level: Level, enemies: list[int]) -> list[int]:
    danger = [0] * (level.rows * level.cols)
    for enemy in enemies:
        for cell in range(len(danger)):
            apart = _apart(level, cell, enemy)
            if apart <= DANGER_REACH:
                danger[cell] += DANGER_COST >> apart
    return danger


def _spread_danger(seen: Observation, enemies: list[int]) -> list[int]:
    """Return the danger if every enemy waits or takes any step it can, all equally likely."""
    danger = [0.0] * (seen.level.rows * seen.level.cols)
    for enemy in enemies:
        cells = [enemy, *_enemy_steps(seen, enemy)]
        for cell in cells:
            for place, more in enumerate(_danger(seen.level, [cell])):
                danger[place] += more / len(cells)
    return [round(value) for value in danger]


def _enemy_steps(seen: Observation, cell: int) -> list[int]:
    """Return the cells next to an enemy towards which some chase would lead it."""
    chase = tables(seen.level, seen.options).chase
    steps = {UP: -seen.level.cols, DOWN: seen.level.cols, LEFT: -1, RIGHT: 1}
    return [cell + steps[way] for way in sorted(set(chase[cell].tolist()) & set(steps))]


def _guessed(seen: Observation) -> list[int]:
    """The enemies' cells after their next step along the shortest path."""
    chase = tables(seen.level, seen.options).chase
    holes = {hole.cell for hole in seen.holes}
    steps = {NONE: 0, UP: -seen.level.cols, DOWN: seen.level.cols, LEFT: -1, RIGHT: 1}
    return [
        enemy.cell if enemy.cell in holes else enemy.cell + steps[int(chase[enemy.cell, seen.runner])]
        for enemy in seen.enemies
    ]


def _apart(level: Level, cell: int, other: int) -> int:
    return abs(cell // level.cols - other // level.cols) + abs(cell % level.cols - other % level.cols)


def _in_row(runner: int, enemies: list[int], side: int, cols: int) -> int:
    """Cells to the nearest enemy in the runner's row on that side; 0 if there is none."""
    found = [(cell - runner) * side for cell in enemies if cell // cols == runner // cols]
    return min((distance for distance in found if distance > 0), default=0)


def _heat(danger: list[int]) -> tuple[int, ...]:
    return tuple(min(255, value * HEAT) for value in danger)
