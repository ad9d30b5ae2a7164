"""Positions by chance: fair ones, where each side stands as the other does after half a turn of the board."""

from __future__ import annotations

from typing import Annotated

import msgspec

from gridsage.core.errors import OptionError
from gridsage.core.rng import generator
from gridsage.core.room import NamedLevel
from gridsage.games.pushem.level import SIZE, Level, write

CELLS = SIZE * SIZE
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
        raise OptionError(f"{pawns} pawns a side and {holes} holes need more than {2 * len(half)} cells: ask for less")
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


def _ring(cell: int) -> int:
    """How far a cell is from the edge."""
    row, col = divmod(cell, SIZE)
    return min(row, col, SIZE - 1 - row, SIZE - 1 - col)
