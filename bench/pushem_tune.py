"""Tune the master's evaluation in Push'em All by self-play, in three resumable steps.

python bench/pushem_tune.py play --games 2000 --nodes 2000   # adds games to bench/out/pushem_tune.jsonl
python bench/pushem_tune.py fit                               # prints new weights, writes bench/out/pushem_weights.json
python bench/pushem_tune.py check --pairs 200 --nodes 4000    # the new weights against the shipped ones

`fit` explains the results of the games by a logistic regression on the features of every position in them; the weight
of a feature is how much it raises the chance to win, in hundredths of a pawn in the middle. When `check` shows that
the new weights win, copy them to src/gridsage/games/pushem/weights.json.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np

from gridsage.arena import stats
from gridsage.games.pushem import ROOM
from gridsage.games.pushem.agents.engine import Engine, position_row, shipped_weights
from gridsage.games.pushem.agents.turns import actions_of
from gridsage.games.pushem.kernels.board import RING_1, RING_2, RING_3, RING_4
from gridsage.games.pushem.kernels.evaluation import stage_at
from gridsage.games.pushem.kernels.turns import R_PLY
from gridsage.games.pushem.level import CARD_NAMES, Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State

OUT = Path(__file__).parent / "out"
GAMES, WEIGHTS = OUT / "pushem_tune.jsonl", OUT / "pushem_weights.json"
RINGS = [int(ring) for ring in (RING_1, RING_2, RING_3, RING_4)]
RIDGE = 60.0  # strength of the pull towards zero, in positions
SLIP = 0.05  # how often a random step is played instead, so that positions differ


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    play = steps.add_parser("play")
    play.add_argument("--games", type=int, default=2000, help="games in the file when done")
    play.add_argument("--nodes", type=int, default=2000)
    steps.add_parser("fit")
    check = steps.add_parser("check")
    check.add_argument("--pairs", type=int, default=200)
    check.add_argument("--nodes", type=int, default=4000)
    check.add_argument("--other-nodes", type=int, help="nodes of the shipped weights, if not the same")
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    if given.step == "play":
        play_games(given.games, given.nodes)
    elif given.step == "fit":
        fit_weights()
    else:
        check_weights(given.pairs, given.nodes, given.other_nodes or given.nodes)
    return 0


def new_game(seed: int, opening: int) -> State:
    return GAME.start(
        parse(ROOM.levels.text("01_start")),
        Options(cards=random.Random(seed).choice([0, 2, 3, 3, 4, 6]), opening=opening),
        seed,
    )


def play_games(games: int, nodes: int) -> None:
    done = len(GAMES.read_text().splitlines()) if GAMES.exists() else 0
    with GAMES.open("a") as out:
        for seed in range(done + 1, games + 1):
            out.write(json.dumps(one_game(seed, nodes)) + "\n")
            out.flush()


def one_game(seed: int, nodes: int) -> dict[str, object]:
    """A game of the shipped master against itself: the features of its positions, and First's score."""
    slips = random.Random(seed)
    state, engines = new_game(seed, opening=slips.randrange(5)), (Engine(), Engine())
    rows = []
    while (outcome := GAME.outcome(state)) is None:
        rows.append([state.turn, *features(state)])
        if slips.random() < SLIP:
            actions = actions_of(slips.randrange(4) | len(CARD_NAMES) << 3, state)
        else:
            actions = actions_of(engines[state.turn].think(state, nodes).turn, state)
        for action in actions:
            state = GAME.step(state, action)
    return {"seed": seed, "score": outcome.scores[0], "plies": state.ply, "rows": rows}


def features(state: State) -> list[int]:
    """The evaluation's features for the side at turn: the score is their product with the weights."""
    row = position_row(state)
    own, enemy, hand, enemy_hand = (int(row[place]) for place in (0, 1, 4, 5))
    stack = row[None, :].copy()
    stage = int(stage_at(stack, 0, stack[0, R_PLY]))
    rings, cards, tempo = [0] * 32, [0] * 40, [0] * 8
    for number, ring in enumerate(RINGS):
        rings[4 * stage + number] = (own & ring).bit_count() - (enemy & ring).bit_count()
    for card in range(len(CARD_NAMES)):
        cards[10 * (stage // 2) + card] = (hand >> card & 1) - (enemy_hand >> card & 1)
    tempo[stage] = 1
    return [*rings, *cards, *tempo]


def fit_weights() -> None:
    games = [json.loads(line) for line in GAMES.read_text().splitlines()]
    rows = np.array([row for game in games for row in game["rows"]], float)
    scores = np.array([game["score"] for game in games for _ in game["rows"]])
    wanted = np.where(rows[:, 0] == 0, scores, 1 - scores)
    weights = logistic(rows[:, 1:], wanted)
    weights *= 100 / np.mean(weights[:24].reshape(6, 4)[:, 2:])  # a pawn in the middle is worth 100 on average
    whole = [round(value) for value in weights.tolist()]
    named = {
        "rings": [whole[4 * stage : 4 * stage + 4] for stage in range(8)],
        "cards": {name: whole[32 + card : 72 : 10] for card, name in enumerate(CARD_NAMES)},
        "tempo": whole[72:],
    }
    WEIGHTS.write_text(json.dumps(named, indent=2) + "\n")
    print(f"{len(games)} games, {len(rows)} positions")
    print(json.dumps(named, indent=2))


def logistic(inputs: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression by Newton's method, with a small ridge."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (wanted - chance) - RIDGE * weights
        curvature = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(curvature, gradient)
    return weights


def check_weights(pairs: int, nodes: int, other_nodes: int) -> None:
    fitted = json.loads(WEIGHTS.read_text())
    scores = []
    for seed in range(1_000_001, 1_000_001 + pairs):
        score = 0.0
        for fitted_seat in (0, 1):
            sides = [(shipped_weights(), other_nodes), (shipped_weights(), other_nodes)]
            sides[fitted_seat] = (fitted, nodes)
            engines = [Engine(weights) for weights, _ in sides]
            state = new_game(seed, opening=2)
            while (outcome := GAME.outcome(state)) is None:
                for action in actions_of(engines[state.turn].think(state, sides[state.turn][1]).turn, state):
                    state = GAME.step(state, action)
            score += outcome.scores[fitted_seat] / 2
        scores.append(score)
    rate, elo = stats.win_rate(2 * sum(scores), 2 * pairs), stats.elo(scores)
    print(f"{2 * pairs} games at {nodes} against {other_nodes} nodes: fitted weights score {rate}, Elo {elo}")


if __name__ == "__main__":
    raise SystemExit(main())
