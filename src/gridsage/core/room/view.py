"""The part of a room that screens read: pictures, keys, and what a person may point at."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from gridsage.core import picture
from gridsage.core.frame import Frame
from gridsage.core.game import Observation

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Showcase:
    """The moments a gallery shows of a room, played by its default agent."""

    level: str = ""  # of the shipped ones; none: the one of the seed, or the first
    seed: int = 1
    skip: int = 0  # steps before the first picture
    steps: int = 40  # pictures
    nodes: int = 2_000  # for a decision


@dataclass(frozen=True, slots=True)
class RealTime:
    """How a game that goes on by itself is played against the clock; its frames say how long they last."""

    idle: str  # the label of what happens while no key is down
    speeds: tuple[float, ...] = ()  # steps per second to choose from, the usual one in the middle; none: frames decide
    latch: bool = False  # a direction counts until another key is pressed, unless people want it otherwise
    fire: Mapping[str, str] = field(default_factory=dict)  # label -> what it becomes while the fire key is down
    buttons: tuple[str, ...] = ()  # labels of a gamepad's first buttons


@dataclass(frozen=True, slots=True)
class Gliding:
    """Sprites of cells whose content moves by a cell: what each one is, however it looks, and what is behind them."""

    kinds: Mapping[str, str]
    ground: str


class View(ABC, Generic[S]):
    """How states of a room look and how people say what they want to do."""

    glyphs: Mapping[str, tuple[str, str]]  # sprite -> (character, rich style), for the terminal
    keys: Mapping[str, str] = {}  # key or word a person types -> action label
    meanings: Mapping[str, str] = {}  # action label -> what it does, in a sentence
    showcase: Showcase = Showcase()
    real_time: RealTime | None = None  # games that go on by themselves
    takes: Sequence[str] = ()  # kinds of events that are good news, and sound like it
    contest: str = ""  # the status that tells how far one got, where a day has a game for everybody instead of a puzzle
    followed: str = ""  # the entity that a camera follows where a frame names no cell
    gliding: Gliding | None = None  # cells whose content is seen on its way to a neighbour
    moves: Callable[[S, str], Sequence[int]] | None = None  # (state, text) -> actions, where one word means several
    point: Callable[[S, int], int] | None = None  # (state, action) -> the cell one points at to choose it, or -1
    area: Callable[[S, int], Sequence[int]] | None = None  # (state, action) -> cells it is about, if more than one
    position: Callable[[S], str] | None = None  # a state as a level text, empty for one that cannot be written

    @abstractmethod
    def frame(self, state: S) -> Frame:
        """Return the picture of a state."""

    def seen_frame(self, observation: Observation) -> Frame:
        """Return the picture of what an observation shows; in open games an observation is the state."""
        return self.frame(observation)

    def board(self, observation: Observation) -> str:
        """Return what an observation shows as text, one character per cell, with the status below."""
        return picture.board(self.seen_frame(observation), self.glyphs)

    def words(self, observation: Observation) -> str:
        """Return what an observation shows in words: every piece with its squares, enough to play without seeing."""
        return picture.words(self.seen_frame(observation), self.called)

    def called(self, sprite: str) -> str:
        """Return what people call a sprite."""
        return sprite.replace("_", " ").replace("-", " ")
