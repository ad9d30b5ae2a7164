"""Questions the pages ask by HTTP: pictures for the gallery, traces in and out, levels."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gridsage.core.complaints import in_words
from gridsage.core.errors import GridsageError, StoreError, UnknownName
from gridsage.core.trace import encode
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import compare, describe, guides, kept, levels, messages
from gridsage.web.answers import FRESH, body, json_answer, problem
from gridsage.web.crew import Crew
from gridsage.web.messages import Answer
from gridsage.web.pictures import PREVIEW, Pictures
from gridsage.web.texts.choice import language_of

MAX_TRACE_BYTES = 8 * 1024 * 1024
MAX_LEVEL_BYTES = 200_000
MAX_FILE_BYTES = 2 * 1024 * 1024
USUAL_ROWS = 100
MOST_DIGITS = 12
NEWEST_FIRST = "-stored"


class Api:
    """One method per question."""

    def __init__(self, crew: Crew, store: Store) -> None:
        self._crew, self._store = crew, store
        self._pictures = Pictures(crew, store.home / "pictures")

    def routes(self) -> list[Route]:
        """Return the routes of all questions."""
        ask, change = ["GET"], ["POST"]
        return [
            Route("/api/preview/{game}", self.preview, methods=ask),
            Route("/api/previews", self.previews, methods=ask),
            Route("/api/room/{game}", self.room, methods=ask),
            Route("/api/guide/{game}", self.guide, methods=ask),
            Route("/api/traces", self.traces, methods=ask),
            Route("/api/traces", self.upload, methods=change),
            Route("/api/traces/{name}", self.trace, methods=ask),
            Route("/api/traces/{name}/log", self.log, methods=ask),
            Route("/api/compare", self.compare, methods=ask),
            Route("/api/paired", self.paired, methods=ask),
            Route("/api/levels/{game}/text", self.level_text, methods=ask),
            Route("/api/levels/{game}/read", self.read_levels, methods=change),
            Route("/api/levels/{game}/keep/{name}", self.keep_level, methods=change),
            Route("/api/levels/{game}/drop/{name}", self.drop_level, methods=change),
            Route("/api/levels/{game}/rename/{name}/{to}", self.rename_level, methods=change),
            Route("/api/levels/{game}/write/{form}", self.write_level, methods=change),
        ]

    async def preview(self, request: Request) -> Response:
        game = request.path_params["game"]
        if game not in catalog.names():
            return problem(f"no game {game!r}", 404)
        answer = await (self._pictures.still(game) if _is_true(request, "still") else self._pictures.whole(game))
        return Response(answer, 200 if answer.startswith(PREVIEW) else 503, media_type="application/json")

    async def previews(self, request: Request) -> Response:
        """Answer with the pictures of several games by name: the moving ones, or what is there at once."""
        names = [name for name in request.query_params.get("games", "").split(",") if name in catalog.names()]
        still = _is_true(request, "still")
        found = await self._pictures.stills(names) if still else await self._pictures.wholes(names)
        return json_answer({name: msgspec.Raw(answer) for name, answer in found.items() if answer})

    async def room(self, request: Request) -> Response:
        return await _told(lambda: describe.whole(request.path_params["game"], self._store.home, language_of(request)))

    async def guide(self, request: Request) -> Response:
        return await _told(lambda: guides.told(request.path_params["game"], language_of(request)))

    async def traces(self, request: Request) -> Response:
        query = request.query_params
        offset, limit = _whole(query.get("offset"), 0), _whole(query.get("limit"), USUAL_ROWS)
        order = query.get("order") or NEWEST_FIRST
        return await _told(lambda: kept.listing(self._store, _wanted(query), order, offset, limit))

    async def upload(self, request: Request) -> Response:
        try:
            data = await body(request, MAX_TRACE_BYTES)
        except ValueError as error:
            return problem(str(error), 413)
        return _answer(await self._crew.ask(messages.Verify(data, _file_name(request))))

    async def trace(self, request: Request) -> Response:
        name = request.path_params["name"]
        try:
            found = await asyncio.to_thread(self._store.load, name)
        except GridsageError as error:
            return problem(str(error), 404)
        head = {"content-disposition": f'attachment; filename="{found.game}-{name[:12]}.trace"'}
        return Response(encode(found), media_type="application/octet-stream", headers=head)

    async def log(self, request: Request) -> Response:
        """Answer what the agents of a game printed, as plain text that no browser takes for a page."""
        try:
            found = await asyncio.to_thread(self._store.load, request.path_params["name"])
            kept_games = await asyncio.to_thread(self._store.known, [found.episode])
        except GridsageError as error:
            return problem(str(error), 404)
        text = kept_games[found.episode].log if found.episode in kept_games else ""
        head = {"x-content-type-options": "nosniff", **FRESH}
        return Response(text or "No agent of this game has printed anything.\n", media_type="text/plain", headers=head)

    async def compare(self, request: Request) -> Response:
        return await _told(lambda: compare.summary(self._store, _wanted(request.query_params)))

    async def paired(self, request: Request) -> Response:
        query = request.query_params
        first, second = query.get("first") or "", query.get("second") or ""
        return await _told(lambda: compare.paired(self._store, _wanted(query), first, second))

    async def level_text(self, request: Request) -> Response:
        query, game = request.query_params, request.path_params["game"]
        wanted = {"m": "look", "game": game, "level": query.get("level", ""), "seed": query.get("seed", "1")}

        def find() -> dict[str, str]:
            asked = msgspec.convert(wanted, messages.Look, strict=False)
            return {"text": levels.chosen(catalog.room(game), asked, self._store.home).text}

        return await _told(find)

    async def read_levels(self, request: Request) -> Response:
        try:
            data = await body(request, MAX_FILE_BYTES)
        except ValueError as error:
            return problem(str(error), 400)
        game, name, language = request.path_params["game"], _file_name(request), language_of(request)

        def read() -> Answer:
            found, home = levels.read(game, name, data)
            return {
                "levels": [{"name": one.name, "text": one.text, "warnings": one.warnings} for one in found],
                "home": describe.card(home, language) if home else None,
            }

        return await _told(read)

    async def keep_level(self, request: Request) -> Response:
        game, name = request.path_params["game"], request.path_params["name"]
        replace = _is_true(request, "replace")

        def keep(text: str) -> Answer:
            if not replace and levels.has_own(self._store.home, game, name):
                return {"taken": True}
            levels.keep_own(self._store.home, game, name, text)
            return {"level": levels.OWN + name, "own": self._own(game)}

        return await _with_text(request, keep)

    async def drop_level(self, request: Request) -> Response:
        game, name = request.path_params["game"], request.path_params["name"]
        return await _told(lambda: {"text": levels.drop_own(self._store.home, game, name), "own": self._own(game)})

    async def rename_level(self, request: Request) -> Response:
        game, name, to = (request.path_params[key] for key in ("game", "name", "to"))

        def rename() -> Answer:
            levels.rename_own(self._store.home, game, name, to)
            return {"level": levels.OWN + to, "own": self._own(game)}

        return await _told(rename)

    async def write_level(self, request: Request) -> Response:
        game, form = request.path_params["game"], request.path_params["form"]
        return await _with_text(request, lambda text: {"text": levels.written(game, form, text)})

    def _own(self, game: str) -> list[str]:
        return [levels.OWN + name for name in levels.own_names(self._store.home, game)]


async def _told(work: Callable[[], object]) -> Response:
    """Return what `work` finds, or the sentence that says why it cannot."""
    try:
        return json_answer(await asyncio.to_thread(work))
    except StoreError as error:
        return problem(str(error), 503)
    except UnknownName as error:
        return problem(str(error), 404)
    except (GridsageError, ValueError) as error:
        return problem(in_words(error), 400)
    except OSError as error:
        return problem(f"a file cannot be read or written: {in_words(error)}", 503)


async def _with_text(request: Request, work: Callable[[str], object]) -> Response:
    """Hand the text that was sent to `work`."""
    try:
        text = (await body(request, MAX_LEVEL_BYTES)).decode("utf-8")
    except ValueError as error:
        return problem(in_words(error), 400)
    return await _told(lambda: work(text))


def _wanted(query: Mapping[str, str]) -> messages.Audit:
    """Return the games that an address means; whatever else it holds is ignored."""
    names = {field.name for field in msgspec.structs.fields(messages.Audit)}
    return msgspec.convert({name: value for name, value in query.items() if name in names}, messages.Audit)


def _is_true(request: Request, name: str) -> bool:
    return request.query_params.get(name, "").lower() in ("1", "true", "yes", "on")


def _whole(text: str | None, usual: int) -> int:
    """Return the number in an address; nonsense is taken for the usual one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else usual


def _file_name(request: Request) -> str:
    """Return the last part of the name a browser gives, whatever it tries."""
    return unquote(request.headers.get("x-file-name", "the file")).replace("\\", "/").rsplit("/", 1)[-1][:100]


def _answer(data: bytes) -> Response:
    if not data:
        return problem("there was no answer; try again", 500)
    status = 400 if data.startswith(b'{"m":"error"') else 200
    return Response(data, status, headers=FRESH, media_type="application/json")
