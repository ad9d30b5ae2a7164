"""Shortest solutions on boards with deflectors, proved: the same answers as `solver`, from a plainer search."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.core.game import Action, Budget
from gridsage.games.ricochet.kernels import bent
from gridsage.games.ricochet.level import ANY_ROBOT, Level
from gridsage.games.ricochet.rules import is_turned, slide
from gridsage.games.ricochet.solver import Solution, Status
from gridsage.games.ricochet.state import TURNED, UNMOVED
from gridsage.search.kernels import add_key

SLICE = 8192  # positions opened between two looks at the budget
SMALL_ARENA, LARGEST_ARENA = 1 << 16, 1 << 24  # positions stored; the largest needs some 600 MB


@dataclass
class _Arrays:
    """The memory of a search, grown when a limit needs more."""

    size: int = SMALL_ARENA
    keys: NDArray[np.int64] = field(init=False)
    links: NDArray[np.int32] = field(init=False)
    depths: NDArray[np.uint8] = field(init=False)
    table: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.keys = np.empty(self.size, np.int64)
        self.links = np.empty((2, self.size), np.int32)
        self.depths = np.empty(self.size, np.uint8)
        self.table = np.zeros(2 * self.size, np.int64)


@dataclass
class _Question:
    """What is asked, with one of the robots as the serving one."""

    level: Level
    robots: tuple[int, ...]
    heading: int  # of the serving robot, as states have it
    serving: int
    must_ricochet: bool
    bound: NDArray[np.uint8] = field(init=False)
    is_hopeless: bool = False  # every position was opened, none of them solves it

    def __post_init__(self) -> None:
        self.bound = least_moves(self.level, self.serving)

    @property
    def at_least(self) -> int:
        """The moves it takes at least."""
        return max(1, int(self.bound[self.robots[self.serving]]))


def solve(
    level: Level,
    robots: tuple[int, ...],
    headings: tuple[int, ...],
    *,
    must_ricochet: bool = False,
    all_solutions: bool = False,
    threads: int = 1,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    cancel: NDArray[np.uint8] | None = None,
    max_solutions: int = 1000,
) -> Solution:
    """A shortest solution, or the proof that there is none, or how far the proof came; see `solver.solve`.

    Args:
        threads: one is used, whatever is asked for.
    """
    begun = time.perf_counter()
    servants = range(len(robots)) if level.mission.robot == ANY_ROBOT else [level.mission.robot]
    open_ = [_Question(level, robots, headings[each], each, must_ricochet) for each in servants]
    if any(robots[each.serving] == level.mission.cell and _may_stop(each) for each in open_):
        return Solution("solved", 0, (), ((),), True, 0, time.perf_counter() - begun, -1, must_ricochet)
    search = _LimitSearch(Meter(Budget(max_nodes, max_seconds)), cancel)
    status, found = search.run([each for each in open_ if each.at_least < bent.FAR])
    solutions: tuple[tuple[Action, ...], ...] = (found,) if found else ()
    complete = status == "unsolvable"
    if found and all_solutions:
        listed = [moves for each in search.asked for moves in _all_of(each, len(found), search)]
        complete = search.spent is None and len(listed) <= max_solutions
        solutions = tuple(listed[:max_solutions]) or solutions
    length = len(found) if found else None
    seconds = time.perf_counter() - begun
    return Solution(
        status, length, found, solutions, complete, search.nodes, seconds, search.proved_above, must_ricochet
    )


def least_moves(level: Level, serving: int) -> NDArray[np.uint8]:
    """For every cell, the moves to the target of the serving robot if it could stop wherever it liked."""
    bound = np.full(level.rows * level.cols, bent.FAR, np.uint8)
    bound[level.mission.cell] = 0
    queue = deque([level.mission.cell])
    ways = level.ways_of(serving)
    while queue:
        cell = queue.popleft()
        for direction in range(4):  # slides lead back the way they came
            for reached in ways[direction][cell]:
                if bound[reached] == bent.FAR:
                    bound[reached] = min(int(bound[cell]) + 1, bent.FAR - 1)
                    queue.append(reached)
    return bound


class _LimitSearch:
    """Limits of moves, one after the other, each for every robot that may serve."""

    def __init__(self, meter: Meter, cancel: NDArray[np.uint8] | None) -> None:
        self.meter, self.cancel = meter, cancel
        self.arrays = _Arrays()
        self.asked: list[_Question] = []
        self.nodes = 0
        self.proved_above = -1
        self.spent: Status | None = None

    def run(self, questions: list[_Question]) -> tuple[Status, tuple[Action, ...]]:
        """Return how it ended and the moves that were found."""
        self.asked = questions
        limit = min((each.at_least for each in questions), default=0)
        self.proved_above = limit - 1
        while any(not each.is_hopeless for each in questions):
            for question in questions:
                if not question.is_hopeless and question.at_least <= limit:
                    found = self._within(question, limit)
                    if found or self.spent:
                        return self.spent or "solved", found
            self.proved_above = limit
            limit += 1
        return "unsolvable", ()

    def _within(self, question: _Question, limit: int) -> tuple[Action, ...]:
        """The moves of a solution within the limit, if there is one."""
        control = self._begin(question, limit)
        level = question.level
        walls = np.array(level.walls, np.uint8)
        bends = bends_of(level)
        arrays = self.arrays
        while not self._is_spent():
            control[bent.OPENED] = 0
            control[bent.OPENED_LIMIT] = min(SLICE, self.meter.left(SLICE))
            code = bent.search(
                control, walls, bends, question.bound, arrays.keys, arrays.links, arrays.depths, arrays.table
            )
            self.nodes += int(control[bent.OPENED])
            self.meter.spent = self.nodes
            if code == bent.SOLVED:
                return self._line(control)
            if code == bent.EXHAUSTED:
                question.is_hopeless = not control[bent.WAS_CUT]
                return ()
            if code == bent.FULL:
                if arrays.size >= LARGEST_ARENA:
                    self.spent = "budget"
                    return ()
                arrays = self.arrays = _Arrays(4 * arrays.size)
                control = self._begin(question, limit)
        return ()

    def _begin(self, question: _Question, limit: int) -> NDArray[np.int64]:
        arrays, level = self.arrays, question.level
        control = np.zeros(bent.CONTROL_SIZE, np.int64)
        control[bent.COUNT], control[bent.COLS] = len(question.robots), level.cols
        control[bent.TARGET], control[bent.SERVING] = level.mission.cell, question.serving
        control[bent.MUST_RICOCHET], control[bent.LIMIT] = question.must_ricochet, limit
        control[bent.STORED] = 1
        control[bent.TABLE_BITS] = int(math.log2(len(arrays.table)))
        arrays.table[:] = 0
        heading = bent.UNMOVED if question.heading == UNMOVED or not question.must_ricochet else question.heading + 1
        arrays.keys[0] = bent.packed(np.array(question.robots, np.int64), len(question.robots), heading)
        arrays.depths[0] = 0
        add_key(arrays.table, int(control[bent.TABLE_BITS]), int(arrays.keys[0]))
        return control

    def _is_spent(self) -> bool:
        if self.cancel is not None and self.cancel[0]:
            self.spent = "cancelled"
        elif self.meter.is_empty:
            self.spent = "budget"
        return self.spent is not None

    def _line(self, control: NDArray[np.int64]) -> tuple[Action, ...]:
        place, moves = int(control[bent.HEAD]), [int(control[bent.FINAL_MOVE])]
        while place:
            moves.append(int(self.arrays.links[1, place]))
            place = int(self.arrays.links[0, place])
        return tuple(moves[::-1])


def bends_of(level: Level) -> bent.Bends:
    """What turns each robot on each cell."""
    bends = np.zeros((len(level.robots), level.rows * level.cols), np.uint8)
    for deflector in level.deflectors:
        for robot in range(len(level.robots)):
            if robot != deflector.robot:
                bends[robot, deflector.cell] = deflector.turned(0)
    return bends


def _may_stop(question: _Question) -> bool:
    return not question.must_ricochet or question.heading == TURNED


def _all_of(question: _Question, length: int, search: _LimitSearch) -> Iterator[tuple[Action, ...]]:
    """Every solution of that length in which this robot serves, as long as the time lasts."""
    dead: set[tuple[tuple[int, ...], int, int]] = set()

    def lines(robots: tuple[int, ...], heading: int, left: int) -> list[tuple[Action, ...]]:
        if (robots, heading, left) in dead or left < int(question.bound[robots[question.serving]]):
            return []
        search.nodes += 1
        search.meter.spent = search.nodes
        if search._is_spent():
            return []
        found: list[tuple[Action, ...]] = []
        for action, after, heading_after in _moves(question, robots, heading):
            at_target = after[question.serving] == question.level.mission.cell
            if at_target and (not question.must_ricochet or heading_after == TURNED):
                found += [(action,)] if left == 1 else []
            elif left > 1:
                found += [(action, *rest) for rest in lines(after, heading_after, left - 1)]
        if not found:
            dead.add((robots, heading, left))
        return found

    heading = question.heading if question.must_ricochet else UNMOVED
    yield from lines(question.robots, heading, length)


def _moves(question: _Question, robots: tuple[int, ...], heading: int) -> Iterator[tuple[Action, tuple[int, ...], int]]:
    """Every move from a position, with the robots and the serving one's heading after it."""
    level = question.level
    for action in range(4 * len(robots)):
        robot, direction = divmod(action, 4)
        stop = slide(level, robots, robot, direction)
        if stop == robots[robot]:
            continue
        after = heading
        if robot == question.serving and question.must_ricochet:
            straight = heading in (UNMOVED, direction) and not is_turned(level, robots, action)
            after = direction if straight else TURNED
        yield action, (*robots[:robot], stop, *robots[robot + 1 :]), after


def compile_search() -> None:
    """Run the kernel once, so that no solve waits for the compiler."""
    from gridsage.games.ricochet.level import parse

    level = parse("2x2.0000_R0.0_r1.1_g0.1u")
    solve(level, level.robots, (UNMOVED,) * len(level.robots), must_ricochet=True)


WARM_UP: list[tuple[str, Callable[[], object]]] = [("ricochet solver, deflectors", compile_search)]
