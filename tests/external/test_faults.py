"""Whatever an agent in another process does, its match ends by name, in time, and nothing of it is left."""

from __future__ import annotations

import os
import time

import msgspec
import pytest
from toys import nim, stroll

from external.bots import READY, class_file, script
from gridsage.arena import executors, match
from gridsage.arena.external import seats
from gridsage.arena.external.process import Late, Process
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, verify

LINE = NamedLevel("line", "S......X")
LIMIT = 0.3


def game(agent: str, budget: Budget | None = None):
    return episode(stroll.ROOM, LINE, [AgentSpec(agent)], 1, {}, budget or Budget(seconds=LIMIT))


def ending(agent: str, conditions, budget: Budget | None = None) -> tuple[str, str]:
    """Play a game and return its outcome and the fault in words; the trace must verify whatever happened."""
    result = match.play(game(agent, budget), conditions=conditions)
    assert verify(result.trace, stroll.Stroll(), stroll.Options()) == len(result.trace.actions)
    return result.trace.outcome.reason, str(result.figures.get("fault", ""))


FAULTS = {
    "sleeps": ({"at_turn": "time.sleep(99)"}, "timeout", "the bank is empty"),
    "spins": ({"at_turn": "while True: pass"}, "timeout", "the bank is empty"),
    "stops itself": ({"at_turn": "os.kill(os.getpid(), signal.SIGSTOP)"}, "timeout", "the bank is empty"),
    "ignores signals and sleeps": (
        {
            "at_import": "for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)",
            "at_turn": "time.sleep(99)",
        },
        "timeout",
        "the bank is empty",
    ),
    "never begins": ({"at_begin": "time.sleep(99)"}, "timeout", "not ready after"),
    "asks for an hour": ({"at_begin": "say(type='wait', seconds=3600); time.sleep(99)"}, "timeout", "not ready"),
    "ends with a code": ({"at_turn": "sys.exit(3)"}, "agent crashed", "exit code 3"),
    "raises": ({"at_turn": "1 / 0"}, "agent crashed", "ZeroDivisionError: division by zero"),
    "ends before it is ready": ({"at_begin": "sys.exit(0)"}, "refused to start", "exit code 0 before it was ready"),
    "cannot be imported": ({"at_import": "import nosuchmodule"}, "refused to start", "nosuchmodule"),
    "segfaults": ({"at_turn": "os.kill(os.getpid(), signal.SIGSEGV)"}, "agent died", "signal 11"),
    "kills itself": ({"at_turn": "os.kill(os.getpid(), signal.SIGKILL)"}, "agent died", "signal 9"),
    "prints HTML": ({"at_turn": "print('<html><body>404</body></html>', flush=True)"}, "malformed answer", "<html>"),
    "prints half a line": ({"at_turn": "sys.stdout.write('{'); sys.stdout.flush(); time.sleep(9)"}, "timeout", "bank"),
    "prints bytes": ({"at_turn": r"os.write(1, b'\xff\xfe\x00\n')"}, "malformed answer", "is no answer"),
    "sends NaN": ({"at_turn": """print('{"type":"act","turn":0,"action":NaN}', flush=True)"""}, "malformed answer", ""),
    "sends a float": ({"at_turn": "say(type='act', turn=m['turn'], action=1.5)"}, "malformed answer", "int | str"),
    "sends no turn": ({"at_turn": "say(type='act', action=1)"}, "malformed answer", "turn"),
    "answers the wrong turn": ({"at_turn": "say(type='act', turn=7, action=1)"}, "malformed answer", "too early"),
    "answers twice": ({"at_turn": "act(m); act(m)"}, "malformed answer", "answered twice"),
    "says something else": ({"at_turn": "say(type='resign')"}, "malformed answer", "resign"),
    "is ready again": ({"at_turn": READY}, "malformed answer", "expected an answer for turn 0"),
    "acts before it is ready": ({"at_begin": "say(type='act', turn=0, action=1)"}, "malformed answer", "`ready`"),
    "floods": ({"at_turn": "while True: sys.stdout.write('x' * 65536)"}, "malformed answer", "longer than"),
    "sends ten megabytes": ({"at_turn": "print('x' * 10_000_000, flush=True)"}, "malformed answer", "longer than"),
    "floods with thoughts": ({"at_turn": "while True: say(type='info', text='hm')"}, "malformed answer", "more than"),
    "thinks nonsense": ({"at_turn": "say(type='info', nodes=-1); act(m)"}, "malformed answer", "nodes"),
    "nests deeply": ({"at_turn": "print('[' * 100_000, flush=True)"}, "malformed answer", ""),
    "floods its log": ({"at_turn": "while True: sys.stderr.write('y' * 65536)"}, "timeout", "bank"),
    "moves illegally": ({"at_turn": "act(m, 77)"}, "illegal action", "cannot go action 77"),
    "names no label": ({"at_turn": "act(m, 'upwards')"}, "malformed answer", "'upwards' is neither a number"),
    "says why": ({"at_turn": "say(type='error', text='out of ideas')"}, "agent crashed", "out of ideas"),
    "speaks protocol 9": ({"at_begin": "say(type='ready', protocol=9)"}, "refused to start", "protocol 9"),
    "does not read": ({"at_begin": READY + "; time.sleep(99)"}, "timeout", "bank"),
}  # fmt: skip


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_has_its_name_and_ends_in_time(kind, conditions, tmp_path):
    parts, reason, words = FAULTS[kind]
    quick = msgspec.structs.replace(conditions, begin=1.5, longest_begin=1.5)
    began = time.monotonic()
    found, fault = ending(script(tmp_path / "bot", **parts), quick)
    assert (found, words in fault) == (reason, True), fault
    assert time.monotonic() - began < 1.5 + LIMIT + 1.0


