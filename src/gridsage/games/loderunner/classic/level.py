"""Text <-> Level and options of the classic game. All complaints about bad input live here and in `files`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, OptionError, shown
from gridsage.core.options import note
from gridsage.games.loderunner.classic.layout import COLS, GOLD, GUARD, MOST_GUARDS, ROWS, RUNNER

SIGNS = ".#@H-XS$0&"  # by code
ALSO = {" ": ".", "\t": "."}  # read as the sign beside it
CODES = {sign: code for code, sign in enumerate(SIGNS)}
MEANING = (
    "# brick, @ solid, H ladder, - bar, X false brick, S hidden ladder, $ gold, 0 guard, & runner, a dot or space empty"
)
COMMENT = ";"  # a line that starts so is not part of the map
MOST_TICKS = 30_000  # ticks are counted in 16 bits
LEVELS = Path(__file__).parent / "levels"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every rule option of the room."""

    ai: Annotated[Literal[3, 4], note("version of the guards: 3 lets a trapped one out after 51 ticks, 4 after 66")] = 4
    tick_cap: Annotated[int, note("ticks after which the game is lost")] = 15_000

    def __post_init__(self) -> None:
        if not 1 <= self.tick_cap <= MOST_TICKS:
            raise OptionError(f"tick_cap={self.tick_cap} is outside 1 to {MOST_TICKS}")


class Level(msgspec.Struct, frozen=True):
    """A map that can be played: sixteen rows of 28 signs with one runner."""

    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        """The level in its own text form."""
        return "\n".join(self.rows) + "\n"

    @property
    def codes(self) -> list[int]:
        """What stands in each cell, in reading order."""
        return [CODES[sign] for line in self.rows for sign in line]

    @property
    def runner(self) -> int:
        """The runner's cell."""
        return self.codes.index(RUNNER)

    @property
    def guards(self) -> list[int]:
        """The guards' cells, in moving order; of more than five the first ones stay away, as in the original."""
        return [cell for cell, code in enumerate(self.codes) if code == GUARD][-MOST_GUARDS:]

    @property
    def gold(self) -> list[int]:
        """The cells with gold."""
        return [cell for cell, code in enumerate(self.codes) if code == GOLD]


def parse(text: str, source: str = "level") -> Level:
    """Return the level drawn in `text`; a LevelError names the line, quotes it and says what was expected."""
    if "\0" in text:
        raise LevelError(
            f"{source} holds a NUL character at {text.index(chr(0)) + 1}: expected a map drawn with {MEANING}"
        )
    numbered = list(enumerate(text.lstrip("\ufeff").splitlines(), 1))
    lines = [(number, line) for number, line in numbered if not line.startswith(COMMENT)]
    while lines and not lines[0][1].strip() and len(lines) > ROWS:
        del lines[0]
    while lines and not lines[-1][1].strip() and len(lines) > ROWS:
        del lines[-1]
    if not any(line.strip() for _, line in lines):
        raise LevelError(f"{source} is empty: expected a map drawn with {MEANING}")
    _check_size(lines, source)
    rows = tuple(_row(number, line, source) for number, line in lines)
    _check_runner(rows, lines, source)
    return Level(rows)


def _check_size(lines: list[tuple[int, str]], source: str) -> None:
    widest = max(len(line) for _, line in lines)
    if len(lines) != ROWS:
        raise LevelError(
            f"{source} has {counted(len(lines), 'row')} of up to {counted(widest, 'cell')}, "
            f"expected {ROWS} rows of {COLS}"
        )
    for number, line in lines:
        if len(line.rstrip()) > COLS:
            raise LevelError(
                f"{source}: line {number} has {counted(len(line), 'cell')}, expected {COLS}: {shown(line)}"
            )
    if widest < COLS:
        raise LevelError(f"{source} has rows of at most {counted(widest, 'cell')}, expected {COLS}")


def _row(number: int, line: str, source: str) -> str:
    """Return a row of 28 signs; cells left out at its end are empty."""
    plain = "".join(ALSO.get(sign, sign) for sign in line.rstrip()).ljust(COLS, SIGNS[0])
    for col, sign in enumerate(plain, 1):
        if sign not in CODES:
            raise LevelError(f"{source}: line {number}, column {col} has {sign!r}, expected one of {MEANING}")
    return plain


def _check_runner(rows: tuple[str, ...], lines: list[tuple[int, str]], source: str) -> None:
    sign = SIGNS[RUNNER]
    places = [
        f"line {lines[row][0]}, column {col}"
        for row, line in enumerate(rows)
        for col, found in enumerate(line, 1)
        if found == sign
    ]
    if len(places) != 1:
        where = ": " + ", ".join(places) if places else ""
        raise LevelError(f"{source} has {len(places)} runners ({sign}), expected one{where}")


def to_text(text: str) -> str:
    """Return the level in its own text form, without remarks."""
    return parse(text).text


def to_spaces(text: str) -> str:
    """Return the level as packs of the original write it: empty cells are spaces."""
    return parse(text).text.replace(SIGNS[0], " ")
