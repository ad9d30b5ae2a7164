"""SQLite index (WAL) and compressed trace files named by their hash; a kill at any moment loses nothing."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from gridsage.core.errors import StoreError, TraceError, UnknownName
from gridsage.core.trace import Result, Trace, content_hash, decode, encode

SCHEMA_VERSION = 1
BUSY_SECONDS = 30.0  # how long one writer waits for another
BUSY_PAUSE_SECONDS = 0.01
SUFFIX = ".trace"
BROUGHT = ".brought"  # an empty file beside a trace that somebody else played
MIN_PREFIX = 4  # characters of a hash that people may type instead of all
COLUMNS = """
    episode TEXT PRIMARY KEY, trace TEXT NOT NULL, stored REAL NOT NULL, game TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    level TEXT NOT NULL, seed INTEGER NOT NULL, agents TEXT NOT NULL, options TEXT NOT NULL, budgets TEXT NOT NULL,
    outcome TEXT NOT NULL, winner INTEGER, scores TEXT NOT NULL, steps INTEGER NOT NULL, seconds REAL NOT NULL,
    decisions TEXT NOT NULL, figures TEXT NOT NULL
"""
INSERT = f"INSERT OR IGNORE INTO episodes VALUES ({','.join('?' * 17)})"
# A table of its own, so that older builds read the same index.
CHECK_COLUMNS = """
    trace TEXT PRIMARY KEY, checked REAL NOT NULL, rules_version INTEGER NOT NULL, code TEXT NOT NULL,
    verdict TEXT NOT NULL, text TEXT NOT NULL
