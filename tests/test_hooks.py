"""The commit-msg hook asks for short subjects and a word about behaviour; make installs it where it belongs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", *who, *words], cwd=folder, env=env, capture_output=True, text=True)


def install(folder: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["bash", ".ci/install-hooks"], cwd=folder, env=env, check=True)


@pytest.fixture
def checkout(tmp_path) -> Path:
    folder = tmp_path / "checkout"
    shutil.copytree(PROJECT / ".ci", folder / ".ci")
    git(folder, "init", "-q")
    install(folder)
    return folder


def commit(folder: Path, file: str, message: str) -> str:
    """Commit a new version of `file`; return what git complains about."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(path.read_text() + "x" if path.exists() else "x")
    git(folder, "add", file)
    done = git(folder, "commit", "-q", "-m", message)
    return "" if done.returncode == 0 else done.stderr


def test_a_subject_of_72_characters_is_the_longest(checkout):
    assert commit(checkout, "README.md", "é" * 72) == ""
    assert "has 73 characters, at most 72" in commit(checkout, "README.md", "é" * 73)
    assert commit(checkout, "README.md", "Short\n\n" + "long " * 40) == ""


@pytest.mark.parametrize(
    "file",
    [
        "src/gridsage/search/astar.py",
        "src/gridsage/games/pushem/rules/game.py",
        "src/gridsage/games/ricochet/kernels/slide.py",
        "src/gridsage/games/ricochet/rounds/rules.py",
        "src/gridsage/games/nethack/kernels.py",
        "src/gridsage/games/nethack/agents/bot.py",
    ],
)
def test_rules_search_and_agents_need_a_word_about_behaviour(checkout, file):
    assert f"{file} may change how games go" in commit(checkout, file, "Change it")
    assert commit(checkout, file, "Change it\n\nSignature: 123") == ""
    assert commit(checkout, file, "Change it\n\nNo functional change") == ""
    assert "Signature" in commit(checkout, file, "Change it\n\nThe signature: 12")


def test_other_files_need_none(checkout):
    for file in ("src/gridsage/web/app.py", "src/gridsage/games/pushem/view.py", "tests/games/pushem/test_rules.py"):
        assert commit(checkout, file, "Change it") == ""


def test_a_merge_may_have_any_subject(checkout):
    assert commit(checkout, "src/gridsage/search/astar.py", "Merge branch 'a' " + "and others " * 20) == ""


def test_a_worktree_has_the_hook_too(checkout, tmp_path):
    git(checkout, "add", ".ci")
    assert commit(checkout, "README.md", "Begin") == ""
    assert git(checkout, "worktree", "add", "-q", str(tmp_path / "other")).returncode == 0
    assert "at most 72" in commit(tmp_path / "other", "README.md", "x" * 73)


def test_hooks_that_somebody_has_chosen_are_kept(tmp_path):
    folder = tmp_path / "checkout"
    shutil.copytree(PROJECT / ".ci", folder / ".ci")
    git(folder, "init", "-q")
    git(folder, "config", "core.hooksPath", "mine")
    install(folder)
    assert git(folder, "config", "core.hooksPath").stdout == "mine\n"


def test_a_tarball_without_git_is_left_alone_and_so_is_a_repository_around_it(tmp_path):
    outer = tmp_path / "outer"
    shutil.copytree(PROJECT / ".ci", outer / "gridsage" / ".ci")
    install(outer / "gridsage")
    git(outer, "init", "-q")
    install(outer / "gridsage")
    assert git(outer, "config", "core.hooksPath").stdout == ""
