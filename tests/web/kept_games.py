"""Games put into a server's store, as a bench in a terminal would."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gridsage.arena import executors, tournament
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec, Result
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import levels, messages
from web.page_server import Server


def keep_bench(
    server: Server, game: str, agents: str, seeds: Iterable[int], nodes: int, names: Sequence[str] = (), **options: Any
) -> list[Result]:
    """Play `agents` (with commas) with a budget of `nodes` that no other test uses, and keep the games."""
    room = catalog.room(game)
    chosen = [levels.chosen(room, messages.Watch(game, level=name), server.home) for name in names] or None
    specs = [catalog.parse_agent(agent) for agent in agents.split(",")]
    todo = tournament.bench_episodes(room, chosen, specs, seeds, options, Budget(nodes=nodes))
    return executors.run(todo, sink=Store(server.home))


def keep_match(
    server: Server, game: str, first: str, second: str, pairs: int, nodes: int, options: Mapping[str, Any] | None = None
) -> list[Result]:
    """Keep pairs of games with swapped seats."""
    room = catalog.room(game)
    level = levels.chosen(room, messages.Watch(game), server.home)
    one, two = AgentSpec(first), AgentSpec(second)
    todo = tournament.match_episodes(room, level, one, two, pairs, options or {}, Budget(nodes=nodes))
    return executors.run(todo, sink=Store(server.home))
