"""Episodes on a Ray cluster: the same traces as here, whatever is killed, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil
import pytest
from toys import stroll

from external.bots import class_file
from gridsage.arena import executors, tournament
from gridsage.arena.conditions import Conditions
from gridsage.core.errors import GridsageError, MissingPart
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, Episode, Result
from gridsage.store import Store
from processes import words_of

LINE = NamedLevel("line", "S......X")
TRUSTING = Conditions(trust=True, bank=0.0)
SLOW = "def decide(self, o, b):\n    time.sleep(0.03)\n    return Decision(1)"


@dataclass
class Cluster:
    address: str
    raylets: list[int]  # process numbers, of the head first

    @property
    def executor(self) -> executors.Executor:
        return executors.named(f"ray:{self.address}", 0)

    def posts(self) -> list[psutil.Process]:
        """The actors of the cluster that play."""
        found = [child for raylet in self.raylets if psutil.pid_exists(raylet) for child in _children(raylet)]
        return [process for process in found if "ray::Post" in " ".join(words_of(process))]


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children()
    except psutil.Error:
        return []


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    # Else Ray takes 127.0.0.1 for a way to say the machine's address in its network.
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    script = Path(__file__).with_name("ray_cluster.py")
    with subprocess.Popen(
        [sys.executable, str(script)],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        address, *raylets = process.stdout.readline().split()
        yield Cluster(address, [int(pid) for pid in raylets])
        process.stdin.close()
        del os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"]


def games(agent: str, seeds: int, budget: Budget | None = None) -> list[Episode]:
    chosen = budget or Budget(nodes=5)
    return tournament.bench_episodes(stroll.ROOM, [LINE], [AgentSpec(agent)], range(1, seeds + 1), {}, chosen)


def mixed() -> list[Episode]:
    specs = [AgentSpec("drunk"), AgentSpec("straight")]
    return tournament.bench_episodes(stroll.ROOM, None, specs, range(1, 61), {}, Budget(nodes=10))


def plain(results: list[Result]) -> list[tuple[object, object]]:
    return [(result.trace, result.figures) for result in results]


class Kept:
    """A sink that counts what it is given."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def known(self, ids):
        return {}

    def put_many(self, results):
        self.ids += [result.trace.episode for result in results]


@pytest.fixture(scope="module")
def played(cluster, tmp_path_factory) -> list[Result]:
    """One run of many kinds of episode; each start of posts takes seconds."""
    folder = tmp_path_factory.mktemp("bots")
    hang = "def decide(self, o, b):\n    if o.col == 3: time.sleep(99)\n    return Decision(1)\n"
    hanging = class_file(folder / "bot", hang)
    todo = [*mixed(), *games("deadly", 2), *games(hanging, 1, Budget(seconds=0.3))]
    return executors.run(todo, conditions=TRUSTING, executor=cluster.executor)


def test_a_cluster_gives_the_same_traces_and_figures_as_this_process(played):
    todo = mixed()
    assert plain(played[: len(todo)]) == plain(executors.run(todo))


def test_an_agent_that_ends_its_process_ends_only_its_own_game(played):
    assert [result.trace.outcome.reason for result in played[-3:-1]] == ["agent died"] * 2


def test_an_agent_that_hangs_on_a_node_is_a_timeout_with_its_moves_so_far(played):
    assert (played[-1].trace.outcome.reason, played[-1].trace.actions) == ("timeout", (1, 1, 1))
    assert played[-1].figures["walls"] == "trusted"


def test_other_code_is_refused_in_a_sentence(cluster):
    todo = [msgspec.structs.replace(episode, code="0123456789abcdef") for episode in games("straight", 2)]
    with pytest.raises(GridsageError, match=r"the node \S+ has other code for stroll .* expected 0123456789abcdef"):
        executors.run(todo, executor=cluster.executor)


def test_a_run_that_is_stopped_keeps_what_is_done_and_frees_the_cluster(cluster, tmp_path, home):
    store, done = Store(home), []
    todo = games(class_file(tmp_path / "bot", SLOW), 40)
    executor = cluster.executor
    stop = lambda: len(done) >= 3  # noqa: E731
    results = executors.run(todo, sink=store, done=done.append, stop=stop, conditions=TRUSTING, executor=executor)
    assert 3 <= len(results) < 40
    assert {result.trace.episode for result in results} == {row.episode for row in store.rows()}
    _, alive = psutil.wait_procs(cluster.posts(), timeout=10)
    assert not alive


def test_nobody_at_the_address_is_a_sentence():
    with pytest.raises(MissingPart, match=r"no Ray cluster can be used at 127\.0\.0\.1:9: .*refused"):
        executors.run(games("straight", 2), executor=executors.named("ray:127.0.0.1:9", 0))


def test_killed_actors_foremen_and_nodes_lose_nothing_and_double_nothing(cluster, tmp_path):
    """The last test of this cluster: it has one node less afterwards."""
    todo = games(class_file(tmp_path / "bot", SLOW), 50)
    done: list[Result] = []
    kept = Kept()
    killed: list[str] = []
    crowd = executors.named(f"ray:{cluster.address}", 8)

    def kill_now_and_then(result: Result) -> None:
        done.append(result)
        assert len(cluster.posts()) <= 2, "a core each: that is what timed budgets need"
        if len(done) == 5:
            os.kill(cluster.posts()[0].pid, signal.SIGKILL)
            killed.append("actor")
        if len(done) == 15:
            (foreman,) = [each for each in psutil.Process().children() if "spawn_main" in " ".join(words_of(each))]
            foreman.kill()
            killed.append("foreman")
        if len(done) == 30:
            os.kill(cluster.raylets[1], signal.SIGKILL)
            killed.append("node")

    results = executors.run(todo, sink=kept, done=kill_now_and_then, conditions=TRUSTING, executor=crowd)
    assert killed == ["actor", "foreman", "node"]
    assert [result.trace.outcome.reason for result in results] == ["arrived"] * 50
    assert sorted(kept.ids) == sorted(episode.id for episode in todo)


# A cluster of the run's own, on this machine

BENCH = ["bench", "stroll", "--agents", "straight", "--seeds", "5000", "--nodes", "5", "--executor", "ray"]


def _hears_ctrl_c() -> None:
    """What a shell started in the background does not hear ctrl-C, and neither would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("sign", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.long)])
def test_a_cluster_of_our_own_ends_with_its_run(sign, home):
    process = subprocess.Popen(
        [sys.executable, "-m", "gridsage", *BENCH],
        preexec_fn=_hears_ctrl_c,
        env={**os.environ, "GRIDSAGE_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 90
    while not _stored(home) and process.poll() is None and time.monotonic() < deadline:
        threading.Event().wait(0.2)
    family = psutil.Process(process.pid).children(recursive=True)
    (folder,) = {word.partition("=")[2] for each in family for word in words_of(each) if word.startswith("--temp_dir=")}
    assert any("raylet" in " ".join(words_of(each)) for each in family)
    process.send_signal(sign)
    out, errors = process.communicate(timeout=30)
    _, alive = psutil.wait_procs(family, timeout=20)
    assert not alive
    assert not Path(folder).exists()
    if sign == signal.SIGINT:
        assert process.returncode == 130
        assert "arrived" in out and "stopped" in errors and "Traceback" not in errors


def _stored(home) -> int:
    try:
        return len(Store(home).rows(limit=5))
    except Exception:
        return 0
