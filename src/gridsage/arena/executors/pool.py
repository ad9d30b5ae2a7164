"""Play episodes in a pool of worker processes that survives the death of any of them and lets none hang."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray
from typing import IO, Any

import msgspec

from gridsage.arena import recorder
from gridsage.arena.conditions import Conditions
from gridsage.arena.executors.base import Results, Stop, batch_size
from gridsage.arena.executors.inline import in_order
from gridsage.arena.external import orphans, seats
from gridsage.core.errors import GridsageError
from gridsage.core.game import Outcome
from gridsage.core.trace import DIED, MOST_LOG, TIMED_OUT, WORKER_DIED, Episode, Result, forfeit
from gridsage.games import catalog

BATCH = 8  # most episodes sent to a worker in one message
LOOK_SECONDS = 0.05  # between two looks at the clocks
SLACK_SECONDS = 0.1  # a worker that sees itself that its agent is late says it better than we do
TRIES = 2  # an episode whose worker died is tried once more, then it ends with a named outcome
MOST_ACTIONS = 1 << 17  # that a beacon can show
MOST_FILE = 64 << 20  # bytes that a worker may write into one file: a log without end is none
NOBODY = -1.0  # no agent is being asked
DEADLINE, SEAT, COUNT = 0, 1, 2  # places in a beacon's numbers


class Light:
    """A beacon in shared memory: who is asked until when, and the actions of the game so far."""

    def __init__(self) -> None:
        self.numbers: Any = RawArray("d", 3)  # Any: ctypes has no type for arrays of a length
        self.actions: Any = RawArray("i", MOST_ACTIONS)
        self.reset()

    def reset(self) -> None:
        """Begin a new game."""
        self.numbers[:] = (0.0, NOBODY, 0.0)

    def expect(self, seat: int, seconds: float) -> None:
        self.numbers[SEAT] = seat
        self.numbers[DEADLINE] = time.monotonic() + seconds

    def rest(self) -> None:
        self.numbers[DEADLINE] = 0.0
        self.numbers[SEAT] = NOBODY

    def note(self, action: int) -> None:
        count = int(self.numbers[COUNT])
        if count < MOST_ACTIONS:
            self.actions[count] = action
        self.numbers[COUNT] = count + 1

    @property
    def is_late(self) -> bool:
        deadline = float(self.numbers[DEADLINE])
        return 0.0 < deadline < time.monotonic() - SLACK_SECONDS

    @property
    def seat(self) -> int | None:
        """The seat that was being asked."""
        return int(self.numbers[SEAT]) if self.numbers[SEAT] != NOBODY else None

    def played(self) -> tuple[int, ...]:
        """Return the actions so far; none of a game too long to be shown."""
        count = int(self.numbers[COUNT])
        return tuple(self.actions[:count]) if count <= MOST_ACTIONS else ()


class _Cut(msgspec.Struct, frozen=True):
    """How far a game went whose player did not come back, and how it ended."""

    actions: tuple[int, ...]
    outcome: Outcome
    notes: dict[str, float | str]  # for the figures: what was wrong, and who was trusted


class _Job(msgspec.Struct, frozen=True):
    """An episode to play, or one to be written down that was cut short."""

    episode: Episode
    cut: _Cut | None = None


class _Answer(msgspec.Struct):
    result: Result | None = None
    error: str = ""


class _Worker:
    """A child process, its pipe, its beacon, and the jobs it has been given and not yet returned."""

    def __init__(self, context: multiprocessing.context.SpawnContext, conditions: Conditions) -> None:
        self.pipe, theirs = context.Pipe()
        self.light = Light()
        arguments = (theirs, msgspec.msgpack.encode(conditions), self.light)
        self.process: BaseProcess = context.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()
        self._before = orphans.children()
        orphans.started.add(self.process.pid or 0)
        self.given: deque[_Job] = deque()

    def give(self, jobs: Sequence[_Job]) -> None:
        self.given.extend(jobs)
        try:
            self.pipe.send_bytes(msgspec.msgpack.encode(list(jobs)))
        except OSError:
            pass  # it died: the closed pipe is noticed by the next wait

    def end(self) -> None:
        """Kill the worker with everything it has started; it has no say in it."""
        self.pipe.close()
        pid = self.process.pid
        assert pid is not None
        if self.process.exitcode is None or sys.platform.startswith("linux"):
            orphans.end_family(pid, self._before)
        self.process.join()
        orphans.started.discard(pid)


class Pool:
    """The executor with worker processes: each is watched by a clock, and replaced when it dies or hangs."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def play(self, episodes: Sequence[Episode], conditions: Conditions, stop: Stop | None) -> Results:
        """Yield results as workers return them."""
        workers = Workers(min(self._jobs, len(episodes)), conditions)
        try:
            yield from workers.play(episodes, stop)
        finally:
            workers.end()


