"""Where an enemy that stands still blocks the only way for good, computed once per level.

An enemy moves only while a path of its own leads to the runner. Where no cell that is left to the runner draws it away,
it stays as long as the game lasts, and what lies behind it is lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.kernels.rounds import (
    BITS,
    BONUS_WORDS,
    CODE,
    COLS,
    ENEMIES,
    FIRST_BONUS,
    HOLES,
    RUNNER,
    Board,
    Chase,
    Info,
    Row,
    is_hole,
    neighbour,
)
from gridsage.games.loderunner.level import FLOOR, WALL
from gridsage.games.loderunner.state import NONE

EXIT_BIT = 60  # four words of bonuses come before it; further ones are not looked at
MOST_WORDS = EXIT_BIT // BITS
MOST_WORK = 20_000  # cells times goals; on larger levels only the exit is looked at: a fifth of a second

Plugs = NDArray[np.int32]  # (cells,): the row of `lost` for an enemy in that cell, or -1
Lost = NDArray[np.int64]  # (plugs, cells): goals that the runner in that cell can never reach, as bits


@kernel
def standoffs(
    board: Board, chase: Chase, info: Info, ways: NDArray[np.int32], goals: NDArray[np.int64]
) -> tuple[Plugs, Lost]:
    """The goals lost to a runner in every cell by a single enemy in every other; `ways` are the runner's lone steps."""
    cells, cols = chase.shape[0], info[COLS]
    plugs = np.full(cells, -1, np.int32)
    lost = np.zeros((cells, cells), np.int64)
    starts, sources = _sources(ways)
    least = 0 if cells * goals.shape[0] <= MOST_WORK else goals.shape[0] - 1
    open_ways = np.zeros((goals.shape[0], cells), np.bool_)
    for number in range(least, goals.shape[0]):
        _from_where(ways, starts, sources, goals, number, -1, open_ways[number], cols)
    at_large = np.empty(cells, np.bool_)
    closed_way = np.empty(cells, np.bool_)
    found = 0
    for enemy in range(cells):
        if board[CODE, enemy] == WALL or board[CODE, enemy] == FLOOR:
            continue
        _drawing_away(chase, cols, enemy, at_large)
        _spread_back(starts, sources, enemy, at_large)
        if at_large.all():
            continue
        is_plug = False
        for number in range(least, goals.shape[0]):
            to_exit = number == goals.shape[0] - 1
            if number >= EXIT_BIT and not to_exit:
                continue
            _from_where(ways, starts, sources, goals, number, enemy, closed_way, cols)
            for runner in range(cells):
                if open_ways[number, runner] and not closed_way[runner] and not at_large[runner]:
                    lost[found, runner] |= 1 << (EXIT_BIT if to_exit else number)
                    is_plug = True
        if is_plug:
            plugs[enemy] = found
            found += 1
    return plugs, lost[: max(found, 1)].copy()


@kernel
def _sources(ways: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For every cell the cells with a step that ends in it: those of cell c are sources[starts[c]:starts[c + 1]]."""
    cells = ways.shape[0]
    starts = np.zeros(cells + 1, np.int32)
    for cell in range(cells):
        for way in range(ways.shape[1]):
            if ways[cell, way, 0] >= 0:
                starts[ways[cell, way, 0] + 1] += 1
    for cell in range(cells):
        starts[cell + 1] += starts[cell]
    sources = np.empty(max(int(starts[cells]), 1), np.int32)
    places = starts.copy()
    for cell in range(cells):
        for way in range(ways.shape[1]):
            last = ways[cell, way, 0]
            if last >= 0:
                sources[places[last]] = cell
                places[last] += 1
    return starts, sources


@kernel
def _drawing_away(chase: Chase, cols: int, enemy: int, found: NDArray[np.bool_]) -> None:
    """Mark the runner's cells that draw the enemy from its cell, other than those where it comes upon him at once."""
    for runner in range(chase.shape[0]):
        way = chase[enemy, runner]
        found[runner] = runner == enemy or (way != NONE and neighbour(enemy, way, cols) != runner)


@kernel
def _spread_back(
    starts: NDArray[np.int32],
    sources: NDArray[np.int32],
    enemy: int,
    reached: NDArray[np.bool_],  # (cells,): in: where it is reached already; out: from where it can be
) -> None:
    """Spread marks back along the runner's steps, never through the enemy's cell."""
    queue = np.empty(reached.shape[0], np.int32)
    head, tail = 0, 0
    for cell in range(reached.shape[0]):
        if reached[cell] and cell != enemy:
            queue[tail] = cell
            tail += 1
    while head < tail:
        cell = queue[head]
        head += 1
        for place in range(starts[cell], starts[cell + 1]):
            source = sources[place]
            if source != enemy and not reached[source]:
                reached[source] = True
                queue[tail] = source
                tail += 1


@kernel
def _from_where(
    ways: NDArray[np.int32],
    starts: NDArray[np.int32],
    sources: NDArray[np.int32],
    goals: NDArray[np.int64],
    number: int,
    enemy: int,
    reached: NDArray[np.bool_],  # (cells,): out
    cols: int,
) -> None:
    """Mark the cells from which a lone runner who never ends a step in the enemy's cell takes the goal."""
    to_exit = number == goals.shape[0] - 1
    for cell in range(ways.shape[0]):
        is_there = to_exit and cell == goals[number]
        reached[cell] = cell != enemy and (is_there or _takes(ways, cell, goals[number], to_exit, enemy, cols))
    _spread_back(starts, sources, enemy, reached)


@kernel
def _takes(ways: NDArray[np.int32], cell: int, goal: int, to_exit: bool, enemy: int, cols: int) -> bool:
    """Return True if one lone step from the cell that does not end upon the enemy takes the goal."""
    for way in range(ways.shape[1]):
        last = ways[cell, way, 0]
        if last < 0 or last == enemy:
            continue
        passes = last % cols == goal % cols and ways[cell, way, 1] <= goal <= last
        if (to_exit and last == goal) or (not to_exit and passes):
            return True
    return False


@kernel
def shut_out(info: Info, plugs: Plugs, lost: Lost, state: Row) -> int:
    """The number of enemies who stand in the only way to something for good."""
    first = FIRST_BONUS + info[BONUS_WORDS]
    left = -1
    count = 0
    for number in range(first, first + info[ENEMIES]):
        plug = plugs[state[number]]
        if plug < 0 or lost[plug, state[RUNNER]] == 0:
            continue
        if left < 0:
            left = 1 << EXIT_BIT
            for word in range(min(info[BONUS_WORDS], MOST_WORDS)):
                left |= int(state[FIRST_BONUS + word]) << (BITS * word)
        if lost[plug, state[RUNNER]] & left and not (state[HOLES] > 0 and is_hole(state, state[number])):
            count += 1
    return count
