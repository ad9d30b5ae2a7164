"""The server behind the page: one process for pages and connections, a few more for the games."""

from __future__ import annotations

import errno
import secrets
import socket as sockets_of_system
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from gridsage.core.errors import OptionError
from gridsage.store import Store
from gridsage.web import api, gatherings, guard, handouts, pages, sockets, texts
from gridsage.web.assets import Assets
from gridsage.web.crew import Crew
from gridsage.web.tables import Hall

COMPRESSED_FROM_BYTES = 1_000
BACKLOG = 2048
LAST_WORDS_SECONDS = 1  # open connections get that long when the server ends


def serve(
    host: str = "127.0.0.1",
    port: int = 8080,
    open_browser: bool = True,
    token: str | None = None,
    home: Path | None = None,
) -> None:
    """Serve the page until ctrl-C. A host that others can reach needs a token; one is made if none is given.

    Args:
        port: 0 takes any free one.
        home: folder of stored games and own levels; by default the user's.
    """
    local = guard.is_loopback(host)
    if not local and token is None:
        token = secrets.token_urlsafe(18)
    if token is not None and (len(token) < 8 or not token.replace("-", "").replace("_", "").isalnum()):
        raise OptionError("a token is at least 8 letters, digits, - or _")
    store = Store(home)
    listening = _listen(host, port)
    address = address_to_open(host, listening.getsockname()[1], token)
    crew = Crew(store.home)
    application = build(crew, store, token)
    print(texts.SERVING.format(address=address), flush=True)
    if open_browser:
        webbrowser.open(address)
    config = uvicorn.Config(
        guard.Guard(application, local=local, token=token),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=LAST_WORDS_SECONDS,
        ws_max_size=2 * 1024 * 1024,
        lifespan="on",
    )
    try:
        _Server(config, crew).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        crew.close()
        listening.close()


class _Server(uvicorn.Server):
    """Ends the games before it waits for connections: those who wait for an answer get one."""

    def __init__(self, config: uvicorn.Config, crew: Crew) -> None:
        super().__init__(config)
        self._crew = crew

    async def shutdown(self, sockets: list[sockets_of_system.socket] | None = None) -> None:
        self._crew.close()
        await super().shutdown(sockets)


def build(crew: Crew, store: Store, token: str | None = None) -> Starlette:
    """Return the application: pages, files, questions by HTTP, and the WebSocket of the boards.

    Args:
        token: of the server, where there is one; invitations carry keys that are made from it.
    """
    hall = Hall(crew, token)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        crew.start()
        try:
            yield
        finally:
            hall.close()
            crew.close()

    async def board(socket: WebSocket) -> None:
        await sockets.converse(socket, crew, hall)

    assets = Assets()
    routes: list[BaseRoute] = [
        WebSocketRoute("/ws", board),
        Route("/static/{digest}/{name:path}", assets.serve),
        Route("/favicon.ico", lambda _: RedirectResponse(assets.address("icon.svg"))),
        *api.Api(crew, store).routes(),
        *gatherings.Gatherings(hall, store).routes(),
        *handouts.Handouts(crew).routes(),
        *pages.Pages(store, assets, hall, token).routes(),
    ]
    middleware = [Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM_BYTES)]
    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan)


def _listen(host: str, port: int) -> sockets_of_system.socket:
    family = sockets_of_system.AF_INET6 if ":" in host else sockets_of_system.AF_INET
    listening = sockets_of_system.socket(family, sockets_of_system.SOCK_STREAM)
    listening.setsockopt(sockets_of_system.SOL_SOCKET, sockets_of_system.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
        listening.listen(BACKLOG)  # from now on a browser that is too early waits instead of failing
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise OptionError(f"port {port} is taken: stop what uses it, or choose another with --port") from None
        raise OptionError(f"cannot serve at {host}:{port}: {error.strerror or error}") from None
    return listening


def address_to_open(host: str, port: int, token: str | None) -> str:
    """Return the address to open; a server that listens everywhere is reached under the name of its machine."""
    if host.strip("[]") in ("0.0.0.0", "::"):
        host = sockets_of_system.gethostname()
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")
