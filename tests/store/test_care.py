"""The store takes care: order within a batch, failed transactions, limits, a folder that may only be read."""

from __future__ import annotations

import gc
import sqlite3
import stat
import threading

import msgspec
import pytest

from gridsage.core.errors import StoreError, UnknownName
from gridsage.store import VERIFIED, Check, Store, Wanted, upkeep
from gridsage.store import index as indexes
from gridsage.store import store as stores
from gridsage.store.files import MAX_LOG, Notes, notes_of, packed, read
from store.games import duels, many, results


def test_the_games_of_a_batch_keep_their_order(home):
    store = Store(home)
    games = many(20)
    store.put_many(games)
    rows = store.rows()
    assert [row.seed for row in rows] == [game.trace.seed for game in reversed(games)]
    assert len({row.stored for row in rows}) == 20 and rows[0].stored - rows[-1].stored < 0.001


def test_a_transaction_that_fails_leaves_nothing_and_the_next_one_works(home):
    store = Store(home)
    (game,) = results(seeds=[1])
    name = store.put(game)
    with pytest.raises(ZeroDivisionError), store.index.writing() as writer:
        writer.connection.execute("DELETE FROM games")
        raise ZeroDivisionError
    assert [row.trace for row in store.rows()] == [name]
    store.put_check(Check(name, 1.0, 1, "code", VERIFIED))
    assert set(store.checks([name])) == {name}


def test_nothing_is_changed_where_games_may_only_be_read(home):
    store = Store(home)
    (game, other) = results(seeds=[1, 2])
    name = store.put(game)
    store.index.read_only = True
    attempts = (
        lambda: store.put(other),
        lambda: store.add_foreign(other.trace),
        lambda: store.put_check(Check(name, 1.0, 1, "code", VERIFIED)),
        lambda: store.prune(Wanted()),
        lambda: store.prune(Wanted(game="nothing")),  # refused even where nothing is meant
        store.pack,
        store.rebuild,
    )
    for attempt in attempts:
        with pytest.raises(StoreError, match="can only be read: nothing can be kept there"):
            attempt()
    assert [row.trace for row in store.rows()] == [name]
    assert [path.stem for path in home.glob("traces/??/*")] == [name]


def test_a_log_is_cut_and_no_file_can_be_executed(home):
    (game,) = results(seeds=[1])
    name = Store(home).put(msgspec.structs.replace(game, log="x" * (MAX_LOG + 5)))
    kept = Store(home).load_kept(name)
    assert kept.notes is not None and len(kept.notes.log) == MAX_LOG == 65_536
    mode = stat.S_IMODE(Store(home).files.path(name).stat().st_mode)
    assert mode & 0o111 == 0 and mode & 0o600 == 0o600


def test_notes_leave_out_what_is_not_known(home):
    """Most games have no log and were played here: a byte per game is a megabyte per million."""
    (game,) = results(seeds=[1])
    notes = notes_of(msgspec.structs.replace(game, log="", code="", decisions={}, figures={}, seconds=0.0), 5.0)
    assert msgspec.json.encode(notes) == b'{"kept":2,"stored":5.0,"seconds":0.0}'
    assert read(packed(game.trace, notes), "x").notes == Notes(2, 5.0)


def test_warnings_are_told_once_and_not_without_end(home, monkeypatch):
    monkeypatch.setattr(stores, "MOST_WARNINGS", 3)
    store = Store(home)
    for number in (1, 1, 2, 3, 4, 5):
        store.skip(f"file {number} is damaged")
    assert store.warnings == ["file 1 is damaged", "file 2 is damaged", "file 3 is damaged"]


def test_questions_about_many_games_are_asked_in_parts(home, monkeypatch):
    monkeypatch.setattr(stores, "PART", 7)
    store = Store(home)
    games = many(20)
    names = store.put_many(games)
    assert [episode for episode, _, _ in store.places([game.trace.episode for game in games])] == [
        game.trace.episode for game in games
    ]
    for name in names:
        store.put_check(Check(name, 1.0, 1, "code", VERIFIED))
    assert set(store.checks(names)) == set(names)


def test_four_digits_name_a_game_and_three_do_not(home):
    store = Store(home)
    (game,) = results(seeds=[1])
    name = store.put(game)
    assert store.find(name[:4]) == name and store.find(game.trace.episode[:4]) == name
    for typed in (name[:3], name[:3] + "x", "", "ABCD"):
        with pytest.raises(UnknownName, match="expected at least 4 hex digits"):
            store.find(typed)


def test_the_newest_games_on_a_level_are_those_of_every_game_that_has_one_of_that_name(home):
    store = Store(home)
    walks = results(seeds=[1, 2])
    level = walks[0].trace.level_name
    named = [
        msgspec.structs.replace(game, trace=msgspec.structs.replace(game.trace, level_name=level)) for game in duels()
    ]
    store.put_many([*walks, *named])
    everything = [row.trace for row in store.rows(level=level)]
    assert len(everything) > len(named) and [row.trace for row in store.rows(level=level, limit=100)] == everything
    assert {row.game for row in store.rows(level=level, limit=100)} == {"stroll", "nim"}
    assert {row.game for row in store.rows(level=level, game="nim", limit=100)} == {"nim"}


def test_pruning_tells_how_far_it_is(home):
    store, told = Store(home), []
    store.put_many(many(30))
    assert store.prune(Wanted(), told.append) == sum(told) == 30


def test_a_pack_that_cannot_be_read_is_older_than_all_others(tmp_path):
    path = tmp_path / "broken.pack"
    path.write_bytes(b"nothing of ours")
    assert upkeep._kept_at(path) == 0.0


def test_a_game_under_the_name_of_another_is_found_by_a_check(home):
    store = Store(home)
    first, second = (store.files.path(store.put(game)) for game in results(seeds=[1, 2]))
    second.write_bytes(first.read_bytes())
    (problem,) = store.check().damaged
    assert problem == f"{second.stem}: the content does not fit the name, the file was changed"


def test_whoever_opens_an_index_waits_while_another_one_does(tmp_path):
    path = tmp_path / "index.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE something (id)")
    other.execute("BEGIN EXCLUSIVE")
    timer = threading.Timer(0.2, lambda: other.execute("COMMIT"))
    timer.start()
    opened = sqlite3.connect(path, timeout=0)
    indexes._write_ahead(opened)
    assert opened.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    timer.join()
    opened.close()
    other.close()


def test_a_connection_has_its_cache_and_is_closed_with_its_store_or_its_index(home):
    store = Store(home)
    with store.index.reading() as first:
        assert first.execute("PRAGMA cache_size").fetchone() == (-65_536,), "64 MiB"
    for path in home.glob("index.sqlite*"):
        path.rename(home / f"old-{path.name}")
    with store.index.reading() as second:
        assert second is not first
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        first.execute("SELECT 1")
    del store
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        second.execute("SELECT 1")
