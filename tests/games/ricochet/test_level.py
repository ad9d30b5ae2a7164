from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from games.ricochet.boards import CORRIDORS
from gridsage.core.errors import LevelError
from gridsage.core.rng import generator
from gridsage.games.ricochet.level import (
    ANY_ROBOT,
    Goal,
    Level,
    draw,
    parse,
    parse_drawing,
    parse_line,
    parse_record,
    printed,
    to_game_id,
    to_line,
    to_record,
)
from gridsage.games.ricochet.level.chance import random_position, random_positions

SMALL = """
; two robots, one of them boxed in
mission: red circle
+---+---+---+
|R      |Gyh|
+   +   +---+
|     rc    |
+---+---+---+
"""


def test_a_drawing_gives_walls_robots_and_goals():
    level = parse(SMALL)
    assert (level.rows, level.cols) == (2, 3)
    assert level.walls == (9, 3, 15, 12, 4, 7)
    assert level.robots == (0, 2)
    assert level.mission == Goal(4, 0, "circle")
    assert level.goals == (Goal(2, 3, "hexagon"), Goal(4, 0, "circle"))


def test_a_drawing_is_read_back_as_it_was():
    assert draw(parse(SMALL)) == SMALL.split("\n", 2)[2]


def test_the_only_goal_is_the_mission():
    assert parse(CORRIDORS.replace("mission: red circle\n", "")) == parse(CORRIDORS)


def test_a_mission_can_be_named_by_row_and_column():
    assert parse(SMALL.replace("red circle", "1,1")) == parse(SMALL)


def test_goals_that_look_alike_are_named_by_row_and_column():
    level = parse("mission: 0,2\n+---+---+---+\n|R    rc  rc|\n+---+---+---+\n")
    assert draw(level).startswith("mission: 0,2\n")
    assert parse(draw(level)) == level


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("|     rc", "|     rz"), r"line 7, column 8: expected a goal's shape \(c t s h v or a space\), found 'z'"),
        (("|     rc", "|     zc"), r"line 7, column 7: expected a goal's colour \(r g b y k \*\), found 'z'"),
        (("|R  ", "|Z  "), r"line 5, column 2: expected a robot \(R G B Y K or a space\), found 'Z'"),
        (("|R  ", "|G  "), "line 5, column 10: a second robot G"),
        (("|Gyh|", "|Byh|"), "line 4: robot G is missing; they come in the order RGBYK"),
        (("|R      |", "|R      !"), r"line 5, column 9: expected ' ' or '\|', found '!'"),
        (("+   +   +---+\n", "+   +   +-- +\n"), "line 6, column 10: expected '   ' or '---', found '-- '"),
        (("+   +   +---+\n", "+   +   +---+--\n"), "line 6, column 14: 15 characters, expected 13 as in line 4"),
        (("rc    |", "rc     "), "line 7, column 9: 8 characters, expected 13"),
        (("+---+---+---+\n|R", "+---+   +---+\n|R"), "line 4, column 6: the border is open"),
        (("|     rc", "      rc"), "line 7, column 1: expected a board line"),
        (("+   +   +---+\n", "+   x   +---+\n"), r"line 6, column 5: expected '\+' at a corner, found 'x'"),
        (("mission: red circle", "mission: red square"), "line 3, column 10: no goal is 'red square'; on the board:"),
        (("mission: red circle", "mission: 9,9"), "line 3, column 10: no goal is '9,9'"),
        (("mission: red circle\n", ""), "line 1: 2 goals on the board, expected one"),
        (("mission: red circle", "mission: red circle\nmission: red circle"), "line 4: a second mission"),
        (("|Gyh|", "| yh|"), None),
    ],
)
def test_a_wrong_drawing_is_told_by_line_and_column(change, message):
    text = SMALL.replace(*change)
    assert text != SMALL
    if message is None:
        parse(text)
        return
    with pytest.raises(LevelError, match=message):
        parse_drawing(text)


def test_the_mission_needs_its_robot():
    with pytest.raises(LevelError, match="the mission is for yellow hexagon, but that robot is not on the board"):
        parse(SMALL.replace("mission: red circle", "mission: yellow hexagon"))


@pytest.mark.parametrize("text", ["", "   \n\n"])
def test_an_empty_level_is_told(text):
    with pytest.raises(LevelError, match="the level is empty"):
        parse(text)


@pytest.mark.parametrize("text", ["hello", "+", "|", "+---+", "+---+\n|R r|", "+---+\n|R r|\n+---+\n|R r|"])
def test_scraps_are_refused_in_words(text):
    with pytest.raises(LevelError, match=r"line [1-4]"):
        parse(text)


