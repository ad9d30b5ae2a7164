"""Play many episodes: in this process, in a pool of worker processes, or wherever an Executor takes them."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence

from gridsage.arena.conditions import DEFAULT, Conditions
from gridsage.arena.executors import base
from gridsage.arena.executors.base import Executor, Stop, Todo
from gridsage.arena.executors.inline import Inline
from gridsage.arena.executors.pool import Pool
from gridsage.arena.external import seats, walls
from gridsage.core.errors import OptionError, shown
from gridsage.core.trace import WORKER_DIED, Episode, Result, Sink
from gridsage.games import catalog

__all__ = ["Executor", "Inline", "Pool", "named", "run", "stream"]

Done = Callable[[Result], None]
INLINE, POOL, RAY = "inline", "pool", "ray"
KEEP_SECONDS = 0.2  # that a result may wait for others, to be kept with them in one go
MOST_UNKEPT = 500
PART = 500  # episodes that are looked up at a time


def named(name: str, jobs: int) -> Executor:
    """Return the executor that `inline`, `pool`, `ray` or `ray:ADDRESS` names; 0 jobs are as many as it has cores."""
    kind, colon, address = name.partition(":")
    if kind == RAY and bool(colon) == bool(address):
        from gridsage.arena.executors.ray import Ray

        return Ray(jobs, address)
    if name == INLINE:
        return Inline()
    if name == POOL:
        return Pool(jobs or os.cpu_count() or 1)
    raise OptionError(f"no executor {shown(name)}; expected {INLINE}, {POOL}, {RAY} or {RAY}:HOST:PORT")


def run(
    episodes: Sequence[Episode],
    *,
    jobs: int = 1,
    sink: Sink | None = None,
    done: Done | None = None,
    stop: Stop | None = None,
    conditions: Conditions = DEFAULT,
    executor: Executor | None = None,
) -> list[Result]:
    """Return the results of all episodes in their order; those the sink already knows are not played again.

    Args:
        jobs: 1 plays here; more start that many worker processes.
        done: called for every result as it arrives, known ones included (for a progress bar).
        stop: asked a few times per second while processes play; True ends them and returns what is done.
        executor: who plays; without one it is chosen by `jobs`.
    """
    ids = [episode.id for episode in episodes]
    results: dict[str, Result] = dict(sink.known(ids)) if sink is not None else {}
    if done is not None:
        for result in results.values():
            done(result)

    def keep(result: Result) -> None:
        results[result.trace.episode] = result
        if done is not None:
            done(result)

    todo = list({name: episode for name, episode in zip(ids, episodes, strict=True) if name not in results}.values())
    _play(todo, jobs, sink, keep, stop, conditions, executor)
    return [results[name] for name in ids if stop is None or name in results]


def stream(
    episodes: Sequence[Episode],
    *,
    jobs: int = 1,
    sink: Sink,
    done: Done,
    stop: Stop | None = None,
    conditions: Conditions = DEFAULT,
    executor: Executor | None = None,
) -> None:
    """Do as `run` does, but hold no result: `done` is called with each, first with those that the sink knows.

    Episodes are drawn from their sequence twice, to be looked up and to be played. None should be in it twice.
    """
    todo = Todo(episodes)
    for start in range(0, len(episodes), PART):
        part = [(episode.id, episode) for episode in episodes[start : start + PART]]
        known = sink.known([name for name, _ in part])
        for place, (name, episode) in enumerate(part, start):
            if name in known:
                done(known[name])
            else:
                todo.add(place, episode)
    _play(todo, jobs, sink, done, stop, conditions, executor)


def _play(
    todo: Sequence[Episode],
    jobs: int,
    sink: Sink | None,
    done: Done,
    stop: Stop | None,
    conditions: Conditions,
    executor: Executor | None,
) -> None:
    """Play episodes, keep the results and call `done` with each."""
    if not todo:
        return
    kinds = base.kinds(todo)
    for name in {episode.game for episode in kinds}:
        catalog.ready_room(name)  # compile here, once, before any worker starts
    if _strangers(kinds, conditions):
        walls.standing(conditions.walls)  # a refusal is said before anything is played
    chosen = executor or _chosen(kinds, len(todo), jobs, stop, conditions)
    keeper = _Keeper(sink)
    source = contextlib.closing(chosen.play(todo, conditions, stop))  # ctrl-C leaves no process behind
    with source as arriving, contextlib.closing(keeper):
        for arrived in arriving:
            keeper.take(arrived)
            if arrived is not None:
                done(arrived)


class _Keeper:
    """Gives results to a sink: at once where they come slowly, many in one go where they come fast."""

    def __init__(self, sink: Sink | None) -> None:
        self._sink = sink
        self._unkept: list[Result] = []
        self._kept_at = 0.0

    def take(self, result: Result | None) -> None:
        """Take a result; None says that no other is near, and what was taken is kept now."""
        # Who killed a worker is unknown: it says nothing about an agent, and the next run plays the game again.
        if result is not None and result.trace.outcome.reason != WORKER_DIED:
            self._unkept.append(result)
        late = time.monotonic() - self._kept_at > KEEP_SECONDS
        if result is None or late or len(self._unkept) >= MOST_UNKEPT:
            self.close()

    def close(self) -> None:
        """Keep what was taken."""
        if self._sink is not None and self._unkept:
            self._sink.put_many(self._unkept)
            self._kept_at = time.monotonic()
        self._unkept = []


def _chosen(kinds: Sequence[Episode], games: int, jobs: int, stop: Stop | None, conditions: Conditions) -> Executor:
    """Return who plays. Who can be stopped or runs a stranger's code is apart: nothing else ends a game that hangs."""
    trusts = conditions.trust and any(map(seats.has_stranger, kinds))
    apart = trusts or stop is not None or (jobs > 1 and games > 1)
    return Pool(max(1, jobs)) if apart else Inline()


def _strangers(episodes: Sequence[Episode], conditions: Conditions) -> bool:
    specs = {(episode.game, str(spec)): spec for episode in episodes for spec in episode.agents}
    return any(seats.plays_outside(catalog.room(game), spec, conditions) for (game, _), spec in specs.items())
