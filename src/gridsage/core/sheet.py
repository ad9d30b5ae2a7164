"""What a screen must know to draw on a level: tiles to paint with, header lines to fill in, how cells are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Tile:
    """Something to paint: how it is written, its sprite, and what people call it."""

    sign: str
    sprite: str
    name: str
    group: str = ""  # tiles of a group stand together
    alone: bool = False  # there is one of it at most: painting it moves it
    needed: bool = False  # a level has at least one
    stands: bool = False  # it stands on the ground and does not replace it
    also: str = ""  # other signs that mean the same
    faces: tuple[int, int] = (0, 0)  # columns and rows by which it looks aside


@dataclass(frozen=True, slots=True)
class Entry:
    """A line `key: value` before the map, or however a sheet joins the two, as something to fill in."""

    key: str
    name: str
    kind: Literal["text", "number", "choice", "cards"]  # cards: some of the choices, parted by spaces; `-` for none
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    usual: str = ""  # what the game takes when the line is missing
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """How the text of a room's levels is drawn on."""

    tiles: tuple[Tile, ...]  # the first one is empty ground
    form: Literal["characters", "walled"] = "characters"  # one sign a cell, or boxes of three with walls between them
    drawn: str = ""  # the format of `Room.write` that can be painted on, where a text may be written otherwise
    entries: tuple[Entry, ...] = ()
    remark: str = ";"  # a line that begins so is no part of the map
    divider: str = ""  # the line between two maps of one level
    fixed: tuple[int, int] | None = None  # rows and columns, where they cannot be chosen
    largest: int = 32  # rows or columns
    border: str = ""  # signs of which the edge of a map is made, the usual one first
    joins: str = ": "  # what stands between the key and the value of an entry
    frame: tuple[str, str] | None = None  # the lines around the map; what stands outside of them is no map
    sized: str = ""  # the key of the line that tells columns and rows
