"""What stands at a path that somebody named, before anything is read from it."""

from __future__ import annotations

from pathlib import Path

NO_FILE = "is no regular file"


def is_other_than_a_file(path: Path) -> bool:
    """Return True if something is there and is no regular file: a pipe or a device might be read for ever."""
    try:
        return path.exists() and not path.is_file()
    except (OSError, ValueError):  # far too long for a path, or with a zero byte
        return False
