"""The process between a run and its cluster: it alone talks to Ray, so that whatever happens there ends no run.

Ray ends a process whose node is gone without asking it. So the run itself never touches Ray: it has a foreman, who
takes episodes from a pipe, spreads them over the posts and sends back what they answer; a foreman who dies is replaced.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
import signal
import socket
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from gridsage.arena.executors.base import batch_size
from gridsage.arena.executors.ray.post import Delivery, Orders, Post, Receipt
from gridsage.arena.external import orphans
from gridsage.core.trace import Episode

LOOK_SECONDS = 0.05  # between two looks at the pipe when nothing is played
WAIT_SECONDS = 0.15  # for an answer; asking Ray costs most of a millisecond
BATCH_SECONDS = 0.5  # that a batch should last: long beside a round trip of a millisecond, short for a progress bar
MOST_BATCH = 256  # episodes
LEAST_PACE = 1e-6  # seconds per episode
CLOSE_SECONDS = 0.5  # for the posts to delete their files
AHEAD = 2  # batches that a post holds, so that it never waits for the next one
TRIES = 5  # an episode that was alone on so many posts that died is given up; nobody knows who killed them
MOST_FAILED_STARTS = 3  # of posts, one after the other, before a cluster counts as useless
REACH_SECONDS = 5.0
END_SECONDS = 5.0  # for everything of a cluster of our own to be gone
OBJECT_STORE = 80 << 20  # bytes; Ray's smallest. Results are small and leave at once
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}
LOCAL = ""  # the address of a cluster of our own
FRUGAL = {  # what a cluster of our own does not do, or does less often: nobody looks at its records
    "RAY_enable_metrics_collection": "0",
    "RAY_event_stats": "0",
    "RAY_enable_timeline": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_memory_monitor_refresh_ms": "0",
    "RAY_raylet_report_resources_period_milliseconds": "1000",
    "RAY_gcs_pull_resource_loads_period_milliseconds": "10000",
    "RAY_raylet_check_gc_period_milliseconds": "1000",
    "RAY_kill_idle_workers_interval_ms": "5000",
}


class Assignment(msgspec.Struct, frozen=True):
    """Which cluster, and how much of it."""

    address: str
    jobs: int  # posts; 0: one for each processor of the cluster
    folder: str  # for the files of a cluster of our own
    orders: Orders


class Staffed(msgspec.Struct, frozen=True, tag=True):
    """How many posts there will be."""

    posts: int


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The cluster cannot be used."""

    sentence: str


class GivenUp(msgspec.Struct, frozen=True, tag=True):
    """An episode whose posts died again and again."""

    episode: Episode


Message = Delivery | Staffed | Failed | GivenUp


def serve(pipe: Connection, data: bytes, words: str) -> None:
    """The foreman's life: it ends when the run closes the pipe or dies.

    Args:
        words: the file that takes whatever Ray prints.
    """
    _settle(words)
    assignment = msgspec.msgpack.decode(data, type=Assignment)
    try:
        Foreman(pipe, assignment).work()
    except Unusable as problem:
        _send(pipe, Failed(str(problem)))
    except (EOFError, OSError):
        pass  # nobody is there any more
    finally:
        _sweep(Path(words).parent)


class Unusable(Exception):
    """The cluster cannot be reached, or nothing can be played there."""


