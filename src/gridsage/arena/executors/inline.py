"""Play episodes one after the other in this process."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gridsage.arena import match
from gridsage.arena.conditions import Conditions
from gridsage.arena.executors.base import Results, Stop
from gridsage.arena.external import seats
from gridsage.arena.guard import Beacon
from gridsage.core.trace import MOST_LOG, Episode, Result


class Inline:
    """The executor without processes of its own; agents that are not ours have theirs."""

    def play(self, episodes: Sequence[Episode], conditions: Conditions, stop: Stop | None) -> Results:
        """Yield the results in order."""
        for result in in_order(episodes, conditions, stop, None):
            yield result
            yield None


def in_order(
    episodes: Iterable[Episode], conditions: Conditions, stop: Stop | None, beacon: Beacon | None
) -> Iterator[Result]:
    """Yield the results in order; the next game's processes start while the present one is played."""
    source = iter(episodes)
    following = next(source, None)
    coming = seats.launch(following, conditions) if following is not None else None
    try:
        while (episode := following) is not None and not (stop is not None and stop()):
            launched, coming = coming, None
            following = next(source, None)
            if following is not None:
                coming = seats.launch(following, conditions)
            yield _logged(episode, conditions, beacon, launched)
    finally:
        seats.end(coming)


def _logged(episode: Episode, conditions: Conditions, beacon: Beacon | None, launched: seats.Launched | None) -> Result:
    """Play a game; what an agent prints must not mix with our answers and is kept in the log."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = match.play(episode, conditions=conditions, beacon=beacon, launched=launched)
    if not printed.tell():
        return result
    return msgspec.structs.replace(result, log=(result.log + printed.getvalue())[:MOST_LOG])
