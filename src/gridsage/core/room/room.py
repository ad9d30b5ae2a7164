"""A room: one game with everything around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gridsage.core.game import Own
from gridsage.core.room.features import Features
from gridsage.core.room.help import Help
from gridsage.core.room.levels import Levels
from gridsage.core.room.players import Players
from gridsage.core.room.rules import Rules
from gridsage.core.room.view import View


@dataclass(frozen=True)
class Room:
    """One game in parts, each for those who read it; nothing heavy is imported until a method is called."""

    name: str
    title: str
    summary: str
    rules: Rules[Own, Own, Own]
    levels: Levels
    players: Players
    view: View[Own]
    help: Help[Own] = field(default_factory=Help)
    features: Callable[[], Features[Own, Own]] | None = None  # made when asked for: its numbers need NumPy
    variant_of: str | None = None  # the room in whose folder this one lives; galleries show it there

    @property
    def folder(self) -> str:
        """The name of the folder under games/ that holds this room; its kernels' cache goes by it."""
        return self.variant_of or self.name
