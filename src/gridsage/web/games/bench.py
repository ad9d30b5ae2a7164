"""Benches and matches started from the page: which games they are, and how they stand while they run."""

from __future__ import annotations

import itertools
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from gridsage.arena import executors, stats, tournament
from gridsage.arena.conditions import DEFAULT, Conditions
from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError, OptionError
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import AgentSpec, Episode, Result
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import compare, levels, messages
from gridsage.web.games.session import Session, Stopped
from gridsage.web.messages import Answer

MOST_GAMES = 20_000  # of one bench from the page
TELL_SECONDS = 0.15  # between two words about progress
TABLE_SECONDS = 1.0  # between two tables
ENOUGH_TO_GUESS = 3  # games played before the time left is told


def bench(session: Session, message: messages.Bench) -> None:
    """Send what is kept already, then progress and a growing table, until all is played or the tab is gone."""
    room = session.ready_room(message.game)
    run = Run(plan(room, message, session.home), Store(session.home), message.match, session.send)
    if not run.play(session.stopped.is_set):
        raise Stopped


def plan(room: Room, message: messages.Bench, home: Path) -> list[Episode]:
    """The games that `message` asks for; what cannot be played is told before anything is."""
    specs = list({str(spec): spec for spec in (_spec(room, name) for name in message.agents)}.values())
    if message.last_seed < message.first_seed:
        raise OptionError(f"seeds {message.first_seed} to {message.last_seed}: the last one is before the first")
    seeds = range(message.first_seed, message.last_seed + 1)
    options = {**room.rules.match_options, **message.options} if message.match else dict(message.options)
    seats = room.rules.seats_with(catalog.options(room, options))
    if message.match and (seats != 2 or len(specs) < 2):
        raise OptionError(
            f"a match needs two agents at a table for two: {room.title} has {counted(seats, 'seat')} here, "
            f"got {counted(len(specs), 'agent')}"
        )
    chosen = _levels(room, message, home)
    tables = list(itertools.permutations(specs, 2)) if message.match else [(spec,) * seats for spec in specs]
    total = len(tables) * len(seeds) * (1 if chosen is None else len(chosen))
    if total > MOST_GAMES:
        raise OptionError(f"these are {counted(total, 'game')}; the page plays at most {MOST_GAMES:,} in a bench")
    budget = _budget(message)
    # Level by level, not agent by agent: a bench that is stopped has compared its agents on the same games.
    tasks = [(level, seed) for seed in seeds for level in ([_level_of(room, seed)] if chosen is None else chosen)]
    wanted = [
        tournament.episode(room, level, agents, seed, options, budget) for level, seed in tasks for agents in tables
    ]
    return list({found.id: found for found in wanted}.values())


def _spec(room: Room, name: str) -> AgentSpec:
    """An agent by name and settings, checked as far as that runs no stranger's code."""
    spec = levels.agent_spec(room, name.strip())
    if spec.name == levels.HUMAN:
        raise OptionError("people do not play in benches; choose agents")
    catalog.check_agent(room, spec)
    return spec


def _levels(room: Room, message: messages.Bench, home: Path) -> list[NamedLevel] | None:
    """The chosen levels; without a choice all shipped ones (of a match: the first), or None: the seeds make them."""
    if not message.levels and room.levels.of_seed is not None:
        return None
    names = message.levels or (list(room.levels.names())[:1] if message.match else list(room.levels.names()))
    if not names:
        raise LevelError(f"{room.title} has no level to begin with: draw one on its levels page and choose it")
    return [levels.chosen(room, messages.Watch(room.name, level=name), home) for name in dict.fromkeys(names)]


def _level_of(room: Room, seed: int) -> NamedLevel:
    assert room.levels.of_seed is not None
    return room.levels.of_seed(seed)


def _budget(message: messages.Bench) -> Budget:
    if message.nodes is None and message.seconds is None:
        return Budget(seconds=levels.DEFAULT_SECONDS)
    return Budget(message.nodes, message.seconds)


