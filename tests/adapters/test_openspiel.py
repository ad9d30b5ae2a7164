"""Push'em All as an OpenSpiel game, where OpenSpiel is installed."""

from __future__ import annotations

import importlib.util
import unittest
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None,
    reason="OpenSpiel is not installed: pip install 'gridsage[openspiel]' to run its tests",
)
PLAYTHROUGH = Path(__file__).parents[1] / "golden" / "pushem" / "openspiel_playthrough.txt"
GAME = "gridsage_pushem(cards=2,seed=3)"


@pytest.fixture
def pyspiel():  # type: ignore[no-untyped-def]
    import pyspiel

    from gridsage.adapters.openspiel import register

    assert register("pushem") == register("pushem") == "gridsage_pushem"
    return pyspiel


def test_random_games_pass_openspiels_own_checks(pyspiel) -> None:  # type: ignore[no-untyped-def]
    pyspiel.random_sim_test(pyspiel.load_game("gridsage_pushem"), num_sims=3, serialize=False, verbose=False)


def test_openspiels_api_test_passes(pyspiel) -> None:  # type: ignore[no-untyped-def]
    from open_spiel.integration_tests import api_test

    class Case(api_test.EnforceAPIOnPartialTreeBase):
        game_name = "gridsage_pushem"
        game = pyspiel.load_game("gridsage_pushem")

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)
    assert result.testsRun >= 5
    assert not result.failures + result.errors


def test_states_keep_openspiels_api(pyspiel) -> None:  # type: ignore[no-untyped-def]
    game = pyspiel.load_game(GAME)
    state = game.new_initial_state()
    assert (game.num_players(), game.num_distinct_actions()) == (2, 96)
    assert state.current_player() == 0
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(clone) != str(state)
    assert len(state.observation_tensor(0)) == game.observation_tensor_size()
    assert state.action_to_string(0, 1) == "R"
    restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, clone))[1]
    assert str(restored) == str(clone)


def test_the_stored_playthrough_plays_the_same(pyspiel) -> None:  # type: ignore[no-untyped-def]
    from open_spiel.python.algorithms import generate_playthrough

    expected = PLAYTHROUGH.read_text(encoding="utf-8")
    actions = [int(line.removeprefix("action: ")) for line in expected.splitlines() if line.startswith("action: ")]
    assert len(actions) > 20
    found = generate_playthrough.playthrough(GAME, actions, alsologtostdout=False)
    assert found.strip() == expected.strip()
