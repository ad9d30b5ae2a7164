"""The part of a room that the command line and the editor read: shipped levels, files, generator and checker."""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from gridsage.core.complaints import in_words
from gridsage.core.errors import OptionError, shown, unknown
from gridsage.core.game import Own
from gridsage.core.sheet import Sheet
from gridsage.core.trace import Trace


@dataclass(frozen=True, slots=True)
class NamedLevel:
    """A level in the room's own text form, with the name people call it by."""

    name: str
    text: str
    warnings: tuple[str, ...] = ()  # what a tolerant reader had to repair, with line numbers


@dataclass(frozen=True, slots=True)
class LevelReport:
    """What `levels check` says of a level: can it be won, and a plan that proves it."""

    verdict: str  # "won", "impossible" or "not found within budget"
    text: str  # one sentence
    plan: tuple[int, ...] = ()  # winning actions, when the verdict is "won"
    seed: int = 0
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Book:
    """Further levels of a room that belong together, easiest first."""

    name: str  # as it is typed
    title: str
    levels: tuple[str, ...]  # their names


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game in a file of a form that only its room knows, played again under our rules."""

    trace: Trace
    where: str  # its place in the file, in words
    compared: tuple[str, ...]  # what the file says about the game and was compared with what came of its moves
    difference: str = ""  # the first of these that is not so, in words


class Levels(ABC):
    """The levels of a room and what can be done with the text of one."""

    of_seed: Callable[[int], NamedLevel] | None = None  # rooms where a seed makes the level
    read: Callable[[Path], list[NamedLevel]] | None = None  # any file format the room knows -> its text form
    belongs: Callable[[Path], str | None] | None = None  # the variant under whose own rules a file is played by default
    write: Mapping[str, Callable[[str], str]] = {}  # format name -> text form -> that format
    generate: Callable[..., NamedLevel] | None = None  # keyword settings with types and defaults, `seed` among them
    puzzle: Callable[[int], NamedLevel] | None = None  # what puzzles are made of; None: the levels of seeds
    check: Callable[[str, Own, float], LevelReport] | None = None  # (text, options, seconds): can it be won
    doubts: Callable[[str], Sequence[str]] | None = None  # why a level that can be read can never be won
    aliases: Mapping[str, str] = {}  # an older name of a level, still met in specs and links -> its name now
    suffix: str = ".txt"  # of files in the room's own text form
    replay_suffix: str = ""  # of files that hold recorded games in a form of their own
    replays: Callable[[Path], Sequence[RecordedGame]] | None = None  # the games in such a file
    sheet: Sheet | None = None  # how levels are painted; None: they are written only

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Return the names of the shipped levels, easiest first."""

    @abstractmethod
    def text(self, name: str) -> str:
        """Return the text of a shipped level, those of books included."""

    def books(self) -> Sequence[Book]:
        """Return levels that are shipped beside those of `names`, in the order in which they should be played."""
        return ()

    def size(self, text: str) -> tuple[int, int] | None:
        """Return the columns and rows of a level whose text tells them; None if they are those of the sheet."""
        return None


class ShippedLevels(Levels):
    """Levels that are the files of one folder, in order of their names."""

    folder: Path

    def names(self) -> Sequence[str]:
        """Return the names of the files without their suffix."""
        return [name for name, _ in shipped(self.folder, self.suffix)]

    def text(self, name: str) -> str:
        """Return the text of the file of that name; an unknown name lists the nearest known ones."""
        paths = dict(shipped(self.folder, self.suffix))
        name = self.aliases.get(name, name)
        if name not in paths:
            raise unknown(f"level of {self.folder.parent.name}", name, paths)
        return paths[name].read_text(encoding="utf-8")


def shipped(folder: Path, suffix: str = ".txt") -> Iterator[tuple[str, Path]]:
    """Names and paths of the levels in a room's `levels` folder, in order of their names."""
    for path in sorted(folder.glob(f"*{suffix}")):
        yield path.stem, path


def generator_settings(
    generate: Callable[..., NamedLevel], pairs: Mapping[str, object], what: str
) -> dict[str, object]:
    """Return the settings of a generator as its signature types them; an error names what is possible."""
    parameters = inspect.signature(generate, eval_str=True).parameters
    settings: dict[str, object] = {}
    for key, value in pairs.items():
        if key not in parameters:
            raise OptionError(str(unknown(f"setting of the {what} generator", key, parameters)))
        try:
            settings[key] = msgspec.convert(value, parameters[key].annotation, strict=False)
        except msgspec.ValidationError as error:
            raise OptionError(f"{key} {shown(str(value))}: {in_words(error)}") from None
        if isinstance(number := settings[key], float) and not math.isfinite(number):
            raise OptionError(f"{key} {shown(str(value))}: expected a finite number")
    return settings
