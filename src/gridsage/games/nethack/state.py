"""One moment of a NetHack game: a copied observation of everything that crosses from the game's process."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack.level import COLS, ROWS

STATS = 27
MESSAGE_BYTES = 1024
SCREEN_ROWS, SCREEN_COLS = 24, 80
PACK, PACK_TEXT = 55, 80

# Every field that crosses the pipe after a key; a test holds this list. All of it is on a player's screen.
RECORD = np.dtype(
    [
        ("status", "u1"),
        ("prompt", "u1"),
        ("folded", "u1"),  # how many --More-- were passed over
        ("cursor", "u1", (2,)),
        ("reserved", "u1", (3,)),  # keeps the numbers aligned
        ("stats", "i8", (STATS,)),
        ("glyphs", "i2", (ROWS, COLS)),
        ("chars", "u1", (ROWS, COLS)),
        ("colors", "u1", (ROWS, COLS)),
        ("message", f"S{MESSAGE_BYTES}"),
        ("death", "S128"),
        ("screen", "u1", (SCREEN_ROWS, SCREEN_COLS)),
        ("pack_letters", "u1", (PACK,)),
        ("pack_classes", "u1", (PACK,)),
        ("pack_texts", "u1", (PACK, PACK_TEXT)),
    ]
)
assert RECORD.fields is not None
OFFSETS: dict[str, int] = {name: int(RECORD.fields[name][1]) for name in RECORD.names or ()}

# status
RUNNING, STUCK, TURN_LIMIT, GAVE_UP, DIED_PROCESS, HUNG_PROCESS, GAVE_UP_IDLE = 0, 1, 2, 3, 4, 5, 6
KILLED, STARVED, TRAPPED, OTHER_DEATH, QUIT, ESCAPED, ASCENDED, BROKEN = 10, 11, 12, 13, 14, 15, 16, 17
REASONS = {
    STUCK: "stuck",
    GAVE_UP: "stuck: gave up, no progress",
    GAVE_UP_IDLE: "stuck: gave up, no turn passes",
    TURN_LIMIT: "turn limit",
    DIED_PROCESS: "game process died",
    HUNG_PROCESS: "game process hung",
    KILLED: "killed",
    STARVED: "starved",
    TRAPPED: "trap",
    OTHER_DEATH: "other death",
    QUIT: "quit",
    ESCAPED: "escaped",
    ASCENDED: "ascended",
    BROKEN: "game broke",
}

# prompt
NO_PROMPT, YES_NO, LINE, MENU = 0, 1, 2, 3

# positions in stats (NetHack's status lines)
COL, ROW, STRENGTH_SHARE, STRENGTH, DEXTERITY, CONSTITUTION, INTELLIGENCE, WISDOM, CHARISMA, SCORE = range(10)
HP, HP_MAX, DEPTH, GOLD, POWER, POWER_MAX, ARMOUR, MONSTER_LEVEL, EXPERIENCE, POINTS = range(10, 20)
TURN, HUNGER, LOAD, DUNGEON, DUNGEON_LEVEL, CONDITION, ALIGNMENT = range(20, 27)


@dataclass(frozen=True)
class State:
    """What the screen shows after `step` keys. It owns a copy of the bytes; arrays are read-only views of it.

    Nothing is kept: most fields of most states are never asked for, and a cached property costs more than a view.
    """

    data: bytes = field(repr=False)
    step: int

    @property
    def status(self) -> int:
        return self.data[0]

    @property
    def prompt(self) -> int:
        return self.data[1]

    @property
    def stats(self) -> tuple[int, ...]:
        start = OFFSETS["stats"]
        return tuple(np.frombuffer(self.data, np.int64, STATS, start).tolist())

    @property
    def glyphs(self) -> NDArray[np.int16]:  # (CELLS,)
        return np.frombuffer(self.data, np.int16, ROWS * COLS, OFFSETS["glyphs"])

    @property
    def map_bytes(self) -> bytes:
        """The glyphs as bytes, which are compared faster."""
        start = OFFSETS["glyphs"]
        return self.data[start : start + ROWS * COLS * 2]

    @property
    def chars(self) -> NDArray[np.uint8]:  # (CELLS,)
        return np.frombuffer(self.data, np.uint8, ROWS * COLS, OFFSETS["chars"])

    @property
    def colors(self) -> NDArray[np.uint8]:  # (CELLS,)
        return np.frombuffer(self.data, np.uint8, ROWS * COLS, OFFSETS["colors"])

    @property
    def messages(self) -> tuple[str, ...]:
        """What the game said since the last key, in order."""
        text = self._text("message", MESSAGE_BYTES)
        return tuple(text.split("\n")) if text else ()

    @property
    def death(self) -> str:
        return self._text("death", 128)

    @property
    def cell(self) -> int:
        """The hero's cell."""
        stats = self.stats
        return stats[ROW] * COLS + stats[COL]

    @property
    def screen(self) -> tuple[str, ...]:
        """The terminal, line by line: menus and texts are only there."""
        start = OFFSETS["screen"]
        raw = self.data[start : start + SCREEN_ROWS * SCREEN_COLS].decode("latin-1")
        return tuple(raw[at : at + SCREEN_COLS].rstrip() for at in range(0, len(raw), SCREEN_COLS))

    @property
    def pack(self) -> tuple[tuple[str, int, str], ...]:
        """(letter, object class, words) of everything carried."""
        letters = self.data[OFFSETS["pack_letters"] : OFFSETS["pack_letters"] + PACK]
        classes = self.data[OFFSETS["pack_classes"] : OFFSETS["pack_classes"] + PACK]
        start = OFFSETS["pack_texts"]
        found = []
        for at, letter in enumerate(letters):
            if letter == 0:
                break
            text = self.data[start + at * PACK_TEXT : start + (at + 1) * PACK_TEXT]
            found.append((chr(letter), classes[at], text.split(b"\0", 1)[0].decode("latin-1")))
        return tuple(found)

    def _text(self, name: str, size: int) -> str:
        start = OFFSETS[name]
        return self.data[start : start + size].split(b"\0", 1)[0].decode("latin-1")
