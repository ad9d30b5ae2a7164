"""Push'em All as a PettingZoo environment."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from gridsage.adapters.pettingzoo import TwoSeatEnv
from gridsage.core.errors import IllegalAction, OptionError, UnknownName


def test_the_environment_passes_the_api_test() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the test suite of PettingZoo warns about tastes
        api_test(TwoSeatEnv("pushem"), num_cycles=200)


def test_the_environment_passes_the_seed_test() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: TwoSeatEnv("pushem"), num_cycles=60)


def test_the_environment_passes_the_render_test() -> None:
    render_test(lambda render_mode: TwoSeatEnv("pushem", render_mode=render_mode))


def test_people_see_the_board_at_the_start_and_after_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    env = TwoSeatEnv("pushem", options={"cards": 0}, render_mode="human")
    env.reset(seed=1)
    start = capsys.readouterr().out
    env.step(1)
    after = capsys.readouterr().out
    assert "■●■●" in start
    assert "·■·●■●·" in after
    quiet = TwoSeatEnv("pushem", render_mode="ansi")
    quiet.reset(seed=1)
    assert capsys.readouterr().out == ""


def test_rewards_tell_who_won() -> None:
    env = TwoSeatEnv("pushem", level="......xo\n" + "........\n" * 7, options={"cards": 0})
    env.reset(seed=1)
    env.step(1)
    assert env.rewards == {"first": 1.0, "second": -1.0}
    assert all(env.terminations.values())
    assert env.infos["second"] == {"outcome": "second has no pawn left"}


def test_the_mask_shows_the_legal_actions_of_the_agent_at_turn_only() -> None:
    env = TwoSeatEnv("pushem", options={"deal": "sleep"}, render_mode="ansi")
    env.reset(seed=1)
    assert np.flatnonzero(env.observe("first")["action_mask"]).tolist() == [0, 1, 2, 3, 4]
    assert not env.observe("second")["action_mask"].any()
    assert "■●■●" in env.render()


def test_bad_choices_are_named() -> None:
    env = TwoSeatEnv("pushem")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="cannot be chosen now"):
        env.step(90)
    with pytest.raises(OptionError, match="no render_mode 'rgb_array'"):
        TwoSeatEnv("pushem", render_mode="rgb_array")
    with pytest.raises(UnknownName, match="is no game for two"):
        TwoSeatEnv("stroll")
