"""Play a list of episodes for a verb: stored, with a progress bar, resumed where a run was interrupted."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import output
from gridsage.core.room import RecordedGame
from gridsage.core.trace import WORKER_DIED, Episode, Result, Sink, Trace, load

if TYPE_CHECKING:
    from gridsage.store import Store


STUCK_SECONDS = 1.0  # after ctrl-C, for a main thread that is inside compiled code
PART = 500  # results that are read from the store at a time


class Account(Protocol):
    """Takes results one by one, in any order, and shows in the end what they say."""

    def take(self, result: Result) -> None: ...
    def show(self) -> None: ...


def played(
    episodes: Sequence[Episode],
    words: str,
    report: Account,
    *,
    jobs: int,
    as_json: bool,
    fresh: bool = False,
    home: Path | None = None,
    executor: str | None = None,
    conditions: Conditions,
) -> None:
    """Play what is not stored yet, or everything if `fresh`, and let `report` show the results.

    After ctrl-C the same is done with what is there, and the command ends with exit code 130.
    """
    import rich.table  # noqa: F401 (now: after ctrl-C the table is wanted at once)

    from gridsage.arena import executors, stats  # noqa: F401
    from gridsage.store import Store

    chosen = executors.named(executor, jobs) if executor is not None else None
    store = Store(home)
    sink: Sink = _Replacing(store) if fresh else store
    announce_walls(episodes, conditions)
    arrived = _Arrived(store, keep_ids=as_json)

    def finish() -> None:
        for warning in store.warnings:
            output.console(stderr=True).print(f"warning: {warning}", markup=False)
        if as_json:
            for result in arrived.in_order(episodes):
                output.print_json(output.episode_record(result))
        if arrived.count or not episodes:
            report.show()

    def stopped() -> None:
        finish()
        command = "the same command without --fresh" if fresh else "the same command"
        print(f"\ngridsage: stopped; {command} goes on from here", file=sys.stderr, flush=True)

    with prompt_stop(stopped), output.progress(words, len(episodes)) as advance:

        def done(result: Result) -> None:
            arrived.take(result)
            report.take(result)
            advance(1)

        try:
            workers = jobs or os.cpu_count() or 1
            executors.stream(episodes, jobs=workers, sink=sink, done=done, conditions=conditions, executor=chosen)
        except KeyboardInterrupt:
            stop_now = True
        else:
            stop_now = False
    if stop_now:
        stopped()
        raise typer.Exit(output.STOPPED_CODE)
    finish()


class _Arrived:
    """Which results there are. They are read again from the store, so that a million of them take little room."""

    def __init__(self, store: Store, *, keep_ids: bool) -> None:
        self.count = 0
        self._store = store
        self._ids: set[bytes] | None = set() if keep_ids else None
        self._unkept: dict[str, Result] = {}  # of which the store holds nothing

    def take(self, result: Result) -> None:
        self.count += 1
        if self._ids is not None:
            self._ids.add(bytes.fromhex(result.trace.episode))
            if result.trace.outcome.reason == WORKER_DIED:
                self._unkept[result.trace.episode] = result

    def in_order(self, episodes: Sequence[Episode]) -> Iterator[Result]:
        """Yield the results in the order of their episodes."""
        for start in range(0, len(episodes), PART):
            ids = [name for episode in episodes[start : start + PART] if self._has(name := episode.id)]
            found = self._store.known(ids) | self._unkept
            yield from (found[name] for name in ids if name in found)

    def _has(self, name: str) -> bool:
        return self._ids is not None and bytes.fromhex(name) in self._ids


@contextmanager
def prompt_stop(last_words: Callable[[], None]) -> Iterator[None]:
    """See that ctrl-C ends the command soon even where the main thread does not hear it, inside a long kernel.

    Python's own handler runs between two steps of Python. The byte that the signal leaves in a pipe is there at once:
    a thread reads it, and if this block has not ended a second later, says `last_words` and ends the process.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    over = threading.Event()

    def listen() -> None:
        while number := os.read(reader, 1):
            if number[0] == signal.SIGINT and not over.wait(STUCK_SECONDS):
                last_words()
                sys.stdout.flush()
                end_everything()
                os._exit(output.STOPPED_CODE)
        os.close(reader)

    threading.Thread(target=listen, daemon=True).start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        os.close(writer)


def end_everything() -> None:
    """Kill the processes that this one has started for agents."""
    from gridsage.arena.external import orphans

    for pid in list(orphans.started):
        orphans.kill_group(pid)


def announce_walls(episodes: Sequence[Episode], conditions: Conditions) -> None:
    """Say once which walls stand, if anybody plays who is not ours."""
    from gridsage.arena.executors import base
    from gridsage.arena.external import seats, walls
    from gridsage.games import catalog

    specs = {(episode.game, str(spec)): spec for episode in base.kinds(episodes) for spec in episode.agents}
    if any(seats.plays_outside(catalog.room(game), spec, conditions) for (game, _), spec in specs.items()):
        print(walls.standing(conditions.walls).sentence(), file=sys.stderr)


def find_trace(text: str) -> Trace:
    """Return a trace by its id in the store, or from a file."""
    found = find_game(text)
    return found.trace if isinstance(found, RecordedGame) else found


def find_game(text: str) -> Trace | RecordedGame:
    """Return the same, as a recording if it is of a form that only its room knows."""
    from gridsage.core.errors import TraceError
    from gridsage.store import Store

    if not text:
        raise TraceError("expected the id of a stored game or a file, got nothing")
    path = Path(text)
    if "/" in text or path.suffix or path.exists():
        return _recorded(path) or load(path)
    return Store().load(text)


def find_log(trace: Trace) -> str:
    """Return what the agents of a stored game printed; empty if nothing was kept."""
    from gridsage.store import Store

    kept = Store().known([trace.episode]).get(trace.episode)
    return kept.log if kept is not None else ""


def _recorded(path: Path) -> RecordedGame | None:
    """Return the first game in a file of a form that only its room knows, such as a BDCFF cave with a [replay]."""
    from gridsage.games import catalog

    for name in catalog.BUILT_IN:
        levels = catalog.room(name).levels
        if levels.replays is not None and path.suffix == levels.replay_suffix:
            found = levels.replays(path)
            if len(found) > 1:
                words = f"{found[0].where}, {found[0].trace.level_name}"
                print(f"{path} holds {len(found)} recorded games; this is the first: {words}", file=sys.stderr)
            return found[0]
    return None


class _Replacing:
    """A sink that knows nothing and overwrites what was stored."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, ids: list[str]) -> dict[str, Result]:
        return {}

    def put_many(self, results: Sequence[Result]) -> None:
        self._store.put_many(results, replace=True)
