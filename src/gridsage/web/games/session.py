"""One tab as a worker process sees it: messages both ways, threads that work for it, rooms with their kernels."""

from __future__ import annotations

import contextlib
import queue
import struct
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from gridsage.core.errors import OptionError
from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.web import messages
from gridsage.web.games import memory
from gridsage.web.messages import Answer

AHEAD = 60  # frames the server may be ahead of the browser's last ack
ENDED = b""  # the last message of a session
SESSION_ID = struct.Struct("<I")
HOUSEKEEPING = 0  # the session number of messages about the process itself
COMPILING, COMPILED = b"compiling", b"compiled"

_encoder = msgspec.json.Encoder()
_compiling = threading.Lock()
_ready: set[str] = set()  # rooms whose kernels this process has; asking the disk again takes milliseconds
_importing = threading.Lock()  # rooms import their parts late; two threads at once would see half a module


class Stopped(Exception):
    """The tab was closed, or the server asks the session to end."""


class Session:
    """One conversation with one tab, seen from the worker."""

    def __init__(self, pipe: Connection, sending: threading.Lock, number: int, home: Path) -> None:
        self._pipe, self._sending, self.number = pipe, sending, number
        self.home = home
        self.inbox: queue.SimpleQueue[messages.FromServer | None] = queue.SimpleQueue()
        self.stopped = threading.Event()
        self.thoughts_wanted = True
        self._acked = 0
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []

    def start(self, work: Callable[[], object]) -> None:
        """Do `work` in a thread of this session."""

        def run() -> None:
            with contextlib.suppress(Stopped):
                work()

        thread = threading.Thread(target=run, daemon=True)
        self._threads = [*(other for other in self._threads if other.is_alive()), thread]
        thread.start()

    def end(self) -> None:
        """Say that the session is over, once nobody thinks for it: the server ends a process that nobody watches."""
        for thread in self._threads:
            thread.join()
        with contextlib.suppress(Stopped):
            self._pass_on(self.number, ENDED)

    # To the tab

    def send(self, message: Answer) -> None:
        """Send a message to the tab; Stopped where the server is gone."""
        self._pass_on(self.number, _encoder.encode(message))

    def send_to(self, audience: int, kind: int, message: Answer) -> None:
        """Send a message to some of those who share a game: `broadcast.py` reads the two numbers before it."""
        self._pass_on(self.number, bytes((audience, kind)) + _encoder.encode(message))

    def complain(self, sentence: str) -> None:
        """Say what went wrong, in a sentence for the person before the screen."""
        self.send(messages.error(sentence))

    def _pass_on(self, number: int, data: bytes) -> None:
        with self._sending:
            try:
                self._pipe.send_bytes(SESSION_ID.pack(number) + data)
            except OSError:
                raise Stopped from None  # the server is gone, and with it whoever waited

    def wait_for_room(self, t: int, ahead: int = AHEAD, *, listening: bool = False) -> bool:
        """Wait until frame `t` may be sent; False when the session has to end, or to hear a message if `listening`."""

        def heard() -> bool:
            return self.stopped.is_set() or (listening and not self.inbox.empty())

        with self._changed:
            self._changed.wait_for(lambda: heard() or t - self._acked <= ahead)
        return not heard()

    # From the tab

    def tell(self, message: messages.FromServer) -> None:
        """Take a message from the tab; called by the process's reading thread."""
        if isinstance(message, messages.Ack):
            with self._changed:
                self._acked = max(self._acked, message.t)
                self._changed.notify_all()
        elif isinstance(message, messages.Overlay):
            self.thoughts_wanted = message.on
        else:
            self._put(message)

    def stop(self) -> None:
        """Let everything that waits for the tab end."""
        self.stopped.set()
        self._put(None)

    def _put(self, message: messages.FromServer | None) -> None:
        self.inbox.put(message)
        with self._changed:
            self._changed.notify_all()

    def receive(self) -> messages.FromServer:
        """Return the next message of the tab; Stopped when there will be none."""
        message = self.inbox.get()
        if message is None:
            raise Stopped
        return message

    def receive_within(self, seconds: float | None) -> messages.FromServer | None:
        """Return the next message, or None if none comes in time; Stopped when there will be none."""
        try:
            message = self.inbox.get(timeout=None if seconds is None else max(0.0, seconds))
        except queue.Empty:
            return None
        if message is None:
            raise Stopped
        return message

    # Rooms

    def is_ready(self, name: str) -> bool:
        """Return True if this process has the kernels of the room."""
        return name in _ready

    def ready_room(self, name: str) -> Room:
        """Return the room with its kernels; the browser sees the progress of a first compilation."""
        room = load(name)
        if name in _ready:
            return room
        if room.rules.missing() is None and room.rules.warm_up is not None:
            with _importing:
                room.rules.warm_up()
            if not catalog.is_compiled(room):
                self._compile(room)
        with _compiling:
            ready = catalog.ready_room(name)
        _ready.add(name)
        memory.give_back()
        return ready

    def _compile(self, room: Room) -> None:
        self.progress(room.title, 0, 1)
        with _compiling:
            self._pass_on(HOUSEKEEPING, COMPILING)
            try:
                catalog.ready_room(room.name, self.progress)
            finally:
                self._pass_on(HOUSEKEEPING, COMPILED)

    def progress(self, words: str, done: int, total: int) -> None:
        """Show how far something has come that the person has to wait for."""
        self.send({"m": "progress", "words": words, "done": done, "total": total})


def load(name: str) -> Room:
    """Return the room with its rules and agents imported, by one thread at a time."""
    with _importing:
        room = catalog.room(name)
        if room.rules.missing() is None:
            room.rules.game()
            catalog.agent_entries(room)
        return room


def playable(name: str) -> Room:
    """Return the room; an OptionError says what this machine lacks to play it."""
    room = catalog.room(name)
    if (sentence := room.rules.missing()) is not None:
        raise OptionError(sentence)
    return room
