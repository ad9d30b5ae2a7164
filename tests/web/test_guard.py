"""The guard before the server, called as a server calls it."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from gridsage.web.guard import Guard

TOKEN = "open-sesame-1"


def ask(
    path: str = "/", query: str = "", *, method: str = "GET", token: str | None = TOKEN, **headers: str
) -> tuple[int, dict[str, str]]:
    """Status and headers of the answer to a request; who is let in gets 200."""
    sent: list[MutableMapping[str, Any]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    named = [(b"host", b"127.0.0.1:8080"), *((name.encode(), value.encode()) for name, value in headers.items())]
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": named}
    guard = Guard(application, local=True, token=token)
    with ThreadPoolExecutor(1) as pool:  # the thread of the tests may have a loop of its own: the browser's
        pool.submit(lambda: asyncio.run(guard(scope, receive, send))).result()
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize(
    "cookie",
    [
        f"gridsage_token={TOKEN}",
        f'gridsage_token="{TOKEN}"',
        f'x={{"a":1}}; gridsage_token={TOKEN}',
        f"a b=c; gridsage_token={TOKEN}; d",
        f"=; ;;@[]=1;gridsage_token={TOKEN}",
        f"gridsage_token=old; gridsage_token={TOKEN}",
    ],
)
def test_cookies_of_other_programs_lock_nobody_out(cookie: str) -> None:
    assert ask(cookie=cookie)[0] == 200


@pytest.mark.parametrize(
    "cookie", ["", "gridsage_token=", "gridsage_token=wrong", f"x={TOKEN}", f"x_gridsage_token={TOKEN}"]
)
def test_a_cookie_without_the_token_is_refused(cookie: str) -> None:
    assert ask(cookie=cookie)[0] == 403


def test_the_address_keeps_its_values_when_the_token_is_taken_out() -> None:
    wanted = [("text", "a\nb\r\nc"), ("o.x", "1&2#3+4 5%"), ("level", "\u00e9"), ("empty", ""), ("text", "again")]
    status, headers = ask("/play/ricochet", urlencode([("token", TOKEN), *wanted]))
    place = urlsplit(headers["location"])
    assert status == 303
    assert place.path == "/play/ricochet"
    assert parse_qsl(place.query, keep_blank_values=True) == wanted
    assert headers["location"].isascii() and headers["location"].isprintable()


@pytest.mark.parametrize("path", ["//evil.example/", "///evil.example/", "/\\evil.example", "/a\nb"])
def test_the_redirection_never_leaves_this_host(path: str) -> None:
    status, headers = ask(path, f"token={TOKEN}")
    assert status == 303
    assert headers["location"].startswith("/") and not headers["location"].startswith(("//", "/\\"))
    assert headers["location"].isprintable()


@pytest.mark.parametrize("origin", ["http://[", "http://evil.example", "null", "http://[::1"])
def test_an_origin_that_is_no_address_is_refused_like_a_foreign_one(origin: str) -> None:
    assert ask(method="POST", token=None, origin=origin)[0] == 403
    assert ask(method="POST", token=None, origin="http://127.0.0.1:8080")[0] == 200
