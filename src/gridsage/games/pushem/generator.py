"""Positions by chance: fair ones, where each side stands as the other does after half a turn of the board."""

from __future__ import annotations

from typing import Annotated

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import OptionError
from gridsage.core.rng import generator
from gridsage.core.room import NamedLevel
from gridsage.games.pushem.level import CARD_NAMES, SEATS, SIZE, Level, write

CELLS = SIZE * SIZE
LARGEST_ENDING = 9  # cells that an ending uses: four pawns of each side and an abyss
ABYSS_CHANCE = 0.3
ENDING_PLIES = (20, 28, 40, 48, 60, 68, 90)  # of First, some of them just before a ring cracks
Pawns = Annotated[int, msgspec.Meta(ge=1, le=16)]
Holes = Annotated[int, msgspec.Meta(ge=0, le=16)]
Ply = Annotated[int, msgspec.Meta(ge=0, le=119)]


def generate(*, seed: int = 1, pawns: Pawns = 8, holes: Holes = 4, rim: bool = False, ply: Ply = 0) -> NamedLevel:
    """Return a fair position, the same for the same seed and settings.

    Args:
        pawns: of each side.
        holes: cells of abyss; an even number.
        rim: True if pawns may start on the outer ring.
        ply: plies already played; rings crack at 30, 50 and 70.
    """
    if holes % 2:
        raise OptionError(f"holes is {holes}: a fair board has an even number of them")
    rng = generator(seed, "pushem", pawns, holes, rim, ply)
    half = [cell for cell in range(CELLS // 2) if rim or _ring(cell)]  # each has its like in the other half
    if pawns + holes // 2 > len(half):
        raise OptionError(
            f"{counted(pawns, 'pawn')} a side and {counted(holes, 'hole')} need "
            f"more than {counted(2 * len(half), 'cell')}: ask for less"
        )
    chosen = rng.sample(half, pawns + holes // 2)
    first = second = abyss = 0
    for number, cell in enumerate(chosen):
        here, there = 1 << cell, 1 << (CELLS - 1 - cell)
        if number >= pawns:
            abyss |= here | there
        elif rng.random() < 0.5:
            first, second = first | here, second | there
        else:
            first, second = first | there, second | here
    return NamedLevel(f"generated-{seed}", write(Level(first, second, abyss, frozen=0, ply=ply)))


def ending(seed: int) -> NamedLevel:
    """Return a position with few pawns and some cards in both hands, First to move, often near a crack of the board."""
    rng = generator(seed, "pushem ending")
    cells = rng.sample([cell for cell in range(CELLS) if _ring(cell)], LARGEST_ENDING)
    own, enemies = rng.randint(1, 4), rng.randint(1, 4)
    hands = [sum(1 << card for card in rng.sample(range(len(CARD_NAMES)), rng.randint(0, 3))) for _ in SEATS]
    position = Level(
        first=sum(1 << cell for cell in cells[:own]),
        second=sum(1 << cell for cell in cells[own : own + enemies]),
        abyss=1 << cells[-1] if rng.random() < ABYSS_CHANCE else 0,
        frozen=0,
        ply=rng.choice(ENDING_PLIES),
        first_hand=hands[0],
        second_hand=hands[1],
    )
    return NamedLevel(f"ending-{seed}", write(position))


def _ring(cell: int) -> int:
    """How far a cell is from the edge."""
    row, col = divmod(cell, SIZE)
    return min(row, col, SIZE - 1 - row, SIZE - 1 - col)
