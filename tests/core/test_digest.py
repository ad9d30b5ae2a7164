"""The digest of the code that plays an episode sees every file that decides how it goes."""

from __future__ import annotations

import shutil

import pytest

from gridsage.core import jit
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog


def digest(room, *agents):
    return catalog.code_digest(catalog.room(room), agents)


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """A function that makes a copy of the sources, adds a line to one file, and gives the digest of a room in it."""

    def edit(room, name):
        folder = tmp_path / f"copy-{len(list(tmp_path.iterdir()))}"
        for part in ("core", "search", "games"):
            shutil.copytree(jit.PACKAGE / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        for path in sorted(folder.glob(name))[:1]:
            path.write_bytes(path.read_bytes() + b"\n")
        with monkeypatch.context() as patch:
            patch.setattr(jit, "PACKAGE", folder)
            return digest(room)

    return edit


@pytest.mark.parametrize(
    ("room", "name"),
    [
        ("nethack", "games/nethack/agents/personalities/*.toml"),
        ("pushem", "games/pushem/**/*.json"),
        ("pushem", "games/pushem/*.npz"),
        ("loderunner", "games/loderunner/*.py"),
        ("ricochet", "core/game.py"),
        ("ricochet", "search/*.py"),
    ],
)
def test_an_edit_of_a_source_or_a_data_file_changes_the_digest(edited, room, name):
    assert list(jit.PACKAGE.glob(name)), "there is such a file"
    assert edited(room, "nothing") == digest(room) != edited(room, name)


def test_a_level_is_part_of_the_episode_and_not_of_its_code(edited):
    assert edited("loderunner", "games/loderunner/levels/*") == digest("loderunner")


def test_a_personality_of_ones_own_is_code(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("a = 1\n")
    spec = AgentSpec("explorer", {"personality": str(path)})
    before = digest("nethack", spec)
    path.write_text("a = 2\n")
    after = digest("nethack", spec)
    assert before != after != digest("nethack", AgentSpec("explorer"))
    for nonsense in ("x" * 5000 + ".toml", "a\0b.toml", "nowhere.toml"):
        assert digest("nethack", AgentSpec("explorer", {"personality": nonsense}))
