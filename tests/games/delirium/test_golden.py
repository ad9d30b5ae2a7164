"""Every shipped level has a stored winning game that replays to the same end."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridsage.core.trace import decode, verify
from gridsage.games import catalog

GOLDEN = Path(__file__).parents[2] / "golden" / "delirium"
LEVELS = catalog.room("delirium").levels.names()


def test_at_least_twenty_levels_are_shipped():
    assert len(LEVELS) >= 20


@pytest.mark.parametrize("name", LEVELS)
def test_the_stored_game_wins_the_shipped_level(name):
    room = catalog.room("delirium")
    trace = decode((GOLDEN / f"{name}.trace").read_bytes(), name)
    assert trace.level == room.levels.text(name), "the level was changed after its game was stored"
    assert verify(trace, room.rules.game(), catalog.options(room, trace.options)) == len(trace.actions)
    assert trace.outcome.winner == 0
