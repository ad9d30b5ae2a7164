"""What a trap costs, and how fast a place loses its promise while it is searched in vain."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from drawing import drawn, far

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.level import CELLS, COLS


def test_a_brave_hero_pays_forty_turns_for_a_trap_and_a_timid_one_never_enters():
    memory, named = drawn("@^A")
    assert far(memory, named["@"], brave=1)[0][named["A"]] == 42
    assert far(memory, named["@"], brave=0)[0][named["A"]] >= kn.FAR


@pytest.mark.parametrize(("share", "best"), [(0.99, "searched"), (1.01, "fresh")])
def test_each_turn_of_searching_leaves_six_sevenths_of_the_odds(share, best):
    memory = np.zeros((kn.PLANES, CELLS), np.int32)
    memory[kn.TERRAIN] = kn.FLOOR
    searched, fresh = 5 * COLS + 10, 5 * COLS + 40
    dist = np.full(CELLS, kn.FAR, np.int32)
    dist[[searched, fresh]] = 3
    odds = np.zeros(CELLS)
    odds[searched + 1] = 0.5
    kn.note_search(memory, searched, 5)
    odds[fresh + 1] = 0.5 * (6 / 7) ** 5 * share
    assert kn.best_search(memory, dist, odds) == {"searched": searched, "fresh": fresh}[best]
