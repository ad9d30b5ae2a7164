"""What the runner's player sees, as data that JSON can hold."""

from __future__ import annotations

from typing import Annotated

import msgspec

from gridsage.core.room import Wire
from gridsage.games.loderunner.level import LETTERS, MEANING, Level, Options
from gridsage.games.loderunner.state import Enemy, Hole, Observation


class Start(msgspec.Struct, frozen=True):
    """Where everything stood before the first round."""

    runner: int
    enemies: tuple[int, ...]
    bonuses: tuple[int, ...]


class Seen(msgspec.Struct, frozen=True):
    """One position of Lode Runner. A cell is a number: row * columns + column, from 0."""

    map: Annotated[tuple[str, ...], msgspec.Meta(description=f"a line per row: {MEANING}; people and bonuses apart")]
    exit: Annotated[int, msgspec.Meta(description="the cell of the exit that counts")]
    start: Start
    options: Options
    runner: int
    enemies: Annotated[tuple[Enemy, ...], msgspec.Meta(description="(cell, action shown for it) in moving order")]
    bonuses: Annotated[tuple[int, ...], msgspec.Meta(description="cells of those left")]
    holes: Annotated[tuple[Hole, ...], msgspec.Meta(description="(cell, rounds it stays open), newest first")]
    round: Annotated[int, msgspec.Meta(description="rounds played; enemies move in rounds 1, 3, 5, ...")]


def to_wire(seen: Observation) -> Seen:
    """Return the observation as data."""
    level = seen.level
    letters = "".join(LETTERS[code] for code in level.cells)
    return Seen(
        map=tuple(letters[at : at + level.cols] for at in range(0, len(letters), level.cols)),
        exit=level.exit,
        start=Start(level.runner, level.enemies, level.bonuses),
        options=seen.options,
        runner=seen.runner,
        enemies=seen.enemies,
        bonuses=seen.bonuses,
        holes=seen.holes,
        round=seen.round,
    )


def from_wire(seen: Seen) -> Observation:
    """Return the observation of the data."""
    level = Level(
        rows=len(seen.map),
        cols=len(seen.map[0]),
        cells=bytes(LETTERS.index(letter) for line in seen.map for letter in line),
        runner=seen.start.runner,
        enemies=seen.start.enemies,
        bonuses=seen.start.bonuses,
        exit=seen.exit,
    )
    return Observation(level, seen.options, seen.runner, seen.enemies, seen.bonuses, seen.holes, seen.round)


WIRE = Wire(Seen, to_wire, from_wire)
