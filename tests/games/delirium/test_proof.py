"""The tick against logs of the real 2009 engine, where they are on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
import delirium_proof

LEAST_SHARE = 0.995  # the lower thing first; the upper one first gives 0.994


@pytest.mark.parametrize("engine", sorted(delirium_proof.ENGINES))
def test_the_logged_transitions_are_reproduced_explosions_included(engine, shared_data):
    folder = shared_data / "delirium" / "traces"
    score = delirium_proof.check_folder(folder, delirium_proof.ENGINES[engine], delirium_proof.codes.OLD_ENGINE)
    assert score.transitions > 1000
    assert score.explosions >= 3
    assert score.exact / score.transitions >= LEAST_SHARE


@pytest.mark.parametrize("other", [{}, {"blue_rests": False, "explosion_ticks": 0}], ids=["blue rests", "no delay"])
def test_other_rules_fit_the_logs_worse(other, shared_data):
    folder, predict = shared_data / "delirium" / "traces", delirium_proof.predicted_by_kernel
    best = delirium_proof.check_folder(folder, predict, delirium_proof.codes.OLD_ENGINE)
    score = delirium_proof.check_folder(folder, predict, delirium_proof.codes.Options(**other))
    assert score.exact < best.exact
