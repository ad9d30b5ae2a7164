"""The one-line form of a level, made of characters that need no escape in a link: board_robots_goals.

    1B-2B-3A-4A_R10.7-G11.8-B2.10-Y10.6_b9.1s
    2x3.953c56_R0.0_r1.2c

The board is a printed arrangement, or rows, columns and one hex digit of walls a cell. Places are row.column. The
first goal is the mission: colour letter (a for any robot), place, first letter of its shape. A printed board's goals
are known, so only the mission is written. Deflectors, if there are any, follow as a fourth part: colour letter, place,
and u for one that goes up to the right or d for one that goes down.
"""

from __future__ import annotations

import re

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, shown
from gridsage.games.ricochet.level import printed
from gridsage.games.ricochet.level.board import ANY_ROBOT, LETTERS, SHAPES, Deflector, Goal, Level, closed_walls

ANY_LETTER = "a"
EXAMPLE = "1A-2A-3A-4A_R0.0-G0.15-B15.0-Y15.15_r1.4c"
_GOAL_LETTERS = LETTERS.lower() + ANY_LETTER
_SHAPE_LETTERS = {shape[0]: shape for shape in SHAPES} | {"": ""}


def to_line(level: Level) -> str:
    """The level in one line."""
    arrangement = printed.arrangement_of(level)
    hexes = "".join(f"{bits:x}" for bits in level.walls)
    board = arrangement or f"{level.rows}x{level.cols}.{hexes}"
    robots = "-".join(LETTERS[robot] + _place(cell, level.cols) for robot, cell in enumerate(level.robots))
    others = () if arrangement else tuple(goal for goal in level.goals if goal != level.mission)
    goals = "-".join(_goal(goal, level.cols) for goal in (level.mission, *others))
    deflectors = "-".join(_deflector(each, level.cols) for each in level.deflectors)
    return "_".join([board, robots, goals, *([deflectors] if deflectors else [])])


def parse_line(text: str) -> Level:
    """The level in one line, or a LevelError that names the column."""
    parts = text.split("_")
    if len(parts) not in (3, 4):
        raise LevelError(
            f"a one-line position has 3 parts, or 4 with deflectors, found {len(parts)}: {shown(text)}; "
            f"expected like {EXAMPLE}"
        )
    robots_at = len(parts[0]) + 2
    rows, cols, walls, goals = _parse_board(parts[0])
    robots = _parse_robots(parts[1], cols, robots_at)
    wanted = _parse_goals(parts[2], cols, robots_at + len(parts[1]) + 1)
    deflectors = _parse_deflectors(parts[3], cols, len(text) - len(parts[3]) + 1) if len(parts) == 4 else ()
    try:
        fitting = [goal for goal in goals if _same(wanted[0], goal)]
        return Level(rows, cols, walls, robots, fitting[0] if fitting else wanted[0], goals or wanted, deflectors)
    except LevelError as error:
        raise LevelError(f"{error}: {shown(text)}") from None


def _place(cell: int, cols: int) -> str:
    return ".".join(map(str, divmod(cell, cols)))


def _goal(goal: Goal, cols: int) -> str:
    letter = ANY_LETTER if goal.robot == ANY_ROBOT else LETTERS[goal.robot].lower()
    return letter + _place(goal.cell, cols) + goal.shape[:1]


def _deflector(deflector: Deflector, cols: int) -> str:
    return LETTERS[deflector.robot].lower() + _place(deflector.cell, cols) + ("u" if deflector.rises else "d")


def _same(wanted: Goal, goal: Goal) -> bool:
    """Return True if `wanted` means the printed `goal`; its shape may be left out."""
    return (wanted.cell, wanted.robot) == (goal.cell, goal.robot) and wanted.shape in ("", goal.shape)


def _parse_board(text: str) -> tuple[int, int, tuple[int, ...], tuple[Goal, ...]]:
    if drawn := re.fullmatch(r"(\d{1,2})x(\d{1,2})\.([0-9a-fA-F]*)", text):
        rows, cols = int(drawn[1]), int(drawn[2])
        if len(drawn[3]) != rows * cols:
            raise LevelError(
                f"column {len(text) + 1}: {len(drawn[3])} hex digits of walls, expected {rows * cols} for {rows}x{cols}"
            )
        return rows, cols, closed_walls(rows, cols, [int(digit, 16) for digit in drawn[3]]), ()
    try:
        board = printed.board(text)
    except LevelError as error:
        raise LevelError(f"column 1: {error}; or a board like 2x2.93c6") from None
    return printed.SIDE, printed.SIDE, board.walls, board.goals


def _parse_robots(text: str, cols: int, column: int) -> tuple[int, ...]:
    robots = []
    for index, word in enumerate(text.split("-")):
        found = re.fullmatch(r"([A-Z])(\d{1,2})\.(\d{1,2})", word)
        expected = LETTERS[index] if index < len(LETTERS) else None
        if found is None or found[1] != expected:
            wanted = (
                f"{expected} with its row.column, like {expected}3.14" if expected else f"{len(LETTERS)} robots at most"
            )
            raise LevelError(f"column {column}: expected {wanted}, found {shown(word)}")
        robots.append(_cell(found[2], found[3], cols, column))
        column += len(word) + 1
    return tuple(robots)


def _parse_goals(text: str, cols: int, column: int) -> tuple[Goal, ...]:
    goals = []
    for word in text.split("-"):
        found = re.fullmatch(rf"([{_GOAL_LETTERS}])(\d{{1,2}})\.(\d{{1,2}})([{''.join(_SHAPE_LETTERS)}]?)", word)
        if found is None:
            raise LevelError(
                f"column {column}: expected a goal like r3.14c (robot {' '.join(_GOAL_LETTERS)}, row.column, "
                f"shape {' '.join(_SHAPE_LETTERS).rstrip()}), found {shown(word)}"
            )
        robot = ANY_ROBOT if found[1] == ANY_LETTER else LETTERS.index(found[1].upper())
        goals.append(Goal(_cell(found[2], found[3], cols, column), robot, _SHAPE_LETTERS[found[4]]))
        column += len(word) + 1
    return tuple(goals)


def _parse_deflectors(text: str, cols: int, column: int) -> tuple[Deflector, ...]:
    found = []
    for word in text.split("-"):
        parts = re.fullmatch(rf"([{LETTERS.lower()}])(\d{{1,2}})\.(\d{{1,2}})([ud])", word)
        if parts is None:
            raise LevelError(
                f"column {column}: expected a deflector like r3.14u (robot {' '.join(LETTERS.lower())}, row.column, "
                f"u for up to the right or d for down), found {shown(word)}"
            )
        robot = LETTERS.index(parts[1].upper())
        found.append(Deflector(_cell(parts[2], parts[3], cols, column), robot, parts[4] == "u"))
        column += len(word) + 1
    return tuple(found)


def _cell(row: str, col: str, cols: int, column: int) -> int:
    if int(col) >= cols:
        raise LevelError(f"column {column}: place {row}.{col} is outside the board of {counted(cols, 'column')}")
    return int(row) * cols + int(col)
