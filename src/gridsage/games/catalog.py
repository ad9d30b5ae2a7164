"""Name -> room, and name -> agent. A room is imported only when somebody asks for it."""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib.util
import inspect
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import msgspec

from gridsage.core import jit
from gridsage.core.complaints import wrong_value
from gridsage.core.errors import MissingPart, OptionError, UnknownName, shown, unknown
from gridsage.core.game import Agent, Own
from gridsage.core.room import AgentEntry, Room, parse_options
from gridsage.core.trace import AgentSpec
from gridsage.games import commands

BUILT_IN: dict[str, str] = {
    "ricochet": "gridsage.games.ricochet:ROOM",
    "ricochet-rounds": "gridsage.games.ricochet.rounds:ROUNDS",
    "loderunner": "gridsage.games.loderunner:ROOM",
    "loderunner-classic": "gridsage.games.loderunner.classic:ROOM",
    "delirium": "gridsage.games.delirium:ROOM",
    "delirium-bd": "gridsage.games.delirium.bd:ROOM",
    "nethack": "gridsage.games.nethack:ROOM",
    "pushem": "gridsage.games.pushem:ROOM",
}
GAMES_GROUP = "gridsage.games"
SOURCES = frozenset({".py", ".toml", ".json", ".npz", ".des"})
AGENTS_GROUP = "gridsage.agents"  # entry points named `<game>.<agent>`


def names() -> list[str]:
    """Every game that can be asked for: the built-in rooms first, then installed ones."""
    return [*BUILT_IN, *sorted({point.name for point in _installed(GAMES_GROUP)} - set(BUILT_IN))]


@cache
def room(name: str) -> Room:
    """The room of that name, imported now; an unknown name lists the nearest known ones."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found = getattr(import_module(module), attribute)
    else:
        points = [point for point in _installed(GAMES_GROUP) if point.name == name]
        if not points:
            raise unknown("game", name, names())
        found = _loaded(points[0])
        if not isinstance(found, Room) or found.name != name:
            what = f"a Room named {found.name!r}" if isinstance(found, Room) else f"{type(found).__name__}, no Room"
            raise MissingPart(
                f"the installed game {name!r} ({points[0].value}) is {what}: expected a Room of that name"
            )
    assert isinstance(found, Room), f"{name} is not a Room"
    return found


def ready_room(name: str, progress: jit.Progress | None = None) -> Room:
    """The room with its kernels compiled; a MissingPart error where this machine lacks what it needs."""
    found = room(name)
    if (sentence := found.rules.missing()) is not None:
        raise MissingPart(sentence)
    if found.rules.warm_up is not None and found.name not in _warm:
        jit.warm_up(found.folder, found.rules.warm_up(), progress, found.name)
        # What is loaded now stays. Looking through all of it took 60 ms, now and then in the midst of a decision.
        gc.collect()
        gc.freeze()
        _warm.add(found.name)  # not its folder: variants share that and have kernels of their own
    return found


def is_compiled(found: Room) -> bool:
    """Return True if nothing of this room is left to be compiled on this machine."""
    return found.rules.warm_up is None or jit.is_compiled(found.folder, found.name)


def options(found: Room, pairs: Mapping[str, object]) -> Own:
    """The room's options struct from `key=value` pairs."""
    return parse_options(found.rules.options, pairs, found.name)


def parse_agent(text: str) -> AgentSpec:
    """An agent as people type it: `master`, `astar:sum_robots=true`, `my_bot.py:MyBot:depth=3`, `./my_bot --fast`."""
    if commands.is_command(text):
        commands.words(text)
        return AgentSpec(text)
    parts = text.split(":")
    settings: dict[str, str] = {}
    while len(parts) > 1 and "=" in parts[-1]:
        key, _, value = parts.pop().partition("=")
        settings[key] = value
    if not parts[0]:
        raise OptionError(f"an agent needs a name: {text!r}")
    return AgentSpec(":".join(parts), dict(reversed(settings.items())))


def agent_entries(found: Room) -> dict[str, AgentEntry]:
    """The room's own agents, weakest first, then those installed under `gridsage.agents`."""
    entries = dict(found.players.agents())
    for point in _installed(AGENTS_GROUP):
        game, _, name = point.name.partition(".")
        if game == found.name and name:
            entries.setdefault(name, AgentEntry(_Installed(point), f"installed: {point.value}"))
    return entries


class _Installed:
    """An installed agent that is imported when it is made: anybody's code, which may have to stay in its process."""

    def __init__(self, point: EntryPoint) -> None:
        self.point = point

    def __call__(self, **settings: str) -> Agent:
        made: Agent = _loaded(self.point)(**settings)
        return made


def agent_maker(found: Room, spec: AgentSpec) -> AgentEntry:
    """What makes the agent, imported now."""
    entry = _entry(found, current_name(found, spec))
    return AgentEntry(_loaded(entry.make.point), entry.summary) if isinstance(entry.make, _Installed) else entry


