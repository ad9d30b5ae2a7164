"""The rules are the same with kernels as plain Python; `make nojit` runs many more tests that way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ROOMS = ("ricochet", "loderunner", "delirium")


def test_rules_hold_without_the_compiler():
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    tests = [f"tests/games/{room}/test_rules.py" for room in ROOMS]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=PROJECT,
        env={**env, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]
