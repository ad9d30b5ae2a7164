"""gridsage: an arena for game AI on grids.

    import gridsage
    game = gridsage.play("loderunner", "master", level=1)
    print(game)

Every name below is loaded when it is first used; `import gridsage` alone loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_HOMES = {
    "gridsage.api": (
        "Played", "agent_names", "bench", "draw", "game_names", "levels", "load_level", "match", "play", "replay",
        "room", "show", "verify",
    ),
    "gridsage.arena.results": ("Results",),
    "gridsage.core.errors": ("GridsageError",),
    "gridsage.core.game": ("Agent", "Briefing", "Budget", "Decision", "Game", "Model", "Outcome", "Thoughts"),
    "gridsage.core.room": ("Room",),
    "gridsage.core.trace": ("Trace",),
    "gridsage.store": ("Store",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("search", "testing")

__all__ = [
    "Agent", "Briefing", "Budget", "Decision", "Game", "GridsageError", "Model", "Outcome", "Played", "Results", "Room",
    "Store", "Thoughts", "Trace", "agent_names", "bench", "draw", "game_names", "levels", "load_level", "match", "play",
    "replay", "room", "search", "show", "testing", "verify",
]  # fmt: skip

if TYPE_CHECKING:
    from gridsage.api import (
        Played,
        agent_names,
        bench,
        draw,
        game_names,
        levels,
        load_level,
        match,
        play,
        replay,
        room,
        show,
        verify,
    )
    from gridsage.arena.results import Results
    from gridsage.core.errors import GridsageError
    from gridsage.core.game import Agent, Briefing, Budget, Decision, Game, Model, Outcome, Thoughts
    from gridsage.core.room import Room
    from gridsage.core.trace import Trace
    from gridsage.store import Store

    from . import search, testing


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"gridsage.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"gridsage has no {name!r}; it offers {', '.join(__all__)}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
