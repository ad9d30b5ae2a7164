"""Play for a long time and see that nothing grows: `python bench/endurance.py [--minutes 60] [--where pool|page]`.

In the pool, matches of every room follow one another, with a stranger's class in a process of its own among them. On
the page, one visitor after the other watches a game, and every third leaves in the middle. Memory, open files, threads
and processes of everything that runs are counted; flat means that the last quarter has no more than the second, in
which everything has been met once.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psutil
from websockets.sync.client import ClientConnection, connect

from gridsage.arena import executors, tournament
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog
from gridsage.games.levels import find_level
from gridsage.store import Store

STRANGER = """
from gridsage.core.game import Decision


class First:
    name = "first"

    def decide(self, observation, budget):
        return Decision(0)
"""
SERVER = "if __name__ == '__main__':\n    from gridsage.web.app import serve\n    serve('127.0.0.1', 0, False)\n"
MOST_STEPS = 60
SLACK = 1.05  # of memory: what the allocator keeps moves by some percent
LEAVES_EVERY, LEAVES_AFTER = 3, 5  # visitors, frames
PATIENCE = 120.0  # seconds for a message of the server


class Count(NamedTuple):
    """What a family of processes holds at one moment."""

    at: float  # seconds since the beginning
    games: int
    megabytes: float
    files: int
    threads: int
    processes: int


def counted(root: int, at: float, games: int) -> Count:
    """Count between two games, when only what stays is there."""
    memory, files, threads, processes = 0.0, 0, 0, 0
    for process in [psutil.Process(root), *psutil.Process(root).children(recursive=True)]:
        try:
            memory += process.memory_info().rss / 1e6
            files += process.num_fds()
            threads += process.num_threads()
            processes += 1
        except psutil.Error:
            continue
    return Count(at, games, memory, files, threads, processes)


def in_the_pool(folder: Path) -> tuple[int, Iterator[int]]:
    """Play rounds in a pool of two; yields how many games a round had."""
    (folder / "stranger.py").write_text(STRANGER)

    def rounds() -> Iterator[int]:
        store, seed = Store(folder / "home"), 0
        while True:
            seed += 1
            episodes = []
            for name in catalog.BUILT_IN:
                room = catalog.ready_room(name)
                own = list(room.players.agents())
                specs = [AgentSpec(own[0]), AgentSpec(own[-1]), AgentSpec(f"{folder / 'stranger.py'}:First")]
                levels = None if room.levels.of_seed is not None else [find_level(room, None)]
                episodes += tournament.bench_episodes(room, levels, specs, [seed], {}, Budget(nodes=50))
            episodes = [msgspec.structs.replace(each, max_steps=MOST_STEPS) for each in episodes]
            yield len(executors.run(episodes, jobs=2, sink=store))

    return os.getpid(), rounds()


def on_the_page(folder: Path) -> tuple[int, Iterator[int]]:
    """Watch games on a server of its own; yields how many visitors there were."""
    (folder / "serve.py").write_text(SERVER)
    env = {**os.environ, "GRIDSAGE_HOME": str(folder / "home")}
    server = subprocess.Popen([sys.executable, folder / "serve.py"], env=env, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().partition(" at ")[2].split(" ")[0].rstrip("/").replace("http", "ws")

    def visits() -> Iterator[int]:
        visitor = 0
        try:
            while True:
                for name in catalog.BUILT_IN:
                    visitor += 1
                    asked = {"m": "watch", "game": name, "agents": [_quickest(name)], "nodes": 20, "seed": visitor}
                    with connect(f"{address}/ws", open_timeout=PATIENCE) as socket:
                        _watch(socket, asked, leaves=visitor % LEAVES_EVERY == 0)
                yield len(catalog.BUILT_IN)
        finally:
            server.terminate()
            server.wait()

    return server.pid, visits()


def _quickest(game: str) -> str:
    return next(iter(catalog.room(game).players.agents()))


def _watch(socket: ClientConnection, asked: dict[str, Any], *, leaves: bool) -> None:
    """Watch a game to its end, or to a point at which most of them are still going on."""
    socket.send(msgspec.json.encode(asked).decode())
    seen = 0
    while True:
        message = msgspec.json.decode(socket.recv(timeout=PATIENCE))
        assert message["m"] != "error", message
        if message["m"] == "frame":
            seen += 1
            socket.send(msgspec.json.encode({"m": "ack", "t": message["t"]}).decode())
        if message["m"] == "end" or seen >= (LEAVES_AFTER if leaves else MOST_STEPS):
            return


WHERE: dict[str, Callable[[Path], tuple[int, Iterator[int]]]] = {"pool": in_the_pool, "page": on_the_page}


def endured(where: str, seconds: float) -> list[Count]:
    """Return the counts of a long run."""
    counts: list[Count] = []
    with tempfile.TemporaryDirectory() as folder:
        root, rounds = WHERE[where](Path(folder))
        began, games = time.monotonic(), 0
        for played in rounds:
            games += played
            counts.append(counted(root, time.monotonic() - began, games))
            if counts[-1].at > seconds:
                break
        del rounds
    return counts


def show(where: str, counts: list[Count]) -> bool:
    """Print the second quarter beside the last; return True if nothing has grown."""
    quarter = max(1, len(counts) // 4)
    early, late = counts[quarter : 2 * quarter], counts[-quarter:]
    print(f"{where}: {counts[-1].games} games in {counts[-1].at / 60:.1f} minutes, {len(counts)} counts")
    flat = True
    for name in ("megabytes", "files", "threads", "processes"):
        before, after = (statistics.median(getattr(count, name) for count in part) for part in (early, late))
        holds = after <= before * (SLACK if name == "megabytes" else 1.0)
        flat &= holds
        print(f"  {name:10} {before:10.1f} -> {after:10.1f}  {'flat' if holds else 'GROWS'}")
    return flat


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--minutes", type=float, default=60.0)
    reader.add_argument("--where", choices=[*WHERE], nargs="*", default=[*WHERE])
    asked = reader.parse_args()
    results = [show(where, endured(where, 60 * asked.minutes)) for where in asked.where]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