def test_an_agent_that_closes_its_output_has_ended_or_is_late(conditions, tmp_path):
    mute = script(tmp_path / "bot", at_turn="os.close(1); time.sleep(99)")
    assert ending(mute, conditions)[0] in ("agent crashed", "timeout")  # a box keeps the pipe open for it


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("./nosuchbot", "no file './nosuchbot'"),
        ("nosuchprogram --fast", "no program 'nosuchprogram'"),
        ("cmd:true", "exit code 0 before it was ready"),
    ],
)
def test_a_command_that_cannot_play_is_refused_in_words(command, words, conditions):
    reason, fault = ending(command, conditions)
    assert reason == "refused to start" and words in fault


def test_a_file_that_may_not_be_executed_is_refused_in_words(conditions, tmp_path):
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    reason, fault = ending(str(tmp_path / "bot"), conditions)
    assert reason == "refused to start" and "may not be executed (chmod +x" in fault


def test_memory_has_a_limit(box, tmp_path):
    hungry = script(tmp_path / "bot", at_turn="x = [bytearray(1 << 24) for _ in range(1000)]; act(m)")
    small = msgspec.structs.replace(box, memory=300 << 20)
    reason, fault = ending(hungry, small, Budget(seconds=5.0))
    assert (reason, "MemoryError" in fault) == ("out of memory", True)


def test_processes_have_a_limit_and_none_outlives_the_game(box, tmp_path):
    forks = """
        n = 0
        try:
            while n < 500:
                if os.fork() == 0:
                    time.sleep(99)
                n += 1
        except OSError:
            pass
        print(n, file=sys.stderr)
        act(m)
    """
    result = match.play(game(script(tmp_path / "bot", at_turn=forks), Budget(seconds=5.0)), conditions=box)
    assert result.trace.outcome.reason == "arrived"
    assert 0 < int(result.log.split()[0]) <= box.processes


DAEMON = """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sh", ["sh", "-c", "trap '' 1 2 15; sleep 97; : orphan-of-a-bot"], {})
        os._exit(0)
    os.wait()
    time.sleep(0.05)
    act(m)
"""


def test_a_daemon_dies_with_the_game_that_started_it(conditions, tmp_path):
    assert ending(script(tmp_path / "bot", at_turn=DAEMON), conditions, Budget(seconds=5.0))[0] == "arrived"


