"""Frames as pixels, cell by cell: every cell that looks like one before is not drawn again."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from gridsage.core.frame import Frame
from gridsage.core.game import Thoughts
from gridsage.pictures import raster, svg, thinking
from gridsage.pictures.svg import Layout, Stamp, Style

Pixels = NDArray[np.uint8]
Mover = tuple[Stamp, int, int]  # a sprite, and where it begins in pixels from the cell's left and top
# Ground, walls over it (0: none), what moves there, what an agent thinks of it (0: nothing), a cursor below.
Cell = tuple[Stamp, int, tuple[Mover, ...], int, bool]


class Mosaic:
    """Draws the frames of one game in one size; it remembers every cell that it has drawn."""

    def __init__(self, first: Frame, style: Style) -> None:
        self._style = style
        self._below = len(first.below) if style.lines and (first.above or first.below) else None
        self.plan = svg.layout(self._prepared(first), style)
        if self.plan.text:
            raster.require_font()
        self._stamps: dict[Stamp, Pixels] = {}  # (tall, wide, 4)
        self._overlays: dict[tuple[int, ...], NDArray[np.int32]] = {}  # by walls: the piece over every cell
        self._pieces: list[Pixels] = [np.zeros((self.plan.tall, self.plan.wide, 4), np.uint8)]
        self._known: dict[Cell, int] = {}
        self._thoughts: dict[bytes, int] = {}  # the pieces of thoughts by their pixels: most are met again
        self.tiles: list[Pixels] = []  # (tall, wide, 3), by number

    def _prepared(self, frame: Frame) -> Frame:
        return svg.prepared(frame, self._style, self._below)

    def numbers(self, frame: Frame, thoughts: Thoughts | None = None) -> NDArray[np.int32]:
        """Return the numbers of the tiles that show a frame, by row and column.

        Args:
            thoughts: what an agent saw in this position, drawn over it.
        """
        above = 1 if self._prepared(frame).rows > frame.rows else 0
        frame = self._prepared(frame)
        pieces, thought = self._overlay(frame), self._thought(frame, thoughts, above)
        movers = self._movers(frame)
        cursor = frame.focus if self.plan.text and frame.question is None else -1
        found = np.zeros((self.plan.rows, self.plan.cols), np.int32)
        for cell, name in enumerate(frame.cells):
            row, col = divmod(cell, frame.cols)
            if row >= self.plan.rows or col >= self.plan.cols:
                continue
            stamp = Stamp(name) if self.plan.text else Stamp(name, svg.variant(row, col))
            over = int(pieces[cell]), movers.get(cell, ()), int(thought[cell])
            found[row, col] = self._number((stamp, *over, cell == cursor))
        return found

    def pixels(self, numbers: NDArray[np.int32]) -> Pixels:
        """Return the picture that tiles make."""  # (height, width, 3), red green blue
        tiles = np.stack(self.tiles)
        return joined(tiles[numbers])

    def picture(self, frame: Frame) -> Pixels:
        """Return a frame as pixels: height, width, and red, green, blue."""
        return self.pixels(self.numbers(frame))

    def _movers(self, frame: Frame) -> dict[int, tuple[Mover, ...]]:
        """Return what moves over each cell; what is between two cells is seen in both."""
        wide, tall = self.plan.wide, self.plan.tall
        found: defaultdict[int, tuple[Mover, ...]] = defaultdict(tuple)
        for entity in frame.entities:
            x, y = round((entity.col + entity.col_part) * wide), round((entity.row + entity.row_part) * tall)
            for row in range(y // tall, -(-(y + tall) // tall)):
                for col in range(x // wide, -(-(x + wide) // wide)):
                    if 0 <= row < frame.rows and 0 <= col < frame.cols:
                        mover = (svg.stamp_of(entity), x - col * wide, y - row * tall)
                        found[row * frame.cols + col] += (mover,)
        return found

    def _overlay(self, frame: Frame) -> NDArray[np.int32]:
        """Return the numbers of the pieces of walls and coordinates over every cell, 0 where there is nothing."""
        if frame.edges not in self._overlays:
            self._overlays[frame.edges] = self._cut(frame, svg.overlay(frame, self.plan, self._style))
        return self._overlays[frame.edges]

    def _thought(self, frame: Frame, thoughts: Thoughts | None, above: int) -> NDArray[np.int32]:
        """Return the numbers of the pieces of thoughts over every cell; those that look the same are one piece."""
        drawn = "" if thoughts is None else thinking.drawn(thoughts, self.plan, above)
        numbers = self._cut(frame, drawn)
        for cell in np.flatnonzero(numbers):
            pixels = self._pieces[numbers[cell]].tobytes()
            numbers[cell] = self._thoughts.setdefault(pixels, int(numbers[cell]))
        return numbers

    def _cut(self, frame: Frame, drawn: str) -> NDArray[np.int32]:
        """Return the numbers of new pieces of something drawn over the whole board, 0 where it shows nothing."""
        numbers = np.zeros(frame.rows * frame.cols, np.int32)
        if not drawn:
            return numbers
        wide, tall = self.plan.wide, self.plan.tall
        size = f'width="{self.plan.width}" height="{self.plan.height}"'
        whole = raster.pixels(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawn}</svg>')
        for cell in range(len(numbers)):
            row, col = divmod(cell, frame.cols)
            piece = whole[row * tall : (row + 1) * tall, col * wide : (col + 1) * wide]
            if piece[..., 3].any():
                numbers[cell] = len(self._pieces)
                self._pieces.append(piece)
        return numbers

    def _number(self, cell: Cell) -> int:
        number = self._known.get(cell)
        if number is None:
            number = self._known[cell] = len(self.tiles)
            self.tiles.append(self._drawn(cell))
        return number

    def _drawn(self, cell: Cell) -> Pixels:
        stamp, piece, movers, thought, cursor = cell
        canvas = np.empty((self.plan.tall, self.plan.wide, 3), np.float32)
        canvas[:] = _rgb(svg.ground_colour(self.plan, self._style))
        _lay(canvas, self._stamp(stamp), 0, 0)
        if piece:
            _lay(canvas, self._pieces[piece], 0, 0)
        for mover, x, y in movers:
            _lay(canvas, self._stamp(mover), x, y)
        if thought:
            _lay(canvas, self._pieces[thought], 0, 0)
        if cursor:
            canvas[-max(1, round(self.plan.tall * 0.1)) :] = _rgb(svg.CURSOR)
        return np.rint(canvas).astype(np.uint8)

    def _stamp(self, stamp: Stamp) -> Pixels:
        if stamp not in self._stamps:
            self._stamps[stamp] = raster.pixels(_document(stamp, self.plan, self._style))
        return self._stamps[stamp]


def joined(tiles: Pixels) -> Pixels:
    """Return tiles by row and column as one picture."""  # (rows, cols, tall, wide, ...) -> (height, width, ...)
    rows, cols, tall, wide, *rest = tiles.shape
    return tiles.swapaxes(1, 2).reshape(rows * tall, cols * wide, *rest)


def _document(stamp: Stamp, plan: Layout, style: Style) -> str:
    size = f'width="{plan.wide}" height="{plan.tall}" viewBox="{svg.box(plan)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{svg.content(stamp, plan, style)}</svg>'


def _lay(canvas: NDArray[np.float32], picture: Pixels, x: int, y: int) -> None:
    """Lay a picture with its transparency over a canvas of the same size, moved by some pixels."""
    tall, wide = canvas.shape[:2]
    part = picture[max(0, -y) : tall - y, max(0, -x) : wide - x]
    under = canvas[max(0, y) : max(0, y) + part.shape[0], max(0, x) : max(0, x) + part.shape[1]]
    alpha = part[..., 3:].astype(np.float32) / 255
    under += (part[..., :3] - under) * alpha


def _rgb(colour: str) -> tuple[int, int, int]:
    """`#10141d` as three numbers."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
