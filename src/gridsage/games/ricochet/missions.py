"""Questions about missions that the solver answers: the shortest solution, hints, ratings, files of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypedDict, Unpack

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError
from gridsage.core.frame import Frame
from gridsage.core.game import Action
from gridsage.core.room import Line, Solutions
from gridsage.games.ricochet import deflected, notation
from gridsage.games.ricochet.level import ANY_ROBOT, ROBOTS, Goal, Level, Options, parse
from gridsage.games.ricochet.rules import Ricochet
from gridsage.games.ricochet.solver import Position, Solution, rate, solve
from gridsage.games.ricochet.state import TURNED, State

MOST_LINES = 24  # solutions that are shown; some missions have hundreds
NOT_RATED = 255  # what `rate` says of cells that are farther than it looked
RATING_DEPTH = 12  # rating a printed board to this depth takes about half a second
RATING_NODES = 1_000_000  # for one mission among deflectors
PLAIN_RULE = "plain"
RICOCHET_RULE = "must ricochet"


class Limits(TypedDict, total=False):
    """What may be asked of `solver.solve`; its docstring explains them."""

    all_solutions: bool
    threads: int
    max_nodes: int | None
    max_seconds: float | None
    cancel: NDArray[np.uint8] | None
    max_solutions: int


def position(level: Level, robots: tuple[int, ...] | None = None) -> Position:
    """The level as the solver wants it, with the robots where they are now."""
    return Position(walls_array(level), robots or level.robots, level.mission.cell, level.mission.robot)


def walls_array(level: Level) -> NDArray[np.uint8]:
    """The walls as an array (rows, cols)."""
    return np.array(level.walls, np.uint8).reshape(level.rows, level.cols)


def solution(state: State, **limits: Unpack[Limits]) -> Solution:
    """The shortest solution from `state`; `limits` are those of `solver.solve`.

    A serving robot that has ricocheted already need not do so again. One that has moved in a single direction is taken
    as one that has not moved: the answer is then a solution, but perhaps not the shortest.
    """
    serving = state.level.mission.robot
    headings = state.headings if serving == ANY_ROBOT else (state.headings[serving],)
    must_ricochet = state.options.must_ricochet and any(heading != TURNED for heading in headings)
    if state.level.deflectors:
        return deflected.solve(state.level, state.robots, state.headings, must_ricochet=must_ricochet, **limits)
    return solve(position(state.level, state.robots), must_ricochet=must_ricochet, **limits)


def start_of(level: Level, options: Options) -> State:
    """The first state of the level's mission."""
    return Ricochet().start(level, options, seed=0)


