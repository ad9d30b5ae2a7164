"""The explorer of Boulder Dash caves: its ways lead out, and the same dice give the same way."""

from __future__ import annotations

import numpy as np
import pytest

from gridsage.core.game import Budget
from gridsage.games import catalog
from gridsage.games.delirium.agents.planner import new_meter
from gridsage.games.delirium.bd.agents.explorer import FEWEST_KEPT, Explorer
from gridsage.games.delirium.bd.agents.planner import Planner
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.level import Options
from gridsage.games.delirium.bd.rules import STAY, BoulderDash, position_arrays
from gridsage.games.delirium.bd.state import ROCKFORD_AT, STATUS, WON

ROOM = catalog.room("delirium-bd")


def born(text: str):
    """Return a planner of a cave, and the position in which Rockford is born."""
    game = BoulderDash()
    cells, facts, rules = position_arrays(game.observe(game.start(parse(text), Options(), 1), 0))
    planner = Planner(rules, len(cells), pool_bytes=1)
    while facts[ROCKFORD_AT] < 0:
        planner.tick(cells, facts, STAY)
    return planner, cells, facts


def explored(planner, cells, facts, nodes: int, kept: int = 20_000) -> list[int] | None:
    return Explorer(planner.rules, len(cells), kept).start(cells, facts).think(new_meter(Budget(nodes=nodes)))


@pytest.mark.parametrize("name", ["01_first_dig", "02_pushes_may_fail", "04_the_patrol"])
def test_a_way_that_is_found_leads_out(name):
    planner, cells, facts = born(ROOM.levels.text(name))
    line = explored(planner, cells, facts, 400_000)
    assert line
    after_cells, after = cells.copy(), facts.copy()
    planner.follow(after_cells, after, line)
    assert after[STATUS] == WON
    planner.follow(cells, facts, line[:-1])
    assert facts[STATUS] != WON, "a way ends at the exit"


def test_the_same_position_gives_the_same_way():
    planner, cells, facts = born(ROOM.levels.text("01_first_dig"))
    assert explored(planner, cells, facts, 400_000) == explored(planner, cells, facts, 400_000)


def test_a_full_archive_begins_anew_at_the_same_position():
    rows = "\n".join(["W" * 30, "WP" + "r d." * 6 + "..XW", *["W" + "..r " * 7 + "W"] * 12, "W" * 30])
    planner, cells, facts = born(f"[cave]\nSize=30 15\nDiamondsRequired=50\n[map]\n{rows}\n[/map]\n[/cave]\n")
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    assert explorer.think(new_meter(Budget(nodes=100_000))) is None
    assert explorer.runs > 1
    assert np.array_equal(explorer.kept[0], cells)
