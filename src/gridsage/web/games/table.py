"""The game on a table where a person sits: its moves so far, and the agents who can be asked to join."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from gridsage.arena.conditions import DEFAULT
from gridsage.arena.external import seats
from gridsage.arena.guard import Dark, Seat
from gridsage.arena.recorder import assembled
from gridsage.core import trace
from gridsage.core.errors import IllegalAction, OptionError
from gridsage.core.game import Action, Agent, Briefed, Briefing, Closing, Decision, Model, Outcome, Own, Thoughts
from gridsage.core.rng import child_seed
from gridsage.core.trace import AgentSpec, Result, state_hash
from gridsage.games import catalog
from gridsage.web import levels, messages
from gridsage.web.games.session import playable

MOST_POINTED = 400  # legal actions that are tried out to see where they lead
Pointed = list[Action | str | list[int]]  # an action, its label, from cell, to cell, what moves, perhaps an area


class _Seated:
    """What a stranger's process is told about a table: its game, with the stranger's name at its seat."""

    def __init__(self, table: Table, seat: int, spec: AgentSpec) -> None:
        self.room, self.game = table.room, table.game
        agents = [spec if place == seat else other for place, other in enumerate(table.episode.agents)]
        self.episode = msgspec.structs.replace(table.episode, agents=tuple(agents))


class Table:
    """The running game. Pure games keep every state, so that moves can be taken back."""

    def __init__(self, message: messages.Setting, home: Path, salt: int | UnsetType = UNSET) -> None:
        self.room = playable(message.game)
        self.episode = msgspec.structs.replace(levels.episode(self.room, message, home), salt=salt)
        self.options = catalog.options(self.room, dict(message.options))
        self.game = self.room.rules.game()
        self.pure = isinstance(self.game, Model)
        self.begin()

    def begin(self) -> None:
        """Set up the first position, with nobody having thought about anything."""
        state = self.game.start(self.game.parse(self.episode.level), self.options, self.episode.chance)
        self._ended: Outcome | None = None
        self.states, self.actions = [state], list[Action]()
        self._hashes = [(0, state_hash(self.game, state))]
        self._thoughts: dict[int, Thoughts] = {}
        self._players: dict[tuple[int, str], Agent] = {}

    def close(self) -> None:
        """Give back what the game and its agents hold."""
        for thing in (self.game, *self._players.values()):
            if isinstance(thing, Closing):
                thing.close()

    # How it stands

    @property
    def state(self) -> Own:
        """The position at hand."""
        return self.states[-1]

    @property
    def t(self) -> int:
        """How many moves were made."""
        return len(self.actions)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.game.seat(self.state)

    @property
    def people(self) -> list[int]:
        """The seats of the people at this screen."""
        return [seat for seat, spec in enumerate(self.episode.agents) if spec.name == levels.HUMAN]

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return self.game.outcome(self.state) or self._ended

    def state_at(self, t: int) -> Own:
        """Return the position after `t` moves; an OptionError where the game keeps only the last one."""
        if t == self.t:
            return self.state
        if not self.pure:
            raise OptionError(f"{self.room.title} keeps no earlier position: ask about the present one")
        return self.states[min(t, self.t)]

    def legal(self) -> list[Pointed]:
        """Return what may be done, each action with where a person would point to choose it."""
        legal = list(self.game.legal(self.state))
        return [self._pointed(action, len(legal)) for action in legal]

    def _pointed(self, action: Action, among: int) -> Pointed:
        label, view = self.game.label(action), self.room.view
        if view.area is not None and (area := view.area(self.state, action)):
            return [action, label, -1, -1, "", list(area)]
        if view.point is not None and (cell := view.point(self.state, action)) >= 0:
            return [action, label, -1, cell, ""]
        if not self.pure or among > MOST_POINTED:
            return [action, label, -1, -1, ""]
        after = self.game.step(self.state, action)
        moved = [event for event in self.game.events(self.state, action, after) if event.cell >= 0 and event.to >= 0]
        if len({event.who for event in moved}) != 1:
            return [action, label, -1, -1, ""]
        return [action, label, moved[0].cell, moved[0].to, moved[0].who]

    # What is done

    def step(self, decision: Decision) -> Own:
        """Play an action and return the position before it."""
        before = self.state
        if self.outcome() is not None:
            raise IllegalAction("the game is over")
        after = self.game.step(before, decision.action)
        self.actions.append(decision.action)
        if decision.thoughts is not None:
            self._thoughts[self.t - 1] = msgspec.structs.replace(decision.thoughts, timings={})
        self.states[len(self.states) if self.pure else 0 :] = [after]
        if self.t % trace.HASH_EVERY == 0:
            self._hashes.append((self.t, state_hash(self.game, after)))
        return before

    def end(self, outcome: Outcome) -> None:
        """End the game otherwise than by its rules."""
        self._ended = outcome

    def back_to(self, t: int) -> None:
        """Take back every move after the first `t`."""
        if not self.pure:
            raise OptionError(f"{self.room.title} cannot be taken back: what happened, happened")
        self._ended = None
        del self.states[t + 1 :], self.actions[t:]
        self._hashes = [entry for entry in self._hashes if entry[0] <= t]
        self._thoughts = {step: told for step, told in self._thoughts.items() if step < t}
        self._players.clear()  # they may remember what has not happened

    # Who plays

    def player(self, name: str, seat: int) -> Agent:
        """Return the agent that sits at `seat`; it is made when it is first asked for."""
        if (seat, name) not in self._players:
            self._players[seat, name] = self.new_agent(name, seat)
        return self._players[seat, name]

    def new_agent(self, name: str, seat: int) -> Agent:
        """Return a new agent that knows its seat; a stranger plays in a process of its own."""
        spec = levels.agent_spec(self.room, name)
        briefing = Briefing(self.room.name, self.options, seat, child_seed(self.episode.seed, "agent", seat))
        if seats.is_stranger(self.room, spec):
            place = Seat(briefing, self.episode.budgets[seat], DEFAULT, Dark())
            return seats.Guest(_Seated(self, seat, spec), place, lambda: self.state)
        agent = catalog.agent(self.room, spec)
        if isinstance(agent, Briefed):
            agent.begin(briefing)
        return agent

    def result(self) -> Result:
        """Return the game so far as a trace. A person's game has an id of its own: it would not happen again."""
        outcome = self.outcome() or Outcome(trace.STOPPED, (0.0,) * len(self.episode.agents))
        last = [] if self._hashes[-1][0] == self.t else [(self.t, state_hash(self.game, self.state))]
        name = hashlib.blake2b(f"{self.episode.id}{self.actions}".encode(), digest_size=16).hexdigest()
        thoughts, version = tuple(sorted(self._thoughts.items())), self.game.rules_version
        recorded = assembled(self.episode, version, self.actions, [*self._hashes, *last], outcome, thoughts)
        return Result(msgspec.structs.replace(recorded, episode=name), {}, 0.0)
