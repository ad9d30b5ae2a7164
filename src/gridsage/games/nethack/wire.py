"""A player's screen in NetHack, as data that JSON can hold: every field that crosses from the game's process."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from gridsage.core.room import Wire
from gridsage.games.nethack.level import COLS, ROWS
from gridsage.games.nethack.state import PACK_TEXT, RECORD, SCREEN_COLS, State

CHARACTERS = "latin-1"  # the game's bytes, one character each
STATS = "NetHack's status lines in the order of NLE's blstats: column, row, ..., depth, gold, ..., turn, hunger, ..."

Rows = tuple[tuple[int, ...], ...]


class Seen(msgspec.Struct, frozen=True):
    """One moment of a game: what the terminal shows and NLE's numbers for it."""

    step: Annotated[int, msgspec.Meta(description="keys pressed so far")]
    status: Annotated[int, msgspec.Meta(description="0 while the game runs")]
    prompt: Annotated[int, msgspec.Meta(description="0 none, 1 yes or no, 2 a line of text, 3 a menu")]
    folded: Annotated[int, msgspec.Meta(description="how many --More-- were passed over")]
    cursor: Annotated[tuple[int, int], msgspec.Meta(description="row and column on the screen")]
    stats: Annotated[tuple[int, ...], msgspec.Meta(description=STATS)]
    glyphs: Annotated[Rows, msgspec.Meta(description="NLE's glyph numbers, a list per row of the map")]
    chars: Annotated[tuple[str, ...], msgspec.Meta(description="the map, a line per row")]
    colors: Annotated[Rows, msgspec.Meta(description="the game's colours, 0 to 15, a list per row of the map")]
    message: Annotated[str, msgspec.Meta(description="what the game said since the last key, line by line")]
    death: str
    screen: Annotated[tuple[str, ...], msgspec.Meta(description="the terminal: menus and texts are only there")]
    pack_letters: Annotated[str, msgspec.Meta(description="the letter of each thing carried")]
    pack_classes: Annotated[tuple[int, ...], msgspec.Meta(description="the object class of each place in the pack")]
    pack_texts: Annotated[tuple[str, ...], msgspec.Meta(description="the words for each thing carried")]


def to_wire(state: State) -> Seen:
    """Return the moment as data."""
    record = np.frombuffer(state.data, RECORD, 1)[0]
    return Seen(
        step=state.step,
        status=int(record["status"]),
        prompt=int(record["prompt"]),
        folded=int(record["folded"]),
        cursor=(int(record["cursor"][0]), int(record["cursor"][1])),
        stats=tuple(record["stats"].tolist()),
        glyphs=tuple(map(tuple, record["glyphs"].tolist())),
        chars=_lines(record["chars"].tobytes(), COLS),
        colors=tuple(map(tuple, record["colors"].tolist())),
        message=bytes(record["message"]).decode(CHARACTERS),
        death=bytes(record["death"]).decode(CHARACTERS),
        screen=_lines(record["screen"].tobytes(), SCREEN_COLS),
        pack_letters=record["pack_letters"].tobytes().rstrip(b"\0").decode(CHARACTERS),
        pack_classes=tuple(record["pack_classes"].tolist()),
        pack_texts=tuple(text.rstrip("\0") for text in _lines(record["pack_texts"].tobytes().rstrip(b"\0"), PACK_TEXT)),
    )


def from_wire(seen: Seen) -> State:
    """Return the moment of the data."""
    record = np.zeros((), RECORD)
    for name in ("status", "prompt", "folded", "cursor", "stats", "glyphs", "colors", "pack_classes"):
        record[name] = getattr(seen, name)
    record["message"], record["death"] = seen.message.encode(CHARACTERS), seen.death.encode(CHARACTERS)
    record["chars"] = _codes("".join(seen.chars)).reshape(ROWS, COLS)
    record["screen"] = _codes("".join(seen.screen)).reshape(-1, SCREEN_COLS)
    record["pack_letters"][: len(seen.pack_letters)] = _codes(seen.pack_letters)
    for at, text in enumerate(seen.pack_texts):
        record["pack_texts"][at, : len(text)] = _codes(text)
    return State(record.tobytes(), seen.step)


def _lines(raw: bytes, width: int) -> tuple[str, ...]:
    text = raw.decode(CHARACTERS)
    return tuple(text[at : at + width] for at in range(0, len(text), width))


def _codes(text: str) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(text.encode(CHARACTERS), np.uint8)


WIRE = Wire(Seen, to_wire, from_wire)
