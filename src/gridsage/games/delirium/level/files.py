"""Any level file -> levels in our text form."""

from __future__ import annotations

from pathlib import Path

from gridsage.core.errors import LevelError
from gridsage.core.room import NamedLevel
from gridsage.games.delirium.level.cells import Level
from gridsage.games.delirium.level.text import doubts, level_text, parse
from gridsage.games.delirium.level.xml import read_xml

MAX_BYTES = 20_000_000


def read(path: Path) -> list[NamedLevel]:
    """The levels in a file, by what it contains: XML map, BDCFF caves, a scenario, or our own text."""
    text = _text(path)
    try:
        return _levels(path, text)
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None


def _levels(path: Path, text: str) -> list[NamedLevel]:
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith("<"):
        level, warnings = read_xml(text)
        return [_named(path.stem, level, warnings)]
    level = parse(text)
    return [_named(path.stem, level, [])]


def _named(name: str, level: Level, warnings: list[str]) -> NamedLevel:
    found = [doubt for gallery in level.galleries for doubt in doubts(gallery)]
    return NamedLevel(name, level_text(level), (*warnings, *found))


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LevelError(f"{path}: {path.stat().st_size} bytes are too many for a level, at most {MAX_BYTES}")
        data = path.read_bytes()
    except OSError as error:
        raise LevelError(f"{path}: cannot be read: {error.strerror}") from None
    if b"\x00" in data[:1000]:
        raise LevelError(f"{path}: this is no text; expected an XML map, BDCFF caves, a scenario or our text form")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
