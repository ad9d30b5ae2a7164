"""What the explorer's search remembers between two calls, in one array, and the dice that lie in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.kernels.chance import Number

Books = NDArray[np.int64]  # (BOOKS,)

COUNT, USED, DICE, EXIT_AT, TICKS_USED, WINNER, TOP, LAST_KEPT, KEPT_TO, RISKS_TAKEN, SWERVED, RINGS = range(12)
# from RINGS on, for each number of diamonds taken and made, and for each lot that positions are dealt into by where
# diamonds are left: how many positions were kept, and the last of them
LEVELS, LOTS, RING = 128, 16, 512
BOOKS = RINGS + LEVELS * LOTS * (1 + RING)


@borrowing_kernel
def below(books: Books, number: int) -> Number:
    """Return a number of chance, from 0 to `number` - 1."""
    dice = books[DICE]
    dice ^= (dice << 13) & 0x7FFFFFFFFFFFFFFF
    dice ^= dice >> 7
    dice ^= (dice << 17) & 0x7FFFFFFFFFFFFFFF
    books[DICE] = dice
    return (dice >> 20) % number
