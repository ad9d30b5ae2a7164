"""A viewer whose browser stands still delays nobody else."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from websockets.sync.client import ClientConnection, connect

from web.page_server import Server
from web.test_live import board, say, shown, until

# A corridor whose bonus nobody can reach: two thousand rounds.
CORRIDOR = "WWWWWWWWWW\nWR......XW\nWWWWWWWWWW\nWWWWBWWWWW\nWWWWWWWWWW\n"
ENDLESS = {"m": "watch", "game": "loderunner", "text": CORRIDOR, "agents": ["random"], "nodes": 1}
SEGMENT = 536  # bytes: the system keeps ready for a line what a few segments hold, which is megabytes otherwise
MOST_LATE = 5.0  # seconds on a busy machine; a game that waited for the one who stands still would never end


def played(owner: ClientConnection) -> float:
    """Watch one's own game to its end, and return when it came."""
    while (message := msgspec.json.decode(owner.recv(timeout=60)))["m"] != "end":
        if message["m"] == "frame" and message["t"] % 15 == 0:
            say(owner, m="ack", t=message["t"])
    return time.monotonic()


def ended(viewer: ClientConnection) -> tuple[float, list[dict[str, Any]]]:
    heard = until(viewer, "end")
    return time.monotonic(), heard


def narrow(server: Server) -> connect:
    """Return a connection that holds next to nothing which nobody has read."""
    port = int(server.address.rpartition(":")[2])
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
    line.connect(("127.0.0.1", port))
    address = f"{server.address.replace('http', 'ws')}/ws"
    return connect(address, sock=line, open_timeout=30, compression=None, max_queue=1)


def steps(heard: list[dict[str, Any]]) -> list[int]:
    return [message["t"] for message in heard if message["m"] == "frame"]


def test_a_viewer_who_never_reads_delays_nobody_else(server: Server) -> None:
    with board(server) as owner, board(server) as viewer, narrow(server) as stalled, ThreadPoolExecutor(1) as pool:
        say(owner, **ENDLESS)
        name = shown(owner)
        say(owner, m="ack", t=60)  # as far as the server goes by itself; what was heard meanwhile is behind
        for one in (viewer, stalled):
            say(one, m="join", table=name)
        watching = pool.submit(ended, viewer)
        over = played(owner)
        seen_at, seen = watching.result(timeout=60)
        late = steps(until(stalled, "end"))  # it wakes up: what it missed is not told, only how it stands
    assert seen_at - over < MOST_LATE
    assert len(late) < len(steps(seen))
    assert late[-1] == steps(seen)[-1]
