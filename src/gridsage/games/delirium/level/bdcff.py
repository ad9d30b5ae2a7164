"""BDCFF cave files read as levels of the mine. What the mine does not have is listed in warnings, never dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError
from gridsage.games.delirium.level.cells import (
    BLUE,
    CLAY,
    DIAMOND,
    EXIT,
    MAGIC,
    MAX_SIDE,
    MINER,
    NO_LIMIT,
    RED,
    STONE,
    STURDY,
    VOID,
    WALL,
    Level,
)
from gridsage.games.delirium.level.filler import filled_by_bounds, filler_numbers
from gridsage.games.delirium.level.text import closed_gallery, whole_number

ELEMENTS = {
    "SPACE": VOID,
    "DIRT": CLAY,
    "DIRT2": CLAY,
    "BOULDER": STONE,
    "BOULDERf": STONE,
    "DIAMOND": DIAMOND,
    "DIAMONDf": DIAMOND,
    "WALL": STURDY,
    "STEELWALL": WALL,
    "MAGICWALL": MAGIC,
    "INBOX": MINER,
    "OUTBOX": EXIT,
    "OUTBOXopen": EXIT,
    "HIDDENOUTBOX": EXIT,
}
# Fireflies leave nothing, as red monsters; butterflies leave diamonds, as blue ones.
MONSTER_NAMES = {"FIREFLY": RED, "BUTTERFLY": BLUE}
LETTERS = {
    " ": "SPACE",
    ".": "DIRT",
    "r": "BOULDER",
    "d": "DIAMOND",
    "w": "WALL",
    "W": "STEELWALL",
    "M": "MAGICWALL",
    "P": "INBOX",
    "X": "OUTBOX",
    "H": "HIDDENOUTBOX",
    "a": "AMOEBA",
    "s": "SLIME",
    "x": "HEXPANDINGWALL",
    "v": "VEXPANDINGWALL",
    **dict.fromkeys("qQoO", "FIREFLY"),
    **dict.fromkeys("bBcC", "BUTTERFLY"),
}
STAND_IN = {
    "EXPANDINGWALL": STURDY,
    "HEXPANDINGWALL": STURDY,
    "VEXPANDINGWALL": STURDY,
    "SLIME": STURDY,
    "AMOEBA": CLAY,
}
INSIDE_CAVE = ("map", "objects", "replay", "highscore", "demo")
SECTION = re.compile(r"^\[(/?)([A-Za-z]+)(?:=[^\]]*)?\]$")
TICKS_A_SECOND = 8  # where the file tells no frame time
DEFAULT_SIZE = (40, 22)
OBJECT_NUMBERS = {"Point": 2, "Line": 4, "Rectangle": 4, "FillRect": 4, "Raster": 6, "Join": 2, "Add": 2}


@dataclass
class CaveText:
    """One [cave] section as it stands in the file, with lines, before it is judged."""

    line: int
    properties: dict[str, tuple[int, str]] = field(default_factory=dict)
    rows: list[tuple[int, str]] = field(default_factory=list)
    objects: list[tuple[int, str]] = field(default_factory=list)
    replays: list[dict[str, tuple[int, str]]] = field(default_factory=list)
    end: int = 0  # the last line
    missing: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)

    def byte(self, name: str, line: int, count: int = 1) -> int:
        """The cell of an element; one the mine lacks is counted and stood in for."""
        if name in ELEMENTS:
            return ELEMENTS[name]
        for start, kind in MONSTER_NAMES.items():
            if name.upper().startswith(start):
                return kind
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
            raise LevelError(f"line {line}: {name[:30]!r} is no element; known: {', '.join(ELEMENTS)}")
        self.missing[name] += count
        return STAND_IN.get(name, CLAY)

    def seed(self, difficulty: int) -> int:
        """The seed of the filler; the last one that is given counts for all further difficulties."""
        seeds = self.numbers("RandSeed", [0])
        return max(0, seeds[min(difficulty, len(seeds) - 1)])

    def numbers(self, key: str, default: list[int]) -> list[int]:
        """The numbers of a property; where the five difficulties differ, the first is the easiest."""
        if key not in self.properties:
            return default
        line, words = self.properties[key]
        return [whole_number(word, key, -1, 1_000_000, f"line {line}") for word in words.split()] or default


Cave = TypeVar("Cave", bound=CaveText)


def read_bdcff(text: str) -> list[tuple[str, Level, list[str]]]:
    """Every cave of the file: its name, the level, and warnings."""
    caves = scan(text, CaveText)
    if not caves:
        raise LevelError("line 1: no [cave] section: this is not a BDCFF file of caves")
    return [_level(cave, number) for number, cave in enumerate(caves, 1)]


def scan(text: str, kind: Callable[[int], Cave], first: int = 1) -> list[Cave]:
    """Return the [cave] sections of a file.

    Args:
        first: the number of the first line, of a text that is a part of a file.
    """
    caves: list[Cave] = []
    section = ""
    for number, raw in enumerate(text.splitlines(), first):
        line = raw.rstrip("\r\n")
        match = SECTION.match(line.strip())
        if match:
            closing, name = match[1], match[2].lower()
            if name == "cave" and not closing:
                caves.append(kind(number))
            elif name == "replay" and not closing and caves:
                caves[-1].replays.append({"": (number, "")})
            section = ("cave" if name in INSIDE_CAVE else "") if closing else name
        elif caves and section:
            _note_line(caves[-1], section, number, line)
        if caves and section:
            caves[-1].end = number
    return caves


def _note_line(cave: CaveText, section: str, number: int, line: str) -> None:
    if section == "map":
        cave.rows.append((number, line))
    elif not line.strip() or line.startswith(";"):
        return
    elif section == "objects":
        cave.objects.append((number, line.strip()))
    elif section in ("cave", "replay"):
        key, equals, value = line.partition("=")
        if not equals:
            raise LevelError(f"line {number}: {line[:40]!r} is no Key=value")
        target = cave.properties if section == "cave" else cave.replays[-1]
        if section == "replay" and key.strip() in target:
            first = target[key.strip()][0]
            raise LevelError(
                f"line {number}: a second {key.strip()[:30]}, expected one in a [replay]; line {first} has it"
            )
        target[key.strip()] = (number, value.strip())


def _level(cave: CaveText, number: int) -> tuple[str, Level, list[str]]:
    name = cave.properties.get("Name", (0, f"cave {number}"))[1] or f"cave {number}"
    cols, rows = [*cave.numbers("Size", list(DEFAULT_SIZE)), *DEFAULT_SIZE][:2]
    if not (1 <= cols <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
        line = cave.properties["Size"][0]
        raise LevelError(f"line {line}: Size {cols} {rows}: expected columns and rows from 1 to {MAX_SIDE}")
    grid = _drawn(cave, rows, cols) if cave.rows else filled_grid(cave, rows, cols)
    for line, words in cave.objects:
        draw_object(cave, grid, line, words)
    needed = max(0, cave.numbers("DiamondsRequired", [0])[0])
    for element, count in sorted(cave.missing.items()):
        stand_in = {STURDY: "sturdy wall", CLAY: "clay"}[STAND_IN.get(element, CLAY)]
        cave.warnings.append(f"line {cave.line}: {name}: {element} is not known here, {stand_in} in {count} places")
    gallery = closed_gallery(name, grid, needed, _ticks(cave), cave.line)
    return name, Level((gallery,)), cave.warnings


def _ticks(cave: CaveText) -> int:
    """Seconds of the cave as ticks of its frame time."""
    seconds = cave.numbers("CaveTime", [0])[0]
    if seconds <= 0:
        return NO_LIMIT
    frame = cave.numbers("FrameTime", [0])[0]
    return seconds * 1000 // frame if frame > 0 else seconds * TICKS_A_SECOND


def _drawn(cave: CaveText, rows: int, cols: int) -> list[list[int]]:
    lines = [(number, line) for number, line in cave.rows if line.strip() or len(cave.rows) <= rows]
    if len(lines) != rows:
        where = cave.rows[0][0]
        cave.warnings.append(
            f"line {where}: the map has {counted(len(lines), 'row')}, Size says {rows}: the map is believed"
        )
    grid = []
    for number, line in lines:
        if len(line) > cols:
            cave.warnings.append(f"line {number}: {counted(len(line), 'cell')}, Size says {cols}: the rest is dropped")
        row = []
        for symbol in line[:cols].ljust(cols):
            if symbol not in LETTERS:
                cave.missing[f"'{symbol}'"] += 1
                row.append(CLAY)
            else:
                row.append(cave.byte(LETTERS[symbol], number))
        grid.append(row)
    return grid


def filled_grid(cave: CaveText, rows: int, cols: int, difficulty: int = 0) -> list[list[int]]:
    """Return the cave as the filler of 1984 makes it, with its border."""
    fill_line, fill = cave.properties.get("RandomFill", (cave.line, ""))
    words = fill.split()
    if len(words) % 2:
        raise LevelError(f"line {fill_line}: RandomFill {fill[:60]!r}: expected pairs of an element and a number")
    bounds = [
        (cave.byte(name, fill_line, 0), whole_number(word, name, 0, 256, f"line {fill_line}"))
        for name, word in zip(words[::2], words[1::2], strict=True)
    ]
    first = cave.byte(cave.properties.get("InitialFill", (0, "DIRT"))[1], cave.line, 0)
    seed = cave.seed(difficulty)
    grid = filled_by_bounds(rows, cols, filler_numbers(seed), bounds, first)
    border = cave.byte(cave.properties.get("InitialBorder", (0, "STEELWALL"))[1], cave.line, 0)
    for row, line in enumerate(grid):
        for col in range(cols):
            if row in (0, rows - 1) or col in (0, cols - 1):
                line[col] = border
    return grid


def draw_object(cave: CaveText, grid: list[list[int]], line: int, text: str) -> None:
    """Draw one line of [objects] into the grid."""
    kind, equals, rest = text.partition("=")
    words = rest.split()
    count = OBJECT_NUMBERS.get(kind)
    if not equals or count is None or len(words) <= count:
        cave.warnings.append(f"line {line}: the object {text[:40]!r} is not known here and not drawn")
        return
    lowest = -MAX_SIDE
    numbers = [whole_number(word, kind, lowest, MAX_SIDE, f"line {line}") for word in words[:count]]
    names = words[count:]
    if kind in ("Join", "Add"):
        _join(cave, grid, line, numbers, names)
        return
    bytes_ = [cave.byte(name, line, 0) for name in names[:2]]
    for name in names[:1]:
        if name in cave.missing:
            cave.missing[name] += 1
    cells: dict[tuple[int, int], int] = {}
    if kind == "Point":
        cells[numbers[1], numbers[0]] = bytes_[0]
    elif kind == "Line":
        cells.update(dict.fromkeys(line_cells(*numbers), bytes_[0]))
    elif kind == "Raster":
        col, row, wide, high, step_col, step_row = numbers
        cells.update({(row + r * step_row, col + c * step_col): bytes_[0] for r in range(high) for c in range(wide)})
    else:
        cells.update(rectangle_cells(kind, numbers, bytes_))
    for (row, col), byte in cells.items():
        if 0 <= row < len(grid) and 0 <= col < len(grid[0]):
            grid[row][col] = byte


def rectangle_cells(kind: str, numbers: list[int], bytes_: list[int]) -> dict[tuple[int, int], int]:
    """Return the cells of a rectangle and what is drawn into each."""
    left, top, right, bottom = numbers
    cells = {}
    for row in range(top, bottom + 1):
        for col in range(left, right + 1):
            on_edge = row in (top, bottom) or col in (left, right)
            if on_edge:
                cells[row, col] = bytes_[0]
            elif kind == "FillRect":
                cells[row, col] = bytes_[-1]
    return cells


def line_cells(col: int, row: int, to_col: int, to_row: int) -> list[tuple[int, int]]:
    """Return the cells of a straight line."""
    steps = max(abs(to_col - col), abs(to_row - row), 1)
    return [
        (row + round(step * (to_row - row) / steps), col + round(step * (to_col - col) / steps))
        for step in range(steps + 1)
    ]


def _join(cave: CaveText, grid: list[list[int]], line: int, shift: list[int], names: list[str]) -> None:
    """Put the second element at a distance from every first one."""
    if len(names) < 2:
        cave.warnings.append(f"line {line}: Join needs two elements and is not drawn")
        return
    first, second = (cave.byte(name, line, 0) for name in names[:2])
    places = [(r, c) for r, row in enumerate(grid) for c, byte in enumerate(row) if byte == first]
    for row, col in places:
        row, col = row + shift[1], col + shift[0]
        if 0 <= row < len(grid) and 0 <= col < len(grid[0]):
            grid[row][col] = second
