"""Kernels against the slow engine, and counted positions."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from gridsage.games.pushem.agents.engine import position_row
from gridsage.games.pushem.kernels import board, evaluation, lines, turns
from gridsage.games.pushem.level import CARD_NAMES, PRESETS, Options, parse
from gridsage.games.pushem.rules import GAME
from gridsage.games.pushem.state import DIRECTIONS
from naive import pushem_lines
from naive import pushem_twin as naive

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "pushem" / "perft.json").read_text(encoding="utf-8"))
CHEAP = 1_000  # lines of three turns that the slow engine counts again in this test


def counted(position: str, card: str, depth: int) -> int:
    """The compiled count of lines of `depth` turns."""
    stack = np.zeros((depth + 1, turns.ROW_WORDS), np.uint64)
    stack[:] = position_row(GAME.start(parse(position), Options(deal=card), 1))
    return int(turns.count_turns(stack, depth, np.zeros((depth, turns.MAX_TURNS), np.int64)))


def test_there_are_ten_positions_with_each_card() -> None:
    assert len({entry["position"] for entry in GOLDEN}) == 10
    assert {(entry["position"], entry["card"]) for entry in GOLDEN} == {
        (entry["position"], card) for entry in GOLDEN for card in CARD_NAMES
    }


@pytest.mark.parametrize("card", CARD_NAMES)
def test_the_number_of_turns_to_depth_three_does_not_change(card: str) -> None:
    for entry in (entry for entry in GOLDEN if entry["card"] == card):
        found = [counted(entry["position"], card, depth) for depth in (1, 2, 3)]
        assert found == entry["counts"], entry["position"]


@pytest.mark.parametrize("card", CARD_NAMES)
def test_the_slow_engine_still_counts_the_same(card: str) -> None:
    preset = PRESETS["r1"]
    for entry in (entry for entry in GOLDEN if entry["card"] == card):
        twin = naive.from_level(parse(entry["position"]), frozenset([card]), preset.rings, preset.last_ply)
        depths = 3 if entry["counts"][2] <= CHEAP else 1
        assert [naive.perft(twin, depth) for depth in range(1, depths + 1)] == entry["counts"][:depths]


@pytest.mark.parametrize("seed", range(40))
def test_a_step_on_random_boards_goes_as_in_the_slow_engine(seed: int) -> None:
    draw = random.Random(seed)
    cells = draw.sample(naive.BOARD, 40)
    own, enemy, abyss = cells[:12], cells[12:24], cells[24:]
    frozen = draw.sample(cells[:24], 4)
    twin = naive.Twin(
        dict.fromkeys(own, 0) | dict.fromkeys(enemy, 1),
        frozenset(abyss),
        frozenset(frozen),
        0,
        0,
        (frozenset(), frozenset()),
        False,
        (99,),
        99,
    )
    boards = [np.uint64(naive.board_of(group)) for group in (own, enemy, abyss, frozen)]
    for number, direction in enumerate(DIRECTIONS):
        moving = np.uint64(board.pawns_that_move(boards[0], boards[1], boards[3], number))
        stepped = naive.step(twin, direction)
        after = [int(board.shifted(boards[side], moving, boards[2], number)) for side in (0, 1, 3)]
        assert after[0] == naive.board_of(cell for cell, seat in stepped.pawns.items() if seat == 0)
        assert after[1] == naive.board_of(cell for cell, seat in stepped.pawns.items() if seat == 1)
        assert after[2] == naive.board_of(stepped.frozen)
        jumpers = board.jumpers(boards[0], boards[1], boards[2], boards[3], number)
        landings = {cell: naive.landing(twin, cell, direction) for cell in own}
        assert int(jumpers) == naive.board_of(cell for cell, place in landings.items() if place is not None)


@pytest.mark.compiled
@pytest.mark.parametrize("preset", PRESETS)
def test_the_learned_evaluation_is_the_sum_over_all_lines(preset: str) -> None:
    draw = random.Random(7)
    learned = np.array([draw.randint(-300, 300) for _ in range(lines.LEARNED_WORDS)], np.int16)
    rings, last_ply = PRESETS[preset].rings, PRESETS[preset].last_ply
    for ply in range(last_ply):
        cells = draw.sample(naive.BOARD, 16)
        own, enemy = set(cells[:8]), set(cells[8 : draw.randint(9, 16)])
        stack = np.zeros((1, turns.ROW_WORDS), np.uint64)
        stack[0, [turns.R_OWN, turns.R_ENEMY, turns.R_PLY]] = naive.board_of(own), naive.board_of(enemy), ply
        stack[0, turns.R_RING1 : turns.R_LAST_PLY + 1] = *rings, *[1_000] * (3 - len(rings)), last_ply
        clock = pushem_lines.clock_of(ply, rings, last_ply)
        if len(rings) <= clock[0] and len(rings) < 3:
            continue  # two rings only: the stage of a ring that never cracks has no twin
        memory = np.zeros(evaluation.W_TEMPO + 10, np.int64)
        found = lines.evaluate_learned(stack, 0, memory, learned)
        assert found == pushem_lines.worth(own, enemy, clock, learned.tolist()), ply


def test_a_board_is_transposed() -> None:
    cells = random.Random(3).sample(naive.BOARD, 20)
    turned = lines.transposed(np.uint64(naive.board_of(cells)))
    assert int(turned) == naive.board_of([(col, row) for row, col in cells])
