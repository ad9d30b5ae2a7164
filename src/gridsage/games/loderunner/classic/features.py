"""The classic game as numbers for learning programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.room import Features
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.level import SIGNS
from gridsage.games.loderunner.classic.state import Guard, Observation, Runner, State

HOLE = layout.RUNNER + 1  # cell codes go on where those of the level end
MOST_WAIT = 187
FIELDS = 6  # per person: row, column, offsets from the centre made positive, what it does, what it carries
OFFSET = 22

Arrays = dict[str, NDArray[np.uint8]]


class ClassicFeatures(Features[State, Observation]):
    """What the room tells learning programs."""

    actions = layout.KEYS
    limits = {"cells": (0, HOLE), "waits": (0, MOST_WAIT), "people": (0, 2 * OFFSET), "clock": (0, layout.MOST_GUARDS)}

    def encode(self, seen: Observation) -> Arrays:
        """`cells`: what is where; `waits`: ticks until a hole closes; `people`: runner and guards; `clock`: whose move.

        A person is row, column, offset across and down plus 22, action, and gold carried plus 1 (the runner: 1).
        """
        shape = (layout.ROWS, layout.COLS)
        cells = np.array([SIGNS.index(sign) for line in seen.board for sign in line], np.uint8)
        waits = np.zeros(cells.shape, np.uint8)
        for hole in seen.holes:
            cells[hole.cell] = HOLE
            waits[hole.cell] = hole.ticks
        people = np.zeros((1 + layout.MOST_GUARDS, FIELDS), np.uint8)
        for number, guard in enumerate(seen.guards, 1):
            people[number] = _person(guard, guard.carries)
            cells[guard.cell] = layout.GUARD
        people[0] = _person(seen.runner, 0)
        cells[seen.runner.cell] = layout.RUNNER
        return {
            "cells": cells.reshape(shape),
            "waits": waits.reshape(shape),
            "people": people,
            "clock": np.array([seen.pace, seen.turn], np.uint8),
        }

    def score(self, state: State) -> float:
        """Return the share of the level that is done."""
        from gridsage.games.loderunner.classic.rules import share_earned

        return share_earned(state)


def _person(person: Runner | Guard, carries: int) -> tuple[int, ...]:
    row, col = divmod(person.cell, layout.COLS)
    return row, col, person.dx + OFFSET, person.dy + OFFSET, max(0, person.action), carries + 1