def test_in_a_game_for_two_the_other_seat_wins_a_timeout(conditions, tmp_path):
    sleeper = script(tmp_path / "bot", at_turn="time.sleep(99)")
    seats = [AgentSpec("modulo"), AgentSpec(sleeper)]
    spec = episode(nim.ROOM, NamedLevel("heap", "9"), seats, 1, {}, Budget(seconds=LIMIT))
    outcome = match.play(spec, conditions=conditions).trace.outcome
    assert (outcome.reason, outcome.winner, outcome.scores) == ("timeout", 0, (1.0, 0.0))


def test_the_bank_pays_for_overruns_until_it_is_empty(conditions, tmp_path):
    slow = script(tmp_path / "bot", at_turn="time.sleep(0.4); act(m)")
    rich = msgspec.structs.replace(conditions, bank=9.0)
    assert ending(slow, rich, Budget(seconds=0.1))[0] == "arrived"
    poor = msgspec.structs.replace(conditions, bank=0.6)
    result = match.play(game(slow, Budget(seconds=0.1)), conditions=poor)
    assert result.trace.outcome.reason == "timeout"
    assert 1 <= len(result.trace.actions) <= 3


def test_a_process_is_gone_within_a_tenth_of_a_second(conditions, tmp_path):
    deaf = "for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nos.fork()"
    stubborn = script(tmp_path / "bot", at_import=deaf, at_begin="time.sleep(99)")
    process = Process(seats.command_of(stroll.ROOM, AgentSpec(stubborn)), conditions)
    with pytest.raises(Late):
        process.line(time.monotonic() + 0.5, 100)
    began = time.monotonic()
    process.kill()
    spent = time.monotonic() - began
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert spent < 0.1 * busy and process.exit is not None


CLASS_FAULTS = {
    "raises": ("def decide(self, o, b): raise KeyError('x')", "agent crashed", "KeyError: 'x'"),
    "exits": ("def decide(self, o, b): sys.exit(0)", "agent crashed", "SystemExit: 0"),
    "vanishes": ("def decide(self, o, b): os._exit(3)", "agent crashed", "exit code 3"),
    "returns nothing": ("def decide(self, o, b): pass", "malformed answer", "decide returned NoneType"),
    "thinks badly": ("def decide(self, o, b): return Decision(1, Thoughts(nodes='x'))", "malformed answer", "nodes"),
    "exits at once": ("def __init__(self): sys.exit(0)\ndef decide(self, o, b): ...", "refused to start", "SystemExit"),
    "begins badly": ("def begin(self, b): 1 / 0\ndef decide(self, o, b): ...", "refused to start", "ZeroDivision"),
    "sleeps": ("def decide(self, o, b): time.sleep(99)", "timeout", "bank"),
    "prints on the wire": ("def decide(self, o, b): os.write(1, b'x' * 9); return Decision(1)", "arrived", ""),
    "is no agent": ("x = 1", "refused to start", "no method decide"),
    "leaves like a person": (
        "def decide(self, o, b):\n    from gridsage.core.game import StopGame\n    raise StopGame",
        "agent crashed",
        "StopGame",
    ),
}


@pytest.mark.parametrize("kind", CLASS_FAULTS)
def test_a_class_has_the_same_endings_in_a_process_and_trusted_in_the_worker(kind, conditions, tmp_path):
    body, reason, words = CLASS_FAULTS[kind]
    agent = class_file(tmp_path / "bot", body)
    found, fault = ending(agent, conditions)
    assert (found, words in fault) == (reason, True), fault
    trusting = msgspec.structs.replace(conditions, trust=True)
    (result,) = executors.run([game(agent)], conditions=trusting)
    where_it_vanishes = {"vanishes": "agent died"}  # there is no process of its own to end
    assert result.trace.outcome.reason == where_it_vanishes.get(kind, reason)
    assert result.figures["walls"] == "trusted"
    assert verify(result.trace, stroll.Stroll(), stroll.Options()) == len(result.trace.actions)
