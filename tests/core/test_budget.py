"""The meter of a budget."""

from __future__ import annotations

from gridsage.core import budget
from gridsage.core.budget import Meter
from gridsage.core.game import Budget


def test_nodes_are_counted_exactly():
    meter = Meter(Budget(nodes=3))
    assert [meter.spend() for _ in range(5)] == [True, True, True, False, False]
    assert (meter.spent, meter.left(99), meter.is_empty) == (3, 0, True)


def test_many_nodes_may_be_taken_at_once():
    meter = Meter(Budget(nodes=10))
    meter.take(4)
    assert (meter.left(99), meter.is_empty) == (6, False)
    meter.take(8)
    assert (meter.left(99), meter.is_empty) == (0, True)


def test_a_budget_without_nodes_takes_the_limit_it_is_given():
    assert Meter(Budget()).left(99) == 99
    assert Meter(Budget(), nodes=5).left(99) == 5
    assert Meter(Budget(nodes=2), nodes=5).left(99) == 2
    assert Meter(Budget(nodes=0), nodes=5).is_empty


def test_after_the_deadline_nothing_is_left():
    over = Meter(Budget(nodes=5, seconds=0.0))
    assert not over.in_time and over.is_empty and over.left(99) == 0 and not over.spend()
    assert Meter(Budget(seconds=60.0)).in_time


def test_a_share_of_the_seconds_can_be_kept_back():
    whole, part = Meter(Budget(seconds=100.0)), Meter(Budget(seconds=100.0), share=0.25)
    assert whole.deadline is not None and part.deadline is not None
    assert 99.9 < whole.deadline - whole.began < 100.1
    assert 24.9 < part.deadline - part.began < 25.1
    assert (whole.seconds, part.seconds, Meter(Budget(nodes=3)).seconds) == (100.0, 100.0, None)


def test_the_very_moment_of_the_deadline_is_too_late(monkeypatch):
    meter = Meter(Budget(seconds=8.0))
    for now, in_time in ((meter.began + 8.0, False), (meter.began + 7.5, True)):
        monkeypatch.setattr(budget.time, "perf_counter", lambda now=now: now)
        assert meter.in_time is in_time
