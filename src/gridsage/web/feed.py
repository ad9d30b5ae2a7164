"""Frames as messages: a key frame now and then, differences between, so that a browser can keep a whole game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gridsage.core.frame import Entity, Frame
from gridsage.core.game import Bid, Event, Memory, Place, Thoughts
from gridsage.web.messages import Answer

VERSION = 1
KEY_EVERY = 50  # frames between two that carry every cell
Entry = TypeVar("Entry", Bid, Place)


class Feed:
    """Turns the frames of one game into messages; it remembers what the browser has."""

    def __init__(self) -> None:
        self._tiles: dict[str, int] = {}
        self._cells: tuple[int, ...] = ()
        self._edges: tuple[int, ...] = ()
        self._shape = (0, 0)
        self._mind = _Mind()

    def hello(self, game: str, frame: Frame, **more: object) -> Answer:
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
            **({"rate": 1000 / frame.lasts} if frame.lasts else {}),
            **more,
        }

    def frame(self, t: int, frame: Frame, *, key: bool = False, o: Answer | None = None, **more: object) -> Answer:
        """Return frame `t`: its cells, what moves, the thoughts `o` of whoever decided, and whatever else is told."""
        key = key or t % KEY_EVERY == 0
        message: Answer = {"m": "frame", "t": t, **self._board(frame, key)}
        message["e"] = [_entity(entity) for entity in frame.entities]
        message |= {name: value for name, value in _around(frame).items() if value}
        message |= {"s": frame.status, "x": frame.text}
        if frame.focus >= 0:
            message["f"] = frame.focus
        if frame.lasts:
            message["ms"] = round(frame.lasts, 2)
        if key:
            self._mind = _Mind()
        if o:
            message["o"] = self._mind.shortened(o)
        return message | {name: value for name, value in more.items() if value not in (None, [], {}, "")}

    def _board(self, frame: Frame, key: bool) -> Answer:
        """Return all cells (`k`) or the changed ones (`d`: index, tile, index, tile, ...), and new tiles and walls."""
        message: Answer = {}
        known = len(self._tiles)
        for name in dict.fromkeys(frame.cells):
            self._tiles.setdefault(name, len(self._tiles))
        cells = tuple(map(self._tiles.__getitem__, frame.cells))
        if len(self._tiles) > known:
            message["n"] = list(self._tiles)[known:]  # tiles not named before
        shape = (frame.rows, frame.cols)
        if key or shape != self._shape or not self._cells:
            message["k"] = list(cells)
            if shape != self._shape:
                message["w"], message["h"] = frame.cols, frame.rows
        else:
            message["d"] = [
                x for i, (a, b) in enumerate(zip(self._cells, cells, strict=True)) if a != b for x in (i, b)
            ]
        if frame.edges != self._edges:
            message["g"] = list(frame.edges)
        self._cells, self._edges, self._shape = cells, frame.edges, shape
        return message


def _entity(entity: Entity) -> list[object]:
    """Return what moves as a short list; how far it is from its cell comes last, where that is needed."""
    told: list[object] = [entity.id, entity.sprite, entity.col, entity.row, entity.dcol, entity.drow]
    return [*told, entity.col_part, entity.row_part] if entity.col_part or entity.row_part else told


def _around(frame: Frame) -> Answer:
    """Return what stands around the board, under its short names; what a frame lacks is empty."""
    return {
        "hd": frame.hands,
        "c": frame.chosen,
        "b": frame.begun,
        "bid": frame.bidding,
        "l": [frame.above, frame.below] if frame.above or frame.below else None,
        "ask": frame.question,
        "choose": frame.choose,
        "goal": frame.goal,
    }


class _Mind:
    """Bids and memory hardly change from step to step: the browser gets what is new, and now and then all of it."""

    def __init__(self) -> None:
        self._bids: Sequence[Bid] = ()
        self._places: Sequence[Place] = ()
        self._memory: Memory | None = None

    def shortened(self, told: Answer) -> Answer:
        """Return `told` with `bids` and `memory` as differences, where the browser has what was before."""
        told = dict(told)
        if bids := told.get("bids"):
            assert isinstance(bids, tuple)
            told["bids"], self._bids = _changed(self._bids, bids), bids
        if isinstance(memory := told.get("memory"), Memory):
            told["memory"] = self._differences(memory)
        return told

    def _differences(self, now: Memory) -> Answer:
        before, self._memory = self._memory, now
        changes: Answer = {"places": _changed(self._places, now.places)}
        self._places = now.places
        if before is None or (before.rows, before.cols, before.kinds) != (now.rows, now.cols, now.kinds):
            cells = "".join(chr(_FIRST_LETTER + kind) for kind in now.cells)
            return changes | {"w": now.cols, "h": now.rows, "kinds": now.kinds, "k": cells}
        if before.cells == now.cells:
            return changes
        pairs = enumerate(zip(before.cells, now.cells, strict=True))
        return changes | {"d": [x for i, (a, b) in pairs if a != b for x in (i, b)]}


def _changed(before: Sequence[Entry], now: Sequence[Entry]) -> Sequence[Entry] | dict[str, list[tuple[int, Entry]]]:
    """Return the whole list, or `{"d": [[index, entry], ...]}` for one as long as that before."""
    if len(before) != len(now):
        return now
    return {"d": [(i, b) for i, (a, b) in enumerate(zip(before, now, strict=True)) if a != b]}


_FIRST_LETTER = ord("A")  # a whole memory goes as one string, a letter a cell


def overlay(
    thoughts: Thoughts | None, milliseconds: float | None = None, memory: Callable[[], Memory] | None = None
) -> Answer:
    """What an agent told about its decision, in the browser's words; what it remembers is asked only here."""
    if thoughts is None:
        return {} if milliseconds is None else {"ms": round(milliseconds, 3)}
    told: Answer = {
        "path": list(thoughts.path),
        "heat": list(thoughts.heat),
        "values": [list(value) for value in thoughts.values],
        "line": list(thoughts.line),
        "nodes": thoughts.nodes,
        "score": thoughts.score,
        "text": thoughts.text,
        "figures": {**thoughts.figures, **thoughts.timings},
        "bids": thoughts.bids,
        "memory": None if memory is None else memory(),
        "ms": None if milliseconds is None else round(milliseconds, 3),
    }
    return {name: value for name, value in told.items() if value not in (None, (), [], {}, "", 0)}


def events(happened: Sequence[Event]) -> list[list[object]]:
    """Events as short lists: kind, cell, to, who."""
    return [[event.kind, event.cell, event.to, event.who] for event in happened]
