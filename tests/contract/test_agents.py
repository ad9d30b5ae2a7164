"""Every agent keeps the same promises. One file, all rooms."""

from __future__ import annotations

import json

import pytest

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Briefed, Budget
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import CRASHED, CUT_OFF, ILLEGAL, AgentSpec, decode, encode, verify
from gridsage.games import catalog

BROKEN_ON_PURPOSE = {("stroll", "crashing"), ("stroll", "deadly"), ("stroll", "backwards")}
AGENTS = [
    (game, name)
    for game in catalog.names()
    for name in (catalog.agent_entries(catalog.room(game)) if catalog.room(game).rules.missing() is None else ())
    if (game, name) not in BROKEN_ON_PURPOSE
]
IDS = [f"{game}-{agent}" for game, agent in AGENTS]
STEPS = 25


def some_level(room: Room) -> NamedLevel:
    names = room.levels.names()
    return NamedLevel(names[0], room.levels.text(names[0])) if names else room.levels.of_seed(1)


def played(game: str, agent: str, budget: Budget, seed: int = 1, steps: int = STEPS):
    room = catalog.ready_room(game)
    specs = (AgentSpec(agent),) * room.rules.seats
    return play(episode(room, some_level(room), specs, seed, {}, budget, max_steps=steps), keep_thoughts=True)


@pytest.mark.parametrize(("game", "agent"), AGENTS, ids=IDS)
@pytest.mark.parametrize("budget", [Budget(nodes=0), Budget(seconds=0.0)], ids=["no nodes", "no time"])
def test_an_agent_answers_legally_on_a_budget_of_zero(game, agent, budget):
    result = played(game, agent, budget, steps=12)
    assert result.trace.outcome.reason not in (CRASHED, ILLEGAL), result.figures.get("fault")


@pytest.mark.parametrize(("game", "agent"), AGENTS, ids=IDS)
def test_a_node_budget_repeats_exactly_and_the_trace_verifies(game, agent):
    first, second = (played(game, agent, Budget(nodes=300)) for _ in range(2))
    assert first.trace.outcome.reason not in (CRASHED, ILLEGAL), first.figures.get("fault")
    assert first.trace == second.trace
    room = catalog.room(game)
    again = decode(encode(first.trace))
    assert again == first.trace
    assert verify(again, room.rules.game(), catalog.options(room, again.options)) == len(again.actions)


@pytest.mark.parametrize(("game", "agent"), AGENTS, ids=IDS)
def test_a_second_is_not_overrun(game, agent):
    budget = Budget(seconds=0.05)
    result = played(game, agent, budget, steps=6)
    assert result.trace.outcome.reason not in (CRASHED, ILLEGAL), result.figures.get("fault")
    assert result.decisions.get("p50", 0.0) < 0.05 + 0.25, "half of the decisions came much too late"


@pytest.mark.parametrize("game", sorted({game for game, _ in AGENTS}))
def test_an_agent_plays_the_same_from_an_observation_that_came_by_wire(game):
    room = catalog.ready_room(game)
    agent = room.players.default
    specs = (AgentSpec(agent),) * room.rules.seats
    spec = episode(room, some_level(room), specs, 2, {}, Budget(nodes=200), max_steps=15)
    wired = [Wired(room, catalog.agent(room, each)) for each in specs]
    assert play(spec, agents=wired).trace == play(spec).trace


class Wired:
    """An agent behind a wire: it sees only what JSON carries."""

    def __init__(self, room: Room, agent) -> None:
        self.room, self.agent, self.name = room, agent, agent.name
        if isinstance(agent, Briefed):
            self.begin = agent.begin

    def decide(self, observation, budget):
        data = json.loads(json.dumps(self.room.rules.encode(observation)))
        return self.agent.decide(self.room.rules.decode(data), budget)


def test_the_cut_off_is_an_outcome_of_its_own():
    assert played("stroll", "straight", Budget(), steps=1).trace.outcome.reason == CUT_OFF
