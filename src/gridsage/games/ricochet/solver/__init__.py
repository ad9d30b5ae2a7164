"""Shortest solutions of Ricochet Robots positions, proved: arrays and ints in, a `Solution` out.

The search itself is in `kernels/best_first.py`. Here are its memory, its budgets and its threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypedDict, Unpack

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.games.ricochet.kernels import best_first
from gridsage.games.ricochet.solver.position import (
    LARGE_SIDE_BITS,
    MAX_ROBOTS,
    Position,
    Solution,
    Status,
    side_bits_of,
    stands_on_target,
)
from gridsage.games.ricochet.solver.ratings import compile_rating, rate
from gridsage.games.ricochet.solver.search import ShortestSearch, Slices, compile_search
from gridsage.games.ricochet.solver.workspace import give_back, take_workspace

__all__ = ["WARM_UP", "Position", "Solution", "Status", "rate", "solve"]


def solve(
    position: Position,
    *,
    must_ricochet: bool = False,
    all_solutions: bool = False,
    threads: int = 1,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    cancel: NDArray[np.uint8] | None = None,
    max_solutions: int = 1000,
) -> Solution:
    """A shortest solution, or the proof that there is none, or how far the proof came within the budget.

    With `must_ricochet` only those solutions count in which the serving robot has turned: somewhere among its own
    moves, two that follow each other (others may move between them) differ in direction. Straight back counts as a
    turn. A robot that stands on its target at the start has solved the mission in no moves under the plain rule; with
    `must_ricochet` it has to leave and to come back.

    Args:
        threads: above one, the length is the same but `moves` and `nodes` may differ from run to run.
        max_nodes: positions to open, about; exact with one thread.
        cancel: set element 0 from another thread to stop within a few milliseconds.
        max_solutions: with `all_solutions`, list no more than this many.
    """
    begun = time.perf_counter()
    if not must_ricochet and stands_on_target(position):
        return Solution("solved", 0, (), ((),), True, 0, time.perf_counter() - begun, -1, must_ricochet)
    if position.target_robot < 0 and _key_is_too_long(position):
        return _solved_for_each(
            position,
            begun,
            must_ricochet=must_ricochet,
            all_solutions=all_solutions,
            threads=threads,
            max_nodes=max_nodes,
            max_seconds=max_seconds,
            cancel=cancel,
            max_solutions=max_solutions,
        )
    workspace = take_workspace(position, must_ricochet, max_nodes)
    code = best_first.SLICE_USED
    if max_nodes is None and max_seconds is None and cancel is None and not all_solutions:
        # Most missions are solved in the first slice and need neither budget nor threads: making these took longer than
        # a short search.
        code = workspace.advance(workspace.control)
        if code == best_first.SOLVED:
            fields = workspace.fields
            moves = _moves_in(fields)
            nodes, proved_above = fields[best_first.OPENED], fields[best_first.PROVED]
            give_back(workspace)
            seconds = time.perf_counter() - begun
            return Solution("solved", len(moves), moves, (moves,), False, nodes, seconds, proved_above, must_ricochet)
    search = ShortestSearch(workspace, Slices(max_nodes, max_seconds, cancel), threads)
    found = _answer(search, search.run(code), begun, must_ricochet, max_solutions if all_solutions else None)
    give_back(workspace)
    return found


def _answer(search: ShortestSearch, status: Status, begun: float, must_ricochet: bool, most: int | None) -> Solution:
    """Return what a search has found.

    Args:
        most: how many solutions to list; None: the one at hand is enough.
    """
    length: int | None = None
    moves: tuple[int, ...] = ()
    solutions: tuple[tuple[int, ...], ...] = ()
    complete = status == "unsolvable"
    fields = search.winner_fields
    if status == "solved":
        moves = _moves_in(fields)
        length = len(moves)
        solutions = (moves,)
        if most is not None:
            solutions, complete = search.list_solutions(length, most, moves)
    return Solution(
        status=status,
        length=length,
        moves=moves,
        solutions=solutions,
        complete=complete,
        nodes=search.opened,
        seconds=time.perf_counter() - begun,
        proved_above=fields[best_first.PROVED],
        must_ricochet=must_ricochet,
    )


def _moves_in(fields: memoryview[int]) -> tuple[int, ...]:
    """Return the moves that a search has written into its control."""
    first = best_first.FIRST_MOVE
    return tuple(fields[first : first + fields[best_first.LENGTH]])


def _key_is_too_long(position: Position) -> bool:
    """Return True if 63 bits do not hold a position and the number of the serving robot, where any robot may serve."""
    return len(position.robots) == MAX_ROBOTS and side_bits_of(position.walls) == LARGE_SIDE_BITS


def _solved_for_each(position: Position, begun: float, **limits: Unpack[_Limits]) -> Solution:
    """Return the best solution where any robot may serve, from a search for each of them; they share the budget."""
    found: list[Solution] = []
    for serving in range(len(position.robots)):
        spent, passed = sum(each.nodes for each in found), time.perf_counter() - begun
        left = limits.copy()
        if limits["max_nodes"] is not None:
            left["max_nodes"] = max(0, limits["max_nodes"] - spent)
        if limits["max_seconds"] is not None:
            left["max_seconds"] = max(0.0, limits["max_seconds"] - passed)
        found.append(solve(replace(position, target_robot=serving), **left))
    nodes, seconds = sum(each.nodes for each in found), time.perf_counter() - begun
    known = [each for each in found if each.length is not None]
    open_ends = [each for each in found if each.status in ("budget", "cancelled")]
    best = min(known, key=lambda each: len(each.moves), default=found[0])
    if open_ends and (not known or min(each.proved_above for each in open_ends) < len(best.moves) - 1):
        proved = min(each.proved_above for each in found if each.status != "unsolvable")
        return msgspec.structs.replace(open_ends[0], nodes=nodes, seconds=seconds, proved_above=proved)
    if not known:
        return msgspec.structs.replace(best, nodes=nodes, seconds=seconds)
    shortest = [each for each in known if each.length == best.length]
    listed = tuple(moves for each in shortest for moves in each.solutions) if limits["all_solutions"] else (best.moves,)
    complete = not open_ends and all(each.complete for each in shortest) and len(listed) <= limits["max_solutions"]
    return msgspec.structs.replace(
        best, solutions=listed[: limits["max_solutions"]], complete=complete, nodes=nodes, seconds=seconds
    )


class _Limits(TypedDict):
    """The limits of `solve`, all of them."""

    must_ricochet: bool
    all_solutions: bool
    threads: int
    max_nodes: int | None
    max_seconds: float | None
    cancel: NDArray[np.uint8] | None
    max_solutions: int


# What `core.jit.warm_up` runs, so that no solve ever waits for the compiler.
WARM_UP: list[tuple[str, Callable[[], object]]] = [
    ("ricochet solver", lambda: compile_search(0)),
    ("ricochet solver, any robot", lambda: compile_search(-1)),
    ("ricochet ratings", lambda: compile_rating((0, 1))),
    ("ricochet ratings, five robots", lambda: compile_rating((0, 1, 2, 3, 4))),
]
