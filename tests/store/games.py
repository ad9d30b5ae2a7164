"""Small games for the tests of the store."""

from __future__ import annotations

from pathlib import Path

import msgspec
from toys import nim, stroll

from gridsage.arena import executors, tournament
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec, Result
from gridsage.store import Store

FIRST_VERSION = Path(__file__).parent / "first_version"


def results(agent="drunk", seeds=range(1, 4), nodes=10, **options):
    todo = tournament.bench_episodes(stroll.ROOM, None, [AgentSpec(agent)], seeds, options, Budget(nodes=nodes))
    return executors.run(todo)


def duels(seeds=3):
    level = nim.ROOM.levels.names()[0]
    named = tournament.NamedLevel(level, nim.ROOM.levels.text(level))
    first, second = AgentSpec("modulo"), AgentSpec("anyhow")
    return executors.run(tournament.match_episodes(nim.ROOM, named, first, second, seeds, {}, Budget(nodes=10)))


def many(count: int, **changes) -> list[Result]:
    """Copies of one game that count as different episodes."""
    (one,) = results(seeds=[1])
    return [
        msgspec.structs.replace(
            one, trace=msgspec.structs.replace(one.trace, seed=seed, episode=f"{seed:032x}", **changes)
        )
        for seed in range(count)
    ]


def damage(store: Store, name: str) -> None:
    """Cut the file of a game that has one of its own."""
    path = store.files.path(name)
    path.write_bytes(path.read_bytes()[:30])
