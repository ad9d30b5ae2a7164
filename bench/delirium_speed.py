"""Ticks per core-second of random play, state copies included, on maps of several sizes.

    python bench/delirium_speed.py [--ticks 300000] [--seeds 5] [--json]

Process time is measured, so other work on the machine disturbs it less; ratios between the rows are what to compare.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np

from gridsage.games.delirium.generator import generate
from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level import Options, parse
from gridsage.games.delirium.rules import arrays, journal_length

SIZES = ((24, 40), (50, 50), (100, 100), (200, 200))


def ticks_a_second(rows: int, cols: int, seed: int, ticks: int) -> tuple[float, float]:
    """Millions of ticks a second with a whole copy for each tick, and cells changed a tick."""
    gallery = parse(generate(seed, rows=rows, cols=cols).text).galleries[0]
    cells, facts, rules = arrays(gallery, Options())
    journal = np.zeros(journal_length(rules), dtype=np.int64)
    kernels.random_play(cells, facts, rules, journal, 1, 10)
    began = time.process_time()
    kernels.random_play(cells, facts, rules, journal, seed, ticks)
    seconds = time.process_time() - began
    return ticks / seconds / 1e6, float(changes(cells, facts, rules, journal))


def changes(cells, facts, rules, journal) -> float:
    """Mean number of cell changes in the first hundred ticks of waiting."""
    cells, facts = cells.copy(), facts.copy()
    total = 0
    for _ in range(100):
        kernels.tick(cells, facts, rules, journal, 0)
        total += int(journal[0])
    return total / 100


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of the tick.")
    parser.add_argument("--ticks", type=int, default=300_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    for rows, cols in SIZES:
        ticks = max(1000, arguments.ticks * SIZES[0][0] * SIZES[0][1] // (rows * cols))
        found = [ticks_a_second(rows, cols, seed, ticks) for seed in range(1, arguments.seeds + 1)]
        speeds = sorted(speed for speed, _ in found)
        moved = sum(count for _, count in found) / len(found)
        record = {"rows": rows, "cols": cols, "median": speeds[len(speeds) // 2], "least": speeds[0], "changes": moved}
        if arguments.json:
            print(json.dumps(record))
        else:
            print(
                f"{rows:>3} x {cols:<3}  median {record['median']:.2f}  least {record['least']:.2f} million ticks a "
                f"core-second; {moved:.1f} cells change in a tick of waiting"
            )


if __name__ == "__main__":
    main()
