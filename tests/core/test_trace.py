"""Traces: what is written is read back, and a changed one is found out."""

from __future__ import annotations

import gzip

import msgspec
import pytest
from toys import stroll

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core import trace as traces
from gridsage.core.errors import TraceError, TraceMismatch
from gridsage.core.game import Budget, Outcome
from gridsage.core.room import NamedLevel
from gridsage.core.trace import (
    AgentSpec,
    content_hash,
    decode,
    encode,
    forfeit,
    load,
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


# Limits and names that files of many years depend on


def test_a_file_as_long_as_the_limit_is_read_and_a_longer_one_is_not(trace, tmp_path, monkeypatch):
    plain, path = gzip.decompress(encode(trace)), tmp_path / "game.trace"
    path.write_bytes(plain)
    monkeypatch.setattr(traces, "MAX_BYTES", len(plain))
    assert load(path) == trace
    assert decode(encode(trace)) == trace
    monkeypatch.setattr(traces, "MAX_BYTES", len(plain) - 1)
    with pytest.raises(TraceError, match=f"has {len(plain):,} bytes, which no trace needs"):
        load(path)
    with pytest.raises(TraceError, match="unpacks to more than 0 MB"):
        decode(encode(trace))


def test_the_limits_in_bytes():
    assert traces.MAX_BYTES == 67_108_864
    assert traces.MOST_LOG == 65_536


def test_the_hash_of_an_episode_and_the_salted_chance_stay_the_same_for_ever():
    """Kept games are found by the first and played again by the second."""
    spec = traces.Episode("stroll", "long", "S.X", 7, (AgentSpec("straight"),), code="abc")
    assert spec.id == "037eb412095ffc1267bdddea7d22e49a"
    salted = msgspec.structs.replace(spec, salt=12345)
    assert salted.chance == 815569427172543918 and spec.chance == 7 and salted.id != spec.id


def test_hashes_lie_at_the_ends_and_ten_steps_apart(trace):
    assert [step for step, _ in trace.hashes] == [0, 10, 20, 25]
    assert {len(value) for _, value in trace.hashes} == {16}
    assert len(content_hash(trace)) == 32


def test_a_game_is_closed_after_it_was_verified_also_if_it_differs(trace):
    closed = []

    class Closed(stroll.Stroll):
        def close(self):
            closed.append(True)

    verify(trace, Closed(), stroll.Options())
    with pytest.raises(TraceMismatch):
        verify(msgspec.structs.replace(trace, hashes=()), Closed(), stroll.Options())
    assert closed == [True, True]


def test_a_game_that_never_began_may_be_lost_by_any_seat():
    for seat in (0, 1):
        assert outcome_problem(None, forfeit("refused to start", 2, seat), seats=2, mover=None) == ""
    assert forfeit("cut off", 2, None) == Outcome("cut off", (0.0, 0.0), None)
    assert forfeit("agent crashed", 1, 0) == Outcome("agent crashed", (0.0,), None)
    assert forfeit("agent crashed", 3, 0) == Outcome("agent crashed", (0.0, 0.0, 0.0), None)


def test_a_settled_agent_is_named_as_it_is_typed():
    assert str(AgentSpec("master", {"width": "3", "depth": "2"})) == "master:width=3:depth=2"
