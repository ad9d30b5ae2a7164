"""The player that looks at one frame: the shortest way to the next gold, and a dig when a guard is near."""

from __future__ import annotations

import numpy as np

from gridsage.core.game import Budget, Decision, Thoughts
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.kernels import archive, ways
from gridsage.games.loderunner.classic.kernels.ticks import can_dig
from gridsage.games.loderunner.classic.layout import COLS, DIG_LEFT, DIG_RIGHT, LEFT, NONE, RIGHT
from gridsage.games.loderunner.classic.solver import guide
from gridsage.games.loderunner.classic.state import Observation, row_of

NEAR = 3  # cells: a guard on the same row is met with a hole


class Baseline:
    """Remembers nothing but its dice; it neither looks ahead nor waits."""

    name = "baseline"

    def __init__(self) -> None:
        self._meters = np.ones(archive.METERS, np.int64)

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        """Return the key of the relaxed way to the nearest goal of the tour."""
        row = np.array(row_of(observation), np.int16)
        if (key := _defence(observation, row)) != NONE:
            return Decision(key, Thoughts(text="a guard is near: dig"))
        hints = guide(observation.level)
        gold, reach, first = (
            np.empty(ways.MOST_GOLD, np.int16),
            np.empty(ways.MOST_GOLD, np.int64),
            np.empty(1, np.int16),
        )
        ways.estimate(row, hints.distance, gold, reach, first)
        runner, target = int(row[layout.RUNNER_CELL]), int(first[0])
        if target < 0 or hints.distance[int(row[layout.IS_COMPLETE]), runner, target] >= ways.FAR:
            return Decision(NONE, Thoughts(text="no way is known"))
        mind = np.zeros(archive.SCRIPT + archive.MOST_SCRIPT, np.int64)
        mind[archive.TARGET] = target
        key = archive.key_to_target(row, hints.arrays, mind, self._meters)
        return Decision(int(key), Thoughts(path=(layout.unframed(target),), text="to the next goal"))


def _defence(seen: Observation, row: np.ndarray[tuple[int], np.dtype[np.int16]]) -> int:
    """Return the dig that stops a guard who comes near on the runner's row, or NONE."""
    here = seen.runner.cell
    for guard in seen.guards:
        apart = guard.cell - here
        if guard.cell // COLS != here // COLS or not 1 < abs(apart) <= NEAR or guard.action == layout.IN_HOLE:
            continue
        side = 1 if apart > 0 else -1
        if can_dig(row, int(row[layout.RUNNER_CELL]), side) and seen.dig[0] < 0:
            return DIG_RIGHT if side > 0 else DIG_LEFT
        return LEFT if side > 0 else RIGHT
    return NONE
