"""Where new games come from: a process that has loaded everything a game needs stands ready to fork for each one."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from io import FileIO

BEAR, BURY = b"B", b"D"
ORDER = struct.Struct("<cI")  # what to do, and with how long a folder's name or with which process
NUMBER = struct.Struct("<I")  # the answer: the process in question
PATIENCE = 60.0  # seconds after which a cradle that does not answer is replaced
FAREWELL = 5.0  # seconds the cradle has to end by itself


class CradleGone(OSError):
    """The cradle was killed, or does not answer."""


@dataclass(frozen=True)
class Newborn:
    """A process that waits for its game's setup, and our ends of the pipes to it."""

    nursery: Nursery
    process_id: int
    keys: FileIO  # to write to
    records: FileIO  # to read from


class Nursery:
    """Our end of the cradle: one process that forks. Loading the game costs 0.3 s once, a game from then on 0.01 s."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        self._control.settimeout(PATIENCE)
        self._asking = threading.Lock()
        self.cradle = subprocess.Popen(
            [sys.executable, "-m", "gridsage.games.nethack.session.cradle"],
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
                "OPENBLAS_NUM_THREADS": "1",  # a process with threads cannot be forked safely
            },
        )
        theirs.close()

    def bear(self, folder: str) -> Newborn:
        """Return a new process that works below `folder`; a CradleGone error where there can be none."""
        name = os.fsencode(folder)
        key_reader, keys = os.pipe()
        records, record_writer = os.pipe()
        try:
            with self._asking:
                socket.send_fds(self._control, [ORDER.pack(BEAR, len(name))], [key_reader, record_writer])
                self._control.sendall(name)
                number = self._answer()
            return Newborn(self, number, FileIO(keys, "wb"), FileIO(records, "rb"))
        except OSError as error:
            os.close(keys)
            os.close(records)
            raise CradleGone(*error.args) from None
        finally:
            os.close(key_reader)
            os.close(record_writer)

    def bury(self, process_id: int) -> None:
        """End a process for good. Until then its number is not given to another one."""
        try:
            with self._asking:
                self._control.sendall(ORDER.pack(BURY, process_id))
                self._answer()
        except OSError:  # the cradle is gone, and nobody else can wait for its games
            with contextlib.suppress(ProcessLookupError):
                os.kill(process_id, signal.SIGKILL)

    def close(self) -> None:
        """End the cradle and every game that is still its own."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # whoever still waits for an answer wakes up
        with self._asking:
            self._control.close()
        try:
            self.cradle.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self.cradle.kill()
            self.cradle.wait()

    def _answer(self) -> int:
        data = self._control.recv(NUMBER.size, socket.MSG_WAITALL)
        if len(data) < NUMBER.size:
            raise ConnectionResetError("the cradle is gone")
        return int(NUMBER.unpack(data)[0])


_nursery: Nursery | None = None
_choosing = threading.Lock()


def newborn(folder: str) -> Newborn:
    """Return a process for a new game; a cradle that was killed or hangs is replaced. An OSError if that does not help.

    Args:
        folder: where the game keeps its files; whoever asks removes it.
    """
    nursery = _current()
    try:
        return nursery.bear(folder)
    except CradleGone:  # not just any OSError: where files run out, the games that go on keep their cradle
        _forget(nursery)
    return _current().bear(folder)


def cradle_id() -> int:
    """Return the process that new games are forked from; it is started if there is none."""
    return _current().cradle.pid


def close() -> None:
    """End the cradle of this process, if there is one; the next game starts another."""
    if _nursery is not None:
        _forget(_nursery)


def _current() -> Nursery:
    global _nursery
    with _choosing:
        if _nursery is None:
            _nursery = Nursery()
        return _nursery


def _forget(nursery: Nursery) -> None:
    global _nursery
    with _choosing:
        if _nursery is not nursery:
            return  # another thread was quicker
        _nursery = None
    nursery.close()


atexit.register(close)
