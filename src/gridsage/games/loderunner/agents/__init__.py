"""The players of Lode Runner, weakest first."""

from __future__ import annotations

from gridsage.core.room import AgentEntry
from gridsage.games.loderunner.agents.baseline import Baseline
from gridsage.games.loderunner.agents.master import Master
from gridsage.games.loderunner.agents.random import Random

ENTRIES = {
    "random": AgentEntry(Random, "any legal action, by chance"),
    "baseline": AgentEntry(
        Baseline, "the course project's runner: A* over distance and danger, panic when an enemy is near"
    ),
    "master": AgentEntry(Master, "exact look-ahead over runner, enemies and holes; keeps its plan while it holds"),
}
