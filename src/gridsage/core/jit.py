"""The one place that knows Numba: the `@kernel` decorator, its disk cache, and the announced first compilation.

Numba's disk cache does not see edits in other files, so each room has a cache folder of its own, named by a digest of
the room's kernel sources, the shared ones and the versions of Python and Numba.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])
Progress = Callable[[str, int, int], None]

PACKAGE = Path(__file__).resolve().parent.parent
_decorating = threading.Lock()
KERNEL_FILES = ("kernels*.py", "kernels/**/*.py")
OLD_FOLDER_SECONDS = 14 * 24 * 3600.0


def cache_root() -> Path:
    """The folder that holds every compiled kernel: `GRIDSAGE_CACHE`, or the user's cache folder."""
    return (
        Path(os.environ.get("GRIDSAGE_CACHE") or platformdirs.user_cache_dir("gridsage", appauthor=False)) / "kernels"
    )


def kernel_sources(room: str) -> list[Path]:
    """Every file whose edit makes the compiled kernels of `room` stale: the room's, its variants', the shared ones."""
    folder = PACKAGE / "games" / room
    own = sorted(path for place in ("", "*/") for form in KERNEL_FILES for path in folder.glob(place + form))
    return [*own, *sorted((PACKAGE / "search").glob("kernels*.py")), Path(__file__).resolve()]


def cache_folder(room: str) -> Path:
    """The cache folder of `room` for exactly these sources and versions."""
    return cache_root() / f"{room}-{_digest(room)}"


@functools.cache
def _digest(room: str) -> str:
    digest = hashlib.sha256(f"{sys.version_info[:2]} {version('numba')} {version('numpy')}".encode())
    for path in kernel_sources(room):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kernel(function: Function) -> Function:
    """Compile `function` on its first call, without the GIL, and keep the machine code in the room's cache folder."""
    import numba

    room = _room_of(function.__module__)
    folder = cache_folder(room)
    # Numba reads CACHE_DIR while it decorates; restoring it keeps one folder per room. It is one for all threads.
    with _decorating:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            compiled: Function = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        finally:
            numba.config.CACHE_DIR = before
    return compiled


def inlined(function: Function) -> Function:
    """Compile `function` into every kernel that calls it: for small pieces called in the innermost loops."""
    import numba

    compiled: Function = numba.njit(inline="always", nogil=True, error_model="numpy")(function)
    return compiled


def is_compiled(room: str) -> bool:
    """Whether `warm_up` has already run on this machine for exactly these sources."""
    return (cache_folder(room) / "ready").exists()


def warm_up(room: str, steps: Sequence[tuple[str, Callable[[], object]]], progress: Progress | None = None) -> None:
    """Run every step once so that each kernel is compiled or loaded, and remember that it was.

    Args:
        steps: what is compiled, in words, and a call that makes Numba compile it.
        progress: called with (words, steps done, steps in all), before each step and once at the end.
    """
    for done, (words, call) in enumerate(steps):
        if progress is not None:
            progress(words, done, len(steps))
        call()
    if progress is not None:
        progress("ready", len(steps), len(steps))
    folder = cache_folder(room)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ready").touch()
    _remove_old_folders(room, keep=folder)


def _room_of(module: str) -> str:
    """`gridsage.games.ricochet.kernels` -> `ricochet`; shared kernels live in `shared`."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["gridsage", "games"] and len(parts) > 2 else "shared"


def _remove_old_folders(room: str, keep: Path) -> None:
    now = time.time()
    for folder in cache_root().glob(f"{room}-*"):
        ready = folder / "ready"
        stamp = ready if ready.exists() else folder
        if folder != keep and now - stamp.stat().st_mtime > OLD_FOLDER_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
