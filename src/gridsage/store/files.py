"""Files of games: named by the hash of their traces, with everything else that is known on a second line.

A game is gzip'd JSON of two lines. The first is the trace, whose hash is the game's name. The second, the notes, holds
what must not be hashed: figures, times, the digest of the code, whether the game was imported, the agents' log. So an
index can always be made anew from the files alone, and `zcat FILE | head -1` is still a trace.

A single game is a file of its own. Many that are kept at once share a pack: the same bytes one after the other, each
after a short header. Both are written under another name and then renamed, so they are there whole or not at all.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from gridsage.core.complaints import in_words
from gridsage.core.errors import StoreError, TraceError
from gridsage.core.trace import NOTES, Result, Trace, content_hash, decode_plain, unpacked

FORMAT = 2  # of the notes; files of the first format have none
SUFFIX = ".trace"
BROUGHT = ".brought"  # the first format: an empty file beside a trace that somebody else played
LEVEL = 6  # of compression: 9 saves no byte of a game this short
MAX_LOG = 64 * 1024  # characters of the agents' log
PACKS = "packs"
PACK_SUFFIX = ".pack"
FEW = 16  # fewer games than this are files of their own
MAGIC = b"\x89game\n"  # no byte of it is left alone by a copy that takes it for text
HEADER = struct.Struct(f"<{len(MAGIC)}s16sI")  # magic, hash of the trace, length of what follows


class Notes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a game beside its trace, outside the hash."""

    kept: int  # the format; the first field, since readers know the line by it
    stored: float  # seconds since 1970
    seconds: float = 0.0
    decisions: dict[str, float] = {}
    figures: dict[str, float | str] = {}
    code: str = ""
    imported: bool = False
    log: str = ""


class Kept(msgspec.Struct, frozen=True):
    """A game as its file holds it."""

    name: str  # content hash of the trace
    trace: Trace
    notes: Notes | None  # None in files of the first format

    @property
    def result(self) -> Result:
        """The game as the arena gave it."""
        notes = self.notes or Notes(FORMAT, 0.0)
        return Result(self.trace, notes.figures, notes.seconds, notes.decisions, notes.code, notes.log)


class Location(NamedTuple):
    """Where a game lies: in a pack, or in a file of its own."""

    pack: str = ""  # the file's name; empty: a file of its own
    start: int = 0
    length: int = 0


class Draft(NamedTuple):
    """A game that is to be kept."""

    name: str
    trace: Trace
    notes: Notes


ALONE = Location()


def notes_of(result: Result, stored: float, *, imported: bool = False) -> Notes:
    """The notes that go with `result`."""
    log = result.log[:MAX_LOG]
    return Notes(FORMAT, stored, result.seconds, result.decisions, result.figures, result.code, imported, log)


def packed(trace: Trace, notes: Notes) -> bytes:
    """The bytes of a file."""
    lines = msgspec.json.encode(trace, order="deterministic") + b"\n" + msgspec.json.encode(notes)
    return gzip.compress(lines, LEVEL, mtime=0)


def read(data: bytes, source: str) -> Kept:
    """The game in `data`; a TraceError says what is wrong with it."""
    head, _, rest = unpacked(data, source).partition(b"\n")
    if not rest.startswith(NOTES):
        trace = decode_plain(head + b"\n" + rest if rest else head, source)
        return Kept(content_hash(trace), trace, None)
    try:
        notes = msgspec.json.decode(rest, type=Notes)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TraceError(f"{source}: its second line cannot be read: {in_words(error)}") from None
    if notes.kept > FORMAT:
        raise TraceError(f"{source} was written by a newer gridsage (format {notes.kept}, this build knows {FORMAT})")
    return Kept(hashlib.blake2b(head, digest_size=16).hexdigest(), decode_plain(head, source), notes)


