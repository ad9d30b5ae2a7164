"""The part of a room that names its agents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gridsage.core.game import Agent


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """An agent people can choose: what makes it, and one sentence about it."""

    make: Callable[..., Agent]
    summary: str


class Players(ABC):
    """The agents of a room."""

    default: str  # the best one: what screens choose when nobody is named
    aliases: Mapping[str, str] = {}  # an older name of an agent, still met in specs and stored games -> its name now

    @abstractmethod
    def agents(self) -> Mapping[str, AgentEntry]:
        """Return the agents by name, weakest first."""
