"""The store: nothing lost, nothing believed that was changed."""

from __future__ import annotations

import multiprocessing
import sqlite3

import msgspec
import pytest

from gridsage.core.errors import StoreError, TraceError, UnknownName
from gridsage.core.game import Budget, Outcome
from gridsage.core.trace import content_hash
from gridsage.store import DIFFERS, VERIFIED, Check, Store
from store.games import results


def test_what_is_put_is_found_again(home):
    store = Store(home)
    for result in results():
        name = store.put(result)
        assert name == content_hash(result.trace)
        assert store.load(name) == result.trace
        assert store.load(name[:8]) == result.trace
        assert store.load(result.trace.episode) == result.trace
    row = store.rows()[0]
    assert (row.game, row.agents, row.seed) == ("stroll", ("drunk",), 3)


def test_rows_are_filtered(home):
    store = Store(home)
    for result in [*results("drunk"), *results("straight")]:
        store.put(result)
    assert len(store.rows()) == 6
    assert {row.agents for row in store.rows(agent="straight")} == {("straight",)}
    assert [row.seed for row in store.rows(seeds=[2], agent="drunk")] == [2]
    assert len(store.rows(outcome="arrived", agent="straight")) == 3
    assert len(store.rows(limit=2)) == 2
    assert store.rows(game="nim") == []


def test_an_unknown_or_short_name_is_answered_with_a_sentence(home):
    store = Store(home)
    with pytest.raises(UnknownName, match="no stored game 'ffffffff'"):
        store.load("ffffffff")
    with pytest.raises(UnknownName, match="at least 4 hex digits"):
        store.load("../../etc/passwd")


def test_a_damaged_file_is_named_and_skipped(home):
    store = Store(home)
    played = results()
    names = [store.put(result) for result in played]
    damaged = home / "traces" / names[0][:2] / f"{names[0]}.trace"
    damaged.write_bytes(damaged.read_bytes()[:30])
    with pytest.raises(TraceError, match=names[0]):
        store.load(names[0])
    known = store.known([result.trace.episode for result in played])
    assert len(known) == 2
    assert len(store.warnings) == 1 and names[0] in store.warnings[0]


def test_a_file_with_other_content_than_its_name_says_is_refused(home):
    store = Store(home)
    first, second = (store.put(result) for result in results(seeds=range(2, 4)))
    path = home / "traces" / first[:2] / f"{first}.trace"
    path.write_bytes((home / "traces" / second[:2] / f"{second}.trace").read_bytes())
    with pytest.raises(TraceError, match="does not fit the name"):
        store.load(first)


def test_a_lost_index_is_rebuilt_from_the_files_and_foreign_files_are_named(home):
    store = Store(home)
    for result in results():
        store.put(result)
    (home / "index.sqlite").unlink()
    (home / "traces" / "ab").mkdir(exist_ok=True)
    (home / "traces" / "ab" / "holiday.jpg").write_bytes(b"not a trace")
    again = Store(home)
    assert len(again.rows()) == 3
    assert any("holiday.jpg" in warning for warning in again.warnings)
    assert again.rebuild() == 0


def test_a_store_in_use_sees_that_its_index_was_moved_away(home):
    store = Store(home)
    played = results()
    for result in played:
        store.put(result)
    for path in home.glob("index.sqlite*"):
        path.rename(home / f"old-{path.name}")
    assert {row.trace for row in store.rows()} == {content_hash(result.trace) for result in played}
    more = store.put(results("straight")[0])
    assert len(Store(home).rows()) == len(store.rows()) == 4
    assert Store(home).load(more) == store.load(more)


def test_an_index_whose_making_was_interrupted_is_completed(home):
    store = Store(home)
    for result in results():
        store.put(result)
    store.close()
    with sqlite3.connect(home / "index.sqlite") as index:
        index.execute("DELETE FROM games WHERE seed > 1")
        index.execute("PRAGMA user_version=0")
    index.close()
    assert len(Store(home).rows()) == 3


def test_a_damaged_index_is_made_anew_by_following_the_advice(home):
    store = Store(home)
    for result in results():
        store.put(result)
    store.close()
    for path in home.glob("index.sqlite-*"):
        path.unlink()
    (home / "index.sqlite").write_bytes(b"this is not a database, really not" * 400)
    with pytest.raises(StoreError, match="move it away, and the next use makes a new one from the trace files"):
        store.rows()
    (home / "index.sqlite").rename(home / "damaged")
    assert len(store.rows()) == 3


def test_an_index_whose_damage_sqlite_cannot_quote_is_named_with_the_same_advice(home):
    Store(home).close()
    index = home / "index.sqlite"
    index.write_bytes(index.read_bytes().replace(b"TABLE games", b"TAB\xf4E games"))
    with pytest.raises(StoreError, match="move it away, and the next use makes a new one from the trace files"):
        Store(home)


def test_an_index_made_anew_keeps_brought_games_apart_and_loses_none_of_an_episode(home):
    played, other = results()[:2]
    store = Store(home)
    brought = store.add_foreign(played.trace)
    first = store.put(other)
    second = store.add_foreign(msgspec.structs.replace(other.trace, level_name="elsewhere"))
    store.close()
    (home / "index.sqlite").unlink()
    again = Store(home)
    assert {row.trace for row in again.rows()} == {brought, first, second}
    assert set(again.known([played.trace.episode, other.trace.episode])) == {other.trace.episode}
    assert again.load(first) == other.trace


