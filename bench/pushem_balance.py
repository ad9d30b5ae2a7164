"""Is Push'em All fair? Self-play of the master at fixed nodes; every game is a line in a results file, so it resumes.

python bench/pushem_balance.py seats --games 1000 --nodes 4000   # First's score and the draws, equal hands of three
python bench/pushem_balance.py cards --games 1000 --nodes 4000   # what each card is worth: different hands

In `cards` each opening is played twice, the second time with the hands exchanged; a card's contribution is the
coefficient of a linear regression of First's score on who holds it, with an interval from resampled pairs.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np

from gridsage.arena import stats
from gridsage.core.rng import generator
from gridsage.games.pushem import ROOM
from gridsage.games.pushem.agents.engine import Engine
from gridsage.games.pushem.agents.turns import actions_of
from gridsage.games.pushem.level import CARD_NAMES, Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State

OUT = Path(__file__).parent / "out"
HAND = 3
OPENING = 2  # random steps before the game, so that games with the same deal differ
RESAMPLES = 2_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", choices=["seats", "cards"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--preset", default="r1")
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    name = f"pushem_balance_{given.question}_{given.preset}_{given.nodes}_v{GAME.rules_version}.jsonl"
    path = given.results or OUT / name
    path.parent.mkdir(exist_ok=True)
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    with path.open("a") as out:
        for number in range(len(known), given.games):
            line = one_game(number, given)
            out.write(json.dumps(line) + "\n")
            out.flush()
            known.append(line)
    report_seats(known) if given.question == "seats" else report_cards(known)
    return 0


def one_game(number: int, given: argparse.Namespace) -> dict[str, object]:
    if given.question == "seats":
        state = start(number + 1, given.preset, None)
    else:
        seed, swapped = divmod(number, 2)
        deck = generator(seed, "balance").sample(CARD_NAMES, 2 * HAND)
        hands = (deck[:HAND], deck[HAND:])
        state = start(seed + 1, given.preset, hands[::-1] if swapped else hands)
    line: dict[str, object] = {"game": number, "hands": [state.first_hand, state.second_hand]}
    engines = (Engine(), Engine())
    while (outcome := GAME.outcome(state)) is None:
        for action in actions_of(engines[state.turn].think(state, given.nodes).turn, state):
            state = GAME.step(state, action)
    return line | {"score": outcome.scores[0], "plies": state.ply, "reason": outcome.reason}


def start(seed: int, preset: str, hands: tuple[list[str], list[str]] | None) -> State:
    text = ROOM.levels.text("01_start")
    if hands is not None:
        text = f"first: {' '.join(hands[0])}\nsecond: {' '.join(hands[1])}\n{text}"
    return GAME.start(parse(text), Options(preset=preset, opening=OPENING), seed)  # type: ignore[arg-type]


def report_seats(games: list[dict[str, object]]) -> None:
    scores = [float(game["score"]) for game in games]  # type: ignore[arg-type]
    plies = sorted(int(game["plies"]) for game in games)  # type: ignore[call-overload]
    print(f"{len(games)} games: First scores {stats.win_rate(sum(scores), len(scores)):.1%}")
    print(f"draws {scores.count(0.5)} = {scores.count(0.5) / len(scores):.1%}")
    print(f"plies: median {plies[len(plies) // 2]}, from {plies[0]} to {plies[-1]}")
    print(dict(Counter(str(game["reason"]) for game in games).most_common()))


def report_cards(games: list[dict[str, object]]) -> None:
    games = games[: len(games) // 2 * 2]
    holds = np.array([held(game["hands"]) for game in games], float)  # type: ignore[arg-type]
    scores = np.array([game["score"] for game in games], float) - 0.5
    pairs = len(games) // 2
    resample = np.random.default_rng(1)
    drawn = []
    for _ in range(RESAMPLES):
        chosen = resample.integers(0, pairs, pairs)
        rows = np.concatenate([2 * chosen, 2 * chosen + 1])
        drawn.append(contributions(holds[rows], scores[rows]))
    low, high = np.percentile(np.array(drawn), [2.5, 97.5], axis=0)
    print(f"{len(games)} games in {pairs} pairs; holding a card that the other lacks changes the score by")
    for card in np.argsort(-contributions(holds, scores)):
        value = contributions(holds, scores)[card]
        print(f"  {CARD_NAMES[card]:<11} {value:+.3f}  ({low[card]:+.3f} to {high[card]:+.3f})")


def held(hands: tuple[int, int]) -> list[int]:
    """+1 where First holds the card, -1 where Second does."""
    return [(hands[0] >> card & 1) - (hands[1] >> card & 1) for card in range(len(CARD_NAMES))]


def contributions(holds: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Least squares; hands are of equal size, so contributions are counted from the mean card."""
    weights = np.linalg.lstsq(holds, scores, rcond=None)[0]
    return weights - weights.mean()


if __name__ == "__main__":
    raise SystemExit(main())
