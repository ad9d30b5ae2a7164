"""Many games share a pack: whole, verified one by one, pruned and gathered."""

from __future__ import annotations

import time

import msgspec
import pytest

from gridsage.core.errors import StoreError, TraceError
from gridsage.core.trace import content_hash
from gridsage.store import VERIFIED, Check, Store, Wanted
from gridsage.store.files import FEW, MAGIC, first_record
from store.games import damage, many, results


def the_pack(home):
    (path,) = home.glob("traces/packs/*.pack")
    return path


def test_a_batch_is_one_file_and_a_few_games_are_files_of_their_own(home):
    store = Store(home)
    store.put_many(many(FEW))
    assert the_pack(home).stat().st_size > 0 and not list(home.glob("traces/??/*"))
    store.put_many(results(seeds=range(50, 50 + FEW - 1)))
    assert len(list(home.glob("traces/??/*.trace"))) == FEW - 1
    for row in store.rows():
        assert content_hash(store.load(row.trace)) == row.trace


def test_what_is_put_in_a_batch_is_known_with_everything_beside_it(home):
    games = [msgspec.structs.replace(game, log="hello", code="abc") for game in many(40)]
    Store(home).put_many(games)
    known = Store(home).known([game.trace.episode for game in games])
    assert [known[game.trace.episode] for game in games] == games
    assert Store(home).put_many(games) and len(list(home.glob("traces/packs/*"))) == 1, "nothing is kept twice"


