"""Workers are given several episodes at once; the death of one must not take the others along."""

from __future__ import annotations

import pytest
from toys import stroll

from gridsage.arena import executors, tournament
from gridsage.arena.conditions import Conditions
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec

TRUSTING = Conditions(trust=True)  # else it would have a process of its own to end
DEADLY = """
import os


class Deadly:
    name = "deadly"

    def __init__(self, log: str) -> None:
        self.log = log

    def decide(self, observation, budget):
        with open(self.log, "a") as file:
            file.write("died\\n")
        os._exit(3)
"""


@pytest.fixture
def deadly(tmp_path) -> AgentSpec:
    """An agent that ends its process and writes down that it did."""
    (tmp_path / "deadly.py").write_text(DEADLY)
    return AgentSpec(f"{tmp_path / 'deadly.py'}:Deadly", {"log": str(tmp_path / "deaths")})


def bench(agent: AgentSpec, seeds: range):
    return tournament.bench_episodes(stroll.ROOM, None, [agent], seeds, {}, Budget(nodes=10))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_dying_worker_gives_the_rest_of_its_batch_back(deadly, tmp_path, place):
    todo = list(bench(AgentSpec("straight"), range(1, 24)))
    todo.insert(place, bench(deadly, range(1, 2))[0])
    assert len(todo) // (4 * 2) >= 3, "a worker of two must be given three episodes at once"
    reasons = [result.trace.outcome.reason for result in executors.run(todo, jobs=2, conditions=TRUSTING)]
    assert reasons[place] == "agent died"
    assert [reason for index, reason in enumerate(reasons) if index != place] == ["arrived"] * 23
    assert (tmp_path / "deaths").read_text() == "died\n" * 2, "it is tried once more, not oftener"
