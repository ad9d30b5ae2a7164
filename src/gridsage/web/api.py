"""Questions the pages ask by HTTP: files, pictures for the gallery, traces in and out, levels."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from gridsage.core.errors import GridsageError, StoreError, UnknownName
from gridsage.core.trace import encode
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import compare, describe, kept, levels, messages
from gridsage.web.crew import Crew
from gridsage.web.pictures import PREVIEW, Pictures

MAX_TRACE_BYTES = 8 * 1024 * 1024
MAX_LEVEL_BYTES = 200_000
MAX_FILE_BYTES = 2 * 1024 * 1024
USUAL_ROWS = 100
MOST_DIGITS = 12
NEWEST_FIRST = "-stored"
FRESH = {"cache-control": "no-cache"}


def add(application: FastAPI, crew: Crew, store: Store, static: Path) -> None:
    """Add every route of this file to `application`."""
    application.mount("/static", _Files(directory=static), name="static")

    @application.get("/favicon.ico")
    async def icon() -> Response:
        return Response((static / "icon.svg").read_bytes(), media_type="image/svg+xml")

    pictures = Pictures(crew, store.home / "pictures")

    @application.get("/api/preview/{game}")
    async def preview(game: str, still: bool = False) -> Response:
        if game not in catalog.names():
            return _problem(f"no game {game!r}", 404)
        answer = await (pictures.still(game) if still else pictures.whole(game))
        return Response(answer, 200 if answer.startswith(PREVIEW) else 503, media_type="application/json")

    @application.get("/api/room/{game}")
    async def room(game: str) -> Response:
        try:
            return _json(await asyncio.to_thread(describe.whole, game, store.home))
        except UnknownName as error:
            return _problem(str(error), 404)

    @application.get("/api/traces")
    async def traces(request: Request) -> Response:
        query = request.query_params
        offset, limit = _whole(query.get("offset"), 0), _whole(query.get("limit"), USUAL_ROWS)
        order = query.get("order") or NEWEST_FIRST
        return await _told(lambda: kept.listing(store, _wanted(query), order, offset, limit))

    @application.get("/api/compare")
    async def sums(request: Request) -> Response:
        return await _told(lambda: compare.summary(store, _wanted(request.query_params)))

    @application.get("/api/paired")
    async def pairs(request: Request) -> Response:
        query = request.query_params
        first, second = query.get("first") or "", query.get("second") or ""
        return await _told(lambda: compare.paired(store, _wanted(query), first, second))

    @application.get("/api/traces/{name}")
    async def trace(name: str) -> Response:
        try:
            found = await asyncio.to_thread(store.load, name)
        except GridsageError as error:
            return _problem(str(error), 404)
        head = {"content-disposition": f'attachment; filename="{found.game}-{name[:12]}.trace"'}
        return Response(encode(found), media_type="application/octet-stream", headers=head)

    @application.post("/api/traces")
    async def upload(request: Request) -> Response:
        try:
            data = await _body(request, MAX_TRACE_BYTES)
        except ValueError as error:
            return _problem(str(error), 413)
        name = _file_name(request)
        return _answer(await crew.ask(messages.Verify(data, name)))

    @application.post("/api/levels/{game}/keep/{name}")
    async def keep_level(game: str, name: str, request: Request, replace: bool = False) -> Response:
        def keep(text: str) -> Any:
            if not replace and levels.has_own(store.home, game, name):
                return {"taken": True}
            levels.keep_own(store.home, game, name, text)
            return {"level": levels.OWN + name, "own": own(game)}

        async def answer(text: str) -> Any:
            return await asyncio.to_thread(keep, text)

        return await _with_text(request, answer)

    @application.get("/api/levels/{game}/text")
    async def level_text(game: str, level: str = "", seed: int = 1) -> Response:
        def find() -> Any:
            asked = msgspec.convert({"m": "look", "game": game, "level": level, "seed": seed}, messages.Look)
            return {"text": levels.chosen(catalog.room(game), asked, store.home).text}

        return await _told(find)

    @application.post("/api/levels/{game}/drop/{name}")
    async def drop_level(game: str, name: str) -> Response:
        return await _told(lambda: {"text": levels.drop_own(store.home, game, name), "own": own(game)})

    @application.post("/api/levels/{game}/rename/{name}/{to}")
    async def rename_level(game: str, name: str, to: str) -> Response:
        def rename() -> Any:
            levels.rename_own(store.home, game, name, to)
            return {"level": levels.OWN + to, "own": own(game)}

        return await _told(rename)

    def own(game: str) -> list[str]:
        return [levels.OWN + name for name in levels.own_names(store.home, game)]

    @application.post("/api/levels/{game}/write/{form}")
    async def write_level(game: str, form: str, request: Request) -> Response:
        async def write(text: str) -> Any:
            return {"text": await asyncio.to_thread(levels.written, game, form, text)}

        return await _with_text(request, write)

    @application.post("/api/levels/{game}/read")
    async def read_level(game: str, request: Request) -> Response:
        try:
            data = await _body(request, MAX_FILE_BYTES)
            found = await asyncio.to_thread(levels.read, game, _file_name(request), data)
        except (GridsageError, ValueError) as error:
            return _problem(str(error), 400)
        except OSError as error:
            return _problem(_unwritten(error), 503)
        return _json({"levels": [{"name": one.name, "text": one.text, "warnings": one.warnings} for one in found]})


async def _told(work: Callable[[], Any]) -> Response:
    """What `work` finds, or the sentence that says why it cannot."""
    try:
        return _json(await asyncio.to_thread(work))
    except StoreError as error:
        return _problem(str(error), 503)
    except UnknownName as error:
        return _problem(str(error), 404)
    except (GridsageError, ValueError) as error:
        return _problem(str(error), 400)
    except OSError as error:
        return _problem(_unwritten(error), 503)


def _wanted(query: Mapping[str, str]) -> messages.Audit:
    """The games that an address means; what it says besides is not for us."""
    names = {field.name for field in msgspec.structs.fields(messages.Audit)}
    return msgspec.convert({name: value for name, value in query.items() if name in names}, messages.Audit)


def _whole(text: str | None, usual: int) -> int:
    """A number in an address; nonsense is taken for the usual one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else usual


