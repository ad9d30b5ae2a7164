"""How soon the explorer alone finds a way out of caves of Boulder Dash, with different dice; resumable.

    python bench/delirium_bd_explorer.py CAVES.bd|RECORDINGS.jsonl OUT.jsonl [--difficulties 1-5] [--dice 1-8]
        [--ticks 4000000] [--only "Cave K,Cave L"] [--lowest]

Ticks of the model from birth until a first plan are counted, so that nothing depends on the machine; a game at 0.1
seconds per decision has some 20,000 in each. Caves that need amoeba shut in are left out: the fencer plays those.
"""

from __future__ import annotations

import json
import time

from delirium_bd_strength import cave_parser, named_caves, numbers
from gridsage.core.game import Budget
from gridsage.games import catalog
from gridsage.games.delirium.agents.planner import new_meter
from gridsage.games.delirium.bd.agents.explorer import Explorer
from gridsage.games.delirium.bd.agents.fencer import Fencer
from gridsage.games.delirium.bd.agents.planner import Planner
from gridsage.games.delirium.bd.agents.repair import Position
from gridsage.games.delirium.bd.kernels.plan import ticks_left
from gridsage.games.delirium.bd.level import Level, Options
from gridsage.games.delirium.bd.rules import STAY, BoulderDash, position_arrays
from gridsage.games.delirium.bd.state import AMOEBA_CHANCE, ROCKFORD_AT

CHUNK = 20_000  # ticks
DICE_STEP = 1_000_003


def born(level: Level, difficulty: int) -> tuple[Planner, Position, bool]:
    """Return a planner of a cave, the position in which Rockford is born, and True if amoeba must be shut in."""
    game = BoulderDash()
    state = game.start(level, Options(difficulty=difficulty), 1)
    cells, facts, rules = position_arrays(game.observe(state, 0))
    planner = Planner(rules, len(cells))
    cells, facts = cells.copy(), facts.copy()
    facts[AMOEBA_CHANCE] = 0
    while facts[ROCKFORD_AT] < 0:
        planner.tick(cells, facts, STAY)
    needs_fence = Fencer(rules, len(cells), Explorer(planner.rules, len(cells), kept=1)).is_needed((cells, facts))
    return planner, (cells, facts), needs_fence


def explored(planner: Planner, birth: Position, dice: int, most: int) -> dict[str, float]:
    """Return how one search went."""
    explorer = Explorer(planner.rules, len(birth[0]), dice=1 + dice * DICE_STEP).start(*birth)
    used, line, began = 0, None, time.process_time()
    while used < most and line is None:
        meter = new_meter(Budget(nodes=CHUNK))
        line = explorer.think(meter)
        used += meter.spent
    return {
        "found": line is not None,
        "ticks": used,
        "length": len(line or ()),
        "clock": int(ticks_left(birth[1], planner.rules)),
        "microseconds": 1e6 * (time.process_time() - began) / used,
    }


def summary(records: list[dict[str, float]]) -> str:
    """Return one line about all searches in a cave."""
    found = sorted(int(r["ticks"]) for r in records if r["found"])
    middle = f"median {found[len(records) // 2]:,} ticks" if len(found) > len(records) // 2 else "no median"
    pace = sum(r["microseconds"] for r in records) / len(records)
    return f"{len(found)} of {len(records)} found, {middle}, {pace:.2f} µs per tick"


def main() -> None:
    parser = cave_parser("Measure the explorer of Boulder Dash caves.", range(1, 2))
    parser.add_argument("--dice", type=numbers, default=range(1, 9))
    parser.add_argument("--ticks", type=int, default=4_000_000, help="of the model, for each search")
    arguments = parser.parse_args()
    if arguments.ticks < 1:
        parser.error(f"--ticks {arguments.ticks}: expected 1 or more")
    catalog.ready_room("delirium-bd")
    lines = arguments.out.read_text().splitlines() if arguments.out.exists() else []
    done = {(r["cave"], r["difficulty"], r["dice"], r["most"]): r for r in map(json.loads, lines)}
    for name, level, difficulty in named_caves(parser, arguments):
        planner, birth, needs_fence = born(level, difficulty)
        if needs_fence:
            print(f"{name}, difficulty {difficulty}: left out, amoeba has to be shut in", flush=True)
            continue
        for dice in arguments.dice:
            key = (name, difficulty, dice, arguments.ticks)
            if key not in done:
                found = explored(planner, birth, dice, arguments.ticks)
                done[key] = {"cave": name, "difficulty": difficulty, "dice": dice, "most": arguments.ticks, **found}
                with arguments.out.open("a") as file:
                    file.write(json.dumps(done[key]) + "\n")
        records = [done[name, difficulty, dice, arguments.ticks] for dice in arguments.dice]
        print(f"{name}, difficulty {difficulty}: {summary(records)}", flush=True)


if __name__ == "__main__":
    main()
