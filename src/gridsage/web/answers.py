"""Answers to questions by HTTP: JSON that nobody keeps, and sentences that say what went wrong."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

FRESH = {"cache-control": "no-store"}  # also when somebody goes back: what was true then may not be now


async def body(request: Request, most: int) -> bytes:
    """Return what was sent; a ValueError says that it is too much."""
    data = bytearray()
    async for part in request.stream():
        data.extend(part)
        if len(data) > most:
            raise ValueError(f"the file is larger than {most // 1024} kB")
    return bytes(data)


def json_answer(value: object, status: int = 200) -> Response:
    """Return an answer in JSON."""
    return Response(msgspec.json.encode(value), status, headers=FRESH, media_type="application/json")


def problem(sentence: str, status: int) -> Response:
    """Return a sentence for the person before the screen."""
    return json_answer({"m": "error", "text": sentence}, status)
