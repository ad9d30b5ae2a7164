"""What is done with a plan that a failed push has delayed: other waits, so that flies are again where it wants them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.games.delirium.bd.kernels import pushes, tick
from gridsage.games.delirium.bd.kernels import repair as kernels
from gridsage.games.delirium.bd.kernels.plan import follow
from gridsage.games.delirium.bd.kernels.repair import Marks
from gridsage.games.delirium.bd.state import FACTS_LENGTH, STATUS, WON

DELAYS, FEWEST_DELAYS = 48, 24  # told apart, and how many of them at least in a long plan
LEFT_OUT = 12  # waits of the plan that may be left out, one after another
MOST_TICKS = 60_000  # of the model, for one plan


Position = tuple[NDArray[np.uint8], NDArray[np.int64]]


class Mended(NamedTuple):
    """A line with other waits: where it should lead, how many of its first actions do hold, and if it wins."""

    line: list[int]
    marks: Marks
    holds: int
    wins: bool


class Mender:
    """Keeps the room that a repair needs.

    Args:
        rules: with chance settled, as plans have them.
        row_length: of a picture.
    """

    def __init__(self, rules: NDArray[np.int64], row_length: int) -> None:
        self.rules = rules
        self.rows = np.zeros((2 * DELAYS + 1, row_length), dtype=np.uint8)
        self.facts = np.zeros((2 * DELAYS + 1, FACTS_LENGTH), dtype=np.int64)
        self.journal = np.zeros(16 * int(rules[tick.SIZE]) + 64, dtype=np.int64)
        self.stream = np.array([2463534242], dtype=np.int64)
        self.out = np.zeros(kernels.OUT, dtype=np.int64)

    def marks_of(self, start: Position, line: list[int]) -> Marks:
        """Return where a line leads from a position, action by action."""
        marks = np.zeros((len(line) + 1, kernels.MARKS), dtype=np.int64)
        actions = np.array(line, dtype=np.int64)
        kernels.mark(start[0].copy(), start[1].copy(), self.rules, self.stream, self.journal, actions, marks)
        return marks

    def risks(self, start: Position, line: list[int]) -> int:
        """Return how many pushes of a line lead elsewhere if they do not succeed at once."""
        self.rows[0], self.facts[0] = start
        actions = np.array(line, dtype=np.int64)
        return int(pushes.risks(self.rows, self.facts, self.rules, self.stream, self.journal, actions))

    def mend(self, here: Position, line: list[int], marks: Marks, meter: Meter) -> Mended:
        """Look for other waits with which a line wins from here, if it does not as it is.

        Args:
            marks: where it should lead.
        """
        actions = np.array(line, dtype=np.int64)
        self.rows[0], self.facts[0] = here
        meter.take(int(follow(self.rows[0], self.facts[0], self.rules, self.stream, self.journal, actions)))
        if self.facts[0, STATUS] == WON:
            return Mended(line, marks, len(line), wins=True)
        delays = min(DELAYS, max(FEWEST_DELAYS, MOST_TICKS // (2 * len(line) + 2)))  # two ticks for each, mostly
        steps = np.zeros((len(line) + 1, delays), dtype=np.uint8)
        self.rows[0], self.facts[0] = here
        wins = kernels.repair(
            self.rows[: 2 * delays + 1],
            self.facts[: 2 * delays + 1],
            steps,
            self.rules,
            self.stream,
            self.journal,
            actions,
            marks,
            LEFT_OUT,
            MOST_TICKS,
            self.out,
        )
        meter.take(max(1, int(self.out[kernels.TICKS_USED])))
        done, delay = int(self.out[kernels.REACHED]), int(self.out[kernels.DELAY])
        rest, marks_of_rest = line[done:], marks[done + 1 :]
        mended: list[int] = []
        numbers: list[int] = []  # of the marks
        while done > 0 or delay != LEFT_OUT:
            how = steps[done, delay]
            if how == kernels.SKIPPED:
                done, delay = done - 1, delay + 1
                continue
            numbers.append(done)
            if how == kernels.ACTED:
                mended.append(line[done - 1])
                done -= 1
            else:
                mended.append(0)
                delay -= 1
        numbers.append(0)
        new_marks = np.concatenate([marks[numbers[::-1]], marks_of_rest])
        return Mended([*reversed(mended), *rest], new_marks, len(mended), bool(wins))
