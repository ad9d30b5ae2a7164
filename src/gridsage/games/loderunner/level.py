"""Text <-> Level, cell codes and options of Lode Runner. All complaints about bad input live here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, OptionError, shown
from gridsage.core.options import note
from gridsage.core.room.levels import NamedLevel

PATH, FLOOR, WALL, LADDER, CABLE, EXIT = range(6)  # what a cell is made of; things that move are kept apart
LETTERS = ".FWLCX"
CODES = {letter: code for code, letter in enumerate(LETTERS)} | {"B": PATH, "E": PATH, "R": PATH}
MEANING = "W wall, F floor, L ladder, C cable, . path, B bonus, E enemy, R runner, X exit"
COMMENT = ";"  # a line that starts so is not part of the map
MOST_CELLS = 4096  # the chase table has a byte for every pair of cells
MOST_TURNS = 30_000  # rounds are counted in 16 bits
MOST_BYTES = 1_000_000  # no level file is larger
LONGEST_NAME = 40  # characters of a remark that names a level
MOST_PLACES = 5  # that a complaint lists
CAPITALS = {ord(letter): letter.upper() for letter in "".join(CODES).lower()} | {ord(" "): ".", ord("\t"): "."}

LevelWarning = str


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every rule option of the room."""

    illegal: Annotated[Literal["death", "noop"], note("what an illegal action does")] = "death"
    turn_cap: Annotated[int, note("rounds after which the game is lost")] = 2000

    def __post_init__(self) -> None:
        if not 1 <= self.turn_cap <= MOST_TURNS:
            raise OptionError(f"turn_cap={self.turn_cap} is outside 1 to {MOST_TURNS}")


@dataclass(frozen=True)
class Level:
    """A map that can be played: closed by walls, with one runner and at least one exit."""

    rows: int
    cols: int
    cells: bytes  # one code per cell, row by row
    runner: int
    enemies: tuple[int, ...]  # in the order they move: reverse reading order
    bonuses: tuple[int, ...]  # reading order
    exit: int

    @cached_property
    def text(self) -> str:
        """The level in its own text form."""
        return draw(self)


def draw(
    level: Level,
    runner: int | None = None,
    enemies: tuple[int, ...] | None = None,
    bonuses: tuple[int, ...] | None = None,
) -> str:
    """The map as text, with runner, enemies and bonuses where they are said to be (at first: where they start)."""
    letters = [LETTERS[code] for code in level.cells]
    for cell in level.bonuses if bonuses is None else bonuses:
        letters[cell] = "B"
    for cell in level.enemies if enemies is None else enemies:
        letters[cell] = "E"
    letters[level.runner if runner is None else runner] = "R"
    lines = ("".join(letters[start : start + level.cols]) for start in range(0, len(letters), level.cols))
    return "\n".join(lines) + "\n"


def parse(text: str, source: str = "level") -> Level:
    """The level drawn in `text`; a LevelError names the line, quotes it and says what was expected."""
    lines = _map_lines(text, source)
    width = len(lines[0][1])
    for number, line in lines:
        if len(line) != width:
            raise LevelError(
                f"{source}: line {number} has {counted(len(line), 'cell')}, expected {width}: {shown(line)}"
            )
        for col, letter in enumerate(line, 1):
            if letter not in CODES:
                raise LevelError(f"{source}: line {number}, column {col} has {letter!r}, expected one of {MEANING}")
    _check_size(len(lines), width, source)
    _check_border(lines, source)
    places = _places(lines, width)
    _check_people(lines, places, width, source)
    cells = bytes(CODES[letter] for _, line in lines for letter in line)
    return Level(
        rows=len(lines),
        cols=width,
        cells=cells,
        runner=places["R"][0],
        enemies=tuple(reversed(places["E"])),
        bonuses=tuple(places["B"]),
        exit=places["X"][-1],  # of several the last in reading order counts
    )


