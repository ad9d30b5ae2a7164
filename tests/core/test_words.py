"""Small shared things: seeds, names, options."""

from __future__ import annotations

import pytest
from toys import stroll

from gridsage.core.errors import OptionError, UnknownName, unknown
from gridsage.core.rng import child_seed, generator, split_mix
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
    with pytest.raises(OptionError, match="option patience='nine' of stroll: Expected `int`"):
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
