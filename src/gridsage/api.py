"""The public face: play, measure and look at games in a few lines. `import gridsage` offers these names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gridsage.arena import executors, tournament
from gridsage.arena import match as arena_match
from gridsage.arena.results import Results
from gridsage.core import picture
from gridsage.core import trace as traces
from gridsage.core.amounts import counted
from gridsage.core.errors import OptionError
from gridsage.core.game import Agent, AnyGame, Budget, Closing, Decision, Event, Outcome, Own
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import AgentSpec, Result, Sink, Trace
from gridsage.games import catalog
from gridsage.games.levels import find_level

DEFAULT_SECONDS = 0.1  # of a decision, where neither nodes nor seconds are given

Player = str | Agent  # a name as on the command line, `astar:sum_robots=true`, or an object
LevelName = str | int | Path  # a shipped name, a number from 1, a file, or the text of a level


@dataclass(frozen=True)
class Shown:
    """What a notebook shows instead of words: the player of a game, or the picture of a position."""

    html: str = ""
    svg: str = ""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html} if self.html else {"image/svg+xml": self.svg}


@dataclass(frozen=True)
class Played:
    """A game that was played: its result and its last state. `print` shows both."""

    room: Room
    result: Result
    state: Own  # the last one

    @property
    def trace(self) -> Trace:
        """The game move by move; it replays and verifies itself."""
        return self.result.trace

    @property
    def outcome(self) -> Outcome:
        """How the game ended."""
        return self.trace.outcome

    @property
    def won(self) -> bool:
        """True if the first seat won."""
        return self.outcome.winner == 0

    @property
    def moves(self) -> list[str]:
        """The labels of all actions."""
        game = self.room.rules.game()
        return [game.label(action) for action in self.trace.actions]

    def _repr_html_(self) -> str:
        """The page's player with this game, in a frame of its own, for notebooks."""
        return show(self.trace).html

    def _repr_svg_(self) -> str:
        """The last position as a picture."""
        return show(self.room, self.state).svg

    def __str__(self) -> str:
        agents = " against ".join(str(agent) for agent in self.trace.agents)
        steps = counted(len(self.trace.actions), "step")
        ending = f"{agents} on {self.trace.level_name}: {self.outcome.reason} after {steps}"
        return f"{draw(self.room, self.state)}{ending}"


def game_names() -> list[str]:
    """Return the names of all games: the built-in ones first, then installed ones."""
    return catalog.names()


def agent_names(game: str) -> list[str]:
    """Return the names of the agents of a game, weakest first."""
    return list(catalog.agent_entries(catalog.room(game)))


def levels(game: str) -> list[str]:
    """Return the names of the levels that a game ships, easiest first."""
    return list(catalog.room(game).levels.names())


def load_level(game: str, level: LevelName | None = None, *, seed: int = 1) -> NamedLevel:
    """Return a level by its name, its number from 1, a file or its text; by default the seed's or the first."""
    return find_level(catalog.room(game), level, seed)


def room(game: str) -> Room:
    """Return everything about a game, ready to play: its rules, levels, players, view, help and features."""
    return catalog.ready_room(game)


def play(
    game: str,
    agents: Player | Sequence[Player] | None = None,
    level: LevelName | None = None,
    *,
    seed: int = 1,
    nodes: int | None = None,
    seconds: float | None = None,
    options: Mapping[str, object] | None = None,
    max_steps: int | None = None,
) -> Played:
    """Play one game and return it.

    Args:
        agents: one player for all seats, or one per seat; by default the game's best.
        nodes: positions an agent may look at for a decision; repeats exactly.
        seconds: time for a decision; a tenth of a second if neither is given.
    """
    found = catalog.ready_room(game)
    chosen = dict(options or {})
    players = _seated(found, agents, found.rules.seats_with(catalog.options(found, chosen)))
    specs = [_spec(found, each) if isinstance(each, str) else AgentSpec(each.name) for each in players]
    objects = [None if isinstance(each, str) else each for each in players]
    budget = _budget(nodes, seconds)
    spec = tournament.episode(found, find_level(found, level, seed), specs, seed, chosen, budget, max_steps)
    last: list[Own] = []

    def watch(steps: int, state: Own, decision: Decision | None, events: Sequence[Event]) -> None:
        last[:] = [state]

    result = arena_match.play(spec, watch=watch, agents=objects)
    return Played(found, result, last[0])