class Run:
    """A bench that is being played: it counts, tells how far it is, and sums up while it grows."""

    def __init__(
        self,
        episodes: Sequence[Episode],
        store: Store,
        match: bool,
        tell: Callable[[Answer], None],
        conditions: Conditions = DEFAULT,
    ) -> None:
        self.episodes, self.match, self.tell = episodes, match, tell
        self._store, self._conditions = store, conditions
        self._results: list[Result] = []
        self._kept = 0
        self._first = self._told = self._summed = time.monotonic()

    def play(self, stop: Callable[[], bool]) -> bool:
        """Play what is not kept yet; False when it was stopped before the end."""
        # In processes of their own: an agent that dies takes no other tab's game along, and a stop is heard at once.
        jobs = max(2, (os.cpu_count() or 2) // 2)
        results = executors.run(
            self.episodes, jobs=jobs, sink=self, done=self._done, stop=stop, conditions=self._conditions
        )
        if stop() or len(results) < len(self.episodes):
            return False
        self._progress()
        self.tell({"m": "table", "lines": self._lines(), "final": True, **self._counts()})
        return True

    # The sink of the run

    def known(self, ids: list[str]) -> dict[str, Result]:
        found = self._store.known(ids)
        self._kept = len(found)
        self.tell({"m": "plan", "total": len(self.episodes), "kept": self._kept})
        return found

    def put_many(self, results: Sequence[Result]) -> object:
        return self._store.put_many(results)

    def _done(self, result: Result) -> None:
        self._results.append(result)
        if len(self._results) < self._kept:
            return
        now = time.monotonic()
        if len(self._results) == self._kept + 1:
            self._first = now
        if now - self._told >= TELL_SECONDS or len(self._results) == self._kept:
            self._told = now
            self._progress()
        if now - self._summed >= TABLE_SECONDS:
            self._summed = now
            self.tell({"m": "table", "lines": self._lines(), "final": False, **self._counts()})

    def _counts(self) -> dict[str, int]:
        return {"done": len(self._results), "total": len(self.episodes), "kept": self._kept}

    def _progress(self) -> None:
        played, left = len(self._results) - self._kept, None
        if played >= ENOUGH_TO_GUESS:  # counted from the first result on: players that wake up say nothing about speed
            left = (time.monotonic() - self._first) / (played - 1) * (len(self.episodes) - len(self._results))
        self.tell({"m": "played", "left": left, **self._counts(), **self._last_game()})

    def _last_game(self) -> Answer:
        if not self._results:
            return {}
        last = self._results[-1].trace
        agents = [str(agent) for agent in last.agents]
        return {"agents": agents, "level": last.level_name, "seed": last.seed, "outcome": last.outcome.reason}

    def _lines(self) -> list[Answer]:
        return _matches(self._results) if self.match else _agents(self._results)


def _agents(results: Sequence[Result]) -> list[Answer]:
    """One line an agent; without bootstraps, for they are asked for every second."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(str(result.trace.agents[0]), []).append(result)
    return [
        {
            "agents": agent,
            "games": len(played),
            "win_rate": msgspec.to_builtins(
                stats.win_rate(sum(result.trace.outcome.winner == 0 for result in played), len(played))
            ),
            "steps": statistics.median(len(result.trace.actions) for result in played),
            "seconds": statistics.median(result.seconds for result in played),
        }
        for agent, played in sorted(found.items())
    ]


def _matches(results: Sequence[Result]) -> list[Answer]:
    found: dict[tuple[str, str], list[compare.Duel]] = {}
    for trace in (result.trace for result in results):
        one, two = sorted(str(agent) for agent in trace.agents)
        game = compare.Duel((trace.level_name, trace.chance), str(trace.agents[0]), trace.outcome.winner)
        found.setdefault((one, two), []).append(game)
    return [
        {"first": one, "second": two, **compare.duel(one, two, games)} for (one, two), games in sorted(found.items())
    ]
