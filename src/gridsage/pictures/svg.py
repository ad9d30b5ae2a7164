"""Frames as vectors: the operations of a sprite, and a whole board, as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from html import escape
from typing import assert_never

import msgspec

from gridsage.core.frame import Entity, Frame
from gridsage.core.picture import EAST, NORTH, SOUTH, WEST, Glyphs
from gridsage.pictures import sprites
from gridsage.pictures.sprites import Bound, Layer, Measure, Operation

GLYPH_ASPECT = 0.58  # width by height of a character's cell
GLYPH_GROUND = "#10141d"
GLYPH_INK = "#ccd2dd"
CURSOR = "#ffe27a"
FIXED_FONT = "'DejaVu Sans Mono', ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace"
PLAIN_FONT = "system-ui, 'DejaVu Sans', sans-serif, 'DejaVu Sans Mono'"
MIDDLE = 0.297  # of a font's size from the middle of its letters, as a canvas understands it, to their foot
COORDINATES_FROM = 24  # pixels of a cell: smaller ones could not be read
_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


class Style(msgspec.Struct, frozen=True):
    """How a board is to be drawn."""

    look: str = ""  # the room whose meaning of common names counts
    glyphs: Glyphs = {}  # characters of sprites that have no picture
    theme: str = "dark"
    cell: int = 32  # pixels: how tall a cell is
    lines: bool = True  # with what a terminal says above and below its board


class Look(msgspec.Struct, frozen=True):
    """How one sprite is to look."""

    palette: Mapping[str, str]
    variant: int = 0
    dx: int = 0
    dy: int = 0
    bound: Bound = {}


class Stamp(msgspec.Struct, frozen=True):
    """A sprite as it is seen somewhere on a board; equal ones are drawn once."""

    sprite: str
    variant: int = 0
    dx: int = 0
    dy: int = 0
    moving: bool = False


# The operations of a sprite


def sprite(stamp: Stamp, style: Style) -> str:
    """Return a sprite in a box of 1 by 1: a tile, or the room's character where there is none."""
    if stamp.sprite.startswith(sprites.TEXT):
        return _character(stamp.sprite, 1.0)
    layers = sprites.layers_of(stamp.sprite, stamp.moving, style.look)
    if not layers:
        character, colour = style.glyphs.get(stamp.sprite, (stamp.sprite[:1] or "?", ""))
        return _character(f"{sprites.TEXT}{character}:{colour}", 1.0)
    return layered(layers, stamp, style)


def layered(layers: Iterable[Layer], stamp: Stamp, style: Style) -> str:
    """Return sprites of the data above each other, in a box of 1 by 1."""
    known = sprites.data()
    palette = known.palettes[style.theme]
    return "".join(
        _drawn(known.sprites[layer.sprite], Look(palette, stamp.variant, stamp.dx, stamp.dy, layer.bound))
        for layer in layers
    )


def _drawn(operations: Iterable[Operation], look: Look) -> str:
    return "".join(_one(operation, look) for operation in operations)


def _one(op: Operation, look: Look) -> str:
    match op:
        case sprites.Box():
            place = (
                f'x="{_n(_at(op.x, look))}" y="{_n(_at(op.y, look))}" width="{_n(op.width)}" height="{_n(op.height)}"'
            )
            return f'<rect {place} rx="{_n(op.radius)}" fill="{_ink(op.colour, look)}"/>'
        case sprites.Area():
            return f'<path d="{_path(op.points)}Z" fill="{_ink(op.colour, look)}"/>'
        case sprites.Disc():
            place = f'cx="{_n(_at(op.x, look))}" cy="{_n(_at(op.y, look))}" r="{_n(op.radius)}"'
            return f'<circle {place} fill="{_ink(op.colour, look)}"/>'
        case sprites.Oval():
            place = f'cx="{_n(op.x)}" cy="{_n(op.y)}" rx="{_n(op.radius_x)}" ry="{_n(op.radius_y)}"'
            return f'<ellipse {place} fill="{_ink(op.colour, look)}"/>'
        case sprites.Dome():
            arc = f"A{_n(op.radius)} {_n(op.radius)} 0 0 1 {_n(op.x + op.radius)} {_n(op.y)}"
            return f'<path d="M{_n(op.x - op.radius)} {_n(op.y)}{arc}Z" fill="{_ink(op.colour, look)}"/>'
        case sprites.Ring():
            place = f'cx="{_n(op.x)}" cy="{_n(op.y)}" r="{_n(op.radius)}"'
            return f"<circle {place} {_pen(op.width, _ink(op.colour, look))}/>"
        case sprites.Stroke():
            return f'<path d="{_path(op.points)}" {_pen(op.width, _ink(op.colour, look))}/>'
        case sprites.Letter():
            return _letter(op, look)
        case sprites.Fade():
            return f'<g opacity="{_n(op.alpha)}">{_drawn(op.operations, look)}</g>'
        case sprites.By():
            chosen = look.variant if op.what == "variant" else 1 + (look.dx if op.what == "dx" else look.dy)
            return _drawn(op.choices[chosen], look)
        case sprites.When():
            return _drawn(op.operations, look) if look.bound.get(op.name) else ""
        case _:
            assert_never(op)


