"""The compiled rounds beside their plain twin, on drawn levels of pure chance and on logged games."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from gridsage.games.loderunner.kernels import rounds
from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner, pack, tables
from gridsage.games.loderunner.state import REASONS, State

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "naive"))
from loderunner_twin import Twin, wild_level  # noqa: E402

GAME = LodeRunner()
LOGGED = ROOT.parent / "shared" / "data" / "loderunner" / "enssat_games.jsonl"
COARSE = {"caught on a ladder": "caught", "fell beside an enemy": "caught"}
TWIN_REASONS = {
    "": "",
    "won": "won",
    "illegal": "illegal action",
    "hole": "fell into a hole",
    "enemy_walk": "ran into an enemy",
    "enemy_up": "climbed into an enemy",
    "caught": "caught",
    "caught_passing": "caught by a falling enemy",
    "out of turns": "out of turns",
}


def dice_of(chance: list[int]):
    """The twin's choice of a respawn cell by the engine's generator; `chance` holds its state."""

    def pick(cells, _index):
        x = chance[0]
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        chance[0] = x
        return cells[(x * len(cells)) >> 32]

    return pick


def as_twin(state: State):
    cols = state.seen.level.cols

    def place(cell: int) -> tuple[int, int]:
        return cell % cols, cell // cols

    return (
        place(state.seen.runner),
        [place(enemy.cell) for enemy in state.seen.enemies],
        [enemy.action for enemy in state.seen.enemies],
        {place(cell) for cell in state.seen.bonuses},
        [(place(hole.cell), hole.delay) for hole in state.seen.holes],
        COARSE.get(REASONS[state.status], REASONS[state.status]),
    )


@pytest.mark.parametrize("seed", range(120))
def test_the_engine_and_its_twin_play_alike_on_wild_levels(seed):
    dice = random.Random(seed)
    rows = wild_level(dice)
    level = parse("\n".join(rows))
    for game in range(3):
        twin, state = Twin.of(rows), GAME.start(level, Options(), seed + game)
        chance = [state.chance]
        for _ in range(60):
            legal = twin.legal()
            assert list(GAME.legal(state)) == legal
            action = dice.randrange(7) if dice.random() < 0.02 else dice.choice(legal + [a for a in legal if a > 4] * 2)
            twin.play(action, dice_of(chance))
            state = GAME.step(state, action)
            assert as_twin(state) == (
                twin.runner,
                twin.enemies,
                twin.looks,
                twin.bonuses,
                twin.holes,
                TWIN_REASONS[twin.outcome],
            ), "\n".join(rows)
            assert state.chance == chance[0]
            if twin.outcome:
                break


COUNTED = """
WWWWWWWWWWWW
W....B...E.W
WFFFLFFFFLFW
W...L.CC.L.W
W.R.L..B.L.W
WFFFFFFFFFXW
WWWWWWWWWWWW
"""


COUNTS = [5, 20, 50, 182, 483, 1707, 4630, 16406]


def test_the_number_of_positions_after_n_rounds_is_known():
    layer = {GAME.start(parse(COUNTED), Options(), 1)}
    counts = []
    for _ in COUNTS:
        layer = {GAME.step(state, action) for state in layer for action in GAME.legal(state)}
        layer = {state for state in layer if state.status == 0}
        counts.append(len(layer))
    assert counts == COUNTS


def test_the_twin_counts_the_same_positions():
    lines: list[tuple[int, ...]] = [()]
    for wanted in COUNTS[:4]:
        positions, longer = set(), []
        for line in lines:
            for action in replayed(line).legal():
                twin = replayed((*line, action))
                if not twin.outcome:
                    longer.append((*line, action))
                    positions.add((twin.runner, *twin.enemies, *twin.looks, frozenset(twin.bonuses), tuple(twin.holes)))
        lines = longer
        assert len(positions) == wanted


def replayed(actions: tuple[int, ...]) -> Twin:
    twin = Twin.of(COUNTED.split())
    for action in actions:
        twin.play(action, lambda cells, _: cells[0])
    return twin


def test_random_play_inside_the_kernel_ends_games_of_every_kind():
    level = parse(COUNTED)
    found = tables(level, Options())
    start = pack(GAME.start(level, Options(), 1).seen, found)
    counts = np.zeros(len(REASONS), np.int64)
    rounds.random_rounds(*found, start, 3000, np.array([5, 0, 0, 0], np.int64), counts)
    assert counts.sum() > 20
    assert counts[REASONS.index("illegal action")] == 0
    assert counts[REASONS.index("caught")] + counts[REASONS.index("caught on a ladder")] > 0


def test_the_chase_does_not_explode_on_a_level_of_loops():
    rows = ["W" * 42, "WR" + "." * 39 + "W"]
    for _ in range(9):
        rows += ["W" + "LF" * 20 + "W", "W" + "L." * 20 + "W"]
    rows[-1] = rows[-1][:-3] + "EXW"
    rows += ["W" + "F" * 40 + "W", "W" * 42]
    level = parse("\n".join(rows))
    state = GAME.start(level, Options(), 1)
    for _ in range(5):
        state = GAME.step(state, 0)
    assert state.seen.enemies[0].cell != level.enemies[0]


@pytest.mark.skipif(not LOGGED.exists(), reason="the logged games of the real engine are not on this machine")
def test_logged_games_of_the_real_engine_are_reproduced():
    sys.path.insert(0, str(ROOT / "bench"))
    from loderunner_proof import first_difference

    games = [json.loads(line) for line in LOGGED.read_text().splitlines()]
    wrong = {game["id"]: sentence for game in games if (sentence := first_difference(game)) is not None}
    assert not wrong


def test_nobody_reappears_where_an_enemy_is():
    level = parse("WWWWWWWWWW\nWXR.EEEEEW\nWFFFFFFFFW\nWWWWWWWWWW\n")
    board, chase, info = tables(level, Options())
    row = pack(GAME.start(level, Options(), 1).seen, tables(level, Options()))
    first = rounds.FIRST_BONUS + int(info[rounds.BONUS_WORDS])
    only_free = int(row[first + 2])
    row[first + 2] = row[rounds.FIRST_HOLE] = only_free + level.cols
    row[rounds.HOLES], row[rounds.FIRST_HOLE + 1], row[rounds.ROUND] = 1, 1, 1
    for seed in range(1, 9):
        state = row.copy()
        rounds.play_round(board, chase, info, state, 0, np.array([seed << 24, 0, 0, 0], np.int64))
        assert state[first + 2] == only_free
