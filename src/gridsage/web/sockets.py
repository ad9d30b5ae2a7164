"""The WebSocket of a board: messages checked on the way in, frames passed on as they come."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect

from gridsage.web import messages
from gridsage.web.crew import Crew, Link, TooMany

BAD_MESSAGE = 1003  # close code: cannot accept what was sent
DONE = 1000
TRY_LATER = 1013
REASON_BYTES = 120  # a close frame holds no more


async def converse(socket: WebSocket, crew: Crew) -> None:
    """Serve one board until its tab or its game is gone. Each connection has a session of its own."""
    await socket.accept()
    link: Link | None = None
    speaking: asyncio.Task[None] | None = None
    try:
        while True:
            message = messages.read(await _text(socket))
            if link is None:
                if not isinstance(message, messages.OPENINGS):
                    raise ValueError("the first message has to say what to watch, play, replay or check")
                link = crew.open(message, socket.client.host if socket.client else "unknown")
                speaking = asyncio.create_task(_speak(socket, link))
            elif isinstance(message, messages.OPENINGS):
                raise ValueError("this connection has its game already; open another one")
            else:
                link.send(message)
    except ValueError as problem:
        await _close(socket, BAD_MESSAGE, str(problem))
    except TooMany as problem:
        await _close(socket, TRY_LATER, str(problem))
    except (WebSocketDisconnect, RuntimeError):
        pass  # the tab is gone
    finally:
        if link is not None:
            link.close()
        if speaking is not None:
            speaking.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await speaking


async def _text(socket: WebSocket) -> str:
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", DONE))
    text = received.get("text")
    if text is None:
        raise ValueError("messages of this page are text")
    return str(text)


async def _speak(socket: WebSocket, link: Link) -> None:
    while (data := await link.receive()) is not None:
        await socket.send_text(data.decode())
    await _close(socket, DONE, "")


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    short = reason.encode()[:REASON_BYTES].decode(errors="ignore")
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, short)
