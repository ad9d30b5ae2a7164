"""Under node budgets a game is a function of its episode: every way to play it gives the same bytes and tables.

Each way here plays games of every room; `make long` plays every game in every way.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.tiny_games import tiny_games
from gridsage.arena import executors
from gridsage.cli.app import app
from gridsage.cli.flags import Shard
from gridsage.core.trace import Episode
from gridsage.games import catalog
from gridsage.store import Store, merge


@pytest.fixture(scope="module")
def episodes() -> list[Episode]:
    return tiny_games()


@pytest.fixture(scope="module")
def reference(episodes, tmp_path_factory) -> Path:
    """A store of games that were played one after the other in this process."""
    home = tmp_path_factory.mktemp("inline")
    executors.run(episodes, sink=Store(home), executor=executors.Inline())
    return home


def kept(home: Path, episodes: list[Episode]) -> dict[str, object]:
    """What a store holds of each episode, without what a clock said."""
    store = Store(home)
    found = {episode: (name, store.load_kept(name)) for episode, name, _ in store.places([e.id for e in episodes])}
    return {
        episode: (name, game.notes.figures, game.notes.decisions.get("nodes"), game.notes.code)
        for episode, (name, game) in found.items()
    }


def table(home: Path, monkeypatch, capsys, *words: str) -> str:
    """What `gridsage stats` prints of a store."""
    monkeypatch.setenv("GRIDSAGE_HOME", str(home))
    capsys.readouterr()
    app(["stats", *words], standalone_mode=False)
    return capsys.readouterr().out


@pytest.fixture
def same(reference, episodes, monkeypatch, capsys):
    """Compare a store with the reference: the bytes of traces and figures, and the tables."""

    def compare(home: Path) -> None:
        assert kept(home, episodes) == kept(reference, episodes)
        for words in ((), ("--json",)):
            assert table(home, monkeypatch, capsys, *words) == table(reference, monkeypatch, capsys, *words)

    return compare


def in_another_process(home: Path, *flags: str, **env: str) -> None:
    script = Path(__file__).with_name("tiny_games.py")
    subprocess.run([sys.executable, *flags, str(script), str(home)], check=True, env={**os.environ, **env})


def test_every_room_is_played(reference, episodes):
    assert {episode.game for episode in episodes} == set(catalog.BUILT_IN)
    assert len(kept(reference, episodes)) == len(episodes) >= 4 * len(catalog.BUILT_IN)


WAYS = [executors.Inline(), executors.Pool(2), executors.Pool(3)]


def test_shards_played_here_and_in_pools_of_two_and_three_give_the_same_bytes_when_merged(episodes, tmp_path, same):
    whole = Store(tmp_path / "whole")
    for part, executor in enumerate(WAYS, 1):
        todo = Shard(part, len(WAYS)).of(episodes)
        assert {episode.game for episode in todo} == set(catalog.BUILT_IN), "every room is played in every way"
        store = Store(tmp_path / str(part))
        executors.run(todo, sink=store, executor=executor)
        merge.merge(whole, store.home)
    same(whole.home)


@pytest.mark.long  # test_ray.py compares traces and figures of a cluster in every run
def test_a_cluster_gives_the_same_bytes(episodes, tmp_path, same):
    executors.run(episodes, sink=Store(tmp_path), executor=executors.named("ray", 2))
    same(tmp_path)


def test_another_hash_seed_and_python_without_asserts_give_the_same_bytes(tmp_path, same):
    in_another_process(tmp_path, "-O", PYTHONHASHSEED="7")
    same(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("jobs", [2, 3])
def test_a_pool_gives_the_same_bytes(jobs, episodes, tmp_path, same):
    executors.run(episodes, sink=Store(tmp_path), executor=executors.Pool(jobs))
    same(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(("flags", "seed"), [((), "7"), ((), "8"), (("-O",), "0")])
def test_a_hash_seed_or_python_without_asserts_alone_gives_the_same_bytes(flags, seed, tmp_path, same):
    in_another_process(tmp_path, *flags, PYTHONHASHSEED=seed)
    same(tmp_path)


@pytest.mark.long
def test_every_agent_of_every_room_gives_the_same_bytes_in_a_pool(tmp_path, monkeypatch, capsys):
    episodes = tiny_games(agents=99, seeds=range(1, 6), steps=300, nodes=1_000)
    for name, executor in (("inline", executors.Inline()), ("pool", executors.Pool(3))):
        executors.run(episodes, sink=Store(tmp_path / name), executor=executor)
    assert kept(tmp_path / "pool", episodes) == kept(tmp_path / "inline", episodes)
    tables = [table(tmp_path / name, monkeypatch, capsys, "--json") for name in ("inline", "pool")]
    assert tables[0] == tables[1]


READY = """
from gridsage.games import catalog
for name in catalog.BUILT_IN:
    steps = []
    if catalog.room(name).rules.warm_up is not None:
        catalog.ready_room(name, lambda words, done, total: steps.append(words))
        print(name, len(steps))
"""


def test_a_variant_is_compiled_before_its_first_game_though_its_neighbour_was_already():
    """Else its kernels are compiled inside a decision, which is then late: a loss that no other way of playing has."""
    done = subprocess.run([sys.executable, "-c", READY], capture_output=True, text=True, check=True)
    found = dict(line.split() for line in done.stdout.splitlines())
    assert {"loderunner-classic", "delirium-bd"} <= found.keys()
    assert [name for name, steps in found.items() if steps == "0"] == []
