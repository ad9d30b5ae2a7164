"""A store of the first version is opened, brought up to date in place, and loses nothing."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pytest

from gridsage.core.errors import StoreError, TraceError
from gridsage.store import DIFFERS, VERIFIED, Check, Store, Wanted
from gridsage.store.files import read
from gridsage.store.store import rebuild
from store.games import FIRST_VERSION, results

BROUGHT = "cd555ac7f6165e503e8db9fc1f89cd36"


@pytest.fixture
def first(home):
    shutil.copytree(FIRST_VERSION, home)
    return home


def seen(home):
    """Everything a store tells of its games."""
    rows = Store(home).rows()
    return {row.trace: msgspec.structs.replace(row, id=0) for row in rows}


def test_a_store_of_the_first_version_keeps_its_games_figures_times_and_verdicts(first):
    store = Store(first)
    rows = {row.trace: row for row in store.rows()}
    assert len(rows) == 7 and store.warnings == []
    runner = next(row for row in rows.values() if row.game == "loderunner")
    assert runner.figures["bonus_share"] == 0.5 and runner.decisions["nodes"] > 0 and runner.seconds > 0
    assert runner.agents == ("report",) and runner.code == ""
    assert next(row for row in rows.values() if row.options).options == {"patience": "7"}
    checks = store.checks(list(rows))
    assert sorted(check.verdict for check in checks.values()) == sorted([VERIFIED, DIFFERS])
    for name in rows:
        assert store.load(name).game == rows[name].game
    assert [row.trace for row in store.rows(Wanted(imported=True))] == [BROUGHT]
    assert [row.outcome for row in store.rows(Wanted(verdict=DIFFERS, codes={"stroll": "0123"}))] == ["arrived"]


def test_after_leaving_the_first_version_the_files_alone_are_enough(first):
    before = seen(first)
    for path in first.glob("index.sqlite*"):
        path.unlink()
    assert seen(first) == before


def test_an_index_made_anew_keeps_figures_and_verdicts(first):
    before = seen(first)
    (damaged,) = [row.trace for row in Store(first).rows(Wanted(verdict=DIFFERS, codes={"stroll": "0123"}))]
    assert rebuild(first, pytest.fail) == 7
    assert seen(first) == before
    assert Store(first).checks([damaged])[damaged].verdict == DIFFERS
    assert [row.trace for row in Store(first).rows(Wanted(verdict=DIFFERS, codes={"stroll": "0123"}))] == [damaged]


def test_rebuilding_a_store_of_the_first_version_loses_no_figures(first):
    assert rebuild(first, pytest.fail) == 7
    assert all(row.seconds > 0 for row in Store(first).rows(Wanted(imported=False)))


def test_renamed_agents_are_found_under_both_names(first):
    store = Store(first)
    assert [row.game for row in store.rows(agent="baseline")] == ["loderunner"]
    assert [row.game for row in store.rows(agent="report")] == ["loderunner"]
    assert {name.players for name in store.line_names("loderunner").values()} == {"baseline"}


def test_an_interrupted_departure_from_the_first_version_goes_on(first):
    with sqlite3.connect(first / "index.sqlite") as index:
        index.execute("PRAGMA user_version=0")
        index.execute("DELETE FROM episodes WHERE seed = 2")
    index.close()
    store = Store(first)
    assert len(store.rows()) == 7
    assert {row.seconds > 0 for row in store.rows(seeds=[1], game="stroll")} == {True, False}


def test_a_bad_row_of_the_first_version_is_named_and_found_again_in_its_file(first):
    with sqlite3.connect(first / "index.sqlite") as index:
        index.execute("UPDATE episodes SET figures = 'nonsense' WHERE game = 'loderunner'")
    index.close()
    store = Store(first)
    assert len(store.rows()) == 6
    assert any("bad value in the index of the first version" in warning for warning in store.warnings)
    assert store.rebuild() == 1
    assert len(store.rows(game="loderunner")) == 1


def test_a_damaged_file_of_the_first_version_is_named_and_its_row_stays(first):
    (path,) = first.glob("traces/8c/*.trace")
    path.write_bytes(b"\x1f\x8bnonsense")
    store = Store(first)
    assert len(store.rows()) == 7
    assert any(path.stem in warning for warning in store.warnings)


def test_a_file_of_a_newer_format_is_refused_in_words():
    data = (FIRST_VERSION / "traces/8c/8c0bf3aabf847e646aa5287e20b65ffc.trace").read_bytes()
    newer = gzip.compress(gzip.decompress(data) + b'\n{"kept":9,"stored":0.0}')
    with pytest.raises(TraceError, match="written by a newer gridsage"):
        read(newer, "file")
    with pytest.raises(TraceError, match="second line cannot be read"):
        read(gzip.compress(gzip.decompress(data) + b'\n{"kept":"two"}'), "file")


# A store that may only be read

SCRIPT = """
import os, tempfile
from gridsage.core.errors import StoreError
from gridsage.store import Store
if os.getuid() == 0:  # file modes do not bind root
    os.setgid(65534)
    os.setuid(65534)
