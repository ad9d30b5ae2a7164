"""Frames as messages: a key frame now and then, differences between, so that a browser can keep a whole game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gridsage.core.frame import Frame
from gridsage.core.game import Event, Memory, Thoughts

VERSION = 1
KEY_EVERY = 50  # frames between two that carry every cell


class Feed:
    """Turns the frames of one game into messages; it remembers what the browser has."""

    def __init__(self) -> None:
        self._tiles: dict[str, int] = {}
        self._cells: tuple[int, ...] = ()
        self._edges: tuple[int, ...] = ()
        self._shape = (0, 0)
        self._mind = _Mind()

    def hello(self, game: str, frame: Frame, **more: Any) -> dict[str, Any]:
        """The first message of a game: its size, tile names and walls on cell sides."""
        self._cells, self._edges, self._shape = (), frame.edges, (frame.rows, frame.cols)
        self._mind = _Mind()
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
            "coordinates": frame.coordinates,
            "sides": frame.sides,
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
        if frame.chosen:
            message["c"] = frame.chosen
        if frame.begun:
            message["b"] = frame.begun
        if frame.bidding is not None:
            message["bid"] = frame.bidding
        message["s"] = frame.status
        message["x"] = frame.text
        if frame.above or frame.below:
            message["l"] = [frame.above, frame.below]
        if frame.focus >= 0:
            message["f"] = frame.focus
        if frame.question is not None:
            message["ask"] = frame.question
        if key or t % KEY_EVERY == 0:
            self._mind = _Mind()
        if more.get("o"):
            more["o"] = self._mind.shortened(more["o"])
        self._cells, self._edges, self._shape = cells, frame.edges, shape
        return message | {name: value for name, value in more.items() if value not in (None, [], {}, "")}


class _Mind:
    """Bids and memory hardly change from step to step: the browser gets what is new, and now and then all of it."""

    def __init__(self) -> None:
        self._bids: list[Any] = []
        self._places: list[Any] = []
        self._memory: Memory | None = None

    def shortened(self, told: dict[str, Any]) -> dict[str, Any]:
        """`told` with `bids` and `memory` as differences, where the browser has what was before."""
        told = dict(told)
        if "bids" in told:
            bids = told["bids"]
            told["bids"], self._bids = _changed(self._bids, bids), bids
        if "memory" in told:
            told["memory"] = self._differences(told["memory"])
        return told

    def _differences(self, now: Memory) -> dict[str, Any]:
        before, self._memory = self._memory, now
        places = [list(msgspec.structs.astuple(place)) for place in now.places]
        changes: dict[str, Any] = {"places": _changed(self._places, places)}
        self._places = places
        if before is None or (before.rows, before.cols, before.kinds) != (now.rows, now.cols, now.kinds):
            cells = "".join(chr(_FIRST_LETTER + kind) for kind in now.cells)
            return changes | {"w": now.cols, "h": now.rows, "kinds": now.kinds, "k": cells}
        if before.cells == now.cells:
            return changes
        pairs = enumerate(zip(before.cells, now.cells, strict=True))
        return changes | {"d": [x for i, (a, b) in pairs if a != b for x in (i, b)]}


def _changed(before: list[Any], now: list[Any]) -> list[Any] | dict[str, list[Any]]:
    """The whole list, or `{"d": [[index, entry], ...]}` for one as long as that before."""
    if len(before) != len(now):
        return now
    return {"d": [[i, b] for i, (a, b) in enumerate(zip(before, now, strict=True)) if a != b]}


_FIRST_LETTER = ord("A")  # a whole memory goes as one string, a letter a cell


def overlay(
    thoughts: Thoughts | None, milliseconds: float | None = None, memory: Callable[[], Memory] | None = None
) -> dict[str, Any]:
    """What an agent told about its decision, in the browser's words; what it remembers is asked only here."""
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
        "bids": [list(msgspec.structs.astuple(bid)) for bid in thoughts.bids],
        "memory": None if memory is None else memory(),
        "ms": None if milliseconds is None else round(milliseconds, 3),
    }
    return {name: value for name, value in told.items() if value not in (None, [], {}, "", 0)}


def events(happened: Sequence[Event]) -> list[list[Any]]:
    """Events as short lists: kind, cell, to, who."""
    return [[event.kind, event.cell, event.to, event.who] for event in happened]
