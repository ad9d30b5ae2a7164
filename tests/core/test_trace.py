"""Traces: what is written is read back, and a changed one is found out."""

from __future__ import annotations

import gzip

import msgspec
import pytest
from toys import stroll

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.errors import TraceError, TraceMismatch
from gridsage.core.game import Budget, Outcome
from gridsage.core.room import NamedLevel
from gridsage.core.trace import (
    AgentSpec,
    content_hash,
    decode,
    encode,
    forfeit,
    outcome_problem,
    state_hash,
    states,
    verify,
)

LONG = NamedLevel("long", "S" + "." * 24 + "X")


@pytest.fixture
def trace():
    return play(episode(stroll.ROOM, LONG, [AgentSpec("straight")], 1, {}, Budget())).trace


def check(trace):
    return verify(trace, stroll.Stroll(), stroll.Options())


def after_five(trace):
    return list(states(trace, stroll.Stroll(), stroll.Options()))[5]


def test_a_trace_survives_its_file(trace):
    assert decode(encode(trace)) == trace
    assert decode(gzip.decompress(encode(trace))) == trace


def test_the_file_is_the_same_every_time(trace):
    assert encode(trace) == encode(decode(encode(trace)))


def test_an_honest_trace_verifies(trace):
    assert check(trace) == 25


def test_the_first_step_that_differs_is_named(trace):
    hashes = tuple((step, "0" * 16 if step >= 20 else value) for step, value in trace.hashes)
    with pytest.raises(TraceMismatch, match=r"step 20: .*last equal hash at step 10"):
        check(msgspec.structs.replace(trace, hashes=hashes))


def test_an_illegal_move_in_a_trace_is_named(trace):
    with pytest.raises(TraceMismatch, match="step 1: cannot go left from column 0"):
        check(msgspec.structs.replace(trace, actions=(0, *trace.actions)))


def test_a_claimed_outcome_is_not_believed(trace):
    with pytest.raises(TraceMismatch, match="the trace says"):
        check(msgspec.structs.replace(trace, outcome=Outcome("arrived", (99.0,), 0)))


def test_a_trace_cut_short_is_found_out(trace):
    with pytest.raises(TraceMismatch, match="the game goes on"):
        check(
            msgspec.structs.replace(
                trace,
                actions=trace.actions[:5],
                hashes=(trace.hashes[0], (5, state_hash(stroll.Stroll(), after_five(trace)))),
            )
        )


def unfinished(trace, outcome):
    """The first five steps, ended from outside."""
    last = (5, state_hash(stroll.Stroll(), after_five(trace)))
    return msgspec.structs.replace(trace, actions=trace.actions[:5], hashes=(trace.hashes[0], last), outcome=outcome)


@pytest.mark.parametrize("reason", ["stopped", "cut off", "agent crashed", "worker died"])
def test_who_ended_a_game_from_outside_has_won_nothing(trace, reason):
    assert check(unfinished(trace, Outcome(reason, (0.0,)))) == 5
    for lie in (Outcome(reason, (1e9,), 0), Outcome(reason, (0.0,), 0), Outcome(reason, (1.0,)), Outcome(reason, ())):
        with pytest.raises(TraceMismatch, match="nobody has scored"):
            check(unfinished(trace, lie))


def test_a_fault_at_a_table_for_two_is_won_by_the_other_seat_only():
    crashed = forfeit("agent crashed", 2, 1)
    assert crashed == Outcome("agent crashed", (1.0, 0.0), 0)
    assert outcome_problem(None, crashed, seats=2, mover=1) == ""
    assert "nobody has scored" in outcome_problem(None, crashed, seats=2, mover=0)
    assert "nobody has scored" in outcome_problem(None, forfeit("stopped", 2, 1), seats=2, mover=1)


def test_a_trace_without_hashes_proves_nothing(trace):
    with pytest.raises(TraceMismatch, match="no hash of its first or last state"):
        check(msgspec.structs.replace(trace, hashes=()))


def test_a_trace_of_older_rules_says_so(trace):
    with pytest.raises(TraceError, match="stroll rules v0, this build has v1"):
        check(msgspec.structs.replace(trace, rules_version=0))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not a gridsage trace"),
        (b"\x1f\x8bnonsense", "damaged compression"),
        (b'{"version": 99}', "has trace format 99, this build reads 1"),
        (b'{"version": 1, "game": "stroll"}', "it lacks"),
        (b"\xff\xfe\x00", "is not a gridsage trace"),
    ],
)
def test_a_foreign_file_is_refused_with_a_sentence(data, words):
    with pytest.raises(TraceError, match=words) as caught:
        decode(data, "some.trace")
    assert str(caught.value).startswith("some.trace")


def test_a_truncated_file_is_refused_with_a_sentence(trace):
    with pytest.raises(TraceError, match="damaged compression"):
        decode(encode(trace)[:-20])


def test_content_hash_follows_the_content(trace):
    assert content_hash(trace) != content_hash(msgspec.structs.replace(trace, seed=2))