# One-line positions


def test_a_printed_board_is_one_short_line():
    line = "1B-2B-3A-4A_R10.7-G11.8-B2.10-Y10.6_b9.1c"
    level = parse(line)
    assert level.robots == (167, 184, 42, 166)
    assert level.mission == Goal(145, 2, "circle")
    assert to_line(level) == line


def test_the_shape_of_a_printed_goal_may_be_left_out():
    line = "1B-2B-3A-4A_R10.7-G11.8-B2.10-Y10.6_b9.1"
    assert parse(line) == parse(line + "c")


def test_any_board_is_one_line():
    level = parse(SMALL)
    assert to_line(level) == "2x3.93fc47_R0.0-G0.2_r1.1c-y0.2h"
    assert parse(to_line(level)) == level


def test_a_line_needs_no_escape_in_a_link():
    for level in (parse(SMALL), random_position(3)):
        assert quote(to_line(level), safe="") == to_line(level)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1A-2A-3A_R0.0_r1.1", "column 1: expected four quadrants"),
        ("1A-2A-3A-3B_R0.0_r1.1", "column 1: each of the quadrants 1, 2, 3 and 4 is used once"),
        ("1A-2A-3A-4A_R0.0", "3 parts, or 4 with deflectors, found 2"),
        ("1A-2A-3A-4A_G0.0_r1.1", "column 13: expected R with its row.column"),
        ("1A-2A-3A-4A_R0.0-B0.1_r1.1", "column 18: expected G with its row.column"),
        ("1A-2A-3A-4A_R0.16_r1.1", r"column 13: place 0.16 is outside the board of 16 columns"),
        ("1A-2A-3A-4A_R20.1_r1.1", "the red robot stands on cell 321, expected 0 to 255"),
        ("1A-2A-3A-4A_R0.0_q1.1", "column 18: expected a goal like r3.14c"),
        ("1A-2A-3A-4A_R0.0_b1.1", "the mission is for blue, but that robot is not on the board"),
        ("1A-2A-3A-4A_R0.0-G0.0_r1.1", "two robots stand on cell 0"),
        ("2x3.93_R0.0_r1.1", "column 7: 2 hex digits of walls, expected 6 for 2x3"),
        ("40x40._R0.0_r1.1", "expected 1600"),
    ],
)
def test_a_wrong_line_is_told_by_column(line, message):
    with pytest.raises(LevelError, match=message):
        parse_line(line)


def test_boards_of_64_by_64_with_five_robots_fit_in_a_line():
    line = f"64x64.{'0' * 4096}_R0.0-G63.63-B0.63-Y63.0-K16.16_k5.5"
    level = parse(line)
    assert level.walls[0] == 9 and level.walls[4095] == 6
    assert parse(to_line(level)) == level == parse(draw(level)) == parse(to_record(level))


def test_boards_of_more_than_64_rows_are_refused():
    with pytest.raises(LevelError, match="65 rows and 1 column, expected 1 to 64"):
        parse(f"65x1.{'0' * 65}_R0.0_r1.0")


# Game IDs of DriftingDroids


def test_a_game_id_names_quadrants_robots_and_goal():
    level = parse("0765+41+2E21BD0F+1C")
    assert printed.arrangement_of(level) == "1A-4B-3B-2B"
    assert level.robots == (0x2E, 0x21, 0xBD, 0x0F)
    assert (level.mission.cell, level.mission.robot) == (0x1C, 1)
    assert to_game_id(level) == "0765+41+2E21BD0F+1C"


@pytest.mark.parametrize("seed", range(1, 21))
def test_every_mission_of_a_printed_board_has_a_game_id(seed):
    level = random_position(seed)
    assert parse(to_game_id(level)) == level


def test_later_sides_and_missions_for_any_robot_have_game_ids_too():
    board = printed.board("4D-2A-1C-3B")
    mission = next(goal for goal in board.goals if goal.robot == ANY_ROBOT)
    level = Level(16, 16, board.walls, (0, 15, 240, 255, 17), mission, board.goals)
    assert to_game_id(level).startswith("F186+5F+000FF0FF11+")
    assert parse(to_game_id(level)) == level


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0765+41+2E21BD0F+1", "is no game ID of DriftingDroids; expected like 0765"),
        ("0765+51+2E21BD0F+1C", "has 4 robots and says 5"),
        ("0065+41+2E21BD0F+1C", "each of the quadrants 1, 2, 3 and 4 is used once"),
        ("0765+42+2E21BD0F+1C", "no goal of robot 2 is printed in row 1, column 12"),
    ],
)
def test_a_wrong_game_id_is_refused(text, message):
    with pytest.raises(LevelError, match=message):
        parse(text)


