"""Positions by chance."""

from __future__ import annotations

import pytest

from gridsage.core.errors import OptionError
from gridsage.games.pushem.generator import CELLS, generate
from gridsage.games.pushem.level import parse


def turned(board: int) -> int:
    """The board after half a turn."""
    return int(f"{board:0{CELLS}b}"[::-1], 2)


@pytest.mark.parametrize("seed", range(1, 20))
def test_a_generated_position_is_fair_and_as_wished(seed: int) -> None:
    level = parse(generate(seed=seed, pawns=5, holes=6, ply=12).text)
    assert turned(level.first) == level.second and turned(level.abyss) == level.abyss
    assert (level.first.bit_count(), level.abyss.bit_count(), level.ply) == (5, 6, 12)
    rim = 0xFF818181818181FF
    assert not (level.first | level.second) & rim


def test_the_same_seed_makes_the_same_position_and_another_seed_another() -> None:
    assert generate(seed=4).text == generate(seed=4).text != generate(seed=5).text


def test_wishes_that_cannot_be_met_are_told() -> None:
    with pytest.raises(OptionError, match="even number"):
        generate(holes=3)
    with pytest.raises(OptionError, match="ask for less"):
        generate(pawns=16, holes=6)
