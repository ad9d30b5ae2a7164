"""Delirium 2: a miner among stones, diamonds and monsters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gridsage.core.errors import unknown
from gridsage.core.frame import Frame
from gridsage.core.room import AgentEntry, Room, shipped
from gridsage.games.delirium.level.cells import Options
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


def _features() -> Any:
    from gridsage.games.delirium.features import features

    return features()


def _warm_up() -> Sequence[tuple[str, Callable[[], object]]]:
    from gridsage.games.delirium.level import parse
    from gridsage.games.delirium.rules import Delirium

    game = Delirium()
    level = parse("diamonds: 1\n@.dX\n")
    return [("the tick of the mine", lambda: game.step(game.start(level, Options(), 1), 1))]


ROOM = Room(
    name="delirium",
    title="Delirium 2",
    summary="Dig for diamonds, mind the stones and the monsters, reach the exit.",
    game=_game,
    options=Options,
    agents=_agents,
    default_agent="report",
    frame=_frame,
    glyphs=GLYPHS,
    keys=KEYS,
    level_names=_level_names,
    level=_level,
    warm_up=_warm_up,
    tally=_tally,
    features=_features,
    max_steps=10_000,
)
