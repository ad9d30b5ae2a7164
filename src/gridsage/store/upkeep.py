"""What keeps an index true to its files: learning from them, leaving the first version, checking, pruning."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from gridsage.core.complaints import in_words
from gridsage.core.errors import TraceError
from gridsage.store import index as indexes
from gridsage.store import schema
from gridsage.store.files import ALONE, FORMAT, Draft, Files, KeptGame, Location, Notes, first_record, read, records
from gridsage.store.index import Index
from gridsage.store.queries import Selection
from gridsage.store.schema import IndexEntry, Writer, entry

BATCH = 2_000  # games of one transaction: some tenths of a second, so that others may write between them
FIRST_COLUMNS = (
    "episode, trace, stored, game, rules_version, level, seed, agents, options, budgets, outcome, winner, scores, "
    "steps, seconds, decisions, figures"
)
SHELVES = [f"{number:02x}" for number in range(256)]
Skip = Callable[[str], None]
Advance = Callable[[int], None]


def learn(index: Index, version: int, files: Files, skip: Skip) -> None:
    """Fill an index that is new, was interrupted or is of the first version."""
    if _is_first(index.connection):
        leave_first_version(index, files, skip)
    if version == 0:
        add_missing(index, files, skip)


# From the first version


def leave_first_version(index: Index, files: Files, skip: Skip) -> None:
    """Move the rows of the first version to today's tables, and what only they know into the files."""
    connection = index.connection
    if not index.read_only:
        for game in _first_games(connection, skip):
            _annotate(files, game, skip)
    with index.transaction() as writer:
        if not _is_first(connection):
            return  # another process was faster
        games = list(_first_games(connection, skip))
        for statement in ("DROP TABLE episodes", "DROP INDEX IF EXISTS by_game", "DROP INDEX IF EXISTS by_trace"):
            connection.execute(statement)
        indexes.make(connection)
        for game in games:
            path = files.path(game.trace)
            writer.add(game._replace(imported=files.was_brought(path) or game.episode == game.trace))


