"""The players, weakest first: three searches of a course project, done right, and the solver."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Sequence

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.game import Action, Budget, Decision, Thoughts
from gridsage.core.room import AgentEntry
from gridsage.games.ricochet.level import ANY_ROBOT, LETTERS, Level
from gridsage.games.ricochet.rules import GIVE_UP, Ricochet
from gridsage.games.ricochet.state import State
from gridsage.search.astar import astar
from gridsage.search.bfs import bfs
from gridsage.search.dfs import dfs
from gridsage.search.result import Found, Status

MAX_THREADS = 64  # of the solver; more than any machine it was tried on has cores


class Sliding(Ricochet):
    """The rules as the searches see them: nobody gives up."""

    def legal(self, state: State) -> Sequence[Action]:
        return self.slides(state)


class MissionPlanner:
    """Plans once and follows the plan; plans anew when the state is not the one it expected."""

    name = "planner"

    def __init__(self) -> None:
        self._plan: deque[Action] = deque()
        self._expected: State | None = None

    def search(self, state: State, budget: Budget) -> Found:
        """The plan from `state`, or why there is none."""
        raise NotImplementedError

    def decide(self, observation: State, budget: Budget) -> Decision:
        if self._plan and observation == self._expected:
            thoughts = plan_thoughts(observation, tuple(self._plan), "following the plan")
        else:
            thoughts = self._think(observation, budget)
        action = self._plan.popleft()
        self._expected = RULES.step(observation, action)
        return Decision(action, thoughts)

    def _think(self, state: State, budget: Budget) -> Thoughts:
        began = time.perf_counter()
        found = self.search(state, budget)
        seconds = time.perf_counter() - began
        self._plan = deque(found.plan or (self.without_plan(state, found),))
        thoughts = plan_thoughts(state, found.plan, self.sentence(found), found.nodes)
        return msgspec.structs.replace(thoughts, timings=timings(found.nodes, seconds))

    def without_plan(self, state: State, found: Found) -> Action:
        """What to do when the search found nothing."""
        return GIVE_UP

    def sentence(self, found: Found) -> str:
        """What the search found, in words."""
        if found.status == "solved":
            return f"a plan of {_moves(len(found.plan))}"
        if found.status == "budget":
            return f"no plan within the budget, after {found.nodes} states"
        return f"no plan exists among the {found.nodes} states looked at"


class Dfs(MissionPlanner):
    """Depth first; each robot visits a cell once only. Quick, and its plans are long."""

    name = "dfs"

    def search(self, state: State, budget: Budget) -> Found:
        return dfs(SLIDING, state, budget, mark=moved_to, seen=enumerate(state.robots))


class Bfs(MissionPlanner):
    """Breadth first with the project's two improvements, each of which can be switched off."""

    name = "bfs"

    def __init__(self, visit_once: bool = True, test_early: bool = True) -> None:
        super().__init__()
        self._visit_once, self._test_early = visit_once, test_early

    def search(self, state: State, budget: Budget) -> Found:
        if not self._visit_once:
            return bfs(SLIDING, state, budget, test_early=self._test_early)
        return bfs(SLIDING, state, budget, mark=moved_to, seen=enumerate(state.robots), test_early=self._test_early)


class Astar(MissionPlanner):
    """A* on the minimum-moves grid: optimal. With `sum_robots` it adds up all robots' weights instead, and is not."""

    name = "astar"

    def __init__(self, sum_robots: bool = False) -> None:
        super().__init__()
        self._sum_robots = sum_robots

    def search(self, state: State, budget: Budget) -> Found:
        grid = minimum_moves(state.level)
        if self._sum_robots:
            return astar(_HelpersKeepOff(grid), state, lambda each: _sum_of_weights(each, grid), budget)
        return astar(SLIDING, state, lambda each: moves_needed(each, grid), budget)


class Master(MissionPlanner):
    """The solver: a shortest plan, proved. Out of budget it slides towards the target and searches again from there.

    Args:
        threads: of the search.
        few_robots: of all shortest plans take one that moves the fewest robots.
    """

    name = "master"

    def __init__(self, threads: int = 1, few_robots: bool = False) -> None:
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads={threads}, expected 1 to {MAX_THREADS}")
        super().__init__()
        self._threads, self._few_robots = threads, few_robots
        self._proved_above = 0
        self._been_at: set[tuple[int, ...]] = set()  # while it had no plan

    def search(self, state: State, budget: Budget) -> Found:
        from gridsage.games.ricochet.missions import by_robots_moved, solution

        found = solution(
            state,
            threads=self._threads,
            max_nodes=budget.nodes,
            max_seconds=budget.seconds,
            all_solutions=self._few_robots,
        )
        self._proved_above = found.proved_above
        statuses: dict[str, Status] = {"solved": "solved", "unsolvable": "exhausted"}
        plan = by_robots_moved(found.solutions)[0] if found.solutions and self._few_robots else found.moves
        return Found(statuses.get(found.status, "budget"), plan, found.nodes)

    def without_plan(self, state: State, found: Found) -> Action:
        self._been_at.add(state.robots)
        reached = {action: RULES.step(state, action) for action in RULES.slides(state)}
        new = [action for action, after in reached.items() if after.robots not in self._been_at]
        if found.status == "exhausted" or not new:
            return GIVE_UP
        grid = minimum_moves(state.level)
        return min(new, key=lambda action: moves_needed(reached[action], grid))

    def sentence(self, found: Found) -> str:
        if found.status == "solved":
            return f"{_moves(len(found.plan))}, and no fewer"
        if found.status == "exhausted":
            return "no plan exists: proved"
        return f"no plan within the budget; it takes more than {_moves(self._proved_above)}"


