"""A kept game as a file that others can open, made in a worker process."""

from __future__ import annotations

from contextlib import closing
from itertools import islice

from gridsage.core.amounts import counted
from gridsage.core.errors import OptionError, TraceError
from gridsage.core.room import Room
from gridsage.core.trace import Trace
from gridsage.games import catalog
from gridsage.pictures import recorded
from gridsage.store import Store
from gridsage.web import messages, single_file
from gridsage.web.games.session import Session

MOST_STEPS = {"html": 20_000, "gif": 3_000}  # of a game that the page makes a file of
SPEED = 4.0  # steps per second of a film


def export(session: Session, message: messages.Export) -> None:
    """Send the file that is asked for."""
    found = Store(session.home).load(message.id)
    if found.game not in catalog.names():
        raise TraceError(f"this is a game of {found.game!r}, which is not installed here")
    most = MOST_STEPS.get(message.form, len(found.actions))
    if len(found.actions) > most:
        command = f"gridsage replay {message.id} --{message.form} FILE"
        raise OptionError(
            f"this game has {counted(len(found.actions), 'step')}, and the page writes {most:,}: use `{command}`"
        )
    data = _made(session.ready_room(found.game), found, message)
    session.send({"m": "file", "name": f"{found.game}-{message.id[:12]}.{message.form}", "data": data})


def _made(room: Room, found: Trace, message: messages.Export) -> bytes:
    if message.form == "html":
        return single_file.document(room, found, message.step, message.language).encode()
    with closing(recorded.frames(room, found, catalog.options(room, found.options))) as frames:
        told = dict(found.thoughts) if message.thoughts else {}
        if message.form == "gif":
            return recorded.film(room, frames, SPEED, told, message.theme)
        wanted = len(found.actions) if message.step is None else min(message.step, len(found.actions))
        frame = next(islice(frames, wanted, None))
        return recorded.still(message.form, room, frame, told.get(wanted), message.theme)
