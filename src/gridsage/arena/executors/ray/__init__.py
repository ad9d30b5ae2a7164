"""Play episodes on a Ray cluster: one of this machine's own that ends with the run, or one that is there already."""

from __future__ import annotations

import importlib.util
import itertools
import multiprocessing
import os
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gridsage.arena.conditions import Conditions
from gridsage.arena.executors import base
from gridsage.arena.executors.base import Results, Stop
from gridsage.arena.executors.pool import unproved
from gridsage.arena.executors.ray import foreman, luggage
from gridsage.arena.executors.ray.foreman import LOCAL, Assignment, Failed, GivenUp, Message, Staffed
from gridsage.arena.executors.ray.post import Delivery, Orders
from gridsage.arena.external import orphans
from gridsage.core.errors import GridsageError, MissingPart
from gridsage.core.extras import missing_extra
from gridsage.core.trace import WORKER_DIED, Episode, Result, forfeit

LOOK_SECONDS = 0.05
START_SECONDS = 120.0  # a cluster of our own needs some ten on a busy machine
PART = 64  # episodes in one message to the foreman
AHEAD = 3 * foreman.MOST_BATCH  # episodes per post that a foreman holds: those being played, and the next ones
MOST_FOREMEN = 3  # that die one after the other without any result
CLOSE_SECONDS = 0.8  # for a foreman to leave somebody's cluster in order; ctrl-C must be answered soon
SWEEP_SECONDS = 2.0  # until everything of a cluster of our own has ended
LONGEST_FOLDER = 40  # characters; the names of Ray's sockets hold it, and may have 107 in all


class Ray:
    """The executor whose workers are actors of a Ray cluster; what dies there, or with it, is played again."""

    def __init__(self, jobs: int = 0, address: str = LOCAL) -> None:
        """Choose a cluster.

        Args:
            jobs: how many episodes are played at once; 0 means as many as the cluster has processors.
            address: `host:port` of a cluster, or `auto`; empty for one of our own on this machine.
        """
        if importlib.util.find_spec("ray") is None:
            raise MissingPart(missing_extra("The executor ray", "ray"))
        self._jobs, self._address = jobs, address

    def play(self, episodes: Sequence[Episode], conditions: Conditions, stop: Stop | None) -> Results:
        """Yield results as nodes return them."""
        run = _Run(episodes, self._assignment(episodes, conditions))
        try:
            yield from run.results(stop)
        finally:
            run.end()

    def _assignment(self, episodes: Sequence[Episode], conditions: Conditions) -> Assignment:
        jobs, kinds = self._jobs, base.kinds(episodes)
        if self._address == LOCAL:
            cores = os.cpu_count() or 1
            timed = any(budget.seconds is not None for episode in kinds for budget in episode.budgets)
            jobs = min(jobs or cores, cores) if timed else jobs or cores  # a clock needs a processor of its own
        jobs = min(jobs, len(episodes)) if jobs else jobs
        games = tuple(sorted({episode.game for episode in kinds}))
        orders = Orders(conditions, luggage.pack(kinds), str(Path.cwd()), games)
        return Assignment(self._address, jobs, "", orders)


