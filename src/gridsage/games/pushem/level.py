"""Position text <-> Level, and the options of a game; all complaints about them live here.

A position is eight lines of eight cells (`.` ground, `#` abyss, `x` a pawn of First, `o` of Second, `X` and `O` frozen
ones), row 8 on top, and before them, if wanted, lines such as `turn: second`, `ply: 12`, `first: bomb swap`,
`second: -`, `reversed: yes`. Hands that are not written are dealt from the seed. `;` begins a comment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, OptionError, shown, unknown
from gridsage.core.options import note

SIZE = 8
SYMBOLS = ".#xoXO"
SEATS = ("first", "second")
CARD_NAMES = (
    "replay",
    "sleep",
    "reverse",
    "shinigami",
    "propaganda",
    "freeze",
    "jump",
    "bomb",
    "swap",
    "abysses",
)
HEADERS = ("turn", "ply", "first", "second", "reversed")


@dataclass(frozen=True, slots=True)
class Level:
    """A position to start from. Hands of None are dealt from the seed."""

    first: int
    second: int
    abyss: int
    frozen: int
    turn: int = 0
    ply: int = 0
    first_hand: int | None = None
    second_hand: int | None = None
    reversed: int = 0


@dataclass(frozen=True, slots=True)
class Preset:
    """When the rings crack and when pawns are counted."""

    rings: tuple[int, ...]  # plies, outer ring first
    last_ply: int


PRESETS = {"r1": Preset((30, 50, 70), 120), "classic": Preset((30, 50), 80)}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule options of Push'em All."""

    preset: Annotated[Literal["r1", "classic"], note("classic: two rings crack, pawns are counted at ply 80")] = "r1"
    cards: Annotated[int, note("cards in a hand", ge=0, le=10)] = 3
    hands: Annotated[Literal["same", "different"], note("whether both hold the same cards")] = "same"
    deal: Annotated[str, note("the cards themselves, such as bomb+swap; empty: dealt from the seed")] = ""
    opening: Annotated[int, note("random steps, without cards, before the game begins", ge=0, le=20)] = 0

    def __post_init__(self) -> None:
        if self.deal:
            parse_hand(self.deal.replace("+", " "), "option deal")


def parse_hand(text: str, where: str) -> int:
    """The bits of the cards named in `text`, separated by spaces; `-` is an empty hand."""
    hand = 0
    for name in text.split():
        if name == "-":
            continue
        if name not in CARD_NAMES:
            raise OptionError(f"{where}: {unknown('card', name, CARD_NAMES)}")
        bit = 1 << CARD_NAMES.index(name)
        if hand & bit:
            raise OptionError(f"{where}: the card {name} is named twice; each card is held once")
        hand |= bit
    return hand


def parse(text: str) -> Level:
    """The position written in `text`; a LevelError names the line and the cell that cannot be read."""
    headers: dict[str, int | None] = {}
    rows: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition(";")[0].strip()
        if not line:
            continue
        if ":" in line:
            if rows:
                raise LevelError(f"line {number}: {shown(line)} stands after the board; write it before the board")
            _read_header(line, number, headers)
        else:
            rows.append((number, line))
    boards = _read_board(rows)
    first, second = boards["x"] | boards["X"], boards["o"] | boards["O"]
    if not first or not second:
        raise LevelError(f"{SEATS[bool(first)]} has no pawn: a position needs at least one x and one o")
    return Level(
        first=first,
        second=second,
        abyss=boards["#"],
        frozen=boards["X"] | boards["O"],
        turn=headers.get("turn") or 0,
        ply=headers.get("ply") or 0,
        first_hand=headers.get("first"),
        second_hand=headers.get("second"),
        reversed=headers.get("reversed") or 0,
    )


def _read_header(line: str, number: int, headers: dict[str, int | None]) -> None:
    key, _, value = (part.strip() for part in line.partition(":"))
    if key not in HEADERS:
        raise LevelError(f"line {number}: {unknown('entry', key, HEADERS)}")
    if key in headers:
        raise LevelError(f"line {number}: {shown(key)} is written twice")
    if key == "turn":
        headers[key] = _choice(value, SEATS, number, key)
    elif key == "reversed":
        headers[key] = _choice(value, ("no", "yes"), number, key)
    elif key == "ply":
        if not (value.isascii() and value.isdigit() and len(value) <= 3):
            raise LevelError(f"line {number}: ply is {shown(value)}, expected a number from 0 to 999")
        headers[key] = int(value)
    else:
        try:
            headers[key] = parse_hand(value.replace(",", " "), f"line {number}")
        except OptionError as error:
            raise LevelError(str(error)) from None


def _choice(value: str, words: tuple[str, str], number: int, key: str) -> int:
    if value not in words:
        raise LevelError(f"line {number}: {key} is {shown(value)}, expected {words[0]} or {words[1]}")
    return words.index(value)


def _read_board(rows: list[tuple[int, str]]) -> dict[str, int]:
    """A bitboard for every symbol."""
    boards = dict.fromkeys(SYMBOLS, 0)
    for row, (number, line) in enumerate(rows):
        if row == SIZE:
            raise LevelError(f"line {number}: the board has more than {SIZE} rows: {shown(line)}")
        if len(line) != SIZE:
            raise LevelError(f"line {number} has {counted(len(line), 'cell')}, expected {SIZE}: {shown(line)}")
        for col, symbol in enumerate(line):
            if symbol not in boards:
                place = f"{'abcdefgh'[col]}{SIZE - row}"
                raise LevelError(
                    f"line {number}, cell {place}: {symbol!r} is none of {' '.join(SYMBOLS)}: {shown(line)}"
                )
            boards[symbol] |= 1 << (row * SIZE + col)
    if len(rows) < SIZE:
        raise LevelError(f"the board has {counted(len(rows), 'row')}, expected {SIZE}")
    return boards


def board_text(first: int, second: int, abyss: int, frozen: int) -> str:
    """Eight lines of eight symbols, row 8 on top."""
    symbols = []
    for cell in range(SIZE * SIZE):
        bit = 1 << cell
        symbol = "x" if first & bit else "o" if second & bit else "#" if abyss & bit else "."
        symbols.append(symbol.upper() if frozen & bit else symbol)
    return "\n".join("".join(symbols[row * SIZE : (row + 1) * SIZE]) for row in range(SIZE)) + "\n"


def write(level: Level) -> str:
    """The text of a position; `parse` reads it back to an equal Level."""
    lines = [f"turn: {SEATS[level.turn]}", f"ply: {level.ply}"]
    for seat, hand in zip(SEATS, (level.first_hand, level.second_hand), strict=True):
        if hand is not None:
            names = [name for number, name in enumerate(CARD_NAMES) if hand >> number & 1]
            lines.append(f"{seat}: {' '.join(names) or '-'}")
    if level.reversed:
        lines.append("reversed: yes")
    return "\n".join([*lines, board_text(level.first, level.second, level.abyss, level.frozen)])
