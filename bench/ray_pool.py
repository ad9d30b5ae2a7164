"""Ray beside the pool: `python bench/ray_pool.py [--seconds 20] [--rounds 2]` prints what a cluster of one's own costs.

Both play the same episodes with the same number of workers, in turns, so that a busy machine treats them alike. What
starting takes is told apart: counting begins when a tenth of the games is there. Processor seconds are those of every
process that plays or manages, which a busy machine changes little.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Sequence
from typing import NamedTuple

import psutil

from gridsage.arena import executors, tournament
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec, Episode, Result
from gridsage.games import catalog
from gridsage.games.levels import find_level

WARM = 0.1  # of the games, before counting begins
SORTS = {  # name -> game, agent, nodes
    "small": ("loderunner", "random", 1),
    "50 ms and more": ("delirium", "master", 200),
}


class Measured(NamedTuple):
    """What one run cost, counted from the first tenth on."""

    start: float  # seconds until the first result
    wall: float  # seconds per episode
    spent: float  # processor seconds per episode


def episodes(game: str, agent: str, nodes: int, many: int) -> Sequence[Episode]:
    room = catalog.ready_room(game)
    levels = None if room.levels.of_seed is not None else [find_level(room, None)]
    budget = Budget(nodes=nodes)
    return tournament.bench_episodes(room, levels, [AgentSpec(agent)], range(1, many + 1), {}, budget)


def family_seconds() -> float:
    """Processor seconds of this process and all below it."""
    total = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


def measured(name: str, todo: Sequence[Episode], jobs: int) -> Measured:
    began = time.perf_counter()
    marks: dict[int, tuple[float, float]] = {}
    first, last = max(1, int(WARM * len(todo))), len(todo)
    count = 0

    def done(result: Result) -> None:
        nonlocal count
        count += 1
        if count in (1, first, last):
            marks[count] = time.perf_counter(), family_seconds()

    executors.run(todo, executor=executors.named(name, jobs), done=done)
    (wall0, spent0), (wall1, spent1) = marks[first], marks[last]
    counted = last - first
    return Measured(marks[1][0] - began, (wall1 - wall0) / counted, (spent1 - spent0) / counted)


def compared(sort: str, seconds: float, rounds: int, jobs: int) -> None:
    game, agent, nodes = SORTS[sort]
    one = episodes(game, agent, nodes, 10)
    began = time.process_time()
    executors.run(one)
    each = (time.process_time() - began) / len(one)
    todo = episodes(game, agent, nodes, max(40, int(jobs * seconds / each)))
    print(f"{sort}: {game} {agent} at {nodes} nodes, {1e3 * each:.2f} ms here, {len(todo)} episodes, {jobs} workers")
    found: dict[str, list[Measured]] = {"pool": [], "ray": []}
    for _ in range(rounds):
        for name, runs in found.items():
            runs.append(measured(name, todo, jobs))
    middle = {name: Measured(*map(statistics.median, zip(*runs, strict=True))) for name, runs in found.items()}
    for name, run in middle.items():
        print(
            f"  {name:5} starts in {run.start:5.1f} s, {1 / run.wall:8.1f} episodes per second, "
            f"{1e3 * run.wall:7.3f} ms per episode by the clock, {1e3 * run.spent:7.3f} ms of processors"
        )
    pool, ray = middle["pool"], middle["ray"]
    print(
        f"  Ray has {100 * pool.wall / ray.wall:.1f} % of the pool's throughput by the clock, "
        f"{100 * pool.spent / ray.spent:.1f} % by processor seconds; "
        f"{1e3 * jobs * (ray.wall - pool.wall):+.3f} ms per episode and worker by the clock, "
        f"{1e3 * (ray.spent - pool.spent):+.3f} ms of processors",
        flush=True,
    )


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=20.0, help="that a run should last")
    reader.add_argument("--rounds", type=int, default=2)
    reader.add_argument("--jobs", type=int, default=2)
    asked = reader.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores before it began")
    for sort in SORTS:
        compared(sort, asked.seconds, asked.rounds, asked.jobs)


if __name__ == "__main__":
    main()
