from __future__ import annotations

from itertools import pairwise

import pytest

from gridsage.core.errors import LevelError, OptionError
from gridsage.core.rng import generator
from gridsage.games.ricochet import ROOM
from gridsage.games.ricochet.generator import generate
from gridsage.games.ricochet.level import CLOSED, Options, draw, parse, printed
from gridsage.games.ricochet.level.chance import walled_level
from gridsage.games.ricochet.missions import robots_used, solution, start_of


def test_a_mission_of_exactly_9_moves_with_at_least_3_robots():
    for seed in range(1, 4):
        level = parse(generate(seed=seed, moves=9, min_robots=3).text)
        found = solution(start_of(level, Options()), all_solutions=True)
        assert found.length == 9
        assert all(len(robots_used(moves)) >= 3 for moves in found.solutions)


def test_the_same_seed_and_wishes_give_the_same_level():
    assert generate(seed=4, moves=6).text == generate(seed=4, moves=6).text
    assert generate(seed=4, moves=6).text != generate(seed=5, moves=6).text


def test_the_remark_tells_how_hard_it_is():
    assert generate(seed=1, moves=6, min_robots=2).text.startswith("; 6 moves, 2 robots\n")


def test_without_wishes_any_mission_will_do():
    assert parse(generate(seed=1).text).robots


@pytest.mark.parametrize(
    ("rows", "cols", "robots"), [(4, 4, 1), (9, 13, 3), (32, 32, 5), (1, 20, 3), (3, 7, 2), (40, 64, 2)]
)
def test_random_boards_of_other_sizes(rows, cols, robots):
    level = parse(generate(seed=1, board="random", rows=rows, cols=cols, robots=robots).text)
    assert (level.rows, level.cols, len(level.robots)) == (rows, cols, robots)


def test_the_later_edition_has_five_robots():
    level = parse(generate(seed=3, sides="CD", robots=5, moves=5).text)
    assert set(printed.arrangement_of(level)) <= set("1234CD-")
    assert len(level.robots) == 5


def test_a_board_can_be_named():
    assert printed.arrangement_of(parse(generate(seed=1, board="4D-1A-3C-2B", moves=4).text)) == "4D-1A-3C-2B"


def test_a_mission_where_the_robot_must_ricochet():
    level = parse(generate(seed=2, moves=3, must_ricochet=True).text)
    assert solution(start_of(level, Options(must_ricochet=True))).length == 3


def test_deflectors_stand_on_cells_that_hold_nothing_and_the_length_is_proved_with_them():
    for seed in range(1, 4):
        level = parse(generate(seed=seed, board="random", rows=9, cols=9, moves=4, deflectors=5).text)
        assert len(level.deflectors) == 5
        assert {each.robot for each in level.deflectors} <= set(range(len(level.robots)))
        assert solution(start_of(level, Options())).length == 4


def test_a_level_without_deflectors_is_the_same_as_ever():
    assert generate(seed=4, moves=6, deflectors=0).text == generate(seed=4, moves=6).text


@pytest.mark.parametrize(
    ("wishes", "error", "message"),
    [
        ({"min_robots": 3, "robots": 2}, OptionError, "min_robots is 3, but the board has only 2 robots"),
        ({"sides": "AX"}, OptionError, "sides is 'AX', expected some of ABCD"),
        ({"rows": 8}, OptionError, "a board of 8 rows and 16 columns needs board=random"),
        (
            {"board": "random", "rows": 2, "cols": 4, "robots": 2, "deflectors": 7},
            OptionError,
            "a board with 5 empty cells has no room for 7 deflectors",
        ),
        ({"board": "1A"}, LevelError, "expected four quadrants"),
        (
            {"board": "random", "rows": 4, "cols": 4, "robots": 1, "moves": 30},
            OptionError,
            "no mission of exactly 30 moves with 1 robot or more on 500 boards",
        ),
    ],
)
def test_wishes_that_cannot_be_granted_are_told(wishes, error, message):
    with pytest.raises(error, match=message):
        generate(**wishes)


def test_random_boards_look_like_printed_ones():
    level = walled_level(generator(1), 16, 16)
    assert sum(walls == CLOSED for walls in level.walls) == 4
    assert len(level.goals) == 17
    assert parse(draw(level)) == level
    for goal in level.goals:
        assert level.walls[goal.cell].bit_count() == 2, "every goal is in a corner of two walls"


def test_every_shipped_level_is_as_hard_as_its_remark_says():
    names = ROOM.levels.names()
    assert len(names) >= 20
    for name in names:
        text = ROOM.levels.text(name)
        moves, robots = (int(part.split()[0]) for part in text.splitlines()[0].removeprefix("; ").split(", "))
        found = solution(start_of(parse(text), Options()), all_solutions=True)
        assert found.length == moves, name
        assert min(len(robots_used(each)) for each in found.solutions) == robots, name


def test_shipped_levels_go_from_easy_to_hard():
    moves = [int(ROOM.levels.text(name).split()[1]) for name in ROOM.levels.names()]
    assert moves[0] <= 2 and moves[-1] >= 14
    assert sum(later < earlier for earlier, later in pairwise(moves)) <= 3


def test_a_board_without_room_is_refused():
    with pytest.raises(OptionError, match="a board of 1 x 4 cells has no room for 4 robots and a goal"):
        generate(seed=1, board="random", rows=1, cols=4)
