"""Traces written as ttyrec3 and xlogfile."""

from __future__ import annotations

import subprocess
import sys

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


def test_recordings_are_found_by_the_communitys_dataset(trace, tmp_path):
    """Asked of nle in a process of its own: this one shall never load it."""
    record(trace, tmp_path / "games" / "one")
    program = (
        "import sys\n"
        "from nle import dataset as nld\n"
        "nld.db.create(sys.argv[1])\n"
        "nld.populate_db.add_nledata_directory(sys.argv[2], 'ours', sys.argv[1])\n"
        "with nld.db.db(filename=sys.argv[1]) as conn: print('found', nld.db.count_games('ours', conn=conn))\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", program, str(tmp_path / "ttyrecs.db"), str(tmp_path / "games")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "found 1" in done.stdout, done.stderr[-500:]


def test_a_trace_of_another_game_is_refused(trace, tmp_path):
    import msgspec

    with pytest.raises(TraceError, match="only NetHack"):
        record(msgspec.structs.replace(trace, game="chess"), tmp_path)
