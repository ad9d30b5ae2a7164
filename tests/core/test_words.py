"""Small shared things: seeds, names, options."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from toys import stroll

from gridsage.arena.tournament import episode
from gridsage.core.errors import OptionError, UnknownName, unknown
from gridsage.core.game import Budget, Model
from gridsage.core.rng import child_seed, generator, split_mix
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog


def test_seeds_are_the_same_on_every_machine():
    assert child_seed(7, "agent", 0) == 7772070650041014001
    assert [generator(1, "x").randrange(100) for _ in range(3)] == [generator(1, "x").randrange(100) for _ in range(3)]
    assert split_mix(0) == (0x9E3779B97F4A7C15, 0xE220A8397B1DCDAF), "the published first number of SplitMix64"


def test_unknown_names_list_the_nearest_first():
    assert str(unknown("game", "ricochett", ["nethack", "ricochet"])) == (
        "no game 'ricochett'; did you mean ricochet? known: nethack, ricochet"
    )


def test_names_that_share_only_a_beginning_or_a_letter_are_not_suggested():
    keys = ["milestones.last_turn", "milestones.weak_depth", "milestones.dive_turn"]
    assert "did you mean" not in str(unknown("key", "milestones.a", keys))
    assert "did you mean milestones.dive_turn?" in str(unknown("key", "milestones.dive_trun", keys))
    assert str(unknown("language", "de", ["en", "fr"])) == "no language 'de'; known: en, fr"
    assert "did you mean --patience?" in str(unknown("flag", "--pateince", ["--patience", "--stop-at"]))


def test_an_error_lists_sixty_names_and_counts_the_rest():
    names = [f"level{number:03}" for number in range(62)]
    told = str(unknown("level", "zzz", names))
    assert told.endswith("level058, level059 and 2 more")
    assert str(unknown("level", "zzz", names[:60])).endswith("level058, level059")
    assert str(unknown("level", "zzz", [])).endswith("known: none")


def test_games_come_from_entry_points():
    assert catalog.room("stroll") is stroll.ROOM
    with pytest.raises(UnknownName, match="no game 'strol'; did you mean stroll"):
        catalog.room("strol")


def test_agents_come_from_entry_points():
    assert catalog.agent(stroll.ROOM, AgentSpec("backwards")).name == "backwards"


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("master", "master", {}),
        ("astar:sum_robots=true:weight=2", "astar", {"sum_robots": "true", "weight": "2"}),
        ("my/bot.py:Bot", "my/bot.py:Bot", {}),
        ("my/bot.py:Bot:depth=3", "my/bot.py:Bot", {"depth": "3"}),
    ],
)
def test_agents_are_typed_with_their_settings(text, name, settings):
    spec = catalog.parse_agent(text)
    assert (spec.name, spec.settings) == (name, settings)
    assert str(spec) == text


def test_settings_are_converted_and_bad_ones_named():
    made = catalog.agent(stroll.ROOM, catalog.parse_agent("straight:stop_at=3"))
    assert made.stop_at == 3
    with pytest.raises(OptionError, match="stop_at='x' of agent straight"):
        catalog.agent(stroll.ROOM, catalog.parse_agent("straight:stop_at=x"))
    with pytest.raises(OptionError, match=r"no setting of agent straight 'stopat'; did you mean stop_at"):
        catalog.agent(stroll.ROOM, catalog.parse_agent("straight:stopat=3"))
    with pytest.raises(OptionError, match="must not be negative"):
        catalog.agent(stroll.ROOM, catalog.parse_agent("straight:stop_at=-3"))


def test_options_are_converted_and_bad_ones_named():
    assert catalog.options(stroll.ROOM, {"patience": "9"}).patience == 9
    with pytest.raises(OptionError, match=r"no option of stroll 'pat'; .*known: patience"):
        catalog.options(stroll.ROOM, {"pat": "9"})
    with pytest.raises(OptionError, match="option patience='nine' of stroll: expected a whole number, found a text"):
        catalog.options(stroll.ROOM, {"patience": "nine"})


def test_an_agent_in_a_file_is_loaded(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("class Bot:\n    name = 'bot'\n    def decide(self, observation, budget): ...\n")
    assert catalog.agent(stroll.ROOM, AgentSpec(f"{path}:Bot")).name == "bot"
    with pytest.raises(UnknownName, match=r"no class in .*bot.py 'Bott'; did you mean Bot"):
        catalog.agent(stroll.ROOM, AgentSpec(f"{path}:Bott"))
    with pytest.raises(UnknownName, match="names a file but no class"):
        catalog.agent(stroll.ROOM, AgentSpec(str(path)))
    with pytest.raises(UnknownName, match="no file"):
        catalog.agent(stroll.ROOM, AgentSpec(f"{path}x.py:Bot"))


def test_a_file_that_does_not_import_is_named_with_its_error(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_that_name\n")
    with pytest.raises(UnknownName, match=r"broken.py cannot be imported: ModuleNotFoundError"):
        catalog.agent(stroll.ROOM, AgentSpec(f"{path}:Bot"))


def test_an_agent_may_import_the_file_beside_it(tmp_path):
    (tmp_path / "beside_it.py").write_text("NAME = 'with a friend'\n")
    path = tmp_path / "friendly.py"
    path.write_text("import beside_it\n\n\nclass Bot:\n    name = beside_it.NAME\n    def decide(self, o, b): ...\n")
    assert catalog.agent(stroll.ROOM, AgentSpec(f"{path}:Bot")).name == "with a friend"


def test_settings_without_type_or_default_are_explained(tmp_path):
    path = tmp_path / "sloppy.py"
    path.write_text(
        "class Bot:\n    name = 'bot'\n    def __init__(self, depth, width=3):\n        self.width = width\n"
        "    def decide(self, o, b): ...\n\n\nclass NoAgent:\n    pass\n"
    )
    with pytest.raises(OptionError, match="needs the setting depth"):
        catalog.agent(stroll.ROOM, AgentSpec(f"{path}:Bot"))
    made = catalog.agent(stroll.ROOM, catalog.parse_agent(f"{path}:Bot:depth=1:width=4"))
    assert made.width == 4
    with pytest.raises(OptionError, match="is no agent: it has no method decide"):
        catalog.agent(stroll.ROOM, AgentSpec(f"{path}:NoAgent"))
    with pytest.raises(OptionError, match="setting 'stop_at' of agent straight needs a value"):
        catalog.agent(stroll.ROOM, catalog.parse_agent("straight:stop_at"))


def test_an_edit_of_an_installed_package_makes_its_results_stale(tmp_path, monkeypatch):
    package = tmp_path / "sketch"
    shutil.copytree(Path(stroll.__file__).parent, package)
    monkeypatch.syspath_prepend(tmp_path)
    code = (
        "from gridsage.core.trace import AgentSpec\nfrom gridsage.games import catalog\n"
        "from sketch.stroll import ROOM\n"
        "print(catalog.code_digest(ROOM, (AgentSpec('straight'),)))"
    )

    def digest() -> str:
        path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path}
        ).stdout

    before = digest()
    assert digest() == before
    (package / "stroll.py").write_text((package / "stroll.py").read_text() + "\n# an edit\n")
    assert digest() != before


def test_an_older_name_of_an_agent_still_makes_it_and_new_episodes_bear_the_new_one():
    room = catalog.room("delirium")
    level = NamedLevel("first", room.levels.text(room.levels.names()[0]))
    assert catalog.agent(room, AgentSpec("report", {"grow_view": "true"})).name == "baseline"
    made = episode(room, level, [AgentSpec("report", {"grow_view": "true"})], 1, {}, Budget())
    assert made.agents == (AgentSpec("baseline", {"grow_view": "true"}),)


@pytest.mark.parametrize("name", catalog.BUILT_IN)
def test_older_names_of_agents_lead_to_agents(name):
    players = catalog.room(name).players
    if catalog.room(name).rules.missing() is None:
        assert set(players.aliases.values()) <= set(players.agents())
        assert not set(players.aliases) & set(players.agents())


def test_what_a_room_lacks_is_seen_without_a_call():
    assert stroll.ROOM.levels.of_seed is not None
    assert stroll.ROOM.levels.generate is None
    assert stroll.ROOM.help.hints is None
    assert isinstance(stroll.ROOM.rules.game(), Model)
    assert not isinstance(catalog.room("nethack").rules.game(), Model)
