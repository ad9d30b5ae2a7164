"""Play one episode and write down what happened."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from gridsage.arena.conditions import DEFAULT, Conditions
from gridsage.arena.external import seats
from gridsage.arena.guard import Ask, Beacon, Dark, Fault, Inside, Player, Seat
from gridsage.arena.recorder import Recorder
from gridsage.core.errors import IllegalAction
from gridsage.core.game import Agent, Briefing, Budget, Decision, Event, Outcome, Own, StopGame
from gridsage.core.rng import child_seed
from gridsage.core.trace import CUT_OFF, GAME_CRASHED, ILLEGAL, MOST_LOG, STOPPED, Episode, Result, forfeit
from gridsage.games import catalog

Watcher = Callable[[int, Own, Decision | None, Sequence[Event]], bool | None]
OVERRUN = 1.5  # budgets; a decision that takes more is reported


def play(
    episode: Episode,
    *,
    watch: Watcher | None = None,
    keep_thoughts: bool = False,
    agents: Sequence[Agent | None] | None = None,
    conditions: Conditions = DEFAULT,
    beacon: Beacon | None = None,
    launched: seats.Launched | None = None,
    stoppable: bool = False,
) -> Result:
    """Play `episode` to its end and return the trace with its statistics.

    Args:
        watch: called with (steps so far, state, decision or None at the start, events); returning False stops the game.
        keep_thoughts: store the agents' thoughts in the trace, for replays with overlays.
        agents: players made already, one per seat; no clock is held against them. Where there is None, and by
            default, they are made from the episode.
        launched: processes that were started for this episode beforehand.
        stoppable: let ctrl-C stop the game, which is then returned as far as it went, instead of the program.
    """
    light = beacon or Dark()
    result, killed = _played(episode, watch, keep_thoughts, agents, conditions, light, launched, stoppable)
    if killed and watch is None:  # perhaps by a machine short of memory: only what happens twice is the agent's
        result, _ = _played(episode, watch, keep_thoughts, agents, conditions, light, None)
    return result


def _played(
    episode: Episode,
    watch: Watcher | None,
    keep_thoughts: bool,
    agents: Sequence[Agent | None] | None,
    conditions: Conditions,
    beacon: Beacon,
    launched: seats.Launched | None,
    stoppable: bool = False,
) -> tuple[Result, bool]:
    """Return the result, and True if an agent's process was killed by somebody else."""
    recorder = Recorder(episode, catalog.ready_room(episode.game))
    players: list[Player] = []
    try:
        places = [_seat(recorder, seat, conditions, beacon) for seat in range(len(episode.agents))]
        for agent, place in zip(agents or [None] * len(places), places, strict=True):
            if agent is not None:
                players.append(Inside(_returning(agent), place, timed=False))
            else:
                players.append(seats.player(recorder, place, launched))
        match = _Match(recorder, players, keep_thoughts, beacon)
        outcome = match.run(watch, stoppable=stoppable)
        for player in players:
            player.close(outcome)
        return match.result(outcome), match.killed
    finally:
        for player in players:
            player.close(None)  # those who are closed already have nothing left to do
        recorder.close()


def _returning(agent: Agent) -> Callable[[], Agent]:
    return lambda: agent


def _seat(recorder: Recorder, seat: int, conditions: Conditions, beacon: Beacon) -> Seat:
    episode = recorder.episode
    briefing = Briefing(episode.game, recorder.options, seat, child_seed(episode.seed, "agent", seat))
    budget = episode.budgets[seat] if episode.budgets else Budget()
    return Seat(briefing, budget, conditions, beacon)


