"""The drawn form of a level: walls as lines, three characters a cell (robot, colour of a goal, its shape).

    mission: red circle
    +---+---+---+
    |R      |G  |
    +   +   +   +
    |     rc|   |
    +---+---+---+

Upper-case letters are robots (R G B Y, K for black). A goal is the lower-case letter of its robot, or `*` for any
robot, then the first letter of its shape (circle, triangle, square, hexagon, vortex) or a space. The `mission` line may
be left out when there is one goal; `mission: 1,1` names it by row and column. Lines that begin with `;` are remarks.
A deflector is the lower-case letter of the robot that passes it, then / or its mirror image.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, shown
from gridsage.games.ricochet.level.board import (
    ANY_ROBOT,
    EAST,
    LETTERS,
    MAX_SIDE,
    NORTH,
    SHAPES,
    SOUTH,
    WEST,
    Deflector,
    Goal,
    Level,
    closed_walls,
)

CELL_WIDTH = 4  # three characters and the wall to their left
ANY_SIGN = "*"
_ROBOT_SIGNS: dict[str, int | None] = {letter: robot for robot, letter in enumerate(LETTERS)} | {" ": None}
_DEFLECTOR_SIGNS = {letter.lower(): robot for robot, letter in enumerate(LETTERS)}
_COLOUR_SIGNS = {letter.lower(): robot for robot, letter in enumerate(LETTERS)} | {ANY_SIGN: ANY_ROBOT}
_SHAPE_SIGNS = {shape[0]: shape for shape in SHAPES} | {" ": ""}
_SLANTS = {"/": True, "\\": False}  # does it rise to the right
Sign = TypeVar("Sign")


def draw(level: Level) -> str:
    """The level as a drawing that `parse_drawing` reads back to an equal level."""
    lines = [f"mission: {_mission_words(level)}", _wall_line(level, 0, NORTH)]
    for row in range(level.rows):
        cells = range(row * level.cols, (row + 1) * level.cols)
        lines.append("|" + "".join(_cell(level, cell) + ("|" if level.walls[cell] & EAST else " ") for cell in cells))
        lines.append(_wall_line(level, row, SOUTH))
    return "\n".join(lines) + "\n"


def parse_drawing(text: str) -> Level:
    """The level drawn in `text`, or a LevelError that names line and column."""
    missions: list[tuple[int, str]] = []
    board: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith(";"):
            continue
        if line.startswith("mission:"):
            missions.append((number, line.removeprefix("mission:").strip()))
        elif line[0] in "+|":
            board.append((number, line.rstrip()))
        else:
            raise LevelError(
                f"line {number}, column 1: expected a board line (+ or |), 'mission:' or ';': {shown(line)}"
            )
    if len(missions) > 1:
        raise LevelError(f"line {missions[1][0]}: a second mission; a level has one")
    rows, cols = _size(board)
    walls = _walls(board, rows, cols)
    robots, goals = _contents(board, cols)
    deflectors = _deflectors(board, cols)
    mission = _mission(missions[0], goals, cols) if missions else _only_goal(goals)
    try:
        return Level(rows, cols, walls, robots, mission, goals, deflectors)
    except LevelError as error:
        raise LevelError(f"line {board[0][0]}: {error}") from None


def _cell(level: Level, cell: int) -> str:
    robot = LETTERS[level.robots.index(cell)] if cell in level.robots else " "
    for goal in level.goals:
        if goal.cell == cell:
            colour = ANY_SIGN if goal.robot == ANY_ROBOT else LETTERS[goal.robot].lower()
            return robot + colour + (goal.shape[:1] or " ")
    for deflector in level.deflectors:
        if deflector.cell == cell:
            return robot + LETTERS[deflector.robot].lower() + ("/" if deflector.rises else "\\")
    return robot + "  "


def _wall_line(level: Level, row: int, side: int) -> str:
    cells = range(row * level.cols, (row + 1) * level.cols)
    return "+" + "".join(("---" if level.walls[cell] & side else "   ") + "+" for cell in cells)


def _mission_words(level: Level) -> str:
    words = str(level.mission)
    if sum(str(goal) == words for goal in level.goals) == 1:
        return words
    return ",".join(map(str, divmod(level.mission.cell, level.cols)))


def _size(board: list[tuple[int, str]]) -> tuple[int, int]:
    if not board:
        raise LevelError("line 1: no board found; expected lines that begin with + and |")
    first, top = board[0]
    cols, rest = divmod(len(top) - 1, CELL_WIDTH)
    if rest or not 1 <= cols <= MAX_SIDE:
        raise LevelError(f"line {first}: a top wall like +---+---+ of 1 to {MAX_SIDE} cells expected: {shown(top)}")
    for index, (number, line) in enumerate(board):
        if line[0] != "+|"[index % 2]:
            raise LevelError(f"line {number}, column 1: expected {'+|'[index % 2]!r}, found {line[0]!r}: {shown(line)}")
        if len(line) != len(top):
            raise LevelError(
                f"line {number}, column {min(len(line), len(top)) + 1}: "
                f"{counted(len(line), 'character')}, expected {len(top)} as in line {first}: {shown(line)}"
            )
    rows, rest = divmod(len(board) - 1, 2)
    if rest or not 1 <= rows <= MAX_SIDE:
        raise LevelError(f"line {board[-1][0]}: {len(board)} board lines; expected 2 a row and a last wall line")
    return rows, cols


def _walls(board: list[tuple[int, str]], rows: int, cols: int) -> tuple[int, ...]:
    """The walls north and west of each cell as drawn; `closed_walls` knows the rest."""
    walls = [0] * (rows * cols)
    for row, (number, line) in enumerate(board[0::2]):
        for at in range(0, len(line), CELL_WIDTH):
            if line[at] != "+":
                raise LevelError(
                    f"line {number}, column {at + 1}: expected '+' at a corner, found {line[at]!r}: {shown(line)}"
                )
        for col in range(cols):
            is_wall = _wall_here(number, line, col * CELL_WIDTH + 1, ("   ", "---"), is_border=row in (0, rows))
            if is_wall and row < rows:
                walls[row * cols + col] |= NORTH
    for row, (number, line) in enumerate(board[1::2]):
        for col in range(cols + 1):
            is_wall = _wall_here(number, line, col * CELL_WIDTH, (" ", "|"), is_border=col in (0, cols))
            if is_wall and col < cols:
                walls[row * cols + col] |= WEST
    return closed_walls(rows, cols, walls)


def _wall_here(number: int, line: str, at: int, signs: tuple[str, str], is_border: bool) -> bool:
    found = line[at : at + len(signs[0])]
    if found not in signs:
        raise LevelError(f"line {number}, column {at + 1}: expected {signs[0]!r} or {signs[1]!r}, found {found!r}")
    if is_border and found == signs[0]:
        raise LevelError(f"line {number}, column {at + 1}: the border is open; expected {signs[1]!r}")
    return found == signs[1]


def _contents(board: list[tuple[int, str]], cols: int) -> tuple[tuple[int, ...], tuple[Goal, ...]]:
    robots: dict[int, int] = {}
    goals: list[Goal] = []
    for row, (number, line) in enumerate(board[1::2]):
        for col in range(cols):
            cell, at = row * cols + col, col * CELL_WIDTH + 1
            robot = _sign(number, line, at, "a robot", _ROBOT_SIGNS)
            if robot in robots:
                raise LevelError(f"line {number}, column {at + 1}: a second robot {line[at]}")
            if robot is not None:
                robots[robot] = cell
            if line[at + 1 : at + 3].strip() and line[at + 2] not in _SLANTS:
                colour = _sign(number, line, at + 1, "a goal's colour", _COLOUR_SIGNS)
                goals.append(Goal(cell, colour, _sign(number, line, at + 2, "a goal's shape", _SHAPE_SIGNS)))
    for robot in range(max(robots, default=0)):
        if robot not in robots:
            raise LevelError(f"line {board[0][0]}: robot {LETTERS[robot]} is missing; they come in the order {LETTERS}")
    return tuple(cell for _, cell in sorted(robots.items())), tuple(goals)


def _deflectors(board: list[tuple[int, str]], cols: int) -> tuple[Deflector, ...]:
    found = []
    for row, (number, line) in enumerate(board[1::2]):
        for col in range(cols):
            at = col * CELL_WIDTH + 2
            if line[at + 1] in _SLANTS:
                robot = _sign(number, line, at, "a deflector's colour", _DEFLECTOR_SIGNS)
                found.append(Deflector(row * cols + col, robot, _SLANTS[line[at + 1]]))
    return tuple(found)


def _sign(number: int, line: str, at: int, what: str, signs: Mapping[str, Sign]) -> Sign:
    if line[at] not in signs:
        known = " ".join(signs).rstrip() + (" or a space" if " " in signs else "")
        raise LevelError(
            f"line {number}, column {at + 1}: expected {what} ({known}), found {line[at]!r}: {shown(line)}"
        )
    return signs[line[at]]


def _only_goal(goals: tuple[Goal, ...]) -> Goal:
    if len(goals) != 1:
        raise LevelError(f"line 1: {len(goals)} goals on the board, expected one, or a 'mission:' line that names one")
    return goals[0]


def _mission(found: tuple[int, str], goals: tuple[Goal, ...], cols: int) -> Goal:
    number, words = found
    if place := re.fullmatch(r"(\d+)\s*,\s*(\d+)", words):
        cell = int(place[1]) * cols + int(place[2])
        fitting = [goal for goal in goals if goal.cell == cell]
    else:
        fitting = [goal for goal in goals if str(goal) == " ".join(words.split())]
    if len(fitting) == 1:
        return fitting[0]
    known = ", ".join(map(str, goals)) or "none"
    problem = f"{len(fitting)} goals are" if fitting else "no goal is"
    raise LevelError(
        f"line {number}, column 10: {problem} {shown(words)}; on the board: {known} (or name it by row,column)"
    )
