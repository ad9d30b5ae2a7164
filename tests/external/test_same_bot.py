"""The same bot as a class in the worker and as a process behind the protocol plays the same game, byte for byte."""

from __future__ import annotations

import msgspec
import pytest

from gridsage.arena import executors
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, encode
from gridsage.games import catalog

ROOMS = [name for name in catalog.names() if catalog.room(name).rules.missing() is None]
STEPS = 40
WRAPPED = '''
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog


class Wrapped:
    """Plays as one of the room's own agents does."""

    name = "wrapped"

    def __init__(self, *, inner: str):
        self.inner_name = inner

    def begin(self, briefing):
        self.inner = catalog.agent(catalog.room(briefing.game), AgentSpec(self.inner_name))
        if hasattr(self.inner, "begin"):
            self.inner.begin(briefing)

    def decide(self, observation, budget):
        return self.inner.decide(observation, budget)
'''


def first_level(room) -> NamedLevel:
    names = room.levels.names()
    return NamedLevel(names[0], room.levels.text(names[0])) if names else room.levels.of_seed(1)


@pytest.mark.parametrize("game", ROOMS)
@pytest.mark.parametrize("conditions", ["auto"], indirect=True)
def test_class_and_process_give_identical_bytes(game, conditions, tmp_path):
    room = catalog.ready_room(game)
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(WRAPPED)
    names = list(room.players.agents())
    chosen = dict.fromkeys([names[0], room.players.default])
    todo = []
    for inner in chosen:
        spec = AgentSpec(f"{folder / 'bot.py'}:Wrapped", {"inner": inner})
        specs = [spec] * room.rules.seats
        todo.append(episode(room, first_level(room), specs, 3, {}, Budget(nodes=300), STEPS))
    outside = executors.run(todo, conditions=conditions)
    inside = executors.run(todo, conditions=msgspec.structs.replace(conditions, trust=True))
    assert [result.figures.get("fault") for result in outside] == [None] * len(todo)
    assert [encode(result.trace) for result in outside] == [encode(result.trace) for result in inside]
    assert {str(result.figures["walls"]) for result in inside} == {"trusted"}
    assert all(result.trace.actions for result in outside)
