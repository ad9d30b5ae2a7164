from __future__ import annotations

import pytest

from games.ricochet.boards import CORRIDORS, GAME, begin, drawn, play
from gridsage.core.errors import IllegalAction
from gridsage.core.game import Outcome
from gridsage.games.ricochet.level import Options, draw, parse
from gridsage.games.ricochet.notation import parse_moves
from gridsage.games.ricochet.rules import GIVE_UP
from naive.ricochet_drawing import Twin


def test_a_robot_slides_until_a_wall_stops_it():
    state = play(begin(CORRIDORS), "red down")
    assert (
        drawn(state)
        == """
+---+---+---+---+
|   |        G  |
+   +   +---+   +
|         rc    |
+   +   +   +   +
|R           B  |
+---+---+---+---+
"""
    )


def test_a_robot_stops_before_another_robot():
    state = play(begin(CORRIDORS), "red down, red right, green down")
    assert (
        drawn(state)
        == """
+---+---+---+---+
|   |           |
+   +   +---+   +
|         rc G  |
+   +   +   +   +
|        R   B  |
+---+---+---+---+
"""
    )


def test_the_mission_is_done_when_its_robot_stops_on_its_cell():
    state = play(begin(CORRIDORS), "Rv R> R^")
    assert state.robots[0] == state.level.mission.cell
    assert GAME.outcome(state) == Outcome("solved", (-3.0,), winner=0)
    assert list(GAME.legal(state)) == []


def test_sliding_over_the_target_is_not_standing_on_it():
    board = """
+---+---+---+
|R    r     |
+---+---+---+
"""
    assert GAME.outcome(play(begin(board), "R>")) is None


def test_another_robot_on_the_target_does_not_serve():
    board = """
+---+---+---+
|G   R    g |
+---+---+---+
"""
    state = play(begin(board), "R>")
    assert state.robots[0] == state.level.mission.cell
    assert GAME.outcome(state) is None


def test_any_robot_serves_a_mission_of_no_colour():
    board = """
+---+---+---+
|R   G    *v|
+---+---+---+
"""
    assert GAME.outcome(play(begin(board), "G>")).reason == "solved"


def test_a_move_that_moves_nothing_is_illegal():
    state = begin(CORRIDORS)
    (up,) = parse_moves("R^")
    assert up not in GAME.legal(state)
    with pytest.raises(IllegalAction, match="red up: it is blocked at row 0, column 0"):
        GAME.step(state, up)


def test_a_robot_that_is_not_on_the_board_cannot_move():
    with pytest.raises(IllegalAction, match="yellow left: the board has 3 robots"):
        play(begin(CORRIDORS), "yellow left")


def test_giving_up_is_always_legal_and_ends_the_mission():
    state = begin(CORRIDORS)
    assert GAME.legal(state)[-1] == GIVE_UP
    after = GAME.step(state, GIVE_UP)
    assert GAME.outcome(after) == Outcome("gave up", (-61.0,))
    with pytest.raises(IllegalAction, match="the mission is over"):
        GAME.step(after, GIVE_UP)


def test_the_mission_is_lost_when_the_moves_are_used_up():
    state = play(begin(CORRIDORS, max_moves=2), "Rv R>")
    assert GAME.outcome(state) == Outcome("out of moves", (-3.0,))


STRAIGHT = """
+---+---+---+
|           |
+   +   +   +
|R        r |
+---+---+---+
"""


def test_a_straight_shot_does_not_count_when_the_robot_must_ricochet():
    assert GAME.outcome(play(begin(STRAIGHT), "R>")).reason == "solved"
    assert GAME.outcome(play(begin(STRAIGHT, must_ricochet=True), "R>")) is None
    assert GAME.outcome(play(begin(STRAIGHT, must_ricochet=True), "R^ R> Rv")).reason == "solved"


def test_two_moves_in_the_same_direction_are_no_ricochet():
    board = """
mission: red
+---+---+---+---+
|R       G    r |
+   +   +   +   +
|               |
+---+---+---+---+
"""
    straight = play(begin(board, must_ricochet=True), "R> Gv R>")
    assert straight.robots[0] == straight.level.mission.cell
    assert GAME.outcome(straight) is None


def test_only_the_serving_robot_has_to_ricochet():
    state = play(begin(STRAIGHT, must_ricochet=True), "R> R<")
    assert GAME.outcome(play(state, "R>")).reason == "solved", "there and back again is a change of direction"


def test_two_ways_to_a_position_have_one_key_unless_ricochets_count():
    short, long = "Rv", "Rv R> R<"
    assert GAME.key(play(begin(CORRIDORS), short)) == GAME.key(play(begin(CORRIDORS), long))
    strict = begin(CORRIDORS, must_ricochet=True)
    assert GAME.key(play(strict, short)) != GAME.key(play(strict, long))


def test_events_name_the_robot_and_its_way():
    before = play(begin(CORRIDORS), "Rv R>")
    (up,) = parse_moves("R^")
    moved, arrived = GAME.events(before, up, GAME.step(before, up))
    assert (moved.kind, moved.cell, moved.to, moved.who) == ("moved", 10, 6, "R")
    assert (arrived.kind, arrived.cell, arrived.who) == ("arrived", 6, "R")


def count_positions(level, depth):
    """How many new positions appear at each depth, by the rules."""
    start = GAME.start(level, Options(), seed=0)
    seen, layer, counts = {GAME.key(start)}, [start], [1]
    for _ in range(depth):
        following = {}
        for state in layer:
            for action in GAME.slides(state):
                after = GAME.step(state, action)
                if GAME.key(after) not in seen:
                    following[GAME.key(after)] = after
        seen.update(following)
        layer = list(following.values())
        counts.append(len(layer))
    return counts


def test_the_number_of_positions_of_a_known_board_does_not_change():
    # The mission is in the closed centre: nobody ends the game.
    level = parse("1A-2B-3A-4B_R0.3-G3.12-B12.8-Y15.10_a7.7")
    counts = count_positions(level, 4)
    assert counts == [1, 13, 82, 347, 1138]
    assert counts == Twin(draw(level)).count_positions(4)
