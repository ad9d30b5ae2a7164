"""The players of a Boulder Dash cave, weakest first."""

from __future__ import annotations

from gridsage.core.room import AgentEntry
from gridsage.games.delirium.bd.agents.baseline import Baseline, Random
from gridsage.games.delirium.bd.agents.master import Master

ENTRIES = {
    "random": AgentEntry(Random, "does anything at all"),
    "baseline": AgentEntry(Baseline, "walks to the nearest diamond and looks one tick ahead"),
    "master": AgentEntry(Master, "plans on the exact model: drops, pushes that may fail, the clock, the exit"),
}
