"""Files that hold classic levels: own text, packs, lists of 448-character strings, and Apple II disk images."""

from __future__ import annotations

import re
from pathlib import Path

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError
from gridsage.core.room import NamedLevel
from gridsage.games.loderunner.classic.layout import COLS, GUARD, MOST_GUARDS, ROWS, RUNNER
from gridsage.games.loderunner.classic.level import COMMENT, SIGNS, parse
from gridsage.games.loderunner.level import level_name

CELLS = ROWS * COLS
MOST_BYTES = 4_000_000
DISK_BYTES = 143_360  # 35 tracks of 16 sectors of 256 bytes
DISK_FIRST = 12_288  # level 1: track 3, sector 0
SECTOR = 256
DISK_LEVELS = 150
QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'")


def read(path: Path) -> list[NamedLevel]:
    """Return the levels in a file, with warnings where something had to be left out."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LevelError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise LevelError(f"{path} has {counted(len(data), 'byte')}: no file of levels is larger than {MOST_BYTES:,}")
    if path.suffix.lower() in (".dsk", ".do"):
        return _read_disk(data, path)
    text = _text(data, path)
    if path.suffix == ".jsonl":
        raise LevelError(f"{path} holds recordings, which are keys and no maps: name the levels they were played on")
    if strings := _strings(text):
        return [_named(f"{path.stem}-{number}", drawn, str(path)) for number, drawn in enumerate(strings, 1)]
    blocks = _blocks(text)
    if len(blocks) < 2:
        return [_named(path.stem, text, str(path))]
    return [
        _named(level_name(title, f"{path.stem}-{number}"), block, f"{path}, level {number}")
        for number, (title, block) in enumerate(blocks, 1)
    ]


def _text(data: bytes, path: Path) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise LevelError(f"{path} is written in UTF-16: expected UTF-8")
    if b"\0" in data:
        raise LevelError(f"{path} is not text: byte {data.index(0)} is NUL")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LevelError(f"{path} is not text: byte {error.start} is {data[error.start]:#04x}") from None


def _named(name: str, text: str, source: str) -> NamedLevel:
    """Return a level in its own text form; guards beyond the fifth are left out with a warning."""
    level = parse(text, source)
    guards = level.codes.count(GUARD)
    if guards <= MOST_GUARDS:
        return NamedLevel(name, level.text)
    warning = f"{source} has {counted(guards, 'guard')}: the first in reading order stay away, {MOST_GUARDS} play"
    rows = "\n".join(level.rows).replace(SIGNS[GUARD], SIGNS[0], guards - MOST_GUARDS)
    return NamedLevel(name, rows + "\n", (warning,))


def _strings(text: str) -> list[str]:
    """Return the maps in quoted strings of 448 signs, or of 28 in groups of sixteen, as JavaScript ports have them."""
    quoted = [first or second for first, second in QUOTED.findall(text)]
    long = [part for part in quoted if len(part) == CELLS]
    if not long:
        long = [line.strip("\r\n") for line in text.splitlines() if len(line) == CELLS]
    rows = [part for part in quoted if len(part) == COLS]
    if not long and rows and len(rows) % ROWS == 0:
        long = ["".join(rows[at : at + ROWS]) for at in range(0, len(rows), ROWS)]
    return ["\n".join(part[at : at + COLS] for at in range(0, CELLS, COLS)) + "\n" for part in long]


def _blocks(text: str) -> list[tuple[str, str]]:
    """Return the maps of a pack, parted by empty lines, each with its first remark as its name."""
    blocks: list[tuple[str, str]] = []
    title, lines = "", list[str]()
    for line in [*text.splitlines(), ""]:
        if line.startswith(COMMENT):
            title = title or line.lstrip(COMMENT).strip()
        elif line or 0 < len(lines) < ROWS:  # an empty line inside a map is a row whose spaces were cut off
            lines.append(line)
        if (not line.startswith(COMMENT) and (len(lines) >= ROWS and not line)) or len(lines) == ROWS:
            blocks.append((title, "\n".join(lines) + "\n"))
            title, lines = "", []
    if any(line.strip() for line in lines):
        blocks.append((title, "\n".join(lines) + "\n"))
    return blocks


def _read_disk(data: bytes, path: Path) -> list[NamedLevel]:
    """Return the levels of a disk image: 224 bytes per sector, two cells per byte, the left one in the low half."""
    if len(data) != DISK_BYTES:
        raise LevelError(f"{path} has {counted(len(data), 'byte')}: a disk image has {DISK_BYTES:,}")
    found: list[NamedLevel] = []
    for number in range(DISK_LEVELS):
        start = DISK_FIRST + number * SECTOR
        drawn = _disk_map(data[start : start + CELLS // 2])
        if drawn is None:
            break
        found.append(_named(f"{path.stem}-{number + 1:03d}", drawn, f"{path}, level {number + 1}"))
    if not found:
        raise LevelError(
            f"{path} holds no level at byte {DISK_FIRST}: expected 224 bytes of cells 0 to 9, one runner (9)"
        )
    return found


def _disk_map(packed: bytes) -> str | None:
    """Return the map in a sector, or None if that is no level."""
    codes = [half for byte in packed for half in (byte & 15, byte >> 4)]
    if max(codes) >= len(SIGNS) or codes.count(RUNNER) != 1:
        return None
    return "\n".join("".join(SIGNS[code] for code in codes[at : at + COLS]) for at in range(0, CELLS, COLS)) + "\n"
