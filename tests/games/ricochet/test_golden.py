from __future__ import annotations

from pathlib import Path

import pytest

from gridsage.core.trace import decode, verify
from gridsage.games import catalog

TRACES = sorted((Path(__file__).parents[2] / "golden" / "ricochet").glob("*.trace"))


def test_there_are_traces():
    assert len(TRACES) >= 20


@pytest.mark.parametrize("path", TRACES, ids=[path.stem for path in TRACES])
def test_a_stored_game_still_plays_to_the_same_end(path):
    trace = decode(path.read_bytes(), path.name)
    room = catalog.room(trace.game)
    assert verify(trace, room.rules.game(), catalog.options(room, trace.options)) == len(trace.actions)
    assert trace.outcome.winner is not None
