"""What an enemy keeps from the runner whatever he does: a proof, by a game that is easier for him than the real one.

The sentry is one enemy. All others are left out, and so are the holes that he would have to dig before he drops
through a floor. When the sentry moves, somebody may stand in its way; then that one is nearer to the runner, and is
the sentry from now on: he may choose any cell of its path, up to the one before his own. He is rid of the sentry as
soon as it falls into a hole, which has to be dug at its time; nothing is proved then. Runner, sentry, whose turn it is
and that one hole are all that is left of a position, and every one of them is looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.kernels.rounds import (
    CODE,
    COLS,
    HOLE_ROUNDS,
    SPAWN,
    SPAWNS,
    Board,
    Chase,
    Info,
    is_legal,
    neighbour,
)
from gridsage.games.loderunner.kernels.standoffs import TRAPPED, enemy_move, places_of
from gridsage.games.loderunner.level import CABLE, FLOOR, PATH
from gridsage.games.loderunner.state import BOMB_LEFT, BOMB_RIGHT, DOWN, NONE, UP

MOST_POSITIONS = 40_000_000  # of the easier game, a byte each
FIRST_STACK = 1 << 12  # positions to look at: as many as a level with few cells has at once
MOST_STOREYS = 64  # floors that a fall can come through


@kernel
def out_of_reach(
    board: Board, chase: Chase, info: Info, goals: NDArray[np.int64], runner: int, sentry: int
) -> NDArray[np.bool_]:
    """The goals (the last is the exit) that the runner can never reach because of the sentry, as far as is proved."""
    nothing = np.zeros(goals.shape[0], np.bool_)
    beat = _beat(chase, board, info, sentry)
    numbers, cells = places_of(board, info[COLS])
    holes = _holes_under(board, info[COLS], beat)
    stays = 1 + HOLE_ROUNDS * holes.shape[0]
    if numbers[runner] < 0 or cells.shape[0] * beat.shape[0] * 2 * stays > MOST_POSITIONS:
        return nothing
    number_on_beat = np.full(board.shape[1], -1, np.int64)
    number_on_beat[beat] = np.arange(beat.shape[0])
    number_of_hole = np.full(board.shape[1], -1, np.int64)
    number_of_hole[holes] = np.arange(holes.shape[0])
    seen = np.zeros(cells.shape[0] * beat.shape[0] * 2 * stays, np.bool_)
    stack = np.empty(FIRST_STACK, np.int64)
    taken = np.zeros(goals.shape[0], np.bool_)
    ends = np.empty((MOST_STOREYS, 2), np.int64)
    wheres = np.empty(2 * board.shape[1], np.int64)
    stack[0] = (numbers[runner] * beat.shape[0] + number_on_beat[sentry]) * 2 * stays
    seen[stack[0]] = True
    size = 1
    while size > 0:
        size -= 1
        stay, rest = stack[size] % stays, stack[size] // stays
        parity, enemy = rest % 2, beat[rest // 2 % beat.shape[0]]
        at = cells[rest // 2 // beat.shape[0]]
        for action in range(BOMB_RIGHT + 1):
            if not is_legal(board, info, at, action):
                continue
            hole, left = -1, 0
            if stay > 0:
                hole, left = holes[(stay - 1) // HOLE_ROUNDS], (stay - 1) % HOLE_ROUNDS + 1
            if action >= BOMB_LEFT:
                dug = at + info[COLS] + (-1 if action == BOMB_LEFT else 1)
                if stay > 0 or number_of_hole[dug] < 0:
                    continue  # the first trap needs one hole only, and to dig another is to stand still
                hole, left = dug, HOLE_ROUNDS
            for end in range(_ends(board, info, at, action, ends)):
                last = ends[end, 0]
                if last == enemy:
                    continue
                taken[-1] = taken[-1] or last == goals[-1]
                wheres[0], count = enemy, 1
                if parity == 0:
                    count = _sentry_cells(board, chase, info[COLS], enemy, last, hole, wheres)
                if count == TRAPPED:
                    return nothing
                if count > 0:
                    _take(goals, ends[end, 1], last, info[COLS], taken)
                if left == 1:
                    continue  # the hole closes and was of no use
                stayed = 0 if hole < 0 else number_of_hole[hole] * HOLE_ROUNDS + left - 1
                throws = info[SPAWNS] if board[CODE, last] == FLOOR else 0
                for then in range(count * (1 + throws)):
                    where = wheres[then % count]
                    spot = last if then < count else board[SPAWN, then // count - 1]
                    key = ((numbers[spot] * beat.shape[0] + number_on_beat[where]) * 2 + 1 - parity) * stays + stayed
                    if spot != where and not seen[key]:
                        seen[key] = True
                        if size == stack.shape[0]:
                            stack = np.concatenate((stack, np.empty_like(stack)))
                        stack[size] = key
                        size += 1
    return ~taken


@kernel
def _sentry_cells(
    board: Board, chase: Chase, cols: int, enemy: int, runner: int, hole: int, wheres: NDArray[np.int64]
) -> int:
    """Write the cells where the sentry can be after its move; return how many, or TRAPPED if it can be in the hole."""
    count, step = 0, enemy
    while True:
        then = enemy_move(board, chase, cols, step, runner, hole)
        if then == TRAPPED:
            return TRAPPED
        if then >= 0:
            wheres[count] = then
            count += 1
        way = chase[step, runner]
        step = neighbour(step, way, cols)
        if way == NONE or step == runner:
            return count
        wheres[count] = step  # somebody stood there, and has moved already
        count += 1


@kernel
def _beat(chase: Chase, board: Board, info: Info, sentry: int) -> NDArray[np.int64]:
    """The cells where the sentry, or who takes its place, can ever be."""
    cells, cols = chase.shape[0], info[COLS]
    known = np.zeros(cells, np.bool_)
    beat = np.empty(cells, np.int64)
    known[sentry] = True
    beat[0] = sentry
    size, done = 1, 0
    while done < size:
        cell = beat[done]
        done += 1
        for goal in range(cells):
            way = chase[cell, goal]
            if way == NONE:
                continue
            for landed in range(2):
                then = neighbour(cell, way, cols)
                if landed == 1:
                    then = enemy_move(board, chase, cols, cell, goal, -1)
                if then >= 0 and not known[then]:
                    known[then] = True
                    beat[size] = then
                    size += 1
    return beat[:size].copy()


@kernel
def _holes_under(board: Board, cols: int, beat: NDArray[np.int64]) -> NDArray[np.int64]:
    """The floor that can be dug below the cells of a beat, or deeper where one falls."""
    code = board[CODE]
    known = np.zeros(code.shape[0], np.bool_)
    for cell in beat:
        while cell + cols < code.shape[0]:
            if code[cell] == PATH and code[cell + cols] == FLOOR:
                known[cell + cols] = True
            if code[cell + cols] != PATH and code[cell + cols] != CABLE:
                break
            cell += cols
    return np.flatnonzero(known)


@kernel
def _ends(board: Board, info: Info, runner: int, action: int, ends: NDArray[np.int64]) -> int:
    """Write where a step can end, and the first cell whose bonus it takes; return how many such ends there are."""
    cols, code = info[COLS], board[CODE]
    if action in (NONE, UP) or action >= BOMB_LEFT:
        ends[0, 0] = runner - cols if action == UP else runner
        ends[0, 1] = runner - cols if action == UP else runner + cols
        return 1
    cell = neighbour(runner, action, cols)
    first = cell + cols if action == DOWN else cell
    count = 0
    while True:
        below = cell + cols
        if (cell >= cols and code[cell - cols] == CABLE) or below >= code.shape[0]:
            break
        if code[below] != PATH and code[below] != CABLE:
            may_drop = code[below] == FLOOR and code[cell] == PATH and count + 1 < ends.shape[0]
            if not may_drop:
                break
            ends[count, 0], ends[count, 1] = cell, first  # the floor is whole here
            count += 1
        cell = below
    if code[cell] != FLOOR:
        ends[count, 0], ends[count, 1] = cell, first
        count += 1
    return count


@kernel
def _take(goals: NDArray[np.int64], first: int, last: int, cols: int, taken: NDArray[np.bool_]) -> None:
    """Mark the bonuses from the first cell of a step down to its last."""
    for number in range(goals.shape[0] - 1):
        goal = goals[number]
        if goal % cols == last % cols and first <= goal <= last:
            taken[number] = True
