"""Questions about games that several people share: set up a table, and what runs now."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gridsage.core.errors import GridsageError
from gridsage.store import Store
from gridsage.web import messages, tables
from gridsage.web.answers import body, json_answer, problem
from gridsage.web.crew import TooMany
from gridsage.web.tables import Hall

MOST_BYTES = 300_000  # of a wish: a level is the longest part of it
_decoder = msgspec.json.Decoder(messages.Invite)


class Gatherings:
    """One method per question."""

    def __init__(self, hall: Hall, store: Store) -> None:
        self._hall, self._store = hall, store

    def routes(self) -> list[Route]:
        """Return the routes of all questions."""
        return [
            Route("/api/tables", self.invite, methods=["POST"]),
            Route("/api/running", self.running, methods=["GET"]),
        ]

    async def running(self, _: Request) -> Response:
        """Answer what runs now and is shown to everybody."""
        return json_answer({"games": self._hall.running()})

    async def invite(self, request: Request) -> Response:
        """Set up a table, and answer with its address and the token of the one who asks."""
        try:
            wish = _decoder.decode(await body(request, MOST_BYTES))
            chairs = await asyncio.to_thread(tables.chairs_for, wish, self._store.home)
            table = self._hall.invite(wish, chairs, request.client.host if request.client else "unknown")
        except TooMany as error:
            return problem(str(error), 429)
        except (GridsageError, ValueError) as error:
            return problem(str(error), 400)
        return json_answer({"id": table.id, "token": table.owner.token, "address": self._hall.address(table)})