class Files:
    """The games under one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    # Reading

    def path(self, name: str) -> Path:
        """Where the trace of that hash lies if it has a file of its own."""
        return self.folder / name[:2] / f"{name}{SUFFIX}"

    def load(self, name: str, place: Location = ALONE) -> Kept:
        """The game of that hash; a TraceError if its file is missing, damaged or another game's."""
        try:
            data = self.bytes_of(name, place)
        except OSError as error:
            raise TraceError(f"the file of trace {name} cannot be read: {error.strerror}") from None
        found = read(data, name + SUFFIX)
        if found.name != name:
            raise TraceError(f"{name}{SUFFIX}: the content does not fit the name, the file was changed")
        return found

    def bytes_of(self, name: str, place: Location = ALONE) -> bytes:
        """The game of that hash as it lies there."""
        if not place.pack:
            return self.path(name).read_bytes()
        with (self.folder / PACKS / place.pack).open("rb") as pack:
            pack.seek(place.start)
            return pack.read(place.length)

    def load_path(self, path: Path) -> Kept:
        """The game in that file, whatever its name says."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise TraceError(f"{path.name} cannot be read: {error.strerror}") from None
        return read(data, path.name)

    def is_whole(self, name: str, place: Location = ALONE) -> bool:
        """Return True if that game can be read and is what its name says."""
        try:
            self.load(name, place)
        except TraceError:
            return False
        return True

    def was_brought(self, path: Path) -> bool:
        """Return True if the first version marked that file as somebody else's."""
        return path.with_suffix(BROUGHT).exists()

    # Writing

    def save(self, games: Sequence[Draft]) -> list[Location]:
        """Keep games: few in files of their own, many in a pack. Each file is there whole or not at all."""
        if len(games) >= FEW:
            return self.save_pack([(game.name, packed(game.trace, game.notes)) for game in games])
        for game in games:
            self._put(self.path(game.name), packed(game.trace, game.notes))
        return [ALONE] * len(games)

    def save_pack(self, games: Sequence[tuple[str, bytes]]) -> list[Location]:
        """Keep games, by name and bytes, in a new pack."""
        records = [HEADER.pack(MAGIC, bytes.fromhex(name), len(data)) + data for name, data in games]
        whole = b"".join(records)
        name = hashlib.blake2b(whole, digest_size=16).hexdigest() + PACK_SUFFIX
        self._put(self.folder / PACKS / name, whole)
        places, start = [], 0
        for record in records:
            places.append(Location(name, start + HEADER.size, len(record) - HEADER.size))
            start += len(record)
        return places

    def _put(self, path: Path, data: bytes) -> None:
        """Write a file whole or not at all. What a power cut damages is found by its hash and played again."""
        draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.{time.monotonic_ns()}")
        try:
            _write(draft, data)
            draft.replace(path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            reason = error.strerror or str(error)
            raise StoreError(f"the game cannot be kept in {path.parent}: {reason}; make room and try again") from None

    def remove(self, name: str) -> None:
        """Delete the file of that trace, if it has one."""
        path = self.path(name)
        path.unlink(missing_ok=True)
        path.with_suffix(BROUGHT).unlink(missing_ok=True)

    def remove_pack(self, pack: str) -> None:
        """Delete a pack with everything in it."""
        (self.folder / PACKS / pack).unlink(missing_ok=True)

    # Everything

    def shelves(self) -> list[str]:
        """The names of the folders of single files, in order: the first two digits of the hashes inside."""
        try:
            return sorted(entry.name for entry in os.scandir(self.folder) if len(entry.name) == 2 and entry.is_dir())
        except OSError:
            return []

    def on(self, shelf: str) -> list[Path]:
        """The files of one shelf, in order; drafts and marks left out."""
        return [path for path in self._inside(shelf) if path.suffix != BROUGHT]

    def packs(self) -> list[Path]:
        """The packs, in order."""
        return [path for path in self._inside(PACKS) if path.suffix == PACK_SUFFIX]

    def any(self) -> bool:
        """Return True if at least one file is there."""
        return bool(self.packs()) or any(self.on(shelf) for shelf in self.shelves())

    def _inside(self, folder: str) -> list[Path]:
        try:
            names = sorted(entry.name for entry in os.scandir(self.folder / folder))
        except FileNotFoundError:
            return []
        return [self.folder / folder / name for name in names if not name.startswith(".")]


class KeptGame(NamedTuple):
    """One game in a pack; or, without a name, what is wrong at that place."""

    name: str
    place: Location
    data: bytes
    problem: str = ""


def records(path: Path) -> Iterator[KeptGame]:
    """Every game in a pack. After a damaged part the next header is looked for."""
    try:
        whole = path.read_bytes()
    except OSError as error:
        yield KeptGame("", ALONE, b"", f"{path.name} cannot be read: {error.strerror}")
        return
    position = 0
    while position < len(whole):
        start = position + HEADER.size
        magic, name, length = HEADER.unpack_from(whole, position) if start <= len(whole) else (b"", b"", 0)
        if magic == MAGIC and start + length <= len(whole):
            yield KeptGame(name.hex(), Location(path.name, start, length), whole[start : start + length])
            position = start + length
        else:
            yield KeptGame("", ALONE, b"", f"{path.name} is damaged at byte {position}")
            following = whole.find(MAGIC, position + 1)
            position = following if following >= 0 else len(whole)


def first_record(path: Path) -> KeptGame:
    """The first game in a pack, without reading the others."""
    try:
        with path.open("rb") as pack:
            head = pack.read(HEADER.size)
            magic, name, length = HEADER.unpack(head) if len(head) == HEADER.size else (b"", b"", 0)
            data = pack.read(length) if magic == MAGIC else b""
    except OSError as error:
        return KeptGame("", ALONE, b"", f"{path.name} cannot be read: {error.strerror}")
    if magic != MAGIC or len(data) < length:
        return KeptGame("", ALONE, b"", f"{path.name} is damaged at its beginning")
    return KeptGame(name.hex(), Location(path.name, HEADER.size, length), data)


def _write(path: Path, data: bytes) -> None:
    """Write a new file; its folder is made only when it turns out to be missing."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with open(file, "wb") as out:
        out.write(data)
