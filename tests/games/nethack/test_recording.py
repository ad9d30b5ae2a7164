"""Traces written as ttyrec3 and xlogfile."""

from __future__ import annotations

import pytest

from gridsage.arena.match import play
from gridsage.core.errors import TraceError
from gridsage.core.trace import AgentSpec, Episode
from gridsage.games.nethack.recording import KEYS, SCREEN, frames, record


@pytest.fixture(scope="module")
def trace():
    return play(Episode("nethack", "", "", 5, (AgentSpec("explorer"),), max_steps=60)).trace


def test_a_recording_holds_the_keys_and_the_screen(trace, tmp_path):
    ttyrec, xlogfile = record(trace, tmp_path / "out")
    found = list(frames(ttyrec))
    pressed = [data[0] for channel, data in found if channel == KEYS]
    shown = b"".join(data for channel, data in found if channel == SCREEN)
    assert b"Dlvl:1" in shown
    rest = iter(pressed)
    assert all(key in rest for key in trace.actions), "every key of the trace, in order"
    line = xlogfile.read_text()
    assert "name=Agent" in line and "death=quit" in line


def test_a_trace_of_another_game_is_refused(trace, tmp_path):
    import msgspec

    with pytest.raises(TraceError, match="only NetHack"):
        record(msgspec.structs.replace(trace, game="chess"), tmp_path)
