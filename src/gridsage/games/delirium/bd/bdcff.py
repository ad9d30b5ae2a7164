"""BDCFF caves with all that Boulder Dash parts 1 and 2 need to know of them; one [cave] section is a level's text."""

from __future__ import annotations

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError
from gridsage.games.delirium.bd.cells import (
    AMOEBA,
    BOULDER,
    BRICK,
    BUTTERFLY,
    DIAMOND,
    DIRT,
    EXIT_OPEN,
    EXIT_SHUT,
    FALLING_BOULDER,
    FALLING_DIAMOND,
    FIREFLY,
    GROWING_WALL,
    INBOX,
    MAGIC_WALL,
    SLIME,
    SPACE,
    STEEL,
)
from gridsage.games.delirium.bd.level import (
    DIFFICULTIES,
    DRAWN_SLIME_STATE,
    IN_A_MILLION,
    NTSC_SECOND,
    PACES,
    PAL_SECOND,
    Cave,
    Level,
)
from gridsage.games.delirium.level.bdcff import DEFAULT_SIZE, CaveText, draw_object, filled_grid, scan
from gridsage.games.delirium.level.cells import MAX_SIDE
from gridsage.games.delirium.level.filler import next_registers

ELEMENTS = {
    "SPACE": SPACE,
    "DIRT": DIRT,
    "WALL": BRICK,
    "STEELWALL": STEEL,
    "MAGICWALL": MAGIC_WALL,
    "OUTBOX": EXIT_SHUT,
    "OUTBOXopen": EXIT_OPEN,
    "BOULDER": BOULDER,
    "DIAMOND": DIAMOND,
    "BOULDERf": FALLING_BOULDER,
    "DIAMONDf": FALLING_DIAMOND,
    "AMOEBA": AMOEBA,
    "SLIME": SLIME,
    "HEXPANDINGWALL": GROWING_WALL,
    "INBOX": INBOX,
    **{f"FIREFLY{side}": FIREFLY + facing for facing, side in enumerate("lurd")},
    **{f"BUTTERFLY{side}": BUTTERFLY + facing for facing, side in enumerate("lurd")},
}
NAMES = {kind: name for name, kind in ELEMENTS.items()}
OTHER_NAMES = {"DIRT2": DIRT, "EXPANDINGWALL": GROWING_WALL, "FIREFLY": FIREFLY, "BUTTERFLY": BUTTERFLY + 3}
LETTERS = {
    " ": SPACE,
    ".": DIRT,
    "w": BRICK,
    "W": STEEL,
    "M": MAGIC_WALL,
    "X": EXIT_SHUT,
    "Y": EXIT_OPEN,
    "r": BOULDER,
    "d": DIAMOND,
    "R": FALLING_BOULDER,
    "D": FALLING_DIAMOND,
    "a": AMOEBA,
    "s": SLIME,
    "x": GROWING_WALL,
    "P": INBOX,
    **{letter: FIREFLY + facing for facing, letter in enumerate("QoqO")},
    **{letter: BUTTERFLY + facing for facing, letter in enumerate("CbcB")},
}
LETTER_OF = {kind: letter for letter, kind in LETTERS.items()}
HIDDEN_EXIT = "H"  # drawn as steel until it opens: to us an exit like any other
TRUTH = {"true": True, "1": True, "false": False, "0": False}
MOST_SECONDS = 100_000
AMOEBA_SHARE = 0.2273  # of all cells: 200 of 40x22
HATCH_SECONDS = 2
FIRST_TIME_VALUES = (1, 2, 3, 4, 5)
FILLERS = ("InitialFill", "InitialBorder", "RandomFill", "RandSeed")  # what draws a cave that has no map
HEAD = "[BDCFF]\nVersion=0.5\n\n[game]\nName={name}\nLevels=5\n\n"
FOOT = "[/game]\n[/BDCFF]\n"


class BoulderText(CaveText):
    """A [cave] section whose elements are those of Boulder Dash."""

    def byte(self, name: str, line: int, count: int = 1) -> int:
        """Return the kind of an element, or complain: a cave without one of its elements is another cave."""
        if name in ELEMENTS:
            return ELEMENTS[name]
        if name in OTHER_NAMES:
            return OTHER_NAMES[name]
        raise LevelError(f"line {line}: no element {name[:30]!r} in Boulder Dash; known: {', '.join(ELEMENTS)}")

    def number(self, key: str, default: int, difficulty: int, lowest: int = 0, highest: int = 1_000_000) -> int:
        """Return the number of a difficulty; the last that is given counts for all further ones."""
        given = self.numbers(key, [default])
        value = given[min(difficulty, len(given) - 1)]
        if not lowest <= value <= highest:
            raise LevelError(f"line {self.properties[key][0]}: {key} is {value}, expected {lowest} to {highest}")
        return value

    def chances(self, key: str, default: list[float]) -> list[int]:
        """Return chances in a million."""
        if key not in self.properties:
            return [round(chance * IN_A_MILLION) for chance in default]
        line, words = self.properties[key]
        found = []
        for word in words.split():
            try:
                chance = float(word)
            except ValueError:
                chance = -1.0
            if not 0 <= chance <= 1:
                raise LevelError(f"line {line}: {key} is {word[:20]!r}, expected a chance from 0 to 1")
            found.append(round(chance * IN_A_MILLION))
        return found or self.chances("", default)

    def truth(self, key: str, default: bool) -> bool:
        """Return a property that is true or false."""
        line, word = self.properties.get(key, (0, str(default)))
        if word.lower() not in TRUTH:
            raise LevelError(f"line {line}: {key} is {word[:20]!r}, expected true or false")
        return TRUTH[word.lower()]

    def pace(self) -> str:
        """Return how the cave's clock runs."""
        line, word = self.properties.get("CaveScheduling", (0, PACES[0]))
        if word.lower() not in PACES:
            raise LevelError(f"line {line}: CaveScheduling is {word[:20]!r}, expected one of {', '.join(PACES)}")
        return word.lower()


