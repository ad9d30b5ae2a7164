"""The kernels one by one, beside their plain twins."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gridsage.games.ricochet.kernels import best_first, bounds, keys, pairs, slide

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))
from ricochet_twin import Board

SIDE_BITS = 4
SIDE = 1 << SIDE_BITS
CELLS = SIDE * SIDE


def small_grid(seed: int, side: int) -> NDArray[np.uint8]:
    """A random board of `side` x `side` in the corner of a solid grid."""
    rng = np.random.default_rng(seed)
    walls = np.full((SIDE, SIDE), 15, np.uint8)
    walls[:side, :side] = rng.choice(np.array([0, 0, 0, 0, 1, 2, 4, 8, 3, 9], np.uint8), (side, side))
    walls = walls.reshape(-1)
    slide.close_walls(walls, SIDE_BITS)
    return walls


def stops_of(walls: NDArray[np.uint8]) -> NDArray[np.uint16]:
    stops = np.empty((CELLS, 4), np.uint16)
    slide.fill_stops(walls, SIDE_BITS, stops)
    return stops


def test_slides_agree_with_the_twin() -> None:
    for seed in range(8):
        walls = small_grid(seed, SIDE)
        stops = stops_of(walls)
        board = Board(walls.reshape(SIDE, SIDE))
        rng = np.random.default_rng(seed)
        for _ in range(20):
            robots = rng.choice(CELLS, 5, replace=False)
            cells = tuple(int(cell) for cell in robots)
            for mover in range(5):
                expected = tuple(board.slide(cells, mover, direction) for direction in range(4))
                assert slide.slide_ends(stops, SIDE_BITS, robots, 5, mover) == expected


def true_distances(walls: NDArray[np.uint8], target: int, side: int, count: int = 2) -> dict[tuple[int, ...], int]:
    """Fewest moves of the first of some robots to `target`, for all positions on the small board, by relaxation."""
    board = Board(walls.reshape(SIDE, SIDE))
    cells = [row * SIDE + col for row in range(side) for col in range(side)]
    children = {robots: [moved for _, moved in board.moves(robots)] for robots in itertools.permutations(cells, count)}
    distances = {robots: 0 for robots in children if robots[0] == target}
    level = 0
    while True:
        level += 1
        found = [
            robots for robots in children if robots not in distances and any(c in distances for c in children[robots])
        ]
        if not found:
            return distances
        distances.update(dict.fromkeys(found, level))


@pytest.mark.parametrize("strong", [False, True])
def test_bounds_never_exceed_the_true_distance_and_never_drop_by_two(strong: bool) -> None:
    higher = 0
    for seed in range(10):
        side = 4
        walls = small_grid(seed, side)
        stops = stops_of(walls)
        target = (seed % side) * SIDE + seed // side
        tables = np.empty((2, CELLS, CELLS), np.uint8)
        bounds.fill_weak_bound(walls, SIDE_BITS, target, tables)
        weak = tables[0].copy()
        if strong:
            bounds.fill_strong_bound(walls, stops, SIDE_BITS, target, tables)
        bound = tables[0]
        board = Board(walls.reshape(SIDE, SIDE))
        for robots, distance in true_distances(walls, target, side).items():
            assert bound[robots] <= distance
            assert bound[robots] >= weak[robots]
            higher += int(bound[robots]) > int(weak[robots])
            if robots[0] != target:
                assert all(int(bound[moved]) >= int(bound[robots]) - 1 for _, moved in board.moves(robots))
    assert (higher > 0) == strong


def pair_tables(walls: NDArray[np.uint8], target: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The strong bound, and all of the bound over pairs of helpers."""
    stops = stops_of(walls)
    tables = np.empty((2, CELLS, CELLS), np.uint8)
    table = np.empty((CELLS + pairs.EXTRA, CELLS, CELLS), np.uint8)
    bounds.fill_weak_bound(walls, SIDE_BITS, target, tables)
    bounds.fill_strong_bound(walls, stops, SIDE_BITS, target, tables)
    pairs.prepare_pairs(walls, stops, SIDE_BITS, target, tables, table)
    pairs.fill_all_pairs(walls, stops, SIDE_BITS, tables, table)
    assert all(tables[bounds.FLOOR, 0, cell] == table[cell].min() for cell in range(CELLS))
    return tables[bounds.BOUND], table[:CELLS]


def pair_bound(table: NDArray[np.uint8], robots: tuple[int, ...]) -> int:
    serving, *helpers = robots
    return int(table[serving, min(helpers), max(helpers)])


