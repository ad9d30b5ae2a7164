"""A cave as numbers for learning programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.room import Features
from gridsage.games.delirium.bd.cells import KINDS
from gridsage.games.delirium.bd.state import DIAMONDS, LABELS, MAGIC, MAGIC_LEFT, TICKS, TIME, WON, Observation, State

MOST = 2**31 - 1
EXIT_POINTS = 10.0  # for leaving the cave alive; a diamond that counts is worth one

Arrays = dict[str, NDArray[np.uint8] | NDArray[np.int32]]


class CaveFeatures(Features[State, Observation]):
    """What the room tells learning programs."""

    actions = len(LABELS)
    limits = {"cells": (0, KINDS - 1), "facts": (0, MOST)}

    def encode(self, seen: Observation) -> Arrays:
        """`cells`: kinds; `facts`: diamonds, needed, milliseconds left, ticks, magic wall's state and time."""
        facts = [seen.facts[DIAMONDS], seen.cave.needed, seen.facts[TIME], seen.facts[TICKS]]
        facts += [seen.facts[MAGIC], seen.facts[MAGIC_LEFT]]
        return {"cells": seen.kinds.reshape(seen.cave.rows, seen.cave.cols), "facts": np.array(facts, np.int32)}

    def score(self, state: State) -> float:
        """One point for each diamond that helps to open the exit, ten for leaving."""
        return min(int(state.facts[DIAMONDS]), state.cave.needed) + EXIT_POINTS * (state.status == WON)
