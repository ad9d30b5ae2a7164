"""Games won on levels that the generator made, resumable: every finished game is a line in the results file.

python bench/loderunner_generated.py make maps.jsonl --seeds 200
python bench/loderunner_generated.py play maps.jsonl --nodes 60000 --results played.jsonl

`make` asks the generator that Python finds: with PYTHONPATH=OLD/src it is that of an older checkout.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections import Counter
from pathlib import Path

FEWEST, MOST = 2, 7  # enemies


def make(path: Path, seeds: int) -> None:
    """Write the generator's level of every seed that the file lacks."""
    try:
        generator = importlib.import_module("gridsage.games.loderunner.generator")
    except ModuleNotFoundError:  # its name before rooms had the same file names
        generator = importlib.import_module("gridsage.games.loderunner.workshop")
    have = {line["seed"] for line in read(path)}
    for seed in range(1, seeds + 1):
        if seed not in have:
            enemies = FEWEST + (seed - 1) % (MOST - FEWEST + 1)
            level = generator.generate(seed=seed, enemies=enemies)
            append(path, {"name": f"g{seed:03}", "seed": seed, "enemies": enemies, "text": level.text})


def play(given: argparse.Namespace) -> None:
    """Play every level with every agent until all are played or the time is over, and print what was won."""
    from gridsage.arena import match, stats, tournament
    from gridsage.core.game import Budget
    from gridsage.core.room import NamedLevel
    from gridsage.games import catalog

    room = catalog.ready_room("loderunner")
    known = {line["id"]: line for line in read(given.results)}
    began = time.monotonic()
    for agent in given.agents.split(","):
        lines = []
        for level in read(given.maps):
            episode = tournament.episode(
                room,
                NamedLevel(level["name"], level["text"]),
                (catalog.parse_agent(agent),),
                given.seed,
                {},
                Budget(given.nodes, given.seconds),
            )
            if episode.id not in known and time.monotonic() - began < given.stop:
                result = match.play(episode)
                outcome = result.trace.outcome
                line = {"id": episode.id, "name": level["name"], "agent": agent, "reason": outcome.reason}
                line |= {"rounds": len(result.trace.actions), "max": result.decisions["max"]}
                append(given.results, line)
                known[episode.id] = line
            if episode.id in known:
                lines.append(known[episode.id])
        won = sum(line["reason"] == "won" for line in lines)
        rate = stats.win_rate(won, len(lines))
        print(f"{agent}: {won} of {len(lines)} won ({rate.low:.1%} to {rate.high:.1%})", dict(reasons(lines)))
        print("  not won:", *(line["name"] for line in lines if line["reason"] != "won"))


def reasons(lines: list[dict[str, str]]) -> Counter[str]:
    """How the games ended."""
    return Counter(line["reason"] for line in lines)


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a file that may not be there yet."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def append(path: Path, line: dict[str, object]) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("make", "play"))
    parser.add_argument("maps", type=Path)
    parser.add_argument("--seeds", type=int, default=200, help="levels to make")
    parser.add_argument("--agents", default="master,master:foresight=false")
    parser.add_argument("--seed", type=int, default=11, help="of the games; the generator's own proofs use 1 to 10")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--stop", type=float, default=1e9, help="seconds after which no further game begins")
    parser.add_argument("--results", type=Path, default=Path("loderunner_generated.jsonl"))
    given = parser.parse_args()
    if given.verb == "make":
        make(given.maps, given.seeds)
    else:
        play(given)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