store = Store()
print(store.read_only, len(store.rows()), len(store.load(store.rows()[0].trace).actions) > 0)
try:
    store.add_foreign(store.load(store.rows()[0].trace))
except StoreError as error:
    print(error)
"""


@pytest.fixture
def shelf():
    """A folder that an ordinary user can reach and not write."""
    folder = Path(tempfile.mkdtemp(prefix="gridsage-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_somebody_else(home):
    for path in [home, *home.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    environment = {**os.environ, "GRIDSAGE_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", SCRIPT]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", ["today", "with a log", "first version", "no index"])
def test_a_store_that_may_only_be_read_is_read(shelf, kind):
    home = shelf / "home"
    if kind == "first version":
        shutil.copytree(FIRST_VERSION, home)
        games = 7
    else:
        store = Store(home)
        store.put_many(results())
        games = 3
        if kind == "with a log":
            shutil.copytree(home, shelf / "copy")  # while it is open its log is not empty
            home = shelf / "copy"
            assert (home / "index.sqlite-wal").stat().st_size > 0
        else:
            store.close()
    if kind == "no index":
        (home / "index.sqlite").unlink()
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    answer = as_somebody_else(home)
    assert answer.stdout.splitlines()[0] == f"True {games} True", answer.stderr
    assert "can only be read" in answer.stdout.splitlines()[1]
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_a_newer_index_is_refused_and_left_alone(home):
    Store(home).close()
    with sqlite3.connect(home / "index.sqlite") as index:
        index.execute("PRAGMA user_version=4")
    index.close()
    with pytest.raises(StoreError, match=r"newer gridsage \(format 4, this build knows 3\)"):
        Store(home)


def test_an_index_of_the_second_version_learns_from_its_files_what_it_lacks(home):
    store = Store(home)
    for game in results("drunk"):
        salted = msgspec.structs.replace(game.trace, salt=9, episode=f"{game.trace.seed:032x}")
        store.put_many([game, msgspec.structs.replace(game, trace=salted)])
    before, columns = seen(home), _drawn(home)
    assert len(set(columns)) == 6, "a salt makes another game of the same seed"
    store.put_check(Check(store.rows(limit=1)[0].trace, 1.0, 1, "today", DIFFERS))
    store.close()
    with sqlite3.connect(home / "index.sqlite") as index:
        index.execute("DROP TRIGGER counted")
        index.execute("DROP TABLE spans")
        index.execute("DROP VIEW episodes")
        index.execute("CREATE VIEW episodes AS SELECT id, episode FROM games")  # a view of then lacks columns of today
        index.execute("ALTER TABLE games DROP COLUMN chance")
        index.execute("PRAGMA user_version=2")
    index.close()
    assert seen(home) == before and _drawn(home) == columns
    assert len(Store(home).rows(Wanted(verdict=DIFFERS, codes={"stroll": "today"}))) == 1
    assert Store(home).put(results("straight")[0]) in seen(home)


def _drawn(home):
    """The numbers from which the games of a store were drawn, newest first."""
    with Store(home).selected(Wanted()) as found:
        return sorted(number for sample in found.samples() for number in sample.numbers["chance"].tolist())
