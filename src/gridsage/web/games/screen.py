"""What a tab is shown of a game: frames as it goes on, and what stands around them."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Mapping, Sequence

import msgspec

from gridsage.core import trace
from gridsage.core.game import Closing, Decision, Event, Outcome, Own
from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.web import feed
from gridsage.web.games.session import Session
from gridsage.web.messages import Answer

GIVE_WAY_SECONDS = 0.2  # a viewer at four frames per second does not notice
AT_ONCE = 2  # newcomers that begin at a time
SETTLED_FRAMES = 3  # after which a newcomer has enough to show
SETTLING_SECONDS = 0.06  # after which the others no longer wait for it: a hundred slow ones begin within three seconds
TEXT = "text:"  # how the names of sprites that are characters begin


class Newcomers:
    """Tabs of this process that have just come: two at a time get their first frames, the others wait for their turn.

    If all of them began at once, each would see its first frame late and wait long for its second.
    """

    def __init__(self, seconds: float = GIVE_WAY_SECONDS, settling_seconds: float = SETTLING_SECONDS) -> None:
        self._seconds, self._settling_seconds = seconds, settling_seconds
        self._changed = threading.Condition()
        self._waiting: dict[int, threading.Event] = {}  # who came first stands first
        self._settling: dict[int, float] = {}  # until when the others wait for it

    def come(self, number: int) -> None:
        """Wait for one's turn to begin; whoever takes long is not waited for."""
        door = threading.Event()
        with self._changed:
            self._waiting[number] = door
            self._admit()
        while not door.wait(self._settling_seconds):
            with self._changed:
                self._admit()

    def settled(self, number: int) -> None:
        """Let the next one begin: this one has frames to show for a while, or there will be none."""
        if number in self._settling or number in self._waiting:
            with self._changed:
                self._settling.pop(number, None)
                self._waiting.pop(number, None)
                self._admit()

    def give_way(self, number: int) -> None:
        """Wait until all newcomers have begun, but no longer than a frame may be late; they themselves go on."""
        if self._waiting and number not in self._settling:
            with self._changed:
                self._changed.wait_for(lambda: not self._waiting, timeout=self._seconds)

    def _admit(self) -> None:
        now = time.monotonic()
        self._settling = {number: until for number, until in self._settling.items() if until > now}
        while self._waiting and len(self._settling) < AT_ONCE:
            number = next(iter(self._waiting))
            self._settling[number] = now + self._settling_seconds
            self._waiting.pop(number).set()
        if not self._waiting:
            self._changed.notify_all()


NEWCOMERS = Newcomers()


class Screen:
    """Watches a match and sends what happens to the tab."""

    def __init__(self, session: Session, room: Room, episode: trace.Episode) -> None:
        self.session, self.room, self.episode = session, room, episode
        self.feeder = feed.Feed()
        self.game = room.rules.game()
        self.seat: int | None = None  # who moves next, in games for several
        self.shown = -1
        self.clock = time.perf_counter()

    def first(self, state: Own) -> None:
        if self.shown < 0:
            frame = self.room.view.frame(state)
            self.session.send(self.feeder.hello(self.room.name, frame, **about(self.room, self.episode)))
            self.session.send(self.feeder.frame(0, frame))
            self.shown = 0

    def __call__(self, t: int, state: Own, decision: Decision | None, happened: Sequence[Event]) -> bool:
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
        if t >= SETTLED_FRAMES:
            NEWCOMERS.settled(self.session.number)
        NEWCOMERS.give_way(self.session.number)
        going_on = self.session.wait_for_room(t)
        self.clock = time.perf_counter()
        return going_on


def first_state(room: Room, episode: trace.Episode) -> Own:
    """Return the first position of a game that nobody plays yet."""
    game = room.rules.game()
    try:
        return game.start(game.parse(episode.level), catalog.options(room, episode.options), episode.seed)
    finally:
        if isinstance(game, Closing):
            game.close()


def about(room: Room, game: trace.Episode | trace.Trace) -> Answer:
    """What a hello tells besides the board."""
    return {
        "title": room.title,
        "level": game.level_name,
        "seed": game.seed,
        "players": [str(agent) for agent in game.agents],
        "options": game.options,
        "keys": dict(room.view.keys),
        **looks(room),
        "budgets": msgspec.to_builtins(game.budgets),
    }


def looks(room: Room) -> Answer:
    """Return how the sprites of a room are to be drawn."""
    gliding = room.view.gliding
    return {
        "look": room.folder,
        "glyphs": glyphs(room),
        "follows": room.view.followed,
        "takes": list(room.view.takes),
        "glides": None if gliding is None else dataclasses.asdict(gliding),
    }


def glyphs(room: Room) -> dict[str, tuple[str, str]]:
    """Characters for sprites that have no tile; one that is a character already needs none."""
    return {sprite: glyph for sprite, glyph in room.view.glyphs.items() if not sprite.startswith(TEXT)}


def ending(
    outcome: Outcome, figures: Mapping[str, object], seconds: float | None, decisions: dict[str, float]
) -> Answer:
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
