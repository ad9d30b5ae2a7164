"""The memory of a search: arrays that are kept for the next one, and larger ones for hard positions."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gridsage.games.ricochet.kernels import best_first, pairs
from gridsage.games.ricochet.solver.position import (
    MAX_ROBOTS,
    SMALL_SIDE_BITS,
    KeyType,
    Position,
    grid_cells,
    lay_out,
    side_bits_of,
)

# Positions opened between two looks at the budget: near 2 ms.
SLICE = 8192
# Of so many positions that may be opened one is opened under the weak bound: the search under the next one begins anew.
# Of 400 random missions 18 are not solved within 5,000 positions, and 76 within 1,000; it was 32 and 154.
WEAK_SHARE = 16
# How the fields of a mission lie in memory, by the number of robots.
_MISSIONS = [struct.Struct(f"{best_first.FIRST_ROBOT + count}q") for count in range(MAX_ROBOTS + 1)]
# Arrays kept between calls hold this many positions: near 4 MB in all.
SMALL_ARENA = 1 << 17
SMALL_TABLE = 1 << 18
# A hard position gets arrays for this many, of which the system hands out what is touched: below 900 MB with the table.
COMPACT_ARENA, COMPACT_TABLE = 40_000_000, 1 << 26
WIDE_ARENA, WIDE_TABLE = 20_000_000, 1 << 25


class Workspace:
    """The arrays of one search."""

    def __init__(self, side_bits: int, key_type: KeyType) -> None:
        cells = 1 << (2 * side_bits)
        self.control = np.zeros(best_first.CONTROL_SIZE, np.int64)
        self.fields = self.control.data  # the same numbers; one at a time they are read and written faster so
        self.walls = np.empty(cells, np.uint8)
        self.board = self.walls.reshape(1 << side_bits, 1 << side_bits)
        self.bytes = self.walls.data
        self.stops = np.empty((cells, 4), np.uint16)
        self.tables = np.empty((2, cells, cells), np.uint8)
        paired = cells + pairs.EXTRA if side_bits == SMALL_SIDE_BITS else 0
        self.pairs = np.empty((paired, cells, cells), np.uint8)
        self.side_bits = side_bits
        self.key_type = key_type
        self._allocate(SMALL_ARENA, SMALL_TABLE)
        self.control[best_first.SIDE_BITS] = side_bits
        self.control[best_first.ARENA_END] = SMALL_ARENA
        self.control[best_first.STRONG_LIMIT] = best_first.STRONG_OPENINGS

    def _allocate(self, arena: int, table: int) -> None:
        self.keys = np.empty(arena, self.key_type)
        self.links = np.empty((2, arena), np.uint32)
        self.later = np.empty(arena, np.uint8)
        self.table = np.empty(table, self.key_type)
        self.is_small = arena == SMALL_ARENA

    def set_up(self, position: Position, must_ricochet: bool, max_nodes: int | None) -> None:
        """Forget the last search and make ready for the first slice of this one."""
        robots: Sequence[int] = position.robots
        target = position.target
        if position.walls.size == self.walls.size:
            self.bytes[:] = position.walls.tobytes()  # takes half the time of an assignment to the board
        else:
            lay_out(position.walls, self.board)
            target, *robots = grid_cells((target, *position.robots), position.walls, self.side_bits)
        count = len(robots)
        # In the order of the fields, from STAGE to the last robot.
        _MISSIONS[count].pack_into(
            self.fields,
            0,
            best_first.FRESH,
            0,
            -1,
            SLICE,
            best_first.WEAK_OPENINGS if max_nodes is None else min(best_first.WEAK_OPENINGS, max_nodes // WEAK_SHARE),
            count,
            target,
            position.target_robot,
            must_ricochet,
            *robots,
        )

    def enlarge(self) -> None:
        """Move a search on one thread, between two slices, into the largest arrays."""
        control, keys, links, later = self.control, self.keys, self.links, self.later
        compact = self.key_type is np.uint32
        self._allocate(*((COMPACT_ARENA, COMPACT_TABLE) if compact else (WIDE_ARENA, WIDE_TABLE)))
        stored, stacked = int(control[best_first.STORED]), int(control[best_first.STACKED])
        self.keys[:stored] = keys[:stored]
        self.links[0, :stored] = links[0, :stored]
        self.links[1, :stacked] = links[1, :stacked]
        self.later[:stored] = later[:stored]
        control[best_first.ARENA_END] = self.keys.size
        best_first.grow_table(control, self.keys, self.table)

    def fill_pairs(self) -> None:
        """Fill the whole bound over pairs of helpers: threads that share it must not."""
        pairs.fill_all_pairs(self.walls, self.stops, self.side_bits, self.tables, self.pairs)

    def advance(self, control: NDArray[np.int64]) -> int:
        """Search on with one thread's `control`; a code of `best_first`."""
        return best_first.advance(
            control,
            self.walls,
            self.stops,
            self.tables,
            self.pairs,
            self.keys,
            self.links,
            self.later,
            self.table,
        )


# Workspaces at rest. Taking and giving back are single list operations, so threads need no lock.
_resting: defaultdict[tuple[int, KeyType], list[Workspace]] = defaultdict(list)


def take_workspace(position: Position, must_ricochet: bool, max_nodes: int | None = None) -> Workspace:
    """Return a workspace at rest, or a new one, made ready for this position."""
    side_bits = side_bits_of(position.walls)
    # Four robots on 16 x 16 cells fill 32 bits; the ricochet mark and the serving robot's number need more.
    compact = (
        side_bits == SMALL_SIDE_BITS and len(position.robots) <= 4 and position.target_robot >= 0 and not must_ricochet
    )
    key_type: KeyType = np.uint32 if compact else np.int64
    try:
        workspace = _resting[side_bits, key_type].pop()
    except IndexError:
        workspace = Workspace(side_bits, key_type)
    workspace.set_up(position, must_ricochet, max_nodes)
    return workspace


def give_back(workspace: Workspace) -> None:
    """Keep a small workspace for the next call; the memory of a large one goes back to the system."""
    if workspace.is_small:
        _resting[workspace.side_bits, workspace.key_type].append(workspace)
