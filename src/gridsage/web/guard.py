"""Who may talk to the server, and what its pages may load: checked before anything else sees a request."""

from __future__ import annotations

import hmac
from ipaddress import ip_address
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gridsage.web import guests
from gridsage.web.handouts import EMBED, embed_key

COOKIE = "gridsage_token"
POLICY_VIOLATION = 1008  # the WebSocket close code
NO_TOKEN = "This page needs its token: open the whole address that gridsage printed when it started."
WRONG_HOST = "This server answers to its own address only."
WRONG_ORIGIN = "Another site may not talk to this server."
ALWAYS = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


class Guard:
    """Refuses foreign hosts, foreign origins and missing tokens; adds the content policy to every answer."""

    def __init__(self, app: ASGIApp, *, local: bool, token: str | None) -> None:
        self.app, self.local, self.token = app, local, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal:
            await _refuse(scope, receive, send, refusal)
        elif self.token is not None and not self._has_token(scope, headers):
            await self._receive(scope, receive, send, headers.get("cookie", ""))
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        elif self.token and "token" in parse_qs(scope["query_string"].decode("latin-1")):
            await _remember_token(scope, send, self.token)
        else:
            await _with_policy(self.app, scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> str:
        host = headers.get("host", "")
        # A foreign page can make a browser call 127.0.0.1 under its own name (DNS rebinding).
        if self.local and not is_loopback(_host_name(host)):
            return WRONG_HOST
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD")
        if changes and origin is not None and not _is_from(origin, host):
            return WRONG_ORIGIN
        return ""

    async def _receive(self, scope: Scope, receive: Receive, send: Send, cookie: str) -> None:
        """Let a guest in where they are invited; whoever has neither token nor invitation is refused."""
        assert self.token is not None
        key = parse_qs(scope["query_string"].decode("latin-1")).get(guests.KEY, [""])[0]
        if scope["type"] == "http" and scope["method"] == "GET" and guests.opens(self.token, scope["path"], key):
            await _send_on(send, guests.location(scope["path"]), guests.cookie(scope["path"], key))
            return
        known = guests.places(self.token, cookie)
        if not guests.is_welcome(scope, known):
            await _refuse(scope, receive, send, NO_TOKEN)
            return
        scope = {**scope, guests.INVITED_TO: guests.names(known)}
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await _with_policy(self.app, scope, receive, send)

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        assert self.token is not None
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        texts = [asked.get("token", [""])[0], *_cookies(headers.get("cookie", ""))]
        if any(hmac.compare_digest(text.encode(), self.token.encode()) for text in texts):
            return True
        # One game in a frame of another site, which has no cookie of ours: its key opens that address only.
        path, key = scope["path"], asked.get("key", [""])[0]
        if scope["type"] != "http" or scope.get("method") != "GET" or not path.startswith(EMBED):
            return False
        return hmac.compare_digest(key.encode(), embed_key(self.token, path.removeprefix(EMBED)).encode())


def _cookies(header: str) -> list[str]:
    """The values of our cookie. Other programs on this host may have set odd ones beside it."""
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return [value.strip().strip('"') for name, _, value in pairs if name.strip() == COOKIE]


def _is_from(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


async def _refuse(scope: Scope, receive: Receive, send: Send, sentence: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": sentence})
        return
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": 403, "headers": head})
    await send({"type": "http.response.body", "body": sentence.encode()})


async def _remember_token(scope: Scope, send: Send, token: str) -> None:
    """Move the token from the address into a cookie, so that links and pictures of the page do not carry it."""
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    rest = urlencode([(name, value) for name, value in pairs if name != "token"])
    path = "/" + quote(scope["path"]).lstrip("/")  # two slashes would lead to another host
    place = path + (f"?{rest}" if rest else "")
    # Lax: a link in somebody's mail leads here over a foreign page, and this answer sends the browser on at once.
    cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax"
    await _send_on(send, place.encode(), cookie.encode())


async def _send_on(send: Send, place: bytes, cookie: bytes) -> None:
    """Send a browser on to the same place, with a cookie instead of a secret in its address."""
    head = [(b"location", place), (b"set-cookie", cookie), (b"referrer-policy", b"no-referrer")]
    await send({"type": "http.response.start", "status": 303, "headers": head})
    await send({"type": "http.response.body", "body": b""})


async def _with_policy(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Add the headers that every answer has. A page brings a policy of its own; anything else may do nothing."""

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name.lower() for name, _ in message["headers"]}
            added = [pair for pair in ALWAYS if pair[0] not in names]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    await app(scope, receive, send_on)
