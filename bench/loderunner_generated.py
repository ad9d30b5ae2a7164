"""Games won on levels that the generator made or only drew, resumable: every finished game is a line in the results.

python bench/loderunner_generated.py make maps.jsonl --seeds 200
python bench/loderunner_generated.py draw drafts.jsonl --seeds 200
python bench/loderunner_generated.py draw crowds.jsonl --seeds 5 --enemies 12 --shapes 14x28x4,14x40x4,20x28x6
python bench/loderunner_generated.py play drafts.jsonl --nodes 60000 --results played.jsonl
python bench/loderunner_generated.py play drafts.jsonl --nodes 60000 --rounds 2000 --end-lost --results played.jsonl

`make` and `draw` ask the generator that Python finds: with PYTHONPATH=OLD/src it is that of an older checkout. `make`
takes the levels that it answers with, which it has won itself; `draw` takes the first draft of every seed, won or not.
`play` leaves out those that `levels check` proves to be impossible, and says how many these are; of games that were not
won it tells from which round on the loss is proved, if it is, and keeps the actions, to be read. With `--end-lost` a
game is over once its loss is proved, which is asked after 50, 100, 200, ... rounds without a bonus (a question can take
ten seconds): the loser would walk on until the last round.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridsage.arena.match import Watcher

FEWEST, MOST = 2, 7  # enemies, unless a number is asked for
BONUSES = 6
PROOF_ROUNDS = 50  # without a bonus until it is asked whether the game is lost; then twice as many each time
PROVED = "proved to be lost"


def old_or_new(name: str, old: str) -> ModuleType:
    """A module of the room, by its name of today or that of the time before rooms had the same file names."""
    try:
        return importlib.import_module(f"gridsage.games.loderunner.{name}")
    except ModuleNotFoundError:
        return importlib.import_module(f"gridsage.games.loderunner.{old}")


def made(given: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Every level that the file lacks: as the generator answers, or its first draft."""
    generator = old_or_new("generator", "workshop")
    have = {line["name"] for line in read(given.maps)}
    for seed in range(1, given.seeds + 1):
        enemies = given.enemies or FEWEST + (seed - 1) % (MOST - FEWEST + 1)
        for rows, cols, floors in (map(int, shape.split("x")) for shape in given.shapes.split(",")):
            name = f"{rows}x{cols}-{enemies}-{seed:03}"
            if name in have:
                continue
            if given.verb == "make":
                text = generator.generate(seed=seed, rows=rows, cols=cols, floors=floors, enemies=enemies).text
            else:
                text = first_draft(generator, seed, rows, cols, floors, enemies)
            yield {"name": name, "seed": seed, "enemies": enemies, "text": text}


def first_draft(generator: ModuleType, seed: int, rows: int, cols: int, floors: int, enemies: int) -> str:
    """The draft that the generator would try first; it draws again only where there was too little room."""
    rng = importlib.import_module("gridsage.core.rng")
    dice = rng.generator(rng.child_seed(seed, "loderunner", rows, cols, floors, enemies, BONUSES))
    while True:
        text: str | None = generator._draft(dice, rows, cols, floors, enemies, BONUSES)
        if text is not None:
            return text


def play(given: argparse.Namespace) -> None:
    """Play every level with every agent and seed until all are played or the time is over, and print what was won."""
    from gridsage.arena import stats
    from gridsage.games.loderunner.checker import doubts

    levels = [level for level in read(given.maps) if not given.only or level["name"] in given.only.split(",")]
    winnable = [level for level in levels if not doubts(level["text"])]
    print(f"{len(levels) - len(winnable)} of {len(levels)} levels are proved to be impossible")
    known = {line["id"]: line for line in read(given.results)}
    deadline = time.monotonic() + given.stop
    for agent in given.agents.split(","):
        lines = [
            line for seed in given.seed.split(",") for line in games(given, agent, int(seed), winnable, known, deadline)
        ]
        won = sum(line["reason"] == "won" for line in lines)
        rate = stats.win_rate(won, len(lines))
        ends = dict(Counter(line["reason"] for line in lines))
        print(f"{agent}: {won} of {len(lines)} games won ({rate.low:.1%} to {rate.high:.1%})", ends)
        for line in (line for line in lines if line["reason"] != "won"):
            since = line.get("lost_from")
            proof = f"; proved to be lost from round {since} on" if since is not None else ""
            print(f"  {line['name']}, seed {line['seed']}: {line['reason']} after {line['rounds']} rounds{proof}")


