"""An agent's process: started behind its walls, spoken to under a deadline, and gone when it shall be."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time

import msgspec

from gridsage.arena.conditions import Conditions
from gridsage.arena.external import orphans, walls
from gridsage.core.amounts import counted
from gridsage.core.trace import MOST_LOG

CHUNK = 1 << 16
LOG_HEAD = MOST_LOG // 4  # the beginning of a long log is kept, and the end
GAP = 64  # for the line between them
GONE_SECONDS = 0.1  # from the wish to the death
STATUS_SECONDS = 1.0


class Late(Exception):
    """The deadline has passed."""


class Gone(Exception):
    """The process has ended or closed its output."""


class TooLong(Exception):
    """A line is longer than any answer."""


class Log:
    """The beginning and the end of what was printed."""

    def __init__(self, most: int = MOST_LOG, head: int = LOG_HEAD) -> None:
        self._most, self._head_most = most, head
        self._head, self._tail, self._left_out = b"", b"", 0

    def add(self, data: bytes) -> None:
        room = self._head_most - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if (over := len(self._tail) - (self._most - self._head_most - GAP)) > 0:
            self._left_out += over
            self._tail = self._tail[over:]

    def text(self) -> str:
        """Return the log; a line in the middle says how much was left out."""
        gap = f"\n... {counted(self._left_out, 'byte')} left out ...\n".encode() if self._left_out else b""
        text = (self._head + gap + self._tail).decode("utf-8", "replace")
        return text.encode("utf-8", "replace").decode()[: self._most]


class Process:
    """A running command with its pipes. It is killed with everything it has started."""

    def __init__(self, command: walls.Command, conditions: Conditions) -> None:
        self._has_box = walls.standing(conditions.walls).has_box
        self._before = orphans.children() if not self._has_box else set()
        self._status, theirs = os.pipe()
        try:
            self._child = subprocess.Popen(
                walls.start_words(command, conditions, theirs),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=command.cwd,
                env=walls.environment(command, conditions),
                pass_fds=(theirs,) if self._has_box else (),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._status)
            raise
        finally:
            os.close(theirs)
        orphans.started.add(self._child.pid)
        if not self._has_box:
            orphans.adopt()
        assert self._child.stdin and self._child.stdout and self._child.stderr
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._buffer = bytearray()
        self.log = Log()
        self.exit: int | None = None  # its code, or minus the signal that ended it
        self.was_killed = False  # by us

    # Speaking

    def write(self, data: bytes, deadline: float) -> None:
        """Send all of `data`, or raise Late or Gone."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._in, left) :]
            except BlockingIOError:
                self._wait(deadline, writing=True)
            except OSError:
                raise Gone from None

    def line(self, deadline: float, most: int) -> bytes:
        """Return the next line without its end, or raise Late, Gone or TooLong."""
        looked = 0
        while (end := self._buffer.find(b"\n", looked)) < 0:
            looked = len(self._buffer)
            if looked > most:
                raise TooLong
            self._wait(deadline)
        if end > most:
            raise TooLong
        found = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return found

    def _wait(self, deadline: float, *, writing: bool = False) -> None:
        """Take what has arrived, at least something unless the process may be written to."""
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            raise Late
        writers = [self._in] if writing else []
        readers = [self._out] if self._err < 0 else [self._out, self._err]
        ready, free, _ = select.select(readers, writers, [], seconds)
        if not ready and not free:
            raise Late
        if self._err in ready:
            self._take_log()
        if self._out in ready:
            data = os.read(self._out, CHUNK)
            if not data:
                raise Gone
            self._buffer += data

    def _take_log(self) -> None:
        """Read what is there of the log now."""
        data = b""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._err, CHUNK)
            if not data:
                self._err = -1
        self.log.add(data)

    # Ending

    def close(self, seconds: float) -> None:
        """Close its input, wait a little for a polite end, then kill what is left."""
        assert self._child.stdin
        with contextlib.suppress(OSError):
            self._child.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(seconds)
        self.kill()

    def kill(self) -> None:
        """End the process and all it has started, now; then `exit` is known and the log complete."""
        if self.exit is not None:
            return
        self.was_killed = self._child.poll() is None
        if self._has_box:
            self._empty_box()
        else:
            orphans.end_family(self._child.pid, self._before)
        self._child.wait()
        orphans.started.discard(self._child.pid)
        if not self._has_box:
            orphans.release(self._before)
        self.exit = self._code()
        self._finish_log()
        os.close(self._status)
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            assert pipe
            with contextlib.suppress(OSError):
                pipe.close()

    def wait(self, seconds: float) -> None:
        """Let a process that has closed its output end by itself, so that its exit code is its own."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(seconds)

    def _code(self) -> int:
        code = self._child.returncode
        return 128 - code if self._has_box and code > 128 else code  # bubblewrap says 139 for signal 11

    def _finish_log(self) -> None:
        until = time.monotonic() + GONE_SECONDS  # who floods it shall not hold us
        while self._err >= 0 and time.monotonic() < until:
            if not select.select([self._err], [], [], 0)[0]:
                return
            self._take_log()

    def _empty_box(self) -> None:
        """Kill the first process inside; it ends after all others, and bubblewrap may be gone before it."""
        first = self._first_inside()
        if first is not None and self.was_killed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(GONE_SECONDS)
        if self._child.poll() is None:
            orphans.kill_group(self._child.pid)
        if first is not None:
            orphans.see_end(first, GONE_SECONDS)

    def _first_inside(self) -> int | None:
        """Return the number of the first process in the box, once bubblewrap has told it."""
        if not select.select([self._status], [], [], STATUS_SECONDS)[0]:
            return None
        line = os.read(self._status, CHUNK).split(b"\n")[0]
        try:
            return int(msgspec.json.decode(line)["child-pid"])
        except (ValueError, KeyError, TypeError):
            return None
