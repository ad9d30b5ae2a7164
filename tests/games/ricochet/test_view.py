from __future__ import annotations

from games.ricochet.boards import CORRIDORS, begin, play
from gridsage.games.ricochet.level import draw, parse
from gridsage.games.ricochet.level.chance import random_position
from gridsage.games.ricochet.view import GLYPHS, frame


def test_a_frame_shows_walls_target_and_robots():
    shown = frame(begin(CORRIDORS))
    assert (shown.rows, shown.cols) == (3, 4)
    assert shown.cells[6] == "target-red-circle"
    assert set(shown.cells) == {"floor", "target-red-circle"}
    assert [(robot.id, robot.sprite, robot.row, robot.col) for robot in shown.entities] == [
        ("R", "robot-red", 0, 0),
        ("G", "robot-green", 0, 3),
        ("B", "robot-blue", 2, 3),
    ]
    assert shown.edges == parse(CORRIDORS).walls


def test_the_sentence_tells_mission_moves_and_robots():
    assert frame(play(begin(CORRIDORS, must_ricochet=True), "Rv")).text == (
        "Bring the red robot to the circle at row 1, column 2. It must ricochet on its way. 1 move made. "
        "Robots: red at row 2, column 0; green at row 0, column 3; blue at row 2, column 3."
    )


def test_status_words_are_short():
    assert frame(play(begin(CORRIDORS), "Rv R>")).status == {"mission": "red circle", "moves": "2"}
    assert frame(begin(CORRIDORS, must_ricochet=True)).status["rule"] == "must ricochet"


def test_other_goals_and_the_closed_centre_of_a_printed_board_are_drawn():
    level = random_position(1)
    cells = frame(begin(draw(level))).cells
    assert sum(sprite.startswith("goal-") for sprite in cells) == 16
    assert sum(sprite.startswith("target-") for sprite in cells) == 1
    assert cells.count("block") == 4


def test_a_plain_goal_for_any_robot_has_a_sprite():
    shown = frame(begin("+---+---+\n|R    * |\n+---+---+\n"))
    assert shown.cells[1] == "target-any-plain" and shown.cells[1] in GLYPHS


def test_the_target_differs_from_other_goals_without_colours():
    goals = {sign for sprite, (sign, _) in GLYPHS.items() if sprite.startswith("goal-")}
    targets = {sign for sprite, (sign, _) in GLYPHS.items() if sprite.startswith("target-")}
    assert len(goals) == len(targets) == 6
    assert not goals & targets