def test_a_damaged_part_of_a_pack_costs_only_its_own_games(home):
    store = Store(home)
    games = many(30)
    names = store.put_many(games)
    data = bytearray(the_pack(home).read_bytes())
    middle = data.index(MAGIC, len(data) // 2)
    data[middle + 2] ^= 0xFF  # the header of one
    data[60] ^= 0xFF  # the content of the first
    the_pack(home).write_bytes(data)
    with pytest.raises(TraceError, match=names[0]):
        store.load(names[0])
    assert len(store.known([game.trace.episode for game in games])) == 29, "a lost header hurts only a rebuild"
    found = store.check()
    assert len(found.damaged) == 2 and found.games == 30
    for path in home.glob("index.sqlite*"):
        path.unlink()
    again = Store(home)
    assert len(again.rows()) == 28
    assert any("is damaged at byte" in warning for warning in again.warnings)


def test_a_pack_that_was_cut_off_gives_what_is_left(home):
    store = Store(home)
    store.put_many(many(30))
    store.close()
    path = the_pack(home)
    path.write_bytes(path.read_bytes()[:-10])
    for index in home.glob("index.sqlite*"):
        index.unlink()
    assert len(Store(home).rows()) == 29


def test_a_damaged_game_of_a_pack_is_played_and_kept_again(home):
    store = Store(home)
    games = many(20)
    names = store.put_many(games)
    data = bytearray(the_pack(home).read_bytes())
    data[60] ^= 0xFF
    the_pack(home).write_bytes(data)
    store.put(games[0])
    assert store.load(names[0]) == games[0].trace and len(store.rows()) == 20


def test_the_newest_game_of_an_episode_stands_for_it_also_after_a_rebuild(home):
    store = Store(home)
    games = many(20)
    store.put_many(games)
    changed = [
        msgspec.structs.replace(game, trace=msgspec.structs.replace(game.trace, level_name="again")) for game in games
    ]
    store.put_many(changed, replace=True)
    single = msgspec.structs.replace(games[3], trace=msgspec.structs.replace(games[3].trace, level_name="third"))
    store.put(single, replace=True)
    before = {row.episode: row.level for row in store.rows()}
    assert sorted(before.values()) == ["again"] * 19 + ["third"]
    for path in home.glob("index.sqlite*"):
        path.unlink()
    assert {row.episode: row.level for row in Store(home).rows()} == before


def test_a_replaced_single_game_leaves_no_file(home):
    store = Store(home)
    (game,) = results(seeds=[1])
    store.put(game)
    other = msgspec.structs.replace(game, trace=msgspec.structs.replace(game.trace, level_name="again"))
    name = store.put(other, replace=True)
    assert [path.stem for path in home.glob("traces/??/*")] == [name]
    assert store.put(game) == content_hash(game.trace) and [row.level for row in store.rows()] == ["again"]


# Pruning and gathering


def test_pruning_deletes_what_is_meant_and_nothing_else(home):
    store = Store(home)
    store.put_many(many(20))
    store.put_many([*results("straight"), *results("crashing")])
    lost = store.rows(agent="straight")[0].trace
    store.put_check(Check(lost, 1.0, 1, "code", VERIFIED))
    assert store.prune(Wanted(agent="straight")) == 3
    assert store.checks([lost]) == {} and not store.files.path(lost).exists()
    assert {row.agents for row in store.rows()} == {("drunk",), ("crashing",)}
    assert store.prune(Wanted(agent="drunk", seeds=range(5))) == 5
    assert len(store.rows(agent="drunk")) == 15 and len(store.rows()) == 18
    assert store.check().damaged == [] and store.check().unknown == []
    for path in home.glob("index.sqlite*"):
        path.unlink()
    assert len(Store(home).rows()) == 18, "what was deleted does not come back"


def test_pruning_one_of_two_equal_halves_leaves_the_other(home):
    """Once the first half is gone its filter must not be taken for none at all."""
    store = Store(home)
    store.put_many([*results("straight"), *results("crashing")])
    assert store.prune(Wanted(agent="straight")) == 3
    assert len(store.rows()) == 3


def test_pruning_by_age(home):
    store = Store(home)
    store.put_many(many(20))
    middle = time.time()
    store.put_many(results())
    assert store.prune(Wanted(before=middle)) == 20
    assert len(store.rows()) == 3 and not list(home.glob("traces/packs/*.pack"))


def test_single_games_are_gathered_and_damaged_ones_left_alone(home):
    store = Store(home)
    games = results(seeds=range(1, 9))
    names = [store.put(game) for game in games]
    damage(store, names[2])
    assert store.pack() == 7
    assert [path.stem for path in home.glob("traces/??/*")] == [names[2]]
    assert len(store.known([game.trace.episode for game in games])) == 7
    assert store.pack() == 0


def test_a_seed_that_no_index_can_hold_is_a_sentence(home):
    (game,) = results(seeds=[1])
    huge = msgspec.structs.replace(game.trace, seed=10**30)
    with pytest.raises(StoreError, match="seed is too large"):
        Store(home).put(msgspec.structs.replace(game, trace=huge))
    assert Store(home).rows() == []


def test_pruning_survives_a_pack_that_is_gone(home):
    store = Store(home)
    store.put_many(many(20))
    the_pack(home).unlink()
    assert store.prune(Wanted(seeds=range(5))) == 5
    assert len(store.rows()) == 15


def test_pruning_an_imported_game_leaves_the_same_game_that_was_played_here(home):
    store = Store(home)
    (game,) = results(seeds=[1])
    name = store.add_foreign(game.trace)
    store.put(game)
    assert store.prune(Wanted(imported=True)) == 1
    assert [row.imported for row in store.rows()] == [False] and store.load(name) == game.trace


def test_the_first_game_of_a_pack_is_read_alone_and_a_cut_one_is_named(home):
    store = Store(home)
    store.put_many(many(FEW))
    path = the_pack(home)
    first = first_record(path)
    assert not first.problem and content_hash(store.load(first.name)) == first.name
    path.write_bytes(path.read_bytes()[: first.place.start + first.place.length])
    assert first_record(path) == first  # alone in its file and whole
    path.write_bytes(path.read_bytes()[:-1])
    assert first_record(path).problem == f"{path.name} is damaged at its beginning"
