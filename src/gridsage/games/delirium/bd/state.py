"""A position in a Boulder Dash cave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridsage.games.delirium.bd.level import Cave, Level, Options

# State.facts
(
    TICKS,
    ROCKFORD_AT,  # -1 while he is not born, and when he is dead
    DIAMONDS,  # collected
    TIME,  # milliseconds of the cave clock
    STATUS,
    POINTS,
    KILLS,  # flies that were crushed
    PUSHES,
    MADE,  # diamonds that came out of a blast, a magic wall or amoeba
    HATCH,  # milliseconds, or ticks in caves of a fixed pace, until Rockford may be born; 0: he may
    MAGIC,  # ASLEEP, AWAKE or SPENT
    MAGIC_LEFT,  # milliseconds
    AMOEBA_STATE,  # ASLEEP, AWAKE, TO_BOULDERS or TO_DIAMONDS
    AMOEBA_LEFT,  # milliseconds until it grows fast
    AMOEBA_CHANCE,  # in a million
    IS_OPEN,  # 1: the exit opens when the scan passes it
    SLIME_HIGH,  # the two registers of the filler
    SLIME_LOW,
    COST,  # microseconds that all things in the picture cost a tick of the old machine
    TICK_COST,  # of this tick; this and the next two are only of use inside a tick
    IS_ENCLOSED,
    AMOEBA_COUNT,
    FACTS_LENGTH,
) = range(23)

# The facts that players see, by name.
FACT_NAMES = (
    *("ticks", "rockford", "diamonds", "time", "status", "points", "kills", "pushes", "made", "hatch"),
    *("magic", "magic_left", "amoeba", "amoeba_left", "amoeba_chance", "is_open", "slime_high", "slime_low"),
)

# MAGIC and AMOEBA_STATE
ASLEEP, AWAKE, SPENT = range(3)
TO_BOULDERS, TO_DIAMONDS = 2, 3

# STATUS
LABELS = ("stay", "right", "up", "left", "down", "snap right", "snap up", "snap left", "snap down")
PLAYING, WON, BY_BOULDER, BY_DIAMOND, BY_FIREFLY, BY_BUTTERFLY, BY_BLAST, BY_TIME = range(8)
CAUSES = {
    WON: "won",
    BY_BOULDER: "crushed by a boulder",
    BY_DIAMOND: "crushed by a diamond",
    BY_FIREFLY: "caught by a firefly",
    BY_BUTTERFLY: "caught by a butterfly",
    BY_BLAST: "died in an explosion",
    BY_TIME: "out of time",
}


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A position; its arrays are never written to again. Their layout is in kernels/tick.py."""

    level: Level
    options: Options
    cave: Cave  # the level at the chosen difficulty
    cells: NDArray[np.uint8]  # (rows * cols, filled up to a multiple of 32)
    facts: NDArray[np.int64]  # (FACTS_LENGTH,)
    rules: NDArray[np.int64]
    stream: NDArray[np.int64]  # (625,) the random stream and its index

    @property
    def status(self) -> int:
        return int(self.facts[STATUS])

    @property
    def ticks(self) -> int:
        return int(self.facts[TICKS])

    @property
    def rockford(self) -> int:
        """His cell, or -1 while he is not there."""
        return int(self.facts[ROCKFORD_AT])


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What a player sees: the whole picture, the clock and the counters; the chances, and not what they will bring."""

    cave: Cave
    options: Options
    kinds: NDArray[np.uint8]  # (rows * cols,)
    facts: NDArray[np.int64]  # (COST,): TICKS to SLIME_LOW
