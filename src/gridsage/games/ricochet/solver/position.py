"""Positions of Ricochet Robots as the solver takes them, its answers, and how boards are laid into square grids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.core.amounts import counted
from gridsage.core.errors import LevelError

KeyType = type[np.uint32] | type[np.int64]
Status = Literal["solved", "unsolvable", "budget", "cancelled"]

# Boards are laid into grids of side 16, 32 or 64.
SMALL_SIDE_BITS, LARGE_SIDE_BITS = 4, 6
SMALL_SIDE, LARGE_SIDE = 1 << SMALL_SIDE_BITS, 1 << LARGE_SIDE_BITS
MAX_ROBOTS = 5
ALL_SIDES = 15


@dataclass(frozen=True)
class Position:
    """A board with its robots and the mission to solve."""

    walls: NDArray[np.uint8]  # (rows, cols), at most 64 x 64; bits N=1 E=2 S=4 W=8; the rim closes the board by itself
    robots: tuple[int, ...]  # cells row * cols + col; one to five robots
    target: int
    target_robot: int  # -1: any robot may serve

    def __post_init__(self) -> None:
        """Complain about a position that no board can have."""
        check_board(self.walls, self.robots)
        if not 0 <= self.target < self.walls.size:
            raise LevelError(f"target {self.target}, expected a cell from 0 to {self.walls.size - 1}")
        if not -1 <= self.target_robot < len(self.robots):
            raise LevelError(f"target robot {self.target_robot}, expected -1 (any) or 0 to {len(self.robots) - 1}")


class Solution(msgspec.Struct, frozen=True, gc=False):
    """What the solver found, and what it proved."""

    status: Status
    length: int | None
    moves: tuple[int, ...]  # robot * 4 + direction; directions 0 N, 1 E, 2 S, 3 W
    solutions: tuple[tuple[int, ...], ...]  # all shortest ones, if asked for; else the one in `moves`
    complete: bool  # whether `solutions` holds all shortest ones
    nodes: int
    seconds: float
    proved_above: int  # no solution has this many moves or fewer
    must_ricochet: bool


def side_bits_of(walls: NDArray[np.uint8]) -> int:
    """The bits of a row or column in the smallest grid that holds the board."""
    rows: int
    cols: int
    rows, cols = walls.shape
    if rows <= SMALL_SIDE and cols <= SMALL_SIDE:
        return SMALL_SIDE_BITS
    longest = max(rows, cols)
    return (longest - 1).bit_length()


def lay_out(walls: NDArray[np.uint8], board: NDArray[np.uint8]) -> None:
    """Copy `walls` into the north-west corner of the square `board`; what is left over is solid."""
    if walls.shape == board.shape:
        board[:] = walls
    else:
        board[:] = ALL_SIDES
        board[: walls.shape[0], : walls.shape[1]] = walls


def grid_cells(cells: tuple[int, ...], walls: NDArray[np.uint8], side_bits: int) -> list[int]:
    """The same cells in a grid of side 2**side_bits."""
    cols = walls.shape[1]
    if cols == 1 << side_bits:
        return list(cells)
    return [(cell // cols << side_bits) + cell % cols for cell in cells]


def check_board(walls: NDArray[np.uint8], robots: tuple[int, ...]) -> None:
    """Complain about a board or robots that the solver cannot take."""
    if walls.ndim != 2 or not (1 <= walls.shape[0] <= LARGE_SIDE and 1 <= walls.shape[1] <= LARGE_SIDE):
        raise LevelError(f"walls have shape {walls.shape}, expected (rows, cols) of at most {LARGE_SIDE} each")
    if not 1 <= len(robots) <= MAX_ROBOTS:
        raise LevelError(f"{counted(len(robots), 'robot')}, expected 1 to {MAX_ROBOTS}: {robots}")
    if len(set(robots)) != len(robots) or min(robots) < 0 or max(robots) >= walls.size:
        raise LevelError(f"robots {robots}, expected different cells from 0 to {walls.size - 1}")


def stands_on_target(position: Position) -> bool:
    """Return True if the mission is done before the first move, under the plain rule."""
    if position.target_robot >= 0:
        return position.robots[position.target_robot] == position.target
    return position.target in position.robots
