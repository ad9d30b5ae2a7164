"""Play many episodes: in this process, or in a pool of worker processes that survives a crash of any of them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import msgspec

from gridsage.arena import match
from gridsage.core.errors import GridsageError
from gridsage.core.game import Outcome
from gridsage.core.trace import WORKER_DIED, Episode, Result, Sink, Trace
from gridsage.games import catalog

Done = Callable[[Result], None]
BATCH = 8  # most episodes sent to a worker in one message
STOP_SECONDS = 0.2  # how long a run that is to be stopped goes on at most
TRIES = 2  # an episode whose worker died is tried once more, then it ends with a named outcome


def run(
    episodes: Sequence[Episode],
    *,
    jobs: int = 1,
    sink: Sink | None = None,
    done: Done | None = None,
    stop: Callable[[], bool] | None = None,
) -> list[Result]:
    """Return the results of all episodes in their order; those that the sink already knows are not played again.

    Args:
        jobs: 1 plays here; more start that many worker processes.
        done: called for every result as it arrives, known ones included (for a progress bar).
        stop: asked a few times a second while processes play; True ends them and returns what is done.
    """
    results: dict[str, Result] = dict(sink.known([episode.id for episode in episodes])) if sink is not None else {}
    if done is not None:
        for result in results.values():
            done(result)
    waiting = {episode.id: episode for episode in episodes if episode.id not in results}
    for name in {episode.game for episode in waiting.values()}:
        catalog.ready_room(name)  # compile here, once, before any worker starts
    # A run that can be stopped always uses a process, even for one game: nothing else ends a game that hangs or dies.
    here = jobs <= 1 or not waiting or (len(waiting) == 1 and stop is None)
    source = _inline(waiting.values()) if here else _pool(list(waiting.values()), jobs, stop)
    for result in source:
        results[result.trace.episode] = result
        if sink is not None:
            sink.put(result)
        if done is not None:
            done(result)
    return [results[episode.id] for episode in episodes if stop is None or episode.id in results]


def _inline(episodes: Any) -> Iterator[Result]:
    for episode in episodes:
        with contextlib.redirect_stdout(sys.stderr):  # what an agent prints must not mix with our answers
            result = match.play(episode)
        yield result


class _Worker:
    """A child process, its pipe, and the episodes it has been given and not yet returned."""

    def __init__(self, context: multiprocessing.context.SpawnContext) -> None:
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.given: deque[Episode] = deque()

    def give(self, episodes: Sequence[Episode]) -> None:
        self.given.extend(episodes)
        try:
            self.pipe.send_bytes(msgspec.msgpack.encode(list(episodes)))
        except OSError:
            pass  # it died: the closed pipe is noticed by the next wait

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def _pool(episodes: list[Episode], jobs: int, stop: Callable[[], bool] | None = None) -> Iterator[Result]:
    context = multiprocessing.get_context("spawn")
    waiting, tries = deque(episodes), dict.fromkeys((episode.id for episode in episodes), 0)
    jobs = min(jobs, len(episodes))
    batch = max(1, min(BATCH, len(episodes) // (4 * jobs)))
    workers = [_Worker(context) for _ in range(jobs)]
    try:
        left = len(episodes)
        while left and not (stop is not None and stop()):
            for worker in workers:
                if not worker.given and waiting:
                    worker.give([waiting.popleft() for _ in range(min(batch, len(waiting)))])
            pipes = [worker.pipe for worker in workers if worker.given]
            ready = set(wait(pipes, None if stop is None else STOP_SECONDS))
            for place, worker in enumerate(workers):
                if worker.pipe not in ready:
                    continue
                message = _receive(worker.pipe)
                if message is None:  # died while playing the first of those it was given
                    workers[place] = _Worker(context)
                    worker.end()
                    lost = worker.given.popleft()
                    waiting.extendleft(reversed(worker.given))
                    tries[lost.id] += 1
                    if tries[lost.id] < TRIES:
                        waiting.append(lost)
                        continue
                    message = _died(lost)
                else:
                    worker.given.popleft()
                left -= 1
                yield message
    finally:
        for worker in workers:
            worker.end()


def _receive(pipe: Connection) -> Result | None:
    try:
        data = pipe.recv_bytes()
    except (EOFError, OSError):
        return None
    answer = msgspec.msgpack.decode(data, type=_Answer)
    if answer.error:
        raise GridsageError(answer.error)
    return answer.result


class _Answer(msgspec.Struct):
    result: Result | None = None
    error: str = ""


def _serve(pipe: Connection) -> None:
    """Play what the parent sends, until it closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the parent's business
    sys.stdout = sys.stderr  # what an agent prints must not mix with our answers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            batch = msgspec.msgpack.decode(pipe.recv_bytes(), type=list[Episode])
        except (EOFError, OSError):
            return
        for episode in batch:
            try:
                answer = _Answer(match.play(episode))
            except GridsageError as error:
                answer = _Answer(error=str(error))
            pipe.send_bytes(msgspec.msgpack.encode(answer))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _died(episode: Episode) -> Result:
    """Return the result of an episode that killed its worker twice."""
    room = catalog.room(episode.game)
    trace = Trace(
        game=episode.game,
        rules_version=room.rules.game().rules_version,
        options=episode.options,
        level_name=episode.level_name,
        level=episode.level,
        seed=episode.seed,
        agents=episode.agents,
        budgets=episode.budgets,
        actions=(),
        hashes=(),
        outcome=Outcome(WORKER_DIED, (0.0,) * len(episode.agents)),
        episode=episode.id,
    )
    return Result(trace, {}, 0.0)
