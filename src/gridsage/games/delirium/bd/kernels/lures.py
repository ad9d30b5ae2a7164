"""Butterflies led to amoeba: beside it they explode into diamonds, so tunnels are dug from where they fly to it."""

# Comparisons are written out: membership in a tuple compiles to a loop.

from __future__ import annotations

import numpy as np

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.cells import AMOEBA, BUTTERFLY, KIND_MASK
from gridsage.games.delirium.bd.kernels.boards import (
    FRONT,
    HITS,
    LAST_BIT,
    LIGHT,
    NEAR,
    NONE,
    ONE,
    SOFT,
    TARGETS,
    Ground,
    add_cell,
    advance,
    fill,
    row_words,
    set_out,
)
from gridsage.games.delirium.bd.kernels.chance import Number
from gridsage.games.delirium.bd.kernels.tick import COLS, SIZE, Cells, Rules

DIRT_OF_A_TUNNEL = 4  # times as dear as a free cell
MOST_FOR_A_TUNNEL = 240


@borrowing_kernel
def tunnel_distance(cells: Cells, rules: Rules, ground: Ground) -> Number:
    """Return what lies between butterflies and amoeba: free cells, and cells of dirt, which have to be dug.

    It is 0 where one flies in space that touches amoeba, and MOST_FOR_A_TUNNEL at most.

    Args:
        ground: drawn; FRONT, NEAR, TARGETS, HITS and what waits are used.
    """
    cols, boards = rules[COLS], ground.boards
    jump = row_words(cols)
    boards[FRONT], boards[NEAR] = NONE, NONE
    for cell in range(rules[SIZE]):
        kind = cells[cell] & KIND_MASK
        if BUTTERFLY <= kind < BUTTERFLY + 4:
            add_cell(boards[FRONT], cols, cell)
        elif kind == AMOEBA:
            add_cell(boards[NEAR], cols, cell)
    fill(boards[FRONT], boards[LIGHT], cols)
    amoeba, touched = boards[NEAR], NONE
    boards[TARGETS] = NONE
    for i in range(jump, boards.shape[1] - jump):
        near = amoeba[i] << ONE | amoeba[i - 1] >> LAST_BIT
        near |= amoeba[i] >> ONE | amoeba[i + 1] << LAST_BIT
        near |= amoeba[i + jump] | amoeba[i - jump]
        boards[TARGETS, i] = near & (boards[LIGHT, i] | boards[SOFT, i])
        touched |= boards[TARGETS, i] & boards[FRONT, i]
    if touched != NONE:
        return np.int64(0)
    boards[HITS] = NONE
    set_out(boards, ground.due)
    cost = advance(boards, ground.due, cols, DIRT_OF_A_TUNNEL, MOST_FOR_A_TUNNEL, is_barred_from_above=False)
    return min(cost, np.int64(MOST_FOR_A_TUNNEL))
