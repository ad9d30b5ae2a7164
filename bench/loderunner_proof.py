"""Play logged games of the real engine again, round by round, with their respawns fed; takes any such file."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner
from gridsage.games.loderunner.state import State

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "loderunner" / "enssat_games.jsonl"
REASONS = {  # the log's word -> ours, which are finer
    "won": {"won"},
    "illegal": {"illegal action"},
    "hole": {"fell into a hole"},
    "enemy_walk": {"ran into an enemy"},
    "enemy_up": {"climbed into an enemy"},
    "caught": {"caught", "caught on a ladder", "fell beside an enemy"},
    "caught_passing": {"caught by a falling enemy"},
    "cut": {None},
}


def as_logged(state: State) -> list[Any]:
    cols = state.seen.level.cols
    return [
        state.seen.runner % cols,
        state.seen.runner // cols,
        [[enemy.cell % cols, enemy.cell // cols, enemy.action] for enemy in state.seen.enemies],
        [[hole.cell % cols, hole.cell // cols, hole.delay] for hole in state.seen.holes],
        len(state.seen.bonuses),
    ]


def first_difference(game: dict[str, Any]) -> str | None:
    """None when every round is reproduced; otherwise a sentence about the first that is not."""
    rules = LodeRunner()
    level = parse("\n".join(game["rows"]))
    state = rules.start(level, Options(), 1)
    respawns: dict[int, list[int]] = {}
    for number, _, _, _, x, y in game["respawns"]:
        respawns.setdefault(number, []).append(y * level.cols + x)
    for number, (action, *wanted) in enumerate(game["rounds"], 1):
        if rules.outcome(state) is not None:
            return f"round {number}: our game is over ({rules.outcome(state)}), the logged one goes on"
        state = rules.play(state, action, respawns.get(number, []))
        if as_logged(state) != wanted:
            return f"round {number}: {as_logged(state)}, logged {wanted}"
    outcome = rules.outcome(state)
    if (outcome.reason if outcome else None) not in REASONS[game["outcome"]]:
        return f"our game ends with {outcome}, the logged one with {game['outcome']}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    path = parser.parse_args().file
    if not path.exists():
        print(f"no file {path}: nothing to prove")
        return 2
    games = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    began, rounds, wrong = time.perf_counter(), 0, 0
    for game in games:
        rounds += len(game["rounds"])
        if (sentence := first_difference(game)) is not None:
            wrong += 1
            print(f"game {game.get('id')}: {sentence}")
    print(
        f"{len(games) - wrong} of {len(games)} games ({rounds} rounds) reproduced, {time.perf_counter() - began:.1f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
