"""A trace can be proved twice: its states by the rules, its moves by its agents."""

from __future__ import annotations

import msgspec
import pytest
from toys import stroll

from external.bots import script
from gridsage.arena import match, tournament
from gridsage.arena.again import verify_agents
from gridsage.core.errors import TraceError, TraceMismatch
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec

LINE = NamedLevel("line", "..S....X")


def played(agent: str, conditions, budget: Budget = Budget(nodes=5)):  # noqa: B008 (it is frozen)
    game = tournament.episode(stroll.ROOM, LINE, [AgentSpec(agent)], 3, {}, budget)
    return match.play(game, conditions=conditions).trace


def test_agents_that_play_the_same_moves_again_prove_who_played(conditions, tmp_path):
    honest = script(tmp_path / "bot")
    assert verify_agents(played(honest, conditions), conditions) == 5
    drunk = played("drunk", conditions)
    assert verify_agents(drunk, conditions) == len(drunk.actions)


def test_a_trace_under_a_false_name_is_found_at_its_first_other_move(conditions):
    forged = msgspec.structs.replace(played("drunk", conditions), agents=(AgentSpec("straight"),))
    with pytest.raises(TraceMismatch, match=r"move \d+: the trace says 'left', its agents play 'right'"):
        verify_agents(forged, conditions)


def test_a_fault_repeats_too(conditions, tmp_path):
    moody = script(tmp_path / "bot", at_turn="act(m) if m['turn'] < 2 else sys.exit(1)")
    trace = played(moody, conditions)
    assert trace.outcome.reason == "agent crashed" and verify_agents(trace, conditions) == 2
    cured = msgspec.structs.replace(trace, agents=(AgentSpec("straight"),))
    with pytest.raises(TraceMismatch, match="the trace ends with 'agent crashed', its agents with 'cut off'"):
        verify_agents(cured, conditions)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"agents": (AgentSpec("person"),)}, "a person played this game"),
        ({"budgets": (Budget(seconds=0.1),)}, "only node budgets repeat"),
    ],
)
def test_what_cannot_be_played_again_is_said(conditions, change, words):
    with pytest.raises(TraceError, match=words):
        verify_agents(msgspec.structs.replace(played("straight", conditions), **change), conditions)
