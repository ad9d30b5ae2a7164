from __future__ import annotations

import json

import pytest

from games.ricochet.boards import CORRIDORS, GAME, begin, play
from gridsage.core.rng import generator
from gridsage.games.ricochet import notation
from gridsage.games.ricochet.checker import check
from gridsage.games.ricochet.level import Options, draw, parse, to_line, to_record
from gridsage.games.ricochet.level.chance import random_position, walled_level
from gridsage.games.ricochet.missions import hints, rate_missions, solution, solve_positions, start_of
from naive.ricochet_drawing import Twin

IMPOSSIBLE = """
+---+---+---+
|R      | r |
+   +   +---+
|           |
+---+---+---+
"""


def test_hints_tell_a_little_more_each_time():
    assert hints(begin(CORRIDORS)) == [
        "It takes 3 moves.",
        "Only red has to move.",
        "Red moves first.",
        "The first move is red down.",
        "Then red right.",
        "Then red up.",
    ]


def test_hints_name_the_robots_that_have_to_move():
    board = """
+---+---+---+
|R          |
+   +   +   +
|        G  |
+   +   +   +
|     r     |
+---+---+---+
"""
    told = hints(begin(board))
    assert told[0] == "It takes 3 moves."
    assert told[1] == "Red and green have to move."


def test_hints_of_the_end_and_of_the_impossible():
    assert hints(play(begin(CORRIDORS), "Rv R> R^")) == ["It is done."]
    assert hints(begin(IMPOSSIBLE)) == ["It cannot be done."]
    (told,) = hints(begin(draw(random_position(1))), max_nodes=0)
    assert told.startswith("It takes more than") and told.endswith("the search was not finished.")


@pytest.mark.parametrize("must_ricochet", [False, True])
def test_solutions_are_as_short_as_those_of_the_twin_on_small_random_boards(must_ricochet):
    rng = generator(7, "small boards")
    solved = impossible = 0
    for _ in range(25):
        level = walled_level(rng, rng.randint(4, 6), rng.randint(4, 7), robots=rng.randint(1, 3))
        state = start_of(level, Options(must_ricochet=must_ricochet))
        found = solution(state, all_solutions=True)
        target = divmod(level.mission.cell, level.cols)
        twin = Twin(draw(level)).fewest_moves(target, level.mission.robot, must_ricochet, limit=40)
        assert found.length == twin, to_line(level)
        for moves in found.solutions:
            end = play(state, notation.compact(moves))
            assert GAME.outcome(end).reason == "solved" and end.moves == twin
        solved += twin is not None
        impossible += twin is None
    assert solved >= 10


def test_with_five_robots_too():
    rng = generator(11, "five robots")
    for _ in range(3):
        level = walled_level(rng, 5, 5, robots=5)
        found = solution(start_of(level, Options()))
        target = divmod(level.mission.cell, level.cols)
        twin = Twin(draw(level)).fewest_moves(target, level.mission.robot, must_ricochet=False, limit=5)
        if twin is None:
            assert found.length is None or found.length > 5
        else:
            assert found.length == twin


def test_a_robot_that_has_ricocheted_need_not_do_so_again():
    board = "+---+---+---+\n|R        r |\n+   +   +   +\n|           |\n+---+---+---+\n"
    start = begin(board, must_ricochet=True)
    assert solution(start).length == 3
    turned = play(start, "R> R<")
    assert solution(turned).length == 1


def test_ratings_are_the_lengths_of_the_solutions():
    level = random_position(2)
    ratings = rate_missions(level, max_depth=8)
    assert len(ratings) == 17
    for goal, fewest in ratings.items():
        found = solution(start_of(type(level)(16, 16, level.walls, level.robots, goal, level.goals), Options()))
        assert found.length == fewest or (fewest is None and found.length > 8)


def test_check_proves_or_refuses():
    won = check(CORRIDORS, Options(), 5)
    assert (won.verdict, won.plan) == ("won", notation.parse_moves("Rv R> R^"))
    assert won.text == "3 moves of 1 robot, and no fewer (plain rule)"
    assert check(IMPOSSIBLE, Options(), 5).verdict == "impossible"
    assert check(CORRIDORS, Options(max_moves=2), 5).text == "it takes 3 moves, and max_moves is 2 (plain rule)"
    assert check(draw(random_position(1)), Options(), 0.0).verdict == "not found within budget"


def test_every_reference_position_is_solved_in_the_fewest_moves(shared_data):
    for name in ("positions.jsonl", "positions_5robots.jsonl", "positions_random.jsonl"):
        lines = (shared_data / "ricochet" / name).read_text().splitlines()
        easy = [line for line in lines if json.loads(line)["optimal"] <= 12]
        assert len(easy) >= 25
        for line, answer in zip(easy, solve_positions(easy), strict=True):
            record = json.loads(line)
            assert (answer["id"], answer["status"], answer["length"]) == (record["id"], "solved", record["optimal"])
            end = play(start_of(parse(line), Options()), answer["compact"])
            assert GAME.outcome(end).reason == "solved" and end.moves == record["optimal"]


def test_answers_come_in_order_with_everything_a_judge_needs():
    lines = [to_record(parse(CORRIDORS)), "", '{"id": 7, "walls": "93"}', to_line(parse(IMPOSSIBLE)), "nonsense"]
    first, bad, impossible, nonsense = solve_positions(lines)
    assert {key: first[key] for key in ("line", "status", "length", "moves", "compact", "rule")} == {
        "line": 1,
        "status": "solved",
        "length": 3,
        "moves": ["red down", "red right", "red up"],
        "compact": "RSRERN",
        "rule": "plain",
    }
    assert first["nodes"] >= 0 and first["seconds"] >= 0
    assert (bad["id"], bad["status"], bad["length"]) == (7, "error", None)
    assert bad["error"].startswith("line 3: not a position in JSON")
    assert (impossible["status"], impossible["length"], impossible["moves"]) == ("unsolvable", None, None)
    assert nonsense["error"].startswith("line 5: ")


def test_all_solutions_are_given_when_asked_for():
    (answer,) = solve_positions([to_record(parse(CORRIDORS))], all_solutions=True)
    assert answer["complete"] and "RSRERN" in answer["solutions"]


def test_the_rule_used_is_told():
    (answer,) = solve_positions([to_record(parse(CORRIDORS))], options=Options(must_ricochet=True))
    assert answer["rule"] == "must ricochet"


def test_a_budget_is_told_apart_from_the_impossible():
    (answer,) = solve_positions([to_record(random_position(1))], max_nodes=0)
    assert (answer["status"], answer["length"], answer["moves"]) == ("budget", None, None)
