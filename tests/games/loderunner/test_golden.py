"""Every shipped level has been won, and the win replays to the same end."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridsage.core.trace import decode, verify
from gridsage.games.loderunner import ROOM
from gridsage.games.loderunner.level import Options

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "loderunner"


def test_there_are_at_least_fifteen_levels():
    assert len(ROOM.levels.names()) >= 15


@pytest.mark.parametrize("name", ROOM.levels.names())
def test_the_stored_win_of_a_shipped_level_replays(name):
    trace = decode((FOLDER / f"{name}.trace").read_bytes(), name)
    assert trace.level == ROOM.levels.text(name)
    assert trace.outcome.winner == 0
    assert verify(trace, ROOM.rules.game(), Options()) == len(trace.actions)
