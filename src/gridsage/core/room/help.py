"""The part of a room that helps a person who is playing: hints and best solutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from gridsage.core.frame import Frame

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Line:
    """Moves with their pictures, to be looked at one by one; the first picture is the one before all moves."""

    labels: tuple[str, ...]
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Solutions:
    """The best ways to finish from somewhere, all of equal length."""

    lines: tuple[Line, ...]
    complete: bool  # whether there are no others
    text: str  # one sentence


class Help(Generic[S]):
    """Advice about a state; a room without any uses this class as it is."""

    hints: Callable[[S], Sequence[str]] | None = None  # sentences for a state, each telling a little more
    solutions: Callable[[S, float], Solutions] | None = None  # (state, seconds): all best ways to finish from there
