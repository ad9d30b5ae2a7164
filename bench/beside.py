"""Every room's figures beside those of an older checkout: ratios and paired results from this one run, with intervals.

    git worktree add --detach OLD 2917b23
    python bench/beside.py OLD [--long] [--only ricochet]

Both checkouts work in processes of their own, in turn, never at once, on the same positions, levels and seeds, with
node budgets; times are CPU time, so other work on the machine disturbs little. Intervals are of 95 %, by drawing the
positions or levels again (bootstrap). Hard Ricochet positions are read from `../shared`, which is not part of the
project; without it random missions of 13 moves or more take their place.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
DRAWS = 2000  # of the bootstrap
WARM_UP = 5  # positions solved before the clock is looked at
HARD_LENGTH = 13
HARD_SEEDS = range(101, 105)  # of a thousand random missions each
LODERUNNER_NODES = 10_000
CROWD = 12
DELIRIUM_NODES = 20_000
PACE = 0.1  # seconds per decision
PACE_TICKS = 60  # of a cave
LARGE_CAVE = {"difficulty": 4, "rows": 100, "cols": 100}  # there decisions were slow
Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Amount:
    """How much is measured."""

    random: int  # missions of Ricochet Robots
    rounds: int
    maps: int  # of Lode Runner, two to seven enemies
    crowds: int  # maps of twelve enemies
    crowd_seeds: int  # games on each of them
    caves: int  # of Delirium
    paced: int  # caves played against the clock


SHORT = Amount(random=400, rounds=3, maps=12, crowds=2, crowd_seeds=3, caves=5, paced=2)
LONG = Amount(random=1000, rounds=5, maps=200, crowds=5, crowd_seeds=20, caves=200, paced=10)


class Checkout:
    """A process that answers jobs with the sources of one checkout."""

    def __init__(self, sources: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker"],
            env=os.environ | {"PYTHONPATH": str(sources)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, job: str, **details: object) -> Any:
        """Have a job done and return its answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(json.dumps([job, details]), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"the checkout's process ended with code {self.process.wait()} while it had to {job}")
        return json.loads(answer)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


# What a worker does, with whatever sources Python finds: both checkouts know these names.
def solve(positions: list[dict[str, Any]], warm_up: bool) -> list[tuple[int, float]]:
    """Return the length and CPU seconds of each position."""
    from gridsage.games.ricochet import solver

    given = [
        solver.Position(np.array(each["walls"], np.uint8), tuple(each["robots"]), each["target"], each["serving"])
        for each in positions
    ]
    for position in given[: WARM_UP if warm_up else 0]:
        solver.solve(position)
    found = []
    for position in given:
        began = time.process_time()
        solution = solver.solve(position)
        found.append((-1 if solution.length is None else solution.length, time.process_time() - began))
    return found


def generator_of(room: str) -> ModuleType:
    try:
        return importlib.import_module(f"gridsage.games.{room}.generator")
    except ModuleNotFoundError:  # its name before rooms had the same file names
        return importlib.import_module(f"gridsage.games.{room}.workshop")


def make(room: str, seed: int, **settings: int) -> str:
    """Return the text of a level from the generator."""
    text: str = generator_of(room).generate(seed=seed, **settings).text
    return text


def draft(seed: int, enemies: int) -> str:
    """Return a map of Lode Runner of the usual size that the generator has drawn and no master has tried."""
    dice, text = random.Random(seed), None
    while text is None:
        text = generator_of("loderunner")._draft(dice, rows=14, cols=28, floors=4, enemies=enemies, bonuses=6)
    return text


def play(room: str, text: str, agent: str, seed: int, nodes: int) -> tuple[bool, int, float]:
    """Play a level: return whether it was won, its steps, and CPU seconds."""
    from gridsage.arena import match, tournament
    from gridsage.core.game import Budget
    from gridsage.core.room import NamedLevel
    from gridsage.games import catalog

    rooms = catalog.ready_room(room)
    agents = (catalog.parse_agent(agent),)
    episode = tournament.episode(rooms, NamedLevel("level", text), agents, seed, {}, Budget(nodes=nodes))
    began = time.process_time()
    trace = match.play(episode).trace
    return trace.outcome.winner == 0, len(trace.actions), time.process_time() - began


