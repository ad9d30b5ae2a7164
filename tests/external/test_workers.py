"""Workers of the pool: watched by a clock, replaced when they are killed, and no killing is taken for a fault."""

from __future__ import annotations

import os
import signal
import threading

import psutil
import pytest
from toys import stroll

from external.bots import class_file
from gridsage.arena import executors, tournament
from gridsage.arena.conditions import Clock, Conditions
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, verify
from gridsage.store import Store

TRUSTING = Conditions(trust=True, bank=0.0)
LINE = NamedLevel("line", "S......X")


def games(agent: str, budget: Budget, seeds: range = range(1, 2)):
    return tournament.bench_episodes(stroll.ROOM, [LINE], [AgentSpec(agent)], seeds, {}, budget)


def test_a_hang_in_the_worker_is_a_timeout_with_the_moves_played_so_far(tmp_path):
    agent = class_file(
        tmp_path / "bot",
        "def decide(self, o, b):\n    if o.col == 3: time.sleep(99)\n    return Decision(1)\n",
    )
    (result,) = executors.run(games(agent, Budget(seconds=0.3)), conditions=TRUSTING)
    assert (result.trace.outcome.reason, result.trace.actions) == ("timeout", (1, 1, 1))
    assert result.figures == {"lefts": 0.0, "fault": "the agent did not come back in time", "walls": "trusted"}
    assert verify(result.trace, stroll.Stroll(), stroll.Options()) == 3


def test_a_hang_while_closing_does_not_change_the_result(tmp_path):
    agent = class_file(tmp_path / "bot", "def decide(self, o, b): return Decision(1)\ndef close(self): time.sleep(99)")
    (result,) = executors.run(games(agent, Budget(nodes=5)), conditions=TRUSTING)
    assert (result.trace.outcome.reason, len(result.trace.actions)) == ("arrived", 7)


def test_what_an_agent_prints_is_its_log_and_not_our_answer(tmp_path, capfd):
    agent = class_file(
        tmp_path / "bot",
        "def decide(self, o, b):\n    print('loud')\n    os.system('echo louder')\n    return Decision(1)",
    )
    (result,) = executors.run(games(agent, Budget(nodes=5)), conditions=TRUSTING)
    assert result.trace.outcome.reason == "arrived"
    assert result.log.count("louder") == 7 and "loud\n" in result.log
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_killed_from_outside_is_no_fact_about_an_agent(sign, home, tmp_path):
    agent = class_file(tmp_path / "bot", "def decide(self, o, b): time.sleep(99)")
    store = Store(home)
    killer = threading.Thread(target=_kill_workers, args=(sign, 2), daemon=True)
    killer.start()
    (result,) = executors.run(games(agent, Budget(nodes=5)), sink=store, conditions=TRUSTING)
    killer.join()
    assert result.trace.outcome.reason == "worker died"
    assert store.known([result.trace.episode]) == {}, "it is played again by the next run"


def _kill_workers(sign: int, times: int) -> None:
    """Kill workers of this process that sit in an agent's decision, one after the other."""
    killed: set[int] = set()
    while len(killed) < times:
        for child in psutil.Process().children():
            if child.pid not in killed and _plays(child):
                killed.add(child.pid)
                os.kill(child.pid, sign)
        threading.Event().wait(0.1)


def _plays(process: psutil.Process) -> bool:
    """Return True for a worker that has imported the room and waits; before that it still works."""
    try:
        is_worker = "spawn_main" in " ".join(process.cmdline())
        return is_worker and process.status() == psutil.STATUS_SLEEPING and process.num_threads() >= 2
    except psutil.Error:
        return False


def test_the_clock_charges_overruns_to_the_bank():
    clock = Clock(Budget(seconds=0.1), Conditions())
    assert (clock.limit, clock.bank) == (0.1, 1.0)
    assert clock.charge(0.14) and clock.bank == 1.0, "the way there and back is nobody's fault"
    assert clock.charge(0.65) and clock.bank == pytest.approx(0.5)
    assert not clock.charge(0.66)
    assert Clock(Budget(seconds=2.0), Conditions()).bank == 20.0
    assert Clock(Budget(nodes=5), Conditions()).allowance == pytest.approx(30.05)
    assert Clock(Budget(nodes=5), Conditions(decision=3.0, bank=1.0)).allowance == pytest.approx(4.05)


def test_overruns_are_counted(tmp_path):
    agent = class_file(
        tmp_path / "bot", "def decide(self, o, b):\n    time.sleep(0.2 if o.col < 2 else 0)\n    return Decision(1)"
    )
    (result,) = executors.run(games(agent, Budget(seconds=0.1)), conditions=Conditions(trust=True, bank=9.0))
    assert result.decisions["overruns"] == 2.0
