"""Whole games that must replay to the same end."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridsage.core.room import parse_options
from gridsage.core.trace import decode, verify
from gridsage.games.pushem.level import Options
from gridsage.games.pushem.rules import GAME

TRACES = sorted((Path(__file__).parents[2] / "golden" / "pushem").glob("*.trace"))


def test_there_are_stored_games() -> None:
    assert len(TRACES) >= 3


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_stored_game_replays_to_its_end(path: Path) -> None:
    trace = decode(path.read_bytes(), path.name)
    assert verify(trace, GAME, parse_options(Options, trace.options, "pushem")) == len(trace.actions)
