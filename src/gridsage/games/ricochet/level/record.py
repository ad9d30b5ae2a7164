"""A level as one JSON record, the way files of positions keep it.

    {"width": 16, "height": 16, "walls": "9113...", "robots": [167, 184, 42, 166], "target": 145, "target_robot": 2}

`walls` is one hex digit a cell, row by row (N=1 E=2 S=4 W=8); a cell is row * width + column; `target_robot` is -1 when
any robot may serve. `deflectors`, if there are any, are lists of a cell, a robot, and / or its mirror image. Other keys
(`id`, `optimal`, ...) are left alone; width and height are 16 when they are missing.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.complaints import in_words
from gridsage.core.errors import LevelError
from gridsage.games.ricochet.level.board import Deflector, Goal, Level, closed_walls

Slant = Literal["/", "\\"]


class Record(msgspec.Struct):
    """The keys of a record that make a level."""

    walls: str
    robots: list[int]
    target: int
    target_robot: int = -1
    width: int = 16
    height: int = 16
    deflectors: list[tuple[int, int, Slant]] | msgspec.UnsetType = msgspec.UNSET


def parse_record(text: str) -> Level:
    """The level in a JSON record, or a LevelError that says which key is wrong."""
    try:
        record = msgspec.json.decode(text, type=Record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise LevelError(f"not a position in JSON: {in_words(error)}") from None
    cells = record.width * record.height
    if (wrong := re.search("[^0-9a-fA-F]", record.walls)) is not None:
        raise LevelError(f"`walls` has {wrong[0]!r} as character {wrong.start() + 1}, expected hex digits only")
    if len(record.walls) != cells:
        raise LevelError(
            f"`walls` has {counted(len(record.walls), 'character')}, expected {cells} hex digits for "
            f"{counted(record.height, 'row')} of {record.width}"
        )
    if not -1 <= record.target_robot < len(record.robots):
        raise LevelError(
            f"`target_robot` is {record.target_robot}, expected -1 for any robot or 0 to {len(record.robots) - 1}"
        )
    walls = closed_walls(record.height, record.width, [int(digit, 16) for digit in record.walls])
    goal = Goal(record.target, record.target_robot)
    deflectors = tuple(Deflector(cell, robot, slant == "/") for cell, robot, slant in record.deflectors or ())
    return Level(record.height, record.width, walls, tuple(record.robots), goal, (), deflectors)


def to_record(level: Level) -> str:
    """The level as a JSON record; goals beside the mission are left out."""
    record = Record(
        walls="".join(f"{bits:x}" for bits in level.walls),
        robots=list(level.robots),
        target=level.mission.cell,
        target_robot=level.mission.robot,
        width=level.cols,
        height=level.rows,
        deflectors=[_deflector(each) for each in level.deflectors] or msgspec.UNSET,
    )
    return msgspec.json.encode(record).decode()


def _deflector(deflector: Deflector) -> tuple[int, int, Slant]:
    return deflector.cell, deflector.robot, "/" if deflector.rises else "\\"