async def _with_text(request: Request, work: Callable[[str], Awaitable[Any]]) -> Response:
    try:
        text = (await _body(request, MAX_LEVEL_BYTES)).decode("utf-8")
        return _json(await work(text))
    except StoreError as error:
        return _problem(str(error), 503)
    except (GridsageError, ValueError) as error:
        return _problem(str(error), 400)
    except OSError as error:
        return _problem(_unwritten(error), 503)


def _unwritten(error: OSError) -> str:
    return f"a file cannot be read or written: {error.strerror or error}"


def _file_name(request: Request) -> str:
    """The last part of the name a browser gives, whatever it tries."""
    return unquote(request.headers.get("x-file-name", "the file")).replace("\\", "/").rsplit("/", 1)[-1][:100]


class _Files(StaticFiles):
    """Our own files: always asked for again, so that an update is seen at once."""

    async def get_response(self, path: str, scope: Any) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(FRESH)
        return response


async def _body(request: Request, most: int) -> bytes:
    data = bytearray()
    async for part in request.stream():
        data.extend(part)
        if len(data) > most:
            raise ValueError(f"the file is larger than {most // 1024} kB")
    return bytes(data)


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, headers=FRESH, media_type="application/json")


def _answer(data: bytes) -> Response:
    if not data:
        return _problem("there was no answer; try again", 500)
    status = 400 if data.startswith(b'{"m":"error"') else 200
    return Response(data, status, headers=FRESH, media_type="application/json")


def _problem(sentence: str, status: int) -> Response:
    return _json({"m": "error", "text": sentence}, status)
