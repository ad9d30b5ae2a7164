"""Our own plain text of a level: a few `key: value` lines and the map, galleries divided by `===`."""

from __future__ import annotations

import re

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, shown
from gridsage.games.delirium.level.cells import (
    BLACK,
    BLUE,
    BORDER,
    CLAY,
    DIAMOND,
    EXIT,
    GREEN,
    KIND_MASK,
    KIND_NAMES,
    MAGIC,
    MAX_SIDE,
    MINER,
    NO_LIMIT,
    PURPLE,
    RED,
    STONE,
    STRENGTH_SHIFT,
    STURDY,
    VOID,
    WALL,
    YELLOW,
    Gallery,
    Level,
    Options,
)

DIVIDER = "==="
COMMENT = "//"
SYMBOLS = {
    " ": VOID,
    "_": VOID,
    ".": CLAY,
    "d": DIAMOND,
    "o": STONE,
    "#": WALL,
    "s": STURDY,
    **{str(strength): STURDY | strength - 1 << STRENGTH_SHIFT for strength in range(1, 5)},
    "m": MAGIC,
    "X": EXIT,
    "@": MINER,
    "b": BLUE,
    "r": RED,
    "g": GREEN,
    "y": YELLOW,
    "p": PURPLE,
    "k": BLACK,
}
DRAWN = {byte: symbol for symbol, byte in SYMBOLS.items() if symbol not in "_1"} | {BORDER: "#"}
KEYS = ("name", "diamonds", "time")
MAX_TICKS = 1_000_000
BLAST_CELLS = 9  # what an explosion can fill
HEADER = re.compile(r"^\s*([A-Za-z]+)\s*:\s*(.*?)\s*$")
LEGEND = ", ".join(f"{symbol!r} {KIND_NAMES[SYMBOLS[symbol] & KIND_MASK]}" for symbol in " .do#smX@brgypk")


def parse(text: str) -> Level:
    """The level in `text`, or a LevelError that names the line."""
    galleries: list[Gallery] = []
    lines: list[tuple[int, str]] = []
    first = 1
    numbered = list(enumerate(text.splitlines(), 1))
    for number, line in [*numbered, (len(numbered) + 1, DIVIDER)]:
        if line.strip() == DIVIDER:
            galleries.append(_gallery(lines, first, len(galleries) + 1))
            lines, first = [], number + 1
        else:
            lines.append((number, line))
    return Level(tuple(galleries))


def level_text(level: Level) -> str:
    """The text form of a level; parsing it again gives the same level."""
    return f"{DIVIDER}\n".join(_gallery_text(gallery) for gallery in level.galleries)


def drawn(cells: bytes, rows: int, cols: int) -> list[str]:
    """The map as lines of text."""
    symbols = [DRAWN.get(byte, "?") for byte in cells]
    return ["".join(symbols[row * cols : (row + 1) * cols]) for row in range(rows)]


def closed_gallery(name: str, grid: list[list[int]], needed: int, time: int, line: int, source: str = "") -> Gallery:
    """A gallery from rows of cell bytes: a wall is put around it unless its edge is wall and exit already.

    Args:
        line: where the map begins, for complaints.
    """
    where = f"{source}line {line}"
    rows, cols = len(grid), len(grid[0]) if grid else 0
    if rows == 0 or cols == 0:
        raise LevelError(f"{where}: no map; expected rows of cells such as '#@.d X#'")
    edge = [*grid[0], *grid[-1], *(row[0] for row in grid), *(row[-1] for row in grid)]
    if not all(byte in (WALL, BORDER, EXIT) for byte in edge):
        side = [BORDER] * (cols + 2)
        grid = [side, *([BORDER, *row, BORDER] for row in grid), side]
        rows, cols = rows + 2, cols + 2
    if rows > MAX_SIDE or cols > MAX_SIDE:
        raise LevelError(
            f"{where}: the map has {counted(rows, 'row')} and {counted(cols, 'column')} with its border, "
            f"at most {MAX_SIDE} each"
        )
    last = (rows - 1, cols - 1)
    cells = bytearray(byte for row in grid for byte in row)
    for cell, byte in enumerate(cells):
        row, col = divmod(cell, cols)
        on_edge = row in (0, last[0]) or col in (0, last[1])
        if byte in (WALL, BORDER):
            cells[cell] = BORDER if on_edge else WALL
    miners = [divmod(cell, cols) for cell, byte in enumerate(cells) if byte == MINER]
    if not miners:
        raise LevelError(f"{where}: no miner in the map; put one '@' (Avatar1 or a gateway in XML) where he starts")
    if len(miners) > 1:
        places = ", ".join(f"row {row} column {col}" for row, col in miners[:4])
        raise LevelError(
            f"{where}: {counted(len(miners), 'miner')} ({places}); exactly one is allowed, remove the others"
        )
    return Gallery(name, rows, cols, bytes(cells), needed, time)


