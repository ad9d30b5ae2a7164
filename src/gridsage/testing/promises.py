"""What the checks of games and agents share: a broken promise, and how several are reported."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from gridsage.core.room import Json, NamedLevel, Room
from gridsage.games.levels import find_level


class BrokenPromise(AssertionError):
    """A game or an agent does not do what every game or agent does."""


def report(what: str, checks: list[tuple[Callable[..., None], tuple[object, ...]]]) -> None:
    """Run every check and raise one BrokenPromise that lists all that failed."""
    problems = []
    for check, given in checks:
        try:
            check(*given)
        except Exception as error:  # somebody else's game: whatever it raises is one broken promise more
            words = str(error) if isinstance(error, BrokenPromise) else f"{type(error).__name__}: {error}"
            problems.append(f"{check.__name__}: {words}")
    if problems:
        raise BrokenPromise(f"{what} breaks {len(problems)} promises:\n" + "\n".join(problems))


def require(kept: bool, words: str) -> None:
    """Raise a BrokenPromise with these words unless the promise is kept."""
    if not kept:
        raise BrokenPromise(words)


def some_level(room: Room) -> NamedLevel:
    """Return the first shipped level, or that of seed 1 where none is shipped."""
    return find_level(room, 1 if room.levels.names() else None)


def through_json(data: Json) -> Json:
    """Return the data after a journey as JSON text."""
    decoded: Json = msgspec.json.decode(msgspec.json.encode(data))
    return decoded
