"""Lode Runner as numbers for learning programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.room import Features
from gridsage.games.loderunner.level import LETTERS
from gridsage.games.loderunner.state import LABELS, Observation, State

BONUS = len(LETTERS)  # cell codes go on where those of the level end
HOLE = BONUS + 1
ENEMY = HOLE + 1
RUNNER = ENEMY + 1
MOST_DELAY = 10

Arrays = dict[str, NDArray[np.uint8]]


class LodeRunnerFeatures(Features[State, Observation]):
    """What the room tells learning programs."""

    actions = len(LABELS)
    limits = {"cells": (0, RUNNER), "delays": (0, MOST_DELAY), "phase": (0, 1)}

    def encode(self, seen: Observation) -> Arrays:
        """`cells`: what is where; `delays`: rounds a hole stays open; `phase`: do enemies move in this round."""
        shape = (seen.level.rows, seen.level.cols)
        cells = np.frombuffer(seen.level.cells, np.uint8).copy()
        delays = np.zeros(cells.shape, np.uint8)
        cells[list(seen.bonuses)] = BONUS
        for hole in reversed(seen.holes):
            cells[hole.cell] = HOLE
            delays[hole.cell] = hole.delay
        cells[[enemy.cell for enemy in seen.enemies]] = ENEMY
        cells[seen.runner] = RUNNER
        return {
            "cells": cells.reshape(shape),
            "delays": delays.reshape(shape),
            "phase": np.array([1 - seen.round % 2], np.uint8),
        }

    def score(self, state: State) -> float:
        """Return the share of the level that is done."""
        from gridsage.games.loderunner.rules import share_earned

        return share_earned(state)