class _HelpersKeepOff(Sliding):
    """The project's condition: a robot that does not serve the mission never stops on a cell of weight below two."""

    KEEP_OFF_BELOW = 2

    def __init__(self, grid: Sequence[float]) -> None:
        self._grid = grid

    def legal(self, state: State) -> Sequence[Action]:
        serving = state.level.mission.robot
        return [
            action
            for action in self.slides(state)
            if serving in (action // 4, ANY_ROBOT)
            or self._grid[self.step(state, action).robots[action // 4]] >= self.KEEP_OFF_BELOW
        ]


def minimum_moves(level: Level) -> tuple[float, ...]:
    """For every cell, the moves to the target of a robot that could stop wherever it liked: a lower bound."""
    serving = range(len(level.robots)) if level.mission.robot == ANY_ROBOT else [level.mission.robot]
    ways_of = [level.ways_of(robot) for robot in serving] if level.deflectors else [level.ways]
    grid = [math.inf] * (level.rows * level.cols)
    grid[level.mission.cell] = 0
    queue = deque([level.mission.cell])
    while queue:
        cell = queue.popleft()
        for way in (ways[cell] for each in ways_of for ways in each):  # slides lead back the way they came
            for reached in way:
                if grid[reached] == math.inf:
                    grid[reached] = grid[cell] + 1
                    queue.append(reached)
    return tuple(grid)


def moves_needed(state: State, grid: Sequence[float]) -> float:
    """The moves the mission takes at least, by the grid of the robots that may serve it."""
    serving = state.level.mission.robot
    return min(grid[cell] for cell in state.robots) if serving == ANY_ROBOT else grid[state.robots[serving]]


def moved_to(before: State, action: Action, after: State) -> tuple[int, int]:
    """The robot that moved and its new cell: the project lets each robot visit a cell once."""
    return action // 4, after.robots[action // 4]


def timings(states: int, seconds: float) -> dict[str, float]:
    """The figures of the project that come from the clock."""
    return {"seconds": seconds, "states_per_second": states / seconds if seconds else 0.0}


def plan_thoughts(state: State, plan: Sequence[Action], text: str, nodes: int = 0) -> Thoughts:
    """Thoughts that show a plan: the serving robot's stops as path, every stop numbered, the moves as line."""
    figures = {"states": float(nodes), "moves_planned": float(len(plan))}
    if not plan:
        return Thoughts(nodes=nodes, text=text, figures=figures)
    serving = plan[-1] // 4
    path, stops = [state.robots[serving]], []
    moves_left = state.options.max_moves - state.moves  # a plan may be longer: it is played as far as it goes
    for number, action in enumerate(plan[:moves_left], 1):
        state = RULES.step(state, action)
        stop = state.robots[action // 4]
        stops.append((stop, f"{LETTERS[action // 4]}{number}"))
        if action // 4 == serving:
            path.append(stop)
    return Thoughts(
        path=tuple(path),
        values=tuple(stops),
        line=tuple(map(RULES.label, plan)),
        nodes=nodes,
        text=text,
        figures=figures,
    )


def _sum_of_weights(state: State, grid: Sequence[float]) -> float:
    if moves_needed(state, grid) == math.inf:
        return math.inf
    return sum(grid[cell] for cell in state.robots if grid[cell] < math.inf)


def _moves(count: int) -> str:
    return counted(count, "move")


RULES = Ricochet()
SLIDING = Sliding()


def agents() -> dict[str, AgentEntry]:
    """The agents of the room, weakest first."""
    return {
        "dfs": AgentEntry(Dfs, "easy: depth-first search, each robot visits a cell once; long plans, soon found"),
        "bfs": AgentEntry(
            Bfs, "medium: breadth-first search, each robot visits a cell once; short plans, not always one"
        ),
        "astar": AgentEntry(
            Astar, "hardcore: A* on the minimum-moves grid, shortest plans; sum_robots=true adds all robots"
        ),
        "master": AgentEntry(
            Master, "the solver: shortest plans, proved, in milliseconds; threads=2 for hard ones, few_robots=true"
        ),
    }
