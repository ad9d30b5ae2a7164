"""Games won per map by an agent of Lode Runner, resumable: every finished game is a line in the results file.

python bench/loderunner_strength.py --agent master --seeds 50 --maps 'FOLDER/*.map' --enemies 12
"""

from __future__ import annotations

import argparse
import glob
import json
import random
from collections import Counter
from pathlib import Path

from gridsage.arena import stats
from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.games import catalog
from gridsage.games.loderunner.level import FLOOR, PATH, parse, repair

MAPS = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "loderunner" / "enssat" / "*.map"


def crowded(text: str, enemies: int) -> str:
    """The level with enemies added on free floor, at least eight columns or two floors from the runner."""
    level = parse(text)
    letters = list(text.replace("\n", ""))
    taken = {level.runner, *level.enemies, *level.bonuses}
    row, col = divmod(level.runner, level.cols)
    free = [
        cell
        for cell in range(level.cols, len(letters) - level.cols)
        if level.cells[cell] == PATH
        and level.cells[cell + level.cols] == FLOOR
        and cell not in taken
        and (abs(cell // level.cols - row) > 1 or abs(cell % level.cols - col) > 7)
    ]
    for cell in random.Random(enemies).sample(free, enemies - len(level.enemies)):
        letters[cell] = "E"
    return "\n".join("".join(letters[at : at + level.cols]) for at in range(0, len(letters), level.cols)) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", default="master")
    parser.add_argument("--maps", default=str(MAPS))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=10, help="last seed")
    parser.add_argument("--enemies", type=int, default=0, help="add enemies until there are so many")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    room = catalog.ready_room("loderunner")
    spec = catalog.parse_agent(given.agent)
    known = {}
    if given.results and given.results.exists():
        known = {(r["id"]): r for r in map(json.loads, given.results.read_text().splitlines())}
    for path in sorted(glob.glob(given.maps)):
        text, _ = repair(Path(path).read_text(), path)
        if given.enemies:
            text = crowded(text, given.enemies)
        report(path, [one(room, spec, path, text, seed, given, known) for seed in range(given.first, given.seeds + 1)])
    return 0


def one(room, spec, path, text, seed, given, known):  # type: ignore[no-untyped-def]
    played = episode(room, NamedLevel(Path(path).stem, text), (spec,), seed, {}, Budget(given.nodes, given.seconds))
    if played.id in known:
        return known[played.id]
    result = play(played)
    line = {
        "id": played.id,
        "seed": seed,
        "reason": result.trace.outcome.reason,
        "won": result.trace.outcome.winner == 0,
        "steps": len(result.trace.actions),
        "fault": result.figures.get("fault", ""),
        "traps": result.figures["traps"],
        **{name: result.decisions[name] for name in ("p50", "p95", "max")},
    }
    if given.results:
        with given.results.open("a") as file:
            file.write(json.dumps(line) + "\n")
    return line


def report(path, lines):  # type: ignore[no-untyped-def]
    rate = stats.win_rate(sum(line["won"] for line in lines), len(lines))
    steps = sorted(line["steps"] for line in lines if line["won"]) or [0]
    lost = [line["seed"] for line in lines if not line["won"]]
    print(
        f"{Path(path).stem}: {sum(line['won'] for line in lines)}/{len(lines)} won "
        f"({rate.low:.0%} to {rate.high:.0%}), median {steps[len(steps) // 2]} rounds; "
        f"seconds a decision p95 {max(line['p95'] for line in lines):.3f}, "
        f"max {max(line['max'] for line in lines):.3f}; "
        f"{dict(Counter(line['reason'] for line in lines))} lost seeds {lost}",
        *{line["fault"] for line in lines if line["fault"]},
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