"""
VERIFIED, DIFFERS, NOT_CHECKABLE = "verified", "differs", "cannot be checked"


class Row(msgspec.Struct, frozen=True):
    """One stored episode as the index knows it, without its moves."""

    episode: str
    trace: str  # content hash: the name of the trace file
    stored: float  # seconds since 1970
    game: str
    rules_version: int
    level: str
    seed: int
    agents: tuple[str, ...]
    options: dict[str, Any]
    budgets: list[dict[str, Any]]
    outcome: str
    winner: int | None
    scores: tuple[float, ...]
    steps: int
    seconds: float
    decisions: dict[str, float]
    figures: dict[str, float | str]

    @property
    def won(self) -> bool:
        return self.winner == 0


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
        self.traces = self.home / "traces"
        self.index = self.home / "index.sqlite"
        self.warnings: list[str] = []  # files that were named and skipped
        self._local = threading.local()
        try:
            self.traces.mkdir(parents=True, exist_ok=True)
            with self._connection():
                pass
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the folder of stored games {self.home} cannot be used: {error}") from None

    # Writing

    def put(self, result: Result, *, replace: bool = False) -> str:
        """Keep `result` and return its trace's hash. An episode already kept stays as it is, unless `replace`."""
        name = content_hash(result.trace)
        self._write_file(self._path(name), encode(result.trace))
        with self._connection() as index:
            index.execute(INSERT.replace("IGNORE", "REPLACE") if replace else INSERT, _values(result, name))
        return name

    def add_trace(self, trace: Trace) -> str:
        """Index a trace of ours whose times and figures are lost."""
        return self.put(Result(trace, {}, 0.0))

    def add_foreign(self, trace: Trace) -> str:
        """Keep a trace that somebody brought. It is indexed under its own hash: a game that a file only claims
        to be must not stand for an episode that a bench has still to play.
        """
        name = content_hash(trace)
        with self._connection() as index:
            known = index.execute("SELECT 1 FROM episodes WHERE trace = ?", (name,)).fetchone()
        if known is not None:
            return name
        self._write_file(self._path(name).with_suffix(BROUGHT), b"")  # first: an index made anew must know
        self._write_file(self._path(name), encode(trace))
        values = _values(Result(trace, {}, 0.0), name)
        with self._connection() as index:
            index.execute(INSERT, (name, *values[1:]))
        return name

    def put_check(self, check: Check) -> None:
        """Remember what playing a game again has shown; the newest word counts."""
        with self._connection() as index:
            index.execute("INSERT OR REPLACE INTO checks VALUES (?,?,?,?,?,?)", msgspec.structs.astuple(check))

    # Reading

    def checks(self, traces: Sequence[str]) -> dict[str, Check]:
        """What is remembered of these traces, by content hash."""
        found: dict[str, Check] = {}
        with self._connection() as index:
            for start in range(0, len(traces), 500):
                part = list(traces[start : start + 500])
                marks = ",".join("?" * len(part))
                for values in index.execute(f"SELECT * FROM checks WHERE trace IN ({marks})", part):
                    found[values[0]] = Check(*values)
        return found

    def known(self, ids: Sequence[str]) -> dict[str, Result]:
        """The stored results among these episode ids; one whose trace file is damaged counts as not stored."""
        found: dict[str, Result] = {}
        for start in range(0, len(ids), 500):
            part = list(ids[start : start + 500])
            marks = ",".join("?" * len(part))
            for row in self._select(f"WHERE episode IN ({marks})", part):
                try:
                    trace = self._load(row.trace)
                except (TraceError, UnknownName) as error:
                    self._skip(str(error))
                    continue
                found[row.episode] = Result(trace, row.figures, row.seconds, row.decisions)
        return found

    def rows(
        self,
        *,
        game: str | None = None,
        agent: str | None = None,
        level: str | None = None,
        outcome: str | None = None,
        seeds: Sequence[int] | None = None,
        limit: int | None = None,
    ) -> list[Row]:
        """Stored episodes, newest first, filtered by any of these."""
        wheres, values = [], []
        for column, value in (("game", game), ("level", level), ("outcome", outcome)):
            if value is not None:
                wheres.append(f"{column} = ?")
                values.append(value)
        where = f"WHERE {' AND '.join(wheres)}" if wheres else ""
        rows = self._select(f"{where} ORDER BY stored DESC, rowid DESC", values)
        wanted = None if seeds is None else set(seeds)
        kept = [
            row for row in rows if (agent is None or agent in row.agents) and (wanted is None or row.seed in wanted)
        ]
        return kept if limit is None else kept[:limit]

    def load(self, name: str) -> Trace:
        """The trace with that content hash, episode id, or a beginning of either that is unique."""
        return self._load(self.find(name))

    def _load(self, full: str) -> Trace:
        path = self._path(full)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise TraceError(f"the file of trace {full} cannot be read: {error.strerror}") from None
        trace = decode(data, str(path.name))
        if content_hash(trace) != full:
            raise TraceError(f"{path.name}: the content does not fit the name, the file was changed")
        return trace

    def is_whole(self, full: str) -> bool:
        """Whether the file of that trace can be read and is what its name says."""
        try:
            self._load(full)
        except TraceError:
            return False
        return True

    def find(self, name: str) -> str:
        """The whole content hash for a name people typed."""
        if len(name) < MIN_PREFIX or not all(c in "0123456789abcdef" for c in name):
            raise UnknownName(f"no stored game {name!r}; expected at least {MIN_PREFIX} hex digits of its id")
        with self._connection() as index:
            query = "SELECT DISTINCT trace FROM episodes WHERE trace GLOB ? OR episode GLOB ? LIMIT 3"
            hits = [hit for (hit,) in index.execute(query, (f"{name}*", f"{name}*"))]
        if len(hits) == 1:
            return str(hits[0])
        if hits:
            raise UnknownName(f"{name!r} is the beginning of several stored games: type more digits")
        raise UnknownName(f"no stored game {name!r}; `gridsage stats` lists the games kept in {self.home}")

    def rebuild(self) -> int:
        """Index every readable trace file that the index does not know; returns how many were added."""
        with self._connection() as index:
            known = {hit for (hit,) in index.execute("SELECT trace FROM episodes")}
        found = [path for path in sorted(self.traces.glob("??/*")) if path.suffix != BROUGHT and path.stem not in known]
        added = 0
        for path in found:
            try:
                added += self._index_file(path)
            except (TraceError, OSError) as error:
                self._skip(str(error))
        return added

    def _index_file(self, path: Path) -> int:
        """Index one trace file, under its own hash if it was brought or another game of its episode is there."""
        trace, stored = decode(path.read_bytes(), path.name), path.stat().st_mtime
        name = content_hash(trace)
        if path != self._path(name):
            self._write_file(self._path(name), encode(trace))
        episode, _, _, *others = _values(Result(trace, {}, 0.0), name)
        names = [name] if path.with_suffix(BROUGHT).exists() else [episode, name]
        with self._connection() as index:
            for key in names:
                if index.execute("SELECT 1 FROM episodes WHERE trace = ?", (name,)).fetchone() is None:
                    index.execute(INSERT, (key, name, stored, *others))
        return 1

    # Inside

    def _prepare(self, index: sqlite3.Connection) -> bool:
        """Make what the index lacks; whether it has still to learn of the games there are."""
        version = index.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"{self.index} was written by a newer gridsage (format {version}, "
                f"this build knows {SCHEMA_VERSION}): update, or set GRIDSAGE_HOME to another folder"
            )
        if version == SCHEMA_VERSION and {"episodes", "checks"} <= _tables(index):
            return False
        with index:
            index.execute("BEGIN IMMEDIATE")
            version, tables = index.execute("PRAGMA user_version").fetchone()[0], _tables(index)
            is_new = version < SCHEMA_VERSION or "episodes" not in tables  # another process may have made it meanwhile
            if is_new and next(self.traces.glob("??/*"), None) is None:
                is_new = False  # there is nothing to learn: it is whole at once, for everybody
                index.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            index.execute(f"CREATE TABLE IF NOT EXISTS episodes ({COLUMNS})")
            index.execute(f"CREATE TABLE IF NOT EXISTS checks ({CHECK_COLUMNS})")
            index.execute("CREATE INDEX IF NOT EXISTS by_game ON episodes (game, stored)")
            index.execute("CREATE INDEX IF NOT EXISTS by_trace ON episodes (trace)")
        return is_new

    def _open(self) -> None:
        """Let this thread have a connection to the index that lies there now; a lost one is made from the files."""
        if hasattr(self._local, "connection") and self._local.file == _file_number(self.index):
            return
        self.close()
        self._local.file = None
        self._local.connection = sqlite3.connect(self.index, timeout=BUSY_SECONDS)
        _write_ahead(self._local.connection)
        self._local.connection.execute("PRAGMA synchronous=NORMAL")
        is_new = self._prepare(self._local.connection)
        self._local.file = _file_number(self.index)
        if is_new:
            self.rebuild()
            # Last: an index whose making was interrupted is still new.
            self._local.connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, inside a transaction. It stays open: closing the last one costs a disk sync."""
        try:
            self._open()
            with self._local.connection as connection:
                yield connection
        except sqlite3.DatabaseError as error:
            self.close()  # the next use looks again
            advice = (
                "move it away, and the next use makes a new one from the trace files beside it"
                if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
                else "see that the disk has room and the folder may be written, and try again"
            )
            raise StoreError(f"the index {self.index} cannot be used ({error}): {advice}") from None

    def close(self) -> None:
        """Give back this thread's connection; the store may be used again afterwards."""
        if hasattr(self._local, "connection"):
            self._local.connection.close()
            del self._local.connection

    def __del__(self) -> None:
        self.close()

    def _select(self, where: str, values: Sequence[Any]) -> list[Row]:
        with self._connection() as index:
            return [_row(values) for values in index.execute(f"SELECT * FROM episodes {where}", values)]

    def _path(self, name: str) -> Path:
        return self.traces / name[:2] / f"{name}{SUFFIX}"

    def _write_file(self, path: Path, data: bytes) -> None:
        draft = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
        try:
            if path.exists() and path.read_bytes() == data:
                return
            path.parent.mkdir(exist_ok=True)
            draft.write_bytes(data)
            draft.replace(path)  # whole or not at all; what a power cut damages is found by its hash and played again
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            reason = error.strerror or str(error)
            raise StoreError(f"the game cannot be kept in {path.parent}: {reason}; make room and try again") from None

    def _skip(self, sentence: str) -> None:
        if sentence not in self.warnings:
            self.warnings.append(sentence)


