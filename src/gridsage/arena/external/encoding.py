"""Observations as data for the wire and back, and as text for people."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from gridsage.core.room import Room


def encode(room: Room, observation: Any) -> Any:
    """Return an observation as plain JSON data."""
    return msgspec.to_builtins(observation)


def decode(room: Room, data: Any) -> Any:
    """Return the observation that `encode` turned into `data`."""
    return msgspec.convert(data, get_type_hints(room.rules.game().observe)["return"])


def board(room: Room, observation: Any) -> str:
    """Return what a person sees of an observation, as lines of text."""
    frame = room.view.frame(observation)
    cells = [room.view.glyphs.get(sprite, ("?", ""))[0] for sprite in frame.cells]
    for entity in frame.entities:
        cells[entity.row * frame.cols + entity.col] = room.view.glyphs.get(entity.sprite, ("?", ""))[0]
    rows = ["".join(cells[row * frame.cols : (row + 1) * frame.cols]) for row in range(frame.rows)]
    return "\n".join(rows)
