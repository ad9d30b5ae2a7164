"""Is the master of Push'em All stronger than the first one? Paired games at equal CPU time; every pair is a line.

python bench/pushem_elo.py --pairs 500 --nodes 400000        # v1's nodes per turn: 400,000 are some 0.07 s
python bench/pushem_elo.py --pairs 200 --nodes 20000 --settings margin=100 --other v2

Each pair has a random opening of two steps and a deal of its own, played from both sides. The other side gets `--nodes`
per turn; ours gets as many as fit into the same CPU time, by the speed of both in this run: games of both against
themselves come first and are not counted. Clocks of the wall would measure the load of the machine. The CPU time that
both really spent is reported; a run that was cut off goes on from its results file.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

from gridsage.arena import stats
from gridsage.games.pushem import ROOM
from gridsage.games.pushem.agents.engine import VERSIONS, Engine, Version, read_lines
from gridsage.games.pushem.agents.turns import actions_of
from gridsage.games.pushem.level import Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State

OUT = Path(__file__).parent / "out"
OPENING = 2
PRACTICE = 12  # games that measure the speed


@dataclass
class Side:
    """One of the two players: how its engine is made, its nodes per turn, and what it has spent."""

    version: Version
    settings: dict[str, int]
    learned: Path | None
    nodes: int
    cpu: float = 0.0
    spent: int = 0

    def engine(self) -> Engine:
        learned = None if self.learned is None else read_lines(self.learned)
        return Engine(settings=self.settings, version=self.version, learned=learned)

    def turn(self, engine: Engine, state: State) -> int:
        began = time.process_time()
        found = engine.think(state, self.nodes)
        self.cpu += time.process_time() - began
        self.spent += found.nodes
        return found.turn


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=400_000, help="of the other side, per turn")
    parser.add_argument("--cards", type=int, default=3)
    parser.add_argument("--other", choices=VERSIONS, default="v1")
    parser.add_argument("--settings", nargs="*", default=[], help="ours, such as margin=100")
    parser.add_argument("--other-settings", nargs="*", default=[])
    parser.add_argument("--learned", type=Path, help="our weights of lines (.npz) instead of the shipped ones")
    parser.add_argument("--other-learned", type=Path)
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    ours = Side("v2", numbers(given.settings), given.learned, given.nodes)
    other = Side(given.other, numbers(given.other_settings), given.other_learned, given.nodes)
    path = given.results or OUT / f"pushem_elo_{given.other}_{given.nodes}.jsonl"
    path.parent.mkdir(exist_ok=True)
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    level_speeds(ours, other, known, given.cards)
    with path.open("a") as out:
        for seed in range(len(known) + 1, given.pairs + 1):
            line = one_pair(ours, other, seed, given.cards)
            out.write(json.dumps(line) + "\n")
            out.flush()
            known.append(line)
    report(known[: given.pairs])
    return 0


def numbers(settings: list[str]) -> dict[str, int]:
    return {name: int(value) for name, _, value in (text.partition("=") for text in settings)}


def level_speeds(ours: Side, other: Side, known: list[dict[str, float]], cards: int) -> None:
    """Give our side the nodes that cost as much CPU time as the other's."""
    if known:
        ours.nodes = int(known[-1]["nodes"])
        return
    for seed in range(1_000_001, 1_000_001 + PRACTICE):
        one_game((ours, other), seed, cards)
        one_game((other, ours), seed, cards)
    rates = [side.spent / side.cpu for side in (ours, other)]
    ours.nodes = round(other.nodes * rates[0] / rates[1])
    print(f"{rates[0] / 1e6:.2f} and {rates[1] / 1e6:.2f} million nodes per CPU-second: ours gets {ours.nodes:,}")


def one_pair(ours: Side, other: Side, seed: int, cards: int) -> dict[str, float]:
    ours.cpu = other.cpu = 0.0
    score = one_game((ours, other), seed, cards) + 1 - one_game((other, ours), seed, cards)
    return {"seed": seed, "score": score / 2, "nodes": ours.nodes, "ours_cpu": ours.cpu, "other_cpu": other.cpu}


def one_game(sides: tuple[Side, Side], seed: int, cards: int) -> float:
    """First's score."""
    state = GAME.start(parse(ROOM.levels.text("01_start")), Options(cards=cards, opening=OPENING), seed)
    engines = [side.engine() for side in sides]
    while (outcome := GAME.outcome(state)) is None:
        for action in actions_of(sides[state.turn].turn(engines[state.turn], state), state):
            state = GAME.step(state, action)
    return outcome.scores[0]


def report(pairs: list[dict[str, float]]) -> None:
    scores = [pair["score"] for pair in pairs]
    ours, other = (sum(pair[key] for pair in pairs) for key in ("ours_cpu", "other_cpu"))
    rate = stats.win_rate(2 * sum(scores), 2 * len(pairs))
    print(
        f"{2 * len(pairs)} games: score {rate:.1%}, Elo {stats.elo(scores):+.0f}; "
        f"CPU time {ours:.0f} s against {other:.0f} s, ratio {ours / other:.2f}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