def _letter(op: sprites.Letter, look: Look) -> str:
    text = look.bound.get(op.text[1:], "") if op.text.startswith("$") else op.text
    if not text:
        return ""
    rim = (
        f' stroke="{op.rim}" stroke-width="{_n(100 * op.outline / op.size)}" paint-order="stroke"' if op.outline else ""
    )
    return _text(text, op.x, op.y, op.size, op.weight, _ink(op.colour, look), rim)


def _text(text: str, x: float, y: float, size: float, weight: int, colour: str, more: str = "") -> str:
    """Return a text around its middle; written big and scaled down, since no browser knows fonts below a pixel."""
    place = f'transform="translate({_n(x)} {_n(y + MIDDLE * size)}) scale({_n(size / 100)})"'
    font = f'font-family="{FIXED_FONT}" font-size="100" font-weight="{weight}" text-anchor="middle"'
    return f'<text {place} {font} fill="{colour}"{more}>{_words(text)}</text>'


def _character(name: str, aspect: float) -> str:
    glyph = sprites.glyph(name)
    ground, ink = (glyph.colour, GLYPH_GROUND) if glyph.reverse else (GLYPH_GROUND, glyph.colour)
    drawn = f'<rect width="{_n(aspect)}" height="1" fill="{ground}"/>'
    if glyph.character == " ":
        return drawn
    return drawn + _text(glyph.character, aspect / 2, 0.5344, 0.86, 700 if glyph.bold else 500, ink)


def _at(value: Measure, look: Look) -> float:
    return value[0] + value[1] * look.dx + value[2] * look.dy if isinstance(value, tuple) else value


def _ink(colour: str, look: Look) -> str:
    """Return a colour: `@name` is bound, or one of the palette."""
    if not colour.startswith("@"):
        return colour
    bound = look.bound.get(colour[1:])
    return look.palette[colour[1:]] if bound is None else _ink(bound, look)


def _path(points: tuple[float, ...]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in zip(points[::2], points[1::2], strict=True))


def _pen(width: float, colour: str) -> str:
    return f'fill="none" stroke="{colour}" stroke-width="{_n(width)}" stroke-linecap="round" stroke-linejoin="round"'


