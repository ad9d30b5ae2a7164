"""Observations as JSON, beyond the first level and the usual options; what is hidden stays hidden."""

from __future__ import annotations

import json

import pytest

from gridsage import testing
from gridsage.games import catalog
from gridsage.games.levels import find_level

UNUSUAL = [
    ("ricochet", {"must_ricochet": True}, (4, 11)),
    ("ricochet-rounds", {"players": 3, "max_claim": 2, "must_ricochet": True}, (1, 7)),
    ("loderunner", {"illegal": "noop"}, (5, 18)),
    ("delirium", {"view_rows": 2, "view_cols": 3}, (11, 25)),
    ("pushem", {"cards": 10, "opening": 2}, (1, 4)),
]


@pytest.mark.parametrize(("name", "options", "levels"), UNUSUAL, ids=[name for name, _, _ in UNUSUAL])
def test_observations_survive_json_on_other_levels_and_options(name, options, levels):
    room = catalog.ready_room(name)
    game = room.rules.game()
    chosen = catalog.options(room, options)
    for number in levels:
        for seed in (1, 2, 3):
            for _, state in testing.random_play(room, game, seed, find_level(room, number), chosen):
                testing.observation_survives_json(room, game.observe(state, game.seat(state)))


def sent(name: str, level: str | int, seed: int, steps: int = 0, **options: object) -> str:
    """What crosses the wire before a decision, as text."""
    room = catalog.ready_room(name)
    game = room.rules.game()
    states = testing.random_play(room, game, 1, find_level(room, level), catalog.options(room, options))
    state = [state for _, state in states][steps]
    if seed != 1:
        state = game.start(game.parse(find_level(room, level).text), catalog.options(room, options), seed)
    return json.dumps(room.rules.encode(game.observe(state, game.seat(state))))


@pytest.mark.parametrize("name", ["loderunner", "ricochet-rounds"])
def test_the_seed_of_things_to_come_is_not_sent(name):
    assert sent(name, 1, seed=1) == sent(name, 1, seed=987654321)


def test_a_trap_that_the_walker_cannot_see_is_not_sent():
    assert "T" not in json.loads(sent("stroll", "trap", seed=1))["level"]["text"]


def test_cells_out_of_the_miners_view_are_unknown_on_the_wire():
    cells = json.loads(sent("delirium", 24, seed=1, view_rows=1, view_cols=1))["cells"]
    assert sum(code != 30 for row in cells for code in row) == 9
