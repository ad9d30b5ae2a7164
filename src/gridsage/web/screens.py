"""What a tab is shown of a game: frames as it goes on, what stands around them, and pictures for the gallery."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from gridsage.core import trace
from gridsage.core.frame import Frame
from gridsage.core.game import Decision, Outcome
from gridsage.core.room import Room
from gridsage.web import feed

if TYPE_CHECKING:
    from gridsage.web.worker import Session

MARGIN_ROWS, MARGIN_COLS = 2, 5  # left around where something happens in the gallery's picture of a large map
TEXT, BLANK = "text:", "text: "  # how sprites that are characters begin, and those of unknown cells


class Screen:
    """Watches a match and sends what happens to the tab."""

    def __init__(self, session: Session, room: Room, episode: trace.Episode) -> None:
        self.session, self.room, self.episode = session, room, episode
        self.feeder = feed.Feed()
        self.game = room.rules.game()
        self.seat: int | None = None  # who moves next, in games for several
        self.shown = -1
        self.clock = time.perf_counter()

    def first(self, state: Any) -> None:
        if self.shown < 0:
            frame = self.room.view.frame(state)
            self.session.send(self.feeder.hello(self.room.name, frame, **about(self.room, self.episode)))
            self.session.send(self.feeder.frame(0, frame))
            self.shown = 0

    def __call__(self, t: int, state: Any, decision: Decision | None, happened: Sequence[Any]) -> bool:
        spent = (time.perf_counter() - self.clock) * 1000
        if decision is None:
            self.first(state)
        else:
            wanted = self.session.thoughts_wanted
            thoughts = feed.overlay(decision.thoughts, spent, decision.memory) if wanted else {}
            self.session.send(
                self.feeder.frame(
                    t,
                    self.room.view.frame(state),
                    a=self.game.label(decision.action),
                    by=self.seat,
                    o=thoughts,
                    ev=feed.events(happened),
                )
            )
        self.seat = self.game.seat(state) if len(self.episode.agents) > 1 else None
        going_on = self.session.wait_for_room(t)
        self.clock = time.perf_counter()
        return going_on


class Preview(Screen):
    """Keeps the pictures of a showcase instead of sending them."""

    def __init__(self, session: Session, room: Room, episode: trace.Episode) -> None:
        super().__init__(session, room, episode)
        self.pictures: list[Frame] = []

    def __call__(self, t: int, state: Any, decision: Decision | None, happened: Sequence[Any]) -> bool:
        shown = self.room.view.showcase
        if t >= shown.skip or not self.pictures:
            self.pictures = (
                [*self.pictures, self.room.view.frame(state)] if t > shown.skip else [self.room.view.frame(state)]
            )
        return t < shown.skip + shown.steps and not self.session.stopped.is_set()


def lively_part(frames: Sequence[Frame]) -> tuple[int, int, int, int] | None:
    """First and last row and column of where something happens in a map of characters; None for other pictures."""
    rows, cols = frames[0].rows, frames[0].cols
    if any(not frame.cells[0].startswith(TEXT) or (frame.rows, frame.cols) != (rows, cols) for frame in frames):
        return None
    seen = _changed(frames) or [cell for cell, sprite in enumerate(frames[0].cells) if not sprite.startswith(BLANK)]
    if not seen:
        return None
    down, across = [cell // cols for cell in seen], [cell % cols for cell in seen]
    return (
        max(0, min(down) - MARGIN_ROWS),
        min(rows - 1, max(down) + MARGIN_ROWS),
        max(0, min(across) - MARGIN_COLS),
        min(cols - 1, max(across) + MARGIN_COLS),
    )


def _changed(frames: Sequence[Frame]) -> list[int]:
    return [
        cell
        for before, after in itertools.pairwise(frames)
        for cell, (old, new) in enumerate(zip(before.cells, after.cells, strict=True))
        if old != new
    ]


def cropped(frame: Frame, top: int, bottom: int, left: int, right: int) -> Frame:
    """The part of a picture without moving things that lies between these rows and columns, without its lines."""
    rows, cols = range(top, bottom + 1), range(left, right + 1)
    lines = (frame.cells[row * frame.cols + left : row * frame.cols + right + 1] for row in rows)
    row, col = divmod(frame.focus, frame.cols)
    return msgspec.structs.replace(
        frame,
        rows=len(rows),
        cols=len(cols),
        cells=tuple(sprite for line in lines for sprite in line),
        focus=(row - top) * len(cols) + col - left if row in rows and col in cols else -1,
        above=(),
        below=(),
        question=None,
    )


def about(room: Room, game: trace.Episode | trace.Trace) -> dict[str, Any]:
    """What a hello tells besides the board."""
    return {
        "title": room.title,
        "level": game.level_name,
        "seed": game.seed,
        "players": [str(agent) for agent in game.agents],
        "options": game.options,
        "keys": dict(room.view.keys),
        "glyphs": glyphs(room),
        "budgets": msgspec.to_builtins(game.budgets),
    }


def glyphs(room: Room) -> dict[str, tuple[str, str]]:
    """Characters for sprites that have no tile; one that is a character already needs none."""
    return {sprite: glyph for sprite, glyph in room.view.glyphs.items() if not sprite.startswith("text:")}


def ending(
    outcome: Outcome, figures: dict[str, Any], seconds: float | None, decisions: dict[str, float]
) -> dict[str, Any]:
    """The message after the last frame."""
    return {
        "m": "end",
        "reason": outcome.reason,
        "scores": list(outcome.scores),
        "winner": outcome.winner,
        "figures": figures,
        "seconds": seconds,
        "decisions": decisions,
    }


def error(text: str) -> dict[str, Any]:
    """A sentence for the person before the screen."""
    return {"m": "error", "text": text}
