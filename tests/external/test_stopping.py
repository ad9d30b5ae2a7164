"""Ctrl-C returns within two seconds with what is done, and even a kill leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest

from external.bots import class_file, script
from gridsage.store import Store

PROMPT = 2.0 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # seconds of a machine that has nothing else to do
DEAF = "for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)"
HANGING = {
    "stops itself": lambda folder: script(folder, at_turn="os.kill(os.getpid(), signal.SIGSTOP)"),
    "hears no signal": lambda folder: script(folder, at_import=DEAF, at_turn="while True: time.sleep(1)"),
    "has a child": lambda folder: script(folder, at_turn="os.fork(); os.setsid(); time.sleep(99)"),
    "swallows ctrl-C": lambda folder: class_file(
        folder,
        """
        def decide(self, o, b):
            while True:
                try:
                    time.sleep(99)
                except BaseException:
                    pass
        """,
    ),
}


def hears_ctrl_c() -> None:
    """What a shell started in the background does not hear ctrl-C, and neither would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def bench(home, agent: str, *more: str) -> subprocess.Popen[str]:
    words = ["bench", "stroll", "--agents", "straight", "--agent", agent, "--seeds", "3", "--nodes", "9", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "gridsage", *words],
        preexec_fn=hears_ctrl_c,
        env={**os.environ, "GRIDSAGE_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until_it_hangs(home, process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Wait until all that can be played is stored and the other agent has been asked; return the run's processes."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        threading.Event().wait(0.1)
        if _stored(home) == 3 and len(found := psutil.Process(process.pid).children(recursive=True)) >= 1:
            threading.Event().wait(1.5)  # for the process to start and be asked; nothing shows that from outside
            return found + psutil.Process(process.pid).children(recursive=True)
    raise AssertionError(f"the bench ended early: {process.communicate()}")


def still_running(family: list[psutil.Process]) -> list[psutil.Process]:
    """Return the processes that have not ended; whether somebody has buried those who have is the system's business."""
    _, left = psutil.wait_procs(family, timeout=1)
    return [process for process in left if process.status() != psutil.STATUS_ZOMBIE]


def _stored(home) -> int:
    try:
        return len(Store(home).rows())
    except Exception:
        return 0


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("stops itself", ("--jobs", "2")),
        ("hears no signal", ("--jobs", "1")),
        ("has a child", ("--jobs", "2", "--walls", "none")),
        ("swallows ctrl-C", ("--jobs", "1")),
        ("swallows ctrl-C", ("--jobs", "1", "--trust")),
    ],
)
def test_ctrl_c_ends_a_run_that_hangs_and_shows_what_is_done(kind, more, home, tmp_path):
    process = bench(home, HANGING[kind](tmp_path / "bot"), *more)
    family = until_it_hangs(home, process)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=30)
    assert time.monotonic() - began < PROMPT
    assert process.returncode == 130
    assert "straight" in out and "arrived 3" in out
    assert "stopped; the same command goes on from here" in errors and "Traceback" not in errors
    assert not still_running(family)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_killed_takes_its_players_along(jobs, home, tmp_path):
    process = bench(home, HANGING["hears no signal"](tmp_path / "bot"), "--jobs", jobs)
    family = until_it_hangs(home, process)
    process.kill()
    process.communicate()
    assert not still_running(family)
