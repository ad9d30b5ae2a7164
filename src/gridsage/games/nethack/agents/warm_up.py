"""The calls that make Numba compile every kernel of the room, each with its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.level import CELLS


def steps() -> Sequence[tuple[str, Callable[[], object]]]:
    """What is compiled, in words, and a call that does it, with the very types the bot uses."""
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    before = np.full(CELLS, kn.MAP, np.int16)
    glyphs = np.full(CELLS, kn.MAP, np.int16)
    glyphs.flags.writeable = False  # observations are read-only, and Numba tells the two kinds apart
    dist, came, route = (np.empty(CELLS, np.int32) for _ in range(3))
    weights = np.zeros(kn.OBSTACLE + 1, np.int32)
    odds = np.zeros(CELLS)
    return [
        ("NetHack: reading the map", lambda: kn.look(glyphs, before, memory, 800, True)),
        (
            "NetHack: ways",
            lambda: (kn.flood(memory, 800, 1, 0, weights, kn.ALL, dist, came), kn.trace_route(came, 800, 801, route)),
        ),
        ("NetHack: steps", lambda: (kn.entry_cost(memory, 800, 0, 1, 0), kn.adjacent_foe(memory, 800, 1, False))),
        ("NetHack: frontiers", lambda: kn.is_frontier(memory, 800)),
        (
            "NetHack: things",
            lambda: (kn.nearest_of(memory, dist, kn.TERRAIN, kn.DOWN), kn.nearest_covered(memory, dist, False)),
        ),
        (
            "NetHack: monsters and things in sight",
            lambda: (
                kn.seen_monsters(glyphs, 800, route),
                kn.wanted_things(memory, np.zeros(kn.GLYPHS + 1, np.bool_), np.ones(kn.GLYPHS + 1, np.bool_), route),
            ),
        ),
        ("NetHack: secrets", lambda: (kn.secret_odds(memory, odds), kn.best_search(memory, dist, odds))),
        ("NetHack: searches", lambda: kn.note_search(memory, 800, 1)),
    ]
