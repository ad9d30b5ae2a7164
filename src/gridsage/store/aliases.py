"""The names under which an agent may be stored: some were renamed since."""

from __future__ import annotations

from functools import cache

from gridsage.core.errors import GridsageError
from gridsage.games import catalog


@cache
def aliases(game: str, agent: str) -> frozenset[str]:
    """Every spelling of `agent` that stored games of `game` may have, its own included."""
    name, colon, settings = agent.partition(":")
    older = _older_names(game)
    now = older.get(name, name)
    names = {name, now, *(old for old, new in older.items() if new == now)}
    return frozenset(one + colon + settings for one in names)


@cache
def current(game: str, agent: str) -> str:
    """The name that a stored agent has now."""
    name, colon, settings = agent.partition(":")
    return _older_names(game).get(name, name) + colon + settings


@cache
def _older_names(game: str) -> dict[str, str]:
    """The older names of a game's agents; none of a game that is not here."""
    try:
        return dict(catalog.room(game).players.aliases) if game in catalog.names() else {}
    except (GridsageError, ImportError):  # an installed game is anybody's code
        return {}
