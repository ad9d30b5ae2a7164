"""The solver as a caller sees it: lengths, proofs, budgets, and agreement with the slow twin."""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gridsage.core.errors import LevelError
from gridsage.games.ricochet.solver import Position, Solution, rate, solve

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "naive"))
from ricochet_twin import all_shortest, fewest_moves, is_solution

# Side length of random boards that the twin can exhaust, by number of robots.
TWIN_SIDE = {1: 32, 2: 8, 3: 5, 4: 3, 5: 3}


def drawn(text: str, target_robot: int = 0) -> Position:
    """Robots are A, B, ...; the target is *; `|` and `_` after a cell are walls on its east and south side."""
    lines = [line.strip() for line in text.strip().splitlines()]
    robots: dict[str, int] = {}
    target = -1
    cols = len(lines[0].replace("|", "").replace("_", ""))
    walls = np.zeros((len(lines), cols), np.uint8)
    for row, line in enumerate(lines):
        col = -1
        for symbol in line:
            if symbol in "|_":
                walls[row, col] |= 2 if symbol == "|" else 4
                continue
            col += 1
            if symbol == "*":
                target = row * cols + col
            elif symbol != ".":
                robots[symbol] = row * cols + col
    return Position(walls, tuple(cell for _, cell in sorted(robots.items())), target, target_robot)


def random_position(seed: int) -> Position:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 6))
    rows, cols = (int(side) for side in rng.integers(3, TWIN_SIDE[count] + 1, 2))
    walls = np.zeros((rows, cols), np.uint8)
    for bit in range(4):
        walls |= (rng.random((rows, cols)) < rng.choice([0.0, 0.1, 0.25])).astype(np.uint8) << np.uint8(bit)
    cells = [int(cell) for cell in rng.choice(rows * cols, count, replace=False)]
    return Position(walls, tuple(cells), int(rng.integers(rows * cols)), int(rng.integers(-1, count)))


def known_positions(folder: Path, name: str) -> list[tuple[Position, int]]:
    known = []
    for line in (folder / "ricochet" / name).read_text().splitlines():
        entry = json.loads(line)
        walls = np.array([int(digit, 16) for digit in entry["walls"]], np.uint8)
        walls = walls.reshape(entry["height"], entry["width"])
        known.append(
            (Position(walls, tuple(entry["robots"]), entry["target"], entry["target_robot"]), entry["optimal"])
        )
    return known


def is_right(position: Position, solution: Solution) -> bool:
    return is_solution(
        position.walls,
        position.robots,
        position.target,
        position.target_robot,
        solution.must_ricochet,
        solution.moves,
    )


def test_a_straight_shot_takes_one_move() -> None:
    solution = solve(drawn("A.*"))
    assert (solution.status, solution.length, solution.moves) == ("solved", 1, (1,))


def test_a_helper_stops_the_robot_on_its_target() -> None:
    assert solve(drawn("A.*.\n...B")).moves == (4, 1)


def test_a_robot_on_its_target_needs_no_move() -> None:
    position = Position(np.zeros((4, 4), np.uint8), (5, 6), 5, 0)
    assert (solve(position).length, solve(position).solutions) == (0, ((),))


def test_a_robot_on_its_target_must_leave_and_come_back_to_ricochet() -> None:
    solution = solve(Position(np.zeros((3, 3), np.uint8), (0,), 0, 0), must_ricochet=True)
    assert solution.length == 2


def test_a_straight_shot_does_not_count_when_the_robot_must_ricochet() -> None:
    position = drawn("A.*\n...\n...")
    assert solve(position).length == 1
    solution = solve(position, must_ricochet=True)
    assert solution.length == 3
    assert is_right(position, solution)


def test_any_robot_may_serve_when_none_is_named() -> None:
    assert solve(drawn("A....\n.....\n*...B", target_robot=-1)).moves in {(2,), (7,)}


def test_a_walled_in_target_is_proved_unsolvable() -> None:
    assert solve(drawn("A._.\n.|*|.\n..B")).moves == (2, 1, 0)
    solution = solve(drawn("A._.\n.|*_|.\n..B"))
    assert (solution.status, solution.length, solution.moves) == ("unsolvable", None, ())


def test_a_robot_alone_on_an_open_board_cannot_stop_in_the_middle() -> None:
    assert solve(drawn("A..\n.*.\n...")).status == "unsolvable"


@pytest.mark.parametrize("part", range(4))
def test_solver_agrees_with_the_twin_on_random_boards(part: int) -> None:
    for seed in range(part * 80, part * 80 + 80):
        position = random_position(seed)
        must_ricochet = seed % 2 == 1
        expected = all_shortest(position.walls, position.robots, position.target, position.target_robot, must_ricochet)
        solution = solve(position, must_ricochet=must_ricochet, all_solutions=True, max_solutions=100_000)
        assert set(solution.solutions) == expected, f"seed {seed}"
        assert solution.status == ("solved" if expected else "unsolvable"), f"seed {seed}"
        assert solution.complete, f"seed {seed}"
        if expected:
            assert solution.moves in expected
            assert solution.proved_above == len(solution.moves) - 1


def large_position(seed: int) -> Position:
    """Long and large boards with few ways to go, so that the twin can exhaust them."""
    rng = np.random.default_rng(seed)
    rows, cols = [(1, 64), (64, 1), (2, 50), (64, 64), (33, 40)][seed % 5]
    count = [5, 4, 2, 1, 1][seed % 5]
    walls = np.zeros((rows, cols), np.uint8)
    for bit in range(4):
        walls |= (rng.random((rows, cols)) < 0.1).astype(np.uint8) << np.uint8(bit)
    cells = [int(cell) for cell in rng.choice(rows * cols, count, replace=False)]
    return Position(walls, tuple(cells), int(rng.integers(rows * cols)), int(rng.integers(-1, count)))


