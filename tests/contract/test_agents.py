"""Every agent keeps the same promises. One file, all rooms."""

from __future__ import annotations

import pytest

from gridsage import testing
from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.core.trace import CUT_OFF, AgentSpec
from gridsage.games import catalog
from gridsage.games.levels import find_level

BROKEN_ON_PURPOSE = {("stroll", "crashing"), ("stroll", "deadly"), ("stroll", "backwards")}
AGENTS = [
    (game, name)
    for game in catalog.names()
    for name in (catalog.agent_entries(catalog.room(game)) if catalog.room(game).rules.missing() is None else ())
    if (game, name) not in BROKEN_ON_PURPOSE
]
IDS = [f"{game}-{agent}" for game, agent in AGENTS]


@pytest.mark.parametrize(("game", "agent"), AGENTS, ids=IDS)
@pytest.mark.parametrize("check", testing.AGENT_CHECKS, ids=lambda check: check.__name__)
def test_an_agent_keeps_its_promise(game, agent, check):
    check(catalog.ready_room(game), agent)


def test_the_cut_off_is_an_outcome_of_its_own():
    room = catalog.room("stroll")
    spec = episode(room, find_level(room, "short"), [AgentSpec("straight")], 1, {}, Budget(), max_steps=1)
    assert play(spec).trace.outcome.reason == CUT_OFF
