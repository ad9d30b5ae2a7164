"""The players of NetHack, weakest first."""

from __future__ import annotations

from collections.abc import Mapping

from gridsage.core.room import AgentEntry
from gridsage.games.nethack.agents.baseline import Baseline
from gridsage.games.nethack.agents.bot import Bot
from gridsage.games.nethack.agents.survivor import Survivor


def explorer(personality: str = "explorer") -> Bot:
    """A bot with a personality by name or TOML file; it sees everything before it goes down."""
    return Bot(personality)


def diver(personality: str = "diver") -> Bot:
    """A bot that takes the first stairs down."""
    return Bot(personality)


def survivor(personality: str = "survivor") -> Survivor:
    """A bot that weighs every danger, grows where it is strong enough, and goes down last."""
    return Survivor(personality)


def digger(personality: str = "digger") -> Survivor:
    """A bot that goes down as fast as it can, over stairs or through the floor."""
    return Survivor(personality)


def agents() -> Mapping[str, AgentEntry]:
    """Every agent of the room."""
    return {
        "baseline": AgentEntry(
            Baseline, "the bot of a 2009 course project: weights, tiers of searching, random unsticking"
        ),
        "diver": AgentEntry(diver, "takes the first stairs down it finds"),
        "explorer": AgentEntry(explorer, "explores everything, searches where the map has a hole, then goes down"),
        "digger": AgentEntry(digger, "takes the first stairs down, digs where it can, fights only for its life"),
        "survivor": AgentEntry(survivor, "weighs every danger, eats, rests and grows before it goes deeper"),
    }
