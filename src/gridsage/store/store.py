"""The store: trace files that verify themselves, and an index over them; a kill at any moment loses nothing."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import platformdirs

from gridsage.core.complaints import in_words
from gridsage.core.errors import StoreError, TraceError, UnknownName, shown
from gridsage.core.trace import Result, Trace, content_hash, on_its_own
from gridsage.store import upkeep
from gridsage.store.aliases import aliases
from gridsage.store.files import ALONE, Draft, Files, Kept, Location, notes_of
from gridsage.store.index import Index, refusal
from gridsage.store.lines import LineName, Today, names, newest_stored
from gridsage.store.queries import Row, Selection, Wanted
from gridsage.store.schema import IndexEntry, Writer, entry

TRACES = "traces"
MIN_PREFIX = 4  # characters of a hash that people may type instead of all
PART = 500  # ids of one question
MOST_WARNINGS = 1_000
PLACE = "COALESCE(packs.name, ''), start, length"
TICK = 1e-6  # seconds between two games of one batch, so that they have an order
VERIFIED, DIFFERS, NOT_CHECKABLE = "verified", "differs", "cannot be checked"


class Check(msgspec.Struct, frozen=True):
    """What playing a stored game again has shown, and with which code it was played."""

    trace: str
    checked: float  # seconds since 1970
    rules_version: int
    code: str  # digest of the room's code at that time: with other code it says nothing
    verdict: str  # VERIFIED, DIFFERS or NOT_CHECKABLE
    text: str = ""  # what differs, or why it cannot be checked


def default_home() -> Path:
    """Where games are kept: `GRIDSAGE_HOME`, or the user's data folder."""
    folder = os.environ.get("GRIDSAGE_HOME") or platformdirs.user_data_dir("gridsage", appauthor=False)
    return Path(folder).expanduser()


