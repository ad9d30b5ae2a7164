"""Agents that are command lines: how one is recognised, its words, the folder it lives in, a digest of its files."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gridsage.core.errors import OptionError, shown

PREFIX = "cmd:"
CLASS_IN_FILE = re.compile(r"(?P<path>[^:]+\.py)(:[^:/\s=]*)?(:\w+=.*)?", re.DOTALL)
WORD_WITH_SETTINGS = re.compile(r"[^\s/:]+:.*", re.DOTALL)  # a value may well have a slash
MOST_FILES, MOST_BYTES = 1_000, 64 << 20  # of a folder that is taken for the agent's own
NOT_ITS_OWN = frozenset({"__pycache__", "node_modules", "target"})  # folders that tools fill


def is_command(name: str) -> bool:
    """Return True if `name` is a command line: it begins with `cmd:`, or has a space or a slash and is no class."""
    if name.startswith(PREFIX):
        return True
    if WORD_WITH_SETTINGS.fullmatch(name):
        return False
    found = CLASS_IN_FILE.fullmatch(name)
    if found is not None and (" " not in name or exists(Path(found["path"]))):
        return False
    return " " in name or "/" in name


def words(name: str) -> list[str]:
    """Return the words of a command line as a shell would split them."""
    text = name.removeprefix(PREFIX)
    try:
        found = shlex.split(text)
    except ValueError as error:
        raise OptionError(f"the command {shown(text)} cannot be split into words: {error}") from None
    if not found:
        raise OptionError(f"an agent's command is empty: {shown(name)}")
    return found


def named_paths(command: list[str]) -> list[Path]:
    """Return the files and folders that the words of a command name, the program itself only if it has a slash."""
    named = [word for place, word in enumerate(command) if (place or "/" in word) and not word.startswith("-")]
    return [path.absolute() for path in map(Path, named) if exists(path)]


def folder(paths: list[Path]) -> Path | None:
    """Return the folder that the agent may read as its own: that of the first path, unless it holds a whole home."""
    if not paths:
        return None
    first = paths[0]
    own = first if first.is_dir() else first.parent
    return own if is_own(own) else None


def is_own(path: Path) -> bool:
    """Return False for folders that hold far more than an agent: a home, the temporary folder and what is above."""
    real = Path(os.path.realpath(path))
    wide = [Path(os.path.realpath(each)) for each in (Path.home(), tempfile.gettempdir())]
    return not any(real == each or real in each.parents for each in wide)


def digest(paths: list[Path]) -> bytes:
    """Return a digest of an agent's files: its folder if that is small, and in any case what its words name."""
    made = hashlib.blake2b(digest_size=16)
    own = folder(paths)
    for root in [*([own] if own is not None else []), *paths]:
        for path in files_below(root):
            made.update(f"{path.relative_to(root)}\0".encode(errors="surrogateescape"))
            made.update(_content(path))
    return made.digest()


def files_below(root: Path) -> list[Path]:
    """Return the files of a folder in order, or the file itself; nothing for a folder too large to be an agent's."""
    if root.is_file():
        return [root]
    found: list[Path] = []
    size = 0
    for path in _walk(root):
        found.append(path)
        size += path.stat().st_size
        if len(found) > MOST_FILES or size > MOST_BYTES:
            return []
    return found


def _walk(root: Path) -> Iterator[Path]:
    for folder_name, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in NOT_ITS_OWN)
        for name in sorted(files):
            path = Path(folder_name) / name
            if path.is_file() and not name.startswith("."):
                yield path


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # what cannot be read cannot be played either: the game will say so


def exists(path: Path) -> bool:
    """Return True if something is there; no file can have a path that is far too long or holds a zero byte."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
