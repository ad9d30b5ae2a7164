"""Play one episode and write down what happened."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gridsage.core.errors import IllegalAction
from gridsage.core.game import (
    Agent,
    Briefed,
    Briefing,
    Budget,
    Closing,
    Decision,
    Game,
    Outcome,
    StopGame,
    Tally,
    Thoughts,
)
from gridsage.core.rng import child_seed
from gridsage.core.room import Room
from gridsage.core.trace import (
    CRASHED,
    CUT_OFF,
    GAME_CRASHED,
    HASH_EVERY,
    ILLEGAL,
    STOPPED,
    Episode,
    Result,
    Trace,
    from_outside,
    state_hash,
)
from gridsage.games import catalog

Watcher = Callable[[int, Any, Decision | None, Sequence[Any]], bool | None]


def play(
    episode: Episode,
    *,
    watch: Watcher | None = None,
    keep_thoughts: bool = False,
    agents: Sequence[Agent] | None = None,
) -> Result:
    """Play `episode` to its end and return the trace with its statistics.

    Args:
        watch: called with (steps so far, state, decision or None at the start, events); returning False stops the game.
        keep_thoughts: store the agents' thoughts in the trace, for replays with overlays.
        agents: players made already, one per seat; by default they are made from the episode.
    """
    room = catalog.ready_room(episode.game)
    options = catalog.options(room, episode.options)
    players = list(agents) if agents is not None else [catalog.agent(room, spec) for spec in episode.agents]
    for seat, player in enumerate(players):
        if isinstance(player, Briefed):
            player.begin(Briefing(episode.game, options, seat, child_seed(episode.seed, "agent", seat)))
    game = room.rules.game()
    try:
        return _Match(episode, room, game, options, players).run(watch, keep_thoughts)
    finally:
        for thing in (game, *players):
            if isinstance(thing, Closing):
                thing.close()


def _checked(decision: object) -> Decision:
    """Return the agent's answer with a plain int as action; integers of NumPy are accepted."""
    if not isinstance(decision, Decision):
        raise TypeError(f"decide returned {type(decision).__name__}, expected Decision")
    action = operator.index(decision.action)
    return decision if type(decision.action) is int else Decision(action, decision.thoughts, decision.memory)


class _Match:
    """The running game: it owns the state; the players only answer."""

    def __init__(
        self, episode: Episode, room: Room, game: Game[Any, Any, Any], options: Any, players: Sequence[Agent]
    ) -> None:
        self.episode, self.game, self.players = episode, game, players
        self.budgets = episode.budgets or (Budget(),) * len(players)
        self.state = game.start(game.parse(episode.level), options, episode.seed)
        self.tally: Tally[Any] | None = room.rules.tally(game) if room.rules.tally is not None else None
        self.actions: list[int] = []
        self.hashes = [(0, state_hash(game, self.state))]
        self.thoughts: list[tuple[int, Thoughts]] = []
        self.clock: list[float] = []  # seconds of each decision of seat 0
        self.nodes = 0

    def run(self, watch: Watcher | None, keep_thoughts: bool) -> Result:
        began = time.perf_counter()
        if watch is not None:
            watch(0, self.state, None, ())
        outcome = self.game.outcome(self.state)
        while outcome is None:
            outcome = self._cut_off() or self._turn(watch, keep_thoughts) or self.game.outcome(self.state)
        return self._result(outcome, time.perf_counter() - began)

    def _cut_off(self) -> Outcome | None:
        return self._loss(CUT_OFF, None) if len(self.actions) >= self.episode.max_steps else None

    def _turn(self, watch: Watcher | None, keep_thoughts: bool) -> Outcome | None:
        """Ask the player, step the game, record it. Return an outcome only if a fault or a person ended the game."""
        seat = self.game.seat(self.state)
        observation = self.game.observe(self.state, seat)
        began = time.perf_counter()
        try:
            decision = _checked(self.players[seat].decide(observation, self.budgets[seat]))
        except StopGame:
            return self._loss(STOPPED, None)
        except (Exception, SystemExit) as error:  # an agent is anybody's code: its crash ends this match, not the run
            self.fault = f"{type(error).__name__}: {error}"
            return self._loss(CRASHED, seat)
        if seat == 0:
            self.clock.append(time.perf_counter() - began)
        before = self.state
        try:
            self.state = self.game.step(before, decision.action)
        except IllegalAction as error:
            self.fault = str(error)
            return self._loss(ILLEGAL, seat)
        except Exception as error:  # a fault of the rules, which may be anybody's too: named, and nobody wins
            self.fault = f"{type(error).__name__}: {error}"
            return self._loss(GAME_CRASHED, None)
        self._note(before, decision, keep_thoughts)
        if watch is not None:
            events = self.game.events(before, decision.action, self.state)
            if watch(len(self.actions), self.state, decision, events) is False:
                return self._loss(STOPPED, None)
        return None

    def _note(self, before: Any, decision: Decision, keep_thoughts: bool) -> None:
        self.actions.append(decision.action)
        if decision.thoughts is not None:
            self.nodes += decision.thoughts.nodes
            if keep_thoughts:
                timeless = msgspec.structs.replace(decision.thoughts, timings={})
                self.thoughts.append((len(self.actions) - 1, timeless))
        if self.tally is not None:
            self.tally.add(before, decision.action, self.state)
        if len(self.actions) % HASH_EVERY == 0:
            self.hashes.append((len(self.actions), state_hash(self.game, self.state)))

    fault: str = ""  # what the player did wrong, in words

    def _loss(self, reason: str, seat: int | None) -> Outcome:
        """Return the outcome of a game that the rules did not end; with two seats, a fault makes the other seat win."""
        return from_outside(reason, len(self.players), seat)

    def _result(self, outcome: Outcome, seconds: float) -> Result:
        steps = len(self.actions)
        if self.hashes[-1][0] != steps:
            self.hashes.append((steps, state_hash(self.game, self.state)))
        episode = self.episode
        trace = Trace(
            game=episode.game,
            rules_version=self.game.rules_version,
            options=episode.options,
            level_name=episode.level_name,
            level=episode.level,
            seed=episode.seed,
            agents=episode.agents,
            budgets=self.budgets,
            actions=tuple(self.actions),
            hashes=tuple(self.hashes),
            outcome=outcome,
            episode=episode.id,
            thoughts=tuple(self.thoughts),
        )
        figures: dict[str, float | str] = dict(self.tally.figures()) if self.tally is not None else {}
        if self.fault:
            figures["fault"] = self.fault
        return Result(trace, figures, seconds, self._decision_times())

    def _decision_times(self) -> dict[str, float]:
        times = sorted(self.clock)
        if not times:
            return {"nodes": float(self.nodes)}
        p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
        return {"p50": times[len(times) // 2], "p95": p95, "max": times[-1], "nodes": float(self.nodes)}
