"""Positions made from a seed: the printed boards, random boards, and missions as hard as wanted."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gridsage.core.rng import generator
from gridsage.games.ricochet.level import CLOSED, Level, printed

FIRST_EDITION = "AB"  # sides of the 1999 quadrants, played with four robots


def random_position(seed: int) -> Level:
    """A mission of a printed board of the first edition: arrangement, robots and goal by chance."""
    return _draw_position(generator(seed, "ricochet"), robots=4, sides=FIRST_EDITION)


def random_positions(count: int, seed: int) -> Iterator[Level]:
    """`count` missions of printed boards, drawn one after the other from one seed."""
    rng = generator(seed, "ricochet positions")
    for _ in range(count):
        yield _draw_position(rng, robots=4, sides=FIRST_EDITION)


def _draw_position(rng: random.Random, robots: int, sides: str) -> Level:
    numbers = rng.sample(printed.NUMBERS, 4)
    board = printed.board("-".join(number + rng.choice(sides) for number in numbers))
    mission = rng.choice(board.goals)
    free = [cell for cell, walls in enumerate(board.walls) if walls != CLOSED and cell != mission.cell]
    return Level(printed.SIDE, printed.SIDE, board.walls, tuple(rng.sample(free, robots)), mission, board.goals)