def doubts(gallery: Gallery, options: Options | None = None) -> list[str]:
    """Return why the gallery can never be won, as far as counting tells; nothing if nothing is wrong."""
    found = []
    kinds = [byte & KIND_MASK for byte in gallery.cells]
    if EXIT not in kinds:
        found.append("there is no exit: it cannot be won; put an 'X' (Exit in XML) into the map")
    most, sources = _most_diamonds(kinds, options or Options())
    if gallery.needed > most:
        found.append(
            f"it asks for {counted(gallery.needed, 'diamond')}, {sources}: it cannot be won; ask for at most {most}"
        )
    return found


def _most_diamonds(kinds: list[int], options: Options) -> tuple[int, str]:
    """Return more diamonds than can ever be collected, or as many, and where they come from, in words."""
    lying, stones, blue = kinds.count(DIAMOND), kinds.count(STONE), kinds.count(BLUE)
    if not lying + stones:
        return 0, "none lies in the map, and nothing that could fall on a monster" if blue else "none lies in the map"
    most, words = lying + BLAST_CELLS * blue, [f"{lying} {'lies' if lying == 1 else 'lie'} in the map"]
    if blue:
        words.append(f"{counted(blue, 'blue monster')} can leave {BLAST_CELLS} each")
    if magic := kinds.count(MAGIC):
        if options.magic_wall == "turns":
            most += stones + BLAST_CELLS * kinds.count(GREEN)
            words.append(f"magic walls can turn {counted(most - lying - BLAST_CELLS * blue, 'stone')}")
        else:
            words.append(f"{counted(magic, 'inert magic wall')} (magic_wall=turns wakes them)")
    return most, " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def whole_number(word: str, what: str, lowest: int, highest: int, where: str) -> int:
    """The number in `word`, or a LevelError that says what was expected."""
    try:
        value = int(word)
    except ValueError:
        raise LevelError(
            f"{where}: {what} is {word[:40]!r}, expected a whole number from {lowest} to {highest}"
        ) from None
    if not lowest <= value <= highest:
        raise LevelError(f"{where}: {what} is {value}, expected {lowest} to {highest}")
    return value


def _gallery(lines: list[tuple[int, str]], first: int, number: int) -> Gallery:
    header: dict[str, tuple[int, str]] = {}
    rows: list[tuple[int, str]] = []
    for line_number, line in lines:
        if line.lstrip().startswith(COMMENT) or (not line.strip() and not rows):
            continue
        match = HEADER.match(line)
        if match and not rows:
            key = match[1].lower()
            if key not in KEYS:
                raise LevelError(f"line {line_number}: unknown key {shown(key)}; known: {', '.join(KEYS)}")
            header[key] = (line_number, match[2])
        else:
            rows.append((line_number, line.rstrip("\r\n")))
    while rows and not rows[-1][1].strip():
        rows.pop()
    name = header.get("name", (0, f"gallery {number}"))[1]
    line_number, word = header.get("diamonds", (first, "0"))
    needed = whole_number(word, "diamonds", 0, MAX_SIDE * MAX_SIDE, f"line {line_number}")
    line_number, word = header.get("time", (first, str(NO_LIMIT)))
    time = whole_number(word, "time", NO_LIMIT, MAX_TICKS, f"line {line_number}")
    if time == 0:
        raise LevelError(f"line {line_number}: time is 0: the game would be over at once; -1 means no limit")
    grid = _grid(rows)
    return closed_gallery(name, grid, needed, time, rows[0][0] if rows else first)


def _grid(rows: list[tuple[int, str]]) -> list[list[int]]:
    grid = []
    width = len(rows[0][1].rstrip()) if rows else 0
    for line_number, line in rows:
        text = line.rstrip() if len(line) > width else line
        if len(text) > width or (len(text) < width and line.rstrip() and rows[0][1].strip("#") == ""):
            raise LevelError(f"line {line_number} has {counted(len(text), 'cell')}, expected {width}: {line[:60]!r}")
        for col, symbol in enumerate(text):
            if symbol not in SYMBOLS:
                raise LevelError(f"line {line_number} column {col + 1}: unknown symbol {symbol!r}; known: {LEGEND}")
        grid.append([SYMBOLS[symbol] for symbol in text.ljust(width)])
    return grid


def _gallery_text(gallery: Gallery) -> str:
    header = [f"name: {gallery.name}", f"diamonds: {gallery.needed}", f"time: {gallery.time}"]
    return "\n".join([*header, *drawn(gallery.cells, gallery.rows, gallery.cols)]) + "\n"