class _Run:
    """One run: it holds everything that is not played yet, so that a foreman may die at any moment."""

    def __init__(self, episodes: Sequence[Episode], assignment: Assignment) -> None:
        self._coming = iter(episodes)
        self._undrawn = len(episodes)
        self._waiting: deque[Episode] = deque()  # taken back from a foreman who died
        self._given: dict[str, Episode] = {}  # to the foreman, by id
        self._assignment = assignment
        self._posts = max(1, assignment.jobs)
        self._deaths = 0  # of foremen since the last result
        self._foreman: _Process | None = None

    def results(self, stop: Stop | None) -> Results:
        """Yield results until all are there or `stop` says so, and None whenever nothing more is ready."""
        while (self._undrawn or self._waiting or self._given) and not (stop is not None and stop()):
            if self._foreman is None:
                self._foreman = _Process(self._assignment)
            self._feed(self._foreman)
            if self._foreman.is_late:
                where = f"at {self._assignment.address}" if self._assignment.address != LOCAL else "on this machine"
                raise MissingPart(f"no Ray cluster can be used {where}: it was not ready after {START_SECONDS:.0f} s")
            try:
                message = self._foreman.heard()
            except EOFError:
                self._replace()
                continue
            yield from self._taken(message) if message is not None else [None]

    def _feed(self, process: _Process) -> None:
        while len(self._given) < AHEAD * self._posts and (part := self._drawn()):
            self._given |= {episode.id: episode for episode in part}
            process.give(part)

    def _drawn(self) -> list[Episode]:
        """Take the next episodes: those that were given before, then new ones."""
        part = [self._waiting.popleft() for _ in range(min(PART, len(self._waiting)))]
        new = list(itertools.islice(self._coming, PART - len(part)))
        self._undrawn -= len(new)
        return part + new

    def _taken(self, message: Message) -> Iterator[Result]:
        """Yield what a message brings; nothing counts twice."""
        if isinstance(message, Staffed):
            assert self._foreman is not None
            self._posts, self._foreman.staffed = message.posts, True
        elif isinstance(message, Failed):
            raise MissingPart(message.sentence)
        elif isinstance(message, GivenUp):
            if self._given.pop(message.episode.id, None) is not None:
                outcome = forfeit(WORKER_DIED, len(message.episode.agents), None)
                yield unproved(message.episode, outcome, {"fault": "the nodes that played it died"})
        else:
            self._deaths = 0
            yield from (result for result in message.results if self._given.pop(result.trace.episode, None))
            if message.error:
                raise GridsageError(message.error)

    def _replace(self) -> None:
        """Take back what a foreman held who died, and have a new one; not for ever if nobody ever plays anything."""
        assert self._foreman is not None
        self._deaths += 1
        words = self._foreman.last_words()
        self.end()
        if self._deaths >= MOST_FOREMEN:
            raise GridsageError(f"the Ray cluster was lost {self._deaths} times without a result in between: {words}")
        self._waiting.extendleft(reversed(self._given.values()))
        self._given = {}

    def end(self) -> None:
        """Leave no process and no file behind."""
        if self._foreman is not None:
            self._foreman.end()
            self._foreman = None


class _Process:
    """A foreman's process with its pipe and its folder."""

    def __init__(self, assignment: Assignment) -> None:
        context = multiprocessing.get_context("spawn")
        self.staffed = False
        self._is_local = assignment.address == LOCAL
        self._began = time.monotonic()
        self.folder = Path(tempfile.mkdtemp(prefix="gridsage-", dir=_short_folder()))
        self._words = self.folder / "printed"
        self._words.touch()
        self.pipe, theirs = context.Pipe()
        data = msgspec.msgpack.encode(msgspec.structs.replace(assignment, folder=str(self.folder)))
        self._before = orphans.children()
        orphans.adopt()
        self.process = context.Process(target=foreman.serve, args=(theirs, data, str(self._words)), daemon=True)
        self.process.start()
        theirs.close()
        orphans.started.add(self.process.pid or 0)

    @property
    def is_late(self) -> bool:
        """True if the cluster should have answered by now."""
        return not self.staffed and time.monotonic() - self._began > START_SECONDS

    def give(self, episodes: Sequence[Episode]) -> None:
        try:
            self.pipe.send_bytes(msgspec.msgpack.encode(episodes))
        except OSError:
            pass  # it died: the closed pipe is noticed by the next look

    def heard(self) -> Message | None:
        """Return the next message; None if there is none for a while; an EOFError if there will be none."""
        try:
            if not self.pipe.poll(LOOK_SECONDS):
                return None
            return msgspec.msgpack.decode(self.pipe.recv_bytes(), type=Delivery | Staffed | Failed | GivenUp)
        except OSError:
            raise EOFError from None

    def last_words(self) -> str:
        """Return the last line that the foreman or its cluster printed."""
        lines = self._words.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it left no word"

    def end(self) -> None:
        """Let the foreman leave its cluster; kill whatever is left of both."""
        self.pipe.close()
        pid = self.process.pid
        assert pid is not None
        self.process.join(0.0 if self._is_local else CLOSE_SECONDS)  # nobody else needs a cluster of our own
        until = time.monotonic() + SWEEP_SECONDS
        while self.folder.exists() and time.monotonic() < until:  # who was just being started may still write there
            orphans.end_family(pid, self._before)
            shutil.rmtree(self.folder, ignore_errors=True)
        self.process.join()
        orphans.started.discard(pid)
        orphans.release(self._before)


def _short_folder() -> str | None:
    """Return where a folder's name is short enough for Ray's sockets; None for the usual place."""
    return None if len(tempfile.gettempdir()) < LONGEST_FOLDER else "/tmp"