class _Match:
    """The running game: it owns the state; the players only answer."""

    def __init__(self, recorder: Recorder, players: Sequence[Player], keep_thoughts: bool, beacon: Beacon) -> None:
        self.recorder, self.game, self.players = recorder, recorder.game, players
        self.keep_thoughts, self.beacon = keep_thoughts, beacon
        self.clock: list[float] = []  # seconds of each decision of seat 0
        self.nodes = 0
        self.fault = ""  # what a player did wrong, in words
        self.killed = False
        self.seconds = 0.0

    def run(self, watch: Watcher | None, *, stoppable: bool) -> Outcome:
        """Play to the end."""
        began = time.perf_counter()
        try:
            outcome = self._to_the_end(watch)
        except KeyboardInterrupt:
            if not stoppable:
                raise
            outcome = self.game.outcome(self.recorder.state) or self._loss(STOPPED, None)
        self.seconds = time.perf_counter() - began
        return outcome

    def _to_the_end(self, watch: Watcher | None) -> Outcome:
        outcome = self._seated()
        if watch is not None and watch(0, self.recorder.state, None, ()) is False:
            outcome = outcome or self._loss(STOPPED, None)
        outcome = outcome or self.game.outcome(self.recorder.state)
        while outcome is None:
            outcome = self._cut_off() or self._turn(watch) or self.game.outcome(self.recorder.state)
        return outcome

    def _seated(self) -> Outcome | None:
        """Wait until every player is ready; return an outcome if one never will be."""
        steps = [(seat, player.start) for seat, player in enumerate(self.players)]
        steps += [(seat, player.ready) for seat, player in enumerate(self.players)]
        for seat, step in steps:
            try:
                step()
            except Fault as fault:
                return self._failed(fault, seat)
        return None

    def _cut_off(self) -> Outcome | None:
        reached = len(self.recorder.actions) >= self.recorder.episode.max_steps
        return self._loss(CUT_OFF, None) if reached else None

    def _turn(self, watch: Watcher | None) -> Outcome | None:
        """Ask, step, note. Return an outcome only if the player's fault or a person ended the game."""
        recorder, before = self.recorder, self.recorder.state
        seat = self.game.seat(before)
        ask = Ask(len(recorder.actions), self.game.observe(before, seat), before)
        began = time.perf_counter()
        try:
            decision = self.players[seat].decide(ask)
        except StopGame:
            return self._loss(STOPPED, None)
        except Fault as fault:
            return self._failed(fault, seat)
        if seat == 0:
            self.clock.append(time.perf_counter() - began)
        try:
            recorder.step(decision.action)
        except IllegalAction as error:
            return self._failed(Fault(ILLEGAL, str(error)), seat)
        except Exception as error:  # a fault of the rules, which may be anybody's too: named, and nobody wins
            self.fault = f"{type(error).__name__}: {error}"
            return self._loss(GAME_CRASHED, None)
        self.beacon.note(decision.action)
        if decision.thoughts is not None:
            self.nodes += decision.thoughts.nodes
            if self.keep_thoughts:
                recorder.keep(decision.thoughts)
        if watch is not None:
            events = self.game.events(before, decision.action, recorder.state)
            if watch(len(recorder.actions), recorder.state, decision, events) is False:
                return self._loss(STOPPED, None)
        return None

    def _failed(self, fault: Fault, seat: int) -> Outcome:
        self.fault, self.killed = fault.words, fault.killed
        return self._loss(fault.reason, seat)

    def _loss(self, reason: str, seat: int | None) -> Outcome:
        """Return the outcome of a game that the rules did not end; with two seats, a fault makes the other seat win."""
        return forfeit(reason, len(self.players), seat)

    def result(self, outcome: Outcome) -> Result:
        """Return the whole account; the players are closed by now, so their logs are complete."""
        figures = self.recorder.figures()
        if self.fault:
            figures["fault"] = self.fault
        if walls := seats.walls_words(self.players):
            figures["walls"] = walls
        log = "\n".join(player.log for player in self.players if player.log)[:MOST_LOG]
        return Result(
            self.recorder.trace(outcome), figures, self.seconds, self._decision_times(), self.recorder.episode.code, log
        )

    def _decision_times(self) -> dict[str, float]:
        times = sorted(self.clock)
        if not times:
            return {"nodes": float(self.nodes)}
        p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
        found = {"p50": times[len(times) // 2], "p95": p95, "max": times[-1], "nodes": float(self.nodes)}
        budgets = self.recorder.episode.budgets
        if budgets and budgets[0].seconds and (late := sum(spent > OVERRUN * budgets[0].seconds for spent in times)):
            found["overruns"] = float(late)
        return found
