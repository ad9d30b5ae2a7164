"""What a room offers to the arena and the screens, in parts. Each `games/<room>/__init__.py` defines one `ROOM`.

A part is a class to be derived from. What every room has is an abstract method; what only some rooms have is None in
the base class and a method in the rooms that have it: `if room.levels.generate is not None`.
"""

from gridsage.core.room.features import Features
from gridsage.core.room.help import Help, Line, Solutions
from gridsage.core.room.levels import (
    Book,
    LevelReport,
    Levels,
    NamedLevel,
    RecordedGame,
    ShippedLevels,
    generator_settings,
    shipped,
)
from gridsage.core.room.players import AgentEntry, Players
from gridsage.core.room.room import Room
from gridsage.core.room.rules import Json, Rules, WarmUp, Wire, parse_options
from gridsage.core.room.view import Gliding, RealTime, Showcase, View

__all__ = [
    "AgentEntry",
    "Book",
    "Features",
    "Gliding",
    "Help",
    "Json",
    "LevelReport",
    "Levels",
    "Line",
    "NamedLevel",
    "Players",
    "RealTime",
    "RecordedGame",
    "Room",
    "Rules",
    "ShippedLevels",
    "Showcase",
    "Solutions",
    "View",
    "WarmUp",
    "Wire",
    "generator_settings",
    "parse_options",
    "shipped",
]