def check_agent(found: Room, spec: AgentSpec) -> None:
    """Complain about an agent that cannot be there, without running anybody's code but ours."""
    if commands.is_command(spec.name):
        commands.words(spec.name)
    elif _is_file(spec.name):
        _check_class(spec.name)
    elif not isinstance(_entry(found, current_name(found, spec)).make, _Installed):
        agent(found, spec)


LISTED = "GRIDSAGE_AGENTS_FROM"  # the folder whose agents the page offers; set by who starts the server


def listed_agents() -> dict[str, AgentSpec]:
    """Return the agents in the folder that the owner of the page has listed, by the names that visitors choose.

    Programs that may be executed are named after their file, classes after file and class; a folder of a starter kit
    holds a program of the same name.
    """
    folder = os.environ.get(LISTED)
    found: dict[str, AgentSpec] = {}
    for path in sorted(Path(folder).iterdir()) if folder else ():
        inner = path / path.name if path.is_dir() else path
        for file in (inner, inner.with_suffix(".py")) if path.is_dir() else (inner,):
            if file.suffix == ".py" and file.is_file():
                found |= {f"{file.stem}.{name}": AgentSpec(f"{file}:{name}") for name in _agent_classes(file)}
            elif file.is_file() and os.access(file, os.X_OK):
                found[file.stem] = AgentSpec(f"{commands.PREFIX}{shlex.quote(str(file))}")
    return found


def _agent_classes(path: Path) -> list[str]:
    """Return the classes of a file that have a method `decide`; it is read, not run."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return [
        node.name
        for node in classes
        if any(isinstance(each, ast.FunctionDef) and each.name == "decide" for each in node.body)
    ]


def agent_paths(spec: AgentSpec) -> list[Path]:
    """The files that an agent of one's own consists of, as far as its name says."""
    if commands.is_command(spec.name):
        return commands.named_paths(commands.words(spec.name))
    path = _agent_path(spec.name)[0] if _is_file(spec.name) else None
    return [path.absolute()] if path is not None and commands.exists(path) and path.is_file() else []


def plug_in_folders(found: Room, spec: AgentSpec) -> list[Path]:
    """The folders outside this Python in which an installed room or agent was found."""
    points = [point for point in _installed(GAMES_GROUP) if point.name == found.name]
    points += [point for point in _installed(AGENTS_GROUP) if point.name == f"{found.name}.{spec.name}"]
    folders = [Path(str(point.dist.locate_file(""))).absolute() for point in points if point.dist is not None]
    return [folder for folder in dict.fromkeys(folders) if Path(sys.prefix) not in folder.parents]


def current_name(found: Room, spec: AgentSpec) -> AgentSpec:
    """Return the spec with the name its agent has now; older names are met in scripts and stored games."""
    name = found.players.aliases.get(spec.name)
    return spec if name is None else AgentSpec(name, spec.settings)


def agent(found: Room, spec: AgentSpec) -> Agent:
    """Return a new agent for `spec`: one of the room's, an installed one, or a class in a Python file."""
    return make_agent(agent_maker(found, spec), spec.settings, spec.name)


def make_agent(entry: AgentEntry, settings: Mapping[str, str], what: str) -> Agent:
    """Return a new agent with its settings turned from text into the types its signature names."""
    parameters = inspect.signature(entry.make, eval_str=True).parameters
    values = {key: _setting(parameters, key, text, what) for key, text in settings.items()}
    for parameter in parameters.values():
        optional = parameter.default is not parameter.empty or parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        )
        if not optional and parameter.name not in values:
            raise OptionError(f"agent {what} needs the setting {parameter.name}: {what}:{parameter.name}=...")
    try:
        made = entry.make(**values)
    except ValueError as error:
        raise OptionError(f"agent {what}: {error}") from None
    if not callable(getattr(made, "decide", None)):
        raise OptionError(f"{what} is no agent: it has no method decide(observation, budget)")
    return made


def _setting(parameters: Mapping[str, inspect.Parameter], key: str, text: str, what: str) -> object:
    if key not in parameters:
        raise OptionError(str(unknown(f"setting of agent {what}", key, parameters)))
    parameter = parameters[key]
    guess = str if parameter.default is parameter.empty else type(parameter.default)
    kind = guess if parameter.annotation is parameter.empty else parameter.annotation
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        raise OptionError(f"setting {key}={text!r} of agent {what}: {wrong_value(kind, error)}") from None


def _entry(found: Room, spec: AgentSpec) -> AgentEntry:
    if commands.is_command(spec.name):
        raise OptionError(f"{spec.name!r} is a command: it plays in a process of its own, not here")
    if _is_file(spec.name):
        return AgentEntry(_class_in_file(spec.name), "")
    entries = agent_entries(found)
    name, colon, setting = spec.name.partition(":")
    if colon and name in entries:
        raise OptionError(f"setting {setting!r} of agent {name} needs a value: {name}:{setting}=...")
    if spec.name not in entries:
        raise UnknownName(f"{unknown(f'agent of {found.name}', spec.name, entries)}; or path/to/file.py:ClassName")
    return entries[spec.name]


