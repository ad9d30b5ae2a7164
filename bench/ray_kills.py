"""Kill a bench on a Ray cluster of its own again and again: `python bench/ray_kills.py FOLDER [--kills 50]`.

At random moments the driver, an actor or the node's own process is killed. What is left goes on, or is started again
with the same command. At the end every bench must have the table of one that nobody disturbed, no game lost or
doubled, and no process left. FOLDER keeps how far it came: the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from gridsage.store import Store

DRIVER, ACTOR, NODE = "driver", "actor", "node"
SEEDS = 400
GAME = ("delirium", "master", 200)
LONGEST_WAIT = 8.0  # seconds until the next kill
SETTLE_SECONDS = 20.0  # for processes to notice that their parent is gone
START_SECONDS = 300.0


def command(number: int, executor: str) -> list[str]:
    """The bench of that number; each has seeds of its own."""
    game, agent, nodes = GAME
    seeds = f"{1 + number * SEEDS}-{(number + 1) * SEEDS}"
    words = [
        "bench",
        game,
        "--agents",
        agent,
        "--seeds",
        seeds,
        "--levels",
        "01_first_steps",
        "--nodes",
        str(nodes),
        "--json",
    ]
    return [sys.executable, "-m", "gridsage", *words, "--jobs", "2", "--executor", executor]


class Run:
    """A bench in a process of its own."""

    def __init__(self, folder: Path, number: int, executor: str = "ray") -> None:
        self.home, self.number = folder / f"{executor}-{number}", number
        self.out = folder / f"{executor}-{number}.json"
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                command(number, executor), stdout=out, env={**os.environ, "GRIDSAGE_HOME": str(self.home)}
            )

    def family(self) -> list[psutil.Process]:
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.Error:
            return []

    def named(self, words: str) -> list[psutil.Process]:
        return [process for process in self.family() if words in _words(process)]

    def kept(self) -> int:
        try:
            with Store(self.home).selected(_everything()) as found:
                return found.total()
        except Exception:  # it is being made
            return 0


def _everything() -> Any:
    from gridsage.store import Wanted

    return Wanted()


def _words(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def disturb(run: Run, kind: str) -> tuple[bool, int]:
    """Kill one process of a run; return True if there was one, and how many processes a dead driver has left."""
    family = run.family()
    if kind == DRIVER:
        run.process.kill()
        run.process.wait()
        _, alive = psutil.wait_procs(family, timeout=SETTLE_SECONDS)
        return True, len([process for process in alive if process.status() != psutil.STATUS_ZOMBIE])
    victims = run.named("ray::Post") if kind == ACTOR else run.named("/raylet/raylet")
    if not victims:
        return False, 0
    victims[0].kill()
    return True, 0


def table(path: Path) -> list[Any]:
    """What a bench printed, without times."""

    def clean(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: clean(each) for key, each in value.items() if key not in TIMES}
        return [clean(each) for each in value] if isinstance(value, list) else value

    return [clean(json.loads(line)) for line in path.read_text().splitlines()]


TIMES = ("seconds", "decisions", "decision_p95")


def verdict(folder: Path, number: int) -> dict[str, int]:
    """Compare a finished bench with one that nobody disturbed."""
    disturbed = folder / f"ray-{number}"
    calm = Run(folder, number, "pool")
    calm.process.wait()
    rows = Store(disturbed).rows()
    return {
        "lost": SEEDS - len({row.episode for row in rows}),
        "doubled": len(rows) - len({row.episode for row in rows}),
        "tables that differ": int(table(folder / f"ray-{number}.json") != table(folder / f"pool-{number}.json")),
    }


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--kills", type=int, default=50)
    asked = reader.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    notes = asked.folder / "kills.json"
    state: dict[str, Any] = json.loads(notes.read_text()) if notes.exists() else {"kills": [], "bench": 0, "found": []}
    run = Run(asked.folder, state["bench"])
    while len(state["kills"]) < asked.kills or run.process.poll() is None:
        chance = random.Random(len(state["kills"]) + 1_000 * state["bench"])
        if run.process.poll() is not None:
            assert run.process.returncode == 0, f"the bench ended with exit code {run.process.returncode}"
            state["found"].append(verdict(asked.folder, state["bench"]))
            state["bench"] += 1
            notes.write_text(json.dumps(state))
            run = Run(asked.folder, state["bench"])
            continue
        if len(state["kills"]) >= asked.kills:
            run.process.wait()
            continue
        before, began = run.kept(), time.monotonic()
        while run.kept() == before and run.process.poll() is None and time.monotonic() - began < START_SECONDS:
            time.sleep(0.5)
        time.sleep(chance.random() * LONGEST_WAIT)
        kind = chance.choice((DRIVER, ACTOR, NODE))
        if run.process.poll() is None:
            hit, left = disturb(run, kind)
            if hit:
                state["kills"].append([kind, run.kept(), left])
                print(f"kill {len(state['kills'])}: {kind} after {run.kept()} games, {left} left", flush=True)
                notes.write_text(json.dumps(state))
        if kind == DRIVER and run.process.poll() is not None and run.process.returncode != 0:
            run = Run(asked.folder, state["bench"])
    state["found"].append(verdict(asked.folder, state["bench"]))
    notes.write_text(json.dumps(state))
    show(state)


def show(state: dict[str, Any]) -> None:
    kinds = {kind: sum(each[0] == kind for each in state["kills"]) for kind in (DRIVER, ACTOR, NODE)}
    sums = {name: sum(each[name] for each in state["found"]) for name in state["found"][0]}
    orphans = sum(each[2] for each in state["kills"])
    benches = f"{len(state['found'])} benches of {SEEDS} games"
    print(f"{len(state['kills'])} kills {kinds} over {benches}: {sums}, {orphans} orphans")


if __name__ == "__main__":
    main()
