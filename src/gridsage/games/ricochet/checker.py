"""Can a mission be done: its shortest solution, or a proof that there is none."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.room import LevelReport
from gridsage.games.ricochet.level import Options, parse
from gridsage.games.ricochet.missions import PLAIN_RULE, RICOCHET_RULE, robots_used, solution, start_of


def check(text: str, options: Options, seconds: float) -> LevelReport:
    """Find out if the mission can be done within its moves; the shortest solution proves it."""
    found = solution(start_of(parse(text), options), max_seconds=seconds)
    figures = {"nodes": float(found.nodes), "seconds": found.seconds}
    rule = RICOCHET_RULE if options.must_ricochet else PLAIN_RULE
    if found.status == "unsolvable":
        return LevelReport("impossible", f"no solution exists ({rule} rule)", figures=figures)
    if found.length is None:
        words = (
            f"no solution of {counted(found.proved_above, 'move')} or fewer; the search was not finished ({rule} rule)"
        )
        return LevelReport("not found within budget", words, figures=figures)
    if found.length > options.max_moves:
        words = f"it takes {counted(found.length, 'move')}, and max_moves is {options.max_moves} ({rule} rule)"
        return LevelReport("impossible", words, figures=figures)
    used = len(robots_used(found.moves))
    words = f"{counted(found.length, 'move')} of {counted(used, 'robot')}, and no fewer ({rule} rule)"
    return LevelReport("won", words, found.moves, figures={**figures, "moves": float(found.length)})