def own_content(spec: AgentSpec) -> bytes:
    """A digest of an agent's own files, those that its settings name included; empty if it has none."""
    paths = agent_paths(spec)
    named = b"".join(_content(value) for value in spec.settings.values())
    return (commands.digest(paths) if paths else b"") + named


def setting_files(spec: AgentSpec) -> list[str]:
    """The files that an agent's settings name, such as a personality of one's own."""
    return [value for value in spec.settings.values() if _content(value)]


def file_name(name: str) -> str:
    """The file in the name of an agent that is a class in a file."""
    path, colon, _ = name.rpartition(".py:")
    return f"{path}.py" if colon else name


def code_digest(found: Room, agents: tuple[AgentSpec, ...], content: Callable[[AgentSpec], bytes] = own_content) -> str:
    """A digest of all code that decides how an episode of this room goes, an agent's own file included.

    Args:
        content: what an agent's own files count as, where they are not on this machine.
    """
    digest = hashlib.blake2b(_package_digest(jit.PACKAGE, found.folder), digest_size=8)
    packages = {_top_package(type(found.rules))}
    entries = agent_entries(found)
    for spec in agents:
        digest.update(content(spec))
        if spec.name in entries:
            make = entries[spec.name].make
            packages.add(make.point.module.partition(".")[0] if isinstance(make, _Installed) else _top_package(make))
    for package in sorted(packages - {"gridsage"}):
        digest.update(_foreign_digest(package))
    return digest.hexdigest()


def _content(setting: str) -> bytes:
    """What is in the file that a setting names, such as a personality of one's own; nothing if it names none."""
    try:
        return Path(setting).read_bytes() if Path(setting).suffix in SOURCES and Path(setting).is_file() else b""
    except (OSError, ValueError):  # a name too long for a file, or one with a zero in it
        return b""


_warm: set[str] = set()


@cache
def _package_digest(package: Path, room: str) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    folders = [package / "core", package / "search", package / "games" / room]
    for folder in folders:
        for path in _sources(folder):
            digest.update(path.read_bytes())
    return digest.digest()


def _sources(folder: Path) -> list[Path]:
    """The files of a folder that decide how a game goes, data such as weights and personalities included.

    Levels do too, but their texts are part of every episode already.
    """
    found = [path for path in folder.rglob("*") if path.suffix in SOURCES]
    return sorted(path for path in found if "levels" not in path.relative_to(folder).parts)


@cache
def _installed(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def _loaded(point: EntryPoint) -> Any:
    """What an entry point names; a package that does not import is named with its error."""
    try:
        return point.load()
    except Exception as error:  # somebody else's package: whatever it raises, the others must go on
        raise MissingPart(f"the installed {point.name!r} ({point.value}) cannot be loaded: {error!r}") from error


def _top_package(thing: object) -> str:
    return str(getattr(thing, "__module__", "gridsage")).partition(".")[0]


@cache
def _foreign_digest(package: str) -> bytes:
    """A digest of every source file of an installed package, so that an edit makes stored results stale."""
    digest = hashlib.blake2b(digest_size=16)
    module = importlib.util.find_spec(package)  # of a top package: nothing of it is run
    if module is not None and module.origin is not None:
        path = Path(module.origin)
        for source in _sources(path.parent) if path.name == "__init__.py" else [path]:
            digest.update(source.read_bytes())
    return digest.digest()


def _is_file(name: str) -> bool:
    return ".py:" in name or name.endswith(".py")


def _agent_path(text: str) -> tuple[Path, str]:
    path, colon, name = text.rpartition(".py:")
    return (Path(path + ".py"), name) if colon else (Path(text), "")


def _check_class(text: str) -> None:
    """Complain about a file that is not there or plainly has no such class; it is read, not run."""
    path, name = _agent_path(text)
    if not commands.exists(path) or not path.is_file():
        raise UnknownName(f"no file {shown(str(path))}; expected path/to/file.py:ClassName")
    if not name:
        raise UnknownName(f"{text!r} names a file but no class; expected {path}:ClassName")
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnknownName(f"{path} is no Python: {error}") from None
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    if name not in classes and name not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            for alias in getattr(node, "names", ())
            if isinstance(alias, ast.alias)
        }
        if name not in imported:
            raise unknown(f"class in {path}", name, classes)


def _class_in_file(text: str) -> Callable[..., Agent]:
    path, name = _agent_path(text)
    if not path.is_file():
        raise UnknownName(f"no file {str(path)!r}; expected path/to/file.py:ClassName")
    if not name:
        raise UnknownName(f"{text!r} names a file but no class; expected {path}:ClassName")
    module_name = f"gridsage_agent_{hashlib.blake2b(str(path.resolve()).encode(), digest_size=6).hexdigest()}"
    module = sys.modules.get(module_name)
    if module is None:
        spec = importlib.util.spec_from_file_location(module_name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        if str(path.parent.resolve()) not in sys.path:
            sys.path.append(str(path.parent.resolve()))  # an agent may import the files beside it
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[module_name]
            raise UnknownName(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    found = getattr(module, name, None)
    if not callable(found):
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise unknown(f"class in {path}", name, classes)
    made: Callable[..., Agent] = found
    return made
