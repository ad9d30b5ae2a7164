"""How long and how well NetHack's bots live: resumable, one line of JSON per game, bootstrap intervals.

python bench/nethack_survive.py --agent survivor --seeds 1-64 --out bench/out/survive.jsonl
python bench/nethack_survive.py --summary bench/out/survive.jsonl
python bench/nethack_survive.py --compare bench/out/before.jsonl bench/out/after.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import bench_input
from gridsage.arena.match import play
from gridsage.core.complaints import ended
from gridsage.core.errors import OptionError
from gridsage.core.trace import AgentSpec, Episode, encode
from gridsage.games import catalog

Row = dict[str, Any]
KEYS = 1_000_000  # keys per game; a game of 100,000 turns takes some 200,000
ROUNDS = 4000  # resamples of the bootstrap
ROW = (  # what is known of every game
    *("agent", "seed", "options", "end", "score", "keys", "seconds", "depth", "experience", "turns", "death"),
    *("helpless", "progression", "tool_turn", "character"),
)
STARVED = ("fainted", "starv", "fainting")


def play_one(agent: str, seed: int, options: Row, keep: str) -> Row:
    """Play one game and return everything worth keeping of it."""
    episode = Episode("nethack", "", "", seed, (AgentSpec(agent),), options=options, max_steps=KEYS)
    began = core_seconds()
    result = play(episode)
    figures = dict(result.figures)
    levels = json.loads(str(figures.pop("levels", "[]")))
    seconds = core_seconds() - began
    if keep:
        Path(keep).mkdir(parents=True, exist_ok=True)
        (Path(keep) / f"{agent.partition(':')[0]}-{seed}.trace").write_bytes(encode(result.trace))
    outcome = result.trace.outcome
    kept = ("depth", "experience", "turns", "death", "helpless", "achieve", "progression", "tool_turn", "character")
    return {
        "agent": agent, "seed": seed, "options": options, "end": outcome.reason, "score": outcome.scores[0],
        "keys": len(result.trace.actions), "seconds": round(seconds, 2),
        **{name: figures.get(name) for name in kept},
        "last_depth": levels[-1]["depth"] if levels else 0,
        "arrivals": [[level["dungeon"], level["level"], level["arrived"], level["turns"]] for level in levels],
    }  # fmt: skip


def core_seconds() -> float:
    """Return the processor seconds of this process and of its ended children: the bot's and the game's."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run(agent: str, seeds: Sequence[int], options: Row, out: Path, processes: int, keep: str) -> None:
    """Play the games that `out` does not hold yet."""
    out.parent.mkdir(parents=True, exist_ok=True)
    done = {(row["agent"], row["seed"]) for row in rows_of(out)} if out.exists() else set()
    left = [seed for seed in seeds if (agent, seed) not in done]
    catalog.ready_room("nethack")
    if processes == 1:
        for seed in left:
            note(play_one(agent, seed, options, keep), out)
        return
    with ProcessPoolExecutor(processes) as pool:
        for row in pool.map(play_one, *zip(*((agent, seed, options, keep) for seed in left), strict=True)):
            note(row, out)


def note(row: Row, out: Path) -> None:
    """Append a game to the file and say how it went."""
    with out.open("a") as file:
        file.write(json.dumps(row) + "\n")
    parts = ("seed", "character", "score", "experience", "depth", "turns", "death", "helpless", "end")
    print(*(row[part] for part in parts), f"{row['keys'] / max(row['seconds'], 0.01):.0f}/s", flush=True)


def rows_of(path: Path) -> list[Row]:
    """Return the games of a file."""
    return bench_input.records(path, *ROW)


