"""Lines of moves as pictures: what an agent expects, and the best ways to finish."""

from __future__ import annotations

from collections.abc import Sequence

from gridsage.core.errors import GridsageError
from gridsage.core.game import Own
from gridsage.core.room import Line, Room
from gridsage.web import feed
from gridsage.web.games.screen import looks
from gridsage.web.messages import Answer

MOST_STEPS = 60  # of a line that is shown


def follow(room: Room, state: Own, labels: Sequence[str]) -> tuple[Line, Own]:
    """Play what an agent expects, move by move, as far as it can be played; and where that leads."""
    game = room.rules.game()
    told, frames = list[str](), [room.view.frame(state)]
    for label in labels[:MOST_STEPS]:
        after = state
        try:
            for action in actions(room, state, label):
                after = game.step(after, action)
        except GridsageError:
            break  # the agent expected what does not happen: the rest of its line means nothing
        state = after
        told.append(label)
        frames.append(room.view.frame(state))
        if game.outcome(state) is not None:
            break
    return Line(tuple(told), tuple(frames)), state


def actions(room: Room, state: Own, label: str) -> Sequence[int]:
    """The actions that `label` stands for in `state`: one legal action, or what the room reads in it."""
    game = room.rules.game()
    for action in game.legal(state):
        if game.label(action) == label:
            return (action,)
    return room.view.moves(state, label) if room.view.moves is not None else ()


def encoded(room: Room, line: Line) -> Answer:
    """The line for the browser: a little recording of its own."""
    feeder = feed.Feed()
    hello = feeder.hello(room.name, line.frames[0], **looks(room))
    return {
        "labels": line.labels,
        "hello": hello,
        "frames": [feeder.frame(t, frame) for t, frame in enumerate(line.frames)],
    }
