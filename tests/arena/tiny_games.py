"""Tiny games of every room, for tests that play the same games in several ways; as a script it plays them here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gridsage.arena import executors, tournament
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec, Episode
from gridsage.games import catalog
from gridsage.games.levels import find_level
from gridsage.store import Store


def tiny_games(agents: int = 2, seeds: Sequence[int] = (1, 2), *, steps: int = 25, nodes: int = 60) -> list[Episode]:
    """Return games of each room's weakest agent and of its strongest ones.

    Args:
        agents: how many of each room.
        steps: after which a game is cut off.
    """
    found: list[Episode] = []
    for name in catalog.BUILT_IN:
        room = catalog.ready_room(name)
        own = list(room.players.agents())
        chosen = dict.fromkeys([own[0], *own[-(agents - 1) :]])
        specs = [AgentSpec(agent) for agent in chosen]
        levels = None if room.levels.of_seed is not None else [find_level(room, None)]
        found += tournament.bench_episodes(room, levels, specs, seeds, {}, Budget(nodes=nodes))
    return [msgspec.structs.replace(episode, max_steps=steps) for episode in found]


if __name__ == "__main__":
    executors.run(tiny_games(), sink=Store(Path(sys.argv[1])))
