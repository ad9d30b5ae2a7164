"""Every cave of a BDCFF file under the mine's own rules, searched offline or played: won, impossible, or how far.

    python bench/delirium_caves.py CAVES.bd [--nodes 20000000] [--only D,J]
    python bench/delirium_caves.py CAVES.bd --live --nodes 60000

A node is one tick of a position; the same number of nodes gives the same answer. A win of the search is played again by
the rules. --live: a game of the master with so many nodes per decision.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.budget import Meter
from gridsage.core.complaints import ended
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.games import catalog
from gridsage.games.delirium.agents.planner import CHECK_POOL_BYTES, Planner, Waypoint
from gridsage.games.delirium.level import Options, parse
from gridsage.games.delirium.level.text import doubts
from gridsage.games.delirium.rules import Delirium, arrays
from gridsage.games.delirium.state import DIAMONDS, TICKS


def searched(text: str, nodes: int) -> str:
    """What the search finds out about a cave, in words."""
    gallery = parse(text).galleries[0]
    if wrong := doubts(gallery, Options()):
        return f"impossible: {wrong[0]}"
    cells, facts, rules = arrays(gallery, Options())
    planner = Planner(rules, len(facts), CHECK_POOL_BYTES)
    root = planner.start(cells, facts)
    won = planner.think(Meter(Budget(nodes=nodes)))
    if won is not None:
        return f"won in {len(won.line(root))} ticks" + ("" if wins(text, won.line(root)) else ", BUT NOT BY THE RULES")
    if planner.complete:
        return "impossible: every position that can be reached was looked at"
    best = most_diamonds(root)
    return f"not found: {int(best.facts[DIAMONDS])} of {gallery.needed} diamonds, in {int(best.facts[TICKS])} ticks"


def played(level: NamedLevel, nodes: int) -> str:
    """How a game of the master ends, in words."""
    room = catalog.ready_room("delirium")
    trace = play(episode(room, level, (catalog.parse_agent("master"),), 1, {}, Budget(nodes=nodes))).trace
    return f"{trace.outcome.reason} after {len(trace.actions)} ticks, score {trace.outcome.scores[0]:g}"


def wins(text: str, actions: list[int]) -> bool:
    """Return True if the actions win the cave when they are played."""
    game = Delirium()
    state = game.start(parse(text), Options(), 1)
    for action in actions:
        state = game.step(state, action)
    outcome = game.outcome(state)
    return outcome is not None and outcome.winner == 0


def most_diamonds(root: Waypoint) -> Waypoint:
    """The node with the most diamonds, of equal ones the soonest."""
    best, waiting = root, [root]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        if (node.facts[DIAMONDS], -node.facts[TICKS]) > (best.facts[DIAMONDS], -best.facts[TICKS]):
            best = node
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("caves", type=Path)
    parser.add_argument("--nodes", type=int, default=20_000_000)
    parser.add_argument("--only", default="", help="names or letters of caves, with commas between")
    parser.add_argument("--live", action="store_true", help="let the master play")
    given = parser.parse_args()
    room = catalog.ready_room("delirium")
    assert room.levels.read is not None
    for level in room.levels.read(given.caves):
        name = parse(level.text).galleries[0].name
        if given.only and name.removeprefix("Cave ").split(":")[0] not in given.only.split(","):
            continue
        began = time.process_time()
        answer = played(level, given.nodes) if given.live else searched(level.text, given.nodes)
        print(f"{name}: {answer} ({time.process_time() - began:.0f} s of CPU)", flush=True)


if __name__ == "__main__":
    raise SystemExit(ended(main))
