"""The promises of every agent, each as a check that lets it play."""

from __future__ import annotations

from collections.abc import Callable

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Agent, Briefed, Budget, Decision, Observation
from gridsage.core.room import Room
from gridsage.core.trace import CRASHED, ILLEGAL, Episode, Result, decode, encode, verify
from gridsage.games import catalog
from gridsage.testing.promises import require, some_level, through_json

NODES = 300  # of a decision
AGENT_STEPS = 25  # of a game that an agent plays
SECONDS = 0.05  # of a decision
GRACE = 0.25  # by which half of the decisions may be late on a busy machine


def answers_on_nothing(room: Room, agent: str) -> None:
    """With a budget of no nodes or no time the agent still answers legally."""
    for budget in (Budget(nodes=0), Budget(seconds=0.0)):
        _faultless(_played(room, agent, budget, steps=12))


def repeats_and_verifies(room: Room, agent: str) -> None:
    """With a node budget two games are equal, and the trace verifies after a journey through a file."""
    first, second = (_played(room, agent, Budget(nodes=NODES)) for _ in range(2))
    _faultless(first)
    require(first.trace == second.trace, "two games with the same seed and node budget differ")
    again = decode(encode(first.trace))
    steps = verify(again, room.rules.game(), catalog.options(room, again.options))
    require(steps == len(again.actions), "the trace does not verify to its end")


def plays_by_wire(room: Room, agent: str) -> None:
    """The agent plays the same game from observations that came as JSON: it looks at nothing else."""
    spec = _spec(room, agent, Budget(nodes=NODES), 15)
    bare = [catalog.agent(room, each) for each in spec.agents]  # in this process: a stranger's own has a wire already
    here = play(spec, agents=bare, keep_thoughts=True)
    wired = [_Wired(room, catalog.agent(room, each)) for each in spec.agents]
    there = play(spec, agents=wired, keep_thoughts=True)
    require(there.trace == here.trace, "the agent plays another game from decoded observations")


def keeps_the_deadline(room: Room, agent: str) -> None:
    """Half of the decisions come about in time."""
    result = _played(room, agent, Budget(seconds=SECONDS), steps=6)
    _faultless(result)
    late = result.decisions.get("p50", 0.0)
    require(late < SECONDS + GRACE, f"half of the decisions took more than {late:.2f} s of {SECONDS} s")


AGENT_CHECKS: tuple[Callable[[Room, str], None], ...] = (
    answers_on_nothing,
    repeats_and_verifies,
    plays_by_wire,
    keeps_the_deadline,
)


class _Wired:
    """An agent behind a wire: it sees only what JSON carries."""

    def __init__(self, room: Room, agent: Agent) -> None:
        self._room, self._agent, self.name = room, agent, agent.name
        if isinstance(agent, Briefed):
            self.begin = agent.begin

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        """Let the agent decide on what arrives."""
        rules = self._room.rules
        return self._agent.decide(rules.decode(through_json(rules.encode(observation))), budget)


def _spec(room: Room, agent: str, budget: Budget, steps: int) -> Episode:
    specs = (catalog.parse_agent(agent),) * room.rules.seats
    return episode(room, some_level(room), specs, 1, {}, budget, max_steps=steps)


def _played(room: Room, agent: str, budget: Budget, steps: int = AGENT_STEPS) -> Result:
    return play(_spec(room, agent, budget, steps), keep_thoughts=True)


def _faultless(result: Result) -> None:
    reason = result.trace.outcome.reason
    require(reason not in (CRASHED, ILLEGAL), f"{reason}: {result.figures.get('fault')}")
