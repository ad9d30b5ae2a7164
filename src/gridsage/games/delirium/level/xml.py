"""The platform's XML maps, dirty as people wrote them: what can be understood is read, each repair with its line."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError
from gridsage.games.delirium.level.cells import (
    BLACK,
    BLUE,
    BORDER,
    CLAY,
    DIAMOND,
    EXIT,
    GREEN,
    KIND_MASK,
    MAGIC,
    MAX_SIDE,
    MAX_STRENGTH,
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
)
from gridsage.games.delirium.level.text import MAX_TICKS, closed_gallery, parse, whole_number

WORDS = {
    "": VOID,
    ".": CLAY,
    "Diam": DIAMOND,
    "Stone": STONE,
    "Exit": EXIT,
    "Avatar1": MINER,
    "M1": BLUE,
    "M2": RED,
    "M3": GREEN,
    "M4": YELLOW,
    "M5": PURPLE,
    "M6": BLACK,
    "Wall": WALL,
    "SlW1": WALL,  # the platform's two solid walls: nothing breaks them
    "SlW2": WALL,
    "MagicWall": MAGIC,
}
# Other spellings of the same things; each use is a warning.
SPELLINGS = {word.lower(): word for word in WORDS} | {
    "avatar": "Avatar1",
    "diamond": "Diam",
    "diams": "Diam",
    "rock": "Stone",
    "w": "Wall",
    "iw": "Wall",
    "s1w1": "SlW1",  # a one that was meant as a letter
    "s1w2": "SlW2",
    "magic": "MagicWall",
    "clay": ".",
    "grass": ".",
    "_": "",
}
STURDY_WORD = re.compile(r"^StW([1-4])?$", re.IGNORECASE)
CLEAN_STURDY = re.compile(r"^StW[1-4]?$")
TAG = re.compile(r"<(/?)\s*([A-Za-z]+)((?:\s+[A-Za-z]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>")
ATTRIBUTE = re.compile(r"([A-Za-z]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
COMMENTS = re.compile(r"<!--.*?-->", re.DOTALL)
GATEWAY = re.compile(r"^\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*$")
DOWN = ("Down", "0,1", "")
DIFFICULTIES = ("Easy", "Medium", "Hard")


@dataclass
class _Block:
    """One set of goals: `<Parameters>` or, in older files, `<Infos>` for a difficulty."""

    difficulty: str
    line: int
    time: str | None = None
    time_line: int = 0
    gather: str | None = None
    gather_line: int = 0


@dataclass
class _File:
    """Everything found in the file, with lines, before it is judged."""

    name: str = ""
    size: dict[str, tuple[int, str]] = field(default_factory=dict)
    map_line: int = 0
    rows: list[tuple[int, str]] = field(default_factory=list)
    gateways: list[tuple[int, str]] = field(default_factory=list)
    blocks: list[_Block] = field(default_factory=list)
    sturdiness: tuple[int, str] | None = None
    warnings: list[str] = field(default_factory=list)

    def warn(self, line: int, text: str) -> None:
        self.warnings.append(f"line {line}: {text}")


def read_xml(text: str, difficulty: str = "Easy") -> tuple[Level, list[str]]:
    """The level of an XML map and a warning with its line for everything that had to be repaired."""
    found = _scan(text)
    if not found.map_line:
        raise LevelError("line 1: no <Map Name=... Width=... Height=...>: this is not a map of the platform")
    if not found.rows:
        raise LevelError(f"line {found.map_line}: no rows in <Data>: expected one quoted row of cells a line")
    grid = _grid(found)
    _place_miner(found, grid)
    needed, time = _goals(found, difficulty)
    gallery = closed_gallery(found.name or "unnamed", _framed(grid), needed, time, found.rows[0][0])
    return Level((gallery,)), found.warnings


def write_xml(text: str) -> str:
    """A level in our text form as the platform's XML; a scenario becomes one map after another."""
    return "\n".join(_map_xml(gallery) for gallery in parse(text).galleries)


def _scan(text: str) -> _File:
    """Collect tags and quoted lines; an unclosed quote or tag is repaired where its meaning is clear."""
    found = _File()
    text = COMMENTS.sub(lambda match: "\n" * match[0].count("\n"), text)
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        rest, end = line.strip().lstrip("\ufeff"), 0
        for tag in TAG.finditer(rest):
            _note_text(found, number, inside, rest[end : tag.start()].strip())
            closing, name, end = tag[1], tag[2], tag.end()
            if inside == "Data" and name != "Data":
                raise LevelError(f"line {number}: <Data> is not closed before {tag[0][:40]!r}; add </Data> above")
            if closing:
                inside = ""
            else:
                if name in ("Data", "Gateways") and not tag[4]:
                    inside = name
                _note_tag(found, number, name, _attributes(tag[3]))
        _note_text(found, number, inside, rest[end:].strip())
    if inside == "Data":
        raise LevelError(f"line {found.rows[-1][0] if found.rows else 1}: <Data> is not closed; add </Data> after it")
    return found


