"""Drawn boards and small words for the tests of the room."""

from __future__ import annotations

from gridsage.games.ricochet.level import Options, draw, parse
from gridsage.games.ricochet.notation import parse_moves
from gridsage.games.ricochet.rules import Ricochet
from gridsage.games.ricochet.state import State

GAME = Ricochet()

CORRIDORS = """
mission: red circle
+---+---+---+---+
|R  |        G  |
+   +   +---+   +
|         rc    |
+   +   +   +   +
|            B  |
+---+---+---+---+
"""


def begin(drawing: str, **options) -> State:
    return GAME.start(parse(drawing), Options(**options), seed=0)


def play(state: State, moves: str) -> State:
    for action in parse_moves(moves):
        state = GAME.step(state, action)
    return state


def drawn(state: State) -> str:
    """The position as the board would be drawn now, without the mission's line."""
    level = state.level
    now = type(level)(level.rows, level.cols, level.walls, state.robots, level.mission, level.goals)
    return "\n" + draw(now).split("\n", 1)[1]
