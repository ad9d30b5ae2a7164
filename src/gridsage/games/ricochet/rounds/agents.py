"""Players of a match: they claim what their own search finds, and show it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from gridsage.core.game import Action, Agent, Budget, Decision, Thoughts
from gridsage.core.room import AgentEntry
from gridsage.games.ricochet.agents import MissionPlanner, agents, plan_thoughts
from gridsage.games.ricochet.rounds.rules import CLAIM, TIME_UP, WAIT, Rounds, mission_state
from gridsage.games.ricochet.rounds.state import RoundsState
from gridsage.games.ricochet.rules import GIVE_UP
from gridsage.games.ricochet.state import State


class Bidder:
    """Searches once a round, claims what it found, and shows it.

    It claims even where somebody claims less: its own plan is the reserve if that claim cannot be shown.
    """

    def __init__(self, planner: MissionPlanner) -> None:
        self.name = planner.name
        self._planner = planner
        self._round = 0
        self._plan: tuple[Action, ...] = ()

    def decide(self, observation: RoundsState, budget: Budget) -> Decision:
        table = observation
        thoughts = None
        if table.round != self._round:
            thoughts = self._search(table, budget)
        if table.showing is not None:
            return Decision(self._next_move(table.showing), thoughts)
        legal = RULES.legal(table)
        claim = CLAIM + len(self._plan)
        if self._plan and claim in legal:  # one's own claim can only be lowered, so this happens once
            return Decision(claim, thoughts)
        return Decision(TIME_UP if TIME_UP in legal else WAIT, thoughts)

    def _search(self, table: RoundsState, budget: Budget) -> Thoughts:
        self._round = table.round
        state = mission_state(table)
        found = self._planner.search(state, budget)
        self._plan = found.plan
        return plan_thoughts(state, found.plan, self._planner.sentence(found), found.nodes)

    def _next_move(self, showing: State) -> Action:
        return self._plan[showing.moves] if showing.moves < len(self._plan) else GIVE_UP


def rounds_agents() -> dict[str, AgentEntry]:
    """A bidder for each agent of the mission room, with the same settings, weakest first."""
    return {name: AgentEntry(_bidder(entry.make), entry.summary) for name, entry in agents().items()}


def _bidder(make: Callable[..., Agent]) -> Callable[..., Bidder]:
    @wraps(make, updated=())  # keeps the signature, from which settings are read
    def made(**settings: object) -> Bidder:
        planner = make(**settings)
        assert isinstance(planner, MissionPlanner)  # every agent of the mission room is one
        return Bidder(planner)

    return made


RULES = Rounds()