def _places(lines: list[tuple[int, str]], width: int) -> dict[str, list[int]]:
    """The cells of runner, enemies, bonuses and exits, in reading order."""
    places: dict[str, list[int]] = {letter: [] for letter in "REBX"}
    for row, (_, line) in enumerate(lines):
        for col, letter in enumerate(line):
            if letter in places:
                places[letter].append(row * width + col)
    return places


def _map_lines(text: str, source: str) -> list[tuple[int, str]]:
    if len(text) > MOST_BYTES:
        raise LevelError(f"{source} has {counted(len(text), 'character')}: no level is larger than {MOST_BYTES:,}")
    numbered = [(number, line.rstrip()) for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1)]
    lines = [(number, line) for number, line in numbered if line and not line.startswith(COMMENT)]
    if not lines:
        raise LevelError(f"{source} is empty: expected a map drawn with {MEANING}")
    return lines


def _check_size(rows: int, cols: int, source: str) -> None:
    if rows < 3 or cols < 3:
        raise LevelError(
            f"{source} has {counted(rows, 'row')} of {counted(cols, 'cell')}: "
            "the smallest level is 3 x 3, walls included"
        )
    if rows * cols > MOST_CELLS:
        raise LevelError(
            f"{source} has {counted(rows, 'row')} of {counted(cols, 'cell')}: "
            f"at most {MOST_CELLS} cells in all can be played"
        )


def _check_border(lines: list[tuple[int, str]], source: str) -> None:
    for number, line in lines:
        edge = number in (lines[0][0], lines[-1][0])
        for col in range(1, len(line) + 1) if edge else (1, len(line)):
            if line[col - 1] != "W":
                raise LevelError(
                    f"{source}: line {number}, column {col} has {line[col - 1]!r} on the border, "
                    f"expected W (a level is closed by walls on all sides): {shown(line)}"
                )


def _check_people(lines: list[tuple[int, str]], places: dict[str, list[int]], width: int, source: str) -> None:
    if len(places["R"]) != 1:
        shown_places = places["R"][:MOST_PLACES]
        where = ", ".join(f"line {lines[cell // width][0]}, column {cell % width + 1}" for cell in shown_places)
        if len(places["R"]) > MOST_PLACES:
            where += f" and {len(places['R']) - MOST_PLACES} more"
        raise LevelError(f"{source} has {len(places['R'])} runners (R), expected one" + (f": {where}" if where else ""))
    if not places["X"]:
        raise LevelError(f"{source} has no exit (X): such a level cannot be won")


