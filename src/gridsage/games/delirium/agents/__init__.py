"""The players of the mine, weakest first."""

from __future__ import annotations

from gridsage.core.room import AgentEntry
from gridsage.games.delirium.agents.baseline import Baseline
from gridsage.games.delirium.agents.master import MasterMiner

ENTRIES = {
    "baseline": AgentEntry(Baseline, "the course project's miner: nearest diamond, next-tick prediction, escape"),
    "master": AgentEntry(MasterMiner, "plans on the exact model to the exit: order of goals, waiting, pushing, traps"),
}
