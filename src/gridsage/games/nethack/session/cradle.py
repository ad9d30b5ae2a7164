"""The cradle's program: it loads everything a game needs, then forks once per game. It plays none itself."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import socket
from pathlib import Path
from typing import NoReturn

from gridsage.games.nethack.session import child
from gridsage.games.nethack.session.nursery import BEAR, NUMBER, ORDER


def serve(control: socket.socket) -> None:
    """Bear and bury until whoever asks is gone, then end the games that are left."""
    games: dict[int, Path] = {}
    try:
        while _served(control, games):
            pass
    finally:
        for number, folder in games.items():
            _bury(number)
            shutil.rmtree(folder, ignore_errors=True)


def _served(control: socket.socket, games: dict[int, Path]) -> bool:
    """Do what is asked for next; False when nobody asks any more."""
    order, pipes, _, _ = socket.recv_fds(control, ORDER.size, 2)
    if len(order) < ORDER.size:
        return False
    kind, number = ORDER.unpack(order)
    if kind == BEAR:
        folder = _folder(control, number)
        number = _born(control, folder, *pipes)
        games[number] = folder
    elif number in games:
        _bury(number)
        del games[number]
    control.sendall(NUMBER.pack(number))
    return True


def _folder(control: socket.socket, size: int) -> Path:
    return Path(os.fsdecode(control.recv(size, socket.MSG_WAITALL)))


def _born(control: socket.socket, folder: Path, keys: int, records: int) -> int:
    """Return the number of a new process that plays one game; the pipes are its own from then on."""
    number = os.fork()
    if number == 0:
        control.close()
        _live(folder, keys, records)
    os.close(keys)
    os.close(records)
    return number


def _live(folder: Path, keys: int, records: int) -> NoReturn:
    try:
        with os.fdopen(keys, "rb") as stream, contextlib.suppress(EOFError, BrokenPipeError):
            child.serve(stream, records, folder)
    finally:
        os._exit(0)  # nothing that the cradle would do at its end is a game's business


def _bury(number: int) -> None:
    os.kill(number, signal.SIGKILL)  # one that has ended already does not mind
    os.waitpid(number, 0)


def main() -> None:
    """Take the line to whoever asks from stdin, which games must not read."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the business of whoever asks
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    child.load()
    gc.freeze()  # what is loaded stays shared with the games
    with contextlib.suppress(OSError):
        serve(control)


if __name__ == "__main__":
    main()