def _note_text(found: _File, line: int, inside: str, text: str) -> None:
    """Keep what stands between tags as a row or a gateway, or say why it is nothing of the kind."""
    if not text:
        return
    if inside in ("Data", "Gateways"):
        target = found.rows if inside == "Data" else found.gateways
        target.append((line, _unquoted(found, line, text)))
    elif text.startswith("<") and not text.startswith(("<?", "<!")):
        raise LevelError(f'line {line}: broken tag {text[:60]!r}; expected <Name Key="value">')
    elif not text.startswith("<"):
        found.warn(line, f"text outside of <Data> and <Gateways> is ignored: {text[:40]!r}")


def _attributes(text: str) -> dict[str, str]:
    return {
        match[1]: html.unescape(match[2] if match[2] is not None else match[3]) for match in ATTRIBUTE.finditer(text)
    }


def _note_tag(found: _File, line: int, name: str, attributes: dict[str, str]) -> None:
    if name == "Map":
        if found.map_line:
            raise LevelError(f"line {line}: a second <Map>; one file holds one map, split it")
        found.map_line, found.name = line, attributes.get("Name", "").strip()
        found.size = {key: (line, attributes[key]) for key in ("Width", "Height") if key in attributes}
    elif name in ("Parameters", "Infos"):
        found.blocks.append(_Block(attributes.get("GameDifficulty", "Easy"), line))
    elif name in ("Goals", "Goal"):
        if not found.blocks:
            found.blocks.append(_Block("Easy", line))
            found.warn(line, f"<{name}> outside of <Parameters> is taken for every difficulty")
        _note_goal(found, found.blocks[-1], line, name, attributes)
    elif name == "Gravity" and attributes.get("Direction", "") not in DOWN:
        found.warn(line, f"gravity {attributes['Direction']!r} is not known here, things fall down")
    elif name == "Item" and attributes.get("Name") == "StW" and "Sturdiness" in attributes:
        found.sturdiness = (line, attributes["Sturdiness"])


def _note_goal(found: _File, block: _Block, line: int, name: str, attributes: dict[str, str]) -> None:
    if name == "Goals":
        if attributes.get("Player", "1") == "1":
            block.time, block.time_line = attributes.get("Time", block.time), line
    elif attributes.get("Item", "Diam") != "Diam":
        found.warn(line, f"the goal to gather {attributes['Item']!r} is ignored, only Diam can be gathered")
    elif block.gather is not None:
        found.warn(line, f"a second goal is ignored; the first one gathers {block.gather}")
    else:
        block.gather, block.gather_line = attributes.get("Gather"), line


def _unquoted(found: _File, line: int, text: str) -> str:
    if len(text) >= 2 and text[0] == '"' and text[-1] == '"':
        return text[1:-1]
    found.warn(line, f"the row is not in quotes: {text[:40]!r}")
    return text.strip('"')


def _side(found: _File, key: str, seen: int) -> int:
    if key not in found.size:
        found.warn(found.map_line, f"<Map> has no {key}, the data have {seen}")
        return seen
    line, word = found.size[key]
    return whole_number(word, key, 1, MAX_SIDE - 2, f"line {line}")


def _grid(found: _File) -> list[list[int]]:
    parts = [(line, row.split(",")) for line, row in found.rows]
    width = _side(found, "Width", max(len(words) for _, words in parts))
    height = _side(found, "Height", len(parts))
    if len(parts) > height:
        found.warn(
            parts[height][0],
            f"{counted(len(parts), 'row')}, Height is {height}: the last {len(parts) - height} are dropped",
        )
    if len(parts) < height:
        found.warn(parts[-1][0], f"{counted(len(parts), 'row')}, Height is {height}: void rows are added")
    strength = 1
    if found.sturdiness is not None:
        line, word = found.sturdiness
        strength = whole_number(word, "Sturdiness", 1, MAX_STRENGTH, f"line {line}")
    grid = []
    for line, words in parts[:height]:
        if len(words) > width:
            found.warn(
                line,
                f"the row has {counted(len(words), 'cell')}, Width is {width}: "
                f"the last {len(words) - width} are dropped",
            )
        if len(words) < width:
            found.warn(line, f"the row has {counted(len(words), 'cell')}, Width is {width}: void cells are added")
        row = [_byte(found, line, word.strip(), strength) for word in words[:width]]
        grid.append(row + [VOID] * (width - len(row)))
    return grid + [[VOID] * width for _ in range(height - len(grid))]


