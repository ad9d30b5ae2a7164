"""Live games of the classic Lode Runner with unseen chances, resumable: every finished game is a line in the results.

python bench/loderunner_classic_live.py LEVELS --seeds 101,102,103 --results FILE
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from copy import copy
from pathlib import Path

from gridsage.core.game import Budget, Decision
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.agents.master import Master
from gridsage.games.loderunner.classic.files import read
from gridsage.games.loderunner.classic.level import Options
from gridsage.games.loderunner.classic.rules import ClassicLodeRunner, share_earned

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "loderunner" / "classic"


def prepared(text: str, master: Master, budget: Budget, most: int) -> Decision:
    """Return the first decision; it is the same for all seeds, since nobody sees chance before the first tick."""
    game = ClassicLodeRunner()
    return master.decide(game.observe(game.start(game.parse(text), Options(tick_cap=most), 0), 0), budget)


def played(text: str, seed: int, master: Master, first: Decision, budget: Budget, most: int) -> dict[str, object]:
    """Play one game with a master whose first decision is made."""
    game = ClassicLodeRunner()
    state = game.step(game.start(game.parse(text), Options(tick_cap=most), seed), first.action)
    nodes, slowest = 0, 0.0
    began = time.process_time()
    while game.outcome(state) is None:
        before = time.process_time()
        decision = master.decide(game.observe(state, 0), budget)
        slowest = max(slowest, time.process_time() - before)
        nodes += decision.thoughts.nodes if decision.thoughts else 0
        state = game.step(state, decision.action)
    return {
        "won": state.status == layout.WON,
        "end": layout.REASONS[state.status],
        "share": round(share_earned(state), 3),
        "ticks": memoryview(state.row).cast("h")[layout.TICK],
        "nodes": nodes,
        "cpu": round(time.process_time() - began, 1),
        "slowest": round(slowest, 3),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="?", type=Path, default=DATA)
    parser.add_argument("--seeds", default="101,102,103")
    parser.add_argument("--only", default="", help="endings of level names, with commas")
    parser.add_argument("--prepare", type=float, default=30.0, help="seconds before the first tick")
    parser.add_argument("--seconds", type=float, default=0.04, help="per tick")
    parser.add_argument("--prepare-nodes", type=int, help="instead of seconds: ticks searched before the first tick")
    parser.add_argument("--nodes", type=int, help="instead of seconds: ticks searched per tick")
    parser.add_argument("--most", type=int, default=10_000, help="ticks of a game")
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    known = {}
    if given.results and given.results.exists():
        known = {
            (line["level"], line["seed"]): line for line in map(json.loads, given.results.read_text().splitlines())
        }
    seeds = [int(seed) for seed in given.seeds.split(",")]
    budget = Budget(seconds=given.seconds) if given.nodes is None else Budget(nodes=given.nodes)
    won: Counter[str] = Counter()
    names = []
    for path in sorted(given.levels.glob("*.txt")):
        if given.only and not path.stem.endswith(tuple(given.only.split(","))):
            continue
        names.append(path.stem)
        text = read(path)[0].text
        master = Master(given.prepare, given.prepare_nodes or 0)
        first = None
        for seed in seeds:
            if (path.stem, seed) not in known:
                first = first or prepared(text, master, budget, given.most)
                line = {
                    "level": path.stem,
                    "seed": seed,
                    **played(text, seed, copy(master), first, budget, given.most),
                }
                known[path.stem, seed] = line
                print(json.dumps(line), flush=True)
                if given.results:
                    with given.results.open("a") as file:
                        file.write(json.dumps(line) + "\n")
            won[path.stem] += bool(known[path.stem, seed]["won"])
    every = sum(count == len(seeds) for count in won.values())
    print(f"{len(names) * len(seeds)} games; won {sum(won.values())}; {every} of {len(names)} levels at every seed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
