"""Frames in the terminal: one character per cell, walls between cells as lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gridsage.core.frame import Frame
from gridsage.core.game import Thoughts

if TYPE_CHECKING:
    from rich.text import Text

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
PATH_STYLE = "on grey30"
Glyphs = Mapping[str, tuple[str, str]]


def draw(frame: Frame, glyphs: Glyphs, thoughts: Thoughts | None = None) -> Text:
    """Return the frame as rich text: the board, then one line of status words."""
    from rich.text import Text

    marked = set(thoughts.path) if thoughts is not None else set()
    cells = [_glyph(name, glyphs) for name in frame.cells]
    for entity in frame.entities:
        cells[entity.row * frame.cols + entity.col] = _glyph(entity.sprite, glyphs)
    text = Text()
    if frame.question is not None and frame.question.kind == "menu":  # it begins on the line above the board
        text.append("\n".join(frame.above) + "\n")
    for row in range(frame.rows):
        if frame.edges:
            text.append(_edge_line(frame, row) + "\n", "dim")
        _append_row(text, frame, row, cells, marked)
    if frame.edges:
        text.append(_edge_line(frame, frame.rows) + "\n", "dim")
    text.append("  ".join(f"{key} {value}" for key, value in frame.status.items()) + "\n", "bold")
    if thoughts is not None and thoughts.text:
        text.append(thoughts.text + "\n", "italic")
    return text


def _append_row(text: Text, frame: Frame, row: int, cells: list[tuple[str, str]], marked: set[int]) -> None:
    for col in range(frame.cols):
        cell = row * frame.cols + col
        character, style = cells[cell]
        style = f"{style} {PATH_STYLE}" if cell in marked else style
        if frame.edges:
            text.append("│" if _has_edge(frame, row, col, WEST) else " ", "dim")
            character = f" {character} "
        text.append(character, style)
    if frame.edges:
        text.append("│" if _has_edge(frame, row, frame.cols - 1, EAST) else " ", "dim")
    text.append("\n")


def _glyph(sprite: str, glyphs: Glyphs) -> tuple[str, str]:
    if sprite.startswith("text:"):
        _, character, colour = sprite.split(":", 2) if sprite[5:6] != ":" else ("text", ":", sprite[7:])
        return character, colour
    return glyphs.get(sprite, (sprite[:1], ""))


def _has_edge(frame: Frame, row: int, col: int, side: int) -> bool:
    """Return True if a wall stands on that side, written on either of the two cells that it separates."""
    if frame.edges[row * frame.cols + col] & side:
        return True
    drow, dcol, opposite = {NORTH: (-1, 0, SOUTH), SOUTH: (1, 0, NORTH), WEST: (0, -1, EAST), EAST: (0, 1, WEST)}[side]
    row, col = row + drow, col + dcol
    return 0 <= row < frame.rows and 0 <= col < frame.cols and bool(frame.edges[row * frame.cols + col] & opposite)


def _edge_line(frame: Frame, row: int) -> str:
    """Return the line of walls above `row`."""
    line = []
    for col in range(frame.cols):
        wall = _has_edge(frame, row, col, NORTH) if row < frame.rows else _has_edge(frame, row - 1, col, SOUTH)
        line.append("·" + ("───" if wall else "   "))
    return "".join(line) + "·"
