"""Speed of Push'em All in core-seconds: turns counted compiled and by the plain twin, and the master's depth.

python bench/pushem_speed.py
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from gridsage.games.pushem import ROOM
from gridsage.games.pushem.agents.engine import VERSIONS, Engine, position_row
from gridsage.games.pushem.kernels.turns import MAX_TURNS, ROW_WORDS, count_turns
from gridsage.games.pushem.level import PRESETS, Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "naive"))
import pushem_twin as naive

DEALS = ("", "replay+bomb+swap", "sleep+reverse+freeze", "shinigami+jump+abysses")


def compiled_rate(depth: int) -> float:
    """Turns counted per core-second, from the start, with Replay and Shinigami in hand."""
    stack = np.zeros((depth + 1, ROW_WORDS), np.uint64)
    stack[:] = position_row(GAME.start(parse(ROOM.levels.text("01_start")), Options(deal="replay+shinigami"), 1))
    turns = np.zeros((depth, MAX_TURNS), np.int64)
    count_turns(stack, 1, turns)
    began = time.process_time()
    return float(count_turns(stack, depth, turns)) / (time.process_time() - began)


def twin_rate() -> float:
    hand, preset = frozenset(["replay", "shinigami"]), PRESETS["r1"]
    twin = naive.from_level(parse(ROOM.levels.text("01_start")), hand, preset.rings, preset.last_ply)
    began = time.process_time()
    return naive.perft(twin, 2) / (time.process_time() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=800_000, help="positions for each search")
    given = parser.parse_args()
    fast, slow = compiled_rate(4), twin_rate()
    print(f"compiled: {fast:,.0f} turns per core-second; plain twin: {slow:,.0f}; ratio {fast / slow:,.0f}")
    for version in VERSIONS:
        Engine(version=version).think(start(""), nodes=1_000)
        for deal in DEALS:
            state, engine = start(deal), Engine(version=version)
            began = time.process_time()
            found = engine.think(state, nodes=given.nodes)
            spent = time.process_time() - began
            rate = found.nodes / spent / 1e6
            words = f"depth {found.depth} in {spent:.2f} core-seconds, {rate:.1f} million per second"
            print(f"{version}, {deal or 'no cards'}: {words}")
    return 0


def start(deal: str) -> State:
    options = Options(deal=deal) if deal else Options(cards=0)
    return GAME.start(parse(ROOM.levels.text("01_start")), options, 1)


if __name__ == "__main__":
    raise SystemExit(main())
