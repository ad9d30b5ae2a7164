"""The players of Lode Runner, weakest first."""

from __future__ import annotations

from gridsage.core.room import AgentEntry
from gridsage.games.loderunner.agents.wanderer import Wanderer

ENTRIES = {
    "random": AgentEntry(Wanderer, "any legal action, by chance"),
}
