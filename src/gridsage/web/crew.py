"""The server's side of its worker processes: who works for which tab, and that nobody works for nobody."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import queue
import threading
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from gridsage.core.amounts import counted
from gridsage.web import messages
from gridsage.web.games import process
from gridsage.web.games.session import COMPILING, ENDED, HOUSEKEEPING, SESSION_ID

MOST_PER_CLIENT = 256  # sessions of one address: two hundred viewers behind one router are welcome, a loop is not
MOST_IN_ALL = 600
NEW_ROOM_LOAD = 4  # a room that a process has not played yet costs as much as so many sessions: its kernels must load
GRACE_SECONDS = 1.5  # a worker whose tabs are all closed may think that long before it is ended
LOST = msgspec.json.encode(messages.error("the process that played this game has died; start it again"))


class TooMany(Exception):
    """No further session can be opened now; the message says why."""


class Link:
    """One session: what the worker says can be awaited, what the tab says can be sent."""

    def __init__(self, helper: Helper, number: int, client: str) -> None:
        self.helper, self.number, self.client = helper, number, client
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.ended = False

    async def receive(self) -> bytes | None:
        """The next message as JSON, or None after the last one."""
        if self.ended and self.heard.empty():
            return None
        data = await self.heard.get()
        return data if data != ENDED else None

    def send(self, message: messages.FromServer) -> None:
        self.helper.send(process.Order(self.number, message))

    def close(self) -> None:
        """The tab is gone: stop its work."""
        self.helper.leave(self)


class Helper:
    """One worker process with its sessions."""

    def __init__(self, home: Path, loop: asyncio.AbstractEventLoop) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=process.serve, args=(theirs, str(home)))
        self.process.start()
        theirs.close()
        self._loop = loop
        self.links: dict[int, Link] = {}
        self.stopping: set[int] = set()  # told to stop, not yet heard that it did
        self.compiling = False
        self.rooms: set[str] = set()  # what it has played so far
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._write, daemon=True).start()
        self.alive = True
        # Only this thread waits for the process: two that do can take its end away from each other.
        self.reading = threading.Thread(target=self._read, daemon=True)
        self.reading.start()

    @property
    def load(self) -> int:
        return len(self.links) + len(self.stopping)

    def cost(self, room: str) -> int:
        """Return what a session of `room` would cost this process, in sessions."""
        return self.load + (NEW_ROOM_LOAD if room and room not in self.rooms else 0)

    def send(self, order: process.Order) -> None:
        try:
            data = msgspec.msgpack.encode(order)
        except OverflowError:
            raise ValueError("a number in the message is too large") from None
        self._outbox.put(data)

    def leave(self, link: Link) -> None:
        if self.links.pop(link.number, None) is None:
            return
        self.send(process.Order(link.number))
        if not link.ended:
            self.stopping.add(link.number)
        if self.stopping:
            self._loop.call_later(GRACE_SECONDS, self._end_if_deserted)

    def _end_if_deserted(self) -> None:
        """Nobody can interrupt a running kernel from outside: a process that works for no tab any more is ended."""
        if self.compiling:
            self._loop.call_later(GRACE_SECONDS, self._end_if_deserted)  # the next tab will want those kernels
        elif self.stopping and not self.links:
            self.end()

    def end(self) -> None:
        self.alive = False
        self._outbox.put(None)
        self.process.kill()

    def _write(self) -> None:
        while (data := self._outbox.get()) is not None:
            try:
                self._pipe.send_bytes(data)
            except OSError:
                return  # it died: the reading thread tells

    def _read(self) -> None:
        pipe: Connection = self._pipe
        while True:
            try:
                data = pipe.recv_bytes()
            except (EOFError, OSError):
                self._tell(self._died)
                self.process.join()
                return
            (number,) = SESSION_ID.unpack_from(data)
            self._tell(self._hear, number, data[SESSION_ID.size :])

    def _tell(self, callback: object, *values: object) -> None:
        try:
            self._loop.call_soon_threadsafe(callback, *values)  # type: ignore[arg-type]
        except RuntimeError:
            pass  # the loop is closed: the server is ending

    def _hear(self, number: int, data: bytes) -> None:
        if number == HOUSEKEEPING:
            self.compiling = data == COMPILING
            return
        if data == ENDED:
            self.stopping.discard(number)
        link = self.links.get(number)
        if link is not None:
            link.ended = link.ended or data == ENDED
            link.heard.put_nowait(data)

    def _died(self) -> None:
        self.alive = False
        for link in self.links.values():
            if not link.ended:
                link.ended = True
                link.heard.put_nowait(LOST)
                link.heard.put_nowait(ENDED)
        self.links.clear()
        self.stopping.clear()


class Crew:
    """All worker processes of a server. They start when they are needed and end with it."""

    def __init__(self, home: Path, size: int | None = None) -> None:
        # Numpy asks for pages of 2 MB for its large arrays: a table of which little is used would be held whole. The
        # processes inherit this; in them numpy is imported before anything of ours runs.
        os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
        self.home = home
        self.size = size or max(2, os.cpu_count() or 2)
        self._helpers: list[Helper] = []
        self.most_per_client, self.most_in_all = MOST_PER_CLIENT, MOST_IN_ALL
        self._numbers = itertools.count(1)
        self._closed = False

    def open(self, message: messages.FromServer, client: str = "") -> Link:
        """Start a session with its first message; a TooMany error where no more can be opened.

        Args:
            client: the address that asks; empty for the server itself, which is not counted.
        """
        if self._closed:
            raise TooMany("the server is ending")
        if client:
            self._count(client)
        helper = self._free_helper(getattr(message, "game", ""))
        link = Link(helper, next(self._numbers), client)
        link.send(message)  # first: a message that cannot be sent must not leave a session behind
        helper.links[link.number] = link
        return link

    def _count(self, client: str) -> None:
        links = [link for helper in self._helpers for link in helper.links.values() if link.client]
        if sum(link.client == client for link in links) >= self.most_per_client:
            raise TooMany(f"you have {counted(self.most_per_client, 'game')} open here: close some of their tabs first")
        if len(links) >= self.most_in_all:
            raise TooMany(f"{self.most_in_all} games are open on this server, and it plays no more: try again later")

    async def ask(self, message: messages.FromServer) -> bytes:
        """The last message of a session that answers once; nothing if its process died or the server is ending."""
        if self._closed:
            return b""
        link = self.open(message)
        answer = b""
        try:
            while (data := await link.receive()) is not None:
                answer = data
        finally:
            link.close()
        return answer

    @property
    def load(self) -> int:
        """How many sessions there are."""
        return sum(helper.load for helper in self._helpers)

    def start(self) -> None:
        """Have a process ready before the first tab asks."""
        self._free_helper()

    def close(self) -> None:
        """End every process now, and start no other."""
        self._closed = True
        for helper in self._helpers:
            helper.end()
        for helper in self._helpers:
            helper.reading.join(GRACE_SECONDS)

    def _free_helper(self, room: str = "") -> Helper:
        self._helpers = [helper for helper in self._helpers if helper.alive]
        if all(helper.load for helper in self._helpers) and len(self._helpers) < self.size:
            self._helpers.append(Helper(self.home, asyncio.get_running_loop()))
            found = self._helpers[-1]
        else:
            found = min(self._helpers, key=lambda helper: helper.cost(room))
        if room:
            found.rooms.add(room)
        return found
