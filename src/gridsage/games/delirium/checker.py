"""Can a level of the mine be won: a winning line, a proof that there is none, or nothing found in time."""

from __future__ import annotations

import time

from gridsage.core.amounts import counted
from gridsage.core.budget import Meter
from gridsage.core.game import Budget
from gridsage.core.room import LevelReport
from gridsage.games.delirium.agents.planner import CHECK_POOL_BYTES, ENDLESS, Planner
from gridsage.games.delirium.level import Options, parse
from gridsage.games.delirium.level.text import doubts
from gridsage.games.delirium.rules import arrays


def check(text: str, options: Options, seconds: float) -> LevelReport:
    """Find out if a level can be won: a winning line, a proof that it cannot, or nothing found in that time."""
    began = time.perf_counter()
    level = parse(text)
    line: list[int] = []
    nodes = 0
    for number, gallery in enumerate(level.galleries, 1):
        name = f"gallery {number} ({gallery.name})" if len(level.galleries) > 1 else "it"
        figures = {"seconds": time.perf_counter() - began, "nodes": float(nodes)}
        if wrong := doubts(gallery, options):
            where = f"{name}: " if len(level.galleries) > 1 else ""
            return LevelReport("impossible", where + wrong[0], figures=figures)
        cells, facts, rules = arrays(gallery, options)
        planner = Planner(rules, len(facts), CHECK_POOL_BYTES)
        root = planner.start(cells, facts)
        left = max(0.0, seconds - (time.perf_counter() - began))
        meter = Meter(Budget(seconds=left), nodes=ENDLESS)
        won = planner.think(meter)
        nodes += meter.spent
        figures = {"seconds": time.perf_counter() - began, "nodes": float(nodes)}
        if won is None and planner.complete:
            when = f" within its time of {counted(gallery.time, 'tick')}" if gallery.time > 0 else ""
            text = f"{name} cannot be won{when}: all of the positions that can be reached were looked at"
            return LevelReport("impossible", text, figures=figures)
        if won is None:
            text = (
                f"{name} was not won in {counted(seconds, 'second')} and {counted(nodes, 'node')}; that proves nothing"
            )
            return LevelReport("not found within budget", text, figures=figures)
        line.extend(won.line(root))
    return LevelReport("won", f"won in {counted(len(line), 'tick')}", tuple(line), figures=figures)
