"""Files that people bring: unpacked with care, and believed only as far as a game of ours could say it."""

from __future__ import annotations

import gzip
import io
import zlib

from gridsage.core import trace
from gridsage.core.amounts import counted
from gridsage.core.errors import GridsageError, TraceError
from gridsage.games import catalog
from gridsage.web import kept

MAX_UNPACKED_BYTES = 64 * 2**20
MAX_ACTIONS = 1_000_000  # of a game that somebody brings
MAX_NAME = 200  # letters of a level's or an agent's name


def unpacked(data: bytes, source: str) -> bytes:
    """The bytes of an uploaded file, unpacked no further than a trace can be long."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:  # all of its members: the second one may be the bomb
            plain = packed.read(MAX_UNPACKED_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        return data  # the decoder says in words what is wrong with it
    if len(plain) > MAX_UNPACKED_BYTES:
        raise TraceError(f"{source} unpacks to something larger than {MAX_UNPACKED_BYTES // 2**20} MB")
    return plain


def unbelievable(recorded: trace.Trace) -> str:
    """What no game of ours says of itself, in words; empty if there is nothing."""
    if not 0 <= recorded.seed <= kept.MAX_SEED:
        return f"its seed {recorded.seed} is not between 0 and {kept.MAX_SEED}"
    if len(recorded.actions) > MAX_ACTIONS:
        return (
            f"it has {counted(len(recorded.actions), 'move')}, more than the {MAX_ACTIONS:,} that are played again here"
        )
    names = [recorded.level_name, *(str(agent) for agent in recorded.agents)]
    if not recorded.agents or max(map(len, names)) > MAX_NAME:
        return f"its level and its agents need names of at most {MAX_NAME} letters"
    if not recorded.level_name or not all(agent.name for agent in recorded.agents):
        return "its level and its agents need names"
    room = catalog.room(recorded.game)
    try:
        seats = room.rules.seats_with(catalog.options(room, recorded.options))
    except GridsageError as problem:
        return str(problem)
    if len(recorded.agents) != seats:
        sat = counted(len(recorded.agents), "agent")
        return f"{sat} sat there, but {room.title} has {counted(seats, 'seat')} under these options"
    if len(recorded.budgets) not in (0, seats):
        return f"it has {counted(len(recorded.budgets), 'budget')} for {counted(seats, 'seat')}"
    if recorded.outcome.reason in trace.ARENA_ENDINGS and recorded.outcome.winner is not None:
        return f"it was won because of {recorded.outcome.reason!r}, which cannot be shown by playing it again"
    return ""
