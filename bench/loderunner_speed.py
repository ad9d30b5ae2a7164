"""Rounds per core-second of random legal play inside one kernel, beside the plain twin; takes any map."""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import numpy as np

from gridsage.games.loderunner.kernels import rounds
from gridsage.games.loderunner.level import Options, parse, repair
from gridsage.games.loderunner.rules import LodeRunner, pack, tables
from gridsage.games.loderunner.state import REASONS

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "naive"))
from loderunner_twin import Twin  # noqa: E402

MAP = ROOT / ".." / "shared" / "data" / "loderunner" / "enssat" / "hydraaanf_level3.map"
TWIN_ROUNDS = 4000


def compiled_rate(text: str, wanted: int) -> float:
    level, options = parse(text), Options()
    found = tables(level, options)
    start = pack(LodeRunner().start(level, options, 1).seen, found)
    chance, counts = np.array([12345, 0, 0, 0], np.int64), np.zeros(len(REASONS), np.int64)
    rounds.random_rounds(*found, start, 1000, chance, counts)
    began = time.process_time()
    rounds.random_rounds(*found, start, wanted, chance, counts)
    return wanted / (time.process_time() - began)


def twin_rate(text: str) -> float:
    dice, twin = random.Random(1), Twin.of(text.split())
    began = time.process_time()
    for _ in range(TWIN_ROUNDS):
        twin.play(dice.choice(twin.legal()), lambda cells, _: dice.choice(cells))
        if twin.outcome:
            twin = Twin.of(text.split())
    return TWIN_ROUNDS / (time.process_time() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("map", nargs="?", type=Path, default=MAP)
    parser.add_argument("--rounds", type=int, default=5_000_000)
    given = parser.parse_args()
    if not given.map.exists():
        print(f"no file {given.map}: name a map")
        return 2
    text, _ = repair(given.map.read_text(), given.map.name)
    fast, slow = compiled_rate(text, given.rounds), twin_rate(text)
    print(f"compiled: {fast:,.0f} rounds per core-second; plain twin: {slow:,.0f}; ratio {fast / slow:,.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