def pace(text: str, seconds: float, ticks: int) -> list[float]:
    """Play a cave of Delirium with so many seconds per decision: return the CPU seconds of each."""
    from gridsage.core.game import Budget
    from gridsage.games import catalog
    from gridsage.games.delirium.agents import ENTRIES
    from gridsage.games.delirium.level import Options
    from gridsage.games.delirium.rules import Delirium

    catalog.ready_room("delirium")
    game, master = Delirium(), ENTRIES["master"].make()
    state = game.start(game.parse(text), Options(), 1)
    found: list[float] = []
    clock, time.perf_counter = time.perf_counter, time.process_time  # what meters look at
    while game.outcome(state) is None and len(found) < ticks:
        seen = game.observe(state, 0)
        began = time.process_time()
        decision = master.decide(seen, Budget(seconds=seconds))
        found.append(time.process_time() - began)
        state = game.step(state, decision.action)
    time.perf_counter = clock
    return found


JOBS: dict[str, Callable[..., Any]] = {"solve": solve, "make": make, "draft": draft, "play": play, "pace": pace}


def work() -> None:
    """Answer jobs, one per line, until there are no more."""
    for line in sys.stdin:
        job, details = json.loads(line)
        answer = JOBS[job](**details)
        print(json.dumps(answer), flush=True)


# What the measuring process does.
def interval(figure: Callable[[Figures, Figures], Figures], ours: Figures, old: Figures) -> str:
    """Return a figure of both sides, and its interval when the items, (items,) or (items, ...), are drawn again."""
    drawn = np.random.default_rng(1).integers(len(ours), size=(DRAWS, len(ours)))
    spread = [float(figure(ours[each], old[each])) for each in drawn]
    low, high = np.percentile(spread, (2.5, 97.5))
    return f"{float(figure(ours, old)):.3f} [{low:.3f}; {high:.3f}]"


def ratio_of(summary: Callable[[Figures], Figures]) -> Callable[[Figures, Figures], Figures]:
    return lambda ours, old: summary(ours) / summary(old)


def report_ricochet(ours: Checkout, old: Checkout, amount: Amount) -> None:
    from ricochet_solver import SHARED, hard_positions, random_positions

    missions = written(random_positions(amount.random, 1))
    compare_solvers("random missions", ours, old, missions, amount.rounds)
    if SHARED.is_dir():
        hard = written(hard_positions())
    else:
        many = [each for seed in HARD_SEEDS for each in written(random_positions(1000, seed))]
        lengths = [length for length, _ in ours.ask("solve", positions=many, warm_up=False)]
        hard = [each for each, length in zip(many, lengths, strict=True) if length >= HARD_LENGTH]
    compare_solvers("hard positions", ours, old, hard, amount.rounds)


def written(positions: list[Any]) -> list[dict[str, Any]]:
    """Return positions in a form that any checkout can read."""
    return [
        {
            "walls": each.walls.tolist(),
            "robots": [int(cell) for cell in each.robots],
            "target": int(each.target),
            "serving": int(each.target_robot),
        }
        for each in positions
    ]


def compare_solvers(title: str, ours: Checkout, old: Checkout, positions: list[dict[str, Any]], rounds: int) -> None:
    """Print the ratios of totals and medians; each position counts with its best round."""
    best: list[Figures] = []
    lengths: list[Figures] = []
    for number in range(rounds):
        for side, checkout in enumerate((ours, old)):
            found = np.array(checkout.ask("solve", positions=positions, warm_up=number == 0))
            if number == 0:
                lengths.append(found[:, 0])
                best.append(found[:, 1])
            best[side] = np.minimum(best[side], found[:, 1])
    if (lengths[0] != lengths[1]).any():
        sys.exit(f"{title}: {int((lengths[0] != lengths[1]).sum())} lengths differ")
    for word, summary in (("total", np.sum), ("median", np.median)):
        own, other = (1e3 * float(summary(each)) for each in best)
        ratio = interval(ratio_of(summary), best[0], best[1])
        print(
            f"ricochet, {len(positions)} {title}, {word}: {own:.3f} ms, old {other:.3f} ms, ratio {ratio}", flush=True
        )


