from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gridsage.adapters.gymnasium as adapter
from gridsage.core.errors import GridsageError, LevelError, OptionError, UnknownName
from gridsage.games import catalog

GAMES = [(name, game) for name, game in adapter.IDS.items() if game in catalog.BUILT_IN]


@pytest.fixture(params=[f"gridsage/{name}-v0" for name, _ in GAMES])
def env(request):
    made = gymnasium.make(request.param)
    yield made
    made.close()


def test_every_environment_passes_the_checker_of_gymnasium(env):
    check_env(env.unwrapped)


def test_the_same_seed_and_actions_give_the_same_episode(env):
    def rewards():
        env.reset(seed=5)
        env.action_space.seed(5)
        found = []
        for _ in range(40):
            arrays, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            found.append((reward, *(array.tobytes() for array in arrays.values())))
            if terminated or truncated:
                break
        return found

    assert rewards() == rewards()


def test_the_mask_tells_legal_actions(env):
    _, info = env.reset(seed=1)
    legal = np.flatnonzero(info["action_mask"])
    assert len(legal)
    *_, info = env.step(legal[0])
    assert "fault" not in info


def test_an_environment_can_be_drawn_as_pixels():
    with gymnasium.make("gridsage/LodeRunner-v0", render_mode="rgb_array") as env:
        env.reset(seed=1)
        before = env.render()
        assert before.shape == (11 * 24, 20 * 24, 3) and before.dtype == np.uint8
        env.step(catalog.room("loderunner").rules.game().action("right"))
        after = env.render()
        changed = np.argwhere((before != after).any(axis=2)) // 24
        assert {tuple(cell) for cell in changed} == {(8, 3), (8, 4)}  # where the runner was, and where it is


def test_an_environment_can_be_drawn_as_text():
    with gymnasium.make("gridsage/LodeRunner-v0", render_mode="ansi") as env:
        env.reset(seed=1)
        assert "R" in env.render() and "runner at row" in env.render()


def test_a_level_is_a_name_a_file_or_text(tmp_path):
    text = "WWWWW\nWR.XW\nWFFFW\nWWWWW\n"
    path = tmp_path / "tiny.map"
    path.write_text(text)
    for level in (text, str(path)):
        with gymnasium.make("gridsage/LodeRunner-v0", level=level) as env:
            env.reset(seed=1)
            rewards = [env.step(4)[1] for _ in range(2)]
            assert rewards == [0.0, 1.0]
    with gymnasium.make("gridsage/LodeRunner-v0", level="01_first_steps") as env:
        assert env.observation_space["cells"].shape == (11, 20)


def test_an_episode_is_truncated_at_its_limit():
    with gymnasium.make("gridsage/LodeRunner-v0", max_steps=3) as env:
        env.reset(seed=1)
        assert [env.step(0)[3] for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"level": "no_such_level"}, LevelError),
        ({"level": "WWW\nW?W\n"}, LevelError),
        ({"options": {"speed": 3}}, OptionError),
        ({"options": {"turn_cap": 0}}, GridsageError),
        ({"game": "chess"}, UnknownName),
        ({"render_mode": "hologram"}, OptionError),
    ],
)
def test_bad_settings_are_refused_with_a_sentence(settings, error):
    with pytest.raises(error):
        adapter.SoloEnv(**{"game": "loderunner", **settings})