def robots_used(actions: Iterable[Action]) -> list[int]:
    """The robots that move in a solution, in the order of their numbers."""
    return sorted({action // 4 for action in actions})


def by_robots_moved(solutions: Iterable[tuple[Action, ...]]) -> list[tuple[Action, ...]]:
    """Return the solutions ordered by how many robots they move, the fewest first; the order is always the same."""
    return sorted(solutions, key=lambda moves: (len(robots_used(moves)), moves))


def hints(state: State, **limits: Unpack[Limits]) -> list[str]:
    """What one may tell a player who is stuck, one step at a time, from the number of moves to the last move."""
    return hints_of(solution(state, **limits))


def hints_of(found: Solution) -> list[str]:
    """The steps of a hint from the solver's answer."""
    if found.status == "unsolvable":
        return ["It cannot be done."]
    if found.length is None:
        return [f"It takes more than {counted(found.proved_above, 'move')}; the search was not finished."]
    if found.length == 0:
        return ["It is done."]
    used = [ROBOTS[robot] for robot in robots_used(found.moves)]
    first, *others = notation.words(found.moves).split(", ")
    who = f"Only {used[0]} has to move." if len(used) == 1 else f"{_listed(used).capitalize()} have to move."
    return [
        f"It takes {counted(found.length, 'move')}.",
        who,
        f"{first.split()[0].capitalize()} moves first.",
        f"The first move is {first}.",
        *(f"Then {move}." for move in others),
    ]


def best_solutions(state: State, picture: Callable[[State], Frame], seconds: float) -> Solutions:
    """All shortest solutions from `state`, those that move few robots first; MOST_LINES of them with pictures."""
    found = solution(state, all_solutions=True, max_seconds=seconds)
    if found.length is None or found.length == 0:
        return Solutions((), found.status == "unsolvable" or found.length == 0, hints_of(found)[0])
    listed = by_robots_moved(found.solutions)[:MOST_LINES]
    lines = tuple(_line(state, moves, picture) for moves in listed)
    count = len(found.solutions)
    moves = counted(found.length, "move")
    if count == 1 and found.complete:
        words = f"There is one best solution, of {moves}."
    else:
        words = f"There are {'' if found.complete else 'at least '}{count} best solutions, of {moves} each."
    if count > len(lines):
        words += f" The first {len(lines)} are listed."
    return Solutions(lines, found.complete, words)


def _line(state: State, moves: Iterable[Action], picture: Callable[[State], Frame]) -> Line:
    game, labels, frames = Ricochet(), [], [picture(state)]
    for move in moves:
        state = game.step(state, move)
        labels.append(game.label(move))
        frames.append(picture(state))
    return Line(tuple(labels), tuple(frames))


def rate_missions(level: Level, max_depth: int = RATING_DEPTH) -> dict[Goal, int | None]:
    """The fewest moves to every goal of the board (plain rule); None for those that take more than `max_depth`."""
    if level.deflectors:
        return {goal: _rated(replace(level, mission=goal), max_depth) for goal in _served(level)}
    fewest = rate(walls_array(level), level.robots, max_depth)
    ratings: dict[Goal, int | None] = {}
    for goal in _served(level):
        moves = int(fewest[:, goal.cell].min() if goal.robot == ANY_ROBOT else fewest[goal.robot, goal.cell])
        ratings[goal] = None if moves == NOT_RATED else moves
    return ratings


def _served(level: Level) -> list[Goal]:
    """The goals that a robot on the board can serve."""
    return [goal for goal in level.goals if goal.robot < len(level.robots)]


def _rated(level: Level, max_depth: int) -> int | None:
    length = solution(start_of(level, Options()), max_nodes=RATING_NODES).length
    return None if length is None or length > max_depth else length


def solve_positions(
    lines: Iterable[str],
    *,
    options: Options | None = None,
    threads: int = 1,
    all_solutions: bool = False,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
) -> Iterator[dict[str, object]]:
    """One answer a line, in order; a line that cannot be read gives an answer with the status `error`.

    An answer has `line` (from 1), `id` if the line has one, `status` (solved, unsolvable, budget or error), `length` or
    None, `moves` as words, `compact` (RNBE), `rule`, `nodes` and `seconds`; with `all_solutions` also `solutions`
    (compact, those that move few robots first) and `complete`, whether these are all.

    Args:
        lines: JSON records, or one-line positions. Empty lines are passed over.
        max_seconds: for each position.
    """
    options = options or Options()
    rule = RICOCHET_RULE if options.must_ricochet else PLAIN_RULE
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        answer: dict[str, object] = {"line": number, **_id(line), "status": "error", "length": None, "moves": None}
        try:
            state = start_of(parse(line), options)
        except LevelError as error:
            yield {**answer, "error": f"line {number}: {error}"}
            continue
        found = solution(
            state, threads=threads, all_solutions=all_solutions, max_nodes=max_nodes, max_seconds=max_seconds
        )
        answer |= {"status": found.status, "length": found.length, "rule": rule}
        if found.length is not None:
            labels = notation.words(found.moves)
            answer |= {"moves": labels.split(", ") if labels else [], "compact": notation.compact(found.moves)}
        if all_solutions:
            listed = by_robots_moved(found.solutions)
            answer |= {"solutions": list(map(notation.compact, listed)), "complete": found.complete}
        yield {**answer, "nodes": found.nodes, "seconds": found.seconds}


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _id(line: str) -> dict[str, object]:
    """The id of a JSON record, if it has one."""
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
    return {"id": record["id"]} if isinstance(record, dict) and "id" in record else {}
