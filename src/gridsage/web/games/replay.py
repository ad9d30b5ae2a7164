"""A kept game, shown again and held against its recorded states on the way."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

import msgspec

from gridsage.core import trace
from gridsage.core.errors import TraceError, TraceMismatch
from gridsage.core.game import Closing, Own
from gridsage.core.room import Room
from gridsage.core.trace import Trace
from gridsage.games import catalog
from gridsage.games.levels import is_shipped, shipped_level
from gridsage.store import DIFFERS, VERIFIED, Store
from gridsage.web import feed, kept, messages
from gridsage.web.games.follower import Follower
from gridsage.web.games.screen import about, ending
from gridsage.web.games.session import Session, Stopped
from gridsage.web.messages import Answer

LONGEST_LINK = 6_000  # characters of a level that still go into an address


def replay(session: Session, message: messages.Replay) -> None:
    """Show a stored game from its first position to its last, and remember if it holds."""
    store = Store(session.home)
    recorded = store.load(message.id)
    if recorded.game not in catalog.names():
        raise TraceError(f"this is a game of {recorded.game!r}, which is not installed here")
    mismatch = ""
    try:
        with closing(told(session.ready_room(recorded.game), recorded)) as answers:
            for answer in answers:
                if not session.wait_for_room(int(str(answer.get("t", 0)))):
                    raise Stopped
                session.send(answer)
    except TraceMismatch as problem:
        mismatch = str(problem)
    verdict = DIFFERS if mismatch else VERIFIED
    kept.remember(store, trace.content_hash(recorded), recorded.game, verdict, mismatch)
    session.send(last_word(recorded, mismatch))


def told(room: Room, recorded: Trace) -> Generator[Answer, None, None]:
    """Yield a recorded game as messages, a hello and every frame; a TraceMismatch ends one that differs."""
    return _Replay(room, recorded).told()


def last_word(recorded: Trace, mismatch: str) -> Answer:
    """Return the message after the last frame.

    Args:
        mismatch: where the game differs from its record, or an empty text.
    """
    return ending(recorded.outcome, {}, None, {}) | {"verified": mismatch == "", "mismatch": mismatch}


class _Replay:
    """One showing of a recorded game."""

    def __init__(self, room: Room, recorded: Trace) -> None:
        self._room, self._recorded = room, recorded
        self._options = catalog.options(room, recorded.options)
        self._game = room.rules.game()
        self._feeder = feed.Feed()
        self._follower = Follower(room, recorded, self._options)
        self._thoughts = dict(recorded.thoughts)

    def told(self) -> Generator[Answer, None, None]:
        before = None
        try:
            for t, state in enumerate(trace.verified_states(self._recorded, self._game, self._options)):
                if t == 0:
                    yield from self._greetings(state)
                else:
                    yield self._step(t, before, state)
                before = state
        finally:
            if isinstance(self._game, Closing):
                self._game.close()

    def _greetings(self, state: Own) -> Iterator[Answer]:
        recorded = self._recorded
        more = about(self._room, recorded) | {"total": len(recorded.actions), "where": _where(self._room, recorded)}
        more |= {"outcome": msgspec.to_builtins(recorded.outcome)}
        frame = self._room.view.frame(state)
        yield self._feeder.hello(self._room.name, frame, **more)
        yield self._feeder.frame(0, frame)

    def _step(self, t: int, before: Own, after: Own) -> Answer:
        game, action, told = self._game, self._recorded.actions[t - 1], self._thoughts.get(t - 1)
        memory = self._follower.memory(game.observe(before, 0), action, told)
        return self._feeder.frame(
            t,
            self._room.view.frame(after),
            ev=feed.events(game.events(before, action, after)),
            o=feed.overlay(told, memory=memory),
            a=game.label(action),
            by=game.seat(before) if len(self._recorded.agents) > 1 else None,
        )


def _where(room: Room, recorded: Trace) -> dict[str, str]:
    """Return the level of a recorded game as the watch and play pages take it: by name or seed if that is the same."""
    if is_shipped(room, recorded.level_name):
        level = shipped_level(room, recorded.level_name)
        if level.text == recorded.level:
            return {"level": level.name}
    if room.levels.of_seed is not None and room.levels.of_seed(recorded.seed).text == recorded.level:
        return {}
    return {"text": recorded.level} if len(recorded.level) <= LONGEST_LINK else {"level": recorded.level_name}
