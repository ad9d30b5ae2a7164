"""Levels by chance: robots and a mission on a printed board, or on a board of random walls."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from gridsage.core.amounts import counted
from gridsage.core.errors import OptionError
from gridsage.core.rng import generator
from gridsage.games.ricochet.level import printed
from gridsage.games.ricochet.level.board import (
    ANY_ROBOT,
    CLOSED,
    EAST,
    NORTH,
    SHAPES,
    SOUTH,
    WEST,
    Deflector,
    Goal,
    Level,
    closed_walls,
)

FIRST_EDITION = "AB"  # sides of the 1999 quadrants, played with four robots
CELLS_A_CORNER = 15  # the printed boards have 17 corners on 256 cells
CELLS_A_STUB = 8  # and two walls that stand out from each side
CENTRE_FROM = 10  # smaller boards have no closed centre
EVEN_CHANCE = 0.5  # of a deflector that rises
NARROW = 4  # rows or columns below which there is no room for corners


def random_position(seed: int) -> Level:
    """A mission of a printed board of the first edition: arrangement, robots and goal by chance."""
    return printed_level(generator(seed, "ricochet"))


def random_positions(count: int, seed: int) -> Iterator[Level]:
    """`count` missions of printed boards, drawn one after the other from one seed."""
    rng = generator(seed, "ricochet positions")
    for _ in range(count):
        yield printed_level(rng)


def printed_level(rng: random.Random, robots: int = 4, sides: str = FIRST_EDITION) -> Level:
    """Robots and a mission on an arrangement of quadrants with these sides."""
    numbers = rng.sample(printed.NUMBERS, len(printed.NUMBERS))
    return level_on("-".join(number + rng.choice(sides) for number in numbers), rng, robots)


def level_on(arrangement: str, rng: random.Random, robots: int = 4) -> Level:
    """Robots and a mission on one printed board."""
    board = printed.board(arrangement)
    return _with_robots(printed.SIDE, printed.SIDE, board.walls, board.goals, rng, robots)


def walled_level(rng: random.Random, rows: int, cols: int, robots: int = 4) -> Level:
    """Robots and a mission on a board whose walls are put like the printed ones: corners, and stubs at the rim.

    Boards of fewer than four rows or columns have no room for corners: walls and goals stand anywhere.
    """
    if rows * cols <= robots:
        raise OptionError(f"a board of {rows} x {cols} cells has no room for {counted(robots, 'robot')} and a goal")
    if min(rows, cols) < NARROW:
        return _narrow_level(rng, rows, cols, robots)
    walls = [0] * (rows * cols)
    centre = _centre(rows, cols)
    for cell in centre:
        walls[cell] = CLOSED
    _put_stubs(walls, rows, cols, rng)
    corners = _put_corners(walls, rows, cols, centre, rng)
    symbols = [(robot, shape) for robot in range(robots) for shape in SHAPES[:-1]]
    rng.shuffle(symbols)
    symbols = [(ANY_ROBOT, SHAPES[-1]), *symbols]
    goals = tuple(Goal(cell, *symbol) for cell, symbol in zip(corners, symbols, strict=False))
    return _with_robots(rows, cols, closed_walls(rows, cols, walls), goals, rng, robots)


def _narrow_level(rng: random.Random, rows: int, cols: int, robots: int) -> Level:
    """A board with single walls and goals on any cells."""
    cells = rows * cols
    walls = [0] * cells
    for cell in rng.sample(range(cells), cells // CELLS_A_STUB):
        walls[cell] |= rng.choice((EAST, SOUTH))
    symbols = [(robot, shape) for robot in range(robots) for shape in SHAPES[:-1]]
    places = rng.sample(range(cells), max(1, min(len(symbols), cells // CELLS_A_STUB)))
    goals = tuple(Goal(cell, *symbol) for cell, symbol in zip(places, symbols, strict=False))
    return _with_robots(rows, cols, closed_walls(rows, cols, walls), goals, rng, robots)


def _with_robots(
    rows: int, cols: int, walls: tuple[int, ...], goals: tuple[Goal, ...], rng: random.Random, robots: int
) -> Level:
    mission = rng.choice([goal for goal in goals if goal.robot < robots])
    free = [cell for cell, sides in enumerate(walls) if sides != CLOSED and cell != mission.cell]
    return Level(rows, cols, walls, tuple(rng.sample(free, robots)), mission, goals)


def with_deflectors(level: Level, rng: random.Random, count: int) -> Level:
    """The level with so many deflectors on cells that hold nothing, each of the colour of a robot on the board."""
    taken = {*level.robots, *(goal.cell for goal in level.goals)}
    free = [cell for cell, sides in enumerate(level.walls) if sides != CLOSED and cell not in taken]
    if len(free) < count:
        raise OptionError(
            f"a board with {counted(len(free), 'empty cell')} has no room for {counted(count, 'deflector')}"
        )
    cells = rng.sample(free, count)
    made = tuple(Deflector(cell, rng.randrange(len(level.robots)), rng.random() < EVEN_CHANCE) for cell in cells)
    return replace(level, deflectors=made)


def _centre(rows: int, cols: int) -> list[int]:
    if min(rows, cols) < CENTRE_FROM or rows % 2 or cols % 2:
        return []
    return [row * cols + col for row in (rows // 2 - 1, rows // 2) for col in (cols // 2 - 1, cols // 2)]


def _put_stubs(walls: list[int], rows: int, cols: int, rng: random.Random) -> None:
    for row in (0, rows - 1):
        for col in rng.sample(range(1, cols - 2), max(1, cols // CELLS_A_STUB)):
            walls[row * cols + col] |= EAST
    for col in (0, cols - 1):
        for row in rng.sample(range(1, rows - 2), max(1, rows // CELLS_A_STUB)):
            walls[row * cols + col] |= SOUTH


def _put_corners(walls: list[int], rows: int, cols: int, centre: list[int], rng: random.Random) -> list[int]:
    """Put two walls at right angles on cells that keep clear of each other, the rim and the centre; these cells."""
    places = [(row, col) for row in range(1, rows - 1) for col in range(1, cols - 1)]
    rng.shuffle(places)
    taken = [divmod(cell, cols) for cell in centre]
    corners: list[int] = []
    for row, col in places:
        if len(corners) == max(1, rows * cols // CELLS_A_CORNER):
            break
        if any(abs(row - other_row) <= 1 and abs(col - other_col) <= 1 for other_row, other_col in taken):
            continue
        walls[row * cols + col] |= rng.choice((NORTH, SOUTH)) | rng.choice((EAST, WEST))
        taken.append((row, col))
        corners.append(row * cols + col)
    return corners
