"""Ricochet Robots: slide robots over a board until the right one stops on the target."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from gridsage.core.room import AgentEntry, NamedLevel, Room, shipped
from gridsage.games.ricochet import level, view
from gridsage.games.ricochet.rules import Ricochet

LEVELS = Path(__file__).parent / "levels"


@cache
def _levels() -> dict[str, Path]:
    return dict(shipped(LEVELS))


def _agents() -> Mapping[str, AgentEntry]:
    from gridsage.games.ricochet.agents import agents

    return agents()


def _level_of_seed(seed: int) -> NamedLevel:
    from gridsage.games.ricochet.generator import random_position

    return NamedLevel(f"seed-{seed}", level.draw(random_position(seed)))


def _keys() -> dict[str, str]:
    """Two characters a move, robot and direction: `r^`, `ru` and `rN` all mean `red up`."""
    keys = {"!": "give up"}
    for letter, robot in zip(level.LETTERS.lower(), level.ROBOTS, strict=True):
        for arrow, side, direction in zip(level.ARROWS, level.COMPASS, level.DIRECTIONS, strict=True):
            for sign in (arrow, side, direction[0]):
                keys[letter + sign] = f"{robot} {direction}"
    return keys


ROOM = Room(
    name="ricochet",
    title="Ricochet Robots",
    summary="Slide robots until the right one stops on the target, in as few moves as possible.",
    game=Ricochet,
    options=level.Options,
    agents=_agents,
    default_agent="astar",
    frame=view.frame,
    glyphs=view.GLYPHS,
    keys=_keys(),
    level_names=lambda: tuple(_levels()),
    level=lambda name: _levels()[name].read_text(encoding="utf-8"),
    level_of_seed=_level_of_seed,
)
