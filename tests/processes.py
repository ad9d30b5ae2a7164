"""Processes that may end while they are looked at."""

from __future__ import annotations

import psutil


def words_of(process: psutil.Process) -> list[str]:
    """The command line of a process; nothing if it has ended, perhaps just now."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []
