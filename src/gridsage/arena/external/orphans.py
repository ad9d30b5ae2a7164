"""Processes that agents leave behind: found by who adopts them, and ended."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path

SET_CHILD_SUBREAPER = 36  # of prctl
SET_DEATH_SIGNAL = 1
SWEEP_SECONDS = 0.09
LOOK_SECONDS = 0.001
started: set[int] = set()  # children that we started in sessions of their own and that still play


_adopting = 0  # how many want it now


def adopt() -> None:
    """Let orphans among our descendants become our own children, so that they can be found."""
    global _adopting
    _adopting += 1
    if _adopting == 1:
        _prctl(SET_CHILD_SUBREAPER, 1)


def release(before: set[int]) -> None:
    """Adopt nobody any more, once nobody else wants it, and bury those adopted since `before` was noted."""
    global _adopting
    _adopting -= 1
    if _adopting == 0:
        _prctl(SET_CHILD_SUBREAPER, 0)
    for pid in children(dead=True) - before - started:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent's thread ends."""
    _prctl(SET_DEATH_SIGNAL, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def children(*, dead: bool = False) -> set[int]:
    """Return the process numbers of our children that are in other sessions than we are."""
    if not sys.platform.startswith("linux"):
        return set()
    table = _table(dead=dead)
    return {pid for pid, (parent, session) in table.items() if parent == os.getpid() and session != os.getsid(0)}


def _table(*, dead: bool = False) -> dict[int, tuple[int, int]]:
    """Return (parent, session) of every process that is alive, or waits to be buried if `dead`."""
    found: dict[int, tuple[int, int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            state, parent, _, session = path.read_text(errors="replace").rpartition(")")[2].split()[:4]
            if (state == "Z") == dead:
                found[int(path.parent.name)] = (int(parent), int(session))
    return found


def _below(root: int, table: dict[int, tuple[int, int]]) -> set[int]:
    """Return every process of the table that descends from `root`."""
    found = {root}
    while more := {pid for pid, (parent, _) in table.items() if parent in found} - found:
        found |= more
    return found - {root}


def see_end(pid: int, seconds: float) -> None:
    """Wait until a process has ended, and bury it if it has become ours."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            state, parent = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
        except OSError:
            return
        if state == "Z":
            if int(parent) == os.getpid():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            return
        time.sleep(LOOK_SECONDS)


def kill_group(pid: int) -> None:
    """Kill the session leader `pid` with its whole group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def end_family(pid: int, before: set[int]) -> None:
    """Kill `pid`, its group, all who descend from it, and those it has orphaned: children that we did not have before.

    Args:
        before: our children in other sessions when `pid` was started.
    """
    family = _below(pid, _table()) if sys.platform.startswith("linux") else set()
    kill_group(pid)
    until = time.monotonic() + SWEEP_SECONDS
    while sys.platform.startswith("linux"):
        table = _table()
        orphans = {
            each
            for each, (parent, session) in table.items()
            if parent == os.getpid() and session != os.getsid(0) and each not in before | started | {pid}
        }
        left = (family & table.keys()) | orphans | {each for orphan in orphans for each in _below(orphan, table)}
        for each in left - {pid}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(each, os.WNOHANG)
        if not left - {pid} or time.monotonic() > until:
            return


def end_descendants(seconds: float) -> None:
    """Kill everything that descends from this process, which must have adopted orphans, until nothing is left."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and (left := _below(os.getpid(), _table())):
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(LOOK_SECONDS)
