"""Our end of a game: asks for its process, sends keys, reads records, and never waits for ever."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import tempfile
import time
from typing import TypeVar

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import GridsageError, LevelError
from gridsage.games.nethack import state as st
from gridsage.games.nethack.session import nursery
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
    """One running game in a process of its own."""

    def __init__(self, setup: Setup, patience: float = PATIENCE) -> None:
        self._patience = max(patience, PATIENCE)  # the start itself is slow where the machine is busy
        self._folder = tempfile.mkdtemp(prefix="gridsage-nethack-")  # removed with the game, however it ends
        try:
            self._process = nursery.newborn(self._folder)
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise ProcessLost(st.DIED_PROCESS, f"the game's process cannot be started: {error}") from None
        self._out, self._in = self._process.keys.fileno(), self._process.records.fileno()
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
        """The number of the game's process."""
        return self._process.process_id

    def press(self, key: int) -> bytes:
        """The record after `key`."""
        self._write(KEY + key.to_bytes(1, "little"))
        return self._read(_SIZE)

    def report(self) -> Report:
        """The referee's report of the game so far."""
        self._write(REPORT)
        return msgspec.json.decode(self._read_block(), type=Report)

    def close(self) -> None:
        """End the game's process; kill it if it does not end by itself."""
        if self._process.keys.closed:
            return
        with contextlib.suppress(ProcessLost):
            self._write(END)
        self._process.keys.close()
        self._wait_for_end()
        self._kill()
        self._process.records.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait_for_end(self) -> None:
        """Wait until the process has closed its line, as it does when it ends."""
        deadline = time.monotonic() + FAREWELL
        while (left := deadline - time.monotonic()) > 0:
            if self._poll.poll(left * 1000) and not os.read(self._in, _SIZE):
                return

    def _kill(self) -> None:
        self._process.nursery.bury(self.process_id)

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
                self._kill()
                raise ProcessLost(
                    st.HUNG_PROCESS, f"no answer from the game within {counted(self._patience, 'second')}"
                )
        data = os.read(self._in, size)
        if not data:
            raise ProcessLost(st.DIED_PROCESS, "the game's process ended unexpectedly")
        return data

    def _read_block(self) -> bytes:
        (size,) = LENGTH.unpack(self._read(LENGTH.size))
        return self._read(size)
