"""A moment of a mission: where the robots are and how they came there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from gridsage.core.options import note
from gridsage.games.ricochet.level import Level, Options

UNMOVED = -1  # heading of a robot that has not moved yet
TURNED = 4  # heading of a robot that has changed direction: it has ricocheted


@dataclass(frozen=True, slots=True)
class State:
    """Robots on their cells, the moves made, and what the `must_ricochet` rule has to remember."""

    level: Level
    options: Options
    robots: Annotated[tuple[int, ...], note("cells of the robots now, in the order of the level's")]
    headings: Annotated[tuple[int, ...], note("per robot: -1 has not moved, 0 to 3 only up/right/down/left, 4 turned")]
    moves: Annotated[int, note("made so far")] = 0
    gave_up: bool = False
