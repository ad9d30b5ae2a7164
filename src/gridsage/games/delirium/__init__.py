"""Delirium 2: a miner among stones, diamonds and monsters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gridsage.core.errors import unknown
from gridsage.core.frame import Frame
from gridsage.core.room import AgentEntry, LevelReport, NamedLevel, Room, Showcase, shipped
from gridsage.core.sheet import Entry, Sheet, Tile
from gridsage.games.delirium.level.cells import MAX_SIDE, MAX_STRENGTH, NO_LIMIT, Options
from gridsage.games.delirium.level.generate import generate
from gridsage.games.delirium.view import GLYPHS, KEYS, frame

LEVELS = Path(__file__).parent / "levels"
MONSTERS = ("blue", "red", "green", "yellow", "purple", "black")


def _game() -> Any:
    from gridsage.games.delirium.rules import Delirium

    return Delirium()


def _agents() -> Mapping[str, AgentEntry]:
    from gridsage.games.delirium.agents import ENTRIES

    return ENTRIES


def _level_names() -> list[str]:
    return [name for name, _ in shipped(LEVELS)]


def _level(name: str) -> str:
    paths = dict(shipped(LEVELS))
    if name not in paths:
        raise unknown("delirium level", name, paths)
    return paths[name].read_text(encoding="utf-8")


def _frame(state: Any) -> Frame:
    return frame(state)


def _tally(game: Any) -> Any:
    from gridsage.games.delirium.tally import MineTally

    return MineTally()


def _read(path: Path) -> list[NamedLevel]:
    from gridsage.games.delirium.level.files import read

    return read(path)


def _to_xml(text: str) -> str:
    from gridsage.games.delirium.level.xml import write_xml

    return write_xml(text)


def _check(text: str, options: Options, seconds: float) -> LevelReport:
    from gridsage.games.delirium.agents.planner import check

    return check(text, options, seconds)


def _features() -> Any:
    from gridsage.games.delirium.features import features

    return features()


def _warm_up() -> Sequence[tuple[str, Callable[[], object]]]:
    from gridsage.games.delirium.agents.master import warm_up

    return warm_up()


def _doubts(text: str) -> list[str]:
    from gridsage.games.delirium.level.text import doubts, parse

    galleries = parse(text).galleries
    several = len(galleries) > 1
    return [
        (f"gallery {number} ({gallery.name}): " if several else "") + doubt
        for number, gallery in enumerate(galleries, 1)
        for doubt in doubts(gallery)
    ]


SHEET = Sheet(
    tiles=(
        Tile(" ", "void", "empty", "ground", also="_"),
        Tile(".", "clay", "clay", "ground"),
        Tile("d", "diamond", "diamond", "ground"),
        Tile("o", "stone", "stone", "ground"),
        Tile("#", "wall", "wall", "walls"),
        Tile("s", "sturdy", "sturdy wall", "walls", also="1"),
        *(
            Tile(str(strength), f"sturdy_{strength}", f"sturdy wall, strength {strength}", "walls")
            for strength in range(2, MAX_STRENGTH + 1)
        ),
        Tile("m", "magic", "magic wall", "walls"),
        Tile("X", "exit", "exit", "miner", needed=True),
        Tile("@", "miner", "miner", "miner", alone=True, needed=True, stands=True),
        *(Tile(colour[0], colour, f"{colour} monster", "monsters", stands=True) for colour in MONSTERS[:-1]),
        Tile("k", "black", "black monster", "monsters", stands=True),
    ),
    entries=(
        Entry("name", "Name of the gallery", "text"),
        Entry("diamonds", "Diamonds to collect", "number", least=0, most=MAX_SIDE * MAX_SIDE, usual="0"),
        Entry(
            "time", "Ticks", "number", least=NO_LIMIT, most=1_000_000, usual=str(NO_LIMIT), note="-1: as many as wanted"
        ),
    ),
    remark="//",
    divider="===",
    largest=MAX_SIDE,
    border="#X",
)

ROOM = Room(
    name="delirium",
    title="Delirium 2",
    summary="Dig for diamonds, mind the stones and the monsters, reach the exit.",
    game=_game,
    options=Options,
    agents=_agents,
    default_agent="master",
    frame=_frame,
    glyphs=GLYPHS,
    keys=KEYS,
    sheet=SHEET,
    doubts=_doubts,
    showcase=Showcase("20_two_visitors"),
    level_names=_level_names,
    level=_level,
    read=_read,
    write={"xml": _to_xml},
    generate=generate,
    check=_check,
    warm_up=_warm_up,
    tally=_tally,
    features=_features,
    max_steps=10_000,
)
