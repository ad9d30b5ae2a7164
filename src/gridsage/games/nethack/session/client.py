"""The parent's end of a game: starts the child, sends keys, reads records, and never waits for ever."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from typing import TypeVar

import msgspec

from gridsage.core.errors import GridsageError, LevelError
from gridsage.games.nethack import state as st
from gridsage.games.nethack.session.protocol import END, KEY, LENGTH, REPORT, START, Failure, Report, Setup, packed

PATIENCE = 60.0  # seconds without an answer after which the game counts as hung
FAREWELL = 5.0  # seconds the child has to end by itself
Answer = TypeVar("Answer")
_SIZE = st.RECORD.itemsize


class ProcessLost(GridsageError):
    """The game's process died or hung; `status` tells which."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Session:
    """One running game in a child process."""

    def __init__(self, setup: Setup, patience: float = PATIENCE) -> None:
        self._patience = max(patience, PATIENCE)  # the start itself is slow where the machine is busy
        self._folder = tempfile.mkdtemp(prefix="gridsage-nethack-")  # removed with the game, however it ends
        self._child = subprocess.Popen(
            [sys.executable, "-m", "gridsage.games.nethack.session.child", self._folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        assert self._child.stdin is not None and self._child.stdout is not None
        self._out = self._child.stdin.fileno()
        self._in = self._child.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
        try:
            self._write(START + packed(setup))
            failure = msgspec.json.decode(self._read_block(), type=Failure)
            if failure.error:
                raise LevelError(failure.error)
            self.first = self._read(_SIZE)
            self._patience = patience
        except BaseException:
            self.close()
            raise

    @property
    def process_id(self) -> int:
        """The child's process id."""
        return self._child.pid

    def press(self, key: int) -> bytes:
        """The record after `key`."""
        self._write(KEY + key.to_bytes(1, "little"))
        return self._read(_SIZE)

    def report(self) -> Report:
        """The referee's report of the game so far."""
        self._write(REPORT)
        return msgspec.json.decode(self._read_block(), type=Report)

    def close(self) -> None:
        """End the child; kill it if it does not end by itself."""
        if self._child.stdin is None or self._child.stdin.closed:
            return
        try:
            self._write(END)
        except ProcessLost:
            pass
        self._child.stdin.close()
        try:
            self._child.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._out, data) :]
        except OSError:
            raise ProcessLost(st.DIED_PROCESS, "the game's process is gone") from None

    def _read(self, size: int) -> bytes:
        data = self._read_some(size)
        if len(data) == size:
            return data
        parts, missing = [data], size - len(data)
        while missing:
            data = self._read_some(missing)
            parts.append(data)
            missing -= len(data)
        return b"".join(parts)

    def _read_some(self, size: int) -> bytes:
        deadline = time.monotonic() + self._patience
        while not self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            if time.monotonic() >= deadline:
                self._child.kill()
                raise ProcessLost(st.HUNG_PROCESS, f"no answer from the game within {self._patience} seconds")
        data = os.read(self._in, size)
        if not data:
            raise ProcessLost(st.DIED_PROCESS, "the game's process ended unexpectedly")
        return data

    def _read_block(self) -> bytes:
        (size,) = LENGTH.unpack(self._read(LENGTH.size))
        return self._read(size)
