"""Stored results as tables for other programs: CSV with the standard library, Parquet with the extra `analysis`."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gridsage.core.errors import MissingPart, OptionError
from gridsage.store.store import Row


def table(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One flat record an episode; agents, options, times and figures become columns of their own."""
    records = []
    for row in rows:
        record: dict[str, Any] = {
            "episode": row.episode,
            "trace": row.trace,
            "game": row.game,
            "rules_version": row.rules_version,
            "level": row.level,
            "seed": row.seed,
            "outcome": row.outcome,
            "won": row.won,
            "winner": row.winner,
            "steps": row.steps,
            "seconds": row.seconds,
        }
        record |= {f"agent_{seat}": agent for seat, agent in enumerate(row.agents)}
        record |= {f"score_{seat}": score for seat, score in enumerate(row.scores)}
        record |= {f"option_{key}": value for key, value in row.options.items()}
        record |= {f"decision_{key}": value for key, value in row.decisions.items()}
        record |= {f"figure_{key}": value for key, value in row.figures.items()}
        records.append(record)
    return records


def write(rows: Sequence[Row], path: Path) -> None:
    """Write the rows to `path`; its ending (.csv or .parquet) tells the format."""
    records = table(rows)
    columns = list(dict.fromkeys(name for record in records for name in record))
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(records)
    elif path.suffix == ".parquet":
        _write_parquet(records, columns, path)
    else:
        raise OptionError(f"cannot export to {path.name!r}: expected a name that ends with .csv or .parquet")


def _write_parquet(records: list[dict[str, Any]], columns: list[str], path: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingPart("Parquet needs pyarrow: pip install 'gridsage[analysis]' (or export to .csv)") from None
    data = {name: [_same_kind(name, records, record.get(name)) for record in records] for name in columns}
    pyarrow.parquet.write_table(pyarrow.table(data), path)


def _same_kind(name: str, records: list[dict[str, Any]], value: Any) -> Any:
    """A Parquet column has one type: where numbers and words meet, words win."""
    mixed = any(isinstance(record.get(name), str) for record in records)
    return str(value) if mixed and value is not None else value
