"""The check of any classic level: can it be won, and a plan that proves it."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.budget import Meter
from gridsage.core.game import Budget
from gridsage.core.room import LevelReport
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.layout import COLS, ROWS
from gridsage.games.loderunner.classic.level import Level, Options, parse
from gridsage.games.loderunner.classic.rules import first_row
from gridsage.games.loderunner.classic.solver import guide, solve

PROOF_SEED = 1
PATIENCE = 3_000_000  # ticks without a shorter plan before it is good enough


def check(
    text: str, options: Options | None = None, seconds: float | None = 10.0, nodes: int | None = None
) -> LevelReport:
    """Try to win the level with one seed until the time or the nodes are spent; a plan found is made shorter."""
    options = options or Options()
    level = parse(text)
    if impossible := doubts(text):
        return LevelReport("impossible", impossible[0])
    start = first_row(level, options, PROOF_SEED)
    found = solve(start, guide(level), Meter(Budget(nodes, seconds if nodes is None else None)), patience=PATIENCE)
    figures = {"nodes": float(found.nodes), "tries": float(found.tries)}
    keys = found.keys
    if not found.macros:
        return LevelReport(
            "not found within budget",
            f"not won in {counted(found.tries, 'search', 'searches')} over {counted(found.nodes, 'tick')}",
            figures=figures,
        )
    sentence = f"a game of {counted(len(keys), 'tick')} with seed {PROOF_SEED}"
    return LevelReport("won", sentence, tuple(keys.tolist()), PROOF_SEED, {"ticks": float(len(keys)), **figures})


def doubts(text: str) -> list[str]:
    """Return why the level can never be won, as far as the way tells; empty if nothing is wrong."""
    level = parse(text)
    return [
        f"the gold in row {cell // COLS}, column {cell % COLS} cannot be reached even without guards"
        for cell in _out_of_reach(level)
        if not level.guards  # a guard may carry gold out of anywhere
    ]


def _out_of_reach(level: Level) -> list[int]:
    """Return the gold where not even a runner who passes bricks at will and needs no footing can come."""
    codes = level.codes
    seen, stack = {level.runner}, [level.runner]
    while stack:
        cell = stack.pop()
        row, col = divmod(cell, COLS)
        ladder = codes[cell] in (layout.LADDER, layout.HIDDEN_LADDER)
        near = [cell - 1] * (col > 0) + [cell + 1] * (col < COLS - 1)
        near += [cell + COLS] * (row < ROWS - 1) + [cell - COLS] * (row > 0 and ladder)
        for other in near:
            if codes[other] != layout.SOLID and other not in seen:
                seen.add(other)
                stack.append(other)
    return [cell for cell in level.gold if cell not in seen]
