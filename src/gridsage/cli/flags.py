"""Flags that several verbs share, and what they mean."""

from __future__ import annotations

import functools
import glob
import inspect
import itertools
import os
import re
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer

from gridsage.arena.conditions import Conditions
from gridsage.cli import output
from gridsage.core.errors import LevelError, OptionError, shown, unknown
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import AgentSpec, Episode, Trace
from gridsage.games import catalog
from gridsage.games.levels import (
    is_shipped,
    no_level,
    part_of_file,
    place_of,
    shipped_level,
    shipped_levels,
    typed_level,
)
from gridsage.games.levels import read_levels as read_file

DEFAULT_SECONDS = 0.1
MAX_SEED = 2**63 - 1
MAX_SECONDS = 1e6  # of one decision: eleven days
MAX_JOBS = 1_000
MAX_SEEDS = 1_000_000  # of one bench
MAX_NODES = 2**53  # every language can still count to it

GameName = Annotated[str, typer.Argument(help="The game: `gridsage agents` lists them.", show_default=False)]
LEVEL_HELP = "A shipped level or its number, a file (FILE#2 is its second level), or a position as text."
Level = Annotated[str | None, typer.Option(help=LEVEL_HELP, show_default=False)]
LEVELS_HELP = (
    "Names or numbers of shipped levels or books, separated by commas; a glob of files; FILE#2 for the second level of "
    "a file; or `all`."
)
Levels = Annotated[str | None, typer.Option(help=LEVELS_HELP, show_default=False)]
Seed = Annotated[int, typer.Option(help="Decides every random choice.", min=0, max=MAX_SEED)]
Seeds = Annotated[str, typer.Option(help="N for the seeds 1 to N, or A-B.")]
Nodes = Annotated[
    int | None,
    typer.Option(
        help="Positions an agent may look at per decision; such results repeat exactly.", min=0, max=MAX_NODES
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        help="Seconds per decision, in Push'em All per turn; default: 0.1 if --nodes is not given.",
        min=0.0,
        max=MAX_SECONDS,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the rules; `--key value` works too."),
]
Jobs = Annotated[int, typer.Option(help="Number of worker processes; 0 starts one per core.", min=0, max=MAX_JOBS)]
Executor = Annotated[
    str | None,
    typer.Option(
        help="Who plays: `inline` here, `pool` in processes, `ray` on a Ray cluster of this machine, `ray:HOST:PORT` "
        "on one that runs; chosen by --jobs unless given.",
        metavar="NAME",
        show_default=False,
    ),
]
Agents = Annotated[str | None, typer.Option(help="Agents, separated by commas; default: the room's best agent.")]
Agent = Annotated[
    list[str] | None,
    typer.Option(help="One agent, a command with commas too; may be repeated.", show_default=False),
]
Salt = Annotated[
    str | None,
    typer.Option(
        help="Mix this number into every game's chance, so that no agent can work it out; without one it is drawn.",
        metavar="[NUMBER]",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per line, for programs.")]

EXTRA = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
}  # lets `--must-ricochet` mean `-o must_ricochet=true`


class Shard(NamedTuple):
    """One of several parts of a bench, each played somewhere else and merged afterwards."""

    part: int  # from 1 on
    parts: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """`3/16` -> the third of sixteen."""
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        part, parts = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= part <= parts:
            raise OptionError(f"--shard {shown(text)}: expected a part and how many there are, such as 3/16")
        return cls(part, parts)

    def of(self, episodes: Sequence[Episode]) -> Sequence[Episode]:
        """The episodes of this part; all parts together have every episode once."""
        return episodes[self.part - 1 :: self.parts]

    @property
    def home(self) -> Path:
        """Where this part keeps its games."""
        from gridsage.store import default_home

        return default_home() / "shards" / f"{self.part}-of-{self.parts}"


def known_game(name: str) -> None:
    """Complain about a game that is neither installed nor among the stored ones."""
    from gridsage.store import Store, Wanted

    if name in catalog.names():
        return
    with Store().selected(Wanted(game=name)) as found:
        if not found.lines:
            catalog.room(name)


def main_figures(name: str) -> Sequence[str]:
    """The figures that tables of a game show; none of a game that is not installed here."""
    return catalog.room(name).rules.main_figures if name in catalog.names() else ()


def budget(nodes: int | None, seconds: float | None) -> Budget:
    """Return the budget per decision; a tenth of a second by default."""
    if nodes is None and seconds is None:
        return Budget(seconds=DEFAULT_SECONDS)
    return Budget(nodes, seconds)


def seed_range(text: str) -> range:
    """`20` -> 1..20, `5-9` -> 5..9."""
    first, dash, last = text.partition("-")
    try:
        low, high = (int(first), int(last)) if dash else (1, int(first))
    except ValueError:
        raise OptionError(f"--seeds {text!r}: expected a number like 20 or a range like 5-9") from None
    if low < 0 or high < low:
        raise OptionError(f"--seeds {text!r} is empty: expected a number of at least 1 or a range like 5-9")
    if high > MAX_SEED or high - low >= MAX_SEEDS:
        raise OptionError(f"--seeds {text!r}: at most {MAX_SEEDS:,} seeds, none above {MAX_SEED}")
    return range(low, high + 1)


def rule_options(room: Room, pairs: list[str] | None, context: typer.Context) -> dict[str, object]:
    """Return the options given as `-o key=value` and as `--key value`, checked against the room."""
    given, loose = _paired(pairs), _loose(context.args, room)
    if loose.rest:
        if context.params.get("salt") == DRAWN:
            salt(loose.rest[0])  # `--salt x` leaves x behind
        raise OptionError(f"unexpected argument {loose.rest[0]!r}")
    return _checked(room, _together(given, loose.options))


def rule_options_and_level(
    room: Room, pairs: list[str] | None, context: typer.Context, level: str | None
) -> tuple[dict[str, object], str | None]:
    """Do as `rule_options` does, for verbs whose level is an argument: `--must-ricochet` before it is no level."""
    words = [level, *context.args] if level is not None else context.args
    loose = _loose(words, room)
    if len(loose.rest) > 1:
        raise OptionError(f"unexpected argument {loose.rest[1]!r}")
    return _checked(room, _together(_paired(pairs), loose.options)), loose.rest[0] if loose.rest else None


def _together(given: dict[str, object], more: dict[str, object]) -> dict[str, object]:
    for key, value in more.items():
        _give(given, key, value)
    return given


def _checked(room: Room, given: dict[str, object]) -> dict[str, object]:
    catalog.options(room, given)
    return given


def _paired(pairs: list[str] | None) -> dict[str, object]:
    given: dict[str, object] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"--option {pair!r}: expected key=value")
        _give(given, key.strip().replace("-", "_"), value.strip())
    return given


def _give(options: dict[str, object], key: str, value: object) -> None:
    """Note an option; of one that is given twice nobody could say which is meant."""
    if key in options:
        raise OptionError(f"the option {key} is given twice, as {options[key]} and as {value}: expected once")
    options[key] = value


class _Loose(NamedTuple):
    options: dict[str, object]
    rest: list[str]  # words that belong to no option


def _loose(words: list[str], room: Room) -> _Loose:
    """`--must-ricochet --max-moves 9 board.txt` -> two options and one word; only a yes-or-no option needs no value."""
    kinds = get_type_hints(room.rules.options)  # without what is noted beside them
    found = _Loose({}, [])
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if not word.startswith("--"):
            found.rest.append(word)
            continue
        key, equals, value = word[2:].partition("=")
        key = key.replace("-", "_")
        if key not in kinds:
            raise OptionError(str(unknown(f"flag or {room.name} option", f"--{key}", [f"--{name}" for name in kinds])))
        if not equals:
            needs_value = kinds[key] is not bool or waiting[:1] in (["true"], ["false"])
            if needs_value and not waiting:
                raise OptionError(f"--{key} needs a value")
            value = waiting.pop(0) if needs_value else "true"
        _give(found.options, key, value)
    return found


def agents(text: str | None, room: Room, single: list[str] | None = None) -> list[AgentSpec]:
    """Return the specs of `a,b` and of those named one by one, each checked; nothing given means the room's default."""
    named = [*(text.split(",") if text is not None else []), *(single or [])]
    specs = [catalog.parse_agent(part) for part in named or [room.players.default]]
    for spec in specs:
        catalog.check_agent(room, spec)
    return specs


DRAWN = "new"  # what `--salt` without a number becomes


def with_salt_value(words: list[str]) -> list[str]:
    """Return the words of a command line with a value after a `--salt` that has none."""
    found: list[str] = []
    for word, following in itertools.zip_longest(words, words[1:], fillvalue=""):
        found.append(word)
        if word == "--salt" and not following.isdecimal():
            found.append(DRAWN)
    return found


def salt(text: str | None) -> int | None:
    """Return the salt of a run; a drawn one is printed, since only with it the run can be repeated."""
    if text is None:
        return None
    if text == DRAWN:
        drawn = secrets.randbits(64)
        typer.echo(f"salt {drawn}: give --salt {drawn} to go on with this run or to repeat it", err=True)
        return drawn
    if not text.isdecimal() or int(text) >= 2**64:
        raise OptionError(f"--salt {text!r}: expected a number below 2 to the 64th, or nothing")
    return int(text)


# Walls, limits and the clock: the same flags for every verb that lets agents play

PANEL = "Walls and clock"
MIB = 1 << 20


def _flag(help_: str, *names: str, **more: Any) -> Any:  # Any: as typer's own
    return typer.Option(*names, help=help_, rich_help_panel=PANEL, **more)


CONDITIONS: dict[str, tuple[Any, Any]] = {  # parameter -> its type with help, its default; Any: as typer's own
    "walls": (
        Annotated[str, _flag("auto: as many as stand here; strict: refuse if one is missing; none: for debugging.")],
        "auto",
    ),
    "trust": (
        Annotated[bool, _flag("Let a class in a file of your own play in the worker, for speed.", "--trust")],
        False,
    ),
    "memory": (Annotated[int, _flag("MiB of address space for each process of an agent.", min=16)], 1024),
    "processes": (Annotated[int, _flag("Processes and threads an agent may have.", min=1)], 64),
    "file_size": (Annotated[int, _flag("MiB of the largest file an agent may write.", min=0)], 16),
    "begin_seconds": (Annotated[float, _flag("Seconds until an agent must be ready.", min=0.1)], 10.0),
    "longest_begin": (Annotated[float, _flag("Seconds for an agent that asks for more to begin.", min=0.1)], 60.0),
    "decision_seconds": (Annotated[float, _flag("Seconds for a decision when only --nodes is given.", min=0.1)], 30.0),
    "bank": (
        Annotated[float | None, _flag("Seconds a game that overruns may eat; ten budgets unless given.", min=0.0)],
        None,
    ),
}


def under_conditions(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the flags about walls and clock; it is called with `conditions`."""
    own = inspect.signature(verb, eval_str=True)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in CONDITIONS.items()
    ]

    @functools.wraps(verb)
    def run(*args: Any, **kwargs: Any) -> None:
        given = {name: kwargs.pop(name) for name in CONDITIONS}
        verb(*args, conditions=_conditions(given), **kwargs)

    parameters = [each for each in own.parameters.values() if each.name != "conditions"]
    run.__signature__ = own.replace(parameters=[*parameters, *added])  # type: ignore[attr-defined]
    return run


def _conditions(given: dict[str, Any]) -> Conditions:
    if given["walls"] not in ("auto", "strict", "none"):
        raise OptionError(str(unknown("kind of walls", given["walls"], ["auto", "strict", "none"])))
    return Conditions(
        walls=given["walls"],
        trust=given["trust"],
        memory=given["memory"] * MIB,
        processes=given["processes"],
        file_size=given["file_size"] * MIB,
        begin=given["begin_seconds"],
        longest_begin=max(given["longest_begin"], given["begin_seconds"]),
        decision=given["decision_seconds"],
        bank=given["bank"],
    )


def room_for(game: str, *words: str | None) -> Room:
    """Return the room asked for, or the variant under whose own rules the files among `words` are played by default."""
    room = output.known(game)
    given = [word for word in words if word]
    paths = [Path(path) for word in given for path in glob.glob(word, recursive=True) if Path(path).is_file()]
    paths += [named[0] for word in given if (named := part_of_file(word)) is not None]
    if room.levels.belongs is None or not paths:
        return room
    homes = {room.levels.belongs(path) for path in paths}
    home = homes.pop()
    if homes or home is None:
        return room
    typer.echo(
        f"{paths[0]} is made for {home} and is played there, under its own rules. "
        f"To play it under those of {game}, convert it first: `gridsage levels convert {game} {paths[0]} level.xml`.",
        err=True,
    )
    return output.known(home)


def levels(room: Room, text: str | None) -> list[NamedLevel] | None:
    """Return the levels that were named; None if the seeds make them."""
    if text is None and room.levels.of_seed is not None:
        return None
    if text in (None, "all"):
        if not room.levels.names():
            raise LevelError(f"{room.name} ships no level: name a file")
        return [shipped_level(room, name) for name in room.levels.names()]
    assert text is not None
    if not text.strip(", "):
        raise LevelError(f"{text!r} names no level: leave --levels out for all of them, or name some")
    parts = text.split(",")
    named = [shipped_levels(room, part) for part in parts]
    if None not in named:
        return [level for found in named for level in found or ()]
    if (part := part_of_file(text)) is not None:
        return [_part(room, *part)]
    paths = sorted(path for path in glob.glob(text, recursive=True) if Path(path).is_file())
    if paths:
        return [level for path in paths for level in read_levels(room, Path(path))]
    if any(named):
        raise no_level(room, parts[named.index(None)])
    if Path(text).is_dir():
        raise LevelError(f"{text!r} is a folder: expected a file, or a glob such as '{text}/*'")
    return [typed_level(room, text)]


def one_level(room: Room, text: str | None, seed: int) -> NamedLevel:
    """Return the level that was named, else the one that the seed makes, else the first shipped one."""
    if text is None and room.levels.of_seed is not None:
        return room.levels.of_seed(seed)
    found = levels(room, text)
    assert found is not None
    if not found:
        raise LevelError(f"{room.name} ships no level: name a file with --level")
    if text is not None and len(found) > 1:
        hint = f"; {text}#2 names the second" if Path(text).is_file() else ""
        typer.echo(f"{text}: level 1 of {len(found)} is taken, {found[0].name}{hint}", err=True)
    return found[0]


def source_levels(room: Room, text: str) -> list[NamedLevel]:
    """Return the levels that the argument of a verb for files means: a shipped one, a file, or one level of a file."""
    if is_shipped(room, text) and not Path(text).exists():
        return [shipped_level(room, text)]
    if (part := part_of_file(text)) is not None:
        return [_part(room, *part)]
    return read_levels(room, Path(text)) if Path(text).exists() else [typed_level(room, text)]


def _part(room: Room, path: Path, part: str) -> NamedLevel:
    """Return one level of a file and say which it is."""
    found = read_file(room, path)
    place = place_of(part, found, path)
    typer.echo(f"{path}: level {place + 1} of {len(found)} is taken, {found[place].name}", err=True)
    _warn(path, found[place])
    return found[place]


def read_levels(room: Room, path: Path) -> list[NamedLevel]:
    """Return every level in a file and print what a tolerant reader had to repair."""
    found = read_file(room, path)
    for level in found:
        _warn(path, level)
    return found


def _warn(path: Path, level: NamedLevel) -> None:
    for warning in level.warnings:
        typer.echo(f"warning: {path}: {warning}", err=True)


def folder_to_write(flag: str, path: Path | None) -> None:
    """Complain before the work if nothing could be written into that folder, which need not be there yet."""
    if path is None:
        return
    nearest = next((folder for folder in (path, *path.absolute().parents) if folder.exists()), path)
    if not nearest.is_dir():
        raise OptionError(f"{flag} {path}: {nearest} is a file, expected a folder")
    if not os.access(nearest, os.W_OK):
        raise OptionError(f"{flag} {path}: nothing can be written in {nearest}")


def like_trace(trace: Trace, room: Room) -> tuple[NamedLevel, int, dict[str, object]]:
    """Return level, seed and options of a recorded game, so that another agent can play the same one."""
    if trace.game != room.name:
        raise OptionError(f"that trace is a game of {trace.game}, not of {room.name}")
    return NamedLevel(trace.level_name, trace.level), trace.seed, trace.options
