"""The page's server under load: many NetHack boards at once, and many viewers of many games. Used by web_page.py."""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import psutil
from websockets.asyncio.client import ClientConnection, connect

NETHACK_BOARDS = 24
VIEWERS, GAMES, RATE = 200, 20, 4  # frames per second
WATCHED_SECONDS = 30.0
LATE_SECONDS = 1.0  # a viewer that has waited that long for its next frame is behind
ACK_EVERY = 15  # as the browser does
ROOMS = ("loderunner", "delirium", "ricochet", "pushem")  # Boulder Dash beside them costs some 5 MB more per session
Found = TypeVar("Found")


def in_a_thread(work: Coroutine[object, object, Found]) -> Found:
    """Return what `work` finds in a loop of its own: Playwright has one in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work)).result()


def settings() -> list[dict[str, object]]:
    """Return as many different games as are watched, in the rooms whose agents take nodes for a budget."""
    return [
        {"m": "watch", "game": ROOMS[number % len(ROOMS)], "seed": number + 1, "nodes": 200} for number in range(GAMES)
    ]


# Boards of NetHack


async def nethack_boards(address: str) -> list[float]:
    """Return after how many seconds each of the boards is shown, all asked for at once."""
    began = time.perf_counter()
    asked = [{"m": "play", "game": "nethack", "seed": seed, "agents": ["human"]} for seed in range(NETHACK_BOARDS)]
    async with contextlib.AsyncExitStack() as stack:
        return list(await asyncio.gather(*(_shown(stack, address, message, began) for message in asked)))


async def _shown(stack: contextlib.AsyncExitStack, address: str, message: dict[str, object], began: float) -> float:
    socket = await stack.enter_async_context(_board(address))
    await socket.send(json.dumps(message))
    while json.loads(await socket.recv())["m"] != "frame":
        pass
    return time.perf_counter() - began


def _board(address: str) -> connect:
    return connect(f"{address.replace('http', 'ws')}/ws", open_timeout=120, max_queue=None)


# Viewers


@dataclass
class Viewer:
    """One tab: it plays what it has at its rate, and notes when there is nothing to play."""

    first: float = 0.0  # seconds until its first frame
    newest: int = -1  # the last frame that has come
    shown: int = 0
    lost: int = 0  # frames that were skipped
    longest_wait: float = 0.0  # seconds for a frame that was due
    over: bool = False
    error: str = ""
    arrived: asyncio.Event = field(default_factory=asyncio.Event)


async def viewers(address: str, many: int, seconds: float) -> list[Viewer]:
    """Return how so many viewers fared, all of them having come at once and stayed for the same time."""
    began = time.perf_counter()
    wanted = settings()
    watching = [_watch(address, wanted[number % GAMES], began, seconds) for number in range(many)]
    return list(await asyncio.gather(*watching))


async def _watch(address: str, message: dict[str, object], began: float, seconds: float) -> Viewer:
    viewer = Viewer()
    async with _board(address) as socket:
        await socket.send(json.dumps(message))
        hearing = asyncio.create_task(_hear(socket, viewer, began))
        await viewer.arrived.wait()
        await _look(socket, viewer, began + viewer.first + seconds)
        hearing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await hearing
    return viewer


async def _hear(socket: ClientConnection, viewer: Viewer, began: float) -> None:
    async for text in socket:
        message = json.loads(text)
        if message["m"] == "frame":
            viewer.first = viewer.first or time.perf_counter() - began
            viewer.lost += message["t"] != viewer.newest + 1
            viewer.newest = message["t"]
        elif message["m"] == "error":
            viewer.error = message["text"]
        viewer.over = viewer.over or message["m"] in ("end", "error")
        if viewer.over or message["m"] == "frame":
            viewer.arrived.set()


async def _look(socket: ClientConnection, viewer: Viewer, until: float) -> None:
    """Show a frame per tick as long as the game goes on; what is due and not there is waited for."""
    due = time.perf_counter()
    while time.perf_counter() < until and not (viewer.over and viewer.shown >= viewer.newest):
        while viewer.newest <= viewer.shown and not viewer.over:
            viewer.arrived.clear()
            await viewer.arrived.wait()
        now = time.perf_counter()
        viewer.longest_wait = max(viewer.longest_wait, now - due)
        viewer.shown += 1
        if viewer.shown % ACK_EVERY == 0:
            await socket.send(json.dumps({"m": "ack", "t": viewer.shown}))
        due = max(now, due) + 1 / RATE
        await asyncio.sleep(due - time.perf_counter())


# What it costs


def family(number: int) -> list[psutil.Process]:
    """Return a server and all its processes."""
    server = psutil.Process(number)
    return [server, *server.children(recursive=True)]


def summed(number: int, of: Callable[[psutil.Process], float]) -> float:
    """Return the sum of something over a server and its processes."""
    found = 0.0
    for process in family(number):
        with contextlib.suppress(psutil.NoSuchProcess):
            found += of(process)
    return found


def resident_mb(number: int) -> float:
    """Return the summed resident memory of a server and its processes in MB."""
    return summed(number, lambda process: process.memory_info().rss) / 1e6


def shared_once_mb(number: int) -> float:
    """Return their memory with shared pages counted once; to ask holds every process up for a while."""
    return summed(number, lambda process: process.memory_full_info().pss) / 1e6


def cpu_seconds(number: int) -> float:
    """Return the processor time that a server and its processes have used."""
    return summed(number, lambda process: sum(process.cpu_times()[:2]))


async def _watched(address: str, number: int) -> tuple[list[Viewer], tuple[float, float, float]]:
    """Let the viewers watch; return with them the most memory seen, resident and with shared pages once, and CPU time.

    To ask for the second kind delays the frames, so it is asked for seldom, and not before everybody has some in hand.
    """
    before = cpu_seconds(number)
    watching = asyncio.create_task(viewers(address, VIEWERS, WATCHED_SECONDS))
    most = shared_once = spent = 0.0
    rounds = 0
    while not watching.done():
        await asyncio.wait([watching], timeout=2)
        rounds += 1
        most, spent = max(most, resident_mb(number)), max(spent, cpu_seconds(number) - before)
        if rounds % 3 == 0:
            shared_once = max(shared_once, await asyncio.to_thread(shared_once_mb, number))
    return watching.result(), (most, shared_once, spent)


def report(address: str, number: int) -> None:
    """Measure and print; `number` is the server's process."""
    in_a_thread(viewers(address, GAMES, 5.0))  # the rooms are loaded, as on a server that has been asked before
    found, (resident, shared_once, spent) = in_a_thread(_watched(address, number))
    p95 = statistics.quantiles([viewer.first for viewer in found], n=20)[-1]
    behind = sum(viewer.longest_wait > LATE_SECONDS for viewer in found)
    print(f"{VIEWERS} viewers of {GAMES} games at {RATE} frames per second for {WATCHED_SECONDS:.0f} s:")
    print(f"  first frame: median {statistics.median(v.first for v in found):.2f} s, p95 {p95:.2f} s (at most 2 s)")
    print(f"  behind by more than {LATE_SECONDS:.0f} s: {behind} (nobody); frames lost: {sum(v.lost for v in found)}")
    print(f"  errors: {sum(bool(v.error) for v in found)} {next((v.error for v in found if v.error), '')}")
    print(f"  frames shown: {sum(v.shown for v in found)}; processor time of the server: {spent:.1f} s")
    print(f"  memory: {resident:.0f} MB resident (at most 800 MB), {shared_once:.0f} MB with shared pages counted once")
    in_a_thread(nethack_boards(address))  # a warm server: kernels are loaded, the cradles stand ready
    shown = in_a_thread(nethack_boards(address))
    print(f"{NETHACK_BOARDS} NetHack boards at once: first {min(shown):.2f} s, last {max(shown):.2f} s (at most 5 s)")
