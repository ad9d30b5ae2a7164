"""How a worker process of the page treats its memory: many games come and go in it, each with large tables."""

from __future__ import annotations

import contextlib
import ctypes

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of mallopt, in glibc
LARGE_BYTES = 256 * 1024
FEW_ARENAS = 2  # the interpreter's lock lets one thread allocate at a time anyway


def map_large_blocks() -> None:
    """Let the C library map every large block by itself, so that it costs what is used of it and goes when it is freed.

    Left alone, glibc keeps freed tables of agents for the next ones and clears them by hand: ten games of Push'em All
    took 127 MB, and 33 MB so.
    """
    with contextlib.suppress(AttributeError, OSError):  # another C library has its own ways
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
        library.mallopt(M_ARENA_MAX, FEW_ARENAS)


def give_back() -> None:
    """Return what is free to the system: loading a room's kernels leaves some 20 MB."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
