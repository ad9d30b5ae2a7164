"""The core works alone, and a part whose packages are missing says how to install them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

OPTIONAL = (
    *("starlette", "uvicorn", "websockets", "nle", "gymnasium", "pettingzoo", "pyspiel", "pyarrow", "duckdb"),
    "ray",
    *("pandas", "polars", "scipy", "hypothesis", "pytest"),
)
BLOCKED = f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL}))\n"


def bare(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python as it is where only the core is installed."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run([sys.executable, "-c", BLOCKED + code, *words], env=env, capture_output=True, text=True)


def gridsage(*words: str) -> subprocess.CompletedProcess[str]:
    return bare("from gridsage.cli import main; main()", *words)


def sentence(what: str, extra: str) -> str:
    return f"{what} needs packages that are not installed: pip install 'gridsage[{extra}]'"


def test_the_core_alone_solves_benches_and_exports(tmp_path):
    solved = gridsage("solve", "ricochet", "--seed", "2")
    assert (solved.returncode, "5 moves of 1 robot" in solved.stdout) == (0, True)
    benched = gridsage("bench", "stroll", "--agents", "drunk", "--seeds", "2", "--nodes", "10", "--jobs", "1")
    assert (benched.returncode, benched.stderr) == (0, "")
    exported = gridsage("export", str(tmp_path / "games.csv"))
    assert exported.stdout == f"2 episodes written to {tmp_path / 'games.csv'}\n"


@pytest.mark.parametrize(
    ("words", "what", "extra"),
    [
        (["--no-open"], "The page", "page"),
        (["watch", "nethack"], "NetHack", "nethack"),
        (["bench", "nethack", "--seeds", "1"], "NetHack", "nethack"),
        (["play", "nethack"], "NetHack", "nethack"),
        (["bench", "stroll", "--seeds", "1", "--executor", "ray"], "The executor ray", "ray"),
    ],
)
def test_a_verb_names_the_extra_it_lacks(words, what, extra):
    done = gridsage(*words)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", f"gridsage: {sentence(what, extra)}\n")


def test_the_list_of_games_goes_on_without_nethack():
    done = gridsage("agents")
    assert done.returncode == 0
    assert sentence("NetHack", "nethack") in done.stdout
    assert "pushem:" in done.stdout


def test_parquet_names_its_extra(tmp_path):
    done = gridsage("export", str(tmp_path / "games.parquet"))
    assert (done.returncode, "pip install 'gridsage[analysis]'" in done.stderr) == (3, True)


@pytest.mark.parametrize(
    ("module", "what", "extra"),
    [
        ("gymnasium", "The Gymnasium adapter", "rl"),
        ("pettingzoo", "The PettingZoo adapter", "rl"),
        ("openspiel", "The OpenSpiel adapter", "openspiel"),
    ],
)
def test_an_adapter_names_the_extra_it_lacks(module, what, extra):
    code = f"""
from gridsage.core.errors import MissingPart
try:
    import gridsage.adapters.{module}
except MissingPart as error:
    print(error)
"""
    assert bare(code).stdout.strip() == sentence(what, extra)
