"""The game IDs of DriftingDroids, a public solver: 0765+41+2E21BD0F+1C.

Four hex digits name the quadrants NW, NE, SE, SW (number less one, plus 4 for side B, 8 for C, 12 for D); then come the
number of robots and the serving one (F for any), two digits for the cell of every robot, and two for the goal's.
"""

from __future__ import annotations

import re

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, shown
from gridsage.games.ricochet.level import printed
from gridsage.games.ricochet.level.board import ANY_ROBOT, MAX_ROBOTS, Level

EXAMPLE = "0765+41+2E21BD0F+1C"
ANY_DIGIT = 15
_PATTERN = re.compile(r"([0-9a-f]{4})\+([0-9a-f])([0-9a-f])\+((?:[0-9a-f]{2})+)\+([0-9a-f]{2})", re.IGNORECASE)


def is_game_id(text: str) -> bool:
    """Return True if the text looks like a game ID, though it may be none."""
    return re.match(r"[0-9a-fA-F]{4}\+", text) is not None


def parse_game_id(text: str) -> Level:
    """Return the level with this game ID, or raise a LevelError that says what is wrong."""
    found = _PATTERN.fullmatch(text)
    if found is None:
        raise LevelError(f"{shown(text)} is no game ID of DriftingDroids; expected like {EXAMPLE}")
    count, serving = int(found[2], 16), int(found[3], 16)
    robots = tuple(bytes.fromhex(found[4]))
    if not count == len(robots) <= MAX_ROBOTS:
        raise LevelError(
            f"{shown(text)} has {counted(len(robots), 'robot')} and says {count}, expected 1 to {MAX_ROBOTS}"
        )
    board = printed.board("-".join(_quadrant(digit) for digit in found[1]))
    cell, robot = int(found[5], 16), ANY_ROBOT if serving == ANY_DIGIT else serving
    fitting = [goal for goal in board.goals if (goal.cell, goal.robot) == (cell, robot)]
    if not fitting:
        row, col = divmod(cell, printed.SIDE)
        raise LevelError(f"{shown(text)}: no goal of robot {found[3]} is printed in row {row}, column {col}")
    return Level(printed.SIDE, printed.SIDE, board.walls, robots, fitting[0], board.goals)


def to_game_id(level: Level) -> str:
    """Return the game ID of a level on a printed board; other boards have none."""
    arrangement = printed.arrangement_of(level)
    if arrangement is None or level.deflectors or level.mission not in printed.board(arrangement).goals:
        raise LevelError("only missions of the printed boards have a game ID of DriftingDroids")
    quadrants = "".join(f"{int(name[0]) - 1 + 4 * printed.SIDES.index(name[1]):X}" for name in arrangement.split("-"))
    serving = ANY_DIGIT if level.mission.robot == ANY_ROBOT else level.mission.robot
    robots = bytes(level.robots).hex().upper()
    return f"{quadrants}+{len(level.robots):X}{serving:X}+{robots}+{level.mission.cell:02X}"


def _quadrant(digit: str) -> str:
    side, number = divmod(int(digit, 16), len(printed.NUMBERS))
    return f"{number + 1}{printed.SIDES[side]}"
