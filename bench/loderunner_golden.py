"""Win every shipped level of Lode Runner (or those named) and store the traces that the tests replay."""

from __future__ import annotations

import sys
from pathlib import Path

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, encode
from gridsage.games import catalog

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "golden" / "loderunner"
NODES = 20_000
MOST_SEEDS = 20


def main() -> int:
    room = catalog.ready_room("loderunner")
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = 0
    for name in sys.argv[1:] or room.levels.names():
        level = NamedLevel(name, room.levels.text(name))
        for seed in range(1, MOST_SEEDS + 1):
            result = play(episode(room, level, (AgentSpec("master"),), seed, {}, Budget(nodes=NODES)))
            if result.trace.outcome.winner == 0:
                (FOLDER / f"{name}.trace").write_bytes(encode(result.trace))
                print(f"{name}: won with seed {seed} in {len(result.trace.actions)} rounds", flush=True)
                break
        else:
            missing += 1
            print(f"{name}: not won with {MOST_SEEDS} seeds")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
