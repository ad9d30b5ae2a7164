"""Play many episodes: in this process, in a pool of worker processes, or wherever an Executor takes them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from gridsage.arena.conditions import DEFAULT, Conditions
from gridsage.arena.executors.base import Executor, Stop
from gridsage.arena.executors.inline import Inline
from gridsage.arena.executors.pool import Pool
from gridsage.arena.external import seats, walls
from gridsage.core.trace import WORKER_DIED, Episode, Result, Sink
from gridsage.games import catalog

__all__ = ["Executor", "Inline", "Pool", "run"]

Done = Callable[[Result], None]


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
    results: dict[str, Result] = dict(sink.known([episode.id for episode in episodes])) if sink is not None else {}
    if done is not None:
        for result in results.values():
            done(result)
    waiting = {episode.id: episode for episode in episodes if episode.id not in results}
    for name in {episode.game for episode in waiting.values()}:
        catalog.ready_room(name)  # compile here, once, before any worker starts
    todo = list(waiting.values())
    if todo:
        chosen = executor or _chosen(todo, jobs, stop, conditions)
        with contextlib.closing(chosen.play(todo, conditions, stop)) as source:  # ctrl-C leaves no process behind
            for result in source:
                results[result.trace.episode] = result
                # Who killed a worker is unknown: it says nothing about an agent, and the next run plays the game again.
                if sink is not None and result.trace.outcome.reason != WORKER_DIED:
                    sink.put(result)
                if done is not None:
                    done(result)
    return [results[episode.id] for episode in episodes if stop is None or episode.id in results]


def _chosen(episodes: Sequence[Episode], jobs: int, stop: Stop | None, conditions: Conditions) -> Executor:
    """Return who plays. Who can be stopped or runs a stranger's code is apart: nothing else ends a game that hangs."""
    outside = _strangers(episodes, conditions)
    if outside:
        walls.standing(conditions.walls)  # a refusal is said before anything is played
    trusts = conditions.trust and any(map(seats.has_stranger, episodes))
    apart = trusts or stop is not None or (jobs > 1 and len(episodes) > 1)
    return Pool(max(1, jobs)) if apart else Inline()


def _strangers(episodes: Sequence[Episode], conditions: Conditions) -> bool:
    specs = {(episode.game, str(spec)): spec for episode in episodes for spec in episode.agents}
    return any(seats.plays_outside(catalog.room(game), spec, conditions) for (game, _), spec in specs.items())
