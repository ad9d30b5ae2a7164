"""The part of a room that helps people: a guide for newcomers, hints and best solutions for those who play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from gridsage.core import guide
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
    complete: bool  # there are no others
    text: str  # one sentence


class Help(Generic[S]):
    """A guide, and advice about a state; a room without advice uses this class as it is."""

    hints: Callable[[S], Sequence[str]] | None = None  # sentences for a state, each telling a little more
    solutions: Callable[[S, float], Solutions] | None = None  # (state, seconds): all best ways to finish from there

    def __init__(self, guide_file: Path | None = None) -> None:
        self._guide_file = guide_file  # a TOML file as core/guide.py reads it

    def guide(self) -> guide.Guide | None:
        """Return what a newcomer is told about the game, or None where nobody has written it down."""
        return None if self._guide_file is None else guide.read(self._guide_file)
