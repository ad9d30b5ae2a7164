"""What two hundred viewers of one game cost: first frame, whether anybody is behind, and the server's CPU time.

    python bench/many_eyes.py --viewers 200 --frames 600

The game is one corridor of Lode Runner that never ends, played as quickly as its owner acknowledges frames.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import psutil
from websockets.asyncio.client import ClientConnection, connect

PROGRAM = "if __name__ == '__main__':\n    from gridsage.web.app import serve\n    serve('127.0.0.1', 0, False)\n"
CORRIDOR = "WWWWWWWWWW\nWR......XW\nWWWWWWWWWW\nWWWWBWWWWW\nWWWWWWWWWW\n"
GAME = {"m": "watch", "game": "loderunner", "text": CORRIDOR, "agents": ["random"], "nodes": 1}
FRAMES_PER_SECOND = 15  # as quickly as most people watch
FRAME = re.compile(r'{"m":"frame","t":(\d+)')
COMING = 5.0  # seconds in which all viewers come
PAST = 60  # frames before the first viewer comes


async def say(socket: ClientConnection, **message: object) -> None:
    """Send one message."""
    await socket.send(msgspec.json.encode(message).decode())


async def heard(socket: ClientConnection) -> list[dict[str, object]]:
    """Return the next messages."""
    told = msgspec.json.decode(await socket.recv())
    return told if isinstance(told, list) else [told]


async def until_frame(socket: ClientConnection, t: int) -> float:
    """Listen until frame `t` has come, and return that moment. Two hundred viewers read no more than they must."""
    while True:
        text = str(await socket.recv())
        if any(int(number) >= t for number in FRAME.findall(text)):
            return time.monotonic()


async def viewer(address: str, name: str, last: int, later: float) -> tuple[float, float]:
    """Watch the game, and return the seconds to the first frame and the moment at which the last one came."""
    await asyncio.sleep(later)
    began = time.monotonic()
    async with connect(address, max_size=None) as socket:
        await say(socket, m="join", table=name)
        first = await until_frame(socket, 0) - began
        return first, await until_frame(socket, last)


def cpu_seconds(server: int) -> float:
    """Return the CPU time of a server and its worker processes."""
    root = psutil.Process(server)
    return sum(sum(one.cpu_times()[:2]) for one in [root, *root.children(recursive=True)])


async def run(address: str, server: int, viewers: int, frames: int) -> dict[str, float]:
    """Play one game before so many viewers."""
    async with connect(address, max_size=None) as owner:
        await say(owner, **GAME)
        await until_frame(owner, PAST)
        await say(owner, m="show")
        name = ""
        while not name:
            for message in await heard(owner):
                name = str(message.get("address", "")).removeprefix("/live/") or name
        last = PAST + frames
        watching = [asyncio.create_task(viewer(address, name, last, COMING * i / viewers)) for i in range(viewers)]
        before, began, ours = cpu_seconds(server), time.monotonic(), time.process_time()
        reading = asyncio.create_task(until_frame(owner, last))
        for t in range(PAST, PAST + frames + 1):
            await say(owner, m="ack", t=t)
            await asyncio.sleep(max(0.0, began + (t - PAST) / FRAMES_PER_SECOND - time.monotonic()))
        ended = await reading
        seen = await asyncio.gather(*watching)
        spent, ours = cpu_seconds(server) - before, time.process_time() - ours
    firsts = sorted(first for first, _ in seen) or [0.0]
    behind = max((end - ended for _, end in seen), default=0.0)
    p95 = firsts[min(len(firsts) - 1, int(0.95 * len(firsts)))]
    return {
        "cpu": spent,
        "ours": ours,
        "wall": ended - began,
        "median": statistics.median(firsts),
        "p95": p95,
        "behind": behind,
    }


def main() -> None:
    """Print what a game costs alone and with viewers."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--viewers", type=int, default=200)
    given.add_argument("--frames", type=int, default=600)
    asked = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "serve.py"
        script.write_text(PROGRAM, encoding="utf-8")
        environment = dict(os.environ) | {"GRIDSAGE_HOME": folder}
        process = subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            address = process.stdout.readline().partition(" at http")[2].split(" ")[0].rstrip("/")
            for viewers in (0, 1, asked.viewers):
                found = asyncio.run(run(f"ws{address}/ws", process.pid, viewers, asked.frames))
                print(
                    f"{viewers:4} viewers: {asked.frames} frames in {found['wall']:.1f} s, "
                    f"server {found['cpu']:.2f} s of CPU, viewers {found['ours']:.2f} s; "
                    f"first frame median {found['median']:.2f} s, p95 {found['p95']:.2f} s; "
                    f"the last viewer has the last frame {found['behind']:.2f} s after the owner",
                    flush=True,
                )
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


if __name__ == "__main__":
    main()