class Workers:
    """Worker processes that play one list of episodes after the other, until they are ended."""

    def __init__(self, jobs: int, conditions: Conditions, look: float = LOOK_SECONDS) -> None:
        """Start nobody yet.

        Args:
            look: seconds between two looks at the clocks while nothing else happens.
        """
        self._context = multiprocessing.get_context("spawn")
        self._conditions, self._look = conditions, look
        self._coming: Iterator[Episode] = iter(())
        self._waiting: deque[_Job] = deque()  # those that go before the ones to come
        self._again: deque[_Job] = deque()  # those that go after them
        self._deaths: dict[str, int] = {}  # of workers that played it, by the episode's id
        self._left = 0
        self._unfed = 0  # episodes that no worker has been given
        self._workers: list[_Worker] = []
        self._jobs = jobs
        self._before = orphans.children()
        orphans.adopt()

    def end(self) -> None:
        """Kill every worker and all that they have left behind."""
        for worker in self._workers:
            worker.end()
        self._workers = []
        orphans.release(self._before)

    def play(self, episodes: Sequence[Episode], stop: Stop | None) -> Results:
        """Yield results until all are there or `stop` says so, and None whenever nothing more is ready."""
        self._coming = iter(episodes)
        self._waiting, self._again = deque(), deque()
        self._deaths = {}
        self._left = self._unfed = len(episodes)
        while len(self._workers) < self._jobs:
            self._workers.append(self._new_worker())
        while self._left and not (stop is not None and stop()):
            for worker in self._workers:
                if not worker.given:
                    self._feed(worker)
            ready = set(wait([worker.pipe for worker in self._workers if worker.given], self._look))
            if not ready:
                yield None
            for place, worker in enumerate(self._workers):
                result = self._heard(place) if worker.pipe in ready else self._overdue(place)
                if result is not None:
                    self._left -= 1
                    yield result

    def _new_worker(self) -> _Worker:
        return _Worker(self._context, self._conditions)

    def _feed(self, worker: _Worker) -> None:
        """Give a batch; an episode that has killed a worker goes alone."""
        jobs: list[_Job] = []
        most = batch_size(self._unfed, self._jobs, BATCH)
        while len(jobs) < most and (job := self._next()) is not None:
            if jobs and self._is_suspect(job):
                self._waiting.appendleft(job)
                break
            jobs.append(job)
            if self._is_suspect(job):
                break
        if jobs:
            self._unfed -= len(jobs)
            worker.give(jobs)

    def _next(self) -> _Job | None:
        """Take the next job; None if there is none now."""
        if self._waiting:
            return self._waiting.popleft()
        episode = next(self._coming, None)
        if episode is not None:
            return _Job(episode)
        return self._again.popleft() if self._again else None

    def _is_suspect(self, job: _Job) -> bool:
        return job.cut is not None or job.episode.id in self._deaths

    def _heard(self, place: int) -> Result | None:
        """Return the result that a worker sent; if it died instead, see to what it was playing."""
        worker = self._workers[place]
        try:
            data = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            return self._died(place)
        answer = msgspec.msgpack.decode(data, type=_Answer)
        if answer.error:
            raise GridsageError(answer.error)
        worker.given.popleft()
        return answer.result

    def _overdue(self, place: int) -> Result | None:
        """End a worker whose agent holds it beyond limit and bank."""
        worker = self._workers[place]
        if worker.given and worker.light.is_late:
            seat = worker.light.seat
            lost = self._replace(place)
            self._write_down(lost, worker.light, TIMED_OUT, seat, "the agent did not come back in time")
        return None

    def _died(self, place: int) -> Result | None:
        worker = self._workers[place]
        worker.process.join(1.0)  # its pipe is closed before its exit code is there
        code = worker.process.exitcode
        seat, lost = worker.light.seat, self._replace(place)
        if lost.cut is not None:  # even writing it down has killed a worker: what is known is kept without a proof
            return unproved(lost.episode, lost.cut.outcome, lost.cut.notes)
        deaths = self._deaths[lost.episode.id] = self._deaths.get(lost.episode.id, 0) + 1
        if deaths < TRIES:
            self._again.append(lost)
            self._unfed += 1
        elif code in (-signal.SIGKILL, -signal.SIGTERM) or seat is None:
            return unproved(
                lost.episode, forfeit(WORKER_DIED, len(lost.episode.agents), None), {"fault": _exit_words(code)}
            )
        else:
            self._write_down(lost, worker.light, DIED, seat, _exit_words(code))
        return None

    def _replace(self, place: int) -> _Job:
        """Put a new worker in a place and return the job that the old one was at; the others are played by others."""
        worker = self._workers[place]
        worker.end()
        lost = worker.given.popleft()
        self._waiting.extendleft(reversed(worker.given))
        self._unfed += len(worker.given)
        self._workers[place] = self._new_worker()
        return lost

    def _write_down(self, lost: _Job, light: Light, reason: str, seat: int | None, fault: str) -> None:
        """Have the game played again up to where it stopped, so that its trace can be verified like any other."""
        outcome = forfeit(reason, len(lost.episode.agents), seat)
        notes: dict[str, float | str] = {"fault": fault}
        if self._conditions.trust and seats.has_stranger(lost.episode):
            notes["walls"] = seats.TRUSTED
        self._waiting.appendleft(_Job(lost.episode, _Cut(light.played(), outcome, notes)))
        self._unfed += 1


