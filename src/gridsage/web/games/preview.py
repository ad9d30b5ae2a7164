"""Moments of a room, for the gallery."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from gridsage.core import trace
from gridsage.core.frame import Frame
from gridsage.core.game import Decision, Event, Own
from gridsage.core.room import Room
from gridsage.web import feed, levels, messages
from gridsage.web.games.screen import TEXT, Screen, first_state, looks
from gridsage.web.games.session import Session, playable
from gridsage.web.games.watch import played

MARGIN_ROWS, MARGIN_COLS = 2, 5  # left around where something happens in the gallery's picture of a large map
BLANK = "text: "  # how the names of sprites of unknown cells begin


def preview(session: Session, message: messages.Preview) -> None:
    """Send the room's showcase as one answer; a still one is its first position, which needs no kernels."""
    room = playable(message.game) if message.still else session.ready_room(message.game)
    shown = room.view.showcase
    setting = messages.Watch(message.game, level=shown.level, seed=shown.seed, nodes=shown.nodes)
    episode = levels.episode(room, setting, session.home)
    frames = [room.view.frame(first_state(room, episode))] if message.still else _moments(session, room, episode)
    feeder, lively = feed.Feed(), _lively_part(frames)
    cut = frames if lively is None else [_cropped(frame, *lively) for frame in frames]
    hello = feeder.hello(room.name, cut[0], **looks(room))
    told = [feeder.frame(t, frame) for t, frame in enumerate(cut)]
    session.send({"m": "preview", "hello": hello, "frames": told, "still": message.still})


def _moments(session: Session, room: Room, episode: trace.Episode) -> list[Frame]:
    screen = _Showcase(session, room, episode)
    played(episode, screen)
    return screen.pictures


class _Showcase(Screen):
    """Keeps the pictures of a showcase instead of sending them."""

    def __init__(self, session: Session, room: Room, episode: trace.Episode) -> None:
        super().__init__(session, room, episode)
        self.pictures: list[Frame] = []

    def __call__(self, t: int, state: Own, decision: Decision | None, happened: Sequence[Event]) -> bool:
        shown = self.room.view.showcase
        if t >= shown.skip or not self.pictures:
            self.pictures = (
                [*self.pictures, self.room.view.frame(state)] if t > shown.skip else [self.room.view.frame(state)]
            )
        return t < shown.skip + shown.steps and not self.session.stopped.is_set()


def _lively_part(frames: Sequence[Frame]) -> tuple[int, int, int, int] | None:
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


def _cropped(frame: Frame, top: int, bottom: int, left: int, right: int) -> Frame:
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