def interval(values: Sequence[float], middle: Callable[[Sequence[float]], float]) -> tuple[float, float]:
    """Return the 90 % interval of a bootstrap."""
    chance = random.Random(1)
    found = sorted(middle(chance.choices(values, k=len(values))) for _ in range(ROUNDS))
    return found[ROUNDS // 20], found[-ROUNDS // 20]


def summary(rows: list[Row]) -> None:
    """Print the figures of a set of games."""
    if not rows:
        raise OptionError("there are no games to sum up")
    print(f"{rows[0]['agent']}: {len(rows)} games, options {rows[0]['options']}")
    for name, digits in (("score", 0), ("progression", 4), ("experience", 1), ("depth", 1), ("turns", 0)):
        values = [float(row[name]) for row in rows]
        low, high = interval(values, statistics.fmean)
        left, right = interval(values, statistics.median)
        print(
            f"  {name}: mean {statistics.fmean(values):.{digits}f} [90 %: {low:.{digits}f}; {high:.{digits}f}], "
            f"median {statistics.median(values):.{digits}f} [{left:.{digits}f}; {right:.{digits}f}]"
        )
    games = len(rows)
    starved = sum(is_starved(row) for row in rows)
    print(
        f"  never left level 1 {share(sum(row['depth'] < 2 for row in rows), games)}, "
        f"fainted or starved {share(starved, games)}, "
        f"stuck {share(sum(row['end'].startswith('stuck') for row in rows), games)}, "
        f"with a digger {share(sum((row['tool_turn'] or -1) >= 0 for row in rows), games)}, "
        f"{sum(row['keys'] for row in rows) / sum(row['seconds'] for row in rows):.0f} keys per core-second"
    )
    print("  ends:", dict(Counter(cause(row) for row in rows).most_common(25)))
    roles: dict[str, list[float]] = {}
    for row in rows:
        roles.setdefault(str(row["character"])[:3], []).append(float(row["score"]))
    print("  by role:", {role: (len(held), round(statistics.median(held))) for role, held in sorted(roles.items())})


def is_starved(row: Row) -> bool:
    """Return True if hunger ended the game, alone or by fainting."""
    words = f"{row['end']} {row['death']} {row['helpless']}"
    return any(word in words for word in STARVED)


def cause(row: Row) -> str:
    """Return the cause of a death in few words."""
    words = re.sub(r"^killed by (an? |the )?", "", str(row["death"] or row["end"]))
    return re.sub(r"invisible |hallucinogen-distorted |, while.*", "", words) + (
        f" (while {row['helpless']})" if row["helpless"] else ""
    )


def share(part: int, whole: int) -> str:
    """Return a share in words."""
    return f"{part} = {100 * part / whole:.1f} %"


def compare(before: list[Row], after: list[Row]) -> None:
    """Print how two sets of games differ, with the 90 % interval of the ratio of means."""
    for rows in (before, after):
        summary(rows)
    chance = random.Random(1)
    for name in ("score", "progression"):
        one, two = ([float(row[name]) for row in rows] for rows in (before, after))
        ratios = sorted(
            statistics.fmean(chance.choices(two, k=len(two)))
            / max(1e-9, statistics.fmean(chance.choices(one, k=len(one))))
            for _ in range(ROUNDS)
        )
        print(f"{name}: ratio of means [90 %: {ratios[ROUNDS // 20]:.2f}; {ratios[-ROUNDS // 20]:.2f}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agent", default="survivor")
    parser.add_argument("--seeds", default="1-16")
    parser.add_argument("--character", default="@")
    parser.add_argument("--max-turns", type=int, default=100_000)
    parser.add_argument("--stuck-turns", type=int, default=1_500)
    parser.add_argument("--spawn", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("bench/out/survive.jsonl"))
    parser.add_argument("--keep", default="", help="folder for the traces")
    parser.add_argument("--summary", type=Path)
    parser.add_argument("--compare", type=Path, nargs=2)
    chosen = parser.parse_args()
    if chosen.compare:
        compare(*(rows_of(path) for path in chosen.compare))
    elif chosen.summary:
        summary(rows_of(chosen.summary))
    else:
        seeds = bench_input.seeds(chosen.seeds)
        options = {
            "character": chosen.character, "max_turns": chosen.max_turns, "stuck_turns": chosen.stuck_turns,
            "spawn_monsters": bool(chosen.spawn),
        }  # fmt: skip
        run(chosen.agent, seeds, options, chosen.out, chosen.processes, chosen.keep)
        summary(rows_of(chosen.out))


if __name__ == "__main__":
    raise SystemExit(ended(main))
