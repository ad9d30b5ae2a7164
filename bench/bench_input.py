"""What the scripts here read from files and flags, with complaints that name the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gridsage.core.errors import OptionError, shown


def records(path: Path, *needed: str) -> list[dict[str, Any]]:
    """Return the JSON objects of a file, one per line; each must have the keys that are needed."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise OptionError(f"{path}: not a text file") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            raise OptionError(f"{path}: line {number} is no JSON, expected an object per line: {shown(line)}") from None
        if not isinstance(record, dict):
            raise OptionError(f"{path}: line {number} is no JSON object: {shown(line)}")
        if missing := [key for key in needed if key not in record]:
            raise OptionError(f"{path}: line {number} lacks {missing[0]!r}, which every record here has")
        found.append(record)
    return found


def seeds(text: str) -> range:
    """`7` -> 7, `5-9` -> 5 to 9."""
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last.isdecimal() or not dash)) or int(last or first) < int(first):
        raise OptionError(f"--seeds {shown(text)}: expected a number such as 7 or a range such as 5-9")
    return range(int(first), int(last or first) + 1)
