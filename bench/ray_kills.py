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

from gridsage.store import Store, Wanted

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
            with Store(self.home).selected(Wanted()) as found:
                return found.total()
        except Exception:  # it is being made
            return 0


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


class Notes:
    """How far it came, in a file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "kills.json"
        found = json.loads(self._path.read_text()) if self._path.exists() else {}
        self.kills: list[tuple[str, int, int]] = found.get("kills", [])  # what, after how many games, orphans
        self.verdicts: list[dict[str, int]] = found.get("verdicts", [])

    def save(self) -> None:
        self._path.write_text(json.dumps({"kills": self.kills, "verdicts": self.verdicts}))


def wait_for_a_game(run: Run) -> None:
    """Wait until a run has kept one more game, or has ended."""
    before, began = run.kept(), time.monotonic()
    while run.kept() == before and run.process.poll() is None and time.monotonic() - began < START_SECONDS:
        time.sleep(0.5)


def disturbed_bench(folder: Path, notes: Notes, kills: int) -> None:
    """Play one bench to its end, and kill something now and then until there were enough kills."""
    number = len(notes.verdicts)
    run = Run(folder, number)
    while run.process.poll() is None:
        if len(notes.kills) >= kills:
            run.process.wait()
            continue
        chance = random.Random(len(notes.kills))
        wait_for_a_game(run)
        time.sleep(chance.random() * LONGEST_WAIT)
        kind, games = chance.choice((DRIVER, ACTOR, NODE)), run.kept()
        if run.process.poll() is not None:
            break
        hit, left = disturb(run, kind)
        if hit:
            notes.kills.append((kind, games, left))
            print(f"kill {len(notes.kills)}: {kind} after {games} games, {left} left", flush=True)
            notes.save()
        if kind == DRIVER:
            run = Run(folder, number)
    assert run.process.returncode == 0, f"the bench ended with exit code {run.process.returncode}"
    notes.verdicts.append(verdict(folder, number))
    notes.save()


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--kills", type=int, default=50)
    asked = reader.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    notes = Notes(asked.folder)
    while len(notes.kills) < asked.kills or not notes.verdicts:
        disturbed_bench(asked.folder, notes, asked.kills)
    show(notes)


def show(notes: Notes) -> None:
    kinds = {kind: sum(each[0] == kind for each in notes.kills) for kind in (DRIVER, ACTOR, NODE)}
    sums = {name: sum(each[name] for each in notes.verdicts) for name in notes.verdicts[0]}
    orphans = sum(each[2] for each in notes.kills)
    benches = f"{len(notes.verdicts)} benches of {SEEDS} games"
    print(f"{len(notes.kills)} kills {kinds} over {benches}: {sums}, {orphans} orphans")


if __name__ == "__main__":
    main()
