"""The gallery's pictures: recorded once by a worker, and kept on disk until the code that makes them changes."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path

from gridsage.core.trace import AgentSpec
from gridsage.games import catalog
from gridsage.web import feed, messages
from gridsage.web.crew import Crew
from gridsage.web.games import preview, screen

PREVIEW = b'{"m":"preview"'  # how an answer begins that holds pictures
STILL_PATIENCE, PATIENCE = 1.5, 5.0  # seconds after which an answer holds what is there; the rest is asked for again


class Pictures:
    """What the gallery shows of each game, made for whoever asks first."""

    def __init__(self, crew: Crew, folder: Path) -> None:
        self._crew, self._folder = crew, folder
        self._tasks: dict[str, asyncio.Task[bytes]] = {}

    async def whole(self, game: str) -> bytes:
        """The moving picture."""
        return await self._once(game, self._recorded(game))

    async def still(self, game: str) -> bytes:
        """The first position, which is there sooner; the moving picture if that is there already."""
        if (await asyncio.to_thread(self._path, game)).exists():
            return await self.whole(game)
        return await self._once(f"{game} still", self._crew.ask(messages.Preview(game, still=True)))

    async def stills(self, games: Sequence[str]) -> dict[str, bytes]:
        """The first positions that are there within a moment."""
        tasks = {asyncio.create_task(self.still(game)): game for game in games}
        if not tasks:
            return {}
        done, _ = await asyncio.wait(tasks, timeout=STILL_PATIENCE)
        return {tasks[task]: task.result() for task in done if task.exception() is None}

    async def wholes(self, games: Sequence[str]) -> dict[str, bytes]:
        """The moving pictures that are there in time; recorded one after the other, to leave room for games."""
        found: dict[str, bytes] = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                for game in games:
                    found[game] = await self.whole(game)
        return found

    async def _once(self, key: str, work: Coroutine[object, None, bytes]) -> bytes:
        """The answer of `work`, shared by all who ask; a failure is tried again by the next."""
        if key in self._tasks:
            work.close()
        else:
            self._tasks[key] = asyncio.create_task(work)
        answer = await asyncio.shield(self._tasks[key])
        if not answer.startswith(PREVIEW):
            self._tasks.pop(key, None)
        return answer

    async def _recorded(self, game: str) -> bytes:
        path = await asyncio.to_thread(self._path, game)
        with suppress(OSError):
            return await asyncio.to_thread(path.read_bytes)
        answer = await self._crew.ask(messages.Preview(game))
        if answer.startswith(PREVIEW):
            await asyncio.to_thread(_keep, path, game, answer)
        return answer

    def _path(self, game: str) -> Path:
        room = catalog.room(game)
        digest = hashlib.blake2b(digest_size=8)
        digest.update(catalog.code_digest(room, (AgentSpec(room.players.default),)).encode())
        for module in (feed, preview, screen):
            digest.update(Path(str(module.__file__)).read_bytes())
        return self._folder / f"{game}-{digest.hexdigest()}.json"


def _keep(path: Path, game: str, data: bytes) -> None:
    """Write a picture in place of the outdated ones; a full or closed disk only costs time at the next start."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"{game}-*.json"):
            old.unlink(missing_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_bytes(data)
        draft.replace(path)
