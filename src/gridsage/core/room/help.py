"""The part of a room that helps people: a guide for newcomers, hints and best solutions for those who play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from gridsage.core.frame import Frame
from gridsage.core.guide import Guide, Translation, read, read_translation, translated

S = TypeVar("S")
FIRST_LANGUAGE = "en"  # in which rooms are written


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

    def guide(self, language: str = FIRST_LANGUAGE) -> Guide | None:
        """Return what a newcomer is told about the game, or None where nobody has written it down.

        Args:
            language: `fr` takes the words of `fr.toml` beside the guide, if there are any.
        """
        if self._guide_file is None:
            return None
        return translated(read(self._guide_file), self._translation(language))

    def described(self, language: str) -> Mapping[str, str]:
        """Return English phrases in which the room describes itself, and what they mean in another language."""
        return self._translation(language).described

    def said(self, language: str) -> Mapping[str, str]:
        """Return English phrases that are said while the game is played, and what they mean in another language."""
        return self._translation(language).said

    def _translation(self, language: str) -> Translation:
        if self._guide_file is None or language == FIRST_LANGUAGE:
            return Translation()
        return read_translation(self._guide_file.with_name(f"{language}.toml"))
