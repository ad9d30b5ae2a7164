"""A board with its robots and its mission, and the words for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError
from gridsage.core.options import note

ROBOTS = ("red", "green", "blue", "yellow", "black")
LETTERS = "RGBYK"  # K for black: B is blue
DIRECTIONS = ("up", "right", "down", "left")
ARROWS = "^>v<"
COMPASS = "NESW"  # a wall on side d of a cell is the bit 1 << d
SHAPES = ("circle", "triangle", "square", "hexagon", "vortex")
ANY_ROBOT = -1
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
CLOSED = NORTH | EAST | SOUTH | WEST
MAX_SIDE = 64
MAX_ROBOTS = len(ROBOTS)


class Options(msgspec.Struct, frozen=True):
    """Rule options of a mission."""

    must_ricochet: Annotated[bool, note("the serving robot must change direction before it arrives")] = False
    max_moves: Annotated[int, note("the mission is lost after so many", ge=1, le=10_000)] = 60


@dataclass(frozen=True, slots=True)
class Goal:
    """A symbol printed on a cell: the robot it belongs to (ANY_ROBOT for all) and its shape, "" for none."""

    cell: Annotated[int, note("row * columns + column")]
    robot: Annotated[int, note("0 red, 1 green, 2 blue, 3 yellow, 4 black; -1 any")]
    shape: str = ""

    def __str__(self) -> str:
        colour = "any robot" if self.robot == ANY_ROBOT else ROBOTS[self.robot]
        return f"{colour} {self.shape}".rstrip()


@dataclass(frozen=True, slots=True)
class Deflector:
    """A diagonal on a cell: robots of its colour pass, all others turn by a quarter and slide on."""

    cell: Annotated[int, note("row * columns + column")]
    robot: Annotated[int, note("the one that passes: 0 red, 1 green, 2 blue, 3 yellow, 4 black")]
    rises: Annotated[bool, note("drawn as /, from the lower left to the upper right; else as \\")]

    def __str__(self) -> str:
        return f"{ROBOTS[self.robot]} deflector"

    def turned(self, direction: int) -> int:
        """The direction of a robot of another colour after it came in this one."""
        return direction ^ (1 if self.rises else 3)


Ways = tuple[tuple[tuple[int, ...], ...], ...]  # for each direction and cell, the cells slid over, nearest first


@dataclass(frozen=True)
class Level:
    """A board, where its robots start, its mission, and the goals printed on it."""

    rows: int
    cols: int
    walls: Annotated[tuple[int, ...], note("per cell, row by row: N=1 E=2 S=4 W=8; both sides of a wall carry it")]
    robots: Annotated[tuple[int, ...], note("cells at the start, of red, green, blue, yellow, black")]
    mission: Goal
    # The mission's goal is added if it is missing.
    goals: Annotated[tuple[Goal, ...], note("all goals on the board, in reading order")] = ()
    deflectors: Annotated[tuple[Deflector, ...], note("diagonals of the 2003 edition, in reading order")] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "goals", tuple(sorted({*self.goals, self.mission}, key=lambda goal: goal.cell)))
        ordered = tuple(sorted(self.deflectors, key=lambda deflector: deflector.cell))
        object.__setattr__(self, "deflectors", ordered)
        _check_sizes(self)
        _check_cells(self)

    def ways_of(self, robot: int) -> Ways:
        """For each direction and cell, the cells this robot slides over, turned by deflectors, until a wall stops it.

        A robot that would slide round and round comes back to its own cell, the last of that way.
        """
        return self._bent_ways[robot] if self.deflectors else self.ways

    @cached_property
    def _bent_ways(self) -> tuple[Ways, ...]:
        return tuple(_bent_ways(self, robot) for robot in range(len(self.robots)))

    @cached_property
    def ways(self) -> Ways:
        """For each direction and cell, the cells a robot slides over until a wall stops it, nearest first."""
        steps = (-self.cols, 1, self.cols, -1)
        return tuple(
            tuple(_way(self.walls, cell, 1 << direction, steps[direction]) for cell in range(self.rows * self.cols))
            for direction in range(4)
        )


def closed_walls(rows: int, cols: int, walls: Sequence[int]) -> tuple[int, ...]:
    """The same walls with the border closed and every wall carried by the cells on both of its sides."""
    closed = [bits & CLOSED for bits in walls]
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            for direction, (drow, dcol) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
                beyond_row, beyond_col = row + drow, col + dcol
                if not (0 <= beyond_row < rows and 0 <= beyond_col < cols):
                    closed[cell] |= 1 << direction
                elif walls[cell] >> direction & 1:
                    closed[beyond_row * cols + beyond_col] |= 1 << (direction ^ 2)
    return tuple(closed)


def _way(walls: tuple[int, ...], cell: int, side: int, step: int) -> tuple[int, ...]:
    cells = []
    while not walls[cell] & side:
        cell += step
        cells.append(cell)
    return tuple(cells)


def _bent_ways(level: Level, robot: int) -> Ways:
    bends = {each.cell: each for each in level.deflectors if each.robot != robot}
    return tuple(
        tuple(_bent_way(level, bends, cell, direction) for cell in range(level.rows * level.cols))
        for direction in range(4)
    )


def _bent_way(level: Level, bends: dict[int, Deflector], cell: int, direction: int) -> tuple[int, ...]:
    steps = (-level.cols, 1, level.cols, -1)
    start, heading = cell, direction
    cells = []
    while not level.walls[cell] >> heading & 1:
        cell += steps[heading]
        cells.append(cell)
        if cell in bends:
            heading = bends[cell].turned(heading)
        if (cell, heading) == (start, direction):
            break
    return tuple(cells)


def _check_sizes(level: Level) -> None:
    if not (1 <= level.rows <= MAX_SIDE and 1 <= level.cols <= MAX_SIDE):
        raise LevelError(
            f"the board has {counted(level.rows, 'row')} and {counted(level.cols, 'column')}, "
            f"expected 1 to {MAX_SIDE} of each"
        )
    if not 1 <= len(level.robots) <= MAX_ROBOTS:
        raise LevelError(f"the board has {counted(len(level.robots), 'robot')}, expected 1 to {MAX_ROBOTS}")
    if len(level.walls) != level.rows * level.cols:
        raise LevelError(
            f"the walls of {counted(len(level.walls), 'cell')} are given, expected those of {level.rows * level.cols}"
        )
    assert level.walls == closed_walls(level.rows, level.cols, level.walls), "walls must agree from both sides"


def _check_cells(level: Level) -> None:
    cells = level.rows * level.cols
    for name, cell in zip(ROBOTS, level.robots, strict=False):
        if not 0 <= cell < cells:
            raise LevelError(f"the {name} robot stands on cell {cell}, expected 0 to {cells - 1}")
        if level.robots.count(cell) > 1:
            raise LevelError(f"two robots stand on cell {cell}, one of them {name}")
    for goal in level.goals:
        if not 0 <= goal.cell < cells:
            raise LevelError(f"the goal of {goal} is on cell {goal.cell}, expected 0 to {cells - 1}")
        if sum(goal.cell == other.cell for other in level.goals) > 1:
            raise LevelError(f"two goals are on cell {goal.cell}, one of them of {goal}")
    if level.mission.robot >= len(level.robots):
        raise LevelError(f"the mission is for {level.mission}, but that robot is not on the board")
    _check_deflectors(level)


def _check_deflectors(level: Level) -> None:
    taken = {goal.cell: f"the goal of {goal}" for goal in level.goals}
    taken |= {cell: f"the {name} robot" for name, cell in zip(ROBOTS, level.robots, strict=False)}
    for deflector in level.deflectors:
        cell = deflector.cell
        if not 0 <= cell < level.rows * level.cols:
            raise LevelError(f"the {deflector} is on cell {cell}, expected 0 to {level.rows * level.cols - 1}")
        if not 0 <= deflector.robot < MAX_ROBOTS:
            raise LevelError(
                f"the deflector on cell {cell} is of robot {deflector.robot}, expected 0 to {MAX_ROBOTS - 1}"
            )
        if cell in taken:
            raise LevelError(f"the {deflector} is on cell {cell}, where {taken[cell]} is")
        taken[cell] = f"the {deflector}"
