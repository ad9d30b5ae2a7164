"""Any level file -> levels in our text form."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from gridsage.core.errors import LevelError, shown
from gridsage.core.files import NO_FILE
from gridsage.core.room import NamedLevel
from gridsage.games.delirium.level.bdcff import read_bdcff
from gridsage.games.delirium.level.cells import Gallery, Level
from gridsage.games.delirium.level.text import doubts, level_text, parse
from gridsage.games.delirium.level.xml import read_xml

MAX_BYTES = 20_000_000
SCENARIO = re.compile(r"scenario\s*:", re.IGNORECASE)
BDCFF = re.compile(r"^\s*\[(BDCFF|game|cave)\]", re.MULTILINE | re.IGNORECASE)


def read(path: Path) -> list[NamedLevel]:
    """The levels in a file, by what it contains: XML map, BDCFF caves, a scenario, or our own text."""
    text = file_text(path)
    try:
        return _levels(path, text)
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None


def belongs(path: Path) -> str | None:
    """Return the room of Boulder Dash for a file with its caves, which are played under their own rules by default."""
    try:
        return "delirium-bd" if _is_bdcff(file_text(path)) else None
    except LevelError:
        return None  # whoever reads it tells what is wrong with it


def _is_bdcff(text: str) -> bool:
    head = text.lstrip("\ufeff \t\r\n")
    return not SCENARIO.match(head) and not head.startswith("<") and BDCFF.search(text) is not None


def _levels(path: Path, text: str) -> list[NamedLevel]:
    head = text.lstrip("\ufeff \t\r\n")
    if SCENARIO.match(head):
        return [_scenario(path, text)]
    if head.startswith("<"):
        level, warnings = read_xml(text)
        return [_named(path.stem, level, warnings)]
    if _is_bdcff(text):
        caves = read_bdcff(text)
        width = len(str(len(caves)))
        return [
            _named(path.stem if len(caves) == 1 else f"{path.stem}-{number:0{width}}", level, warnings)
            for number, (_, level, warnings) in enumerate(caves, 1)
        ]
    return [_named(path.stem, parse(text), [])]


def _scenario(path: Path, text: str) -> NamedLevel:
    """An ordered list of level files, played through one after another: one file name a line after `scenario:`."""
    galleries: list[Gallery] = []
    warnings: list[str] = []
    title = path.stem
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.strip().lstrip("\ufeff")
        if not entry or entry.startswith("//"):
            continue
        if SCENARIO.match(entry):
            title = entry.partition(":")[2].strip() or title
            continue
        part = path.parent / entry
        if part.resolve() == path.resolve():
            raise LevelError(f"line {number}: the scenario names itself; expected another level file")
        part_text = file_text(part, f"line {number}: ")
        if SCENARIO.match(part_text.lstrip("\ufeff \t\r\n")):
            raise LevelError(f"line {number}: {shown(entry)} is a scenario itself; list its levels instead")
        for level in _levels(part, part_text):
            galleries.extend(parse(level.text).galleries)
            warnings.extend(f"{entry}: {warning}" for warning in level.warnings)
    if not galleries:
        raise LevelError("line 1: the scenario lists no level; put one file name a line below it")
    return NamedLevel(path.stem, f"// {title}\n" + level_text(Level(tuple(galleries))), tuple(warnings))


def _named(name: str, level: Level, warnings: list[str]) -> NamedLevel:
    found = [doubt for gallery in level.galleries for doubt in doubts(gallery)]
    return NamedLevel(name, level_text(level), (*warnings, *found))


def file_text(path: Path, where: str = "") -> str:
    """Return the text of a level file, or complain about what cannot be one."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # opening a named pipe would wait for ever
            raise LevelError(f"{where}{path} {NO_FILE}; expected a file with a level")
        if about.st_size > MAX_BYTES:
            raise LevelError(f"{where}{path}: {about.st_size:,} bytes are too many, at most {MAX_BYTES:,}")
        data = path.read_bytes()
    except OSError as error:
        raise LevelError(f"{where}{path}: cannot be read: {error.strerror}") from None
    if b"\x00" in data[:1000]:
        raise LevelError(
            f"{where}{path}: this is no text; expected an XML map, BDCFF caves, a scenario or our text form"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
