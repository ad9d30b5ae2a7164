"""Who wins when an agent fails, when a game is cut off, and how long decisions took."""

from __future__ import annotations

import time

import pytest
from toys import nim, stroll

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget, Decision, Thoughts
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec


class Crashing:
    name = "crashing"

    def decide(self, observation, budget):
        raise ZeroDivisionError("no luck")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_crash_in_a_game_for_two_gives_the_other_seat_the_win(seat):
    players = [nim.Modulo(), nim.Modulo()]
    players[seat] = Crashing()
    spec = episode(nim.ROOM, NamedLevel("heap", "9"), [AgentSpec(p.name) for p in players], 1, {}, Budget())
    result = play(spec, agents=players)
    assert result.trace.outcome.reason == "agent crashed"
    assert result.trace.outcome.winner == 1 - seat
    assert result.trace.outcome.scores == (float(seat == 1), float(seat == 0))
    assert len(result.trace.actions) == seat, "the game lasts until the crash"


@pytest.mark.parametrize(("steps", "reason", "length"), [(3, "cut off", 3), (4, "arrived", 4), (0, "cut off", 0)])
def test_a_game_is_cut_off_after_exactly_the_steps_it_was_given(steps, reason, length):
    spec = episode(stroll.ROOM, NamedLevel("short", "S...X"), [AgentSpec("straight")], 1, {}, Budget(), steps)
    trace = play(spec).trace
    assert (trace.outcome.reason, len(trace.actions)) == (reason, length)


@pytest.mark.parametrize(("decisions", "p95"), [(20, 20.0), (40, 39.0), (60, 58.0)])
def test_p95_is_the_time_that_one_decision_in_twenty_exceeds(monkeypatch, decisions, p95):
    clock = [0.0]

    class Thinking:
        """Thinks for one second, then two, then three ..."""

        name = "thinking"
        thought = 0

        def decide(self, observation, budget):
            self.thought += 1
            clock[0] += self.thought
            return Decision(stroll.RIGHT)

    level = NamedLevel("long", "S" + "." * (decisions - 1) + "X")
    spec = episode(stroll.ROOM, level, [AgentSpec("thinking")], 1, {"patience": 1000}, Budget(), 1000)
    with monkeypatch.context() as patched:
        patched.setattr(time, "perf_counter", lambda: clock[0])
        result = play(spec, agents=[Thinking()])
    assert result.trace.outcome.reason == "arrived"
    times = result.decisions
    assert (times["p50"], times["p95"], times["max"]) == (decisions // 2 + 1, p95, decisions)
    assert result.seconds == sum(range(decisions + 1))


def test_a_trace_keeps_a_hash_every_ten_steps_and_of_both_ends():
    level = NamedLevel("long", "S" + "." * 24 + "X")
    spec = episode(stroll.ROOM, level, [AgentSpec("straight")], 1, {"patience": 1000}, Budget(), 1000)
    assert [step for step, _ in play(spec).trace.hashes] == [0, 10, 20, 25]
    even = episode(stroll.ROOM, NamedLevel("even", "S" + "." * 19 + "X"), [AgentSpec("straight")], 1, {}, Budget(), 99)
    assert [step for step, _ in play(even).trace.hashes] == [0, 10, 20]


def test_thoughts_are_kept_with_their_step_if_they_are_wanted_and_without_times():
    spec = episode(stroll.ROOM, NamedLevel("short", "S...X"), [AgentSpec("thinking")], 1, {}, Budget())

    class Thinking:
        name = "thinking"

        def decide(self, observation, budget):
            return Decision(stroll.RIGHT, Thoughts(nodes=3, text="on we go", timings={"search": 0.5}))

    kept = play(spec, agents=[Thinking()], keep_thoughts=True)
    assert [(step, thought.text, thought.timings) for step, thought in kept.trace.thoughts] == [
        (step, "on we go", {}) for step in range(4)
    ]
    assert kept.decisions["nodes"] == 12
    assert play(spec, agents=[Thinking()]).trace.thoughts == ()
