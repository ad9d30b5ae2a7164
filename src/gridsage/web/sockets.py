"""The WebSocket of a board: messages checked on the way in, frames passed on as they come."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from gridsage.core.errors import GridsageError
from gridsage.web import guests, messages
from gridsage.web.broadcast import Viewer
from gridsage.web.crew import Crew, Link, TooMany
from gridsage.web.showings import Showing
from gridsage.web.tables import Chair, Hall, Member

BAD_MESSAGE = 1003  # close code: cannot accept what was sent
DONE = 1000
NOT_ADMITTED = 4003  # a code of our own: there is no sense in trying again
TRY_LATER = 1013
REASON_BYTES = 120  # a close frame holds no more


async def converse(socket: WebSocket, crew: Crew, hall: Hall) -> None:
    """Serve one board until its tab or its game is gone."""
    await socket.accept()
    try:
        message = messages.read(await _text(socket))
        invited_to = socket.scope.get(guests.INVITED_TO)
        if invited_to is not None and not (isinstance(message, messages.Join) and message.table in invited_to):
            raise ValueError("an invitation opens its own table, and nothing else")
        if isinstance(message, messages.Join):
            await _attend(socket, hall, message)
        elif isinstance(message, messages.OPENINGS):
            link = crew.open(message, socket.client.host if socket.client else "unknown")
            await _play(socket, hall, link, Showing(message))
        else:
            raise ValueError("the first message has to say what to watch, play, replay or check")
    except ValueError as problem:
        await _close(socket, BAD_MESSAGE, str(problem))
    except TooMany as problem:
        await _close(socket, TRY_LATER, str(problem))
    except (WebSocketDisconnect, RuntimeError):
        pass  # the tab is gone


async def _play(socket: WebSocket, hall: Hall, link: Link, showing: Showing) -> None:
    """Serve a game of one tab: each connection has a session of its own, which others may watch if it lets them."""
    async with _speaking(_speak(socket, link, showing)):
        try:
            while True:
                message = messages.read(await _text(socket))
                if isinstance(message, (*messages.OPENINGS, messages.Join)):
                    raise ValueError("this connection has its game already; open another one")
                if isinstance(message, messages.Show):
                    _show(hall, link, showing, message)
                else:
                    link.send(message)
        finally:
            link.close()
            hall.hide(showing)


def _show(hall: Hall, link: Link, showing: Showing, message: messages.Show) -> None:
    if message.on:
        hall.show(showing, message.listed)
    else:
        hall.hide(showing)
    address = hall.address(showing) if message.on else ""
    link.heard.put_nowait(msgspec.json.encode({"m": "shown", "address": address, "listed": message.listed}))


@contextlib.asynccontextmanager
async def _speaking(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Let `work` tell the tab things while it is listened to."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await task


# Tables


async def _attend(socket: WebSocket, hall: Hall, join: messages.Join) -> None:
    """Serve somebody at a table. Who they are is what their token says, whatever else they send."""
    try:
        place = hall.find(join.table)
        if isinstance(place, Showing):
            await _watch(socket, place.viewer())
            return
        member = place.admit(join)
    except GridsageError as problem:
        await _close(socket, NOT_ADMITTED, str(problem))
        return
    async with _speaking(_pass_on(socket, member.next)):
        try:
            while True:
                _heed(member, messages.read(await _text(socket)))
        finally:
            member.table.leave(member)


async def _watch(socket: WebSocket, viewer: Viewer) -> None:
    """Serve somebody who watches the game of another tab, and can do nothing else."""
    async with _speaking(_pass_on(socket, viewer.next)):
        try:
            while True:
                if not isinstance(messages.read(await _text(socket)), messages.Ack | messages.Overlay):
                    raise ValueError("spectators cannot act")
        finally:
            viewer.leave()


def _heed(member: Member, message: messages.FromBrowser) -> None:
    """Do what somebody at a table says; spectators have nothing to say."""
    if isinstance(message, messages.Ack | messages.Overlay):
        return
    if member.chair is None:
        raise ValueError("spectators cannot act")
    _obey(member, member.chair, message)


def _obey(member: Member, chair: Chair, message: messages.FromBrowser) -> None:
    match message:
        case messages.Act() | messages.Leave() | messages.Keep() | messages.Describe():
            member.table.pass_on(chair, message)
        case messages.Rematch():
            member.table.rematch(chair)
        case messages.Show():
            member.table.show(chair, message.on and message.listed)
        case _:
            raise ValueError("this cannot be asked at a table")


async def _pass_on(socket: WebSocket, following: Callable[[], Awaitable[list[str]]]) -> None:
    while found := await following():
        await socket.send_text(found[0] if len(found) == 1 else f"[{','.join(found)}]")
    await _close(socket, DONE, "")


# Messages


async def _text(socket: WebSocket) -> str:
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", DONE))
    text = received.get("text")
    if text is None:
        raise ValueError("messages of this page are text")
    return str(text)


async def _speak(socket: WebSocket, link: Link, showing: Showing) -> None:
    while (data := await link.receive()) is not None:
        showing.publish(data)
        await socket.send_text(data.decode())
    await _close(socket, DONE, "")


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    short = reason.encode()[:REASON_BYTES].decode(errors="ignore")
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, short)