def _is_first(connection: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'episodes'"
    return connection.execute(query).fetchone() is not None


def _first_games(connection: sqlite3.Connection, skip: Skip) -> Iterator[IndexEntry]:
    """The rows of the first version; one with bad values is named and left to be found in its file."""
    for values in connection.execute(f"SELECT {FIRST_COLUMNS} FROM episodes ORDER BY stored, rowid").fetchall():
        record = dict(zip(IndexEntry._fields, values, strict=False))
        try:
            for name in ("scores", "decisions", "figures", "options", "agents", "budgets"):
                record[name] = msgspec.json.decode(record[name])
            for name in ("options", "agents", "budgets"):
                record[name] = schema.text(record[name])
            yield msgspec.convert(list(record.values()), IndexEntry)
        except (msgspec.MsgspecError, UnicodeDecodeError, TypeError) as error:
            skip(f"episode {values[0]} has a bad value in the index of the first version: {in_words(error)}")


def _annotate(files: Files, game: IndexEntry, skip: Skip) -> None:
    """Write what the first version knew only in its index into the game's file."""
    try:
        found = files.load(game.trace)
    except TraceError as error:
        skip(str(error))
        return
    if found.notes is None:
        path = files.path(game.trace)
        imported = files.was_brought(path) or game.episode == game.trace
        notes = Notes(FORMAT, game.stored, game.seconds, game.decisions, game.figures, imported=imported)
        files.save([Draft(game.trace, found.trace, notes)])


# From the files


class Discovery(NamedTuple):
    """A game that was found in the files."""

    draft: Draft
    place: Location


def add_missing(index: Index, files: Files, skip: Skip, advance: Advance | None = None) -> int:
    """Index every readable game that the index does not know; return how many were added."""
    added = 0
    sources = itertools.chain(_loose(index, files, skip), _packed(index, files, skip))
    while part := list(itertools.islice(sources, BATCH)):
        added += _add(index, part)
        if advance is not None:
            advance(len(part))
    return added


def _loose(index: Index, files: Files, skip: Skip) -> Iterator[Discovery]:
    """The games in files of their own that the index does not know."""
    for shelf in files.shelves():
        known = _known(index, "trace >= ? AND trace < ?", (shelf, shelf + "g"))
        for path in files.on(shelf):
            if path.stem in known:
                continue
            try:
                found = files.load_path(path)
                notes = found.notes or Notes(FORMAT, path.stat().st_mtime, imported=files.was_brought(path))
                draft = Draft(found.name, found.trace, notes)
                if path != files.path(found.name):
                    files.save([draft])
                yield Discovery(draft, ALONE)
            except (TraceError, OSError) as error:
                skip(str(error))


def _packed(index: Index, files: Files, skip: Skip) -> Iterator[Discovery]:
    """The games in packs that the index does not know."""
    for path in sorted(files.packs(), key=_kept_at):  # games that lie together in the index are found together
        known = _known(index, "pack = (SELECT id FROM packs WHERE name = ?)", (path.name,))
        for record in records(path):
            if record.name in known:
                continue
            try:
                yield Discovery(_whole(record), record.place)
            except TraceError as error:
                skip(str(error))


def _kept_at(pack: Path) -> float:
    """When the first game of a pack was kept; never, if it cannot be read."""
    try:
        return _whole(first_record(pack)).notes.stored
    except TraceError:
        return 0.0


def _whole(record: KeptGame) -> Draft:
    """The game of a record; a TraceError if it is damaged or not what its header says."""
    if record.problem:
        raise TraceError(record.problem)
    words = f"{record.name} in {record.place.pack}"
    found = read(record.data, words)
    if found.name != record.name or found.notes is None:
        raise TraceError(f"{words}: the content does not fit the name, the file was changed")
    return Draft(found.name, found.trace, found.notes)


def _known(index: Index, condition: str, values: tuple[str, ...]) -> set[str]:
    return {name for (name,) in index.connection.execute(f"SELECT trace FROM games WHERE {condition}", values)}


def _add(index: Index, games: list[Discovery]) -> int:
    """Index games; where an episode has several, the newest stands for it."""
    added = 0
    with index.transaction() as writer:
        for game in sorted(games, key=lambda found: found.draft.notes.stored):
            new = entry(game.draft, game.place)
            query = "SELECT id, stored, trace FROM games WHERE episode = ?"
            other = writer.connection.execute(query, (new.episode,)).fetchone()
            if other is not None and (other[1] >= new.stored or other[2] == new.trace):
                continue
            if other is not None:
                writer.remove([other[0]])
            writer.add(new)
            added += other is None
    return added


# Looking after it


class Findings(msgspec.Struct):
    """What a check of a whole store has found."""

    games: int = 0
    damaged: list[str] = []  # games of the index whose file is missing or damaged, in words
    unknown: list[str] = []  # files that no row of the index points to


def check(index: Index, files: Files, advance: Advance | None = None) -> Findings:
    """Read every game of the store and compare it with the index."""
    found = Findings()
    with index.reading():
        for shelf in sorted({*files.shelves(), *SHELVES}):
            known = _known(index, "pack = 0 AND trace >= ? AND trace < ?", (shelf, shelf + "g"))
            lying = {path.stem: _problem(files, path) for path in files.on(shelf)}
            _compare(found, known, lying, advance)
        packs = {path.name: path for path in files.packs()}
        named = {name for (name,) in index.connection.execute("SELECT name FROM packs")}
        for name in sorted(packs.keys() | named):
            known = _known(index, "pack = (SELECT id FROM packs WHERE name = ?)", (name,))
            lying = dict(_problems(packs[name])) if name in packs else {}
            _compare(found, known, lying, advance)
    return found


def _compare(found: Findings, known: set[str], lying: dict[str, str], advance: Advance | None) -> None:
    """Note what differs between the index and some files: names with what is wrong with them."""
    found.games += len(known)
    for name in sorted(known | lying.keys()):
        problem = lying.get(name, "the file is missing")
        if name not in known:
            found.unknown.append(f"{name}: {problem}" if problem else name)
        elif problem:
            found.damaged.append(f"{name}: {problem}")
    if advance is not None:
        advance(len(known))


def _problem(files: Files, path: Path) -> str:
    try:
        found = files.load_path(path)
    except TraceError as error:
        return str(error)
    return "" if found.name == path.stem else "the content does not fit the name, the file was changed"


def _problems(path: Path) -> Iterator[tuple[str, str]]:
    """The names of the games in a pack, with what is wrong with each."""
    for record in records(path):
        try:
            yield _whole(record).name, ""
        except TraceError as error:
            yield record.name or path.name, str(error)


# Deleting and packing


def prune(index: Index, files: Files, found: Selection, advance: Advance | None = None) -> int:
    """Delete the games that are meant: rows first, so that a kill leaves files that nobody needs and never the
    other way round. Packs that held some of them are written anew.
    """
    removed, torn = 0, set[int]()
    while numbers := found.newest(BATCH, oldest=True):
        with index.writing() as writer:
            query = "SELECT id, trace, pack FROM games WHERE id IN (SELECT value FROM json_each(?))"
            games = writer.connection.execute(query, (schema.text(numbers),)).fetchall()
            writer.remove(number for number, _, _ in games)
            query = "SELECT trace FROM games WHERE trace IN (SELECT value FROM json_each(?))"
            names = schema.text([name for _, name, _ in games])
            needed = {name for (name,) in writer.connection.execute(query, (names,))}  # the same game, played here too
            gone = [(name, pack_number) for _, name, pack_number in games if name not in needed]
            writer.connection.executemany("DELETE FROM checks WHERE trace = ?", ((name,) for name, _ in gone))
        for name, pack_number in gone:
            if pack_number == 0:
                files.remove(name)
        torn |= {pack_number for _, _, pack_number in games if pack_number}
        removed += len(games)
        if advance is not None:
            advance(len(games))
    for number in sorted(torn):
        _repack(index, files, number)
    return removed


def _repack(index: Index, files: Files, number: int) -> None:
    """Write what is left of a pack to a new one."""
    with index.writing() as writer:
        connection = writer.connection
        (old,) = connection.execute("SELECT name FROM packs WHERE id = ?", (number,)).fetchone()
        rows = connection.execute("SELECT trace, start, length FROM games WHERE pack = ?", (number,)).fetchall()
        try:
            live = [(name, files.bytes_of(name, Location(old, start, length))) for name, start, length in rows]
        except OSError:
            return  # a pack that cannot be read is no worse for staying
        if live:
            _move(writer, [name for name, _ in live], files.save_pack(live))
        connection.execute("DELETE FROM packs WHERE id = ?", (number,))
        writer.forget()
    files.remove_pack(old)


def _move(writer: Writer, names: Sequence[str], places: Sequence[Location]) -> None:
    """Note that games lie somewhere else now."""
    values = [
        (writer.pack(place.pack), place.start, place.length, name) for name, place in zip(names, places, strict=True)
    ]
    writer.connection.executemany("UPDATE games SET pack = ?, start = ?, length = ? WHERE trace = ?", values)


def pack(index: Index, files: Files, advance: Advance | None = None) -> int:
    """Gather games that have files of their own into packs; damaged ones stay where they are."""
    gathered, last = 0, ""
    query = "SELECT trace FROM games WHERE pack = 0 AND trace > ? ORDER BY trace LIMIT ?"
    while True:
        with index.writing() as writer:
            names = [name for (name,) in writer.connection.execute(query, (last, BATCH)).fetchall()]
            whole = [name for name in names if files.is_whole(name)]
            if whole:
                _move(writer, whole, files.save_pack([(name, files.bytes_of(name)) for name in whole]))
        for name in whole:
            files.remove(name)
        if not names:
            return gathered
        gathered, last = gathered + len(whole), names[-1]
        if advance is not None:
            advance(len(names))


# The whole index anew


def rebuild(home: Path, files: Files, skip: Skip, advance: Advance | None = None) -> int:
    """Make a new index from the files alone and put it in the place of the old one; return how many games it has.

    Verdicts, which only an index knows, are taken over if the old one can still be read.
    """
    old, fresh = home / indexes.NAME, home / f".{indexes.NAME}.{os.getpid()}"
    games = 0

    def fill(index: Index, version: int) -> None:
        nonlocal games
        _copy_checks(index, old)
        games = add_missing(index, files, skip, advance)

    index = Index(home, fill, lambda: False, fresh.name)
    try:
        with index.reading() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        index.close()
        for suffix in ("-wal", "-shm"):  # a log of the old index must not be taken for one of the new
            Path(f"{old}{suffix}").unlink(missing_ok=True)
        fresh.replace(old)
    finally:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{fresh}{suffix}").unlink(missing_ok=True)
    return games


def _copy_checks(index: Index, old: Path) -> None:
    if not old.exists():
        return
    try:
        index.connection.execute("ATTACH ? AS old", (str(old),))
        index.connection.execute("INSERT OR IGNORE INTO checks SELECT * FROM old.checks")
    except sqlite3.DatabaseError:
        pass  # a damaged index: its verdicts are found again by playing


# What there is


class Description(msgspec.Struct):
    """How large a store is, and of what."""

    games: int
    imported: int
    by_game: dict[str, tuple[int, float]]  # how many games, and when the newest was stored
    index_bytes: int
    index_format: int
    file_format: int
    single: int
    single_bytes: int
    packs: int
    pack_bytes: int


def describe(index: Index, files: Files) -> Description:
    """Count and measure everything."""
    with index.reading() as connection:
        query = """SELECT game, SUM(kinds.games), MAX((SELECT MAX(stored) FROM games WHERE kind = kinds.id)),
                SUM(kinds.games * imported)
            FROM kinds JOIN lines ON lines.id = line WHERE kinds.games > 0 GROUP BY game ORDER BY game"""
        found = connection.execute(query).fetchall()
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    singles = [path.stat().st_size for shelf in files.shelves() for path in files.on(shelf)]
    packs = [path.stat().st_size for path in files.packs()]
    return Description(
        games=sum(count for _, count, _, _ in found),
        imported=sum(imported for *_, imported in found),
        by_game={game: (count, newest) for game, count, newest, _ in found},
        index_bytes=sum(path.stat().st_size for path in index.path.parent.glob(f"{indexes.NAME}*")),
        index_format=version,
        file_format=FORMAT,
        single=len(singles),
        single_bytes=sum(singles),
        packs=len(packs),
        pack_bytes=sum(packs),
    )
