"""One episode: played, recorded, and ended by name whatever the agent does."""

from __future__ import annotations

import numpy as np
import pytest
from toys import nim, stroll

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget, Decision, StopGame, Thoughts
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, verify

SHORT = NamedLevel("short", "S...X")


def stroll_episode(*agents: str, level: NamedLevel = SHORT, options=None, steps=None):
    specs = [AgentSpec(agent) for agent in agents]
    return episode(stroll.ROOM, level, specs, 1, options or {}, Budget(nodes=100), steps)


def test_a_game_is_played_to_its_end():
    result = play(stroll_episode("straight"))
    assert result.trace.outcome.reason == "arrived"
    assert result.trace.actions == (1, 1, 1, 1)
    assert result.figures == {"lefts": 0.0}
    assert result.decisions["nodes"] == 4


@pytest.mark.parametrize(
    ("agent", "reason", "fault"),
    [
        ("crashing", "agent crashed", "ZeroDivisionError: no luck"),
        ("backwards", "illegal action", "cannot go left from column 0"),
    ],
)
def test_a_fault_of_the_agent_ends_that_match_by_name(agent, reason, fault):
    result = play(stroll_episode(agent))
    assert result.trace.outcome.reason == reason
    assert result.trace.outcome.winner is None
    assert result.figures["fault"] == fault
    assert verify(result.trace, stroll.Stroll(), stroll.Options()) == 0


def test_in_a_game_for_two_the_other_seat_wins_a_fault():
    class Cheat:
        name = "cheat"

        def decide(self, observation, budget):
            return Decision(7)

    spec = episode(nim.ROOM, NamedLevel("heap", "9"), [AgentSpec("cheat"), AgentSpec("modulo")], 1, {}, Budget())
    outcome = play(spec, agents=[Cheat(), nim.Modulo()]).trace.outcome
    assert (outcome.reason, outcome.winner, outcome.scores) == ("illegal action", 1, (0.0, 1.0))


def test_the_agent_is_shown_the_observation_and_not_the_truth():
    seen = []

    class Curious:
        name = "curious"

        def decide(self, observation, budget):
            seen.append(observation.level.text)
            return Decision(stroll.RIGHT)

    result = play(stroll_episode("curious", level=NamedLevel("trap", "XS.T")), agents=[Curious()])
    assert result.trace.outcome.reason == "fell into the trap"
    assert seen == ["XS..", "XS.."], "the trap must not be visible"


def test_options_reach_the_rules():
    assert play(stroll_episode("drunk", options={"patience": 1})).trace.outcome.reason == "out of patience"


def test_a_game_without_end_is_cut_off():
    assert (
        play(stroll_episode("drunk", level=NamedLevel("far", "S" * 1 + "." * 60 + "X"), steps=10)).trace.outcome.reason
        == "cut off"
    )


def test_a_watcher_sees_every_step_and_may_stop():
    seen = []

    def watch(steps, state, decision, events):
        seen.append((steps, [event.kind for event in events]))
        return steps < 2

    trace = play(stroll_episode("straight"), watch=watch).trace
    assert seen == [(0, []), (1, ["moved"]), (2, ["moved"])]
    assert trace.outcome.reason == "stopped"


def test_a_person_who_leaves_ends_the_game_without_fault():
    class Person:
        name = "person"

        def decide(self, observation, budget):
            raise StopGame

    result = play(stroll_episode("person"), agents=[Person()])
    assert result.trace.outcome.reason == "stopped" and "fault" not in result.figures


def test_things_that_hold_something_are_closed():
    closed = []

    class Holding(stroll.Straight):
        def close(self):
            closed.append("agent")

    play(stroll_episode("straight"), agents=[Holding()])
    assert closed == ["agent"]


def test_an_episode_has_an_id_of_everything_that_decides_it():
    base = stroll_episode("straight")
    others = [
        stroll_episode("drunk"),
        stroll_episode("straight", options={"patience": 3}),
        stroll_episode("straight", steps=9),
    ]
    assert len({base.id, *(other.id for other in others)}) == 4
    assert base.id == stroll_episode("straight").id


class Answering:
    """An agent that answers whatever it was given."""

    name = "answering"

    def __init__(self, answer):
        self.answer = answer

    def decide(self, observation, budget):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "reason", "fault"),
    [
        (1, "malformed answer", "decide returned int, expected Decision"),
        (None, "malformed answer", "decide returned NoneType, expected Decision"),
        (
            Decision("right"),
            "malformed answer",
            "the action 'right' is no number: 'str' object cannot be interpreted as an integer",
        ),
        (
            Decision(1, Thoughts(nodes="many")),
            "malformed answer",
            "bad thoughts: Expected `int`, got `str` - at `$.nodes`",
        ),
        (SystemExit(3), "agent crashed", "SystemExit: 3"),
        (GeneratorExit(), "agent crashed", "GeneratorExit: "),
        (MemoryError("no more"), "out of memory", "MemoryError: no more"),
        (ValueError("\ud800 \x1b[2J"), "agent crashed", "ValueError: ? ?[2J"),
    ],
)
def test_whatever_an_agent_answers_has_a_name(answer, reason, fault):
    result = play(stroll_episode("answering"), agents=[Answering(answer)])
    assert (result.trace.outcome.reason, result.figures["fault"]) == (reason, fault)
    assert verify(result.trace, stroll.Stroll(), stroll.Options()) == 0


class Unspeakable(Exception):
    def __str__(self):
        raise KeyError("even this")


def test_an_error_that_cannot_be_printed_is_named_by_its_class():
    result = play(stroll_episode("answering"), agents=[Answering(Unspeakable())])
    assert result.figures["fault"] == "Unspeakable, and asking for its words raised KeyError"


def test_a_fault_while_sitting_down_ends_the_match_and_the_trace_verifies():
    class Sulking(nim.Modulo):
        def begin(self, briefing):
            raise SystemExit(0)

    spec = episode(nim.ROOM, NamedLevel("heap", "9"), [AgentSpec("modulo"), AgentSpec("sulking")], 1, {}, Budget())
    result = play(spec, agents=[nim.Modulo(), Sulking()])
    assert (result.trace.outcome.reason, result.trace.outcome.winner) == ("refused to start", 0)
    assert verify(result.trace, nim.Nim(), nim.Options()) == 0


def test_a_fault_while_closing_changes_nothing():
    class Grumbling(stroll.Straight):
        def close(self):
            raise SystemExit(1)

    assert play(stroll_episode("straight"), agents=[Grumbling()]).trace.outcome.reason == "arrived"


def test_numpy_integers_are_actions_too():
    trace = play(stroll_episode("answering"), agents=[Answering(Decision(np.int64(1)))]).trace
    assert trace.outcome.reason == "arrived"
    assert all(type(action) is int for action in trace.actions)


def test_a_bug_in_the_rules_is_named_and_nobody_wins(monkeypatch):
    def broken(self, state, action):
        raise KeyError("no such cell")

    monkeypatch.setattr(stroll.Stroll, "step", broken)
    result = play(stroll_episode("straight"))
    assert (result.trace.outcome.reason, result.figures["fault"]) == ("game crashed", "KeyError: 'no such cell'")
