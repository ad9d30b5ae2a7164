"""Games that people recorded in ports of the classic game: keys with their ticks, and the chances they met."""

from __future__ import annotations

import itertools
import json

import msgspec

from gridsage.core.complaints import in_words
from gridsage.core.errors import LevelError
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.layout import DIG_LEFT, DIG_RIGHT, DOWN, LEFT, NONE, RIGHT, UP

# Key codes of browsers: arrows, or letters beside each other, and the keys that dig.
KEY_CODES = {
    **dict.fromkeys((38, 73, 87), UP),
    **dict.fromkeys((40, 75, 83), DOWN),
    **dict.fromkeys((37, 74, 65), LEFT),
    **dict.fromkeys((39, 76, 68), RIGHT),
    **dict.fromkeys((90, 89, 85, 81, 188), DIG_LEFT),
    **dict.fromkeys((88, 79, 69, 190), DIG_RIGHT),
    32: NONE,
}
BY_COLUMN, BY_CELL = 1, 2  # how cells of rebirth are written


class Recording(msgspec.Struct, frozen=True):
    """A recorded game: where keys change, when it is won, and the chances in the order they were met."""

    level: int
    ai: int
    time: int
    presses: tuple[tuple[int, int], ...]  # tick, key
    carries: tuple[int, ...]  # steps that gold was carried
    births: tuple[int, ...]  # framed cells of rebirth


class _Line(msgspec.Struct):
    level: int
    ai: int
    time: int
    action: list[int]
    goldDrop: list[int] = []  # noqa: N815 (the file's own words)
    bornPos: list[int] = []  # noqa: N815


def read_recordings(text: str, source: str) -> list[Recording]:
    """Return the recordings in a text with one JSON object per line; a LevelError names the line that is wrong."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{source}: line {number}"
        try:
            found.append(_recording(msgspec.convert(json.loads(line), _Line), where))
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            raise LevelError(f"{where} is no recording: {in_words(error)}") from None
    if not found:
        raise LevelError(f"{source} holds no recordings")
    return found


def _recording(line: _Line, where: str) -> Recording:
    if line.ai not in (3, 4):
        raise LevelError(f"{where} has ai {line.ai}, expected 3 or 4")
    if len(line.action) % 2:
        raise LevelError(f"{where} has {len(line.action)} numbers in `action`, expected pairs of tick and key")
    pairs = list(zip(line.action[::2], line.action[1::2], strict=True))
    for (before, _), (tick, _) in itertools.pairwise(pairs):
        if tick <= before:
            raise LevelError(f"{where} has tick {tick} after tick {before}: ticks must grow")
    for tick, code in pairs:
        if code not in KEY_CODES:
            raise LevelError(f"{where} has key {code} at tick {tick}, expected one of {sorted(KEY_CODES)}")
    presses = tuple((tick, KEY_CODES[code]) for tick, code in pairs)
    return Recording(line.level, line.ai, line.time, presses, tuple(line.goldDrop), _births(line.bornPos, where))


def _births(numbers: list[int], where: str) -> tuple[int, ...]:
    """Return the framed cells of rebirth: columns of row 1 in the first form, columns and rows in the second."""
    if not numbers:
        return ()
    form, rest = numbers[0], numbers[1:]
    if form == BY_COLUMN:
        cells = [(1, col) for col in rest]
    elif form == BY_CELL and len(rest) % 2 == 0:
        cells = [(row, col) for col, row in zip(rest[::2], rest[1::2], strict=True)]
    else:
        raise LevelError(f"{where} has bornPos {numbers[:3]}..., expected 1 and columns, or 2 and columns with rows")
    for row, col in cells:
        if not (0 <= row < layout.ROWS and 0 <= col < layout.COLS):
            raise LevelError(f"{where} has a rebirth in row {row}, column {col}: outside the board")
    return tuple(layout.framed(row * layout.COLS + col) for row, col in cells)
