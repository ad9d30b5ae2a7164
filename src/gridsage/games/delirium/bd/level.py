"""Boulder Dash caves as data, the named rule options, and the text form: one [cave] of a BDCFF file."""

from __future__ import annotations

from typing import Annotated

import msgspec

from gridsage.core.options import note

DIFFICULTIES = 5
IN_A_MILLION = 1_000_000
PAL_SECOND, NTSC_SECOND = 1200, 1000  # milliseconds of a second on the cave's clock
PACES = ("milliseconds", "bd1", "bd2")  # CaveScheduling: a fixed frame, the engine of part 1, that of part 2
DRAWN_SLIME_STATE = (0, 0x1E)  # the filler's registers in caves that were drawn


class Cave(msgspec.Struct, frozen=True):
    """A cave at one difficulty: its picture and every number its rules ask for."""

    name: str
    rows: int
    cols: int
    kinds: bytes  # row by row
    needed: int = 0  # diamonds that open the exit
    value: int = 0  # points of a diamond
    extra_value: int = 0  # points of a further one
    time: int = 999_000  # milliseconds
    second: int = NTSC_SECOND
    second_value: int = 1  # points for each second that is left
    hatch: int = 2000  # milliseconds until Rockford is born
    hatch_ticks: int = 21  # the same where the pace is fixed
    pace: str = PACES[0]
    delay: int = 0
    frame_ms: int = 150
    is_intermission: bool = False
    magic_time: int = 999_000
    amoeba_time: int = 999_000
    amoeba_max: int = 200  # cells
    amoeba_slow: int = 31_250  # in a million
    amoeba_fast: int = 250_000
    amoeba_at_once: bool = True  # its clock runs from the start, not from when it wakes
    slime_predictable: bool = True
    slime_mask: int = 0
    slime_chance: int = IN_A_MILLION
    slime_state: tuple[int, int] = DRAWN_SLIME_STATE

    @property
    def size(self) -> int:
        return self.rows * self.cols


class Level(msgspec.Struct, frozen=True):
    """A cave at its five difficulties."""

    name: str
    caves: tuple[Cave, ...]


class Options(msgspec.Struct, frozen=True):
    """What people choose when they play a cave."""

    difficulty: Annotated[int, note("1 to 5: the caves of 1984 have five", ge=1, le=DIFFICULTIES)] = 1
    push: Annotated[
        float, note("chance that a push succeeds in a tick: 0.25 in GDash, 0.125 in bouldercaves", ge=0, le=1)
    ] = 0.25


def time_points(cave: Cave, time: int) -> int:
    """Return the points for the time that is left, counted down as the original does: quickly above a minute."""
    points = 0
    while time > 0:
        seconds = 9 if time > 60 * cave.second else 1
        time = max(0, time - seconds * cave.second)
        points += cave.second_value * seconds
    return points
