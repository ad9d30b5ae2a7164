"""The words that cross the pipe: an order goes in, a fixed record or a length and JSON come out."""

from __future__ import annotations

import struct

import msgspec

from gridsage.games.nethack.level import Level, Options, Seeds

START, KEY, REPORT, END = b"S", b"K", b"R", b"E"
# By these names `nle.dataset` finds a game: nle.<process>.<episode>.ttyrec3.bz2 beside nle.<process>.xlogfile.
TTYREC, SCORE_PREFIX = "nle.1.0.ttyrec3.bz2", "nle.1."
LENGTH = struct.Struct("<I")


class Setup(msgspec.Struct, frozen=True):
    """Everything that decides a game apart from its keys."""

    options: Options
    core: int
    disp: int
    lgen: int
    des: str = ""
    level_names: tuple[str, ...] = ()
    recording: str = ""  # folder for a ttyrec3 and an xlogfile; empty for none


class LevelCount(msgspec.Struct):
    """The referee's count of one level. `seen` and `found` are as the hero's own memory has it when it left."""

    dungeon: int
    level: int
    depth: int
    arrived: int = 0  # turn of the first visit
    turns: int = 0
    visits: int = 0
    squares: int = 0
    squares_seen: int = 0
    open_squares: int = 0  # reachable from the arrival without finding a secret
    open_squares_seen: int = 0
    doors: int = 0
    doors_seen: int = 0
    closed_doors: int = 0
    closed_doors_seen: int = 0
    closed_doors_opened: int = 0
    secret_doors: int = 0
    secret_doors_found: int = 0
    secret_corridors: int = 0
    secret_corridors_found: int = 0
    stairs_down: int = 0  # exist
    stairs_down_seen: int = 0
    secret_needed: bool = False  # stairs down exist and cannot be reached without a secret
    left_down: bool = False  # the hero left it alive and went deeper
    fell: bool = False  # ... by a trapdoor or hole at least once, not by stairs


class Report(msgspec.Struct):
    """The referee's answer: one count per level in order of arrival, and the game as a whole."""

    levels: list[LevelCount]
    keys: int
    turns: int
    folded: int
    prompts: int  # keys after which a question was open
    depth: int
    experience: int
    progress_turn: int  # the last turn that brought a new square, level, item or experience
    game_seconds: float  # processor seconds of the game's process
    progression: float = 0.0  # the best of depth and experience level, as a chance of winning
    tool_turn: int = -1  # when a pick-axe or mattock was carried first
    last_line: dict[str, str] = {}  # the game's own line of its xlogfile; empty while it runs


class Failure(msgspec.Struct):
    """The child's answer to a setup it cannot start."""

    error: str


def setup_of(level: Level, options: Options, seeds: Seeds, recording: str = "") -> Setup:
    """The setup of a game on `level` with `seeds`."""
    return Setup(options, seeds.core, seeds.disp, seeds.lgen, level.des, level.names, recording)


def packed(value: object) -> bytes:
    """A length and the JSON of `value`."""
    body = msgspec.json.encode(value)
    return LENGTH.pack(len(body)) + body
