"""BDCFF files -> levels in our text form, one for each cave."""

from __future__ import annotations

from pathlib import Path

from gridsage.core.errors import LevelError
from gridsage.core.room import NamedLevel
from gridsage.games.delirium.bd.bdcff import parsed, sections
from gridsage.games.delirium.level.files import file_text


def read(path: Path) -> list[NamedLevel]:
    """Return the caves of a file, each by the file's name and its number."""
    text = file_text(path)
    try:
        parts = sections(text)
        width = len(str(len(parts)))
        levels = []
        for number, (line, part) in enumerate(parts, 1):
            name = path.stem if len(parts) == 1 else f"{path.stem}-{number:0{width}}"
            warnings = parsed(part, line)[1]  # complaints name the lines of the file
            levels.append(NamedLevel(name, part, warnings))
        return levels
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None
