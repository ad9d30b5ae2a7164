"""Which language the visitor of a page reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridsage.web import texts

if TYPE_CHECKING:  # a file that stands alone is made without a server
    from starlette.requests import Request

VARY = "accept-language, cookie"  # what an answer in somebody's language depends on


def language_of(request: Request) -> str:
    """Return the language that was chosen on the page, or else the one that the browser prefers."""
    return texts.preferred(request.cookies.get(texts.COOKIE, ""), request.headers.get("accept-language", ""))
