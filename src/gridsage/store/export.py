"""Stored results as tables for other programs: CSV with the standard library, Parquet with the extra `analysis`."""

from __future__ import annotations

import csv
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from gridsage.core.errors import MissingPart, OptionError
from gridsage.store.queries import Row, Selection, Wanted
from gridsage.store.schema import DECISION, WORD
from gridsage.store.store import Store

BATCH = 20_000  # rows that are written at a time: a Parquet file's row group
WHOLE, REAL, WORDS, YES_NO = "whole", "real", "words", "yes or no"

Value: TypeAlias = str | int | float | bool | None
Get: TypeAlias = Callable[[Row], Value]


class Column(msgspec.Struct, frozen=True):
    """A column of the table: its name, its one type, and its value of a game."""

    name: str
    kind: str  # WHOLE, REAL, WORDS or YES_NO
    get: Get


def columns(found: Selection) -> list[Column]:
    """The columns of these games. Their types depend on names alone, so that two exports fit together: options are
    always words, figures and times real numbers (words if any game of these lines says one in words).
    """
    seats = max((len(line.agents) for line in found.lines.values()), default=1)
    options = sorted({name for line in found.lines.values() for name in line.options})
    kinds = found.columns()
    words = {name for name, kind in kinds if kind == WORD}
    times = sorted(name for name, kind in kinds if kind == DECISION)
    figures = sorted({name for name, kind in kinds if kind != DECISION})
    return [
        *FIXED,
        *(Column(f"agent_{seat}", WORDS, _at("agents", seat)) for seat in range(seats)),
        *(Column(f"score_{seat}", REAL, _at("scores", seat)) for seat in range(seats)),
        *(Column(f"option_{name}", WORDS, _option(name)) for name in options),
        *(Column(f"decision_{name}", REAL, _named("decisions", name)) for name in times),
        *(
            Column(f"figure_{name}", WORDS, _words(name))
            if name in words
            else Column(f"figure_{name}", REAL, _named("figures", name))
            for name in figures
        ),
    ]


def write(store: Store, path: Path, wanted: Wanted | None = None, advance: Callable[[int], None] | None = None) -> int:
    """Write the games that are meant to `path`, whole or not at all, and return how many they are.

    The ending of the name (.csv or .parquet) tells the format.
    """
    if path.suffix not in WRITERS:
        raise OptionError(f"cannot export to {str(path)!r}: expected a name that ends with .csv or .parquet")
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    written = 0
    try:
        with store.selected(wanted or Wanted()) as found:
            wide = columns(found)
            with WRITERS[path.suffix](draft, wide) as table:
                for batch in _batches(found.each()):
                    table.add(batch)
                    written += len(batch)
                    if advance is not None:
                        advance(len(batch))
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return written


FIXED = [
    Column("episode", WORDS, lambda row: row.episode),
    Column("trace", WORDS, lambda row: row.trace),
    Column("stored", REAL, lambda row: row.stored),
    Column("game", WORDS, lambda row: row.game),
    Column("rules_version", WHOLE, lambda row: row.rules_version),
    Column("code", WORDS, lambda row: row.code),
    Column("imported", YES_NO, lambda row: row.imported),
    Column("level", WORDS, lambda row: row.level),
    Column("seed", WHOLE, lambda row: row.seed),
    Column("outcome", WORDS, lambda row: row.outcome),
    Column("won", YES_NO, lambda row: row.won),
    Column("winner", WHOLE, lambda row: row.winner),
    Column("steps", WHOLE, lambda row: row.steps),
    Column("seconds", REAL, lambda row: row.seconds),
]


def _at(field: str, seat: int) -> Get:
    def get(row: Row) -> Value:
        values: Sequence[Value] = getattr(row, field)
        return values[seat] if seat < len(values) else None

    return get


def _named(field: str, name: str) -> Get:
    def get(row: Row) -> Value:
        values: dict[str, Value] = getattr(row, field)
        return values.get(name)

    return get


def _words(name: str) -> Get:
    def get(row: Row) -> Value:
        value = row.figures.get(name)
        return value if value is None or isinstance(value, str) else f"{value:g}"

    return get


def _option(name: str) -> Get:
    """An option in words: `true` typed on the command line and true from the page are the same."""

    def get(row: Row) -> Value:
        value = row.options.get(name)
        return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()

    return get


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while batch := list(itertools.islice(rows, BATCH)):
        yield batch


class Table(Protocol):
    """A file that grows by batches of rows."""

    def __enter__(self) -> Table: ...
    def __exit__(self, *error: object) -> None: ...
    def add(self, rows: Sequence[Row]) -> None: ...


class CsvTable:
    """A CSV file; what a game does not have is empty."""

    def __init__(self, path: Path, wide: Sequence[Column]) -> None:
        self._file = path.open("w", newline="", encoding="utf-8", errors="replace")
        self._writer, self._wide = csv.writer(self._file), wide
        self._writer.writerow([column.name for column in wide])

    def __enter__(self) -> CsvTable:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, rows: Sequence[Row]) -> None:
        gets = [column.get for column in self._wide]
        self._writer.writerows([get(row) for get in gets] for row in rows)


class ParquetTable:
    """A Parquet file, a row group per batch; what a game does not have is null."""

    def __init__(self, path: Path, wide: Sequence[Column]) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise MissingPart("Parquet needs pyarrow: pip install 'gridsage[analysis]' (or export to .csv)") from None
        types = {WHOLE: pyarrow.int64(), REAL: pyarrow.float64(), WORDS: pyarrow.string(), YES_NO: pyarrow.bool_()}
        self._arrow, self._wide = pyarrow, wide
        self._schema = pyarrow.schema([(column.name, types[column.kind]) for column in wide])
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema)

    def __enter__(self) -> ParquetTable:
        return self

    def __exit__(self, *error: object) -> None:
        self._writer.close()

    def add(self, rows: Sequence[Row]) -> None:
        arrays = [
            self._arrow.array([column.get(row) for row in rows], field.type)
            for column, field in zip(self._wide, self._schema, strict=True)
        ]
        self._writer.write_batch(self._arrow.RecordBatch.from_arrays(arrays, schema=self._schema))


WRITERS: dict[str, Callable[[Path, Sequence[Column]], Table]] = {".csv": CsvTable, ".parquet": ParquetTable}
