"""The printed boards of the 1999 (sides A, B) and later editions (C, D), in any arrangement of four quadrants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from gridsage.core.errors import LevelError, shown
from gridsage.games.ricochet.level.board import ANY_ROBOT, CLOSED, COMPASS, LETTERS, SHAPES, Goal, Level, closed_walls

SIDE = 16
SIDES = "ABCD"
NUMBERS = "1234"
CENTRE = (119, 120, 135, 136)  # the closed cells in the middle

# Each quadrant as the north-west one: walls as column,row and sides; goals as column,row=colour and shape. The closed
# centre cell 7,7 belongs to all of them.
QUADRANTS = {
    "1A": "1,0E 4,1NW 1,2NE 6,3SE 0,5S 3,6SW; 4,1=rc 1,2=gt 6,3=yh 3,6=bs",
    "2A": "3,0E 5,1SE 1,2SW 0,3S 6,4NW 2,6NE; 5,1=gh 1,2=rs 6,4=yc 2,6=bt",
    "3A": "3,0E 5,2SE 0,4S 2,4NE 7,5SW 1,6NW; 5,2=bh 2,4=gc 7,5=rt 1,6=ys",
    "4A": "3,0E 6,1SW 1,3NE 5,4NW 2,5SE 7,5SE 0,6S; 6,1=bc 1,3=yt 5,4=gs 2,5=rh 7,5=av",
    "1B": "4,0E 6,1SE 1,2NW 0,5S 6,5NE 3,6SW; 6,1=yh 1,2=gt 6,5=bs 3,6=rc",
    "2B": "4,0E 2,1NW 6,3SW 0,4S 4,5NE 1,6SE; 2,1=yc 6,3=bt 4,5=rs 1,6=gh",
    "3B": "3,0E 1,1SW 6,2NE 2,4SE 0,5S 7,5NW; 1,1=rt 6,2=gc 2,4=bh 7,5=ys",
    "4B": "4,0E 2,1SE 1,3SW 0,4S 6,4NW 5,6NE 3,7SE; 2,1=rh 1,3=gs 6,4=yt 5,6=bc 3,7=av",
    "1C": "1,0E 3,1NW 6,3SE 1,4SW 0,6S 4,6NE; 3,1=gt 6,3=yh 1,4=rc 4,6=bs",
    "2C": "5,0E 3,2NW 0,3S 5,3SW 2,4NE 4,5SE; 3,2=yc 5,3=bt 2,4=rs 4,5=gh",
    "3C": "1,0E 4,1NE 1,3SW 0,5S 5,5NW 3,6SE; 4,1=gc 1,3=rt 5,5=ys 3,6=bh",
    "4C": "2,0E 5,1SW 7,2SE 0,3S 3,4SE 6,5NW 1,6NE; 5,1=bc 7,2=av 3,4=rh 6,5=gs 1,6=yt",
    "1D": "5,0E 1,3NW 6,4SE 0,5S 2,6NE 3,6SW; 1,3=rc 6,4=yh 2,6=gt 3,6=bs",
    "2D": "2,0E 5,2SE 6,2NW 1,5SW 0,6S 4,7NE; 5,2=gh 6,2=yc 1,5=rs 4,7=bt",
    "3D": "4,0E 0,2S 6,2SE 2,4NE 3,4SW 5,6NW; 6,2=bh 2,4=gc 3,4=rt 5,6=ys",
    "4D": "4,0E 6,2NW 2,3NE 3,3SW 1,5SE 0,6S 5,7SE; 6,2=yt 2,3=bc 3,3=gs 1,5=rh 5,7=av",
}


@dataclass(frozen=True, slots=True)
class Board:
    """A printed board: walls and goals, without robots."""

    walls: tuple[int, ...]
    goals: tuple[Goal, ...]


@lru_cache(maxsize=256)
def board(arrangement: str) -> Board:
    """The board of an arrangement like `1B-2B-3A-4A`: the quadrants NW, NE, SE, SW."""
    names = arrangement.split("-")
    if len(names) != 4 or any(name not in QUADRANTS for name in names):
        raise LevelError(f"expected four quadrants (NW, NE, SE, SW) like 1A-2B-3C-4D, found {shown(arrangement)}")
    if sorted(name[0] for name in names) != list(NUMBERS):
        raise LevelError(f"each of the quadrants 1, 2, 3 and 4 is used once, found {shown(arrangement)}")
    walls = [0] * (SIDE * SIDE)
    goals: list[Goal] = []
    for cell in CENTRE:
        walls[cell] = CLOSED
    for turns, name in enumerate(names):
        quadrant_walls, quadrant_goals = _quadrant(name, turns)
        for cell, bits in quadrant_walls.items():
            walls[cell] |= bits
        goals += quadrant_goals
    return Board(closed_walls(SIDE, SIDE, walls), tuple(sorted(goals, key=lambda goal: goal.cell)))


def arrangement_of(level: Level) -> str | None:
    """The name of the printed board `level` is played on, if its walls and its goals are those of one."""
    if (level.rows, level.cols) != (SIDE, SIDE):
        return None
    fitting = [[name for name in QUADRANTS if _is_there(level, name, turns)] for turns in range(4)]
    for names in product(*fitting):
        if len({name[0] for name in names}) < len(names):
            continue
        found = board("-".join(names))
        if found.walls == level.walls and {*level.goals} == {*found.goals, level.mission}:
            return "-".join(names)
    return None


@lru_cache(maxsize=4 * len(QUADRANTS))
def _quadrant(name: str, turns: int) -> tuple[dict[int, int], tuple[Goal, ...]]:
    """Walls by cell and goals of a quadrant after that many quarter turns."""
    walls_text, goals_text = QUADRANTS[name].split("; ")
    walls: dict[int, int] = {}
    for col, row, sides in re.findall(r"(\d),(\d)(\w+)", walls_text):
        bits = sum(1 << (COMPASS.index(side) + turns) % 4 for side in sides)
        walls[_turned_cell(int(row), int(col), turns)] = bits
    shapes = {shape[0]: shape for shape in SHAPES}
    goals = tuple(
        Goal(
            _turned_cell(int(row), int(col), turns),
            LETTERS.find(colour.upper()) if colour != "a" else ANY_ROBOT,
            shapes[shape],
        )
        for col, row, colour, shape in re.findall(r"(\d),(\d)=(\w)(\w)", goals_text)
    )
    return walls, goals


def _turned_cell(row: int, col: int, turns: int) -> int:
    for _ in range(turns):
        row, col = col, SIDE - 1 - row
    return row * SIDE + col


def _is_there(level: Level, name: str, turns: int) -> bool:
    walls, goals = _quadrant(name, turns)
    return set(goals) <= set(level.goals) and all(level.walls[cell] & bits == bits for cell, bits in walls.items())
