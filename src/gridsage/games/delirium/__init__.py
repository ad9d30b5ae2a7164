"""Delirium 2: a miner among stones, diamonds and monsters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gridsage.core.errors import unknown
from gridsage.core.frame import Frame
from gridsage.core.room import AgentEntry, LevelReport, NamedLevel, Room, shipped
from gridsage.games.delirium.level.cells import Options
from gridsage.games.delirium.level.generate import generate
from gridsage.games.delirium.view import GLYPHS, KEYS, frame

LEVELS = Path(__file__).parent / "levels"


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


PAINTED = "void clay diamond stone wall sturdy magic exit miner blue red green yellow purple black"
PALETTE = dict(zip(" .do#smX@brgypk", PAINTED.split(), strict=True))

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
    palette=PALETTE,
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
