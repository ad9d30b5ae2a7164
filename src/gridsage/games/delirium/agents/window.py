"""A part of a large map around the miner as a small map of its own: plans cost what they see, not what there is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level.cells import BORDER, MINER, MONSTERS, NO_LIMIT, UNKNOWN, Gallery, Options
from gridsage.games.delirium.rules import facts_length, rules_array
from gridsage.games.delirium.state import (
    DIAMONDS,
    FIRST_MONSTER,
    KILLS,
    MINER_AT,
    MONSTER_COUNT,
    NOT_MOVED,
    STATUS,
    TICKS,
    TIME,
)

LARGE = 6_000  # cells; smaller maps are planned on as a whole
ROWS_AROUND, COLS_AROUND = 18, 24
MONSTER_STEP = 8

Scene = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]


def scene(cells: NDArray[np.uint8], facts: NDArray[np.int64], rules: NDArray[np.int64], options: Options) -> Scene:
    """The position itself, or on a large map what lies around the miner, with unknown cells where it is cut."""
    if len(cells) <= LARGE:
        return cells, facts, rules
    cols = int(rules[kernels.COLS])
    rows = len(cells) // cols
    row, col = divmod(int(facts[MINER_AT]), cols)
    top, left = max(0, row - ROWS_AROUND), max(0, col - COLS_AROUND)
    bottom, right = min(rows, row + ROWS_AROUND + 1), min(cols, col + COLS_AROUND + 1)
    part = cells.reshape(rows, cols)[top:bottom, left:right].copy()
    for line, at_edge in ((part[0], top == 0), (part[-1], bottom == rows)):
        line[:] = line if at_edge else UNKNOWN
    for line, at_edge in ((part[:, 0], left == 0), (part[:, -1], right == cols)):
        line[:] = line if at_edge else UNKNOWN
    # a picture of unknown cells needs something solid behind it
    part = np.pad(part, 1, constant_values=BORDER)
    small = part.ravel()
    headings = _headings(facts, rules, cols, top - 1, left - 1, part.shape[1])
    monsters = np.flatnonzero(np.isin(small, MONSTERS)).tolist()
    room = -(-len(monsters) // MONSTER_STEP) * MONSTER_STEP
    gallery = Gallery("window", part.shape[0], part.shape[1], b"", int(rules[kernels.NEEDED]), NO_LIMIT)
    small_rules = rules_array(gallery, options, room)
    small_facts = np.zeros(facts_length(small_rules), dtype=np.int64)
    for fact in (TICKS, DIAMONDS, TIME, STATUS, KILLS):
        small_facts[fact] = facts[fact]
    small_facts[MINER_AT] = int(np.flatnonzero(small == MINER)[0])
    small_facts[FIRST_MONSTER : FIRST_MONSTER + room] = -1
    for number, cell in enumerate(monsters):
        small_facts[FIRST_MONSTER + number] = cell << 3 | headings.get(cell, NOT_MOVED)
    kernels.mark_all(small, small_facts, small_rules)
    return small, small_facts, small_rules


def _headings(
    facts: NDArray[np.int64], rules: NDArray[np.int64], cols: int, top: int, left: int, width: int
) -> dict[int, int]:
    found = {}
    for packed in facts[FIRST_MONSTER : FIRST_MONSTER + int(rules[MONSTER_COUNT])].tolist():
        if packed >= 0:
            row, col = divmod(packed >> 3, cols)
            found[(row - top) * width + col - left] = packed & 7
    return found
