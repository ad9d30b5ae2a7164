"""A moment of a mission: where the robots are and how they came there."""

from __future__ import annotations

from dataclasses import dataclass

from gridsage.games.ricochet.level import Level, Options

UNMOVED = -1  # heading of a robot that has not moved yet
TURNED = 4  # heading of a robot that has changed direction: it has ricocheted


@dataclass(frozen=True, slots=True)
class State:
    """Robots on their cells, the moves made, and what the `must_ricochet` rule has to remember."""

    level: Level
    options: Options
    robots: tuple[int, ...]  # cells
    headings: tuple[int, ...]  # per robot: UNMOVED, the one direction it has moved in, or TURNED
    moves: int = 0
    gave_up: bool = False
