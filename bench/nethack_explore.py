"""How well NetHack's bots explore: games with and without random monsters, resumable, one line of JSON a game.

python bench/nethack_explore.py --agent explorer --seeds 1-100 --spawn 0 --out bench/out/nethack.jsonl
python bench/nethack_explore.py --summary bench/out/nethack.jsonl
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import time
from collections import Counter, defaultdict
from pathlib import Path

import bench_input
from gridsage.arena.match import play
from gridsage.core.complaints import ended
from gridsage.core.trace import AgentSpec, Episode
from gridsage.games import catalog
from gridsage.games.nethack.figures import figures, svg, table
from gridsage.games.nethack.tally import levels_of

DEEPEST = 10  # stairs are counted on levels 1 to 10, as the issue asks


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not tries:
        return 0.0, 1.0
    z = 1.96
    share = hits / tries
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries)) / (1 + z * z / tries)
    return max(0.0, middle - half), min(1.0, middle + half)


def core_seconds() -> float:
    """Return the processor seconds of this process and of its ended children: the bot's and the game's."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def rows_of(path: Path) -> list[dict]:
    """Return the games of a file."""
    return bench_input.records(path, "agent", "seed", "spawn", "character", "reason", "seconds", "steps")


def run(agent: str, seeds: range, spawn: bool, character: str, out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    done = set()
    if out.exists():
        for row in rows_of(out):
            done.add((row["agent"], row["seed"], row["spawn"], row["character"]))
    room = catalog.ready_room("nethack")
    for seed in seeds:
        if (agent, seed, spawn, character) in done:
            continue
        episode = Episode(
            "nethack", "", "", seed, (AgentSpec(agent),),
            options={"spawn_monsters": spawn, "character": character}, max_steps=room.rules.max_steps,
        )  # fmt: skip
        began = core_seconds()
        result = play(episode)
        seconds = core_seconds() - began
        row = {
            "agent": agent, "seed": seed, "spawn": spawn, "character": character, "seconds": seconds,
            "reason": result.trace.outcome.reason, "steps": len(result.trace.actions), **result.figures,
        }  # fmt: skip
        with out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(
            agent,
            seed,
            spawn,
            row["reason"],
            row.get("death"),
            row.get("depth"),
            f"{row['steps'] / seconds:.0f}/s",
            flush=True,
        )


def summary(out: Path) -> None:
    groups: dict[tuple[str, bool, str], list[dict]] = defaultdict(list)
    for row in rows_of(out):
        groups[row["agent"], row["spawn"], row["character"]].append(row)
    for (agent, spawn, character), rows in sorted(groups.items()):
        games = len(rows)
        stuck = sum(row["reason"].startswith("stuck") for row in rows)
        low, high = interval(stuck, games)
        print(f"{agent} ({character}), random monsters {'on' if spawn else 'off'}: {games} games")
        print(f"  ends: {dict(Counter(row['reason'] for row in rows).most_common())}")
        print(f"  stuck {stuck}/{games} = {stuck / games:.1%} [{low:.1%}; {high:.1%}]")
        left = found = open_all = open_seen = fallen = secret = secret_found = good = secret_turns = 0
        for row in rows:
            alive = row["reason"].startswith("stuck") or row["reason"] == "turn limit"
            levels = levels_of(row)
            for number, level in enumerate(levels):
                fallen += level.left_down and level.fell
                walked = level.left_down and not level.fell
                if walked:
                    open_all += level.open_squares
                    open_seen += level.open_squares_seen
                    good += level.open_squares_seen >= 0.97 * level.open_squares
                judged = walked or (alive and number == len(levels) - 1)
                if judged and level.stairs_down and level.depth <= DEEPEST and level.dungeon == 0:
                    left += 1
                    found += level.stairs_down_seen > 0
                    if level.secret_needed:
                        secret += 1
                        secret_turns += level.turns
                        secret_found += level.stairs_down_seen > 0
        low, high = interval(found, left)
        print(f"  squares reachable without secrets seen on levels left by stairs: {open_seen / max(1, open_all):.2%}")
        print(
            f"  stairs down found on levels 1-10 not ended by death or a fall: {found}/{left} = "
            f"{found / max(1, left):.1%} [{low:.1%}; {high:.1%}]; where a secret was needed {secret_found}/{secret} "
            f"in {secret_turns / max(1, secret):.0f} turns a level"
        )
        print(f"  levels left by a fall: {fallen}")
        steps, seconds = sum(row["steps"] for row in rows), sum(row["seconds"] for row in rows)
        print(
            f"  depth mean {sum(row['depth'] for row in rows) / games:.1f}, turns mean "
            f"{sum(row['turns'] for row in rows) / games:.0f}, {steps / seconds:.0f} steps per core-second"
        )


def draw(out: Path, folder: Path) -> None:
    """Figures 13.1 to 13.4 of every group of games, as text and SVG."""
    groups: dict[str, list[dict]] = defaultdict(list)
    for row in rows_of(out):
        groups[f"{row['agent']}-{'spawn' if row['spawn'] else 'calm'}"].append(row)
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in groups.items():
        for figure in figures(rows):
            (folder / f"{name}-{figure.number}.svg").write_text(svg(figure))
            print(name, table(figure))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agent", default="explorer")
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--spawn", type=int, default=1)
    parser.add_argument("--character", default="bar")
    parser.add_argument("--out", type=Path, default=Path("bench/out/nethack.jsonl"))
    parser.add_argument("--summary", type=Path)
    parser.add_argument("--figures", type=Path, help="with --summary: write figures 13.1 to 13.4 into this folder")
    chosen = parser.parse_args()
    if chosen.summary:
        summary(chosen.summary)
        if chosen.figures:
            draw(chosen.summary, chosen.figures)
        return
    run(chosen.agent, bench_input.seeds(chosen.seeds), bool(chosen.spawn), chosen.character, chosen.out)
    summary(chosen.out)


if __name__ == "__main__":
    raise SystemExit(ended(main))
