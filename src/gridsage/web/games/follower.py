"""What a trace does not keep: an agent that costs nothing is asked again while its game is replayed."""

from __future__ import annotations

from collections.abc import Callable

from gridsage.arena.external import seats
from gridsage.core.errors import GridsageError
from gridsage.core.game import Action, Agent, Briefed, Briefing, Budget, Memory, Own, Thoughts
from gridsage.core.rng import child_seed
from gridsage.core.room import Room
from gridsage.core.trace import Trace
from gridsage.games import catalog
from gridsage.web.levels import HUMAN


class Follower:
    """Plays a recorded solo game along, as long as its agent decides again as it did, to tell what it remembers.

    Only agents that weigh bids and search nothing are asked: their decisions cost next to nothing.
    """

    def __init__(self, room: Room, recorded: Trace, options: Own) -> None:
        self._agent: Agent | None = None
        self._budget = recorded.budgets[0] if recorded.budgets else Budget()
        told = [thoughts for _, thoughts in recorded.thoughts]
        searches = any(thoughts.nodes for thoughts in told)
        if (
            room.rules.seats != 1
            or searches
            or not any(thoughts.bids for thoughts in told)
            or recorded.agents[0].name == HUMAN
        ):
            return
        if seats.is_stranger(room, recorded.agents[0]):
            return  # a recording, perhaps brought by a visitor, must not choose what runs here
        try:
            self._agent = catalog.agent(room, recorded.agents[0])
        except GridsageError:
            return  # an agent of another machine
        if isinstance(self._agent, Briefed):
            self._agent.begin(Briefing(room.name, options, 0, child_seed(recorded.seed, "agent", 0)))

    def memory(self, observation: Own, action: Action, thoughts: Thoughts | None) -> Callable[[], Memory] | None:
        """How to ask what the agent remembered when it chose `action`; None where it would choose otherwise now."""
        if self._agent is None or thoughts is None:
            return None
        decision = self._agent.decide(observation, self._budget)
        if decision.action != action:
            self._agent = None
            return None
        return decision.memory
