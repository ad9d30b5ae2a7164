"""What a room offers to the arena and the screens. Each `games/<room>/__init__.py` defines one `ROOM`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from gridsage.core.errors import OptionError, unknown
from gridsage.core.frame import Frame
from gridsage.core.game import Agent, Game, Tally
from gridsage.core.sheet import Sheet


@dataclass(frozen=True, slots=True)
class NamedLevel:
    """A level in the room's own text form, with the name people call it by."""

    name: str
    text: str
    warnings: tuple[str, ...] = ()  # what a tolerant reader had to repair, with line numbers


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """An agent people can choose: what makes it, and one sentence about it."""

    make: Callable[..., Agent]
    summary: str


@dataclass(frozen=True, slots=True)
class LevelReport:
    """What `levels check` says of a level: can it be won, and a plan that proves it."""

    verdict: str  # "won", "impossible" or "not found within budget"
    text: str  # one sentence
    plan: tuple[int, ...] = ()  # winning actions, when the verdict is "won"
    seed: int = 0
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Features:
    """What a learning program sees of a solo room, as numbers; adapters make observation spaces of it."""

    actions: int  # actions are 0 to actions - 1
    limits: Mapping[str, tuple[int, int]]  # name of an array -> its least and greatest value
    encode: Callable[[Any], Mapping[str, Any]]  # observation -> integer arrays; their shapes depend on the level only
    score: Callable[[Any], float]  # state -> what was earned so far; a reward is the difference of two


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


@dataclass(frozen=True, slots=True)
class Showcase:
    """The moments a gallery shows of a room, played by its default agent."""

    level: str = ""  # of the shipped ones; none: the one of the seed, or the first
    seed: int = 1
    skip: int = 0  # steps before the first picture
    steps: int = 40  # pictures
    nodes: int = 2_000  # for a decision


@dataclass(frozen=True)
class Room:
    """One game with everything around it. Optional parts are None where the room does not have them."""

    name: str
    title: str
    summary: str
    game: Callable[[], Game[Any, Any, Any]]
    options: type[msgspec.Struct]
    agents: Callable[[], Mapping[str, AgentEntry]]  # weakest first
    default_agent: str
    frame: Callable[[Any], Frame]
    glyphs: Mapping[str, tuple[str, str]]  # sprite -> (character, rich style), for the terminal
    keys: Mapping[str, str]  # key or word a person types -> action label
    level_names: Callable[[], Sequence[str]]  # shipped levels, easiest first
    level: Callable[[str], str]  # text of a shipped level
    seats: int = 1
    seats_option: str | None = None  # the option that says how many sit down, where people may choose
    read: Callable[[Path], list[NamedLevel]] | None = None  # any file format the room knows -> its text form
    write: Mapping[str, Callable[[str], str]] = field(default_factory=dict)  # format name -> text form -> that format
    level_of_seed: Callable[[int], NamedLevel] | None = None  # rooms where a seed makes the level
    generate: Callable[..., NamedLevel] | None = None  # keyword settings, `seed` among them
    check: Callable[..., LevelReport] | None = None  # (text, options, seconds)
    hints: Callable[[Any], Sequence[str]] | None = None  # sentences for a state, each telling a little more
    solutions: Callable[[Any, float], Solutions] | None = None  # (state, seconds): all best ways to finish from there
    moves: Callable[[Any, str], Sequence[int]] | None = None  # (state, text) -> actions, where one word means several
    position: Callable[[Any], str] | None = None  # a state as a level text, empty for one that cannot be written
    meanings: Mapping[str, str] = field(default_factory=dict)  # action label -> what it does, in a sentence
    solve_positions: Callable[..., Iterator[dict[str, Any]]] | None = None  # (lines, threads=, must_ricochet=, ...)
    warm_up: Callable[[], Sequence[tuple[str, Callable[[], object]]]] | None = None
    tally: Callable[[Any], Tally[Any]] | None = None  # made from the Game that is being played
    point: Callable[[Any, int], int] | None = None  # (state, action) -> the cell one points at to choose it, or -1
    area: Callable[[Any, int], Sequence[int]] | None = None  # (state, action) -> cells it is about, if more than one
    sheet: Sheet | None = None  # how levels are painted; None: they are written only
    doubts: Callable[[str], Sequence[str]] | None = None  # why a level that can be read can never be won
    showcase: Showcase = Showcase()
    features: Callable[[], Features] | None = None  # numbers for learning programs
    missing: Callable[[], str | None] = lambda: None  # the sentence that says what this machine lacks
    max_steps: int = 10_000  # no episode is longer
    match_options: Mapping[str, Any] = field(default_factory=dict)  # what `match` adds so that paired games differ
    variant_of: str | None = None  # the room in whose folder this one lives; galleries show it there

    @property
    def folder(self) -> str:
        """The name of the folder under games/ that holds this room; its kernels' cache goes by it."""
        return self.variant_of or self.name

    def seats_with(self, options: Any) -> int:
        """The number of seats under these options."""
        return self.seats if self.seats_option is None else int(getattr(options, self.seats_option))


