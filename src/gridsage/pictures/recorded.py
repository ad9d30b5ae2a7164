"""A recorded game as pictures: every position drawn again, one of them as a still, all of them as a film."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from gridsage.core.frame import Frame
from gridsage.core.game import Closing, Own, Thoughts
from gridsage.core.room import Room
from gridsage.core.trace import Trace, states

if TYPE_CHECKING:
    from gridsage.pictures.svg import Style

PICTURE_WIDTH, FILM_WIDTH = 1_280, 960  # pixels that a picture does not exceed, unless its cells would be too small
PICTURE_CELL, FILM_CELL, LEAST_CELL = 48, 24, 8
USUAL_THEME = "dark"


def frames(room: Room, found: Trace, options: Own) -> Generator[Frame, None, None]:
    """Yield the picture of every position of a game, which is played again for it."""
    game = room.rules.game()
    try:
        for state in states(found, game, options):
            yield room.view.frame(state)
    finally:
        if isinstance(game, Closing):
            game.close()


def still(kind: str, room: Room, frame: Frame, thoughts: Thoughts | None = None, theme: str = USUAL_THEME) -> bytes:
    """Return one position as a file: `svg` or `png`.

    Args:
        thoughts: what is drawn over it of the decision that was made there.
        theme: a palette of sprites.json.
    """
    from gridsage.pictures import svg, thinking

    style = _style(room, frame, PICTURE_CELL, PICTURE_WIDTH, theme)
    document = svg.draw(frame, style)
    if thoughts is not None:
        above = 1 if svg.prepared(frame, style).rows > frame.rows else 0
        over = thinking.drawn(thoughts, svg.layout(frame, style), above)
        document = document.replace("</svg>\n", f"{over}</svg>\n")
    if kind == "svg":
        return document.encode()
    from gridsage.pictures import raster

    if svg.layout(frame, style).text:
        raster.require_font()
    return raster.png(document)


def film(
    room: Room,
    shown: Iterator[Frame],
    speed: float,
    thoughts: Mapping[int, Thoughts] | None = None,
    theme: str = USUAL_THEME,
) -> bytes:
    """Return all positions as a GIF file.

    Args:
        speed: steps per second, where a game does not say itself how long they last.
        thoughts: what is drawn over positions of the decisions that were made there, by step.
        theme: a palette of sprites.json.
    """
    from gridsage.pictures import film

    first = next(shown)
    return film.gif(chain([first], shown), _style(room, first, FILM_CELL, FILM_WIDTH, theme), speed, thoughts)


def themes() -> list[str]:
    """Return the names of the palettes that boards can be drawn with."""
    from gridsage.pictures import sprites

    return list(sprites.data().palettes)


def _style(room: Room, frame: Frame, cell: int, width: int, theme: str) -> Style:
    """Return how a board is drawn: with cells of the size wanted, or smaller ones where it would be too wide."""
    from gridsage.pictures.svg import GLYPH_ASPECT, Style, layout

    style = Style(room.folder, room.view.glyphs, theme, cell)
    aspect = GLYPH_ASPECT if layout(frame, style).text else 1.0
    return msgspec.structs.replace(style, cell=max(LEAST_CELL, min(cell, int(width / (frame.cols * aspect)))))
