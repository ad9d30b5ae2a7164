"""Cell codes of the mine, the level as data, and the named rule options."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from gridsage.core.options import note

# Kinds are positions in the platform's item table; a cell byte is kind + strength and falling bits.
VOID, CLAY, DIAMOND, STONE, WALL, BORDER, STURDY, MAGIC = range(8)
BLAST_VOID, BLAST_DIAMOND, BLAST_STONE = 8, 9, 10  # an explosion that still burns, by what it will leave
EXIT, MINER = 21, 22
BLUE, RED, GREEN, YELLOW, PURPLE, BLACK = range(24, 30)
UNKNOWN = 30  # only in what an agent is shown
LEAVING = 31  # only inside a tick: the cell the miner has just left
MONSTERS = (BLUE, RED, GREEN, YELLOW, PURPLE, BLACK)

KIND_MASK = 31
STRENGTH_SHIFT = 5  # two bits: strength of a sturdy wall less one, or ticks a blast still burns less one
FALLING = 128
MAX_STRENGTH = 4

MAX_SIDE = 256  # rows or columns, the border included

KIND_NAMES = {
    VOID: "void",
    CLAY: "clay",
    DIAMOND: "diamond",
    STONE: "stone",
    WALL: "wall",
    BORDER: "border",
    STURDY: "sturdy wall",
    MAGIC: "magic wall",
    BLAST_VOID: "blast",
    BLAST_DIAMOND: "blast",
    BLAST_STONE: "blast",
    EXIT: "exit",
    MINER: "miner",
    BLUE: "blue monster",
    RED: "red monster",
    GREEN: "green monster",
    YELLOW: "yellow monster",
    PURPLE: "purple monster",
    BLACK: "black monster",
    UNKNOWN: "unknown",
}

NO_LIMIT = -1  # of time


class Gallery(msgspec.Struct, frozen=True):
    """One map of the mine: its cells with the border, what to collect and how long it may take."""

    name: str
    rows: int
    cols: int
    cells: bytes  # kind + strength bits, row by row
    needed: int  # diamonds that open the exit
    time: int = NO_LIMIT  # ticks; -1: no limit

    @property
    def miner(self) -> int:
        return self.cells.index(MINER)


class Level(msgspec.Struct, frozen=True):
    """What is played through in one game: one gallery, or a scenario of several in order."""

    galleries: tuple[Gallery, ...]

    @property
    def name(self) -> str:
        return self.galleries[0].name


class Options(msgspec.Struct, frozen=True):
    """The rules that the logs of the 2009 engine leave open or that levels differ in, each by name."""

    blue_rests: Annotated[bool, note("blue monsters move on every second tick only; the 2009 engine: off")] = True
    others_move: Annotated[
        Literal["each tick", "every second tick", "never"],
        note("green, yellow, purple and black monsters"),
    ] = "each tick"
    roll_first: Annotated[Literal["left", "right"], note("the side to which stones roll off")] = "left"
    crush_on_arrival: Annotated[bool, note("what falls and now stands just above the miner kills him")] = True
    passing_under: Annotated[bool, note("a falling stone spares a miner who stepped under it in this very tick")] = True
    magic_wall: Annotated[
        Literal["inert", "turns"], note("turns: what falls on it comes out below as the other kind")
    ] = "inert"
    push_up: Annotated[bool, note("stones can be pushed up")] = True
    push_rows: Annotated[bool, note("a whole row of stones moves; off: one stone only")] = True
    explosion_ticks: Annotated[int, note("how long a blast blocks its cells, 0 to 4; the logs show 3")] = 3
    explode_on_arrival: Annotated[
        bool, note("what falls and now stands just above a monster explodes at once, as in the logs")
    ] = True
    view_cols: Annotated[int, note("columns seen to each side of the miner; -1: the whole map (vpx)")] = -1
    view_rows: Annotated[int, note("rows seen above and below the miner; -1: the whole map (vpy)")] = -1
    widest_view: Annotated[int, note("how far the miner may widen a limited view")] = 15

    def __post_init__(self) -> None:
        if not 0 <= self.explosion_ticks <= MAX_STRENGTH:
            raise ValueError(f"explosion_ticks={self.explosion_ticks}: expected 0 to {MAX_STRENGTH}")
        for name in ("view_cols", "view_rows"):
            if not -1 <= getattr(self, name) <= MAX_SIDE:
                raise ValueError(f"{name}={getattr(self, name)}: expected -1 (whole map) or 0 to {MAX_SIDE}")
        if (self.view_cols < 0) != (self.view_rows < 0):
            raise ValueError("view_cols and view_rows: both -1 (whole map) or both limited")
        if not 0 <= self.widest_view <= MAX_SIDE:
            raise ValueError(f"widest_view={self.widest_view}: expected 0 to {MAX_SIDE}")

    @property
    def is_limited(self) -> bool:
        return self.view_cols >= 0


OLD_ENGINE = Options(blue_rests=False)  # what the logs of 2009 were made with
