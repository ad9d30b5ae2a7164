"""The addresses of the page. NiceGUI serves the shell; what is inside it is ours."""

from __future__ import annotations

import asyncio
import logging
import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.element import Element

from gridsage.core.errors import UnknownName
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import describe, texts

log = logging.getLogger(__name__)
STATIC = Path(__file__).resolve().parent / "static"
PATIENCE_SECONDS = 60.0  # rooms are imported on the first visit, and a machine may be busy
STYLE = '<link rel="stylesheet" href="/static/style.css">'
IMPORTS = re.compile(r"""^(?:import|export)\b[^'"]*\bfrom\s+['"](\.[^'"]+)['"]""", re.MULTILINE)


class Screen(Element, component=STATIC / "screen.js"):
    """The one element of every page."""

    def __init__(self, page: str, config: dict[str, Any]) -> None:
        super().__init__()
        self.props["page"] = page
        self.props["config"] = {"texts": texts.BROWSER, **config}


def add(store: Store) -> None:
    """Register every page."""

    @ui.page("/", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def gallery() -> None:
        show("gallery", rooms=await cards())

    @ui.page("/watch/{game}", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def watch(game: str) -> None:
        await show_room("watch", game)

    @ui.page("/play/{game}", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def play(game: str) -> None:
        await show_room("play", game)

    @ui.page("/edit/{game}", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def edit(game: str) -> None:
        await show_room("edit", game)

    @ui.page("/replays", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def replays() -> None:
        show("replays", rooms=await cards())

    @ui.page("/replay/{name}", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def replay(name: str) -> None:
        show("replay", id=name)

    @ui.page("/compare", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def compare() -> None:
        show("compare", rooms=await cards())

    @ui.page("/help", title=texts.TITLE, response_timeout=PATIENCE_SECONDS)
    async def help_page() -> None:
        show("help", rooms=await cards())

    @ui.page("/{path:path}", title=texts.TITLE)
    async def nothing(path: str) -> None:
        show_nothing(f"/{path}")

    async def show_room(page: str, game: str) -> None:
        try:
            room = await asyncio.to_thread(describe.whole, game, store.home)
        except UnknownName as error:
            show_nothing(str(error))
            return
        except Exception as error:  # an installed game is anybody's code
            log.exception("the page of %s failed", game)
            show_nothing(texts.ROOM_FAILED.format(game=game, error=error), HTTPStatus.INTERNAL_SERVER_ERROR)
            return
        show(page, room=room)


async def cards() -> list[dict[str, Any]]:
    """What the gallery says of every game; rooms are imported outside the event loop."""
    return await asyncio.to_thread(lambda: [describe.card(name) for name in catalog.names()])


def show_nothing(text: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> None:
    """Say why there is no such page, to people and to programs."""
    ui.context.client.status_code = status
    show("nothing", text=text, failed=status >= HTTPStatus.INTERNAL_SERVER_ERROR)


def show(page: str, **config: Any) -> None:
    """Fill the current page."""
    ui.add_head_html(STYLE + preloads(page))
    Screen(page, config)


@cache
def preloads(page: str) -> str:
    """Links that let a browser ask for all modules of a page at once, not one after the other as imports tell them."""
    waiting, found = [STATIC / "shell.js", STATIC / "pages" / f"{page}.js"], dict[Path, None]()
    while waiting:
        module = waiting.pop()
        if module in found:
            continue
        found[module] = None
        waiting.extend((module.parent / name).resolve() for name in IMPORTS.findall(module.read_text("utf-8")))
    paths = [module.relative_to(STATIC).as_posix() for module in found]
    return "".join(f'<link rel="modulepreload" href="/static/{path}">' for path in paths)
