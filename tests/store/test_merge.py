"""Stores are joined: idempotent, conflicts named, damaged and forged games left out."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from gridsage.core.errors import StoreError
from gridsage.store import VERIFIED, Check, Store, Wanted
from gridsage.store.merge import merge, size
from store.games import FIRST_VERSION, damage, many, results


@pytest.fixture
def shards(tmp_path):
    """Two stores with three games each, one of them in both."""
    homes = [tmp_path / "one", tmp_path / "two"]
    for home, seeds in zip(homes, ((1, 2, 3), (3, 4, 5)), strict=True):
        Store(home).put_many(results(seeds=seeds))
    return homes


def told(store):
    return {row.trace: msgspec.structs.replace(row, id=0) for row in store.rows()}


def test_merged_shards_are_the_games_of_all_of_them(home, shards):
    store = Store(home)
    first, second = (merge(store, shard) for shard in shards)
    assert (first.added, first.known) == (3, 0) and (second.added, second.known) == (2, 1)
    assert told(store) == told(Store(shards[1])) | told(Store(shards[0]))
    assert all(store.load(name).seed == row.seed for name, row in told(store).items())


def test_merging_twice_changes_nothing(home, shards):
    store = Store(home)
    for shard in shards:
        merge(store, shard)
    before, files = told(store), sorted(home.glob("traces/*/*"))
    again = merge(store, shards[0])
    assert (again.added, again.known, again.conflicts) == (0, 3, [])
    assert told(store) == before and sorted(home.glob("traces/*/*")) == files


def test_an_episode_that_went_differently_is_named_and_ours_stays(home, shards):
    (game,) = results(seeds=[3])
    theirs = msgspec.structs.replace(game.trace, level_name="elsewhere")
    Store(shards[0]).put(msgspec.structs.replace(game, trace=theirs), replace=True)
    store = Store(home)
    ours = store.put(game)
    found = merge(store, shards[0])
    assert found.added == 2 and len(found.conflicts) == 1
    assert "went differently (with equal code): here out of patience" in found.conflicts[0]
    assert {row.trace for row in store.rows(seeds=[3])} == {ours}


def test_a_damaged_game_is_left_out_and_named(home, shards):
    theirs = Store(shards[0])
    name = theirs.rows()[0].trace
    damage(theirs, name)
    found = merge(Store(home), shards[0])
    assert found.added == 2 and name in found.damaged[0]


def test_verdicts_imports_and_large_stores_come_along(home, tmp_path):
    theirs = Store(tmp_path / "large")
    names = theirs.put_many(many(2_500))
    theirs.put_check(Check(names[0], 1.0, 1, "code", VERIFIED))
    brought = theirs.add_foreign(msgspec.structs.replace(results(seeds=[9])[0].trace, level_name="brought"))
    store = Store(home)
    steps: list[int] = []
    assert merge(store, tmp_path / "large", advance=steps.append).added == 2_501
    assert sum(steps) == 2_501 and len(list(home.glob("traces/packs/*"))) == 2
    assert [row.trace for row in store.rows(Wanted(imported=True))] == [brought]
    assert [row.trace for row in store.rows(Wanted(verdict=VERIFIED, codes={"stroll": "code"}))] == [names[0]]


def test_a_sample_is_played_again_before_anything_is_taken_over(home, shards):
    store, seen = Store(home), []

    def wrong(trace):
        seen.append(trace)
        return "step 3: the state differs"

    with pytest.raises(StoreError, match=r"nothing was merged from .*step 3: the state differs"):
        merge(store, shards[0], verify=wrong, sample=2)
    assert seen and store.rows() == []
    assert 1 <= merge(store, shards[0], verify=lambda trace: "", sample=2).verified <= 2


def test_a_store_of_the_first_version_is_merged(home, tmp_path):
    shutil.copytree(FIRST_VERSION, tmp_path / "first")
    assert merge(Store(home), tmp_path / "first").added == 7
    assert all(row.seconds > 0 for row in Store(home).rows(Wanted(imported=False)))


def test_what_is_no_store_is_refused(home, tmp_path):
    store = Store(home)
    with pytest.raises(StoreError, match="no folder of stored games"):
        merge(store, tmp_path)
    with pytest.raises(StoreError, match="with itself"):
        merge(store, home)


def test_the_size_of_another_store_is_the_number_of_its_games(home, shards):
    assert [size(each) for each in shards] == [3, 3]
