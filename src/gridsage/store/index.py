"""The SQLite index (WAL) over the trace files: opened, made anew, brought up to date, or only read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gridsage.core.errors import StoreError
from gridsage.store import schema
from gridsage.store.schema import VERSION, Writer

BUSY_SECONDS = 30.0  # how long one writer waits for another
BUSY_PAUSE_SECONDS = 0.01
CACHE_KIB = 64 * 1024
NAME = "index.sqlite"
SECOND = 2  # the version before today's
CANNOT_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
NEW_ONE = "move it away, and the next use makes a new one from the trace files beside it"
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
REFUSALS = {
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_NOTADB: "it is no index",
    sqlite3.SQLITE_BUSY: "another program holds it",
    sqlite3.SQLITE_LOCKED: "another program holds it",
    sqlite3.SQLITE_READONLY: "it may not be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk fails",
}

Learn = Callable[["Index", int], None]  # fills an index of that version (0: none) from what lies beside it


class Index:
    """The index of one store. Each thread has a connection of its own; several processes may use it at once.

    Args:
        learn: called once with an index that is new, was interrupted, or is of an earlier version.
    """

    def __init__(self, home: Path, learn: Learn, is_empty: Callable[[], bool], name: str = NAME) -> None:
        self.path = home / name
        self.read_only = False
        self._learn, self._is_empty = learn, is_empty
        self._copy: tempfile.TemporaryDirectory[str] | None = None  # of an index that must be changed to be read
        self._local = threading.local()

    # Using it

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection. It stays open: closing the last one costs a disk sync."""
        with self._told():
            self._open()
            yield self._local.connection

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """A transaction: all of it or nothing; other processes wait."""
        if self.read_only:
            raise StoreError(f"the stored games in {self.path.parent} can only be read: nothing can be kept there")
        with self._told():
            self._open()
            with self.transaction() as writer:
                yield writer

    @contextmanager
    def transaction(self) -> Iterator[Writer]:
        """The same on the connection that is open, also while the index learns."""
        connection, writer = self._local.connection, self._local.writer
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield writer
            connection.execute("COMMIT")
        except BaseException:
            writer.forget()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection while the index learns."""
        connection: sqlite3.Connection = self._local.connection
        return connection

    def close(self) -> None:
        """Give back this thread's connection; the index may be used again afterwards."""
        if hasattr(self._local, "connection"):
            self._local.connection.close()
            del self._local.connection

    # Opening it

    def _open(self) -> None:
        """Let this thread have a connection to the index that lies there now."""
        if hasattr(self._local, "connection") and self._local.file == _file_number(self.path):
            return
        self.close()
        self._local.file = None
        if self.read_only or not _may_write(self.path):
            self._open_to_read()
        else:
            try:
                self._open_to_write()
            except sqlite3.OperationalError as error:
                if _code(error) not in CANNOT_WRITE or not self.path.parent.is_dir():
                    raise
                self.close()
                self._open_to_read()
        self._local.file = _file_number(self.path)

    def _open_to_write(self) -> None:
        connection = self._connect(str(self.path))
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        self._prepare()

    def _open_to_read(self) -> None:
        """Open an index that may not be changed. One that must be changed first is copied to a temporary folder."""
        self.read_only = True
        if self._copy is None and self._is_current():
            self._connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)
            return
        if self._copy is None:
            self._copy = tempfile.TemporaryDirectory(prefix="gridsage-index-")
            for suffix in ("", "-wal"):
                if (source := Path(f"{self.path}{suffix}")).exists():
                    shutil.copyfile(source, Path(self._copy.name) / (NAME + suffix))
        self._connect(str(Path(self._copy.name) / NAME))
        self._prepare()

    def _is_current(self) -> bool:
        """Return True if the file itself is the whole index, of today's version."""
        log = Path(f"{self.path}-wal")
        if not self.path.exists() or (log.exists() and log.stat().st_size > 0):
            return False
        connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)
        try:
            return _version(connection) >= VERSION
        finally:
            connection.close()

    def _connect(self, name: str, *, uri: bool = False) -> sqlite3.Connection:
        connection = sqlite3.connect(name, timeout=BUSY_SECONDS, isolation_level=None, uri=uri)
        self._local.connection, self._local.writer = connection, Writer(connection)
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        version = _version(connection)
        if version > VERSION:
            raise StoreError(
                f"{self.path} was written by a newer gridsage (format {version}, "
                f"this build knows {VERSION}): update, or set GRIDSAGE_HOME to another folder"
            )
        return connection

    def _prepare(self) -> None:
        """Make what the index lacks, and let it learn of the games there are."""
        connection = self._local.connection
        if _version(connection) == VERSION:
            return
        with self.transaction():  # another process may have made it meanwhile
            version = _version(connection)
            if version == SECOND:
                _drop(connection)
                version = 0
            if version < VERSION and not _has_first_tables(connection):
                make(connection)
                if self._is_empty():
                    connection.execute(f"PRAGMA user_version={VERSION}")  # nothing to learn: it is whole at once
                    version = VERSION
        if version < VERSION:
            self._learn(self, version)
            # Last: an index whose making was interrupted is still new.
            connection.execute(f"PRAGMA user_version={VERSION}")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell what SQLite complains about in a sentence, with advice."""
        try:
            yield
        except UnicodeDecodeError:  # SQLite quotes damaged text in its complaint, which Python then cannot read
            self.close()
            raise StoreError(f"the index {self.path} cannot be used, its tables are damaged: {NEW_ONE}") from None
        except sqlite3.DatabaseError as error:
            self.close()  # the next use looks again
            room = "see that the disk has room and the folder may be written, and try again"
            advice = NEW_ONE if _code(error) in DAMAGED else room
            raise StoreError(f"the index {self.path} cannot be used, {refusal(error)}: {advice}") from None


def _drop(connection: sqlite3.Connection) -> None:
    """Empty an index of the second version, which learns from its files what it lacks; verdicts stay."""
    connection.execute("DROP VIEW IF EXISTS episodes")
    for table in ("games", "kinds", "lines", "levels", "columns", "packs"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    connection.execute("PRAGMA user_version=0")


def make(connection: sqlite3.Connection) -> None:
    """Make every table and index that is missing, inside the transaction that is open."""
    for script in (schema.TABLES, schema.INDEXES):
        for statement in _statements(script):
            connection.execute(statement)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would end the transaction."""
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            yield part
            part = ""


def _has_first_tables(connection: sqlite3.Connection) -> bool:
    """Return True if the index is one of the first version, complete or not."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'episodes'"
    return connection.execute(query).fetchone() is not None


def refusal(error: sqlite3.Error) -> str:
    """Return why SQLite refused, in a few words."""
    code = _code(error) or sqlite3.SQLITE_ERROR
    return REFUSALS.get(code, f"SQLite refuses with code {code}")


def _code(error: sqlite3.Error) -> int | None:
    """What SQLite calls the error, without its finer distinctions; None of an error that is Python's own."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _may_write(path: Path) -> bool:
    """Return False if the index, or the folder in which SQLite makes files beside it, is read-only."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


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
