"""Fixtures for agents in processes: each set of walls that this machine has."""

from __future__ import annotations

import psutil
import pytest

from gridsage.arena.conditions import Conditions
from gridsage.arena.external import walls
from gridsage.core.errors import MissingPart


def _stands(mode: str) -> bool:
    try:
        return walls.standing(mode) is not None
    except MissingPart:
        return False


@pytest.fixture(params=["auto", "none"])
def conditions(request: pytest.FixtureRequest) -> Conditions:
    """Walls as they stand here, and none at all but session and clock."""
    if not _stands(request.param):
        pytest.skip(f"agents cannot be started with --walls {request.param} on this machine")
    return Conditions(walls=request.param, begin=5.0, bank=0.0)


@pytest.fixture
def box() -> Conditions:
    """Conditions with bubblewrap, or a skipped test."""
    if not _stands("auto") or not walls.standing("auto").has_box:
        pytest.skip("bubblewrap is not installed or does not work on this machine")
    return Conditions(begin=5.0, bank=0.0)


@pytest.fixture(autouse=True)
def no_orphans(tmp_path):
    """See that a test leaves no process behind, whoever adopted it."""
    before = {process.pid for process in psutil.process_iter()}
    yield
    left = [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if process.pid not in before
        and _is_bots(process, str(tmp_path))
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]
    assert not left, f"processes were left behind: {left}"


def _is_bots(process: psutil.Process, folder: str) -> bool:
    words = " ".join(process.info["cmdline"] or ())
    return folder in words or "orphan-of-a-bot" in words
