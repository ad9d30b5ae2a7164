"""The master on caves of Boulder Dash, over difficulties and seeds; resumable.

    python bench/delirium_bd_strength.py CAVES.bd|RECORDINGS.jsonl OUT.jsonl [--difficulties 1-5] [--seeds 1-5]
        [--seconds 0.1 | --nodes 20000] [--only "Cave J,Intermission"] [--lowest]

After each game a line is printed and one is appended to OUT.jsonl, and games already there are skipped. Of recordings
(see delirium_bd_proof.py) only the caves are used: each is one difficulty of its own, and --lowest takes only the
lowest level that was recorded of each.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from gridsage.core.game import Briefing, Budget
from gridsage.core.rng import child_seed
from gridsage.games import catalog
from gridsage.games.delirium.bd.agents.master import Master
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.files import read
from gridsage.games.delirium.bd.level import Level, Options
from gridsage.games.delirium.bd.rules import BoulderDash
from gridsage.games.delirium.bd.state import DIAMONDS, TIME


def recorded_caves(path: Path, only_lowest: bool) -> Iterator[tuple[str, Level, int]]:
    """Yield name, level and difficulty of the caves of recordings, but for those of 1984."""
    from delirium_bd_proof import cave_of, records_of

    records = [record for record in records_of(path) if record["set"] != "bd1"]
    lowest: dict[tuple[str, str], int] = {}
    for record in records:
        key = (record["set"], record["name"])
        lowest[key] = min(record["level"], lowest.get(key, record["level"]))
    for record in records:
        if not only_lowest or record["level"] == lowest[record["set"], record["name"]]:
            name = f"{record['set']} {record['name']} {record['level']}"
            yield name, Level(name, (cave_of(record),)), 1


def caves(path: Path, difficulties: range, only_lowest: bool) -> Iterator[tuple[str, Level, int]]:
    """Yield name, level and difficulty of every cave to be played."""
    if path.suffix == ".jsonl":
        yield from recorded_caves(path, only_lowest)
        return
    for level in read(path):
        for difficulty in difficulties:
            yield parse(level.text).name, parse(level.text), difficulty


def played(level: Level, difficulty: int, seed: int, budget: Budget) -> dict[str, object]:
    """Return how one game went."""
    game = BoulderDash()
    state = game.start(level, Options(difficulty=difficulty), seed)
    player, times = Master(), []
    player.begin(Briefing("delirium-bd", Options(difficulty=difficulty), 0, child_seed(seed, "agent", 0)))
    while (outcome := game.outcome(state)) is None:
        began = time.perf_counter()
        action = player.decide(game.observe(state, 0), budget).action
        times.append(time.perf_counter() - began)
        state = game.step(state, action)
    times.sort()
    return {
        "won": outcome.winner == 0,
        "outcome": outcome.reason,
        "ticks": state.ticks,
        "diamonds": int(state.facts[DIAMONDS]),
        "time_left": int(state.facts[TIME]),
        "p95": times[int(0.95 * (len(times) - 1))],
        "max": times[-1],
    }


def numbers(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def cave_parser(description: str, difficulties: range) -> argparse.ArgumentParser:
    """Return a parser of what says which caves are played, and where the results go."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("caves", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--difficulties", type=numbers, default=difficulties)
    parser.add_argument("--only", default="", help="beginnings of the names of caves, divided by commas")
    parser.add_argument("--lowest", action="store_true", help="of recordings only the lowest level of each cave")
    return parser


def named_caves(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> list[tuple[str, Level, int]]:
    """Return name, level and difficulty of the caves that were asked for."""
    begins = tuple(arguments.only.split(","))
    offered = caves(arguments.caves, arguments.difficulties, arguments.lowest)
    named = [cave for cave in offered if cave[0].startswith(begins)]
    if not named:
        parser.error(f"no cave of {arguments.caves} begins with {' or '.join(begins)}; their names are like 'Cave A'")
    return named


def main() -> None:
    parser = cave_parser("Measure strength in Boulder Dash caves.", range(1, 6))
    parser.add_argument("--seeds", type=numbers, default=range(1, 6))
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--nodes", type=int, help="instead of seconds: games that repeat exactly")
    arguments = parser.parse_args()
    catalog.ready_room("delirium-bd")
    budget = Budget(nodes=arguments.nodes) if arguments.nodes else Budget(seconds=arguments.seconds)
    lines = arguments.out.read_text().splitlines() if arguments.out.exists() else []
    done = {(r["cave"], r["difficulty"], r["seed"]): r for r in map(json.loads, lines)}
    todo = named_caves(parser, arguments)
    for seed in arguments.seeds:
        for name, level, difficulty in todo:
            if (name, difficulty, seed) in done:
                continue
            record = {"cave": name, "difficulty": difficulty, "seed": seed, **played(level, difficulty, seed, budget)}
            done[name, difficulty, seed] = record
            with arguments.out.open("a") as file:
                file.write(json.dumps(record) + "\n")
            print(f"{name}, difficulty {difficulty}, seed {seed}: {record['outcome']}", flush=True)
    records = list(done.values())
    lost = Counter(f"{r['cave']} {r['difficulty']}: {r['outcome']}" for r in records if not r["won"])
    slow = sorted(r["p95"] for r in records)
    print(
        f"{sum(r['won'] for r in records)} of {len(records)} won; median p95 of a decision {slow[len(slow) // 2]:.3f} s"
    )
    for name, count in sorted(lost.items()):
        print(f"  lost {count}: {name}")


if __name__ == "__main__":
    main()
