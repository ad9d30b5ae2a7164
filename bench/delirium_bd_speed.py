"""Ticks per core-second of the Boulder Dash kernel, with a whole copy of the position for every tick.

    python bench/delirium_bd_speed.py [FILE.jsonl] [--ticks 300000]

Without FILE (recordings, see delirium_bd_proof.py) the shipped caves are played. Random moves, CPU time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np

from gridsage.core.complaints import ended
from gridsage.core.errors import OptionError
from gridsage.games.delirium.bd.kernels.tick import random_play
from gridsage.games.delirium.bd.level import Cave
from gridsage.games.delirium.bd.rules import arrays, journal_of


def ticks_per_second(cave: Cave, ticks: int) -> float:
    """Return millions of ticks per core-second."""
    cells, facts, rules = arrays(cave, 0.25)
    stream, journal = np.array([2463534242], dtype=np.int64), journal_of(cave)
    random_play(cells, facts, rules, stream, journal, 1, 10)
    began = time.process_time()
    random_play(cells, facts, rules, stream, journal, 1, ticks)
    return ticks / (time.process_time() - began) / 1e6


def caves_of(path: Path | None) -> list[Cave]:
    """Return the caves of recordings, or the shipped ones."""
    if path is not None:
        from delirium_bd_proof import cave_of, records_of

        return [cave_of(record) for record in records_of(path)]
    from gridsage.games import catalog

    room = catalog.room("delirium-bd")
    return [room.rules.game().parse(room.levels.text(name)).caves[0] for name in room.levels.names()]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the speed of the tick.")
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--ticks", type=int, default=300_000)
    arguments = parser.parse_args()
    speeds = {}
    for cave in caves_of(arguments.file):
        if cave.name not in speeds:
            speeds[cave.name] = ticks_per_second(cave, arguments.ticks)
            print(f"{cave.rows} x {cave.cols}  {speeds[cave.name]:.2f}  {cave.name}")
    if not speeds:
        raise OptionError(f"{arguments.file} holds no recordings")
    median = statistics.median(speeds.values())
    print(f"median {median:.2f}, least {min(speeds.values()):.2f} million ticks per core-second")


if __name__ == "__main__":
    raise SystemExit(ended(main))
