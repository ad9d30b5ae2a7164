"""Exports: a row per episode, types that depend on names alone, whole or not at all."""

from __future__ import annotations

import csv

import pytest

from gridsage.core.errors import OptionError
from gridsage.store import Store, Wanted
from gridsage.store import export as exports
from gridsage.store.export import write
from store.games import duels, many, results

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `analysis` is not installed")


@pytest.fixture
def store(home):
    store = Store(home)
    store.put_many([*results("drunk"), *results("crashing"), *results("drunk", patience="9"), *duels(1)])
    store.put(results("drunk", patience=8)[0])
    return store


def test_csv_has_a_row_per_episode_and_what_is_missing_is_empty(store, tmp_path):
    assert write(store, tmp_path / "out.csv") == 12
    with (tmp_path / "out.csv").open() as file:
        records = list(csv.DictReader(file))
    assert len(records) == 12
    assert {record["agent_0"] for record in records} == {"drunk", "crashing", "modulo", "anyhow"}
    assert {record["option_patience"] for record in records} == {"", "8", "9"}
    assert {record["agent_1"] for record in records} == {"", "anyhow", "modulo"}
    by_trace = {row.trace: row for row in store.rows()}
    for record in records:
        row = by_trace[record["trace"]]
        assert (record["seed"], record["outcome"], record["won"]) == (str(row.seed), row.outcome, str(row.won))
        assert float(record["seconds"]) == row.seconds and record["code"] == row.code


def test_parquet_and_csv_say_the_same_in_any_batch_size(store, tmp_path, monkeypatch):
    monkeypatch.setattr(exports, "BATCH", 5)
    steps: list[int] = []
    write(store, tmp_path / "out.parquet", advance=steps.append)
    assert steps == [5, 5, 2]
    write(store, tmp_path / "out.csv")
    table = parquet.read_table(tmp_path / "out.parquet")
    with (tmp_path / "out.csv").open() as file:
        reader = csv.reader(file)
        assert next(reader) == table.column_names
        texts = list(reader)
    for text, record in zip(texts, table.to_pylist(), strict=True):
        assert text == ["" if value is None else str(value) for value in record.values()]


def test_types_depend_on_names_alone(store, tmp_path):
    """A part of the games has the types of all of them, so that two files can be read as one."""
    write(store, tmp_path / "all.parquet")
    write(store, tmp_path / "part.parquet", Wanted(game="stroll", agent="drunk"))
    write(Store(tmp_path / "empty"), tmp_path / "none.parquet")
    everything = parquet.read_schema(tmp_path / "all.parquet")
    part, none = (parquet.read_schema(tmp_path / f"{name}.parquet") for name in ("part", "none"))
    for schema in (part, none):
        assert all(everything.field(name).type == schema.field(name).type for name in schema.names)
    assert str(everything.field("figure_lefts").type) == "double"
    assert str(everything.field("figure_fault").type) == "string"
    assert str(everything.field("option_patience").type) == "string"
    assert str(everything.field("winner").type) == "int64" and str(everything.field("won").type) == "bool"


def test_filters_choose_rows(store, tmp_path):
    assert write(store, tmp_path / "out.csv", Wanted(game="nim")) == 2
    assert write(store, tmp_path / "out.csv", Wanted(agent="nobody")) == 0


def test_an_export_that_fails_leaves_the_old_file_and_nothing_else(store, tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("old")

    def fail(by: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(store, path, advance=fail)
    assert path.read_text() == "old" and [entry.name for entry in tmp_path.glob("*.csv*")] == ["out.csv"]
    assert [entry for entry in tmp_path.iterdir() if entry.name.startswith(".out")] == []


def test_another_ending_is_refused(store, tmp_path):
    with pytest.raises(OptionError, match=r"\.csv or \.parquet"):
        write(store, tmp_path / "out.xlsx")


def test_a_bad_row_is_left_out_and_named(store, tmp_path):
    with store.index.writing() as writer:
        writer.connection.execute("UPDATE games SET figures = '[' WHERE id = 1")
    assert write(store, tmp_path / "out.parquet") == 11
    assert "bad value" in store.warnings[0]


def test_many_rows_are_written_once_each(home, tmp_path):
    store = Store(home)
    store.put_many(many(300))
    write(store, tmp_path / "out.parquet")
    assert sorted(parquet.read_table(tmp_path / "out.parquet")["seed"].to_pylist()) == list(range(300))


def test_times_and_figures_have_columns_of_their_own(store):
    with store.selected(Wanted()) as found:
        names = [column.name for column in exports.columns(found)]
        kinds = dict(found.columns())
    times = [name for name in names if name.startswith("decision_")]
    figures = [name for name in names if name.startswith("figure_")]
    assert times == [f"decision_{name}" for name in sorted(kinds) if kinds[name] == exports.DECISION] != []
    assert figures == [f"figure_{name}" for name in sorted(kinds) if kinds[name] != exports.DECISION] != []
