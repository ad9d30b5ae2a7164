"""The state of a Lode Runner game, and what its player may see of it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from gridsage.games.loderunner.level import Level, Options

NONE, UP, DOWN, LEFT, RIGHT, BOMB_LEFT, BOMB_RIGHT = range(7)
LABELS = ("none", "up", "down", "left", "right", "bomb-left", "bomb-right")
NO_ACTION_YET = -1  # an enemy's last action before the first round

# How a game stands: the codes the kernels use, and the words people read.
ALIVE, WON, ILLEGAL_ACTION, FELL_IN_HOLE, RAN_INTO_ENEMY, CLIMBED_INTO_ENEMY = range(6)
CAUGHT, CAUGHT_ON_LADDER, CAUGHT_AFTER_FALL, CAUGHT_PASSING, OUT_OF_TURNS = range(6, 11)
REASONS = (
    "",
    "won",
    "illegal action",
    "fell into a hole",
    "ran into an enemy",
    "climbed into an enemy",
    "caught",
    "caught on a ladder",
    "fell beside an enemy",
    "caught by a falling enemy",
    "out of turns",
)


class Enemy(NamedTuple):
    """An enemy's cell and the action the engine shows for it."""

    cell: int
    action: int


class Hole(NamedTuple):
    """An open hole and the rounds it stays open after this one."""

    cell: int
    delay: int


class Observation(msgspec.Struct, frozen=True):
    """Everything but the next random number: what the player, a stateless agent too, may see."""

    level: Level
    options: Options
    runner: int
    enemies: tuple[Enemy, ...]
    bonuses: tuple[int, ...]  # those left, reading order
    holes: tuple[Hole, ...]  # newest first; a cell bombed twice is there twice
    round: int  # rounds played; enemies move in rounds 1, 3, 5, ...


class State(msgspec.Struct, frozen=True):
    """A position with the randomness of its future."""

    seen: Observation
    status: int
    chance: int  # state of the generator that places whoever is respawned; 32 bits, never 0
