"""The files of agents that travel with a run: packed where they lie, unpacked where the episodes are played."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from gridsage.core.trace import AgentSpec, Episode, Result
from gridsage.games import catalog, commands


class PackedFile(msgspec.Struct, frozen=True):
    """One file: where it lies on the machine that packed it, and what is in it."""

    path: str  # absolute
    mode: int
    data: bytes


class PackedAgent(msgspec.Struct, frozen=True):
    """An agent with files of its own."""

    spec: AgentSpec
    content: bytes  # the digest of its files, as the code's digest counts them
    paths: dict[str, str]  # what its name or a setting calls a file -> that file's absolute path


class Luggage(msgspec.Struct, frozen=True):
    """Everything that agents of one's own need of the machine where the run was started."""

    agents: list[PackedAgent] = []
    files: list[PackedFile] = []


def pack(episodes: Iterable[Episode]) -> Luggage:
    """Return the files of all agents that are no part of an installed package."""
    specs = {str(spec): spec for episode in episodes for spec in episode.agents}
    agents = [agent for spec in specs.values() if (agent := _packed_agent(spec)) is not None]
    roots = dict.fromkeys(Path(path) for agent in agents for path in agent.paths.values())
    for agent in agents:
        own = commands.folder(catalog.agent_paths(agent.spec))
        roots |= dict.fromkeys([own] if own is not None else [])
    files = dict.fromkeys(path for root in roots for path in commands.files_below(root))
    return Luggage(agents, [PackedFile(str(path), path.stat().st_mode & 0o777, path.read_bytes()) for path in files])


def _packed_agent(spec: AgentSpec) -> PackedAgent | None:
    named = catalog.setting_files(spec)
    if commands.is_command(spec.name):
        words = enumerate(commands.words(spec.name))
        named += [word for place, word in words if commands.named_paths(["", word] if place else [word])]
    elif catalog.agent_paths(spec):
        named += [catalog.file_name(spec.name)]
    paths_by_name = {name: str(Path(name).absolute()) for name in named}
    return PackedAgent(spec, catalog.own_content(spec), paths_by_name) if named else None


class Unpacked:
    """Luggage on the machine that plays: agents whose files are not here already are played from a folder of ours."""

    def __init__(self, luggage: Luggage) -> None:
        self._content = {str(agent.spec): agent.content for agent in luggage.agents}
        self._moved: dict[str, AgentSpec] = {}
        moved = [agent for agent in luggage.agents if catalog.own_content(agent.spec) != agent.content]
        if not moved:
            return
        self._folder = tempfile.mkdtemp(prefix="gridsage-")
        self._moved = {str(agent.spec): self._here(agent) for agent in moved}
        for file in luggage.files:
            path = self._place(file.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
            path.chmod(file.mode)

    def delete(self) -> None:
        """Delete what was unpacked."""
        if self._moved:
            shutil.rmtree(self._folder, ignore_errors=True)

    def content(self, spec: AgentSpec) -> bytes:
        """Return the digest of an agent's own files."""
        return self._content.get(str(spec), b"")

    def episode(self, episode: Episode) -> Episode:
        """Return the episode as it is played here: with agents whose files lie where we have put them."""
        agents = tuple(self._moved.get(str(spec), spec) for spec in episode.agents)
        return msgspec.structs.replace(episode, agents=agents)

    def result(self, result: Result, episode: Episode) -> Result:
        """Return a result as it is called where it was asked for: nothing in it says where it was played."""
        if result.trace.episode == episode.id:
            return result
        trace = msgspec.structs.replace(result.trace, agents=episode.agents, episode=episode.id)
        figures = {
            name: self._plain(value) if isinstance(value, str) else value for name, value in result.figures.items()
        }
        return msgspec.structs.replace(result, trace=trace, figures=figures, log=self._plain(result.log))

    def _plain(self, text: str) -> str:
        return text.replace(self._folder, "")

    def _place(self, path: str) -> Path:
        return Path(self._folder) / path.lstrip("/")

    def _here(self, agent: PackedAgent) -> AgentSpec:
        here = {name: str(self._place(path)) for name, path in agent.paths.items()}
        settings = {key: here.get(value, value) for key, value in agent.spec.settings.items()}
        name = agent.spec.name
        if commands.is_command(name):
            words = [here.get(word, word) for word in commands.words(name)]
            return AgentSpec(commands.PREFIX + shlex.join(words), settings)
        file = catalog.file_name(name)
        return AgentSpec(here[file] + name.removeprefix(file) if file in here else name, settings)
