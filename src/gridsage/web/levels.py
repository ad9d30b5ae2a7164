"""Which level text and which episode a request of the page means; a person's own levels on disk."""

from __future__ import annotations

import contextlib
import datetime
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from gridsage.core.amounts import counted
from gridsage.core.complaints import in_words
from gridsage.core.errors import GridsageError, LevelError, OptionError, StoreError, shown, unknown
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import AgentSpec, Episode
from gridsage.games import catalog, daily, rated
from gridsage.games.levels import shipped_level
from gridsage.web.messages import Setting

OWN = "own/"  # a person's own levels are called own/<name> beside the shipped ones
GOOD_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,58}[A-Za-z0-9_-])?")
GOOD_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}")
DEFAULT_SECONDS = 0.1


def chosen(room: Room, setting: Setting, home: Path) -> NamedLevel:
    """The level that `setting` asks for, in the room's own text form."""
    if setting.text:
        return NamedLevel(setting.level or "drawn here", setting.text)
    if setting.level.startswith(OWN):
        return NamedLevel(setting.level, own_text(home, room.name, setting.level.removeprefix(OWN)))
    if (day := daily_of(setting.level)) is not None:
        return daily.level(room, day)
    if (number := puzzle_of(setting.level)) is not None:
        return rated.level(room, number)
    if setting.level:
        return shipped_level(room, setting.level)
    if room.levels.of_seed is not None:
        return room.levels.of_seed(setting.seed if setting.level_seed is None else setting.level_seed)
    names = room.levels.names()
    if not names:
        raise LevelError(f"{room.title} has no level to begin with: give one by its text")
    return NamedLevel(names[0], room.levels.text(names[0]))


def daily_of(name: str) -> datetime.date | None:
    """Return the day whose puzzle a level's name means; None if it means no such thing."""
    return daily.day_named(name.removeprefix(daily.PREFIX)) if name.startswith(daily.PREFIX) else None


def puzzle_of(name: str) -> int | None:
    """Return the number of the rated puzzle that a level's name means; None if it means no such thing."""
    return rated.number_named(name.removeprefix(rated.PREFIX)) if name.startswith(rated.PREFIX) else None


def chance_of(room: Room, setting: Setting) -> int:
    """Return the seed of a game: puzzles are the same for everybody."""
    if setting.text:
        return setting.seed
    if (day := daily_of(setting.level)) is not None:
        return daily.puzzle(room.name, day).chance
    if (number := puzzle_of(setting.level)) is not None:
        return rated.puzzle(room.name, number).chance
    return setting.seed


def episode(room: Room, setting: Setting, home: Path) -> Episode:
    """The game that `setting` describes, with agents and options checked by name."""
    level = chosen(room, setting, home)
    names = list(setting.agents) or [room.players.default]
    options = catalog.options(room, dict(setting.options))
    seats = room.rules.seats_with(options)
    if len(names) > seats:
        raise OptionError(f"{room.title} has {counted(seats, 'seat')} here, got {counted(len(names), 'player')}")
    names += [names[-1]] * (seats - len(names))
    specs = tuple(agent_spec(room, name) for name in names)
    nodes, seconds = setting.nodes, setting.seconds
    if nodes is None and seconds is None:
        seconds = DEFAULT_SECONDS
    return Episode(
        game=room.name,
        level_name=level.name,
        level=level.text,
        seed=chance_of(room, setting),
        agents=specs,
        options=dict(setting.options),
        budgets=(Budget(nodes, seconds),) * len(specs),
        code=catalog.code_digest(room, specs),
        max_steps=room.rules.max_steps,
    )


def agent_spec(room: Room, text: str) -> AgentSpec:
    """An agent by name: of the room, installed, or listed by the owner of the page.

    The page takes known names only: a path would let a web page run any file.
    """
    listed = catalog.listed_agents()
    if text in listed:
        return listed[text]
    spec = catalog.current_name(room, catalog.parse_agent(text))
    known = [*catalog.agent_entries(room), *listed, HUMAN]
    if spec.name not in known:
        raise unknown(f"agent of {room.name}", spec.name, known)
    return spec


HUMAN = "human"


def own_names(home: Path, game: str) -> list[str]:
    """Names of a person's own levels of `game`, in order."""
    return sorted(path.stem for path in _folder(home, game).glob("*.txt") if GOOD_NAME.fullmatch(path.stem))


def own_text(home: Path, game: str, name: str) -> str:
    """The text of one's own level."""
    path = _path(home, game, name)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise unknown(f"level of your own in {game}", name, own_names(home, game)) from None


def keep_own(home: Path, game: str, name: str, text: str) -> None:
    """Write one's own level; the room must be able to read it."""
    room = catalog.room(game)
    room.rules.game().parse(text)
    path = _path(home, game, name)
    draft = path.with_suffix(".draft")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise StoreError(f"the level cannot be kept in {path.parent}: {error.strerror or error}") from None


def has_own(home: Path, game: str, name: str) -> bool:
    """Whether there is a level of one's own of that name."""
    return _path(home, game, name).exists()


def drop_own(home: Path, game: str, name: str) -> str:
    """Delete one's own level; its text, so that this can be undone."""
    text = own_text(home, game, name)
    _path(home, game, name).unlink(missing_ok=True)
    return text


def rename_own(home: Path, game: str, name: str, to: str) -> None:
    """Give one's own level another name; one that is taken is not overwritten."""
    own_text(home, game, name)
    if has_own(home, game, to):
        raise OptionError(f"there is a level {to!r} already; choose another name")
    _path(home, game, name).replace(_path(home, game, to))


def written(game: str, form: str, text: str) -> str:
    """The level in another format that the room knows."""
    room = catalog.room(game)
    if form not in room.levels.write:
        raise unknown(f"format of {game}", form, room.levels.write)
    return room.levels.write[form](text)


class Brought(NamedTuple):
    """What a file holds that somebody brought."""

    levels: list[NamedLevel]
    home: str | None  # the room under whose rules they are played by default, if it is another one


def read(game: str, name: str, data: bytes) -> Brought:
    """Return the levels in a file, whatever format of the room it is in."""
    room = catalog.room(game)
    if room.levels.read is None:
        raise OptionError(f"{room.title} reads no files")
    ending = Path(name).suffix if GOOD_ENDING.fullmatch(Path(name).suffix) else ".txt"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"level{ending}"
        path.write_bytes(data)
        try:
            found = room.levels.read(path)
            home = room.levels.belongs(path) if room.levels.belongs else None
        except GridsageError as error:
            raise LevelError(str(error).replace(str(path), name).replace(path.name, name)) from None
        except (ValueError, RecursionError) as error:
            raise LevelError(f"{name}: {in_words(error)}") from None
    if not found:
        raise LevelError(f"{name} holds no level")
    return Brought(found, home)


def _folder(home: Path, game: str) -> Path:
    return home / "levels" / catalog.room(game).name


def _path(home: Path, game: str, name: str) -> Path:
    if not GOOD_NAME.fullmatch(name):
        raise OptionError(
            f"a level's name is letters, digits, spaces, - and _, at most 60 of them, no space at the end: "
            f"{shown(name)}"
        )
    return _folder(home, game) / f"{name}.txt"