def _file_number(path: Path) -> tuple[int, int] | None:
    """Which file lies there; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _write_ahead(index: sqlite3.Connection) -> None:
    """Change to a write-ahead log. SQLite does not wait here for another process that does the same."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            index.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(BUSY_PAUSE_SECONDS)


def _tables(index: sqlite3.Connection) -> set[str]:
    return {name for (name,) in index.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _values(result: Result, name: str) -> tuple[Any, ...]:
    trace = result.trace

    def text(value: Any) -> str:
        return msgspec.json.encode(value).decode()

    return (
        trace.episode,
        name,
        time.time(),
        trace.game,
        trace.rules_version,
        trace.level_name,
        trace.seed,
        text([str(agent) for agent in trace.agents]),
        text(trace.options),
        text(trace.budgets),
        trace.outcome.reason,
        trace.outcome.winner,
        text(trace.outcome.scores),
        len(trace.actions),
        result.seconds,
        text(result.decisions),
        text(result.figures),
    )


def _row(values: tuple[Any, ...]) -> Row:
    names = [field.name for field in msgspec.structs.fields(Row)]
    record = dict(zip(names, values, strict=True))
    for name in ("agents", "options", "budgets", "scores", "decisions", "figures"):
        record[name] = msgspec.json.decode(record[name])
    return msgspec.convert(record, Row)