def test_a_drawn_board_has_no_game_id():
    with pytest.raises(LevelError, match="only missions of the printed boards"):
        to_game_id(parse("2x3.953c56_R0.0_r1.2c"))


# JSON records


def test_a_record_is_read_and_written():
    record = '{"walls":"93fc47","robots":[0,2],"target":4,"target_robot":0,"width":3,"height":2}'
    level = parse(record)
    assert (level.walls, level.robots, level.mission) == ((9, 3, 15, 12, 4, 7), (0, 2), Goal(4, 0))
    assert to_record(level) == record


def test_a_target_for_any_robot_is_minus_one():
    level = parse('{"walls":"93fc47","robots":[0],"target":4,"target_robot":-1,"width":3,"height":2}')
    assert level.mission.robot == ANY_ROBOT


def test_a_wall_on_one_side_of_a_cell_is_on_both():
    level = parse('{"walls":"020000","robots":[0],"target":4,"target_robot":-1,"width":3,"height":2}')
    assert level.walls == (9, 3, 11, 12, 4, 6)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "not a position in JSON"),
        ("{}", "it lacks `walls`"),
        ('{"walls":"12","robots":[0],"target":1}', "`walls` has 2 characters, expected 256 hex digits"),
        ('{"walls":"0g","robots":[0],"target":1,"width":2,"height":1}', "`walls` has 'g' as character 2, expected hex"),
        ('{"walls":"93","robots":[7],"target":1,"width":2,"height":1}', "red robot stands on cell 7"),
        ('{"walls":"93","robots":[],"target":1,"width":2,"height":1}', "0 robots, expected 1 to 5"),
        ('{"walls":"93","robots":[0],"target":9,"width":2,"height":1}', "is on cell 9, expected 0 to 1"),
        ('{"walls":"93","robots":[0],"target":1,"target_robot":-2,"width":2,"height":1}', "`target_robot` is -2"),
        ('{"walls":"93","robots":["a"],"target":1}', "`robots.0.`: expected a whole number, found a text"),
        ('{"walls":"","robots":[0],"target":0,"width":-1,"height":0}', "expected 1 to 64"),
    ],
)
def test_a_wrong_record_is_told_by_key(record, message):
    with pytest.raises(LevelError, match=message):
        parse_record(record)


# Printed boards


def test_every_quadrant_has_its_goals_and_every_board_17_missions():
    for sides in ("AAAA", "BBBB", "CCCC", "DDDD"):
        board = printed.board("-".join(number + side for number, side in zip("1234", sides, strict=True)))
        assert len(board.goals) == 17
        names = {str(goal) for goal in board.goals}
        assert len(names) == 17 and "any robot vortex" in names


def test_the_printed_boards_have_the_walls_of_the_reference_positions(shared_data):
    seen = set()
    for name in ("positions.jsonl", "positions_5robots.jsonl"):
        for line in (shared_data / "ricochet" / name).read_text().splitlines():
            record = json.loads(line)
            board = printed.board(record["board"])
            assert "".join(f"{bits:x}" for bits in board.walls) == record["walls"]
            assert any((goal.cell, goal.robot) == (record["target"], record["target_robot"]) for goal in board.goals)
            seen |= set(record["board"].split("-"))
    assert seen == set(printed.QUADRANTS)


def test_random_positions_come_from_their_seed_and_every_form_keeps_them():
    first, again = list(random_positions(20, seed=1)), list(random_positions(20, seed=1))
    assert first == again
    assert len({to_line(level) for level in first}) == 20
    for level in first:
        assert parse(to_line(level)) == level == parse(draw(level))
        assert printed.arrangement_of(level) is not None
        assert level.mission.cell not in level.robots


@pytest.mark.parametrize("form", [draw, to_line, to_record])
def test_damaged_text_gives_a_level_or_a_sentence_never_anything_else(form):
    rng = generator(1, "damage", form.__name__)
    refused = 0
    for level in (parse(SMALL), parse(CORRIDORS), random_position(4)):
        text = form(level)
        for _ in range(150):
            at = rng.randrange(len(text))
            scrap = rng.choice(["", "x", "9", "-", "|", "+", " ", "\n", "R", "_", ".", '"', "[", "²", "\x00", "{"])
            try:
                parse(text[:at] + scrap + text[at + rng.randrange(3) :])
            except LevelError as error:
                refused += 1
                assert len(str(error)) > 20
    assert refused > 100
