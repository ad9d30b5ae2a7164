"""Ticks per core-second of random play in the compiled classic game, beside the plain twin.

python bench/loderunner_classic_speed.py [LEVEL ...]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from gridsage.games.loderunner.classic import ROOM, layout
from gridsage.games.loderunner.classic.files import read
from gridsage.games.loderunner.classic.kernels import ticks
from gridsage.games.loderunner.classic.level import Options, parse
from gridsage.games.loderunner.classic.rules import first_row
from naive.loderunner_classic_twin import Twin

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "loderunner" / "classic"
LEAST_GUARDS = 3
TWIN_TICKS = 3000


def compiled_rate(text: str, wanted: int) -> float:
    start = first_row(parse(text), Options(tick_cap=30_000), 1)
    counts = np.zeros(len(layout.REASONS), np.int64)
    ticks.random_ticks(start, 1000, 12345, counts)
    began = time.process_time()
    ticks.random_ticks(start, wanted, 12345, counts)
    return wanted / (time.process_time() - began)


def twin_rate(text: str) -> float:
    dice, rows = random.Random(1), parse(text).rows
    twin = Twin.of(rows)
    began = time.process_time()
    for tick in range(TWIN_TICKS):
        if tick % 6 == 0:
            key = dice.choice(layout.KEY_LABELS)
        twin.carries, twin.births = [20], [(dice.randrange(layout.COLS), 1)]
        if twin.play(key):
            twin = Twin.of(rows)
    return TWIN_TICKS / (time.process_time() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="*", type=Path)
    parser.add_argument("--ticks", type=int, default=300_000, help="per level")
    given = parser.parse_args()
    paths = given.levels or sorted(DATA.glob("*.txt"))
    texts = [read(path)[0].text for path in paths] or [ROOM.levels.text(name) for name in ROOM.levels.names()]
    texts = [text for text in texts if len(parse(text).guards) >= LEAST_GUARDS]
    rates = [compiled_rate(text, given.ticks) for text in texts]
    mean = len(rates) / sum(1 / rate for rate in rates)
    slow = twin_rate(texts[0])
    print(f"{len(rates)} levels with {LEAST_GUARDS} to 5 guards: {mean:,.0f} ticks per core-second over all of them")
    print(f"slowest {min(rates):,.0f}, fastest {max(rates):,.0f}; plain twin {slow:,.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
