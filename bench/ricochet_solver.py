"""Measure the Ricochet Robots solver beside two C solvers, on random and on hard positions, in interleaved rounds.

The C sources and the hard positions are read from `../shared`, which is not part of the project; without it only our
own times on random positions are told. Times are CPU time, or wall time on both sides where we use two threads. Compare
ratios: the machine may be busy.

The C solvers take their own time: from a position in memory, over the tables of its board, to the solution; reading and
printing are outside. The same of ours is "compiled"; "gridsage" is all of `solve`, with Python before and behind it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import warm_up
from gridsage.games.ricochet import missions, solver
from gridsage.games.ricochet.kernels import best_first
from gridsage.games.ricochet.level import chance
from gridsage.games.ricochet.solver import Position, rate, solve

PROJECT = Path(__file__).resolve().parent.parent
SHARED = PROJECT.parent / "shared"
SIDE = 16
HARD_LENGTH = 13


def random_positions(count: int, seed: int) -> list[Position]:
    """Missions of printed boards from the room's own generator."""
    return [missions.position(level) for level in chance.random_positions(count, seed)]


def hard_positions() -> list[Position]:
    hard = []
    for name in ("positions.jsonl", "positions_random.jsonl"):
        for line in (SHARED / "data/ricochet" / name).read_text().splitlines():
            entry = json.loads(line)
            if entry["optimal"] >= HARD_LENGTH:
                walls = np.array([int(digit, 16) for digit in entry["walls"]], np.uint8).reshape(SIDE, SIDE)
                hard.append(Position(walls, tuple(entry["robots"]), entry["target"], entry["target_robot"]))
    return hard


def peer_line(number: int, position: Position) -> str:
    walls = "".join(f"{cell:x}" for cell in position.walls.reshape(-1))
    robots = " ".join(map(str, position.robots))
    return f"{number} {len(position.robots)} {walls} {position.target} {position.target_robot} {robots}"


def run_peer(program: Path, positions: list[Position], threads: int) -> tuple[list[int], list[float]]:
    """Lengths, and the CPU seconds that a C solver reports; or its wall seconds if we are measured by them."""
    lengths, seconds = [], []
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for number, position in enumerate(positions):
            begun = time.perf_counter()
            process.stdin.write(peer_line(number, position) + "\n")
            process.stdin.flush()
            _, length, cpu_seconds, *_ = process.stdout.readline().split()
            lengths.append(int(length))
            seconds.append(float(cpu_seconds) if threads == 1 else time.perf_counter() - begun)
    return lengths, seconds


def run_own(positions: list[Position], threads: int) -> tuple[list[int], list[float]]:
    clock = time.process_time if threads == 1 else time.perf_counter
    lengths, seconds = [], []
    for position in positions:
        begun = clock()
        solution = solve(position, threads=threads)
        seconds.append(clock() - begun)
        lengths.append(-1 if solution.length is None else solution.length)
    return lengths, seconds


class Stopwatch:
    """A kernel that counts the CPU seconds it takes."""

    def __init__(self) -> None:
        self.kernel = best_first.advance
        self.seconds = 0.0

    def __call__(self, *arguments: object) -> int:
        begun = time.process_time()
        code: int = self.kernel(*arguments)
        self.seconds += time.process_time() - begun
        return code


def run_compiled(positions: list[Position]) -> list[float]:
    """CPU seconds inside compiled code."""
    best_first.advance = stopwatch = Stopwatch()
    seconds = []
    for position in positions:
        stopwatch.seconds = 0.0
        solve(position)
        seconds.append(stopwatch.seconds)
    best_first.advance = stopwatch.kernel
    return seconds


def compare(title: str, peer: Path, positions: list[Position], threads: int, rounds: int) -> None:
    """Run both in turn; each position counts with its best round."""
    own_best, peer_best, compiled_best = ([float("inf")] * len(positions) for _ in range(3))
    for _ in range(rounds):
        peer_lengths, peer_seconds = run_peer(peer, positions, threads)
        own_lengths, own_seconds = run_own(positions, threads)
        wrong = sum(own != other for own, other in zip(own_lengths, peer_lengths, strict=True))
        if wrong:
            sys.exit(f"{title}: {wrong} lengths differ from {peer.name}")
        own_best = [min(pair) for pair in zip(own_best, own_seconds, strict=True)]
        peer_best = [min(pair) for pair in zip(peer_best, peer_seconds, strict=True)]
        if threads == 1:
            compiled_best = [min(pair) for pair in zip(compiled_best, run_compiled(positions), strict=True)]
    own, other, compiled = (np.array(best) * 1e3 for best in (own_best, peer_best, compiled_best))
    print(f"{title} ({len(positions)} positions, {threads} thread(s), best of {rounds} rounds)")
    for name, figures in (("gridsage", own), ("compiled", compiled), (peer.name, other))[:: 1 if threads == 1 else 2]:
        print(
            f"  {name:9} median {np.median(figures):8.3f}  p95 {np.percentile(figures, 95):8.3f}"
            f"  max {figures.max():9.3f}  total {figures.sum():10.3f} ms"
        )
    for name, figures in (("gridsage", own), ("compiled", compiled))[:: 1 if threads == 1 else 2]:
        ratios = [f"{summary(figures) / summary(other):.3f}" for summary in (np.sum, np.median, tail)]
        print(f"  {name} by {peer.name}: ratio of totals {ratios[0]}, of medians {ratios[1]}, of p95 {ratios[2]}")


def tail(figures: NDArray[np.float64]) -> np.float64:
    return np.percentile(figures, 95)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=1000, help="random positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    begun = time.perf_counter()
    warm_up("ricochet", solver.WARM_UP)
    print(f"kernels ready after {time.perf_counter() - begun:.2f} s")
    easy = random_positions(options.random, options.seed)
    if SHARED.is_dir():
        beside_peers(easy, options.rounds)
    else:
        own = np.array(run_own(easy, 1)[1]) * 1e3
        print("the C solvers are not here: there is no folder ../shared beside the project")
        print(f"  gridsage  median {np.median(own):8.3f}  p95 {np.percentile(own, 95):8.3f}  max {own.max():9.3f} ms")
    seconds = []
    for position in easy[:10]:
        begun = time.process_time()
        rate(position.walls, position.robots)
        seconds.append(time.process_time() - begun)
    print(f"rating a board to depth 12: mean {np.mean(seconds):.3f} s, max {max(seconds):.3f} s")


def beside_peers(easy: list[Position], rounds: int) -> None:
    """Build the C solvers and run them in turn with ours."""
    with tempfile.TemporaryDirectory() as folder:
        peers = {}
        for name in ("rr", "bf"):
            peers[name] = Path(folder) / name
            source = SHARED / "peers/ricochet" / f"{name}.c"
            subprocess.run(["cc", "-O3", "-march=native", "-w", "-o", peers[name], source], check=True)
        hard = hard_positions()
        compare("random beside rr", peers["rr"], easy, 1, rounds)
        print(f"  memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most so far")
        compare("hard beside bf", peers["bf"], hard, 1, rounds)
        compare("hard beside bf, wall time", peers["bf"], hard, 2, rounds)
        print(f"  memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most so far")


if __name__ == "__main__":
    main()