def report_loderunner(ours: Checkout, old: Checkout, amount: Amount) -> None:
    print(f"loderunner: maps by the old generator, {LODERUNNER_NODES:,} nodes per decision", flush=True)
    maps = [
        old.ask("make", room="loderunner", seed=seed, enemies=2 + (seed - 1) % 6) for seed in range(1, amount.maps + 1)
    ]
    compare_games(
        "loderunner, generated maps", ours, old, maps, range(11, 12), "loderunner", "master", LODERUNNER_NODES
    )
    crowds = [old.ask("draft", seed=seed, enemies=CROWD) for seed in range(1, amount.crowds + 1)]
    seeds = range(11, 11 + amount.crowd_seeds)
    compare_games(
        f"loderunner, drafts with {CROWD} enemies", ours, old, crowds, seeds, "loderunner", "master", LODERUNNER_NODES
    )


def compare_games(
    title: str,
    ours: Checkout,
    old: Checkout,
    levels: list[str],
    seeds: range,
    room: str,
    agent: str,
    nodes: int,
) -> None:
    """Print who won how many of the same games, and what they took."""
    found: list[list[Any]] = [[], []]
    for text in levels:
        for seed in seeds:
            for side, checkout in enumerate((ours, old)):
                found[side].append(checkout.ask("play", room=room, text=text, agent=agent, seed=seed, nodes=nodes))
    own, other = (np.array(games, np.float64) for games in found)
    more = interval(lambda ours, old: ours[:, 0].mean() - old[:, 0].mean(), own, other)
    print(
        f"{title}: won {int(own[:, 0].sum())} of {len(own)}, old {int(other[:, 0].sum())}; difference {more}",
        flush=True,
    )
    both = (own[:, 0] > 0) & (other[:, 0] > 0)
    if both.any():
        for word, column in (("steps", 1), ("CPU time", 2)):
            ratio = interval(ratio_of(np.sum), own[both][:, column], other[both][:, column])
            print(f"{title}: {word} of the games that both won ({int(both.sum())}), ratio {ratio}", flush=True)


def report_delirium(ours: Checkout, old: Checkout, amount: Amount) -> None:
    caves = [
        ours.ask("make", room="delirium", seed=seed, difficulty=1 + seed % 5) for seed in range(1, amount.caves + 1)
    ]
    title = f"delirium, {DELIRIUM_NODES:,} nodes per decision, patience of each version's default"
    compare_games(title, ours, old, caves, range(1, 2), "delirium", "master", DELIRIUM_NODES)
    large = [ours.ask("make", room="delirium", seed=seed, **LARGE_CAVE) for seed in range(1, amount.paced + 1)]
    times: list[list[float]] = [[], []]
    for cave in large:
        for side, checkout in enumerate((ours, old)):
            times[side] += checkout.ask("pace", text=cave, seconds=PACE, ticks=PACE_TICKS)
    for word, figures in zip(("now", "old"), map(np.array, times), strict=True):
        late = share_interval(int((figures > PACE).sum()), len(figures))
        print(
            f"delirium, {len(figures)} decisions on large caves at {PACE} s, {word}: p50 {np.median(figures):.4f}, "
            f"max {figures.max():.4f} CPU seconds, late {late}",
            flush=True,
        )


def share_interval(count: int, of: int) -> str:
    from gridsage.arena import stats

    return f"{stats.win_rate(count, of):.1%}"


ROOMS = {"ricochet": report_ricochet, "loderunner": report_loderunner, "delirium": report_delirium}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, nargs="?", help="an older checkout")
    parser.add_argument("--long", action="store_true", help="hours instead of minutes")
    parser.add_argument("--only", choices=ROOMS)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        work()
        return
    if given.old is None or not (given.old / "src" / "gridsage").is_dir():
        sys.exit(
            f"{given.old}: expected the folder of an older checkout; git worktree add --detach FOLDER 2917b23 makes one"
        )
    ours, old = Checkout(HERE.parent / "src"), Checkout(given.old.resolve() / "src")
    for room, report in ROOMS.items():
        if given.only in (None, room):
            report(ours, old, LONG if given.long else SHORT)
    ours.close()
    old.close()


if __name__ == "__main__":
    main()
