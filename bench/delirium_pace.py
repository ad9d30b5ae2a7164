"""How long the master's decisions take in CPU seconds, on caves of several kinds and sizes, against their budget.

    python bench/delirium_pace.py [FILE ...] [--seconds 0.1] [--decisions 1000] [--seeds 10] [--only 100x100] [--slow]

Deadlines are held against the CPU time of this process, so other work on the machine disturbs nothing. FILE: further
levels to play. --slow lists the slowest decisions.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gridsage.core.game import Budget
from gridsage.games import catalog, delirium
from gridsage.games.delirium.agents import ENTRIES
from gridsage.games.delirium.generator import generate
from gridsage.games.delirium.level import Options
from gridsage.games.delirium.level.files import read
from gridsage.games.delirium.rules import Delirium

# name, difficulty, rows, cols, cells seen to each side
GENERATED = (
    ("40x22, difficulty 3", 3, 22, 40, -1),
    ("40x22, difficulty 5", 5, 22, 40, -1),
    ("40x22, view 5x5", 3, 22, 40, 2),
    ("76x76, difficulty 4", 4, 76, 76, -1),
    ("100x100, difficulty 4", 4, 100, 100, -1),
    ("200x200, difficulty 5", 5, 200, 200, -1),
)
MOST_TICKS = 150  # of a game


@dataclass(frozen=True)
class Slow:
    """One decision."""

    seconds: float
    level: str
    number: int
    text: str


def decisions(name: str, text: str, view: int, seconds: float) -> Iterator[Slow]:
    """Play a level and yield each decision."""
    game, master = Delirium(), ENTRIES["master"].make()
    state = game.start(game.parse(text), Options(view_rows=view, view_cols=view), 1)
    number = 0
    while game.outcome(state) is None and number < MOST_TICKS:
        seen = game.observe(state, 0)
        began = time.process_time()
        decision = master.decide(seen, Budget(seconds=seconds))
        passed = time.process_time() - began
        assert decision.thoughts is not None
        yield Slow(passed, name, number, decision.thoughts.text)
        state, number = game.step(state, decision.action), number + 1


def kinds(files: list[Path], seeds: int) -> Iterator[tuple[str, list[tuple[str, str]], int]]:
    """Yield each kind of level: its name, the levels by name, and the view."""
    catalog.ready_room("delirium")
    shipped = sorted(Path(delirium.__file__).parent.glob("levels/*.txt"))
    yield "shipped", [(path.stem, path.read_text()) for path in shipped], -1
    for name, difficulty, rows, cols, view in GENERATED:
        made = [generate(seed, difficulty, rows, cols) for seed in range(1, seeds + 1)]
        yield name, [(level.name, level.text) for level in made], view
    if files:
        yield "files", [(file.stem, level.text) for file in files for level in read(file)], -1


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how long decisions take.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--decisions", type=int, default=1000, help="of one kind of level, at most")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", default="", help="kinds of level with this in their name")
    parser.add_argument("--slow", action="store_true")
    given = parser.parse_args()
    time.perf_counter = time.process_time  # what meters look at
    for name, levels, view in kinds(given.files, given.seeds):
        if given.only not in name:
            continue
        found: list[Slow] = []
        for level, text in levels:
            if len(found) < given.decisions:
                found.extend(decisions(level, text, view, given.seconds))
        found.sort(key=lambda decision: decision.seconds)
        marks = [found[min(len(found) - 1, int(share * len(found)))].seconds for share in (0.5, 0.95, 0.99, 1.0)]
        late = sum(decision.seconds > given.seconds for decision in found)
        told = "  ".join(f"{word} {mark:.4f}" for word, mark in zip(("p50", "p95", "p99", "max"), marks, strict=True))
        print(f"{name:24} {len(found):5} decisions  {told}  late {late}", flush=True)
        for decision in reversed(found[-10:] if given.slow else []):
            print(f"    {decision.seconds:.4f}  {decision.level} {decision.number}: {decision.text}", flush=True)


if __name__ == "__main__":
    main()
