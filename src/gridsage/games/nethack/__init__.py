"""NetHack: the real game in a process of its own, a bot in the place of the interface, and a referee that counts."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gridsage.core.frame import Frame
from gridsage.core.game import Game, Tally
from gridsage.core.room import AgentEntry, NamedLevel, Room, Showcase, shipped
from gridsage.games.nethack.keys import TYPED
from gridsage.games.nethack.level import Options

LEVELS = Path(__file__).parent / "levels"
KEYS_PER_GAME = 150_000  # a game of 20,000 turns takes some 30,000 keys; prompts and menus take no turn


def _game() -> Game[Any, Any, Any]:
    from gridsage.games.nethack.rules import NetHack

    return NetHack()


def _agents() -> Mapping[str, AgentEntry]:
    from gridsage.games.nethack.agents import agents

    return agents()


def _frame(state: Any) -> Frame:
    from gridsage.games.nethack.view import frame

    return frame(state)


def _tally(game: Any) -> Tally[Any]:
    from gridsage.games.nethack.tally import NetHackTally

    return NetHackTally(game)


class _Glyphs(Mapping[str, tuple[str, str]]):
    """The table of coloured characters, made when somebody looks into it."""

    def _table(self) -> Mapping[str, tuple[str, str]]:
        from gridsage.games.nethack.view import glyphs

        return glyphs()

    def __getitem__(self, sprite: str) -> tuple[str, str]:
        return self._table()[sprite]

    def __iter__(self) -> Any:
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())


def _level(name: str) -> str:
    return dict(shipped(LEVELS, ".des"))[name].read_text("utf-8")


def _read(path: Path) -> list[NamedLevel]:
    from gridsage.core.errors import LevelError
    from gridsage.games.nethack.level import parse

    try:
        text = path.read_text("latin-1")
        parse(text)
    except (OSError, LevelError) as error:
        raise LevelError(f"{path}: {error}") from None
    return [NamedLevel(path.stem, text)]


def _missing() -> str | None:
    if importlib.util.find_spec("nle") is None:
        return "NetHack needs the package nle 1.3.0 (Linux, Python 3.11 to 3.13): pip install nle==1.3.0"
    return None


def _warm_up() -> Sequence[tuple[str, Callable[[], object]]]:
    from gridsage.games.nethack.agents.warm_up import steps

    return steps()


ROOM = Room(
    name="nethack",
    title="NetHack",
    summary="The real NetHack 3.6.7: a dungeon that cannot be cloned, explored with memory and needs.",
    game=_game,
    options=Options,
    agents=_agents,
    default_agent="explorer",
    frame=_frame,
    glyphs=_Glyphs(),
    keys=TYPED,
    level_names=lambda: [name for name, _ in shipped(LEVELS, ".des")],
    level=_level,
    read=_read,
    level_of_seed=lambda seed: NamedLevel(f"dungeon {seed}", ""),
    showcase=Showcase(seed=2, skip=240, steps=50),
    warm_up=_warm_up,
    tally=_tally,
    missing=_missing,
    max_steps=KEYS_PER_GAME,
)