def _n(value: float) -> str:
    """Return a number as short as it can be written."""
    return f"{value:.5f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def _words(text: str) -> str:
    """Return a text for XML, which knows no control characters."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))


# A whole board


class Layout(msgspec.Struct, frozen=True):
    """Where the cells of a board are, in pixels."""

    rows: int
    cols: int
    wide: int
    tall: int
    text: bool  # every cell is a character

    @property
    def width(self) -> int:
        """The width of the whole picture."""
        return self.cols * self.wide

    @property
    def height(self) -> int:
        """The height of the whole picture."""
        return self.rows * self.tall


def layout(frame: Frame, style: Style) -> Layout:
    """Return the size of a board and its cells."""
    text = bool(frame.cells) and all(name.startswith(sprites.TEXT) for name in frame.cells)
    wide = max(2, round(style.cell * GLYPH_ASPECT)) if text else style.cell
    return Layout(frame.rows, frame.cols, wide, style.cell, text)


def with_lines(frame: Frame, below: int | None = None) -> Frame:
    """Return a terminal's frame with the lines above and below the board as rows of it; any other as it is.

    Args:
        below: how many lines stand below, to give all pictures of a film one size; by default as many as there are.
    """
    if not frame.above and not frame.below and below is None:
        return frame
    lines = [*frame.below, *[""] * frame.rows][: len(frame.below) if below is None else below]
    cells = (*_line("  ".join(frame.above), frame.cols), *frame.cells, *_line_cells(lines, frame.cols))
    focus = frame.focus + frame.cols if frame.focus >= 0 else -1
    edges = (*(0,) * frame.cols, *frame.edges, *(0,) * (frame.cols * len(lines))) if frame.edges else ()
    entities = tuple(msgspec.structs.replace(entity, row=entity.row + 1) for entity in frame.entities)
    return msgspec.structs.replace(
        frame,
        rows=frame.rows + 1 + len(lines),
        cells=cells,
        focus=focus,
        edges=edges,
        entities=entities,
        above=(),
        below=(),
    )


def _line(text: str, cols: int) -> tuple[str, ...]:
    return tuple(f"{sprites.TEXT}{character}:{GLYPH_INK}" for character in text[:cols].ljust(cols))


def _line_cells(lines: Iterable[str], cols: int) -> tuple[str, ...]:
    return tuple(cell for line in lines for cell in _line(line, cols))


def prepared(frame: Frame, style: Style, below: int | None = None) -> Frame:
    """Return the frame as it is drawn: with its lines, where the style and the board want them."""
    return with_lines(frame, below) if style.lines and layout(frame, style).text else frame


def draw(frame: Frame, style: Style) -> str:
    """Return a whole position as an SVG document that needs nothing else."""
    frame = prepared(frame, style)
    plan = layout(frame, style)
    stamps: dict[Stamp, int] = {}
    uses = [_use(stamps, stamp, x, y, plan) for stamp, x, y in _placed(frame, plan)]
    board, movers = uses[: -len(frame.entities) or None], uses[len(uses) - len(frame.entities) :]
    body = "".join([*board, overlay(frame, plan, style), *movers, cursor(frame, plan)])
    symbols = "".join(
        f'<symbol id="s{number}" viewBox="{box(plan)}">{content(stamp, plan, style)}</symbol>'
        for stamp, number in stamps.items()
    )
    # Several pictures may stand in one page: their names must not meet.
    tag = blake2b((symbols + body).encode(), digest_size=4).hexdigest()
    named = re.sub(r'(id="|href="#)s(\d+)"', rf'\1s{tag}-\2"', f"<defs>{symbols}</defs>{ground(plan, style)}{body}")
    size = f'width="{plan.width}" height="{plan.height}" viewBox="0 0 {plan.width} {plan.height}"'
    title = f"<title>{_words(frame.text)}</title>" if frame.text else ""
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}{named}</svg>\n'


def _placed(frame: Frame, plan: Layout) -> Iterable[tuple[Stamp, float, float]]:
    """Yield every sprite with its place in cells: the ground first, row by row, then what moves."""
    for cell, name in enumerate(frame.cells):
        row, col = divmod(cell, frame.cols)
        yield Stamp(name, variant(row, col)), col, row
    for entity in frame.entities:
        yield stamp_of(entity), entity.col + entity.col_part, entity.row + entity.row_part


def variant(row: int, col: int) -> int:
    """Return which of four variants a cell has: neighbours differ."""
    return (row + col) % 2 + 2 * ((7 * col + 13 * row) % 2)


def stamp_of(entity: Entity) -> Stamp:
    """Return how something that moves looks."""
    return Stamp(entity.sprite, 0, _sign(entity.dcol), _sign(entity.drow), moving=True)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _use(stamps: dict[Stamp, int], stamp: Stamp, x: float, y: float, plan: Layout) -> str:
    if plan.text and not stamp.moving:
        stamp = Stamp(stamp.sprite)  # a character has no variants
        if stamp.sprite.startswith(f"{sprites.TEXT} ") and not sprites.glyph(stamp.sprite).reverse:
            return ""  # the ground behind all of them
    number = stamps.setdefault(stamp, len(stamps))
    size = f'width="{plan.wide}" height="{plan.tall}"'
    return f'<use href="#s{number}" x="{_n(x * plan.wide)}" y="{_n(y * plan.tall)}" {size}/>'


def box(plan: Layout) -> str:
    """Return the coordinates in which `content` is drawn."""
    return f"0 0 {plan.wide} {plan.tall}" if plan.text else "0 0 1 1"


def content(stamp: Stamp, plan: Layout, style: Style) -> str:
    """Return one cell: in pixels on a board of characters, in a box of 1 by 1 elsewhere."""
    if not plan.text or not stamp.sprite.startswith(sprites.TEXT):
        return sprite(stamp, style)
    glyph = sprites.glyph(stamp.sprite)
    back, ink = (glyph.colour, GLYPH_GROUND) if glyph.reverse else (GLYPH_GROUND, glyph.colour)
    drawn = f'<rect width="{plan.wide}" height="{plan.tall}" fill="{back}"/>'
    if glyph.character == " ":
        return drawn
    size = max(4, round(min(plan.tall * 0.9, plan.wide * 1.62)))
    font = f'font-family="{FIXED_FONT}" font-size="{size}" font-weight="{700 if glyph.bold else 500}"'
    place = f'x="{_n(plan.wide / 2)}" y="{round(plan.tall / 2 + size * 0.34)}" text-anchor="middle"'
    return f'{drawn}<text {place} {font} fill="{ink}">{_words(glyph.character)}</text>'


def ground(plan: Layout, style: Style) -> str:
    """Return what is seen where nothing is drawn."""
    return f'<rect width="{plan.width}" height="{plan.height}" fill="{ground_colour(plan, style)}"/>'


def ground_colour(plan: Layout, style: Style) -> str:
    """Return the colour behind everything."""
    return GLYPH_GROUND if plan.text else sprites.data().palettes[style.theme]["void"]


def overlay(frame: Frame, plan: Layout, style: Style) -> str:
    """Return what lies over the ground and under what moves: names of rows and columns, walls between cells."""
    palette = sprites.data().palettes[style.theme]
    return _coordinates(frame, plan, palette["coordinate"]) + _walls(frame, plan, palette["edge"])


def _coordinates(frame: Frame, plan: Layout, colour: str) -> str:
    columns, rows = frame.coordinates
    if not columns or plan.tall < COORDINATES_FROM:
        return ""
    size = round(plan.tall * 0.17)
    places = [
        (letter, (col + 0.94) * plan.wide, (frame.rows - 0.03) * plan.tall - 0.21 * size, "end")
        for col, letter in enumerate(columns)
    ]
    places += [
        (letter, 0.06 * plan.wide, (row + 0.06) * plan.tall + 0.8 * size, "start") for row, letter in enumerate(rows)
    ]
    texts = [
        f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{_words(letter)}</text>'
        for letter, x, y, anchor in places
    ]
    font = f'font-family="{PLAIN_FONT}" font-size="{size}" font-weight="600"'
    return f'<g {font} fill="{colour}">{"".join(texts)}</g>'


def _walls(frame: Frame, plan: Layout, colour: str) -> str:
    wide, tall = plan.wide, plan.tall
    sides = {NORTH: (0, 0, wide, 0), EAST: (wide, 0, wide, tall), SOUTH: (0, tall, wide, tall), WEST: (0, 0, 0, tall)}
    lines: dict[str, None] = {}
    for cell, bits in enumerate(frame.edges):
        x, y = cell % frame.cols * wide, cell // frame.cols * tall
        for side, (x1, y1, x2, y2) in sides.items():
            if bits & side:
                lines[f"M{x + x1} {y + y1}L{x + x2} {y + y2}"] = None
    return f'<path d="{"".join(lines)}" {_pen(max(1.5, tall * 0.11), colour)}/>' if lines else ""


def cursor(frame: Frame, plan: Layout) -> str:
    """Return the line under the character that stands for the player, where the game asks nothing."""
    if not plan.text or frame.focus < 0 or frame.question is not None:
        return ""
    row, col = divmod(frame.focus, frame.cols)
    thick = max(1, round(plan.tall * 0.1))
    place = f'x="{col * plan.wide}" y="{(row + 1) * plan.tall - thick}" width="{plan.wide}" height="{thick}"'
    return f'<rect {place} fill="{CURSOR}"/>'
