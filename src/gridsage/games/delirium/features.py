"""The mine as numbers for learning programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.room import Features
from gridsage.games.delirium.level.cells import FALLING, UNKNOWN
from gridsage.games.delirium.state import LABELS, WON, Observation, State

MOST = 2**31 - 1
GALLERY_POINTS = 10.0  # for leaving a gallery alive; a diamond that counts is worth one

Arrays = dict[str, NDArray[np.uint8] | NDArray[np.int32]]


class DeliriumFeatures(Features[State, Observation]):
    """What the room tells learning programs."""

    actions = len(LABELS)
    limits = {"cells": (0, FALLING - 1), "facts": (-1, MOST)}

    def encode(self, seen: Observation) -> Arrays:
        """`cells`: kind and strength bits, 30 where unknown; `facts`: diamonds, needed, time left, ticks, gallery."""
        cells = np.full((seen.most_rows, seen.most_cols), UNKNOWN, np.uint8)
        cells[: seen.rows, : seen.cols] = seen.cells.reshape(seen.rows, seen.cols)
        facts = np.array([seen.diamonds, seen.needed, seen.time, seen.ticks, seen.gallery], np.int32)
        return {"cells": cells, "facts": facts}

    def score(self, state: State) -> float:
        """One point for each diamond that helps to open an exit, ten for each gallery left."""
        finished = state.number + (state.status == WON)
        before = sum(gallery.needed for gallery in state.level.galleries[: state.number])
        return before + min(state.diamonds, state.needed) + GALLERY_POINTS * finished
