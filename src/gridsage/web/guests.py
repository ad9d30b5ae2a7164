"""The narrow doors of a server with a token: an invitation opens one table or one shown game, and nothing else."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Set
from urllib.parse import quote

from starlette.types import Scope

PLACES = ("/table/", "/live/")
KEY = "guest"  # in an address
COOKIE = "gridsage_guest_"  # and the name of the place: somebody may be a guest at several
INVITED_TO = "gridsage.invited_to"  # in the scope of a guest's request: names of places
EVERYBODYS = ("/static/", "/favicon.ico")  # what a page needs to be seen
NAME = re.compile(r"[A-Za-z0-9_-]+")


def key_of(token: str, path: str) -> str:
    """Return the key of a place; without the token of the server nobody can make one."""
    return hmac.new(token.encode(), f"{KEY} {path}".encode(), hashlib.sha256).hexdigest()[:32]


def address(token: str | None, path: str) -> str:
    """Return the address of a place for others, with its key where the server has a token."""
    return path if token is None else f"{path}?{KEY}={key_of(token, path)}"


def opens(token: str, path: str, key: str) -> bool:
    """Return True if this is the key of the place at `path`."""
    return path.startswith(PLACES) and hmac.compare_digest(key.encode(), key_of(token, path).encode())


def cookie(path: str, key: str) -> bytes:
    """Return what a browser keeps of a key that has opened a place."""
    # Lax: an invitation comes by mail or chat, and is opened from a foreign page.
    name = COOKIE + path.rpartition("/")[2]
    return f"{name}={key}; Path=/; HttpOnly; SameSite=Lax".encode()


def places(token: str, header: str) -> frozenset[str]:
    """Return the paths that the cookies of a request open."""
    found = set()
    for part in header.split(";"):
        name, _, key = part.strip().partition("=")
        place = name.strip().removeprefix(COOKIE)
        if name.strip() != place and NAME.fullmatch(place):
            found |= {kind + place for kind in PLACES if opens(token, kind + place, key.strip())}
    return frozenset(found)


def is_welcome(scope: Scope, known: Set[str]) -> bool:
    """Return True if a guest of these places may ask for this: a place, what pages are made of, a connection to it."""
    if not known:
        return False
    if scope["type"] == "websocket":
        return True  # sockets.py lets a guest join these places only
    return scope["method"] in ("GET", "HEAD") and (scope["path"] in known or scope["path"].startswith(EVERYBODYS))


def names(known: Set[str]) -> frozenset[str]:
    """Return the names of places by their paths."""
    return frozenset(path.rpartition("/")[2] for path in known)


def location(path: str) -> bytes:
    """Return where a guest is sent on whose key is kept now."""
    return ("/" + quote(path).lstrip("/")).encode()
