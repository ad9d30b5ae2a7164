"""A frame in plain text: as a board, one character per cell, and as words that name every piece and its square."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from gridsage.core.amounts import counted
from gridsage.core.frame import Frame

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
TEXT = "text:"  # begins the sprites that are characters: `text:<character>:<colour>`
_BEYOND = {NORTH: (-1, 0, SOUTH), SOUTH: (1, 0, NORTH), WEST: (0, -1, EAST), EAST: (0, 1, WEST)}
_SIDES = {NORTH: "north", WEST: "west", SOUTH: "south", EAST: "east"}

Glyphs = Mapping[str, tuple[str, str]]


def board(frame: Frame, glyphs: Glyphs) -> str:
    """Return the board with its walls, the lines above and below it, and the status; every line ends."""
    lines = list(frame.above)
    for row, letters in enumerate(cell_rows(frame, glyphs)):
        if frame.edges:
            lines.append(edge_line(frame, row))
        lines.append(_row(frame, row, letters))
    if frame.edges:
        lines.append(edge_line(frame, frame.rows))
    if frame.coordinates[0]:
        lines.append(f"  {frame.coordinates[0]}")
    lines += [*frame.below, "  ".join(f"{key} {value}" for key, value in frame.status.items())]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def cell_rows(frame: Frame, glyphs: Glyphs) -> list[list[str]]:
    """Return the characters of the cells, row by row, with those who stand on them."""
    letters = [glyph(sprite, glyphs)[0] for sprite in frame.cells]
    for entity in frame.entities:
        letters[entity.row * frame.cols + entity.col] = glyph(entity.sprite, glyphs)[0]
    return [letters[at : at + frame.cols] for at in range(0, len(letters), frame.cols)]


def words(frame: Frame, called: Callable[[str], str]) -> str:
    """Return the frame for somebody who cannot see it: a sentence, then every kind of piece with all its squares.

    Args:
        called: what people call a sprite.
    """
    usual = Counter(frame.cells).most_common(1)[0][0]
    size = f"The board has {counted(frame.rows, 'row')} and {counted(frame.cols, 'column')}"
    origin = "." if frame.coordinates[0] else ", counted from 0 at the top left."
    lines = [frame.text, *frame.above, f"{size}{origin} Squares that are not named are {called(usual)}."]
    movers: dict[str, list[int]] = {}
    for entity in frame.entities:
        movers.setdefault(called(entity.sprite), []).append(entity.row * frame.cols + entity.col)
    lines += [f"On the board, {name}: {_squares(frame, cells)}." for name, cells in movers.items()]
    ground: dict[str, list[int]] = {}
    for cell, sprite in enumerate(frame.cells):
        if sprite != usual:
            ground.setdefault(called(sprite), []).append(cell)
    lines += [f"Ground, {name}: {_squares(frame, cells)}." for name, cells in ground.items()]
    lines += [f"Walls on the {side} side of: {_squares(frame, cells)}." for side, cells in _walls(frame) if cells]
    lines += [f"{key}: {value}" for key, value in frame.status.items()]
    if frame.question is not None:
        answers = "; ".join(f"{key}: {meaning}" for key, meaning in frame.question.answers)
        lines.append(f"Question: {frame.question.words} {answers}".rstrip())
    return "\n".join([*lines, *frame.below]) + "\n"


def glyph(sprite: str, glyphs: Glyphs) -> tuple[str, str]:
    """Return the character and the terminal style of a sprite."""
    if sprite.startswith(TEXT):
        return sprite[len(TEXT)], sprite[len(TEXT) + 2 :]
    return glyphs.get(sprite, (sprite[:1], ""))


def has_edge(frame: Frame, row: int, col: int, side: int) -> bool:
    """Return True if a wall stands on that side, written on either of the two cells it parts."""
    if frame.edges[row * frame.cols + col] & side:
        return True
    drow, dcol, opposite = _BEYOND[side]
    row, col = row + drow, col + dcol
    return 0 <= row < frame.rows and 0 <= col < frame.cols and bool(frame.edges[row * frame.cols + col] & opposite)


def edge_line(frame: Frame, row: int) -> str:
    """Return the line of walls above `row`."""
    line = []
    for col in range(frame.cols):
        wall = has_edge(frame, row, col, NORTH) if row < frame.rows else has_edge(frame, row - 1, col, SOUTH)
        line.append("·" + ("───" if wall else "   "))
    return "".join(line) + "·"


def _row(frame: Frame, row: int, letters: list[str]) -> str:
    if not frame.edges:
        name = f"{frame.coordinates[1][row]} " if frame.coordinates[1] else ""
        return name + "".join(letters)
    walls = ["│" if has_edge(frame, row, col, WEST) else " " for col in range(frame.cols)]
    last = "│" if has_edge(frame, row, frame.cols - 1, EAST) else " "
    return "".join(f"{wall} {letter} " for wall, letter in zip(walls, letters, strict=True)) + last


def _walls(frame: Frame) -> list[tuple[str, list[int]]]:
    """Each wall once: those north and west of a cell, and the far sides of the last row and column."""
    if not frame.edges:
        return []
    found: dict[int, list[int]] = {side: [] for side in _SIDES}
    for cell in range(frame.rows * frame.cols):
        row, col = divmod(cell, frame.cols)
        last = {SOUTH: row == frame.rows - 1, EAST: col == frame.cols - 1}
        for side, cells in found.items():
            if last.get(side, True) and has_edge(frame, row, col, side):
                cells.append(cell)
    return [(_SIDES[side], cells) for side, cells in found.items()]


def _squares(frame: Frame, cells: Iterable[int]) -> str:
    """`c3, d4` where cells have names; `row 3 column 4; row 5 columns 0 to 7` elsewhere."""
    ordered = sorted(cells)
    if frame.coordinates[0]:
        return ", ".join(
            frame.coordinates[0][cell % frame.cols] + frame.coordinates[1][cell // frame.cols] for cell in ordered
        )
    runs: list[list[int]] = []
    for cell in ordered:
        if runs and cell == runs[-1][1] + 1 and cell % frame.cols:
            runs[-1][1] = cell
        else:
            runs.append([cell, cell])
    return "; ".join(_run(first, last, frame.cols) for first, last in runs)


def _run(first: int, last: int, cols: int) -> str:
    row, col = divmod(first, cols)
    return f"row {row} column {col}" if first == last else f"row {row} columns {col} to {last % cols}"
