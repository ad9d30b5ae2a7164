"""Where to dig among water, as on Medusa's maps: each square of it beside a hole may fill the pit, and again the hole.

Whoever walks into water crawls out again at once, on any land beside that square, each as likely as the others. It
costs a turn and no hit points, so what lies beyond one square of water can be reached by trying.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.world import STEP_OF_WAY, World
from gridsage.games.nethack.level import CELLS, COLS, ROWS

SEA = 40  # squares of water from which on a level counts as Medusa's
PIT, HOLE = 5.0, 15.0  # strokes until the pit is dug, and from there until the hole is through
UNKNOWN_WET = 0.3  # squares of water that an unknown square stands for
ROUNDS = 80  # of improving what is expected; each reaches one square further
STEP = 3.0  # strokes on the word that a step off it is worth, over land or into water: whoever is near bites
UNREACHED = 1e6
LAVA = kn.MAP + 34

Plane = NDArray[np.float64]
Mask = NDArray[np.bool_]


def is_sea(world: World) -> bool:
    """Return True on a level with much water, and no lava in sight."""
    assert world.state is not None
    return has_sea(world.memory) and not bool((world.state.glyphs == LAVA).any())


def has_sea(memory: NDArray[np.int32]) -> bool:
    """Return True if so much water is remembered on a level that it must be Medusa's."""
    return int(np.count_nonzero(memory[kn.TERRAIN] == kn.WATER)) > SEA


def around(plane: Plane, outside: float) -> Plane:
    """Return the eight neighbours of each square as planes of their own."""
    framed = np.full((ROWS + 2, COLS + 2), outside)
    framed[1:-1, 1:-1] = plane.reshape(ROWS, COLS)
    shifts = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    return np.stack([framed[row : row + ROWS, col : col + COLS].reshape(CELLS) for row, col in shifts])


def strokes(wet: Plane) -> Plane:
    """Return the strokes until a hole is through among so many squares of water, if each failure is followed by a try.

    Of k squares of water beside it none fills the pit with a chance of 1 / (k + 1), and the same again for the hole.
    """
    passes = 1.0 / (wet + 1.0)
    return (PIT + HOLE * passes) / passes**2


def strokes_through(land: Mask, water: Mask, digging: Plane) -> Plane:
    """Return for each square the strokes expected until a hole is through: dug there, or after walking and wading."""
    beside = around(land.astype(np.float64), 0.0)
    ways_out = beside.sum(axis=0)
    wadable = water & (ways_out > 0)
    turns = np.where(land, digging, UNREACHED)
    for _ in range(ROUNDS):
        near = around(turns, UNREACHED)
        crawled = np.where(beside > 0, near, 0.0).sum(axis=0) / np.maximum(ways_out, 1.0)
        reached = np.where(wadable, crawled, turns)
        better = np.where(land, np.minimum(digging, around(reached, UNREACHED).min(axis=0) + STEP), reached)
        if np.array_equal(better, turns):
            break
        turns = better
    return turns


def way_to_dig(world: World, diggable: Mask) -> int | None:
    """Return the way of the next step to where a hole is through soonest, -1 if that is here, None if it is unknown.

    Stairs up are no place to pass: nothing can be written there.
    """
    terrain = world.memory[kn.TERRAIN]
    water, free = terrain == kn.WATER, world.memory[kn.MONSTER] == 0
    free[terrain == kn.UP] = False
    free[world.hero] = True
    land = (terrain > kn.WALL) & (terrain < kn.WATER) & (world.memory[kn.TRAP] == 0) & free
    wet = around(water + UNKNOWN_WET * (terrain == kn.UNKNOWN), 0.0).sum(axis=0)
    turns = strokes_through(land, water, np.where(land & diggable, strokes(wet), UNREACHED))
    if turns[world.hero] >= UNREACHED:
        return None
    if diggable[world.hero] and turns[world.hero] >= strokes(wet)[world.hero]:
        return -1
    near = [turns[world.hero + step] if 0 <= world.hero + step < CELLS else UNREACHED for step in STEP_OF_WAY]
    return int(np.argmin(near))