def parse(text: str, first: int = 1) -> Level:
    """Return the level in `text`, whose first line has that number, or a LevelError that names the line."""
    return parsed(text, first)[0]


def parsed(text: str, first: int = 1) -> tuple[Level, tuple[str, ...]]:
    """Return the level in `text`, whose first line has that number, and warnings for what had to be repaired."""
    caves = scan(text, BoulderText, first)
    if len(caves) != 1:
        raise LevelError(f"line 1: {len(caves)} [cave] sections, expected one: [cave], Key=value lines, [map], [/cave]")
    cave = caves[0]
    name = cave.properties.get("Name", (0, ""))[1] or "unnamed"
    made = tuple(_cave(cave, name, difficulty) for difficulty in range(DIFFICULTIES))
    return Level(name, made), tuple(dict.fromkeys(cave.warnings))


def sections(text: str) -> list[tuple[int, str]]:
    """Return the first line and the text of every cave of a file, without what belongs to other caves."""
    lines = text.splitlines()
    found = scan(text, BoulderText)
    if not found:
        raise LevelError("line 1: no [cave] section: this is not a BDCFF file of caves")
    return [(cave.line, "\n".join([*lines[cave.line - 1 : cave.end], "[/cave]"]) + "\n") for cave in found]


def write_bdcff(text: str) -> str:
    """Return a level's text as a whole BDCFF file."""
    return HEAD.format(name=parse(text).name) + text.strip("\n") + "\n\n" + FOOT


def with_map(text: str) -> str:
    """Return a level's text with its cave drawn as a [map], as it is at difficulty 1, where objects draw it."""
    cave = scan(text, BoulderText)[0]
    made = parse(text).caves[0]
    if cave.rows and not cave.objects:
        return text
    kept = [f"{key}={value}" for key, (_, value) in cave.properties.items() if key not in ("Size", *FILLERS)]
    return "\n".join(["[cave]", *kept, f"Size={made.cols} {made.rows}", *_map_lines(made), "[/cave]"]) + "\n"


def level_text(cave: Cave) -> str:
    """Return a cave as a [cave] section that reads back equal at every difficulty."""
    second = cave.second
    keys = {
        "Name": cave.name,
        "Intermission": str(cave.is_intermission).lower(),
        "Size": f"{cave.cols} {cave.rows}",
        "DiamondsRequired": cave.needed,
        "DiamondValue": f"{cave.value} {cave.extra_value}",
        "CaveTime": cave.time // second,
        "TimeValue": cave.second_value,
        "CaveScheduling": cave.pace,
        "PALTiming": str(second == PAL_SECOND).lower(),
        "CaveDelay": cave.delay,
        "FrameTime": cave.frame_ms,
        "MagicWallTime": cave.magic_time // second,
        "AmoebaTime": cave.amoeba_time // second,
        "AmoebaThreshold": f"{(cave.amoeba_max + 0.5) / cave.size:.6f}",
        "AmoebaGrowthProb": f"{cave.amoeba_slow / IN_A_MILLION:.6f} {cave.amoeba_fast / IN_A_MILLION:.6f}",
        "AmoebaProperties.immediately": str(cave.amoeba_at_once).lower(),
    }
    if cave.slime_predictable:
        keys["SlimePermeabilityC64"] = cave.slime_mask
    else:
        keys["SlimePermeability"] = f"{cave.slime_chance / IN_A_MILLION:.6f}"
    lines = [f"{key}={value}" for key, value in keys.items()]
    return "\n".join(["[cave]", *lines, *_map_lines(cave), "[/cave]"]) + "\n"


def _map_lines(cave: Cave) -> list[str]:
    letters = "".join(LETTER_OF[kind] for kind in cave.kinds)
    rows = [letters[start : start + cave.cols] for start in range(0, cave.size, cave.cols)]
    return ["[map]", *rows, "[/map]"]


