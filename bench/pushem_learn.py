"""Learn what the lines of Push'em All's board are worth, by self-play, in resumable steps.

python bench/pushem_learn.py play --games 8000 --nodes 3000          # adds games to bench/out/pushem_learn.bin
python bench/pushem_learn.py fit                                      # writes bench/out/pushem_lines.npz
python bench/pushem_elo.py --learned bench/out/pushem_lines.npz       # what it brings at equal CPU time

Every position of a game is kept with the score of the search and the result of the game; beside each stands a position
after some other turn, with a score alone, because a search evaluates bad turns too. `fit` explains both by a logistic
regression on the clock's part, the patterns of all 16 lines, and the cards in hand. When it wins, copy the file to
src/gridsage/games/pushem/lines.npz.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gridsage.games.pushem import ROOM
from gridsage.games.pushem.agents.engine import Engine, Learned, lines_by_rings, read_lines, shipped_weights
from gridsage.games.pushem.agents.turns import actions_of, ways_to_finish
from gridsage.games.pushem.kernels import evaluation, lines
from gridsage.games.pushem.level import CARD_NAMES, PRESETS, Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import State

OUT = Path(__file__).parent / "out"
POSITION = np.dtype(
    [
        ("own", "<u8"),
        ("enemy", "<u8"),
        ("hand", "<u2"),
        ("enemy_hand", "<u2"),
        ("game", "<u4"),
        ("ply", "u1"),
        ("result", "i1"),  # 2 won, 1 drawn, 0 lost, -1 not known
        ("score", "<i2"),
    ]
)
CARDS = np.array([0, 1, 2, 3, 3, 3, 3, 4, 5])  # sizes of hands
SLIP = 0.08  # how often some other turn is played, so that positions differ
CARD_CELLS = 4 * len(CARD_NAMES)
EPOCHS, BATCH, RATE = 6, 2_048, 1.0  # of Adam; the rate is in hundredths of a pawn
RESULT_SHARE = 0.4  # how much the result of the game counts beside the score of the search
LINE_PULL = 4e-5  # towards zero, for every use of a pattern


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["play", "fit"])
    parser.add_argument("--games", type=int, default=8_000, help="games in the file when done")
    parser.add_argument("--nodes", type=int, default=3_000)
    parser.add_argument("--data", type=Path, nargs="*", default=[OUT / "pushem_learn.bin"])
    parser.add_argument("--learned", type=Path, help="weights to play with instead of the shipped ones")
    parser.add_argument("--out", type=Path, default=OUT / "pushem_lines.npz")
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    if given.step == "play":
        play_games(given)
    else:
        fit(np.concatenate([np.fromfile(path, POSITION) for path in given.data]), given.out)
    return 0


def play_games(given: argparse.Namespace) -> None:
    path: Path = given.data[0]
    learned = None if given.learned is None else read_lines(given.learned)
    done = int(np.fromfile(path, POSITION)["game"].max()) if path.exists() and path.stat().st_size else 0
    with path.open("ab") as out:
        for seed in range(done + 1, given.games + 1):
            one_game(seed, given.nodes, learned).tofile(out)
            out.flush()


def one_game(seed: int, nodes: int, learned: Learned | None) -> NDArray[np.void]:
    """The positions of a game of the master against itself."""
    draw = random.Random(seed)
    engines, judge = (Engine(learned=learned), Engine(learned=learned)), Engine(learned=learned)
    cards = int(draw.choice(CARDS.tolist()))
    hands = draw.choice(["same", "different"])
    options = Options(cards=cards, hands=hands, opening=draw.randrange(6))  # type: ignore[arg-type]
    state = GAME.start(parse(ROOM.levels.text("01_start")), options, seed)
    rows: list[tuple[int, ...]] = []
    while (outcome := GAME.outcome(state)) is None:
        found = engines[state.turn].think(state, nodes)
        rows.append(row_of(state, seed, 0, found.score))
        other = some_turn(state, draw)
        if GAME.outcome(other) is None:
            rows.append(row_of(other, seed, -1, judge.think(other, nodes // 3).score))
        if draw.random() < SLIP:
            state = some_turn(state, draw)
        else:
            for action in actions_of(found.turn, state):
                state = GAME.step(state, action)
    kept = np.array(rows, POSITION)
    won = np.rint(2 * np.array(outcome.scores))[kept["ply"] % 2]  # First is at turn in even plies
    kept["result"] = np.where(kept["result"] < 0, -1, won)
    return kept


def row_of(state: State, seed: int, result: int, score: int) -> tuple[int, ...]:
    boards, hands = (state.first, state.second), (state.first_hand, state.second_hand)
    turn = state.turn
    return boards[turn], boards[1 - turn], hands[turn], hands[1 - turn], seed, state.ply, result, score


def some_turn(state: State, draw: random.Random) -> State:
    """The state after any step, or after any turn at all."""
    if draw.random() < 0.6:
        for action in actions_of(draw.randrange(4) | len(CARD_NAMES) << 3, state):
            state = GAME.step(state, action)
        return state
    return draw.choice(list(ways_to_finish(state)))[1]


def features(rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For every position the places of its weights, and how much each counts; 26 of them."""
    ends = (*PRESETS["r1"].rings, PRESETS["r1"].last_ply)
    ply = rows["ply"].astype(np.int64)
    phase = sum((ply >= end).astype(np.int64) for end in ends[:3])
    left = np.clip(np.array(ends)[phase] - ply, 0, lines.LATEST)
    stage = 2 * phase + (np.array(ends)[phase] - ply <= int(evaluation.SOON))
    clock = (phase * (lines.LATEST + 1) + left) * lines.CLOCK_WORDS
    own, enemy = cells_of(rows["own"]), cells_of(rows["enemy"])
    places, counts = [clock + 4], [np.ones(len(rows))]
    row, col = np.divmod(np.arange(64), 8)
    ring = np.minimum(np.minimum(row, 7 - row), np.minimum(col, 7 - col)).reshape(8, 8)
    for number in range(4):
        places.append(clock + number)
        counts.append(((own - enemy) * (ring == number)).sum((1, 2)).astype(float))
    powers = 3 ** np.arange(8)
    for mine, theirs in ((own, enemy), (own.transpose(0, 2, 1), enemy.transpose(0, 2, 1))):
        patterns = CANONICAL[(mine + 2 * theirs) @ powers]
        for line in range(8):
            places.append(
                lines.LINES + stage * lines.STAGE_WORDS + min(line, 7 - line) * lines.PATTERNS + patterns[:, line]
            )
            counts.append(np.ones(len(rows)))
    for card in range(len(CARD_NAMES)):
        places.append(lines.LEARNED_WORDS + 10 * phase + card)
        held = (rows["hand"].astype(np.int64) >> card & 1) - (rows["enemy_hand"].astype(np.int64) >> card & 1)
        counts.append(held.astype(float))
    return np.stack(places, 1), np.stack(counts, 1)