def test_a_file_that_cannot_be_written_is_a_sentence_and_leaves_nothing(home):
    store = Store(home)
    result = results()[0]
    folder = home / "traces" / content_hash(result.trace)[:2]
    folder.write_text("")
    with pytest.raises(StoreError, match="cannot be kept"):
        store.put(result)
    assert store.rows() == []
    folder.unlink()
    assert store.load(store.put(result)) == result.trace


def test_an_index_that_is_no_database_is_a_sentence(home):
    home.mkdir(parents=True)
    (home / "index.sqlite").write_bytes(b"this is not a database, really not" * 40)
    with pytest.raises(StoreError, match=r"index\.sqlite"):
        Store(home)


def test_an_index_of_a_newer_version_is_left_alone(home):
    Store(home)
    with sqlite3.connect(home / "index.sqlite") as index:
        index.execute("PRAGMA user_version=99")
    index.close()
    with pytest.raises(StoreError, match="newer gridsage"):
        Store(home)


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"):
        Store(tmp_path / "file" / "home")


def put_many(home, agent):
    store = Store(home)
    for result in results(agent, range(1, 40)):
        store.put(result)


def test_two_processes_write_at_once(home):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=put_many, args=(home, agent)) for agent in ("drunk", "straight")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    store = Store(home)
    rows = store.rows()
    assert len(rows) == 78
    assert all(store.load(row.trace).seed == row.seed for row in rows)


def test_a_verdict_is_remembered_with_the_code_it_was_found_with(home):
    store = Store(home)
    names = [store.put(result) for result in results()]
    store.put_check(Check(names[0], 5.0, 1, "code", VERIFIED))
    store.put_check(Check(names[1], 6.0, 1, "code", DIFFERS, "step 3: the state differs"))
    found = Store(home).checks([*names, "ffff"])
    assert set(found) == set(names[:2])
    assert found[names[1]].text == "step 3: the state differs"
    store.put_check(Check(names[1], 7.0, 1, "other code", VERIFIED))
    assert store.checks(names)[names[1]] == Check(names[1], 7.0, 1, "other code", VERIFIED)


def test_a_brought_trace_never_stands_for_an_episode_that_is_still_to_be_played(home):
    played = results()[0]
    store = Store(home)
    name = store.add_foreign(played.trace)
    assert store.load(name) == played.trace
    assert store.known([played.trace.episode]) == {}
    store.put(played)
    assert set(store.known([played.trace.episode])) == {played.trace.episode}


def test_two_traces_of_one_episode_can_both_be_opened(home):
    """With a budget in seconds the same episode may go differently on another machine."""
    played = results()[0]
    store = Store(home)
    own = store.put(played)
    assert store.add_foreign(played.trace) == own
    assert len(store.rows()) == 1
    other = msgspec.structs.replace(played.trace, level_name="elsewhere")
    assert store.load(store.add_foreign(other)) == other
    assert {row.level for row in store.rows()} == {played.trace.level_name, "elsewhere"}


def test_a_new_index_without_games_is_whole_at_once(home):
    """Two processes that begin at the same time must not both take it for a lost one."""
    Store(home)
    with sqlite3.connect(home / "index.sqlite") as index:
        assert index.execute("PRAGMA user_version").fetchone()[0] > 0
    index.close()
    first, second = Store(home), Store(home)
    names = [first.put(result) for result in results()]
    assert {row.trace for row in second.rows()} == set(names)
    assert all(row.seconds > 0 for row in second.rows())


def test_games_that_would_not_go_the_same_way_again_stay_beside_each_other(home):
    (won,) = results(seeds=[1])
    by_clock = msgspec.structs.replace(won.trace, budgets=(Budget(seconds=0.1),))
    given_up = msgspec.structs.replace(by_clock, actions=(), outcome=Outcome("stopped", (0.0,)))
    store = Store(home)
    names = [store.put_single(msgspec.structs.replace(won, trace=trace)) for trace in (by_clock, given_up, by_clock)]
    assert len(store.rows()) == len(set(names)) == 2, "the same game twice is one"
    assert [store.load(name).actions for name in names] == [won.trace.actions, (), won.trace.actions]
    assert store.known([won.trace.episode]) == {}, "a bench plays its own"
    for path in home.glob("index.sqlite*"):
        path.unlink()
    assert len(Store(home).rows()) == 2


def test_a_single_game_that_always_goes_the_same_way_takes_the_place_of_its_episode(home):
    (played,) = results(seeds=[1])
    store = Store(home)
    store.put(played)
    store.put_single(msgspec.structs.replace(played, log="hello"))
    assert store.known([played.trace.episode])[played.trace.episode].log == "hello" and len(store.rows()) == 1


def test_a_single_game_that_a_person_stopped_does_not_stand_for_its_episode(home):
    (played,) = results(seeds=[1])
    stopped = msgspec.structs.replace(played.trace, outcome=Outcome("stopped", (0.0,)))
    store = Store(home)
    store.put(played)
    store.put_single(msgspec.structs.replace(played, trace=stopped))
    assert store.known([played.trace.episode])[played.trace.episode] == played and len(store.rows()) == 2
