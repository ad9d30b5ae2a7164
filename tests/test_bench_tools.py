"""The tools that measure the house: mutants are drawn by seed and are valid code, figures are counted right."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from bench import house, mutants

ROOT = Path(__file__).parents[1]


def changes(tmp_path, monkeypatch, code: str) -> dict[str, list[str]]:
    """Every mutant of some code, by its kind, as the changed text."""
    monkeypatch.setattr(mutants, "PACKAGE", tmp_path)
    (tmp_path / "some.py").write_text(textwrap.dedent(code))
    found: dict[str, list[str]] = {}
    for mutant in mutants.sites(tmp_path / "some.py", "core"):
        found.setdefault(mutant.kind, []).append(f"{mutant.before} -> {mutant.after}")
    return found


def test_every_kind_of_change_is_made(tmp_path, monkeypatch):
    code = """
    def longest(rows: list[int], least: int = 3) -> int:
        "The longest row of at least 3."
        best = 0
        for row in rows:
            if row <= least:
                continue
            best = row - best
        rows.clear()
        return best
    """
    assert changes(tmp_path, monkeypatch, code) == {
        "comparison": ["row <= least -> (row < least)"],
        "arithmetic": ["row - best -> (row + best)"],
        "constant": ["0 -> 1"],
        "deletion": ["continue -> pass", "rows.clear() -> pass"],
        "return": ["return best -> return None"],
    }


@pytest.mark.parametrize(
    "code",
    [
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    x = 1 + 2\n",
        "x: 'tuple[int, ...]'\n",
        "raise ValueError(f'{1 + 2} is too many')\n",
        "x = 'a' + 'b'\n",
    ],
)
def test_what_decides_nothing_is_left_alone(tmp_path, monkeypatch, code):
    assert changes(tmp_path, monkeypatch, code) == {}


def test_an_answer_of_no_is_turned_into_yes(tmp_path, monkeypatch):
    assert changes(tmp_path, monkeypatch, "def f():\n    return False\n")["return"] == ["return False -> return True"]


@pytest.mark.long
def test_mutants_are_valid_and_a_smaller_draw_is_the_beginning_of_a_larger_one():
    drawn = mutants.drawn(seed=1, count=80)
    assert drawn[:20] == mutants.drawn(seed=1, count=20) != mutants.drawn(seed=2, count=20)
    assert len({mutant.key for mutant in drawn}) == 80
    assert {mutant.kind for mutant in drawn} == set(mutants.KINDS)
    for mutant in drawn:
        source = (mutants.PACKAGE / mutant.file).read_bytes()
        assert source[mutant.start : mutant.end].decode() == mutant.before
        ast.parse(source[: mutant.start] + mutant.after.encode() + source[mutant.end :])
        assert mutants.tests_of(mutant)


def test_the_figures_of_the_house_are_those_of_its_files(tmp_path, monkeypatch):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "a.py").write_text("from typing import Any\nx: Any = 1  # type: ignore[x]\n")
    (tmp_path / "b.py").write_text(
        'from typing import Any\n\n\ndef f(x: Any) -> Any:\n    """Say it."""\n    return x\n\n\nclass A:\n'
        "    def g(self) -> None:\n        pass\n\n    def _h(self) -> None:\n        pass\n"
    )
    monkeypatch.setattr(house, "PACKAGE", tmp_path)
    figures = house.counted()
    assert (figures.files, figures.any_outside_web, figures.any_in_web, figures.ignores) == (2, 2, 1, 1)
    assert figures.functions == [(3, "b.py f"), (2, "b.py g"), (2, "b.py _h")]
    assert (figures.documented, figures.public) == (1, 3)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bench/nethack_survive.py", "--summary", "nofile"], "nofile: No such file or directory"),
        (["bench/nethack_survive.py", "--compare", "nofile", "nofile"], "nofile: No such file or directory"),
        (["bench/nethack_survive.py", "--summary", "pyproject.toml"], "pyproject.toml: line 1 is no JSON"),
        (["bench/nethack_survive.py", "--seeds", "x"], "--seeds 'x': expected a number such as 7"),
        (["bench/nethack_explore.py", "--summary", "nofile"], "nofile: No such file or directory"),
        (["bench/delirium_bd_proof.py", "pyproject.toml"], "pyproject.toml: line 1 is no JSON"),
        (["bench/delirium_bd_speed.py", "nofile"], "nofile: No such file or directory"),
        (["bench/delirium_caves.py", "nofile"], "nofile: cannot be read: No such file or directory"),
        (["-m", "gridsage.games.nethack.tally", "nofile"], "nofile': No such file or directory"),
        (["-m", "gridsage.games.nethack.recording", "nofile", "folder"], "nofile': No such file or directory"),
        (
            ["-m", "gridsage.games.nethack.recording", "tests/golden/nethack/door.trace", "pyproject.toml"],
            "File exists",
        ),
    ],
)
def test_bad_input_of_a_script_is_a_sentence_and_exit_code_2(words, sentence):
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert sentence in done.stderr and len(done.stderr.strip().splitlines()) == 1