def test_the_bound_of_a_pair_of_helpers_lies_between_the_strong_one_and_the_truth() -> None:
    """Three robots on nine and twelve cells, every position; one move lowers the bound by one at most."""
    higher = exact = 0
    for seed in range(6):
        side = 3 + seed % 2
        walls = small_grid(seed, side)
        target = (seed % side) * SIDE + seed // side
        strong, table = pair_tables(walls, target)
        board = Board(walls.reshape(SIDE, SIDE))
        for robots, distance in true_distances(walls, target, side, 3).items():
            serving, one, two = robots
            bound = pair_bound(table, robots)
            assert min(int(strong[serving, one]), int(strong[serving, two])) <= bound <= distance
            higher += bound > min(int(strong[serving, one]), int(strong[serving, two]))
            exact += bound == distance
            if serving != target:
                assert all(pair_bound(table, moved) >= bound - 1 for _, moved in board.moves(robots))
    assert higher > 100 and exact > 1_000


def test_under_the_bound_of_pairs_instalments_make_every_child_once() -> None:
    walls = small_grid(3, SIDE)
    stops = stops_of(walls)
    strong, table = pair_tables(walls, 17)
    tables = np.zeros((2, CELLS, CELLS), np.uint8)
    tables[bounds.BOUND] = strong
    tables[bounds.FLOOR, 0] = table.min(axis=(1, 2))
    board, rng = Board(walls.reshape(SIDE, SIDE)), np.random.default_rng(3)
    children = np.empty(best_first.CHILDREN, np.int64)
    rows = tables.reshape(-1), table.reshape(-1)
    for _ in range(200):
        robots = rng.choice(CELLS, 4, replace=False)
        key = keys.pack(robots, 8, 4, 0)
        tables[bounds.FLOOR, pairs.IS_FILLED] = 0
        cells = tuple(int(cell) for cell in robots)
        missing = best_first.open_paired(stops, tables, *rows, key, 7, children)
        reached = {moved[0] for _, moved in board.moves(cells)} - {cells[0]}
        assert -1 - missing in reached if reached else missing >= 0
        tables[bounds.FLOOR, pairs.IS_FILLED] = 1
        made: list[int] = []
        for due in range(CELLS):
            outcome = best_first.open_paired(stops, tables, *rows, key, due, children)
            made += children[: outcome & best_first.MADE_MASK].tolist()
        expected = [keys.pack(np.array(moved, np.int64), 8, 4, 0) for _, moved in board.moves(cells)]
        assert sorted(made) == sorted(expected)


def test_keys_sort_helpers_and_survive_moves() -> None:
    robots = np.array([7, 200, 3, 90], np.int64)
    key = keys.pack(robots, 8, 4, 1)
    unpacked = np.empty(5, np.int64)
    keys.unpack(key, 8, 4, unpacked)
    assert unpacked[:4].tolist() == [200, 3, 7, 90]
    moved = keys.with_helper(key, 8, 4, unpacked, 1, 250)
    assert moved == keys.pack(np.array([7, 200, 250, 90], np.int64), 8, 4, 1)
    assert keys.with_serving(key, 8, 4, 2, 5) == keys.pack(np.array([7, 5, 3, 90], np.int64), 8, 4, 1)


@pytest.mark.parametrize(
    ("directions", "mark"), [([], keys.UNMOVED), ([1], 2), ([1, 1], 2), ([1, 3], keys.FREE), ([1, 3, 3], keys.FREE)]
)
def test_the_ricochet_mark_is_lost_with_the_first_turn(directions: list[int], mark: int) -> None:
    key = keys.UNMOVED << 16
    for direction in directions:
        key = keys.with_serving(key, 8, 2, direction, 9)
    assert key >> 16 == mark


def test_instalments_make_every_child_once() -> None:
    walls = small_grid(3, SIDE)
    stops = stops_of(walls)
    tables = np.empty((2, CELLS, CELLS), np.uint8)
    bounds.fill_weak_bound(walls, SIDE_BITS, 17, tables)
    bounds.fill_strong_bound(walls, stops, SIDE_BITS, 17, tables)
    board = Board(walls.reshape(SIDE, SIDE))
    rng = np.random.default_rng(3)
    unpacked, children = np.empty(5, np.int64), np.empty(best_first.CHILDREN, np.int64)
    for _ in range(200):
        robots = rng.choice(CELLS, 4, replace=False)
        key = keys.pack(robots, 8, 4, 0)
        made: list[int] = []
        for due in range(CELLS):
            outcome = best_first.open_position(stops, tables, SIDE_BITS, 4, key, due, unpacked, children)
            made += children[: outcome & best_first.MADE_MASK].tolist()
        cells = tuple(int(cell) for cell in robots)
        expected = [keys.pack(np.array(moved, np.int64), 8, 4, 0) for _, moved in board.moves(cells)]
        assert sorted(made) == sorted(expected)