def bench(
    game: str,
    agents: str | Sequence[str] | None = None,
    levels: LevelName | Sequence[LevelName] | None = None,
    *,
    seeds: int | Iterable[int] = 20,
    nodes: int | None = None,
    seconds: float | None = None,
    options: Mapping[str, object] | None = None,
    jobs: int = 1,
    executor: str | None = None,
    store: Sink | None = None,
) -> Results:
    """Play every agent on every level and seed and return the results.

    Args:
        levels: by default those that the seeds make, or all shipped ones.
        seeds: a number of seeds from 1 on, or the seeds themselves.
        jobs: worker processes; 1 plays here.
        executor: who plays, as on the command line: `inline`, `pool`, `ray` or `ray:HOST:PORT`.
        store: a `Store`; games that it holds are not played again, new ones are kept there.
    """
    found = catalog.ready_room(game)
    names = [found.players.default] if agents is None else [agents] if isinstance(agents, str) else list(agents)
    specs = [_spec(found, name) for name in names]
    wanted = range(1, seeds + 1) if isinstance(seeds, int) else seeds
    budget = _budget(nodes, seconds)
    episodes = tournament.bench_episodes(found, _levels(found, levels), specs, wanted, dict(options or {}), budget)
    return Results(executors.run(episodes, jobs=jobs, sink=store, executor=_executor(executor, jobs)))


def match(
    game: str,
    first: str,
    second: str,
    *,
    games: int = 20,
    level: LevelName | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    options: Mapping[str, object] | None = None,
    jobs: int = 1,
    executor: str | None = None,
    store: Sink | None = None,
) -> tournament.MatchSummary:
    """Let two agents play pairs of games with swapped seats and return the account, with Elo and SPRT."""
    found = catalog.ready_room(game)
    if found.rules.seats != 2:
        raise OptionError(f"{game} is not a game for two: use bench")
    one, two = _spec(found, first), _spec(found, second)
    chosen = {**found.rules.match_options, **(options or {})}
    budget = _budget(nodes, seconds)
    episodes = tournament.match_episodes(found, find_level(found, level), one, two, (games + 1) // 2, chosen, budget)
    results = executors.run(episodes, jobs=jobs, sink=store, executor=_executor(executor, jobs))
    return tournament.match_summary(results, one, two)


def draw(game: str | Room | AnyGame, state: Own) -> str:
    """Return the board of a state as text, with the status below."""
    name = game if isinstance(game, str | Room) else game.name
    found = name if isinstance(name, Room) else catalog.room(name)
    return picture.board(found.view.frame(state), found.view.glyphs)


def show(what: Trace | Played | str | Room, state: Own = None, *, step: int | None = None) -> Shown:
    """Return what a notebook shows of a recorded game: the page's player; or of a game's state: its picture.

    Args:
        what: a trace or a game that was played; or the game whose state is meant.
        step: where the player stands at first; by default it plays from the beginning.
    """
    if isinstance(what, Played):
        what = what.trace
    if isinstance(what, Trace):
        return Shown(html=_player(what, step))
    from gridsage.pictures import svg

    found = what if isinstance(what, Room) else catalog.room(what)
    return Shown(svg=svg.draw(found.view.frame(state), svg.Style(found.folder, found.view.glyphs)))


def _player(trace: Trace, step: int | None) -> str:
    """Return the page's player in a frame that may do nothing but run it."""
    from html import escape

    from gridsage.web import single_file

    document = escape(single_file.document(catalog.ready_room(trace.game), trace, step))
    size = "width: 100%; height: 46rem; border: 0"
    return f'<iframe sandbox="allow-scripts" style="{size}" srcdoc="{document}"></iframe>'


def replay(trace: Trace) -> Iterator[Own]:
    """Yield every state of a recorded game, first to last, by playing it again."""
    found = catalog.ready_room(trace.game)
    game = found.rules.game()
    try:
        yield from traces.states(trace, game, catalog.options(found, trace.options))
    finally:
        if isinstance(game, Closing):
            game.close()


def verify(trace: Trace) -> int:
    """Play a recorded game again and return its number of steps; a TraceMismatch names the first that differs."""
    found = catalog.ready_room(trace.game)
    return traces.verify(trace, found.rules.game(), catalog.options(found, trace.options))


def _seated(found: Room, agents: Player | Sequence[Player] | None, seats: int) -> list[Player]:
    """One player per seat; a single name sits on all of them."""
    if agents is None or isinstance(agents, str):
        return [agents or found.players.default] * seats
    players: list[Player] = list(agents) if isinstance(agents, Sequence) else [agents]
    if len(players) != seats:
        raise OptionError(
            f"{found.name} has {counted(seats, 'seat')}, got {counted(len(players), 'agent')}: "
            "give one name, or one per seat"
        )
    return players


def _levels(found: Room, levels: LevelName | Sequence[LevelName] | None) -> list[NamedLevel] | None:
    if levels is None:
        if found.levels.of_seed is not None:
            return None
        return [find_level(found, name) for name in found.levels.names()]
    wanted = [levels] if isinstance(levels, str | int | Path) else levels
    return [find_level(found, level) for level in wanted]


def _spec(found: Room, text: str) -> AgentSpec:
    """Return the player that a name means; one that does not exist is told here, not game by game."""
    spec = catalog.parse_agent(text)
    catalog.check_agent(found, spec)
    return spec


def _budget(nodes: int | None, seconds: float | None) -> Budget:
    return Budget(nodes, DEFAULT_SECONDS if nodes is None and seconds is None else seconds)


def _executor(name: str | None, jobs: int) -> executors.Executor | None:
    return executors.named(name, jobs) if name is not None else None
