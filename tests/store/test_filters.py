"""A result put again replaces the old one only when asked to, and filters see every seat."""

from __future__ import annotations

import msgspec
from toys import nim, stroll

from gridsage.arena import executors, tournament
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, content_hash
from gridsage.store import Store


def test_put_keeps_the_first_result_of_an_episode_unless_it_is_to_be_replaced(home):
    store = Store(home)
    (result,) = executors.run(
        tournament.bench_episodes(stroll.ROOM, None, [AgentSpec("straight")], [1], {}, Budget(nodes=10))
    )
    shorter = msgspec.structs.replace(result.trace, actions=result.trace.actions[:-1], hashes=result.trace.hashes[:1])
    other = msgspec.structs.replace(result, trace=shorter, seconds=7.0)
    store.put(result)
    store.put(other)
    (row,) = store.rows()
    assert (row.trace, row.steps) == (content_hash(result.trace), len(result.trace.actions))
    store.put(other, replace=True)
    (row,) = store.rows()
    assert (row.trace, row.steps, row.seconds) == (content_hash(shorter), len(result.trace.actions) - 1, 7.0)
    assert store.load(result.trace.episode) == shorter


def test_the_filter_by_agent_sees_both_seats(home):
    store = Store(home)
    todo = tournament.match_episodes(
        nim.ROOM, NamedLevel("heap", "9"), AgentSpec("modulo"), AgentSpec("anyhow"), 2, {}, Budget(nodes=1)
    )
    for result in executors.run(todo):
        store.put(result)
    assert len(store.rows(agent="modulo")) == len(store.rows(agent="anyhow")) == 4
    assert store.rows(agent="nobody") == []
