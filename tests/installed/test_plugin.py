"""The example of a plug-in, installed as a user would install it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).resolve().parents[2] / "examples" / "plugin"
MOST_LINES = 90  # of the rules, without imports: a game of one's own is a small thing


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of a process that finds the installed package."""
    place = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(place), str(PLUGIN)], check=True, capture_output=True)
    return {**os.environ, "PYTHONPATH": str(place), "GRIDSAGE_HOME": str(tmp_path_factory.mktemp("home"))}


def python(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_game_and_its_agents_keep_their_promises(environment):
    code = (
        "import gridsage; from gridsage.testing import check_agent, check_game; check_game('lights'); "
        "names = gridsage.agent_names('lights'); print(names); [check_agent('lights', name) for name in names]"
    )
    assert python(environment, "-c", code).strip() == "['random', 'bfs', 'patient']"


def test_the_command_line_plays_it(environment):
    words = ["bench", "lights", "--agents", "bfs,patient", "--levels", "all", "--seeds", "1", "--nodes", "2000"]
    lines = python(environment, "-m", "gridsage", *words, "--json").splitlines()
    records = [json.loads(line) for line in lines][:-1]
    won = {(record["agents"][0], record["level"]): record["won"] for record in records}
    assert won["bfs", "01_cross"] and won["bfs", "02_corners"] and won["bfs", "03_two_corners"]
    assert sum(record["agents"] == ["patient"] for record in records) == 3
    assert "lights" in python(environment, "-m", "gridsage", "agents")


def test_the_example_stays_small():
    lines = (PLUGIN / "lights_out" / "rules.py").read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.startswith(("from ", "import "))]
    assert len(code) <= MOST_LINES
