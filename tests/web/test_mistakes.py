"""A person's moves beside the master's."""

from __future__ import annotations

from gridsage.games import catalog
from gridsage.web.games.mistakes import LOST, Mistake, Review

STRAIGHT_DOWN = """
mission: red circle
+---+---+---+
|R          |
+   +   +   +
|           |
+   +   +   +
| rc        |
+---+---+---+
"""
DIAMOND = "name: x\ndiamonds: 1\ntime: 60\n########\n#@.d..X#\n#......#\n########\n"
EDGE = "turn: first\nply: 0\nfirst: -\nsecond: -\n" + "\n".join(["........"] * 4 + ["xo......"] + ["........"] * 3)


def reviewed(game: str, level: str, labels: list[str], seat: int = 0) -> list[Mistake]:
    room = catalog.ready_room(game)
    rules = room.rules.game()
    states = [rules.start(rules.parse(level), catalog.options(room, {}), 1)]
    actions = [rules.action(label) for label in labels]
    for action in actions:
        states.append(rules.step(states[-1], action))
    review = Review(room, lambda seat: catalog.agent(room, catalog.parse_agent("master")), seconds=60.0)
    return list(review.mistakes(states, actions, seat))


def test_a_shortest_solution_has_no_mistake() -> None:
    assert reviewed("ricochet", STRAIGHT_DOWN, ["red down"]) == []


def test_a_detour_is_a_mistake_with_the_moves_it_cost() -> None:
    found = reviewed("ricochet", STRAIGHT_DOWN, ["red right", "red left", "red down"])
    assert [(mistake.t, mistake.played, mistake.better, mistake.loss) for mistake in found] == [
        (0, "red right", "red down", 2.0)
    ]
    assert found[0].line == ("red down",)


def test_a_step_back_in_the_mine_costs_two_ticks() -> None:
    found = reviewed("delirium", DIAMOND, ["right", "left", "right", "right", "right", "right"])
    assert [(mistake.t, mistake.played, mistake.loss) for mistake in found] == [(1, "left", 2.0)]


def test_giving_up_a_mission_that_can_be_solved_throws_the_game_away() -> None:
    (mistake,) = reviewed("ricochet", STRAIGHT_DOWN, ["give up"])
    assert mistake.loss >= LOST - 60 and mistake.better == "red down"


def test_in_a_game_for_two_stepping_off_the_board_throws_the_game_away() -> None:
    (mistake,) = reviewed("pushem", EDGE, ["L"])
    assert mistake.played == "L" and mistake.better != "L" and mistake.loss >= LOST / 2
    assert reviewed("pushem", EDGE, [mistake.better]) == []
