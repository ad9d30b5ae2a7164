"""Plans to shut amoeba in, tried out: it grows by chance, and pushes fail by chance."""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.cells import DIAMOND, EXIT_OPEN, EXIT_SHUT, KIND_MASK
from gridsage.games.delirium.bd.kernels.boards import Ground
from gridsage.games.delirium.bd.kernels.chance import Number, Stream
from gridsage.games.delirium.bd.kernels.pens import enclosed
from gridsage.games.delirium.bd.kernels.plan import flood, ticks_left
from gridsage.games.delirium.bd.kernels.pushes import is_push
from gridsage.games.delirium.bd.kernels.tick import NEEDED, SIZE, Cells, Facts, Journal, Rules, copy_position, tick
from gridsage.games.delirium.bd.state import AMOEBA_COUNT, DIAMONDS, PLAYING, PUSHES, ROCKFORD_AT, TICKS

MOST_FAILURES = 24  # of one push
CERTAIN = 1000  # what the best plan is worth
TICKS_FOR_A_DIAMOND, TICKS_FOR_THE_EXIT = 8, 60  # that must be left when amoeba has turned into diamonds


@borrowing_kernel
def played(cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal, line: NDArray[np.int64]) -> bool:
    """Play a line in place, each push until it succeeds; return True if Rockford lives."""
    for action in line:
        pushes, is_tried = facts[PUSHES], is_push(cells, facts, action)
        for _ in range(MOST_FAILURES if is_tried else 1):
            if tick(cells, facts, rules, stream, journal, action) != PLAYING:
                return False
            if facts[PUSHES] > pushes:
                break
    return True


@borrowing_kernel
def waited(cells: Cells, facts: Facts, rules: Rules, stream: Stream, journal: Journal) -> bool:
    """Stand still until there is no amoeba; return True if Rockford lives and has time to collect what it became."""
    while tick(cells, facts, rules, stream, journal, 0) == PLAYING:
        missing = rules[NEEDED] - facts[DIAMONDS]
        if ticks_left(facts, rules) < TICKS_FOR_A_DIAMOND * missing + TICKS_FOR_THE_EXIT:
            return False
        if facts[AMOEBA_COUNT] == 0:
            return True
    return False


@borrowing_kernel
def in_reach(cells: Cells, facts: Facts, rules: Rules, ground: Ground) -> tuple[Number, bool]:
    """Return how many diamonds can be walked to, and True if an exit can."""
    diamonds, has_exit = np.int64(0), False
    reached = flood(cells, rules, facts[ROCKFORD_AT], ground.walk[: rules[SIZE]], ground.queue)
    for i in range(reached):
        kind = cells[ground.queue[i]] & KIND_MASK
        diamonds += kind == DIAMOND
        has_exit |= kind == EXIT_SHUT or kind == EXIT_OPEN
    return diamonds, has_exit


@borrowing_kernel
def worth_of_fence(
    rows: NDArray[np.uint8],
    row_facts: NDArray[np.int64],
    rules: Rules,
    stream: Stream,
    journal: Journal,
    ground: Ground,
    line: NDArray[np.int64],
    trials: int,
) -> tuple[Number, Number]:
    """Return how good a plan to shut amoeba in is, up to CERTAIN, and the ticks that were played to find out.

    In each trial the line is played and what amoeba becomes is waited for. It counts by the diamonds that can be walked
    to then, and half if the exit cannot.

    Args:
        rows: the first holds the position to begin at, the second is used.
    """
    total, ticks = np.int64(0), np.int64(0)
    cells, facts = rows[1], row_facts[1]
    for _ in range(trials):
        copy_position(cells, facts, rows[0], row_facts[0])
        ticks -= facts[TICKS]
        if played(cells, facts, rules, stream, journal, line):
            _, is_shut = enclosed(cells, rules, ground.pen)
            if is_shut and waited(cells, facts, rules, stream, journal):
                wanted = max(np.int64(1), rules[NEEDED] - facts[DIAMONDS])
                diamonds, has_exit = in_reach(cells, facts, rules, ground)
                total += CERTAIN * min(diamonds, wanted) // (wanted if has_exit else 2 * wanted)
        ticks += facts[TICKS]
    return total // trials, ticks