def _settle(words: str) -> None:
    os.setsid()
    orphans.adopt()
    threading.Thread(target=_end_with_parent, args=(Path(words).parent,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the run's business
    os.environ.update(QUIET)
    with open(words, "ab") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)


def _end_with_parent(folder: Path) -> None:
    """See that a run that was killed takes its cluster along: some of Ray's processes would outlive it by minutes."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    _sweep(folder)
    orphans.kill_group(os.getpid())


def _sweep(folder: Path) -> None:
    """Leave no process of a cluster of our own behind, and if the run was killed, no file either."""
    orphans.end_descendants(END_SECONDS)
    parent = multiprocessing.parent_process()
    if parent is not None and not parent.is_alive():
        shutil.rmtree(folder, ignore_errors=True)


def _send(pipe: Connection, message: Message) -> None:
    pipe.send_bytes(msgspec.msgpack.encode(message))


@dataclass(eq=False)
class _Place:
    """An actor, and what it has been given and not yet returned."""

    actor: Any  # Any: Ray's handles have no types
    ready: bool = False
    batches: dict[Any, list[Episode]] = field(default_factory=dict)  # by the reference to the answer


class Foreman:
    """Keeps the posts of a cluster busy."""

    def __init__(self, pipe: Connection, assignment: Assignment) -> None:
        self._pipe, self._assignment = pipe, assignment
        self._waiting: deque[Episode] = deque()
        self._deaths: dict[str, int] = {}  # by episode: of posts that held it
        self._alone: dict[str, int] = {}  # of posts that held nothing else
        self._pace = BATCH_SECONDS  # seconds of an episode, as far as is known
        self._failed_starts = 0
        self._places: list[_Place] = []
        self._starting: dict[Any, _Place] = {}

    def work(self) -> None:
        """Connect, and play what comes until the pipe is closed."""
        _reach(self._assignment.address)
        import ray

        self._ray = ray
        self._connect()
        try:
            self._orders = ray.put(msgspec.msgpack.encode(self._assignment.orders))
            posts = self._posts()
            _send(self._pipe, Staffed(posts))
            self._places = [self._place() for _ in range(posts)]
            while True:
                self._listen()
                self._feed()
                self._collect()
        finally:
            self._close()

    def _close(self) -> None:
        """Leave nothing on the nodes."""
        closing = [place.actor.close.remote() for place in self._places if place.ready]
        if closing:
            self._ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        self._ray.shutdown()

    def _connect(self) -> None:
        address, jobs = self._assignment.address, self._assignment.jobs
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if address != LOCAL:
                self._ray.init(address=address, **quiet)
            else:
                os.environ.update(FRUGAL)
                self._ray.init(
                    address="local",
                    num_cpus=jobs,
                    include_dashboard=False,
                    object_store_memory=OBJECT_STORE,
                    _node_ip_address="127.0.0.1",
                    _temp_dir=self._assignment.folder,
                    **quiet,
                )
                self._dismiss_clerks()
        except Exception as error:  # Ray raises whatever it meets: sockets, versions, memory
            where = f"at {address}" if address != LOCAL else "on this machine"
            raise Unusable(f"no Ray cluster can be used {where}: {_first_line(error)}") from None

    def _dismiss_clerks(self) -> None:
        """End what a cluster of our own has no use for, and what no setting leaves out: it reads logs, and waits for
        orders to grow.
        """
        node = self._ray._private.worker._global_node
        for name in ("kill_log_monitor", "kill_monitor"):
            with suppress(Exception):  # inner names of Ray: without them the run only costs a little more
                getattr(node, name)()

    def _posts(self) -> int:
        cores = int(self._ray.cluster_resources().get("CPU", 0))
        if cores < 1:
            raise Unusable(f"the Ray cluster at {self._assignment.address} has no processor to offer")
        return min(self._assignment.jobs or cores, cores)

    def _place(self) -> _Place:
        """Return a place whose actor has been asked for; each has a processor, which timed budgets need."""
        actor = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Post).remote(self._orders)
        place = _Place(actor)
        self._starting[actor.ready.remote()] = place
        return place

    def _listen(self) -> None:
        """Take new episodes; wait for them only when there is nothing else to wait for."""
        idle = not self._starting and not any(place.batches for place in self._places)
        while self._pipe.poll(LOOK_SECONDS if idle else 0):
            self._waiting.extend(msgspec.msgpack.decode(self._pipe.recv_bytes(), type=list[Episode]))
            idle = False

    def _feed(self) -> None:
        """Give batches to posts, one after the other to each, so that none holds all that is left."""
        for ahead in range(AHEAD):
            for place in self._places:
                if self._waiting and place.ready and len(place.batches) <= ahead and not self._is_suspected(place):
                    batch = self._batch()
                    place.batches[place.actor.play.remote(msgspec.msgpack.encode(batch))] = batch

    def _batch(self) -> list[Episode]:
        """Take the next episodes; one whose post has died goes alone."""
        most = min(MOST_BATCH, int(BATCH_SECONDS / self._pace))
        size = batch_size(len(self._waiting), len(self._places), most)
        batch = [self._waiting.popleft()]
        while len(batch) < size and self._waiting and not {batch[0].id, self._waiting[0].id} & self._deaths.keys():
            batch.append(self._waiting.popleft())
        return batch

    def _is_suspected(self, place: _Place) -> bool:
        """Return True if the post plays an episode that has lost its post before: it is given nothing else."""
        return any(batch[0].id in self._deaths for batch in place.batches.values())

    def _collect(self) -> None:
        """Hear what is ready."""
        holders = {answer: place for place in self._places for answer in place.batches}
        pending = [*self._starting, *holders]
        if not pending:
            return
        ready, rest = self._ray.wait(pending, timeout=WAIT_SECONDS)
        if rest and ready:
            ready += self._ray.wait(rest, num_returns=len(rest), timeout=0)[0]
        for answer in ready:
            if answer in self._starting:
                self._started(answer, self._starting.pop(answer))
            elif answer in holders[answer].batches:  # else its post has died since
                self._heard(answer, holders[answer])

    def _started(self, answer: Any, place: _Place) -> None:
        try:
            self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            self._failed_starts += 1
            if self._failed_starts >= MOST_FAILED_STARTS:
                raise Unusable(f"nothing can be played on the Ray cluster: {_last_line(error)}") from None
            self._replace(place)
        else:
            place.ready = True
            self._failed_starts = 0

    def _heard(self, answer: Any, place: _Place) -> None:
        try:
            data = self._ray.get(answer)
        except self._ray.exceptions.RayError:
            self._lost(place)
            return
        del place.batches[answer]
        played = msgspec.msgpack.decode(data, type=Receipt)
        if played.count:
            self._pace = max(LEAST_PACE, (self._pace + played.seconds / played.count) / 2)
        self._waiting.extendleft(reversed(played.left))
        self._pipe.send_bytes(data)

    def _lost(self, place: _Place) -> None:
        """See to what a post held that died: it is played again by another."""
        for batch in place.batches.values():
            for episode in batch:
                self._deaths[episode.id] = self._deaths.get(episode.id, 0) + 1
            if len(place.batches) == len(batch) == 1:
                self._alone[batch[0].id] = self._alone.get(batch[0].id, 0) + 1
            given_up = [episode for episode in batch if self._alone.get(episode.id, 0) >= TRIES]
            for episode in given_up:
                _send(self._pipe, GivenUp(episode))
            self._waiting.extendleft(episode for episode in reversed(batch) if episode not in given_up)
        self._replace(place)

    def _replace(self, place: _Place) -> None:
        place.batches.clear()
        self._ray.kill(place.actor)  # it may only have been out of reach
        self._places[self._places.index(place)] = self._place()


def _reach(address: str) -> None:
    """Complain soon if nobody listens at an address; Ray itself takes seconds to load and tries for a long time."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), REACH_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise Unusable(f"no Ray cluster can be used at {address}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]


def _last_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[-1]
