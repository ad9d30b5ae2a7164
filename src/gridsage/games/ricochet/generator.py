"""Missions as hard as wanted: exactly so many moves, and so many robots in every shortest solution."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Annotated

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import OptionError
from gridsage.core.rng import generator
from gridsage.core.room import NamedLevel
from gridsage.games.ricochet.books import difficulty
from gridsage.games.ricochet.level import MAX_ROBOTS, MAX_SIDE, Level, Options, draw, printed
from gridsage.games.ricochet.level.chance import FIRST_EDITION, level_on, printed_level, walled_level, with_deflectors

TRIES = 500  # boards looked at before the settings are called too hard
NODES = 20_000_000  # for one mission: the hardest of the printed boards need less
SOLUTIONS = 100_000  # to look through for the robots that they move; a mission with more is left out
MAX_DEFLECTORS = 16

Side = Annotated[int, msgspec.Meta(ge=1, le=MAX_SIDE)]
Robots = Annotated[int, msgspec.Meta(ge=1, le=MAX_ROBOTS)]
Deflectors = Annotated[int, msgspec.Meta(ge=0, le=MAX_DEFLECTORS)]
Moves = Annotated[int, msgspec.Meta(ge=1, le=30)]


def generate(
    *,
    seed: int = 1,
    moves: Moves | None = None,
    min_robots: Robots = 1,
    robots: Robots = 4,
    board: str = "printed",
    sides: str = FIRST_EDITION,
    rows: Side = printed.SIDE,
    cols: Side = printed.SIDE,
    must_ricochet: bool = False,
    deflectors: Deflectors = 0,
) -> NamedLevel:
    """Return a mission with these settings, the same for the same seed and settings.

    Args:
        moves: of its shortest solutions; any number if omitted.
        min_robots: that move in every one of its shortest solutions.
        board: `printed`, `random`, or an arrangement like 1A-2B-3C-4D.
        sides: of the printed quadrants: A and B are of the first edition, C and D of a later one.
        rows, cols: of a random board.
        deflectors: diagonals like those of the 2003 edition, on cells that hold nothing.
    """
    if min_robots > robots:
        raise OptionError(f"min_robots is {min_robots}, but the board has only {counted(robots, 'robot')}")
    if set(sides) - set(printed.SIDES) or not sides:
        raise OptionError(f"sides is {sides!r}, expected some of {printed.SIDES}")
    if board != "random" and (rows, cols) != (printed.SIDE, printed.SIDE):
        raise OptionError(f"a board of {counted(rows, 'row')} and {counted(cols, 'column')} needs board=random")
    settings = [moves, min_robots, robots, board, sides, rows, cols, must_ricochet]
    rng = generator(seed, "generate", *settings, *([deflectors] if deflectors else []))
    for _ in range(TRIES):
        if board == "random":
            level = walled_level(rng, rows, cols, robots)
        elif board == "printed":
            level = printed_level(rng, robots, sides)
        else:
            level = level_on(board, rng, robots)
        if deflectors:
            level = with_deflectors(level, rng, deflectors)
        found = _fitting(level, moves, min_robots, must_ricochet, rng)
        if found is not None:
            return NamedLevel(f"generated-{seed}", found)
    wanted = "any number of moves" if moves is None else f"exactly {counted(moves, 'move')}"
    raise OptionError(
        f"no mission of {wanted} with {counted(min_robots, 'robot')} or more on {TRIES} boards: ask for less"
    )


def _fitting(level: Level, moves: int | None, min_robots: int, must_ricochet: bool, rng: random.Random) -> str | None:
    """The drawing of a mission on this board that is as wished, with a remark about it, if there is one."""
    from gridsage.games.ricochet import missions  # only now: it brings the solver

    candidates = [level.mission]
    if moves is not None:
        depth = min(moves, missions.RATING_DEPTH)
        ratings = missions.rate_missions(level, depth)
        candidates = [goal for goal, fewest in ratings.items() if _may_fit(fewest, moves, depth, must_ricochet)]
        rng.shuffle(candidates)
    for goal in candidates:
        wished = replace(level, mission=goal)
        start = missions.start_of(wished, Options(must_ricochet=must_ricochet))
        found = missions.solution(start, all_solutions=True, max_nodes=NODES, max_solutions=SOLUTIONS)
        if not found.length or not found.complete or (moves is not None and found.length != moves):
            continue
        used = min(len(missions.robots_used(each)) for each in found.solutions)
        if used >= min_robots:
            remark = difficulty(found.length, used) + ", must ricochet" * must_ricochet
            return f"; {remark}\n{draw(wished)}"
    return None


def _may_fit(fewest: int | None, moves: int, depth: int, must_ricochet: bool) -> bool:
    """Return True if a mission of `fewest` moves by the plain rule, None for more than `depth`, may be the one."""
    if fewest is None:
        return moves > depth or must_ricochet
    return fewest == moves or (must_ricochet and 0 < fewest < moves)
