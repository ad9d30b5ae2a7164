"""How strong is the master of Push'em All? Paired openings, seats swapped; every game is a line, so it resumes.

python bench/pushem_strength.py match master aggressive --games 200 --seconds 0.2
python bench/pushem_strength.py match master master --games 400 --nodes 16000 --other-nodes 4000
python bench/pushem_strength.py openspiel --games 40 --seconds 0.2    # needs gridsage[openspiel]
python bench/pushem_strength.py depth --seconds 0.2                   # depth without cards
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import msgspec

from gridsage.arena import stats
from gridsage.arena.match import play
from gridsage.arena.tournament import match_episodes
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.games import catalog
from gridsage.games.pushem.agents.engine import Engine
from gridsage.games.pushem.agents.master import Master
from gridsage.games.pushem.agents.turns import actions_of
from gridsage.games.pushem.level import Options, parse
from gridsage.games.pushem.rules import GAME

OUT = Path(__file__).parent / "out"
OPENING = 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    questions = parser.add_subparsers(dest="question", required=True)
    match = questions.add_parser("match")
    match.add_argument("first")
    match.add_argument("second")
    match.add_argument("--other-nodes", type=int, help="nodes of the second agent, if not the same")
    spiel = questions.add_parser("openspiel")
    depth = questions.add_parser("depth")
    for question in (match, spiel):
        question.add_argument("--games", type=int, default=40)
        question.add_argument("--results", type=Path)
    for question in (match, spiel, depth):
        question.add_argument("--seconds", type=float)
        question.add_argument("--nodes", type=int)
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    {"match": play_match, "openspiel": play_openspiel, "depth": show_depth}[given.question](given)
    return 0


def play_match(given: argparse.Namespace) -> None:
    room = catalog.ready_room("pushem")
    specs = [catalog.parse_agent(name) for name in (given.first, given.second)]
    level = NamedLevel("01_start", room.levels.text("01_start"))
    budget = Budget(given.nodes, given.seconds)
    other = Budget(given.other_nodes or given.nodes, given.seconds)
    episodes = match_episodes(room, level, specs[0], specs[1], given.games // 2, {"opening": OPENING}, budget)
    path = given.results or OUT / f"pushem_{given.first}_{given.second}.jsonl"
    known = read(path)
    scores = []
    for number, planned in enumerate(episodes):
        seat = number % 2  # of the first agent
        budgets = (budget, other) if seat == 0 else (other, budget)
        spec = msgspec.structs.replace(planned, budgets=budgets)
        if spec.id not in known:
            result = play(spec)
            known[spec.id] = append(path, spec.id, result.trace.outcome.scores[seat], result.decisions.get("max", 0.0))
        scores.append(known[spec.id]["score"])
    report(f"{given.first} against {given.second}", scores)
    slowest = sorted(line["max"] for line in known.values())
    print(f"slowest decision of seat 0 in a game: median {statistics.median(slowest):.3f} s, most {slowest[-1]:.3f} s")


def play_openspiel(given: argparse.Namespace) -> None:
    """The master against OpenSpiel's Python MCTS, which has the same wall time for each small action of a turn."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    from gridsage.adapters.openspiel import register

    short_name = register("pushem")
    path = given.results or OUT / "pushem_openspiel.jsonl"
    known, scores = read(path), []
    for number in range(given.games):
        key, seat = f"{number}-{given.seconds}", number % 2
        if key not in known:
            game = pyspiel.load_game(f"{short_name}(seed={number // 2 + 1},opening={OPENING})")
            random = np.random.RandomState(number)
            bot = mcts.MCTSBot(game, 2.0, 10, mcts.RandomRolloutEvaluator(1, random), random_state=random)
            score, playouts = one_openspiel_game(game, bot, seat, given.seconds)
            known[key] = append(path, key, score, playouts)
            print(f"game {number + 1}: {score:g}, {playouts:.0f} playouts a decision", flush=True)
        scores.append(known[key]["score"])
    report("master against OpenSpiel's Python MCTS", scores)


def one_openspiel_game(game: Any, bot: Any, seat: int, seconds: float) -> tuple[float, float]:
    state, master, rate, playouts = game.new_initial_state(), Master(), 100.0, []
    while not state.is_terminal():
        if state.current_player() == seat:
            state.apply_action(master.decide(state.state, Budget(seconds=seconds)).action)
            continue
        bot.max_simulations = max(2, round(rate * seconds))
        began = time.perf_counter()
        action = bot.step(state)
        rate = bot.max_simulations / (time.perf_counter() - began)
        playouts.append(bot.max_simulations)
        state.apply_action(action)
    return (state.returns()[seat] + 1) / 2, statistics.fmean(playouts)


def show_depth(given: argparse.Namespace) -> None:
    """Depth reached without cards, on the start and on positions of a game from it."""
    state = GAME.start(parse(catalog.ready_room("pushem").levels.text("01_start")), Options(cards=0), 1)
    depths, engine = [], Engine()
    for _ in range(20):
        began = time.perf_counter()
        found = Engine().think(state, given.nodes, given.seconds)
        depths.append(found.depth)
        print(f"ply {state.ply}: depth {found.depth}, {found.nodes:,} positions, {time.perf_counter() - began:.3f} s")
        for action in actions_of(engine.think(state, 20_000).turn, state):
            state = GAME.step(state, action)
    print(f"depth: median {statistics.median(depths)}, least {min(depths)}")


def read(path: Path) -> dict[str, dict[str, Any]]:
    lines = map(json.loads, path.read_text().splitlines()) if path.exists() else ()
    return {line["id"]: line for line in lines}


def append(path: Path, key: str, score: float, most: float) -> dict[str, Any]:
    line = {"id": key, "score": score, "max": most}
    with path.open("a") as out:
        out.write(json.dumps(line) + "\n")
    return line


def report(title: str, scores: list[float]) -> None:
    pairs = [(a + b) / 2 for a, b in zip(scores[::2], scores[1::2], strict=False)]
    print(
        f"{title}: {scores.count(1.0)} won, {scores.count(0.5)} drawn, {scores.count(0.0)} lost of {len(scores)}; "
        f"score {stats.win_rate(sum(scores), len(scores)):.1%}, Elo {stats.elo(pairs):+.0f}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
