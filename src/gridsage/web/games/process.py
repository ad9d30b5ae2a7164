"""A child process of the page: it plays, replays and checks games, each in a thread of its own.

Kernels release the GIL, so games in one process do not wait for each other while they search.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from gridsage.web import messages
from gridsage.web.games import conversation, memory
from gridsage.web.games.session import Session


class Order(msgspec.Struct):
    """From the server to a worker: a message of session `number`, or its end."""

    number: int
    message: messages.FromServer | None = None


def serve(pipe: Connection, home: str) -> None:
    """Run the loop of a worker process; it ends when the server closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the server's business
    threading.Thread(target=_end_with_parent, daemon=True).start()
    memory.map_large_blocks()
    decoder, sending = msgspec.msgpack.Decoder(Order), threading.Lock()
    sessions: dict[int, Session] = {}
    while True:
        try:
            order = decoder.decode(pipe.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)  # threads may still be thinking; nobody waits for their answer
        session = sessions.get(order.number)
        if session is None and order.message is not None:
            session = sessions[order.number] = Session(pipe, sending, order.number, Path(home))
            threading.Thread(target=conversation.run, args=(session, order.message), daemon=True).start()
        elif session is not None and order.message is not None:
            session.tell(order.message)
        elif session is not None:
            session.stop()
            del sessions[order.number]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
