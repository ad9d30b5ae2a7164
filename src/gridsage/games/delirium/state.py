"""The position of a game in the mine, and what a miner is shown of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridsage.games.delirium.level.cells import KIND_NAMES, MONSTERS, Level, Options

# What each action is called, by its number.
LABELS = ("stay", "right", "up", "left", "down", "dig right", "dig up", "dig left", "dig down", "widen view")

# State.facts: counters, then the monsters, then what only kernels/tick.py reads
TICKS, MINER_AT, DIAMONDS, TIME, STATUS, KILLS, PUSHES, FIRST_MONSTER = range(8)
MONSTER_COUNT = 3  # in State.rules
# A monster is cell * 8 + heading (up, right, down, left); dead ones are -1. Heading 4: it has not moved yet.
NOT_MOVED = 4

# STATUS; a monster's kind stands for death beside it
PLAYING, WON, BY_STONE, BY_DIAMOND, BY_EXPLOSION, BY_TIME = range(6)
CAUSES = {
    WON: "won",
    BY_STONE: "crushed by a stone",
    BY_DIAMOND: "crushed by a diamond",
    BY_EXPLOSION: "died in an explosion",
    BY_TIME: "out of time",
} | {kind: f"caught by a {KIND_NAMES[kind]}" for kind in MONSTERS}


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """What the galleries before this one brought."""

    ticks: int = 0
    diamonds: int = 0
    kills: int = 0
    pushes: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A position; the arrays are never written to again. Their layout is in kernels/tick.py."""

    level: Level
    options: Options
    number: int  # of the gallery that is being played, from 0
    cells: NDArray[np.uint8]  # (rows * cols,)
    facts: NDArray[np.int64]
    rules: NDArray[np.int64]
    view_rows: int  # seen above and below the miner; -1: everything
    view_cols: int
    totals: Totals
    status: int  # of the last tick: playing, won (the last gallery), or how the miner died
    ticks: int
    miner: int
    diamonds: int
    time: int
    kills: int
    pushes: int

    @property
    def rows(self) -> int:
        return self.level.galleries[self.number].rows

    @property
    def cols(self) -> int:
        return self.level.galleries[self.number].cols

    @property
    def needed(self) -> int:
        return self.level.galleries[self.number].needed


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What the miner sees: kinds and strengths around him, `UNKNOWN` beyond; no headings, nothing about falling."""

    rows: int
    cols: int
    cells: NDArray[np.uint8]  # (rows * cols,)
    miner: int
    diamonds: int
    needed: int
    time: int  # ticks left; -1: no limit
    ticks: int  # played in this gallery
    gallery: int
    galleries: int
    most_rows: int  # of the largest gallery of this level
    most_cols: int
    view_rows: int  # -1: the whole map
    view_cols: int
    can_widen: bool
    options: Options

    @property
    def exit_is_open(self) -> bool:
        return self.diamonds >= self.needed
