"""Levels of the mine: text, XML and BDCFF in, text and XML out, and endless new caves."""

from gridsage.games.delirium.level.cells import Gallery, Level, Options
from gridsage.games.delirium.level.text import level_text, parse

__all__ = ["Gallery", "Level", "Options", "level_text", "parse"]