def _cave(text: BoulderText, name: str, difficulty: int) -> Cave:
    grid, slime_state = _grid(text, difficulty)
    rows, cols = len(grid), len(grid[0])
    second = PAL_SECOND if text.truth("PALTiming", False) else NTSC_SECOND
    values = [*text.numbers("DiamondValue", [0]), 0]
    growth = text.chances("AmoebaGrowthProb", [0.03125, 0.25])
    share = text.chances("AmoebaThreshold", [AMOEBA_SHARE])[0]
    slime = text.chances("SlimePermeability", [1.0])
    pace = text.pace()
    return Cave(
        name=name,
        rows=rows,
        cols=cols,
        kinds=bytes(kind for row in grid for kind in row),
        needed=text.number("DiamondsRequired", 0, difficulty),
        value=values[0],
        extra_value=values[1] if len(values) > 2 else values[0],
        time=text.number("CaveTime", 999, difficulty, 1, MOST_SECONDS) * second,
        second=second,
        second_value=text.number("TimeValue", FIRST_TIME_VALUES[difficulty], difficulty),
        hatch=HATCH_SECONDS * second,
        pace=pace,
        delay=text.number("CaveDelay", 0, difficulty, 0, 1000),
        frame_ms=text.number("FrameTime", 150, difficulty, 1, 10_000),
        is_intermission=text.truth("Intermission", False),
        magic_time=text.number("MagicWallTime", 999, difficulty, 0, MOST_SECONDS) * second,
        amoeba_time=text.number("AmoebaTime", 0, difficulty, 0, MOST_SECONDS) * second,
        amoeba_max=share * rows * cols // IN_A_MILLION,
        amoeba_slow=growth[0],
        amoeba_fast=growth[-1],
        amoeba_at_once=text.truth("AmoebaProperties.immediately", pace != PACES[2]),
        slime_predictable="SlimePermeability" not in text.properties,
        slime_mask=text.number("SlimePermeabilityC64", 0, difficulty, 0, 255),
        slime_chance=slime[min(difficulty, len(slime) - 1)],
        slime_state=slime_state,
    )


def _grid(text: BoulderText, difficulty: int) -> tuple[list[list[int]], tuple[int, int]]:
    """Return the kinds, closed by steel, and the filler's registers when it has done its work."""
    cols, rows = [*text.numbers("Size", list(DEFAULT_SIZE)), *DEFAULT_SIZE][:2]
    if not (3 <= cols <= MAX_SIDE and 3 <= rows <= MAX_SIDE):
        line = text.properties["Size"][0]
        raise LevelError(f"line {line}: Size {cols} {rows}: expected columns and rows from 3 to {MAX_SIDE}")
    registers = DRAWN_SLIME_STATE
    if text.rows:
        grid = _drawn(text, rows, cols)
    else:
        grid = filled_grid(text, rows, cols, difficulty)
        registers = (0, text.seed(difficulty) & 0xFF)
        for _ in range((rows - 2) * cols):
            registers = next_registers(*registers)
    for line, words in text.objects:
        draw_object(text, grid, line, words)
    grid = _closed(text, grid)
    inboxes = [(r, c) for r, row in enumerate(grid) for c, kind in enumerate(row) if kind == INBOX]
    if len(inboxes) != 1:
        places = "".join(f", row {row} column {col}" for row, col in inboxes[:4])
        found = f"{counted(len(inboxes), 'inbox', 'inboxes')}{places}"
        line = text.rows[0][0] if text.rows else text.line
        raise LevelError(f"line {line}: {found}; expected one ('P' in a map), where Rockford is born")
    return grid, registers


def _drawn(text: BoulderText, rows: int, cols: int) -> list[list[int]]:
    lines = [(number, line) for number, line in text.rows if line.strip() or len(text.rows) <= rows]
    if len(lines) != rows:
        text.warnings.append(
            f"line {text.rows[0][0]}: the map has {counted(len(lines), 'row')}, Size says {rows}: the map is believed"
        )
    grid = []
    for number, line in lines:
        if len(line) > cols:
            raise LevelError(f"line {number} has {counted(len(line), 'cell')}, expected {cols}: {line[:60]!r}")
        for col, letter in enumerate(line, 1):
            if letter not in LETTERS and letter != HIDDEN_EXIT:
                known = "".join(LETTERS)
                raise LevelError(f"line {number} column {col}: unknown cell {letter!r}; known: {known!r}")
        grid.append([LETTERS.get(letter, EXIT_SHUT) for letter in line.ljust(cols)])
    if len(grid) < 3 or len(grid) > MAX_SIDE:
        raise LevelError(f"line {text.line}: {counted(len(grid), 'row')}; expected 3 to {MAX_SIDE}")
    return grid


def _closed(text: BoulderText, grid: list[list[int]]) -> list[list[int]]:
    """Return the grid with steel around it, unless its edge is steel and exit already."""
    edge = [*grid[0], *grid[-1], *(row[0] for row in grid), *(row[-1] for row in grid)]
    if all(kind in (STEEL, EXIT_SHUT, EXIT_OPEN) for kind in edge):
        return grid
    text.warnings.append(f"line {text.line}: the edge of the cave is not steel: steel is put around it")
    side = [STEEL] * (len(grid[0]) + 2)
    closed = [side, *([STEEL, *row, STEEL] for row in grid), side]
    if max(len(closed), len(side)) > MAX_SIDE:
        raise LevelError(f"line {text.line}: with steel around it the cave is larger than {MAX_SIDE} cells to a side")
    return closed
