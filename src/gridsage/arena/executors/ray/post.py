"""What plays on a node of the cluster: an actor that keeps one worker of a pool, with its kernels, warm."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec

from gridsage.arena.conditions import Conditions
from gridsage.arena.executors.pool import BATCH, Workers
from gridsage.arena.executors.ray.luggage import Luggage, Unpacked
from gridsage.core.errors import GridsageError
from gridsage.core.trace import Episode, Result
from gridsage.games import catalog

LOOK_SECONDS = 0.2  # between two looks at the clocks; nobody asks a post to stop
PATIENCE_SECONDS = 1.0  # after which a batch is answered; what is not played by then goes back


class Orders(msgspec.Struct, frozen=True):
    """What every post needs to know of a run."""

    conditions: Conditions
    luggage: Luggage
    folder: str  # where the run was started
    games: tuple[str, ...]


class Delivery(msgspec.Struct, frozen=True, tag=True):
    """What came of a batch."""

    results: list[Result]
    error: str = ""  # why this run cannot go on
    left: list[Episode] = []  # for which there was no time
    seconds: float = 0.0
    count: int = 0  # of results


class Receipt(msgspec.Struct, frozen=True, tag="Delivery"):
    """The same without the results, for who only passes them on."""

    left: list[Episode]
    seconds: float
    count: int


class Post:
    """One place to play. Its agents are walled, watched and ended as in the pool, because it is a pool of one."""

    def __init__(self, orders: bytes) -> None:
        self._orders = msgspec.msgpack.decode(orders, type=Orders)
        with suppress(OSError):
            os.chdir(self._orders.folder)  # names of files mean the same here, if they are here
        self._files = Unpacked(self._orders.luggage)
        self._same_code: set[tuple[str, tuple[str, ...]]] = set()
        self._workers = Workers(1, self._orders.conditions, LOOK_SECONDS)

    def ready(self) -> None:
        """Compile what is not compiled on this node yet."""
        for game in self._orders.games:
            if not catalog.is_compiled(catalog.room(game)):
                catalog.ready_room(game)

    def play(self, batch: bytes) -> bytes:
        """Return the results of a batch of episodes, or the sentence why they are not played here."""
        began = time.monotonic()
        results: list[Result] = []
        episodes = msgspec.msgpack.decode(batch, type=list[Episode])
        try:
            while episodes and time.monotonic() - began < PATIENCE_SECONDS:
                part, episodes = episodes[:BATCH], episodes[BATCH:]
                results += self._played(part)
        except GridsageError as error:
            return msgspec.msgpack.encode(Delivery(results, error=str(error)))
        spent = time.monotonic() - began
        return msgspec.msgpack.encode(Delivery(results, left=episodes, seconds=spent, count=len(results)))

    def close(self) -> None:
        """End the worker and delete what was unpacked."""
        self._workers.end()
        self._files.delete()

    def _played(self, episodes: Sequence[Episode]) -> Iterator[Result]:
        meant: dict[str, Episode] = {}
        for episode in episodes:
            self._refuse_other_code(episode)
            meant[self._files.episode(episode).id] = episode
        with _without_main():
            for result in self._workers.play(list(map(self._files.episode, episodes)), None):
                if result is not None:
                    yield self._files.result(result, meant[result.trace.episode])

    def _refuse_other_code(self, episode: Episode) -> None:
        """Complain if this node would play the episode with other code than the run means."""
        kind = (episode.game, tuple(map(str, episode.agents)))
        if kind in self._same_code or not episode.code:
            return
        own = catalog.code_digest(catalog.room(episode.game), episode.agents, self._files.content)
        if own != episode.code:
            raise GridsageError(
                f"the node {socket.gethostname()} has other code for {episode.game} than this run "
                f"(digest {own}, expected {episode.code}): install the same gridsage there"
            )
        self._same_code.add(kind)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program that Ray started, or each worker would import it, and all of Ray with it."""
    main = sys.modules["__main__"]
    hidden: dict[str, object] = {name: vars(main).pop(name) for name in ("__file__", "__spec__") if name in vars(main)}
    main.__spec__ = None
    try:
        yield
    finally:
        vars(main).update(hidden)