def _exit_words(code: int | None) -> str:
    if code is None:
        return "its process vanished"
    return f"its process was ended by signal {-code}" if code < 0 else f"it ended its process with exit code {code}"


def unproved(episode: Episode, outcome: Outcome, notes: dict[str, float | str]) -> Result:
    """Return the result of a game of which nothing but its end is known."""
    rules_version = catalog.room(episode.game).rules.game().rules_version
    return Result(recorder.assembled(episode, rules_version, (), (), outcome), notes, 0.0, code=episode.code)


# In the worker


def _serve(pipe: Connection, conditions_data: bytes, light: Light) -> None:
    """The worker's loop: it ends when the parent closes the pipe or dies."""
    conditions = msgspec.msgpack.decode(conditions_data, type=Conditions)
    printed = _settle()
    while True:
        try:
            batch = msgspec.msgpack.decode(pipe.recv_bytes(), type=list[_Job])
        except (EOFError, OSError):
            return
        for answer in _answers(batch, conditions, light):
            if answer.result is not None and (log := _taken(printed)):
                answer.result = msgspec.structs.replace(answer.result, log=(answer.result.log + log)[:MOST_LOG])
            pipe.send_bytes(msgspec.msgpack.encode(answer))
            light.reset()


def _settle() -> IO[bytes]:
    """Become a session of its own that dies with its parent; return the file that takes whatever agents print."""
    if hasattr(os, "setsid"):
        os.setsid()
    orphans.die_with_parent()
    orphans.adopt()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the parent's business
    threading.Thread(target=_end_with_parent, daemon=True).start()
    printed = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the worker)
    for stream in (1, 2):  # programs that an agent starts write there as well
        os.dup2(printed.fileno(), stream)
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, hard))
    return printed


def _taken(printed: IO[bytes]) -> str:
    """Return what was printed since the last game, and forget it."""
    sys.stdout.flush()
    sys.stderr.flush()
    size = os.lseek(printed.fileno(), 0, os.SEEK_END)
    if not size:
        return ""
    data = os.pread(printed.fileno(), MOST_LOG, max(0, size - MOST_LOG))
    os.ftruncate(printed.fileno(), 0)
    os.lseek(printed.fileno(), 0, os.SEEK_SET)
    return data.decode("utf-8", "replace")


def _answers(batch: Sequence[_Job], conditions: Conditions, light: Light) -> Iterator[_Answer]:
    """Yield an answer per job; an error of the input is one too."""
    try:
        for job in batch:
            if job.cut is not None:
                yield _Answer(recorder.cut_short(job.episode, job.cut.actions, job.cut.outcome, job.cut.notes))
        todo = [job.episode for job in batch if job.cut is None]
        for result in in_order(todo, conditions, None, light):
            yield _Answer(result)
    except GridsageError as error:
        yield _Answer(error=str(error))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        orphans.kill_group(os.getpid())
