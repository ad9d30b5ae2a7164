"""Print one number: all nodes searched over fixed levels at fixed node budgets. It changes when behaviour changes."""

from __future__ import annotations

import sys

from gridsage.arena import match, tournament
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog

NODES = 300
LEVELS = 2
STEPS = 10
SKIPPED = ("nethack",)  # its nodes depend on the game's process, not on our search


def main() -> None:
    total = 0
    for name in catalog.BUILT_IN:
        room = catalog.room(name)
        if name in SKIPPED or room.rules.missing() is not None:
            continue
        catalog.ready_room(name)
        nodes = 0
        names = list(room.levels.names())[:LEVELS]
        levels = [NamedLevel(level, room.levels.text(level)) for level in names]
        if room.levels.of_seed is not None:
            levels += [room.levels.of_seed(seed) for seed in range(1, LEVELS + 1)]
        for agent in room.players.agents():
            for level in levels:
                specs = [AgentSpec(agent)] * room.rules.seats
                episode = tournament.episode(room, level, specs, 1, {}, Budget(nodes=NODES), STEPS)
                nodes += int(match.play(episode).decisions.get("nodes", 0))
        print(f"{name:16} {nodes:>12,}", file=sys.stderr)
        total += nodes
    print(total)


if __name__ == "__main__":
    main()
