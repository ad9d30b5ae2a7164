"""Whole traces that must replay to the same end."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from gridsage.core.trace import decode, verify
from gridsage.games import catalog
from gridsage.games.nethack import ROOM

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "nethack"
RECORDED_ON = "aarch64"


@pytest.mark.parametrize("name", ["door", "dungeon"])
def test_a_stored_trace_replays_to_the_same_end(name):
    if platform.machine() != RECORDED_ON:
        pytest.skip(f"recorded on {RECORDED_ON}: whether the C game repeats exactly elsewhere was never measured")
    trace = decode((GOLDEN / f"{name}.trace").read_bytes(), name)
    assert verify(trace, ROOM.rules.game(), catalog.options(ROOM, trace.options)) == len(trace.actions)
