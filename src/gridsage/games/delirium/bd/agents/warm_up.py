"""What compiles or loads every kernel of the room before the first deadline starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gridsage.core.game import Budget
from gridsage.games.delirium.agents.planner import new_meter
from gridsage.games.delirium.bd.agents.explorer import FEWEST_KEPT, Explorer
from gridsage.games.delirium.bd.agents.fencer import Fencer
from gridsage.games.delirium.bd.agents.planner import Planner
from gridsage.games.delirium.bd.agents.repair import Mender
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.kernels import plan as search
from gridsage.games.delirium.bd.rules import STAY, arrays
from gridsage.games.delirium.bd.state import ROCKFORD_AT

SMALL_CAVE = "[cave]\nSize=6 3\nDiamondsRequired=1\n[map]\nWWWWWW\nWPrdXW\nWWWWWW\n[/map]\n[/cave]\n"


def warm_up() -> list[tuple[str, Callable[[], object]]]:
    """Return steps that compile or load every kernel of the room."""
    cells, facts, rules = arrays(parse(SMALL_CAVE).caves[0], 0.25)
    facts[ROCKFORD_AT] = 7
    planner = Planner(rules, len(cells), pool_bytes=1)
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT)
    mender = Mender(planner.rules, len(cells))
    fencer = Fencer(rules, len(cells), explorer)
    heat = np.zeros(18, dtype=np.int64)
    return [
        ("the tick of the cave", lambda: planner.tick(cells.copy(), facts.copy(), STAY)),
        ("the search for goals", lambda: (planner.start(cells, facts), planner.think(new_meter(Budget(nodes=200))))),
        ("the check that life goes on", lambda: planner.survives(cells, facts, new_meter(Budget(nodes=100)))),
        ("exploring", lambda: explorer.start(cells, facts).think(new_meter(Budget(nodes=200)))),
        (
            "exploring along an old plan",
            lambda: explorer.start(cells, facts, [STAY]).think(new_meter(Budget(nodes=50))),
        ),
        ("making room for more", explorer.make_room),
        ("following a plan", lambda: planner.follow(cells.copy(), facts.copy(), [STAY])),
        ("the risks of a plan", lambda: mender.risks((cells, facts), [STAY])),
        (
            "mending a plan",
            lambda: mender.mend(
                (cells, facts), [STAY], mender.marks_of((cells, facts), [STAY]), new_meter(Budget(nodes=9))
            ),
        ),
        ("fences", lambda: fencer.warm_up((cells, facts))),
        (
            "danger",
            lambda: search.danger(cells.copy(), facts.copy(), planner.rules, planner.stream, planner.journal, heat, 1),
        ),
    ]
