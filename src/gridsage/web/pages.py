"""The addresses that people open. Each answers with a small HTML page whose scripts build the rest in the browser."""

from __future__ import annotations

import asyncio
import html
import logging
import re
from collections.abc import Sequence
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gridsage.core.errors import UnknownName
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import days, describe, texts
from gridsage.web.assets import Assets
from gridsage.web.handouts import embed_address
from gridsage.web.messages import Answer
from gridsage.web.tables import Hall
from gridsage.web.texts.choice import VARY, language_of

log = logging.getLogger(__name__)
HOST = re.compile(r"[A-Za-z0-9.:\[\]_-]+")  # what may stand in a policy

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="{icon}" type="image/svg+xml">
<link rel="stylesheet" href="{style}">
<script type="module" src="{script}"></script>
</head>
<body>
<div class="gridsage"></div>
<noscript>{noscript}</noscript>
<script type="application/json" id="config">{config}</script>
</body>
</html>
"""


class Pages:
    """One method per address."""

    def __init__(self, store: Store, assets: Assets, hall: Hall, token: str | None = None) -> None:
        self._store, self._assets, self._hall, self._token = store, assets, hall, token
        self._texts: dict[tuple[str, str], dict[str, str]] = {}

    def routes(self) -> list[Route]:
        """Return the routes of all pages; the last one answers for addresses that do not exist."""
        return [
            Route("/", self.gallery),
            Route("/learn/{game}", self.learn),
            Route("/watch/{game}", self.watch),
            Route("/play/{game}", self.play),
            Route("/edit/{game}", self.edit),
            Route("/table/{name}", self.table),
            Route("/live/{name}", self.live),
            Route("/replays", self.replays),
            Route("/replay/{name}", self.replay),
            Route("/compare", self.compare),
            Route("/daily", self.daily),
            Route("/help", self.help),
            Route("/{path:path}", self.nothing),
        ]

    async def gallery(self, request: Request) -> Response:
        return self._page(request, "gallery", texts.TITLE, rooms=await cards(request), running=self._hall.running())

    async def learn(self, request: Request) -> Response:
        return await self._room(request, "learn")

    async def watch(self, request: Request) -> Response:
        return await self._room(request, "watch")

    async def play(self, request: Request) -> Response:
        return await self._room(request, "play")

    async def edit(self, request: Request) -> Response:
        return await self._room(request, "edit")

    async def table(self, request: Request) -> Response:
        try:
            found = self._hall.table(request.path_params["name"])
        except UnknownName as error:
            return self._nothing(request, str(error))
        language = language_of(request)
        room = await asyncio.to_thread(describe.whole, found.wish.game, self._store.home, language)
        title = _titled(request, "title_play", game=room["title"])
        return self._page(request, "table", title, (found.wish.game,), room=room, id=found.id)

    async def live(self, request: Request) -> Response:
        try:
            found = self._hall.find(request.path_params["name"])
        except UnknownName:
            return self._nothing(request, texts.of_page(language_of(request))["live_over"])
        return self._page(request, "live", _titled(request, "live_title"), catalog.names(), id=found.id)

    async def replays(self, request: Request) -> Response:
        return self._page(
            request, "replays", _titled(request, "nav_replays"), catalog.names(), rooms=await cards(request)
        )

    async def replay(self, request: Request) -> Response:
        name = request.path_params["name"]
        embed = embed_address(self._token, name)
        return self._page(request, "replay", _titled(request, "replay_title"), catalog.names(), id=name, embed=embed)

    async def compare(self, request: Request) -> Response:
        return self._page(
            request, "compare", _titled(request, "nav_compare"), catalog.names(), rooms=await cards(request)
        )

    async def daily(self, request: Request) -> Response:
        calendar = days.told()
        return self._page(
            request,
            "daily",
            _titled(request, "daily"),
            rooms=await cards(request),
            today=calendar["today"],
            dates=calendar["dates"],
            puzzles=calendar["puzzles"],
            ratings=calendar["ratings"],
        )

    async def help(self, request: Request) -> Response:
        return self._page(request, "help", _titled(request, "nav_help"), rooms=await cards(request))

    async def nothing(self, request: Request) -> Response:
        return self._nothing(request, f"/{request.path_params['path']}")

    async def _room(self, request: Request, page: str) -> Response:
        game = request.path_params["game"]
        try:
            room = await asyncio.to_thread(describe.whole, game, self._store.home, language_of(request))
            query, usual = request.query_params, _usual_level(game) if page == "watch" else ""
            room["size"] = describe.size(game, query.get("level") or usual, query.get("text", ""))
            room["daily"] = days.of_room(game, query.get("level", ""))
            room["practice"] = days.practice(game, query.get("level", ""))
        except UnknownName as error:
            return self._nothing(request, str(error))
        except Exception as error:  # an installed game is anybody's code
            log.exception("the page of %s failed", game)
            sentence = texts.of_page(language_of(request))["room_failed"].format(game=game, error=error)
            return self._nothing(request, sentence, HTTPStatus.INTERNAL_SERVER_ERROR)
        return self._page(request, page, _titled(request, f"title_{page}", game=room["title"]), (game,), room=room)

    def _used(self, page: str, language: str) -> dict[str, str]:
        """Return the texts that a page can show; its script is read once for every language."""
        if (page, language) not in self._texts:
            self._texts[page, language] = self._assets.used(page, texts.of_page(language))
        return self._texts[page, language]

    def _nothing(self, request: Request, text: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Response:
        """Say why there is no such page, to people and to programs."""
        failed = status >= HTTPStatus.INTERNAL_SERVER_ERROR
        title = _titled(request, "failed_page" if failed else "unknown_page")
        said = texts.book(language_of(request)).said(text)
        return self._page(request, "nothing", title, status=status, text=said, failed=failed)

    def _page(
        self,
        request: Request,
        page: str,
        title: str,
        games: Sequence[str] = (),
        status: HTTPStatus = HTTPStatus.OK,
        **config: object,
    ) -> Response:
        """Return a page with its texts in the visitor's language, and what these games may say on it."""
        assets, language = self._assets, language_of(request)
        script, words = assets.script(page), texts.of_page(language)
        phrases = {} if language == texts.FIRST else _phrases(language, games)
        told = {
            "page": page,
            "texts": self._used(page, language),
            "phrases": phrases,
            "languages": texts.LANGUAGES,
            **config,
        }
        data = msgspec.json.encode(told).decode()
        text = PAGE.format(
            language=language,
            title=html.escape(title),
            icon=assets.inline("icon.svg"),
            style=assets.address("style.css"),
            script=script,
            noscript=html.escape(words["no_script"]),
            config=data.replace("<", "\\u003c"),  # nothing in it can end the element
        )
        headers = {"cache-control": "no-cache", "vary": VARY, "content-security-policy": policy(request, script)}
        return HTMLResponse(text, status, headers)


def policy(request: Request, script: str) -> str:
    """Return the content policy of a page: exactly this script, our own style, nothing from anywhere else."""
    host = request.headers.get("host", "")
    named = f"{host}{script}" if HOST.fullmatch(host) else "'none'"
    rules = [
        "default-src 'none'",
        f"script-src {named}",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
    return "; ".join(rules)


async def cards(request: Request) -> list[Answer]:
    """What the gallery says of every game; rooms are imported outside the event loop."""
    language = language_of(request)
    return await asyncio.to_thread(lambda: [describe.card(name, language) for name in catalog.names()])


def _phrases(language: str, games: Sequence[str]) -> dict[str, str]:
    """Return what the server and these games say, and their titles, in another language."""
    rooms = [catalog.room(name) for name in games if not describe.card(name)["missing"]]
    titles = {room.title: texts.book(language, room.name).said(room.title) for room in rooms}
    return texts.spoken(language, *rooms) | titles


def _usual_level(game: str) -> str:
    """Return the level that the watch page opens when nobody names one."""
    return catalog.room(game).view.showcase.level


def _titled(request: Request, name: str, **values: object) -> str:
    words = texts.of_page(language_of(request))[name].format(**values)
    return f"{words} · {texts.TITLE}"