class Store:
    """Stored games under one folder. Several processes may read and write at once."""

    def __init__(self, home: Path | None = None) -> None:
        self.home = Path(home) if home is not None else default_home()
        self.warnings: list[str] = []  # files and rows that were named and skipped
        self.files = Files(self.home / TRACES)
        self.index = Index(self.home, self._learn, lambda: not self.files.any())
        try:
            if not self.home.is_dir():
                self.files.folder.mkdir(parents=True)
            with self.index.reading():
                pass
        except (OSError, sqlite3.Error) as error:
            words = refusal(error) if isinstance(error, sqlite3.Error) else in_words(error)
            raise StoreError(f"the folder of stored games {self.home} cannot be used: {words}") from None

    @property
    def read_only(self) -> bool:
        """True if the folder may not be written."""
        return self.index.read_only

    def close(self) -> None:
        """Give back this thread's connection; the store may be used again afterwards."""
        self.index.close()

    def __del__(self) -> None:
        if hasattr(self, "index"):
            self.close()

    # Writing

    def put(self, result: Result, *, replace: bool = False) -> str:
        """Keep `result` and return its trace's hash. An episode already kept stays as it is, unless `replace`."""
        return self.put_many([result], replace=replace)[0]

    def put_many(self, results: Sequence[Result], *, replace: bool = False) -> list[str]:
        """Keep several results in one transaction and return their traces' hashes."""
        self._refuse_if_read_only()
        names = [content_hash(result.trace) for result in results]
        now = time.time()
        kept = set() if replace else self._whole([result.trace.episode for result in results])
        new = {
            result.trace.episode: Draft(name, result.trace, notes_of(result, now + place * TICK))
            for place, (name, result) in enumerate(zip(names, results, strict=True))
            if result.trace.episode not in kept
        }
        self._keep(list(new.values()))
        return names

    def put_single(self, result: Result) -> str:
        """Keep a game that was played alone, before somebody's eyes, and return its trace's hash.

        One that goes the same way every time takes the place of its episode. Any other stays beside the games that were
        played before from the same beginning, and a bench plays its own.
        """
        trace = result.trace if result.trace.repeats else on_its_own(result.trace)
        return self.put(msgspec.structs.replace(result, trace=trace), replace=True)

    def add_foreign(self, trace: Trace) -> str:
        """Keep a trace that somebody brought, marked as imported: who played it, and as which episode, is a claim."""
        self._refuse_if_read_only()
        name = content_hash(trace)
        if self._place(name) is None:
            self._keep([Draft(name, trace, notes_of(Result(trace, {}, 0.0), time.time(), imported=True))])
        return name

    def put_check(self, check: Check) -> None:
        """Remember what playing a game again has shown; the newest word counts."""
        with self.index.writing() as writer:
            values = msgspec.structs.astuple(check)
            writer.connection.execute("INSERT OR REPLACE INTO checks VALUES (?,?,?,?,?,?)", values)
            query = "SELECT games.id, line, outcome, winner FROM games JOIN kinds ON kinds.id = kind WHERE trace = ?"
            for number, line, outcome, winner in writer.connection.execute(query, (check.trace,)).fetchall():
                kind = writer.kind(line, outcome, winner, check.verdict, check.code)
                writer.connection.execute("UPDATE games SET kind = ? WHERE id = ?", (kind, number))

    def _refuse_if_read_only(self) -> None:
        if self.read_only:
            raise StoreError(f"the stored games in {self.home} can only be read: nothing can be kept there")

    def _whole(self, episodes: Sequence[str]) -> set[str]:
        """Those episodes that are kept and whose files are whole."""
        return {episode for episode, name, place in self.places(episodes) if self.files.is_whole(name, place)}

    def _keep(self, games: Sequence[Draft]) -> None:
        """Write files, then index them: a kill between the two leaves files that a rebuild finds."""
        places = self.files.save(games)
        self.insert([entry(game, place) for game, place in zip(games, places, strict=True)])

    def insert(self, entries: Sequence[IndexEntry]) -> None:
        """Index games whose files are written; those whose place they take lose their files afterwards."""
        if not entries:
            return
        superseded: list[str] = []
        try:
            with self.index.writing() as writer:
                for new in entries:
                    superseded += _make_room(writer, new)
                    writer.add(new)
        except OverflowError:
            raise StoreError("the game cannot be kept: its seed is too large for the index") from None
        for name in superseded:
            self.files.remove(name)

    # Reading

    def checks(self, traces: Sequence[str]) -> dict[str, Check]:
        """What is remembered of these traces, by content hash."""
        found: dict[str, Check] = {}
        with self.index.reading() as connection:
            for part in _parts(traces):
                query = "SELECT * FROM checks WHERE trace IN (SELECT value FROM json_each(?))"
                for values in connection.execute(query, (part,)):
                    found[values[0]] = Check(*values)
        return found

    def known(self, ids: Sequence[str]) -> dict[str, Result]:
        """The stored results among these episode ids; one whose trace file is damaged counts as not stored."""
        found: dict[str, Result] = {}
        for episode, name, place in self.places(ids):
            try:
                found[episode] = self.files.load(name, place).result
            except TraceError as error:
                self.skip(str(error))
        return found

    def rows(
        self,
        wanted: Wanted | None = None,
        *,
        game: str | None = None,
        agent: str | None = None,
        level: str | None = None,
        outcome: str | None = None,
        seeds: Sequence[int] | None = None,
        limit: int | None = None,
        offset: int = 0,
        order: str = "-stored",
    ) -> list[Row]:
        """Stored episodes, newest first, filtered by any of these.

        Args:
            order: a column of ORDERS; a minus before it turns the order round.
        """
        meant = wanted or Wanted(game=game, agent=agent, level=level, outcome=outcome, seeds=seeds)
        column, descending = order.removeprefix("-"), order.startswith("-")
        with self.selected(meant) as found:
            numbers = found.sorted(column, limit, offset, descending=descending)
            return list(found.rows(numbers))

    def each(self, wanted: Wanted | None = None) -> Iterator[Row]:
        """Every stored episode that is meant, in the order of the index, some thousand in memory at a time."""
        with self.selected(wanted or Wanted()) as found:
            yield from found.each()

    @contextmanager
    def selected(self, wanted: Wanted) -> Iterator[Selection]:
        """The games that are meant, to be counted, put in order or summed up."""
        with self.index.reading() as connection:
            yield Selection(connection, wanted, aliases, self.skip)

    def line_names(self, game: str | None = None, today: Today | None = None) -> dict[int, LineName]:
        """The names in words of all lines of a game, by number.

        Args:
            today: the version of a game's rules that goes without saying; by default the newest that is stored.
        """
        with self.selected(Wanted(game=game)) as found:
            lines = list(found.lines.values())
            return names(found.connection, lines, today or newest_stored(lines))

    def load(self, name: str) -> Trace:
        """The trace with that content hash, episode id, or a beginning of either that is unique."""
        return self.load_kept(name).trace

    def load_kept(self, name: str) -> Kept:
        """The same with all that is kept beside the trace."""
        full = self.find(name)
        return self.files.load(full, self._place(full) or ALONE)

    def is_whole(self, full: str) -> bool:
        """Return True if the file of that trace can be read and is what its name says."""
        return self.files.is_whole(full, self._place(full) or ALONE)

    def _place(self, full: str) -> Location | None:
        """Where the trace of that hash lies; None if it is not in the index."""
        with self.index.reading() as connection:
            query = f"SELECT {PLACE} FROM games LEFT JOIN packs ON packs.id = pack WHERE trace = ?"
            found = connection.execute(query, (full,)).fetchone()
        return None if found is None else Location(*found)

    def find(self, name: str) -> str:
        """The whole content hash for a name people typed."""
        if len(name) < MIN_PREFIX or not all(c in "0123456789abcdef" for c in name):
            raise UnknownName(f"no stored game {shown(name)}; expected at least {MIN_PREFIX} hex digits of its id")
        with self.index.reading() as connection:
            # Two ranges and no GLOB with OR, which would look at every game.
            query = """SELECT trace FROM games WHERE trace >= :low AND trace < :high
                UNION SELECT trace FROM games WHERE episode >= :low AND episode < :high LIMIT 3"""
            hits = [hit for (hit,) in connection.execute(query, {"low": name, "high": name + "g"})]
        if len(hits) == 1:
            return str(hits[0])
        if hits:
            raise UnknownName(f"{name!r} is the beginning of several stored games: type more digits")
        raise UnknownName(f"no stored game {shown(name)}; `gridsage stats` lists the games kept in {self.home}")

    def places(self, ids: Sequence[str]) -> Iterator[tuple[str, str, Location]]:
        """Episode, trace and place of those that are in the index."""
        with self.index.reading() as connection:
            query = f"""SELECT episode, trace, {PLACE} FROM games LEFT JOIN packs ON packs.id = pack
                WHERE episode IN (SELECT value FROM json_each(?))"""
            for part in _parts(ids):
                for episode, name, *place in connection.execute(query, (part,)).fetchall():
                    yield episode, name, Location(*place)

    # Upkeep

    def rebuild(self, advance: Callable[[int], None] | None = None) -> int:
        """Index every readable trace file that the index does not know; return how many were added."""
        self._refuse_if_read_only()
        with self.index.reading():
            return upkeep.add_missing(self.index, self.files, self.skip, advance)

    def check(self, advance: Callable[[int], None] | None = None) -> upkeep.Findings:
        """Read every game and compare it with the index."""
        return upkeep.check(self.index, self.files, advance)

    def prune(self, wanted: Wanted, advance: Callable[[int], None] | None = None) -> int:
        """Delete the games that are meant, and return how many they were."""
        self._refuse_if_read_only()
        with self.selected(wanted) as found:
            return upkeep.prune(self.index, self.files, found, advance)

    def pack(self, advance: Callable[[int], None] | None = None) -> int:
        """Gather games in files of their own into packs, and return how many they were."""
        self._refuse_if_read_only()
        return upkeep.pack(self.index, self.files, advance)

    def skip(self, sentence: str) -> None:
        """Remember what was named and skipped."""
        if len(self.warnings) < MOST_WARNINGS and sentence not in self.warnings:
            self.warnings.append(sentence)

    def _learn(self, index: Index, version: int) -> None:
        upkeep.learn(index, version, self.files, self.skip)


def rebuild(home: Path, skip: Callable[[str], None], advance: Callable[[int], None] | None = None) -> int:
    """Make the index of a store anew from its files, damaged or not; return how many games it has."""
    with suppress(StoreError):
        Store(home).close()  # an index of the first version moves what only it knows into the files
    return upkeep.rebuild(home, Files(home / TRACES), skip, advance)


def _make_room(writer: Writer, new: IndexEntry) -> Iterator[str]:
    """Take out the game whose episode `new` has, and yield its trace if nothing needs that file any more."""
    query = "SELECT id, trace FROM games WHERE episode = ?"  # in a pack it stays, and a newer one stands for it
    for number, trace in writer.connection.execute(query, (new.episode,)).fetchall():
        writer.remove([number])
        others = writer.connection.execute("SELECT 1 FROM games WHERE trace = ?", (trace,)).fetchone()
        if trace != new.trace and others is None:
            yield trace


def _parts(ids: Sequence[str]) -> Iterator[str]:
    """The ids as JSON, some at a time."""
    for start in range(0, len(ids), PART):
        yield msgspec.json.encode(list(ids[start : start + PART])).decode()