def parse_options(kind: type[msgspec.Struct], pairs: Mapping[str, Any], what: str) -> Any:
    """The options struct from `key=value` pairs; a bad key or value is named with what is possible."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for key, value in pairs.items():
        if key not in fields:
            raise OptionError(str(unknown(f"option of {what}", key, fields)))
        try:
            values[key] = msgspec.convert(value, fields[key].type, strict=False)
        except msgspec.ValidationError as error:
            raise OptionError(f"option {key}={value!r} of {what}: {error}") from None
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:  # the struct's own check of how its options fit together
        raise OptionError(f"options of {what}: {error}") from None


def parse_wishes(generate: Callable[..., NamedLevel], pairs: Mapping[str, Any], what: str) -> dict[str, Any]:
    """What a generator is asked for, as its signature types it; a bad name or value is told with what is possible."""
    parameters = inspect.signature(generate, eval_str=True).parameters
    wishes: dict[str, Any] = {}
    for key, value in pairs.items():
        if key not in parameters:
            raise OptionError(str(unknown(f"wish of the {what} generator", key, parameters)))
        try:
            wishes[key] = msgspec.convert(value, parameters[key].annotation, strict=False)
        except msgspec.ValidationError as error:
            raise OptionError(f"{key} {value!r}: {error}") from None
    return wishes


def make_agent(entry: AgentEntry, settings: Mapping[str, str], what: str) -> Agent:
    """A new agent with its settings turned from text into the types its signature names."""
    parameters = inspect.signature(entry.make, eval_str=True).parameters
    values: dict[str, Any] = {}
    for key, text in settings.items():
        if key not in parameters:
            raise OptionError(str(unknown(f"setting of agent {what}", key, parameters)))
        parameter = parameters[key]
        guess = str if parameter.default is parameter.empty else type(parameter.default)
        kind = guess if parameter.annotation is parameter.empty else parameter.annotation
        try:
            values[key] = msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError as error:
            raise OptionError(f"setting {key}={text!r} of agent {what}: {error}") from None
    needed = [
        p.name for p in parameters.values() if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    if missing := [name for name in needed if name not in values]:
        raise OptionError(f"agent {what} needs the setting {missing[0]}: {what}:{missing[0]}=...")
    try:
        made = entry.make(**values)
    except ValueError as error:
        raise OptionError(f"agent {what}: {error}") from None
    if not callable(getattr(made, "decide", None)):
        raise OptionError(f"{what} is no agent: it has no method decide(observation, budget)")
    return made


def shipped(folder: Path, suffix: str = ".txt") -> Iterator[tuple[str, Path]]:
    """Names and paths of the levels in a room's `levels` folder, in order of their names."""
    for path in sorted(folder.glob(f"*{suffix}")):
        yield path.stem, path
