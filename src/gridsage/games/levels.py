"""Levels of a room as people name them: by a shipped name, a number, a file, or as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridsage.core.errors import LevelError, UnknownName, shown, unknown
from gridsage.core.files import NO_FILE, is_other_than_a_file
from gridsage.core.room import NamedLevel, Room

MOST_BYTES = 4_000_000  # no level file is larger
MOST_DIGITS = 6  # of the number of a level
ENDINGS = frozenset(  # of files that hold levels or games
    {".bd", ".csv", ".des", ".do", ".dsk", ".json", ".jsonl", ".map", ".toml", ".trace", ".txt", ".xml"}
)
PART = "#"  # between a file and which of its levels is meant


def is_shipped(room: Room, name: str) -> bool:
    """Return True if the room ships a level of that name or number, those of books and older names included."""
    levels = room.levels
    if name in levels.names() or name in levels.aliases or _numbered(room, name) is not None:
        return True
    return any(name in book.levels for book in levels.books())


def shipped_levels(room: Room, name: str) -> list[NamedLevel] | None:
    """Return the shipped level or the book of that name; None if there is neither."""
    for book in room.levels.books():
        if book.name == name:
            return [shipped_level(room, level) for level in book.levels]
    return [shipped_level(room, name)] if is_shipped(room, name) else None


def shipped_level(room: Room, name: str) -> NamedLevel:
    """Return the shipped level of that name or number, under the name it has now."""
    if not is_shipped(room, name):
        raise no_level(room, name)
    now = room.levels.aliases.get(name) or _numbered(room, name) or name
    return NamedLevel(now, room.levels.text(now))


def no_level(room: Room, name: str) -> UnknownName:
    """Return the error for a word that names no shipped level: for a number it says which there are."""
    names = room.levels.names()
    if names and name.isascii() and name.isdigit():
        return UnknownName(f"{room.name} has no level {name[:MOST_DIGITS]}: expected 1 to {len(names)}")
    return unknown(f"level of {room.name}", name, names)


def _numbered(room: Room, number: str) -> str | None:
    """Return the name of the level with that number from 1; None if there is none."""
    names = room.levels.names()
    if not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS):
        return None
    return names[int(number) - 1] if 1 <= int(number) <= len(names) else None


def part_of_file(text: str) -> tuple[Path, str] | None:
    """`pack.bd#2` -> the file and what names one of its levels; None for anything else."""
    file, sign, part = text.rpartition(PART)
    return (Path(file), part) if sign and part and not _is_file(text) and _is_file(file) else None


def place_of(part: str, found: Sequence[NamedLevel], path: Path) -> int:
    """Return the place of the level in a file that a number from 1 or a name means."""
    if part.isascii() and part.isdigit() and len(part) <= MOST_DIGITS:
        if 1 <= int(part) <= len(found):
            return int(part) - 1
        raise LevelError(f"{path} has no level {part}: expected 1 to {len(found)}")
    names = [level.name for level in found]
    if part not in names:
        raise unknown(f"level of {path}", part, names)
    return names.index(part)


def find_level(room: Room, level: str | int | Path | None = None, seed: int = 1) -> NamedLevel:
    """Return one level: by its name, its number from 1, a file (`pack.bd#2`: its second level) or its
    text; by default the seed's or the first.
    """
    if level is None:
        return room.levels.of_seed(seed) if room.levels.of_seed is not None else find_level(room, 1)
    if isinstance(level, int):
        names = room.levels.names()
        if not 1 <= level <= len(names):
            raise LevelError(f"{room.name} has no level {level}: expected 1 to {len(names)}")
        return shipped_level(room, names[level - 1])
    if isinstance(level, str) and is_shipped(room, level):
        return shipped_level(room, level)
    if isinstance(level, Path) or _is_file(level):
        return read_levels(room, Path(level))[0]
    if (named := part_of_file(level)) is not None:
        found = read_levels(room, named[0])
        return found[place_of(named[1], found, named[0])]
    return typed_level(room, level)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # too long for the name of a file: it is the level itself
        return False


def read_levels(room: Room, path: Path) -> list[NamedLevel]:
    """Return every level in a file, in any format the room reads; errors begin with the file's name."""
    try:
        if is_other_than_a_file(path):
            raise LevelError(f"{path} {NO_FILE}")
        if path.stat().st_size > MOST_BYTES:
            raise LevelError(f"{path}: {path.stat().st_size:,} bytes are too many for a level")
        if room.levels.read is not None:
            return room.levels.read(path)
        found = NamedLevel(path.stem, path.read_text(encoding="utf-8"))
        room.rules.game().parse(found.text)
    except UnicodeDecodeError:
        raise LevelError(f"{path}: not a text file") from None
    except OSError as error:
        raise LevelError(f"{path}: {error.strerror}") from None
    except LevelError as error:
        raise LevelError(str(error) if str(path) in str(error) else f"{path}: {error}") from None
    return [found]


def typed_level(room: Room, text: str) -> NamedLevel:
    """Return the level that the text itself is; the error for a name that is none says so."""
    try:
        room.rules.game().parse(text)
    except LevelError as error:
        if is_other_than_a_file(Path(text)):
            raise LevelError(f"{shown(text)} {NO_FILE}") from None
        if _looks_like_a_path(text):
            raise LevelError(f"no such file: {shown(text)}") from None
        if text.isascii() and text.isdigit():
            raise no_level(room, text) from None
        raise LevelError(f"{no_level(room, text)}; nor is it a file; read as a level itself: {error}") from None
    return NamedLevel("typed", text)


def _looks_like_a_path(text: str) -> bool:
    """Return True for a word with a slash or with the ending of a file."""
    return "\n" not in text and ("/" in text or Path(text).suffix.lower() in ENDINGS)