def _byte(found: _File, line: int, word: str, strength: int) -> int:
    if word in WORDS:
        return WORDS[word]
    match = STURDY_WORD.match(word)
    if match:
        if not CLEAN_STURDY.match(word):
            found.warn(line, f"{word!r} is read as StW{match[1] or ''}")
        return STURDY | (int(match[1]) if match[1] else strength) - 1 << STRENGTH_SHIFT
    if word.lower() in SPELLINGS:
        meant = SPELLINGS[word.lower()]
        found.warn(line, f"{word!r} is read as {meant or 'void'!r}")
        return WORDS[meant]
    if re.fullmatch(r"Avatar\d+", word, re.IGNORECASE):
        raise LevelError(f"line {line}: {word!r}: only one miner can be here; remove the other avatars")
    known = ", ".join([*(word for word in WORDS if word), "StW, StW1 to StW4"])
    raise LevelError(f"line {line}: unknown cell {word[:30]!r}; known: {known}, or nothing for void")


def _place_miner(found: _File, grid: list[list[int]]) -> None:
    """Where no avatar stands in the data, the first gateway inside the map is where the miner starts."""
    has_miner = any(MINER in row for row in grid)
    for line, text in found.gateways:
        match = GATEWAY.match(text)
        if not match:
            found.warn(line, f"the gateway {text[:30]!r} is not 'column,row' and is ignored")
            continue
        col, row = int(match[1]) - 1, int(match[2]) - 1
        if not (0 <= row < len(grid) and 0 <= col < len(grid[0])):
            found.warn(line, f"the gateway {text.strip()} lies outside of the map and is ignored")
        elif not has_miner:
            if grid[row][col] & KIND_MASK not in (VOID, CLAY):
                found.warn(line, f"the gateway {text.strip()} is not free: the miner takes the place of what is there")
            grid[row][col] = MINER
            has_miner = True
        elif grid[row][col] != MINER:
            found.warn(line, f"the gateway {text.strip()} is ignored: the miner starts elsewhere")


def _goals(found: _File, difficulty: str) -> tuple[int, int]:
    chosen = next((block for block in found.blocks if block.difficulty == difficulty), None)
    if chosen is None:
        if not found.blocks:
            found.warn(found.map_line, "no <Parameters> with goals: no diamond is needed and no time is set")
            return 0, NO_LIMIT
        chosen = found.blocks[0]
    if len({(block.time, block.gather) for block in found.blocks}) > 1:
        found.warn(chosen.line, f"the goals differ by difficulty, those of {chosen.difficulty!r} are taken")
    needed, time = 0, NO_LIMIT
    if chosen.gather is None:
        found.warn(chosen.line, 'no <Goal Gather=... Item="Diam">: no diamond is needed')
    else:
        needed = whole_number(chosen.gather, "Gather", 0, MAX_SIDE * MAX_SIDE, f"line {chosen.gather_line}")
    if chosen.time is not None:
        time = whole_number(chosen.time, "Time", NO_LIMIT, MAX_TICKS, f"line {chosen.time_line}")
        if time == 0:
            found.warn(chosen.time_line, "Time is 0 and taken as no limit")
            time = NO_LIMIT
    return needed, time


def _framed(grid: list[list[int]]) -> list[list[int]]:
    """The platform always adds its border outside."""
    side = [BORDER] * (len(grid[0]) + 2)
    return [side, *([BORDER, *row, BORDER] for row in grid), side]


def _map_xml(gallery: Gallery) -> str:
    """One map without its border; with an exit in the border, which XML cannot tell, the border is kept inside."""
    rows = [list(gallery.cells[row * gallery.cols :][: gallery.cols]) for row in range(gallery.rows)]
    edge = [*rows[0], *rows[-1], *(row[0] for row in rows), *(row[-1] for row in rows)]
    if all(byte == BORDER for byte in edge):
        rows = [row[1:-1] for row in rows[1:-1]]
    miner_row, miner_col = next((r, row.index(MINER)) for r, row in enumerate(rows) if MINER in row)
    words = {byte: word for word, byte in WORDS.items()} | {WALL: "Wall", BORDER: "Wall"}
    strong = {STURDY | s - 1 << STRENGTH_SHIFT: f"StW{s}" for s in range(1, MAX_STRENGTH + 1)}
    data = "\n".join('  "' + ",".join(f"{(words | strong)[byte]:>7}" for byte in row) + '"' for row in rows)
    return (
        f'<Map Name={quoteattr(gallery.name)} Width="{len(rows[0])}" Height="{len(rows)}">\n <Data>\n{data}\n </Data>\n'
        f' <Parameters GameDifficulty="Easy">\n  <Gravity Direction="Down" />\n'
        f'  <Gateways>\n    "{miner_col + 1},{miner_row + 1}"\n  </Gateways>\n  <Goals Time="{gallery.time}">\n'
        f'   <Goal Gather="{gallery.needed}" Item="Diam" Points="1" />\n  </Goals>\n </Parameters>\n</Map>\n'
    )
