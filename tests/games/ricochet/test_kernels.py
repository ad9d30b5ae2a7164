"""The kernels one by one, beside their plain twins."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gridsage.games.ricochet.kernels import best_first, bounds, keys, opening, pairs, slide

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))
from ricochet_twin import Board, fewest_moves, is_solution

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
        bounds.fill_weak_bound(stops, SIDE_BITS, target, tables)
        bounds.spread_weak_bound(tables)
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
    bounds.fill_weak_bound(stops, SIDE_BITS, target, tables)
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
    children = np.empty(opening.CHILDREN, np.int64)
    rows = tables.reshape(-1), table.reshape(-1)
    for _ in range(200):
        robots = rng.choice(CELLS, 4, replace=False)
        key = keys.pack(robots, 8, 4, 0)
        tables[bounds.FLOOR, pairs.IS_FILLED] = 0
        cells = tuple(int(cell) for cell in robots)
        missing = opening.open_paired(stops, tables, *rows, key, 7, children)
        reached = {moved[0] for _, moved in board.moves(cells)} - {cells[0]}
        assert -1 - missing in reached if reached else missing >= 0
        tables[bounds.FLOOR, pairs.IS_FILLED] = 1
        made: list[int] = []
        for due in range(CELLS):
            outcome = opening.open_paired(stops, tables, *rows, key, due, children)
            made += children[: outcome & opening.MADE_MASK].tolist()
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
    bounds.fill_weak_bound(stops, SIDE_BITS, 17, tables)
    bounds.fill_strong_bound(walls, stops, SIDE_BITS, 17, tables)
    board = Board(walls.reshape(SIDE, SIDE))
    rng = np.random.default_rng(3)
    unpacked, children = np.empty(5, np.int64), np.empty(opening.CHILDREN, np.int64)
    for _ in range(200):
        robots = rng.choice(CELLS, 4, replace=False)
        key = keys.pack(robots, 8, 4, 0)
        made: list[int] = []
        for due in range(CELLS):
            outcome = opening.open_position(stops, tables, SIDE_BITS, 4, key, due, unpacked, children)
            made += children[: outcome & opening.MADE_MASK].tolist()
        cells = tuple(int(cell) for cell in robots)
        expected = [keys.pack(np.array(moved, np.int64), 8, 4, 0) for _, moved in board.moves(cells)]
        assert sorted(made) == sorted(expected)


@pytest.mark.parametrize("is_weak", [False, True])
def test_four_robots_make_every_child_once_and_quiet_ones_make_none_at_their_layer(is_weak: bool) -> None:
    walls = small_grid(3, SIDE)
    stops = stops_of(walls)
    tables = np.empty((2, CELLS, CELLS), np.uint8)
    bounds.fill_weak_bound(stops, SIDE_BITS, 17, tables)
    if not is_weak:
        bounds.fill_strong_bound(walls, stops, SIDE_BITS, 17, tables)
    # The weak bound is one row over the cells of the serving robot, the strong one a table.
    place = (tables[bounds.FLOOR, 0], 0, 0) if is_weak else (tables.reshape(-1), 8, 255)
    board, rng = Board(walls.reshape(SIDE, SIDE)), np.random.default_rng(3)
    children = np.empty(opening.CHILDREN, np.int64)
    all_quiet = 0
    for _ in range(200):
        robots = rng.choice(CELLS, 4, replace=False)
        key = keys.pack(robots, 8, 4, 0)
        made: list[int] = []
        for due in range(CELLS):
            outcome = opening.open_four(stops, tables, *place, key, due, children)
            new = children[: outcome & opening.MADE_MASK].tolist()
            quiet = [child for bit, child in enumerate(new) if outcome >> opening.QUIET_BITS + bit & 1]
            assert outcome >> opening.QUIET_BITS < 1 << len(new)
            made += new
            all_quiet += len(quiet)
            for child in quiet:
                silence = opening.open_four(stops, tables, *place, child, 0, children)
                assert silence == opening.NEXT_LAYER_BIT << opening.MADE_BITS
        moved_to = [moved for _, moved in board.moves(tuple(int(cell) for cell in robots))]
        assert sorted(made) == sorted(keys.pack(np.array(moved, np.int64), 8, 4, 0) for moved in moved_to)
    assert (all_quiet > 400) == is_weak


NEVER = 1 << 40


@pytest.mark.parametrize("limits", [(NEVER, NEVER), (0, NEVER), (0, 0)], ids=["weak", "strong", "pairs"])
def test_under_each_bound_the_search_finds_the_lengths_of_the_twin(limits: tuple[int, int]) -> None:
    """Every mission of four robots on seven boards of twelve cells; some have no solution."""
    unsolvable = longest = 0
    for seed in range(7):
        rng = np.random.default_rng(seed)
        walls = rng.choice(np.array([0, 0, 0, 0, 0, 1, 2, 4, 8], np.uint8), (3, 4))
        robots = tuple(int(cell) for cell in rng.choice(walls.size, 4, replace=False))
        fewest = fewest_moves(walls, robots, 30)
        for serving, target in itertools.product(range(4), range(walls.size)):
            length, moves = searched(walls, robots, serving, target, limits)
            assert length == fewest[serving, target], f"seed {seed}, robot {serving} to {target}"
            assert length == 255 or is_solution(walls, robots, target, serving, False, moves)
            unsolvable += length == 255
            longest = max(longest, length % 255)
    assert unsolvable > 5 and longest > 7


def searched(
    walls: NDArray[np.uint8], robots: tuple[int, ...], serving: int, target: int, limits: tuple[int, int]
) -> tuple[int, tuple[int, ...]]:
    """The length, 255 for none, and the moves of a search that goes over to the next bound after so many positions."""
    rows, cols = walls.shape
    grid = np.full((SIDE, SIDE), 15, np.uint8)
    grid[:rows, :cols] = walls
    control = np.zeros(best_first.CONTROL_SIZE, np.int64)
    control[best_first.SIDE_BITS], control[best_first.ROBOTS] = SIDE_BITS, len(robots)
    control[best_first.TARGET], control[best_first.TARGET_ROBOT] = target // cols * SIDE + target % cols, serving
    control[best_first.OPENED_LIMIT], control[best_first.ARENA_END] = NEVER, 1 << 14
    control[best_first.WEAK_LIMIT], control[best_first.STRONG_LIMIT] = limits
    control[best_first.FIRST_ROBOT : best_first.FIRST_ROBOT + 4] = [
        cell // cols * SIDE + cell % cols for cell in robots
    ]
    if robots[serving] == target:
        return 0, ()
    code = best_first.advance(
        control,
        grid.reshape(-1),
        np.empty((CELLS, 4), np.uint16),
        np.empty((2, CELLS, CELLS), np.uint8),
        np.empty((CELLS + pairs.EXTRA, CELLS, CELLS), np.uint8),
        np.empty(1 << 14, np.uint32),
        np.empty((2, 1 << 14), np.uint32),
        np.empty(1 << 14, np.uint8),
        np.empty(1 << 15, np.uint32),
    )
    if code == best_first.UNSOLVABLE:
        return 255, ()
    assert code == best_first.SOLVED
    length = int(control[best_first.LENGTH])
    return length, tuple(control[best_first.FIRST_MOVE : best_first.FIRST_MOVE + length].tolist())