def cells_of(boards: NDArray[np.uint64]) -> NDArray[np.int64]:
    """(positions, 8, 8) of zeros and ones."""
    octets = np.ascontiguousarray(boards, "<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, 8, 8).astype(np.int64)


def canonical_patterns() -> NDArray[np.int64]:
    """A line and its mirror image share a weight."""
    digits = np.arange(lines.PATTERNS)[:, None] // 3 ** np.arange(8) % 3
    return np.minimum(np.arange(lines.PATTERNS), digits @ 3 ** np.arange(8)[::-1])


CANONICAL = canonical_patterns()


def fit(rows: NDArray[np.void], out: Path) -> None:
    rows = rows[np.abs(rows["score"]) < 28_000]  # won positions need no evaluation
    held_out = rows["game"] % 10 == 0
    scale = logistic_scale(rows)
    print(f"{len(rows)} positions of {len(np.unique(rows['game']))} games; {scale:.0f} hundredths are a logit")
    wanted = chances(rows, scale)
    places, counts = features(rows)
    weights = np.concatenate([lines_by_rings(shipped_weights()), card_weights()]).astype(float)
    print(f"log loss before: {loss(places[held_out], counts[held_out], wanted[held_out], weights, scale):.4f}")
    weights = learn(
        places[~held_out],
        counts[~held_out],
        wanted[~held_out],
        weights,
        scale,
        (places[held_out], counts[held_out], wanted[held_out]),
    )
    tables = weights[lines.LINES : lines.LEARNED_WORDS].reshape(-1, lines.PATTERNS)
    tables[:] = tables[:, CANONICAL]
    whole = np.rint(np.clip(weights, -32_000, 32_000)).astype(np.int16)
    np.savez_compressed(out, learned=whole[: lines.LEARNED_WORDS], cards=whole[lines.LEARNED_WORDS :])
    print(f"wrote {out.name}, {out.stat().st_size:,} bytes")


def card_weights() -> list[int]:
    return [shipped_weights()["cards"][name][broken] for broken in range(4) for name in CARD_NAMES]


def logistic_scale(rows: NDArray[np.void]) -> float:
    """How many hundredths of a pawn of the search's score make a logit of the result."""
    known = rows[rows["result"] >= 0]
    score, result = known["score"].astype(float), known["result"] / 2
    trials = np.geomspace(20, 500, 60)
    losses = [np.mean(np.logaddexp(0, score / one) - result * score / one) for one in trials]
    return float(trials[int(np.argmin(losses))])


def chances(rows: NDArray[np.void], scale: float) -> NDArray[np.float64]:
    """What the evaluation shall say: the search's chance to win, mixed with the result where there is one."""
    by_score = 1 / (1 + np.exp(-rows["score"] / scale))
    mixed = (1 - RESULT_SHARE) * by_score + RESULT_SHARE * rows["result"] / 2
    return np.where(rows["result"] >= 0, mixed, by_score)


def loss(
    places: NDArray[np.int64],
    counts: NDArray[np.float64],
    wanted: NDArray[np.float64],
    weights: NDArray[np.float64],
    scale: float,
) -> float:
    logits = (weights[places] * counts).sum(1) / scale
    return float(np.mean(np.logaddexp(0, logits) - wanted * logits))


def learn(
    places: NDArray[np.int64],
    counts: NDArray[np.float64],
    wanted: NDArray[np.float64],
    weights: NDArray[np.float64],
    scale: float,
    check: tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Adam on the logistic loss; the rate falls to zero."""
    shuffle = np.random.default_rng(1)
    mean, square = np.zeros(len(weights)), np.zeros(len(weights))
    batches = len(wanted) // BATCH
    for step in range(EPOCHS * batches):
        if step % batches == 0:
            order = shuffle.permutation(len(wanted))
        chosen = order[step % batches * BATCH :][:BATCH]
        where, by = places[chosen], counts[chosen]
        chance = 1 / (1 + np.exp(-(weights[where] * by).sum(1) / scale))
        slope = np.bincount(where.ravel(), (by * (chance - wanted[chosen])[:, None]).ravel(), len(weights)) / BATCH
        used = np.bincount(where.ravel(), minlength=len(weights)) / BATCH
        slope[lines.LINES : lines.LEARNED_WORDS] += (LINE_PULL * used * weights)[lines.LINES : lines.LEARNED_WORDS]
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        rate = RATE * (1 - step / (EPOCHS * batches))
        weights = weights - rate * mean / (np.sqrt(square) + 1e-7)
        if (step + 1) % batches == 0:
            print(f"epoch {(step + 1) // batches}: {loss(*check, weights, scale):.4f}", flush=True)
    return weights


if __name__ == "__main__":
    raise SystemExit(main())
