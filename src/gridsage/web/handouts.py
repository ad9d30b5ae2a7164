"""Kept games for people elsewhere: files to take along, and a page that other sites may show in a frame."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gridsage.core.complaints import in_words
from gridsage.web import messages
from gridsage.web.answers import FRESH, problem
from gridsage.web.crew import Crew
from gridsage.web.texts.choice import VARY, language_of

MEDIA_TYPES = {"html": "text/html; charset=utf-8", "gif": "image/gif", "png": "image/png", "svg": "image/svg+xml"}
MOST_AT_ONCE = 2  # files that are made at the same time
MOST_EMBEDDED = 32  # pages for other sites that are kept ready
EMBED = "/embed/"
# A page in a frame of another site has an origin of its own that nobody else has: it cannot even see our cookies.
EMBED_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'unsafe-inline'",  # the policy inside the page names its one script by its hash
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors *",
        "sandbox allow-scripts",
    ]
)


class _File(msgspec.Struct):
    """What a worker answers: a file, or a sentence."""

    m: str
    name: str = ""
    data: bytes = b""
    text: str = ""


def embed_key(token: str, name: str) -> str:
    """Return what lets others see one game in a frame, where the server has a token; it opens nothing else."""
    return hmac.new(token.encode(), f"{EMBED}{name}".encode(), hashlib.sha256).hexdigest()[:32]


def embed_address(token: str | None, name: str) -> str:
    """Return the address of a game for frames of other sites."""
    key = f"?key={embed_key(token, name)}" if token else ""
    return f"{EMBED}{quote(name)}{key}"


class Handouts:
    """One method per address."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._making = asyncio.Semaphore(MOST_AT_ONCE)
        self._embedded: dict[tuple[str, str], bytes] = {}  # by game and language

    def routes(self) -> list[Route]:
        """Return the routes of all files."""
        return [
            Route("/api/traces/{name}/file/{form}", self.file, methods=["GET"]),
            Route(EMBED + "{name}", self.embed, methods=["GET"]),
        ]

    async def file(self, request: Request) -> Response:
        """Answer with a game as a file to be saved."""
        name, form, query = request.path_params["name"], request.path_params["form"], request.query_params
        try:
            wish = {"m": "export", "id": name, "form": form, "language": language_of(request)}
            wish |= {key: value for key in ("step", "theme", "thoughts") if (value := query.get(key)) is not None}
            made = await self._made(msgspec.convert(wish, messages.Export, strict=False))
        except ValueError as error:
            return problem(f"no such file: {in_words(error)}", 404)
        if made.m != "file":
            return problem(made.text or "there was no answer; try again", 400)
        head = {"content-disposition": f'attachment; filename="{made.name}"', **FRESH}
        return Response(made.data, headers=head, media_type=MEDIA_TYPES[form])

    async def embed(self, request: Request) -> Response:
        """Answer with a page for a frame of another site: it plays one game, and reaches nothing else here."""
        name, language = request.path_params["name"], language_of(request)
        if (name, language) not in self._embedded:
            wish = {"m": "export", "id": name[:200], "form": "html", "language": language}
            made = await self._made(msgspec.convert(wish, messages.Export))
            if made.m != "file":
                return Response(made.text, 404, media_type="text/plain")
            while len(self._embedded) >= MOST_EMBEDDED:
                self._embedded.pop(next(iter(self._embedded)))
            self._embedded[name, language] = made.data
        head = {
            "content-security-policy": EMBED_POLICY,
            "cache-control": "no-cache",
            "referrer-policy": "no-referrer",
            "vary": VARY,
        }
        return Response(self._embedded[name, language], headers=head, media_type=MEDIA_TYPES["html"])

    async def _made(self, wish: messages.Export) -> _File:
        async with self._making:
            answer = await self._crew.ask(wish)
        return msgspec.json.decode(answer, type=_File) if answer else _File("error")
