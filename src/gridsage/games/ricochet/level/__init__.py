"""Text <-> Level: drawn boards, one-line positions, JSON lines, game IDs, printed boards. All complaints live here."""

from __future__ import annotations

from gridsage.core.errors import LevelError
from gridsage.games.ricochet.level.board import (
    ANY_ROBOT,
    ARROWS,
    CLOSED,
    COMPASS,
    DIRECTIONS,
    LETTERS,
    MAX_ROBOTS,
    MAX_SIDE,
    ROBOTS,
    SHAPES,
    Deflector,
    Goal,
    Level,
    Options,
    closed_walls,
)
from gridsage.games.ricochet.level.drawing import draw, parse_drawing
from gridsage.games.ricochet.level.game_id import is_game_id, parse_game_id, to_game_id
from gridsage.games.ricochet.level.line import parse_line, to_line
from gridsage.games.ricochet.level.record import parse_record, to_record

__all__ = [
    "ANY_ROBOT",
    "ARROWS",
    "CLOSED",
    "COMPASS",
    "DIRECTIONS",
    "LETTERS",
    "MAX_ROBOTS",
    "MAX_SIDE",
    "ROBOTS",
    "SHAPES",
    "Deflector",
    "Goal",
    "Level",
    "Options",
    "closed_walls",
    "draw",
    "parse",
    "parse_drawing",
    "parse_game_id",
    "parse_line",
    "parse_record",
    "to_game_id",
    "to_line",
    "to_record",
]


def parse(text: str) -> Level:
    """The level in `text`: a drawing, a one-line position, a JSON record or a game ID, told apart by how they begin."""
    stripped = text.strip()
    if not stripped:
        raise LevelError("the level is empty; expected a drawn board, a one-line position or a JSON record")
    if stripped.startswith("{"):
        return parse_record(stripped)
    if "\n" not in stripped and "_" in stripped:
        return parse_line(stripped)
    if is_game_id(stripped):
        return parse_game_id(stripped)
    return parse_drawing(text)
