"""The players of the mine, weakest first."""

from __future__ import annotations

from gridsage.core.room import AgentEntry
from gridsage.games.delirium.agents.master import MasterMiner
from gridsage.games.delirium.agents.report import ReportMiner

ENTRIES = {
    "report": AgentEntry(ReportMiner, "the student report's miner: nearest diamond, next-tick prediction, escape"),
    "master": AgentEntry(MasterMiner, "plans on the exact model to the exit: order of goals, waiting, pushing, traps"),
}
