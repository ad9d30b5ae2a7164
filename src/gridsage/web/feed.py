"""Frames as messages: a key frame now and then, differences between, so that a browser can keep a whole game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridsage.core.frame import Frame
from gridsage.core.game import Event, Thoughts

VERSION = 1
KEY_EVERY = 50  # frames between two that carry every cell


class Feed:
    """Turns the frames of one game into messages; it remembers what the browser has."""

    def __init__(self) -> None:
        self._tiles: dict[str, int] = {}
        self._cells: tuple[int, ...] = ()
        self._edges: tuple[int, ...] = ()
        self._shape = (0, 0)

    def hello(self, game: str, frame: Frame, **more: Any) -> dict[str, Any]:
        """The first message of a game: its size, tile names and walls on cell sides."""
        self._cells, self._edges, self._shape = (), frame.edges, (frame.rows, frame.cols)
        for name in frame.cells:
            self._tiles.setdefault(name, len(self._tiles))
        return {
            "m": "hello",
            "v": VERSION,
            "game": game,
            "w": frame.cols,
            "h": frame.rows,
            "tiles": list(self._tiles),
            "edges": list(frame.edges),
            **more,
        }

    def frame(self, t: int, frame: Frame, *, key: bool = False, **more: Any) -> dict[str, Any]:
        """Frame `t`: all cells (`k`) or the changed ones (`d`: index, tile, index, tile, ...), and what moves."""
        message: dict[str, Any] = {"m": "frame", "t": t}
        known = len(self._tiles)
        cells = tuple(self._tiles.setdefault(name, len(self._tiles)) for name in frame.cells)
        if len(self._tiles) > known:
            message["n"] = list(self._tiles)[known:]  # tiles not named before
        shape = (frame.rows, frame.cols)
        if key or t % KEY_EVERY == 0 or shape != self._shape or not self._cells:
            message["k"] = list(cells)
            if shape != self._shape:
                message["w"], message["h"] = frame.cols, frame.rows
        else:
            message["d"] = [
                x for i, (a, b) in enumerate(zip(self._cells, cells, strict=True)) if a != b for x in (i, b)
            ]
        if frame.edges != self._edges:
            message["g"] = list(frame.edges)
        message["e"] = [[e.id, e.sprite, e.col, e.row, e.dcol, e.drow] for e in frame.entities]
        if frame.hands:
            message["hd"] = frame.hands
        message["s"] = frame.status
        message["x"] = frame.text
        self._cells, self._edges, self._shape = cells, frame.edges, shape
        return message | {name: value for name, value in more.items() if value not in (None, [], {}, "")}


def overlay(thoughts: Thoughts | None, milliseconds: float | None = None) -> dict[str, Any]:
    """What an agent told about its decision, in the browser's words."""
    if thoughts is None:
        return {} if milliseconds is None else {"ms": round(milliseconds, 3)}
    told: dict[str, Any] = {
        "path": list(thoughts.path),
        "heat": list(thoughts.heat),
        "values": [list(value) for value in thoughts.values],
        "line": list(thoughts.line),
        "nodes": thoughts.nodes,
        "score": thoughts.score,
        "text": thoughts.text,
        "figures": {**thoughts.figures, **thoughts.timings},
        "ms": None if milliseconds is None else round(milliseconds, 3),
    }
    return {name: value for name, value in told.items() if value not in (None, [], {}, "", 0)}


def events(happened: Sequence[Event]) -> list[list[Any]]:
    """Events as short lists: kind, cell, to, who."""
    return [[event.kind, event.cell, event.to, event.who] for event in happened]
