"""The players of the classic game, weakest first."""

from __future__ import annotations

from gridsage.core.room import AgentEntry
from gridsage.games.loderunner.classic.agents.baseline import Baseline
from gridsage.games.loderunner.classic.agents.master import Master
from gridsage.games.loderunner.classic.agents.random import Random

ENTRIES = {
    "random": AgentEntry(Random, "any key, held for some ticks, by chance"),
    "baseline": AgentEntry(Baseline, "walks the shortest way to the next gold and digs when a guard is near"),
    "master": AgentEntry(Master, "plans on exact ticks, shortens the plan, and plans again when chance differs"),
}
