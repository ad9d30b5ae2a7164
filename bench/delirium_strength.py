"""The master on caves of the 1984 filler, and an offline search on those it loses; resumable.

    python bench/delirium_strength.py OUT.jsonl [--seeds 1-200] [--seconds 0.1] [--offline 60] [--view 2]

One line a seed is appended to OUT.jsonl; seeds already there are skipped. The caves are those of issue 4:
40x22, of 256 stone 50, void 60, diamond 10; 12 to collect, one exit, two red and two blue monsters.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.games import catalog
from gridsage.games.delirium.generator import generate
from gridsage.games.delirium.level import Options


def measured(seed: int, agent: str, seconds: float, offline: float, view: int) -> dict[str, object]:
    room = catalog.ready_room("delirium")
    level = generate(seed)
    options = {"view_rows": view, "view_cols": view} if view >= 0 else {}
    result = play(episode(room, level, (catalog.parse_agent(agent),), 1, options, Budget(seconds=seconds)))
    won = result.trace.outcome.winner == 0
    record: dict[str, object] = {
        "seed": seed,
        "won": won,
        "outcome": result.trace.outcome.reason,
        "steps": len(result.trace.actions),
        "p95": result.decisions["p95"],
        "max": result.decisions["max"],
        "winnable": won,
    }
    if not won and offline > 0:
        assert room.levels.check is not None
        record["winnable"] = room.levels.check(level.text, Options(), offline).verdict == "won"
    return record


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure strength on filler caves.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", default="1-200")
    parser.add_argument("--agent", default="master")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--offline", type=float, default=60.0)
    parser.add_argument("--view", type=int, default=-1, help="cells seen to each side; -1: the whole map")
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("-")
    lines = arguments.out.read_text().splitlines() if arguments.out.exists() else []
    done = {record["seed"]: record for record in map(json.loads, lines)}
    for seed in range(int(first), int(last or first) + 1):
        if seed not in done:
            done[seed] = measured(seed, arguments.agent, arguments.seconds, arguments.offline, arguments.view)
            with arguments.out.open("a") as file:
                file.write(json.dumps(done[seed]) + "\n")
    records = list(done.values())
    won, winnable = sum(r["won"] for r in records), sum(r["winnable"] for r in records)
    slow = sorted(r["p95"] for r in records)
    print(
        f"{arguments.agent}: {won} of {len(records)} won, {winnable} known to be winnable "
        f"({100 * won / max(winnable, 1):.1f} % of those); median p95 of a decision {slow[len(slow) // 2]:.3f} s"
    )


if __name__ == "__main__":
    main()
