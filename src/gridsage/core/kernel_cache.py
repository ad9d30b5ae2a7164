"""Compiled kernels on disk: one file per kernel and signature, each with a checksum of its content."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

CHECKSUM_BYTES = 16
SUFFIX = ".nbc"

used: set[Path] = set()
"""Every file that this process has loaded a kernel from or saved one to."""
unsaved: set[Path] = set()
"""Files that this process could not write."""


class KernelCache(FunctionCache):  # type: ignore[misc]  # Numba has no types
    """Numba's cache of one function, kept in files that never need an index and never load when damaged.

    Numba's own cache trusts its files: a truncated one is a traceback, a flipped byte is wrong machine code. Its folder
    also depends on the path of the source. Here the folder is named by what the sources say, so equal sources share it.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_func = function
        self._name = repr(function)
        self._cache_path = str(folder)
        self._folder = folder
        self.enable()

    def flush(self) -> None:
        """Forget every compiled signature of this function."""
        for path in self._folder.glob(f"{self._stem()}-*{SUFFIX}"):
            path.unlink(missing_ok=True)

    def _stem(self) -> str:
        module = self._py_func.__module__.rpartition(".")[2]
        return f"{module}.{self._py_func.__qualname__}".replace("<", "").replace(">", "")

    def _path(self, key: object) -> Path:
        name = hashlib.blake2b(repr(key).encode(), digest_size=8).hexdigest()
        return self._folder / f"{self._stem()}-{name}{SUFFIX}"

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        key = self._index_key(sig, target_context.codegen())
        path = self._path(key)
        content = content_of(path)
        if content is None:
            return None
        try:
            saved_key, parts = pickle.loads(content)
            result = CompileResult._rebuild(target_context, *parts) if saved_key == key else None
        except Exception:  # whatever an unreadable file raises, the kernel is compiled again
            remove(path)
            return None
        if result is not None:
            used.add(path)
        return result

    def _save_overload(self, sig: Any, result: Any) -> None:
        if result.library.has_dynamic_globals or any(not lifted.can_cache for lifted in result.lifted):
            warnings.warn(f"the kernel {self._name} cannot be kept on disk", stacklevel=2)
            return
        key = self._index_key(sig, result.codegen)
        path = self._path(key)
        kept = write_whole(path, dumps((key, result._reduce())))
        (used if kept else unsaved).add(path)


def content_of(path: Path) -> bytes | None:
    """Return what was saved in `path`, or None if there is no such file or it is damaged; a damaged one is removed."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        data = b""
    checksum, content = data[:CHECKSUM_BYTES], data[CHECKSUM_BYTES:]
    if content and checksum == _checksum(content):
        return content
    remove(path)
    return None


def write_whole(path: Path, content: bytes) -> bool:
    """Save `content` with its checksum, completely or not at all; return False where nothing can be written."""
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_checksum(content) + content)
        os.replace(part, path)
    except OSError:  # a read-only folder or a full disk: the kernel still works, it is only compiled again next time
        remove(part)
        return False
    return True


def remove(path: Path) -> None:
    """Remove `path` if it can be removed."""
    with contextlib.suppress(OSError):
        path.unlink()


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=CHECKSUM_BYTES).digest()