@pytest.mark.parametrize("seed", range(30))
def test_solver_agrees_with_the_twin_on_boards_of_up_to_64_cells_a_side(seed: int) -> None:
    position, must_ricochet = large_position(seed), seed % 2 == 1
    expected = all_shortest(position.walls, position.robots, position.target, position.target_robot, must_ricochet)
    solution = solve(position, must_ricochet=must_ricochet, all_solutions=True, max_solutions=100_000)
    assert set(solution.solutions) == expected
    assert solution.status == ("solved" if expected else "unsolvable")
    assert solution.complete


def test_any_of_five_robots_may_serve_on_the_largest_board() -> None:
    walls = np.zeros((64, 64), np.uint8)
    position = Position(walls, (65, 130, 195, 260, 4030), 4095, -1)
    every = solve(position, all_solutions=True)
    single = [solve(replace(position, target_robot=robot), all_solutions=True) for robot in range(5)]
    shortest = min(len(one.moves) for one in single)
    assert every.length == shortest
    assert set(every.solutions) == {moves for one in single if one.length == shortest for moves in one.solutions}
    assert solve(position, max_nodes=0).status == "budget"


@pytest.mark.parametrize("name", ["positions.jsonl", "positions_random.jsonl", "positions_5robots.jsonl"])
def test_known_positions_have_their_known_lengths(name: str, shared_data: Path) -> None:
    for position, optimal in known_positions(shared_data, name):
        solution = solve(position)
        assert solution.length == optimal
        assert is_right(position, solution)


def test_two_threads_find_the_same_lengths(shared_data: Path) -> None:
    hard = [entry for entry in known_positions(shared_data, "positions.jsonl") if entry[1] >= 13]
    for position, optimal in hard:
        solution = solve(position, threads=2)
        assert solution.length == optimal
        assert is_right(position, solution)


def test_one_thread_opens_the_same_positions_each_time(shared_data: Path) -> None:
    position = known_positions(shared_data, "positions.jsonl")[100][0]
    first, again = solve(position), solve(position)
    assert (first.nodes, first.moves) == (again.nodes, again.moves)


def test_a_spent_node_budget_tells_how_far_the_proof_came(shared_data: Path) -> None:
    position, optimal = known_positions(shared_data, "positions.jsonl")[119]
    solution = solve(position, max_nodes=20_000)
    assert (solution.status, solution.length, solution.nodes) == ("budget", None, 20_000)
    assert 5 < solution.proved_above < optimal
    assert solve(position, max_nodes=0).nodes == 0


def test_a_deadline_is_kept(shared_data: Path) -> None:
    position, _ = known_positions(shared_data, "positions.jsonl")[119]
    solution = solve(position, max_seconds=0.02)
    assert solution.status == "budget"
    assert solution.seconds < 0.2


@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_can_cancel(threads: int, shared_data: Path) -> None:
    position, _ = known_positions(shared_data, "positions_random.jsonl")[9]
    cancel = np.zeros(1, np.uint8)
    timer = threading.Timer(0.05, cancel.__setitem__, (0, 1))
    timer.start()
    begun = time.perf_counter()
    solution = solve(position, cancel=cancel, threads=threads)
    timer.join()
    assert solution.status == "cancelled"
    assert time.perf_counter() - begun < 0.5


def test_several_threads_may_solve_at_once(shared_data: Path) -> None:
    known = known_positions(shared_data, "positions.jsonl")[:90]
    lengths: dict[int, list[int | None]] = {}

    def work(number: int) -> None:
        lengths[number] = [solve(position).length for position, _ in known]

    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(lengths[number] == [optimal for _, optimal in known] for number in range(4))


def test_the_list_of_solutions_is_cut_and_says_so() -> None:
    position = drawn("A....\n.....\n....B\n.....\n*....")
    every = solve(position, all_solutions=True)
    assert every.complete
    cut = solve(Position(np.zeros((9, 9), np.uint8), (40, 30), 80, 0), all_solutions=True, max_solutions=1)
    assert len(cut.solutions) == 1
    assert not cut.complete


def test_ratings_agree_with_the_twin() -> None:
    for seed in range(40):
        position = random_position(seed)
        depth = seed % 7
        expected = fewest_moves(position.walls, position.robots, depth)
        np.testing.assert_array_equal(rate(position.walls, position.robots, depth), expected, f"seed {seed}")


def test_ratings_agree_with_known_lengths(shared_data: Path) -> None:
    for position, optimal in known_positions(shared_data, "positions.jsonl")[5::23]:
        ratings = rate(position.walls, position.robots)
        robots = range(4) if position.target_robot < 0 else [position.target_robot]
        fewest = min(int(ratings[robot, position.target]) for robot in robots)
        assert fewest == (optimal if optimal <= 12 else 255)


def test_impossible_positions_are_refused_with_the_reason() -> None:
    walls = np.zeros((4, 4), np.uint8)
    with pytest.raises(LevelError, match=r"robots \(3, 3\), expected different cells from 0 to 15"):
        solve(Position(walls, (3, 3), 0, 0))
    with pytest.raises(LevelError, match="6 robots, expected 1 to 5"):
        solve(Position(walls, (0, 1, 2, 3, 4, 5), 9, 0))
    with pytest.raises(LevelError, match="target 16, expected a cell from 0 to 15"):
        solve(Position(walls, (3,), 16, 0))
    with pytest.raises(LevelError, match=r"target robot 1, expected -1 \(any\) or 0 to 0"):
        solve(Position(walls, (3,), 1, 1))
    with pytest.raises(LevelError, match=r"walls have shape \(65, 4\)"):
        solve(Position(np.zeros((65, 4), np.uint8), (3,), 1, 0))
