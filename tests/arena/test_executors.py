"""Many episodes: the same traces here and in a pool, whatever dies in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import psutil
import pytest
from toys import stroll

from gridsage.arena import conditions, executors, tournament
from gridsage.arena.executors import pool
from gridsage.core.errors import GridsageError
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec
from gridsage.store import Store
from processes import words_of

SEEDS = range(1, 25)


def episodes(*agents: str, options=None):
    specs = [AgentSpec(agent) for agent in agents]
    return tournament.bench_episodes(stroll.ROOM, None, specs, SEEDS, options or {}, Budget(nodes=10))


def test_inline_and_pool_give_identical_traces():
    todo = episodes("drunk", "straight")
    here = executors.run(todo, jobs=1)
    pool = executors.run(todo, jobs=2)
    assert [result.trace for result in here] == [result.trace for result in pool]
    assert [result.figures for result in here] == [result.figures for result in pool]


def test_a_worker_that_dies_ends_only_its_own_episode():
    todo = [*episodes("straight")[:5], *episodes("deadly")[:2], *episodes("drunk")[:5]]
    results = executors.run(todo, jobs=2)
    reasons = [result.trace.outcome.reason for result in results]
    assert reasons[5:7] == ["agent died", "agent died"]
    assert "agent died" not in reasons[:5] + reasons[7:]


def test_no_worker_outlives_the_run():
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    executors.run(episodes("straight"), jobs=2)
    after = psutil.Process().children(recursive=True)
    assert {child.pid for child in after if "spawn_main" in " ".join(words_of(child))} <= before


def test_known_episodes_are_not_played_again(home):
    store = Store(home)
    first = executors.run(episodes("drunk"), sink=store)
    fresh = []

    class Counting:
        known = store.known

        def put_many(self, results):
            fresh.extend(results)

    again = executors.run(episodes("drunk"), sink=Counting())
    assert not fresh
    assert [result.trace for result in again] == [result.trace for result in first]
    assert [result.figures for result in again] == [result.figures for result in first]


@pytest.mark.parametrize("executor", [executors.Inline(), executors.Pool(2)])
def test_a_stream_draws_episodes_when_their_turn_comes_and_gives_each_result_once(executor, home):
    store, drawn, done = Store(home), [], []
    executors.run(episodes("straight")[:3], sink=store)

    todo = episodes("drunk", "straight")
    ahead = []

    class Drawn(Sequence):
        def __len__(self):
            return len(todo)

        def __getitem__(self, index):
            drawn.append(index)
            return todo[index]

    def take(result):
        done.append(result)
        ahead.append(len(drawn) - len(done))

    executors.stream(Drawn(), sink=store, done=take, executor=executor)
    assert [result.trace.agents[0].name for result in done[:3]] == ["straight"] * 3, "those that are known come first"
    assert sorted(result.trace.episode for result in done) == sorted(episode.id for episode in todo)
    assert len(store.known([episode.id for episode in todo])) == len(todo)
    assert max(ahead) < len(todo) / 2, "no more are drawn than are played next"


def test_an_error_of_the_input_is_told_from_the_pool_too():
    for jobs in (1, 2):
        with pytest.raises(GridsageError, match="option patience='nine' of stroll"):
            executors.run(episodes("straight", options={"patience": "nine"}), jobs=jobs)


BENCH = [
    sys.executable,
    "-m",
    "gridsage",
    "bench",
    "stroll",
    "--agents",
    "drunk,straight",
    "--seeds",
    "150",
    "--nodes",
    "5",
]


def test_a_bench_killed_at_any_moment_resumes_to_the_same_table(home, tmp_path):
    def table(home_folder, *more: str) -> str:
        env = {**os.environ, "GRIDSAGE_HOME": str(home_folder)}
        out = subprocess.run([*BENCH, "--json", *more], env=env, capture_output=True, text=True, check=True).stdout
        return "\n".join(_without_times(line) for line in out.splitlines())

    killed = subprocess.Popen(
        [*BENCH, "--jobs", "2"],
        env={**os.environ, "GRIDSAGE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while _stored(home) < 20 and killed.poll() is None and time.monotonic() < deadline:
        pause()
    children = psutil.Process(killed.pid).children(recursive=True) if killed.poll() is None else []
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert _stored(home) >= 20, "the bench was killed before it had stored anything"
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive, "workers must end with their parent"
    assert table(home) == table(tmp_path / "untouched")


def pause() -> None:
    """Let the other process work between two looks at what it has stored."""
    threading.Event().wait(0.05)


def _stored(home) -> int:
    try:
        return len(Store(home).rows())
    except Exception:
        return 0


def _without_times(line: str) -> str:
    import json

    def clean(value):
        if isinstance(value, dict):
            return {k: clean(v) for k, v in value.items() if k not in ("seconds", "decisions", "decision_p95")}
        return [clean(v) for v in value] if isinstance(value, list) else value

    return json.dumps(clean(json.loads(line)), sort_keys=True)


def _hears_ctrl_c() -> None:
    """What a shell started in the background does not hear ctrl-C, and neither would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_leaves_no_process_behind(home):
    process = subprocess.Popen(
        [*BENCH[:-4], "--seeds", "20000", "--jobs", "2"],
        preexec_fn=_hears_ctrl_c,
        env={**os.environ, "GRIDSAGE_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while _stored(home) < 5 and process.poll() is None and time.monotonic() < deadline:
        pause()
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors and "stopped" in errors
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive


def _players() -> set[psutil.Process]:
    """Child processes, without the one that Python itself keeps for all others."""
    children = psutil.Process().children(recursive=True)
    return {child for child in children if "resource_tracker" not in " ".join(child.cmdline())}


def test_a_run_that_is_stopped_returns_what_is_done_and_leaves_no_process_behind(home):
    store, before = Store(home), _players()
    todo = episodes("drunk", "straight")
    done = []
    results = executors.run(todo, jobs=2, sink=store, done=done.append, stop=lambda: len(done) >= 3)
    assert 3 <= len(results) < len(todo)
    assert {result.trace.episode for result in results} == {row.episode for row in store.rows()}
    assert _players() <= before
    assert len(executors.run(todo, jobs=2, sink=store, stop=lambda: False)) == len(todo)


def test_who_can_be_stopped_survives_the_death_of_its_only_game():
    (result,) = executors.run(episodes("deadly")[:1], jobs=2, stop=lambda: False)
    assert result.trace.outcome.reason == "agent died"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (None, "its process vanished"),
        (-9, "its process was ended by signal 9"),
        (3, "it ended its process with exit code 3"),
        (0, "it ended its process with exit code 0"),
    ],
)
def test_the_end_of_a_worker_is_told_in_words(code, words):
    assert pool._exit_words(code) == words


def test_of_what_was_printed_the_end_is_kept_and_then_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "MOST_LOG", 10)
    with (tmp_path / "printed").open("w+b", buffering=0) as printed:
        assert pool._taken(printed) == ""
        printed.write(b"0123456789abcdef")
        assert pool._taken(printed) == "6789abcdef"
        assert pool._taken(printed) == ""
        printed.write(b"more")
        assert pool._taken(printed) == "more"


def test_unusual_limits_have_to_be_asked_for():
    assert (conditions.DEFAULT.memory, conditions.DEFAULT.file_size) == (1 << 30, 1 << 24)
