"""A game between agents, shown while it is played."""

from __future__ import annotations

from gridsage.arena import match
from gridsage.core import trace
from gridsage.core.errors import GridsageError, OptionError
from gridsage.store import Store
from gridsage.web import levels, messages
from gridsage.web.games.screen import NEWCOMERS, Screen, ending, first_state
from gridsage.web.games.session import Session, Stopped, playable


def watch(session: Session, message: messages.Watch) -> None:
    """Play the game before the eyes of the tab; afterwards it can be kept."""
    NEWCOMERS.come(session.number)
    try:
        _watch(session, message)
    finally:
        NEWCOMERS.settled(session.number)


def _watch(session: Session, message: messages.Watch) -> None:
    room = playable(message.game)
    episode = levels.episode(room, message, session.home)
    if levels.HUMAN in (spec.name for spec in episode.agents):
        raise OptionError("people play on the play page; choose agents here")
    screen = Screen(session, room, episode)
    if room.rules.warm_up is not None and not session.is_ready(message.game):
        screen.first(first_state(room, episode))  # the board is seen while kernels load
    session.ready_room(message.game)
    result = played(episode, screen)
    session.send(ending(result.trace.outcome, result.figures, result.seconds, result.decisions))
    while isinstance(session.receive(), messages.Keep):
        try:
            session.send({"m": "kept", "id": Store(session.home).put_single(result)})
        except GridsageError as problem:  # it may be tried again
            session.complain(str(problem))


def played(episode: trace.Episode, screen: Screen) -> trace.Result:
    """Play `episode` before `screen`; a stop from outside becomes Stopped."""
    result = match.play(episode, watch=screen, keep_thoughts=True)
    if screen.session.stopped.is_set():
        raise Stopped
    return result
