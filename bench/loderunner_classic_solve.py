"""Levels of the classic game won offline, resumable: every level is a line in the results file.

python bench/loderunner_classic_solve.py LEVELS --recordings FILE --nodes 90000000 --results FILE [--mirror]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from gridsage.core.budget import Meter
from gridsage.core.game import Budget
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.checker import PATIENCE, PROOF_SEED
from gridsage.games.loderunner.classic.files import read
from gridsage.games.loderunner.classic.kernels import ticks
from gridsage.games.loderunner.classic.level import Options, parse
from gridsage.games.loderunner.classic.recordings import read_recordings
from gridsage.games.loderunner.classic.rules import NOTHING_FED, first_row
from gridsage.games.loderunner.classic.solver import ArchiveSearch, guide, solve

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "loderunner"


def mirrored(text: str) -> str:
    return "\n".join(line[::-1] for line in text.splitlines()) + "\n"


def one(search: ArchiveSearch, text: str, nodes: int, patience: int) -> dict[str, object]:
    level = parse(text)
    start = first_row(level, Options(), PROOF_SEED)
    began = time.process_time()
    found = solve(start, guide(level), Meter(Budget(nodes)), search, patience)
    spent = time.process_time() - began
    row = start.copy()
    ticks.play_keys(row, found.keys, NOTHING_FED)
    won = bool(row[layout.STATUS] == layout.WON)
    return {"won": won, "ticks": len(found.keys), "nodes": found.nodes, "tries": found.tries, "cpu": round(spent, 2)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="?", type=Path, default=DATA / "classic")
    parser.add_argument("--recordings", type=Path, default=DATA / "recordings.jsonl")
    parser.add_argument("--nodes", type=int, default=90_000_000)
    parser.add_argument("--patience", type=int, default=PATIENCE)
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--only", default="", help="endings of level names, with commas")
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    if not given.levels.exists():
        print(f"no folder {given.levels}: name one with levels")
        return 2
    people = {}
    if given.recordings.exists():
        text = given.recordings.read_text()
        people = {each.level: each.time for each in read_recordings(text, str(given.recordings))}
    known = {}
    if given.results and given.results.exists():
        known = {line["level"]: line for line in map(json.loads, given.results.read_text().splitlines())}
    search = ArchiveSearch()
    lines = []
    for path in sorted(given.levels.glob("*.txt")):
        if given.only and not path.stem.endswith(tuple(given.only.split(","))):
            continue
        name = path.stem + ("-mirrored" if given.mirror else "")
        if name not in known:
            level = read(path)[0].text
            known[name] = {
                "level": name,
                **one(search, mirrored(level) if given.mirror else level, given.nodes, given.patience),
                "human": people.get(int("".join(filter(str.isdigit, path.stem)) or 0)),
            }
            print(json.dumps(known[name]), flush=True)
            if given.results:
                with given.results.open("a") as file:
                    file.write(json.dumps(known[name]) + "\n")
        lines.append(known[name])
    won = [line for line in lines if line["won"]]
    ratios = [line["ticks"] / line["human"] for line in won if line["human"]]
    print(f"{len(won)} of {len(lines)} levels won; not: {[line['level'] for line in lines if not line['won']]}")
    if ratios:
        print(f"length over the human's: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")
    print(f"core-seconds per level: median {statistics.median(line['cpu'] for line in lines):.1f}, ")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
