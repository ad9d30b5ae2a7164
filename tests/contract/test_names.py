"""One word per idea: what stands beside the six files of a room has the same name in every room."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from gridsage.games import catalog
from gridsage.games.levels import find_level, is_shipped, shipped_level

PACKAGE = Path(catalog.__file__).resolve().parents[1]
ROOMS = [PACKAGE / "games" / name for name in catalog.BUILT_IN if (PACKAGE / "games" / name).is_dir()]
SAME_IN_EVERY_ROOM = {"Baseline", "Level", "Master", "Observation", "Options", "Random", "Seen", "State"}
SAME_IN_VARIANTS = {"Hole", "Planner", "Stage", "Waypoint"}  # the same idea under the rules of the variant
OLD_LEVELS = [
    ("ricochet", "01-first-slide", "01_first_slide"),
    ("ricochet-rounds", "16-quartet", "16_quartet"),
    ("nethack", "1_door", "01_door"),
    ("pushem", "start", "01_start"),
]


@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_levels_are_numbered_and_written_alike(name):
    names = catalog.room(name).levels.names()
    assert all(re.fullmatch(r"\d\d_[a-z0-9_]+", level) for level in names)
    assert list(names) == sorted(names)


@pytest.mark.parametrize(("game", "old", "new"), OLD_LEVELS)
def test_older_names_of_levels_still_work(game, old, new):
    room = catalog.room(game)
    assert is_shipped(room, old)
    assert shipped_level(room, old).name == find_level(room, old).name == new
    assert room.levels.text(old) == room.levels.text(new)


@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_a_level_is_found_by_its_number(name):
    room = catalog.room(name)
    names = room.levels.names()
    assert [shipped_level(room, str(number)).name for number in range(1, len(names) + 1)] == list(names)
    assert not any(is_shipped(room, number) for number in ("0", str(len(names) + 1), "-1", "1.0", "9" * 5000, "\u0661"))


@pytest.mark.parametrize("folder", ROOMS, ids=lambda folder: folder.name)
def test_the_six_files_are_in_every_room(folder):
    for name in ("level", "state", "kernels", "rules", "agents", "view"):
        assert (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()
    assert (folder / "tally.py").is_file()


@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_a_room_that_makes_or_checks_levels_does_so_in_the_file_of_that_name(name):
    room = catalog.room(name)
    folder = PACKAGE / "games" / room.folder
    if room.variant_of is None:
        assert (folder / "generator.py").is_file() == (room.levels.generate is not None)
        assert (folder / "checker.py").is_file() == (room.levels.check is not None)


def test_the_class_of_an_agent_bears_its_name():
    for name in catalog.BUILT_IN:
        agents = catalog.room(name).players.agents() if catalog.room(name).rules.missing() is None else {}
        for agent, entry in agents.items():
            if isinstance(entry.make, type):
                assert entry.make.__name__.lower() == agent


def test_no_two_classes_share_a_name_with_two_meanings():
    homes = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] == "web" or path.name == "protocol.py":
            continue  # messages are called by their word: `protocol.Ready`, `messages.Check`
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name not in SAME_IN_EVERY_ROOM | SAME_IN_VARIANTS:
                homes[node.name].append(path.relative_to(PACKAGE).as_posix())
    twice = {name: where for name, where in homes.items() if len(where) > 1}
    assert not twice, twice


def test_the_code_of_the_page_knows_no_words_of_a_room():
    scripts = {path.name: path.read_text(encoding="utf-8") for path in (PACKAGE / "web" / "static").rglob("*.js")}
    assert len(scripts) > 20
    for name, code in scripts.items():
        # A label or a status word in quotes, other than those that say the same in every game.
        for word in ("claim ", "time is up", "this turn", "hourglass", "last round"):
            assert f"'{word}" not in code, f"{name} knows {word!r}: the room sends such things in its frames"
