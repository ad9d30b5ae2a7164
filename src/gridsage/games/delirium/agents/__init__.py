"""The players of the mine, weakest first."""

from __future__ import annotations

from gridsage.core.room import AgentEntry
from gridsage.games.delirium.agents.baseline import Baseline
from gridsage.games.delirium.agents.master import Master

ENTRIES = {
    "baseline": AgentEntry(Baseline, "the course project's miner: nearest diamond, next-tick prediction, escape"),
    "master": AgentEntry(Master, "plans on the exact model to the exit: order of goals, waiting, pushing, traps"),
}
