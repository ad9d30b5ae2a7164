"""What enemies keep from the runner whatever he does: a proof, by a game that is easier for him than the real one.

The sentries are one enemy or two; all others are left out. A floor that he has once had the time to dig stays open for
his drops. When a sentry moves, somebody may stand in its way; then that one is nearer to the runner, and is the sentry
from now on: he may choose any cell of its path, up to the one before his own. Nothing is proved once a sentry can fall
into a hole, which has to be dug at its time. Runner, sentries, whose turn it is and that one hole are all that is left
of a position, and every one that can be reached is looked at; again and again, until no further floor can be dug.
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
from gridsage.games.loderunner.kernels.standoffs import TRAPPED, enemy_move
from gridsage.games.loderunner.level import CABLE, FLOOR, PATH
from gridsage.games.loderunner.state import BOMB_LEFT, BOMB_RIGHT, DOWN, NONE, UP

MOST_POSITIONS = 400_000  # of the easier game: some 0.2 s
MOST_STOREYS = 64  # floors that a fall can come through
MOST_SENTRIES = 2


@kernel
def out_of_reach(
    level: tuple[Board, Chase, Info],
    goals: NDArray[np.int64],
    runner: int,
    sentries: NDArray[np.int64],  # one cell, or two
    parity: int,  # of the rounds played
) -> NDArray[np.bool_]:
    """The goals (the last is the exit) that the runner can never reach because of the sentries, as far as is proved.

    No hole is open at the start.
    """
    dug = np.zeros(level[0].shape[1], np.bool_)
    while True:
        known = dug.sum()
        kept = _kept_goals(level, goals, runner, sentries, parity, dug)
        if dug.sum() == known or not kept.any():
            return kept


@kernel
def _kept_goals(
    level: tuple[Board, Chase, Info],
    goals: NDArray[np.int64],
    runner: int,
    sentries: NDArray[np.int64],
    parity: int,
    dug: NDArray[np.bool_],  # (cells,): floor that is open for drops; what can be dug is added
) -> NDArray[np.bool_]:
    """The goals that are not reached; none of them if a sentry can be trapped or there are too many positions."""
    board, chase, info = level
    cols, cells = info[COLS], board.shape[1]
    nothing = np.zeros(goals.shape[0], np.bool_)
    number_of_hole, holes = _holes_under(board, cols, _beat(chase, board, info, sentries))
    stays = 1 + HOLE_ROUNDS * holes.shape[0]
    taken = np.zeros(goals.shape[0], np.bool_)
    ends = np.empty((MOST_STOREYS, 2), np.int64)
    wheres = np.zeros((MOST_SENTRIES, 2 * cells), np.int64)
    enemies, counts = np.zeros(MOST_SENTRIES, np.int64), np.ones(MOST_SENTRIES, np.int64)
    enemies[: sentries.shape[0]] = sentries
    start = (((runner * cells + enemies[0]) * cells + enemies[1]) * 2 + parity) * stays
    seen, stack = {start}, [start]
    while len(stack) > 0:
        key = stack.pop()
        stay, rest = key % stays, key // stays
        turn, rest = rest % 2, rest // 2
        enemies[1], rest = rest % cells, rest // cells
        enemies[0], at = rest % cells, rest // cells
        for action in range(BOMB_RIGHT + 1):
            if not is_legal(board, info, at, action):
                continue
            hole, left = -1, 0
            if stay > 0:
                hole, left = holes[(stay - 1) // HOLE_ROUNDS], (stay - 1) % HOLE_ROUNDS + 1
            if action >= BOMB_LEFT:
                new = at + cols + (-1 if action == BOMB_LEFT else 1)
                if number_of_hole[new] >= 0 and stay == 0:  # the first trap needs one hole only
                    hole, left = new, HOLE_ROUNDS
            for end in range(_ends(board, info, at, action, dug, ends)):
                last = ends[end, 0]
                if last == enemies[0] or (sentries.shape[0] > 1 and last == enemies[1]):
                    continue
                taken[-1] = taken[-1] or last == goals[-1]
                for number in range(sentries.shape[0]):
                    wheres[number, 0], counts[number] = enemies[number], 1
                    if turn == 0:
                        counts[number] = _sentry_cells(board, chase, cols, enemies[number], last, hole, wheres[number])
                    if counts[number] == TRAPPED:
                        return nothing
                lives = counts[0] * counts[1]
                if lives > 0:
                    _take(goals, ends[end, 1], last, cols, taken)
                    if action >= BOMB_LEFT:
                        dug[at + cols + (-1 if action == BOMB_LEFT else 1)] = True
                if left == 1:
                    continue  # the hole closes and was of no use
                stayed = 0 if hole < 0 else number_of_hole[hole] * HOLE_ROUNDS + left - 1
                throws = info[SPAWNS] if board[CODE, last] == FLOOR else 0
                for then in range(lives * (1 + throws)):
                    one, two = wheres[0, then % counts[0]], wheres[1, then // counts[0] % counts[1]]
                    spot = last if then < lives else board[SPAWN, then // lives - 1]
                    if spot == one or (sentries.shape[0] > 1 and spot == two):
                        continue
                    key = (((spot * cells + one) * cells + two) * 2 + 1 - turn) * stays + stayed
                    if key not in seen:
                        seen.add(key)
                        stack.append(key)
        if len(seen) > MOST_POSITIONS or taken.all():
            return nothing
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
def _beat(chase: Chase, board: Board, info: Info, sentries: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cells where the sentries, or who takes their places, can ever be."""
    cells, cols = chase.shape[0], info[COLS]
    known = np.zeros(cells, np.bool_)
    beat = np.empty(cells, np.int64)
    size, done = 0, 0
    for sentry in sentries:
        if not known[sentry]:
            known[sentry] = True
            beat[size] = sentry
            size += 1
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
def _holes_under(board: Board, cols: int, beat: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers, or -1, for every cell, and the cells of the floor that can be dug below a beat, or deeper in a fall."""
    code = board[CODE]
    numbers = np.full(code.shape[0], -1, np.int64)
    holes = np.empty(code.shape[0], np.int64)
    count = 0
    for cell in beat:
        while cell + cols < code.shape[0]:
            below = cell + cols
            if code[cell] == PATH and code[below] == FLOOR and numbers[below] < 0:
                numbers[below] = count
                holes[count] = below
                count += 1
            if code[below] != PATH and code[below] != CABLE:
                break
            cell = below
    return numbers, holes[:count].copy()


@kernel
def _ends(board: Board, info: Info, runner: int, action: int, dug: NDArray[np.bool_], ends: NDArray[np.int64]) -> int:
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
            may_drop = dug[below] and count + 1 < ends.shape[0]
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
