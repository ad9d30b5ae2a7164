"""How every sprite looks, read from the data of the page: palettes, names, and operations in a box of 1 by 1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

DATA = Path(__file__).resolve().parents[1] / "web" / "static" / "sprites.json"  # a file of data, no import
TEXT = "text:"
Measure = float | tuple[float, float, float]  # base, per dx, per dy: it moves with where a sprite looks
Bound = Mapping[str, str]  # colours and texts that one of several sprites of a kind has of its own


class Box(msgspec.Struct, frozen=True, array_like=True, tag="box"):
    """A filled rectangle with round corners."""

    x: Measure
    y: Measure
    width: float
    height: float
    radius: float
    colour: str


class Area(msgspec.Struct, frozen=True, array_like=True, tag="area"):
    """A filled polygon."""

    points: tuple[float, ...]  # x, y, x, y, ...
    colour: str


class Disc(msgspec.Struct, frozen=True, array_like=True, tag="disc"):
    """A filled circle."""

    x: Measure
    y: Measure
    radius: float
    colour: str


class Oval(msgspec.Struct, frozen=True, array_like=True, tag="oval"):
    """A filled ellipse."""

    x: float
    y: float
    radius_x: float
    radius_y: float
    colour: str


class Dome(msgspec.Struct, frozen=True, array_like=True, tag="dome"):
    """The upper half of a filled circle."""

    x: float
    y: float
    radius: float
    colour: str


class Ring(msgspec.Struct, frozen=True, array_like=True, tag="ring"):
    """The outline of a circle."""

    x: float
    y: float
    radius: float
    width: float
    colour: str


class Stroke(msgspec.Struct, frozen=True, array_like=True, tag="line"):
    """A line through points, with round ends and corners."""

    points: tuple[float, ...]
    width: float
    colour: str


class Letter(msgspec.Struct, frozen=True, array_like=True, tag="letter"):
    """A text around its middle, perhaps with an outline behind it; `$name` stands for a text that is bound."""

    text: str
    x: float
    y: float
    size: float
    weight: int
    colour: str
    outline: float = 0.0
    rim: str = ""


class Fade(msgspec.Struct, frozen=True, array_like=True, tag="fade"):
    """Operations through which one can see."""

    alpha: float
    operations: tuple[Operation, ...]


class By(msgspec.Struct, frozen=True, array_like=True, tag="by"):
    """One of several lists: by the variant of a cell, or by the way a sprite looks (-1, 0 or 1)."""

    what: Literal["variant", "dx", "dy"]
    choices: tuple[tuple[Operation, ...], ...]


class When(msgspec.Struct, frozen=True, array_like=True, tag="when"):
    """Operations for those sprites of a kind that have something bound to `name`."""

    name: str
    operations: tuple[Operation, ...]


Operation = Box | Area | Disc | Oval | Dome | Ring | Stroke | Letter | Fade | By | When


class Names(msgspec.Struct, frozen=True):
    """Which sprite a name means."""

    grounds: dict[str, str]
    things: dict[str, str]
    own: dict[str, dict[str, tuple[str, ...]]]  # what a game means by a common name
    colours: dict[str, str]


class Characters(msgspec.Struct, frozen=True):
    """Which sprite stands for a character, where pictures are wanted instead of characters."""

    built: dict[str, str]
    things: dict[str, str]
    families: dict[str, str]


class Data(msgspec.Struct, frozen=True):
    """The whole file."""

    palettes: dict[str, dict[str, str]]
    ansi: dict[str, str]
    names: Names
    looks: dict[str, dict[str, dict[str, str]]]
    characters: Characters
    sprites: dict[str, tuple[Operation, ...]]


class Layer(msgspec.Struct, frozen=True):
    """One sprite of several above each other."""

    sprite: str
    bound: Bound = {}


class Glyph(msgspec.Struct, frozen=True):
    """A character of a fixed font as it is to be written."""

    character: str
    colour: str
    bold: bool = False
    reverse: bool = False


@cache
def data() -> Data:
    """Return the sprites, read once."""
    return msgspec.json.decode(DATA.read_bytes(), type=Data)


def layers_of(name: str, moving: bool, game: str) -> tuple[Layer, ...]:
    """Return the sprites that a name stands for, the lowest first; none where the room's character has to do.

    Args:
        moving: a thing that does not move stands on empty space.
        game: the room whose own meaning of common names counts.
    """
    if own := data().names.own.get(game, {}).get(name):
        return tuple(Layer(sprite) for sprite in own)
    if found := _thing(name):
        return found if moving else (Layer("space"), *found)
    return _ground(name)


def _thing(name: str) -> tuple[Layer, ...]:
    known = data()
    if (sprite := known.names.things.get(name)) is not None:
        return (Layer(sprite),)
    words = _words(name)
    colour = _colour(words)
    if "robot" in words:
        bound = known.looks["robot"].get(colour)
        return () if bound is None else (Layer("robot", bound),)
    if _any(words, "pawn", "first", "second"):
        pawn = Layer("pawn-2" if "second" in words else "pawn-1")
        return (pawn, Layer("ice")) if "frozen" in words else (pawn,)
    if ("monster" in words or len(words) == 1) and f"monster-{colour}" in known.sprites:
        return (Layer(f"monster-{colour}"),)
    if "exit" in words and _any(words, "closed", "shut", "locked"):
        return (Layer("closed-exit"),)
    word = "dead" if "dead" in words else next((word for word in words if word in known.names.things), "")
    return (Layer(known.names.things[word]),) if word else ()


def _ground(name: str) -> tuple[Layer, ...]:
    known = data()
    if (sprite := known.names.grounds.get(name)) is not None:
        return (Layer(sprite),)
    words = _words(name)
    shape = next((word for word in words if f"goal-{word}" in known.sprites), "")
    if shape or _any(words, "target", "goal", "mission"):
        wanted = "-wanted" if _any(words, "target", "active", "wanted", "mission") else ""
        hue = known.names.colours.get(_colour(words), "any")
        return (Layer(f"goal-{shape or 'star'}{wanted}", known.looks["goal"][hue]),)
    number = _number(words)
    if _any(words, "sturdy", "stw"):
        return (Layer("sturdy", {"n": "" if number is None else str(number)}),)
    if _any(words, "hole", "pit"):
        closing = "closing" in words and number is None
        return (Layer("closing-hole"),) if closing else (Layer("hole", {"n": str(number or "")}),)
    word = next((word for word in words if word in known.names.grounds), "")
    return (Layer(known.names.grounds[word]),) if word else ()


def _words(name: str) -> list[str]:
    return re.split(r"[-_: ]+", name.lower())


def _any(words: list[str], *wanted: str) -> bool:
    return any(word in words for word in wanted)


def _colour(words: list[str]) -> str:
    known = data()
    return next((word for word in words if word in known.names.colours or f"monster-{word}" in known.sprites), "")


def _number(words: list[str]) -> int | None:
    """Return the number of the first word that holds one after its letters."""
    found = (re.match(r"[^0-9]*([0-9]+)", word) for word in words)
    return next((int(match[1]) for match in found if match), None)


def glyph(name: str) -> Glyph:
    """Return `text:<character>:<colour>` as a character to be written; it may be a colon itself."""
    match = re.fullmatch(r"text:(.+?)(?::([^:]*))?", name, re.DOTALL)
    if match is None:
        return Glyph("?", data().ansi["white"])
    wish = (match[2] or "").strip()
    words = wish.split()
    known = next((word for word in words if word in data().ansi), "white")
    colour = wish if re.fullmatch(r"#[0-9a-fA-F]{3,8}", wish) else data().ansi[known]
    return Glyph(match[1], colour, "bold" in words, "reverse" in words)
