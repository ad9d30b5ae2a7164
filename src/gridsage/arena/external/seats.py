"""Who sits where: our own agents in this process, everybody else in one of their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from gridsage.arena.conditions import Conditions
from gridsage.arena.external import walls
from gridsage.arena.external.player import Outside, Playing
from gridsage.arena.external.process import Process
from gridsage.arena.guard import Ask, Fault, Inside, Player, Seat
from gridsage.arena.recorder import Recorder
from gridsage.core import jit
from gridsage.core.errors import GridsageError
from gridsage.core.game import Agent, Budget, Decision, Observation, Own
from gridsage.core.room import Room
from gridsage.core.trace import REFUSED, AgentSpec, Episode
from gridsage.games import catalog, commands

TRUSTED = "trusted"  # what a result says of a stranger that played in the worker
HOST = "gridsage.arena.external.host"
PYTHONS = ("python", "python3")  # in a command they mean the one that runs gridsage
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
Launched = list[Process | Fault | None]  # one per seat; None for those who play in this process


def is_stranger(room: Room, spec: AgentSpec) -> bool:
    """Return True if the agent did not come with its room, whose rules run here in any case."""
    return catalog.current_name(room, spec).name not in room.players.agents()


def has_stranger(episode: Episode) -> bool:
    """Return True if one of the agents did not come with the room."""
    return any(is_stranger(catalog.room(episode.game), spec) for spec in episode.agents)


def plays_outside(room: Room, spec: AgentSpec, conditions: Conditions) -> bool:
    """Return True if the agent plays in a process of its own."""
    return is_stranger(room, spec) and (commands.is_command(spec.name) or not conditions.trust)


def launch(episode: Episode, conditions: Conditions) -> Launched:
    """Start the processes of an episode's agents, so that they wake up while another game is played."""
    room = catalog.room(episode.game)
    return [
        _launched(room, spec, conditions) if plays_outside(room, spec, conditions) else None for spec in episode.agents
    ]


def _launched(room: Room, spec: AgentSpec, conditions: Conditions) -> Process | Fault:
    try:
        return Process(command_of(room, spec), conditions)
    except (OSError, ValueError) as error:
        return Fault(REFUSED, f"{spec.name} cannot be started: {error}")
    except GridsageError as error:
        walls.standing(conditions.walls)  # missing walls are no fault of an agent: this raises
        return Fault(REFUSED, str(error))


def end(launched: Launched | None) -> None:
    """End processes that were started for a game that is not played."""
    for process in launched or ():
        if isinstance(process, Process):
            process.kill()


def player(recorder: Recorder, place: Seat, launched: Launched | None) -> Player:
    """Return the player of a seat, with the process that was started for it or a new one."""
    room, seat = recorder.room, place.briefing.seat
    spec = recorder.episode.agents[seat]
    if not plays_outside(room, spec, place.conditions):
        return Inside(_maker(room, spec), place, is_ours=not is_stranger(room, spec))
    process = (launched[seat] if launched is not None else None) or _launched(room, spec, place.conditions)
    return Outside(process, recorder, place, ", ".join(walls.standing(place.conditions.walls).standing))


class Guest:
    """A stranger as an agent for a table where people play: asked like any other, it answers from its own process."""

    def __init__(self, playing: Playing, place: Seat, state: Callable[[], Own]) -> None:
        spec = playing.episode.agents[place.briefing.seat]
        self.name = spec.name
        process = _launched(playing.room, spec, place.conditions)
        self._player = Outside(process, playing, place, "")
        self._state, self._turn = state, 0
        self._player.start()
        self._player.ready()

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        self._turn += 1  # its own count: at a table moves can be taken back
        return self._player.decide(Ask(self._turn, observation, self._state()))

    def close(self) -> None:
        self._player.close(None)


def _maker(room: Room, spec: AgentSpec) -> Callable[[], Agent]:
    return lambda: catalog.agent(room, spec)


def walls_words(players: Sequence[Player]) -> str:
    """Return which walls stood around the strangers of a game, or that they were trusted; empty if there was none."""
    found = [
        player.walls if isinstance(player, Outside) else TRUSTED
        for player in players
        if isinstance(player, Outside) or (isinstance(player, Inside) and not player.is_ours)
    ]
    return "; ".join(dict.fromkeys(found))


# What is started


def command_of(room: Room, spec: AgentSpec) -> walls.Command:
    """Return the command of an agent with the files it needs; an error says what is missing."""
    return _own_command(spec) if commands.is_command(spec.name) else _class_command(room, spec)


def _own_command(spec: AgentSpec) -> walls.Command:
    words = commands.words(spec.name)
    paths = commands.named_paths(words)
    program = _program(words[0])
    folder = commands.folder(paths)
    own = [path for path in paths if folder is None or folder not in path.parents]
    own = list(dict.fromkeys([*([folder] if folder is not None else []), *own]))
    readable = _python_files() if program == Path(sys.executable) else (Path(os.path.realpath(program)).parent,)
    return walls.Command(
        words=(str(program), *words[1:]),
        cwd=Path.cwd(),
        own=tuple(path for path in own if not path.is_dir() or commands.is_own(path)),
        readable=() if program in paths else readable,
        environment={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"},
    )


def _program(word: str) -> Path:
    """Return the program that a command begins with; an error says why there is none."""
    if word in PYTHONS:
        return Path(sys.executable)
    if "/" not in word:
        found = shutil.which(word)
        if found is None:
            raise GridsageError(f"no program {word!r} is installed")
        return Path(found)
    path = Path(word).absolute()
    if not path.is_file():
        raise GridsageError(f"no file {word!r}")
    if not os.access(path, os.X_OK):
        raise GridsageError(f"the file {word!r} may not be executed (chmod +x {word})")
    return path


def _class_command(room: Room, spec: AgentSpec) -> walls.Command:
    """Return the command that plays a class behind the protocol."""
    own = catalog.agent_paths(spec)
    folder = commands.folder(own)
    sites = catalog.plug_in_folders(room, spec)
    environment = {
        **ONE_THREAD,
        "GRIDSAGE_CACHE": str(jit.cache_root().parent),
        # The package itself too: it may be run from a folder in which it is not installed.
        "PYTHONPATH": os.pathsep.join(map(str, [*sites, jit.PACKAGE.parent])),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return walls.Command(
        words=(sys.executable, "-m", HOST, room.name, str(spec)),
        cwd=Path.cwd(),
        own=(folder,) if folder is not None else tuple(own),
        readable=(*_python_files(), jit.PACKAGE, jit.cache_root(), *sites),
        environment=environment,
    )


def _python_files() -> tuple[Path, ...]:
    return Path(sys.prefix), Path(sys.base_prefix)
