"""Frames in the terminal: one character per cell, walls between cells as lines."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from gridsage.core.frame import Frame
from gridsage.core.game import Thoughts
from gridsage.core.picture import EAST, WEST, Glyphs, edge_line, glyph, has_edge

if TYPE_CHECKING:
    from rich.text import Text

PATH_STYLE = "on grey30"


def draw(frame: Frame, glyphs: Glyphs, thoughts: Thoughts | None = None) -> Text:
    """Return the frame as rich text: the board, then one line of status words."""
    from rich.text import Text

    marked = set(thoughts.path) if thoughts is not None else set()
    cells = [glyph(name, glyphs) for name in frame.cells]
    for entity in frame.entities:
        cells[entity.row * frame.cols + entity.col] = glyph(entity.sprite, glyphs)
    text = Text()
    if frame.question is not None and frame.question.kind == "menu":  # it begins on the line above the board
        text.append("\n".join(frame.above) + "\n")
    for row in range(frame.rows):
        if frame.edges:
            text.append(edge_line(frame, row) + "\n", "dim")
        _append_row(text, frame, row, cells, marked)
    if frame.edges:
        text.append(edge_line(frame, frame.rows) + "\n", "dim")
    text.append("  ".join(f"{key} {value}" for key, value in frame.status.items()) + "\n", "bold")
    if thoughts is not None and thoughts.text:
        text.append(thoughts.text + "\n", "italic")
    return text


def _append_row(text: Text, frame: Frame, row: int, cells: list[tuple[str, str]], marked: set[int]) -> None:
    pieces: list[tuple[str, str]] = []
    for col in range(frame.cols):
        cell = row * frame.cols + col
        character, style = cells[cell]
        style = f"{style} {PATH_STYLE}" if cell in marked else style
        if frame.edges:
            pieces.append(("│" if has_edge(frame, row, col, WEST) else " ", "dim"))
            character = f" {character} "
        pieces.append((character, style))
    if frame.edges:
        pieces.append(("│" if has_edge(frame, row, frame.cols - 1, EAST) else " ", "dim"))
    for style, run in groupby(pieces, key=itemgetter(1)):  # a style is sent once, not with every character
        text.append("".join(character for character, _ in run), style)
    text.append("\n")