def read(path: Path) -> list[NamedLevel]:
    """The levels in a map file or a file of logged games, repaired where possible, with warnings."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LevelError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES and path.suffix != ".jsonl":
        raise LevelError(f"{path} has {counted(len(data), 'byte')}: no level is larger than {MOST_BYTES:,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LevelError(f"{path} is not text: byte {error.start} is {data[error.start]:#04x}") from None
    if path.suffix == ".jsonl":
        return _read_games(text, path)
    pack = _blocks(text)
    if len(pack) < 2:
        repaired, warnings = repair(text, str(path))
        return [NamedLevel(path.stem, repaired, tuple(warnings))]
    levels = []
    for number, (title, block) in enumerate(pack, 1):
        repaired, warnings = repair(block, str(path))
        levels.append(NamedLevel(level_name(title, f"{path.stem}-{number}"), repaired, tuple(warnings)))
    return levels


def level_name(title: str, otherwise: str) -> str:
    """Return what a remark over a map calls it; a whole sentence describes a level and is no name."""
    return title if title and len(title) <= LONGEST_NAME and not title.endswith((".", "!", "?")) else otherwise


def _blocks(text: str) -> list[tuple[str, str]]:
    """The maps of a pack, parted by empty lines, each named by its first comment; line numbers are kept."""
    blocks: list[tuple[str, str]] = []
    title, lines, first = "", [""], 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip():
            if line.startswith(COMMENT):
                title = title or line.lstrip(COMMENT).strip()
            lines.append(line)
            continue
        if any("R" in row.upper() for row in lines if not row.startswith(COMMENT)):
            blocks.append((title, "\n" * (first - 1) + "\n".join(lines[1:]) + "\n"))
            title = ""
        lines, first = [""], number + 1
    return blocks


def repair(text: str, source: str = "level") -> tuple[str, list[LevelWarning]]:
    """The text of a playable level and what had to be repaired: short rows, a missing border, unknown letters."""
    warnings: list[LevelWarning] = []
    if text and not text.endswith("\n"):
        warnings.append("the last line has no line end")
    lines = _map_lines(text, source)
    lines = _without_unknown_letters(lines, source, warnings)
    lines = _with_full_rows(lines, warnings)
    width = len(lines[0][1])
    _check_people(lines, _places(lines, width), width, source)  # here the lines still have their numbers in the file
    drawn = _with_border(lines, warnings)
    repaired = "\n".join(drawn) + "\n"
    level = parse(repaired, source)
    extra = sum(code == EXIT for code in level.cells) - 1
    if extra:
        warnings.append(f"{extra + 1} exits (X); only the last in reading order counts")
    return repaired, warnings


def _without_unknown_letters(
    lines: list[tuple[int, str]], source: str, warnings: list[LevelWarning]
) -> list[tuple[int, str]]:
    """Spaces are read as path and small letters as capitals; anything else is an error."""
    result = []
    for number, line in lines:
        plain = line.translate(CAPITALS)
        if plain != line:
            warnings.append(f"line {number}: spaces read as '.', small letters as capitals: {shown(line)}")
        for col, letter in enumerate(plain, 1):
            if letter not in CODES:
                raise LevelError(f"{source}: line {number}, column {col} has {letter!r}, expected one of {MEANING}")
        result.append((number, plain))
    return result


def _with_full_rows(lines: list[tuple[int, str]], warnings: list[LevelWarning]) -> list[tuple[int, str]]:
    width = max(len(line) for _, line in lines)
    result = []
    for number, line in lines:
        if len(line) < width:
            # Cells lost at a row's end: the last of them was the wall on the right, the others are taken as path.
            filled = line + "." * (width - len(line) - 1) + "W"
            warnings.append(f"line {number} has {counted(len(line), 'cell')} of {width}, filled up: {shown(line)}")
            line = filled
        result.append((number, line))
    return result


def _with_border(lines: list[tuple[int, str]], warnings: list[LevelWarning]) -> list[str]:
    def missing(side: str, cells: str, number: int) -> str:
        if set(cells) == {"W"}:
            return ""
        warnings.append(f"line {number}: the border {side} is not closed; walls (W) added there")
        return "W"

    drawn = [line for _, line in lines]
    left = missing("on the left", "".join(line[0] for line in drawn), _first_gap(lines, 0))
    right = missing("on the right", "".join(line[-1] for line in drawn), _first_gap(lines, -1))
    above = missing("above", drawn[0], lines[0][0])
    below = missing("below", drawn[-1], lines[-1][0])
    drawn = [left + line + right for line in drawn]
    wall = "W" * len(drawn[0])
    return [wall] * len(above) + drawn + [wall] * len(below)


def _first_gap(lines: list[tuple[int, str]], col: int) -> int:
    return next((number for number, line in lines if line[col] != "W"), lines[0][0])


def _read_games(text: str, path: Path) -> list[NamedLevel]:
    """The maps of a file of logged games, each once."""
    found: dict[str, NamedLevel] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            game = json.loads(line)
            rows = [str(row) for row in game["rows"]]
            name = str(game.get("map", f"line{number}"))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise LevelError(f"{path}: line {number} is no logged game: no JSON with a list of `rows`") from None
        repaired, warnings = repair("\n".join(rows) + "\n", f"{path}, game in line {number}")
        found.setdefault(repaired, NamedLevel(name, repaired, tuple(warnings)))
    if not found:
        raise LevelError(f"{path} holds no logged games")
    return list(found.values())


def to_map(text: str) -> str:
    """The level as the course engine reads it: the plain map without comments."""
    return parse(text).text


LEVELS = Path(__file__).parent / "levels"