def games(
    given: argparse.Namespace,
    agent: str,
    seed: int,
    levels: list[dict[str, str]],
    known: dict[str, dict[str, str]],
    deadline: float,
) -> Iterator[dict[str, str]]:
    """The game of that agent and seed on every level, played where it is not known and there is time."""
    from gridsage.arena import match, tournament
    from gridsage.core.game import Budget
    from gridsage.core.room import NamedLevel
    from gridsage.core.trace import STOPPED
    from gridsage.games import catalog

    room = catalog.ready_room("loderunner")
    budget, options = Budget(given.nodes, given.seconds), {"turn_cap": given.rounds}
    for level in levels:
        named = NamedLevel(level["name"], level["text"])
        episode = tournament.episode(room, named, (catalog.parse_agent(agent),), seed, options, budget)
        if episode.id not in known and time.monotonic() < deadline:
            began = time.process_time()
            result = match.play(episode, watch=until_lost() if given.end_lost else None)
            reason = result.trace.outcome.reason
            line = {"id": episode.id, "name": level["name"], "agent": agent, "seed": seed}
            line |= {"reason": PROVED if reason == STOPPED else reason, "rounds": len(result.trace.actions)}
            line |= {"max": result.decisions["max"], "cpu": time.process_time() - began}
            if line["reason"] != "won":
                line["lost_from"] = lost_from(level["text"], seed, result.trace.actions)
                line["actions"] = list(result.trace.actions)
            append(given.results, line)
            known[episode.id] = line
        if episode.id in known:
            yield known[episode.id]


def until_lost() -> Watcher:
    """A watcher that ends its game once the loss is proved."""
    from gridsage.core.game import Decision, Event
    from gridsage.games.loderunner.checker import lost_for_good
    from gridsage.games.loderunner.state import State

    bonuses, due = -1, PROOF_ROUNDS  # bonuses left, and the round of the next question
    progress = 0  # the round of the last bonus

    def watch(rounds: int, state: State, decision: Decision | None, events: Sequence[Event]) -> bool:
        nonlocal bonuses, due, progress
        if len(state.seen.bonuses) != bonuses:
            bonuses, due, progress = len(state.seen.bonuses), rounds + PROOF_ROUNDS, rounds
        if rounds < due or state.seen.holes:
            return True
        due = rounds + max(PROOF_ROUNDS, rounds - progress)
        return not lost_for_good(state.seen)

    return watch


def lost_from(text: str, seed: int, actions: Sequence[int]) -> int | None:
    """The first round after which `lost_for_good` proves the loss; None if it does not before the end.

    What is lost stays lost, so the rounds are halved again and again.
    """
    from gridsage.games.loderunner.checker import lost_for_good
    from gridsage.games.loderunner.level import Options, parse
    from gridsage.games.loderunner.rules import LodeRunner

    game = LodeRunner()
    states = [game.start(parse(text), Options(), seed)]
    for action in actions:
        states.append(game.step(states[-1], action))
    alive = states if game.outcome(states[-1]) is None else states[:-1]
    seen = [state.seen for state in alive if not state.seen.holes]
    first, last = 0, len(seen) - 1
    if not lost_for_good(seen[last]):
        return None
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if lost_for_good(seen[middle]) else (middle + 1, last)
    return seen[last].round


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a file that may not be there yet."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def append(path: Path, line: dict[str, object]) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("make", "draw", "play"))
    parser.add_argument("maps", type=Path)
    parser.add_argument("--seeds", type=int, default=200, help="levels to make")
    parser.add_argument("--enemies", type=int, default=0, help="of every level to make; 0: 2 to 7")
    parser.add_argument("--shapes", default="14x28x4", help="rows x cols x floors of the levels to make")
    parser.add_argument("--agents", default="master,master:foresight=false")
    parser.add_argument("--seed", default="11", help="of the games; the generator's own proofs use 1 to 10")
    parser.add_argument("--only", default="", help="names of the levels to play")
    parser.add_argument("--rounds", type=int, default=1000, help="after which a game is lost")
    parser.add_argument("--end-lost", action="store_true", help="end a game once its loss is proved")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--stop", type=float, default=1e9, help="seconds after which no further game begins")
    parser.add_argument("--results", type=Path, default=Path("loderunner_generated.jsonl"))
    given = parser.parse_args()
    if given.verb == "play":
        play(given)
        return 0
    for line in made(given):
        append(given.maps, line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
