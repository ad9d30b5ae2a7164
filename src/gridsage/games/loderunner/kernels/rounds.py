"""Compiled rounds of Lode Runner over flat positions: the rules, the chase table and random play.

A position is one row of int16: the runner, the rounds played, bonuses left, the status, open holes, respawns of the
last round, the holes (cell, delay; oldest first), the bonuses as bits, the enemies' cells, the enemies' shown actions.
The level is three arrays: `board` (cell codes, bonus numbers, respawn cells), `chase` and `info`.
"""

# ruff: noqa: SIM109, SIM110 (plain comparisons and loops compile to faster code)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.level import CABLE, FLOOR, LADDER, PATH, WALL
from gridsage.games.loderunner.state import (
    ALIVE,
    BOMB_LEFT,
    BOMB_RIGHT,
    CAUGHT,
    CAUGHT_AFTER_FALL,
    CAUGHT_ON_LADDER,
    CAUGHT_PASSING,
    CLIMBED_INTO_ENEMY,
    DOWN,
    FELL_IN_HOLE,
    ILLEGAL_ACTION,
    LEFT,
    NONE,
    OUT_OF_TURNS,
    RAN_INTO_ENEMY,
    RIGHT,
    UP,
    WON,
)

Row = NDArray[np.int16]
Board = NDArray[np.int16]  # (3, cells)
Chase = NDArray[np.int8]  # (cells, cells): an enemy there, the runner there -> the enemy's step
Info = NDArray[np.int64]  # (8,)

# Fields of a position.
RUNNER, ROUND, BONUSES_LEFT, STATUS, HOLES, RESPAWNS, FIRST_HOLE = range(7)
MOST_HOLES = 10  # one bomb a round, and a hole closes at the end of its tenth round
FIRST_BONUS = FIRST_HOLE + 2 * MOST_HOLES
BITS = 15  # bonuses per int16
HOLE_ROUNDS = 10

# Rows of the board.
CODE, BONUS, SPAWN = range(3)

# Fields of info.
COLS, EXIT_CELL, ENEMIES, BONUS_WORDS, SPAWNS, NOOP, TURN_CAP, ROWS = range(8)

FAR = 9999  # a distance that means: no way known
ACTIONS = 7
CHANCES = 4  # the generator's state, then up to three forced respawn cells + 1 (0: none)
MASK32 = 0xFFFFFFFF
OPEN = 1 << 12  # marks a cell with an open hole, beside the number of enemies in it


@kernel
def chase_table(board: Board, info: Info) -> Chase:
    """For every pair (enemy's cell, runner's cell) the first step of the shortest path, ties up, down, left, right."""
    cells = board.shape[1]
    table = np.zeros((cells, cells), np.int8)
    ways, sources, counts = _enemy_graph(board, info[COLS])
    distance = np.empty(cells, np.int32)
    queue = np.empty(cells, np.int32)
    for goal in range(cells):
        for number in range(1, _flood(goal, sources, counts, distance, queue)):
            cell = queue[number]
            for way in range(4):
                target = ways[cell, way]
                if target >= 0 and distance[target] == distance[cell] - 1:
                    table[cell, goal] = way + 1
                    break
    return table


@kernel
def chase_steps(board: Board, info: Info) -> NDArray[np.int16]:
    """The length of the path that the chase follows from every cell to every cell; FAR where there is none."""
    cells = board.shape[1]
    steps = np.full((cells, cells), FAR, np.int16)
    _, sources, counts = _enemy_graph(board, info[COLS])
    distance = np.empty(cells, np.int32)
    queue = np.empty(cells, np.int32)
    for goal in range(cells):
        steps[goal, goal] = 0
        for number in range(1, _flood(goal, sources, counts, distance, queue)):
            steps[queue[number], goal] = distance[queue[number]]
    return steps


@kernel
def _enemy_graph(
    board: Board, cols: int
) -> tuple[
    NDArray[np.int32],  # (cells, 4): the cell reached by up, down, left, right, or -1
    NDArray[np.int32],  # (cells, 4): the cells from which a way leads here; each is a neighbour, so at most four
    NDArray[np.int32],  # (cells,): how many these are
]:
    cells = board.shape[1]
    ways = np.zeros((cells, 4), np.int32)
    for cell in range(cells):
        _enemy_ways(board, cols, cell, ways)
    sources = np.zeros((cells, 4), np.int32)
    counts = np.zeros(cells, np.int32)
    for cell in range(cells):
        for way in range(4):
            target = ways[cell, way]
            if target >= 0:
                sources[target, counts[target]] = cell
                counts[target] += 1
    return ways, sources, counts


@kernel
def _flood(
    goal: int,
    sources: NDArray[np.int32],
    counts: NDArray[np.int32],
    distance: NDArray[np.int32],  # (cells,): out: steps to the goal, or -1
    queue: NDArray[np.int32],  # (cells,): out: the cells with a way to the goal, nearest first
) -> int:
    """Find every cell from which an enemy can walk to the goal; return how many there are."""
    if counts[goal] == 0:
        return 0
    distance[:] = -1
    distance[goal] = 0
    queue[0] = goal
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for number in range(counts[cell]):
            source = sources[cell, number]
            if distance[source] < 0:
                distance[source] = distance[cell] + 1
                queue[tail] = source
                tail += 1
    return tail


@kernel
def _enemy_ways(board: Board, cols: int, cell: int, ways: NDArray[np.int32]) -> None:
    code = board[CODE]
    cells = code.shape[0]
    row, col = cell // cols, cell % cols
    for way in range(4):
        ways[cell, way] = -1
    if row > 0 and code[cell] == LADDER and code[cell - cols] != WALL and code[cell - cols] != FLOOR:
        ways[cell, 0] = cell - cols
    if cell + cols < cells and code[cell + cols] == LADDER:
        ways[cell, 1] = cell + cols
    hangs = row > 0 and code[cell - cols] == CABLE
    stands = cell + cols < cells and (code[cell + cols] == FLOOR or code[cell + cols] == LADDER)
    if hangs or stands:
        if col > 0 and code[cell - 1] != WALL and code[cell - 1] != FLOOR:
            ways[cell, 2] = cell - 1
        if col < cols - 1 and code[cell + 1] != WALL and code[cell + 1] != FLOOR:
            ways[cell, 3] = cell + 1


@kernel
def neighbour(cell: int, way: int, cols: int) -> int:
    """The cell one step away."""
    if way == UP:
        return cell - cols
    if way == DOWN:
        return cell + cols
    return cell - 1 if way == LEFT else cell + 1


@kernel
def is_hole(state: Row, cell: int) -> bool:
    """Return True if an open hole is in `cell`."""
    for number in range(state[HOLES]):
        if state[FIRST_HOLE + 2 * number] == cell:
            return True
    return False


@kernel
def is_enemy(state: Row, info: Info, cell: int) -> bool:
    """Return True if an enemy is in `cell`."""
    first = FIRST_BONUS + info[BONUS_WORDS]
    for number in range(first, first + info[ENEMIES]):
        if state[number] == cell:
            return True
    return False


@kernel
def is_legal(board: Board, info: Info, runner: int, action: int) -> bool:
    """Return True if a runner in that cell may do that; holes, bonuses and enemies do not matter."""
    code = board[CODE]
    cols = info[COLS]
    if action == NONE:
        return True
    if action == UP:
        return bool(code[runner] == LADDER)
    if runner + cols >= code.shape[0]:  # up in the wall of the last row: nothing is below
        return False
    if action == DOWN:
        return bool(code[runner + cols] == LADDER or code[runner + cols] == PATH)
    if action < LEFT or action > BOMB_RIGHT:
        return False
    target = runner - 1 if action == LEFT or action == BOMB_LEFT else runner + 1
    if action == LEFT or action == RIGHT:
        return bool(code[target] != WALL and code[target] != FLOOR)
    return bool(code[target + cols] == FLOOR and code[target] == PATH)


@kernel
def _falls(board: Board, info: Info, state: Row, cell: int) -> bool:
    """Return True if somebody who came into `cell` by left, right, down or a fall goes on falling."""
    cols = info[COLS]
    below = cell + cols
    if (cell >= cols and board[CODE, cell - cols] == CABLE) or below >= board.shape[1]:
        return False
    code = board[CODE, below]
    if code == PATH or code == CABLE:
        return True
    return code == FLOOR and state[HOLES] > 0 and is_hole(state, below) and not is_enemy(state, info, below)


@kernel
def _take_bonus(board: Board, state: Row, cell: int) -> None:
    number = board[BONUS, cell]
    if number >= 0:
        word = FIRST_BONUS + number // BITS
        bit = 1 << (number % BITS)
        if state[word] & bit:
            state[word] ^= bit
            state[BONUSES_LEFT] -= 1


@kernel
def _act(board: Board, info: Info, state: Row, action: int) -> int:
    """The runner's part of a round; returns the status after it."""
    cols = info[COLS]
    runner = int(state[RUNNER])
    if not is_legal(board, info, runner, action):
        return ALIVE if info[NOOP] else ILLEGAL_ACTION
    if action == NONE:
        return ALIVE
    if action >= BOMB_LEFT:
        place = FIRST_HOLE + 2 * state[HOLES]
        state[place] = runner + cols + (-1 if action == BOMB_LEFT else 1)
        state[place + 1] = HOLE_ROUNDS
        state[HOLES] += 1
        return ALIVE
    if action == UP:
        if is_enemy(state, info, runner - cols):
            return CLIMBED_INTO_ENEMY
        state[RUNNER] = runner - cols
        _take_bonus(board, state, runner - cols)
        return ALIVE
    cell = runner + cols if action == DOWN else (runner - 1 if action == LEFT else runner + 1)
    if action != DOWN:
        _take_bonus(board, state, cell)
    while _falls(board, info, state, cell):
        cell += cols
        _take_bonus(board, state, cell)
    state[RUNNER] = cell
    if is_enemy(state, info, cell):
        return RAN_INTO_ENEMY
    if state[HOLES] > 0 and is_hole(state, cell):
        return FELL_IN_HOLE
    return ALIVE


@kernel
def _move_enemies(board: Board, chase: Chase, info: Info, state: Row) -> int:
    """Every enemy in list order until one enters the runner's cell; returns the status after it."""
    cols = info[COLS]
    enemies = info[ENEMIES]
    first = FIRST_BONUS + info[BONUS_WORDS]
    runner = state[RUNNER]
    code = board[CODE]
    cells = code.shape[0]
    # Looked up by cell: to go through enemies and holes again for each of twenty enemies takes twice as long. So does
    # the fall below as a function of its own.
    marks = np.zeros(cells, np.int16)
    for number in range(first, first + enemies):
        marks[state[number]] += 1
    for number in range(state[HOLES]):
        marks[state[FIRST_HOLE + 2 * number]] |= OPEN
    for number in range(first, first + enemies):
        cell = int(state[number])
        way = chase[cell, runner]
        state[number + enemies] = NONE
        if way == NONE or marks[cell] >= OPEN:
            continue
        target = cell + (way == RIGHT) - (way == LEFT) + cols * (int(way == DOWN) - int(way == UP))
        if marks[target] % OPEN > 0:
            continue
        state[number + enemies] = way
        met = target == runner
        if way != UP:
            while marks[target] < OPEN and target + cols < cells:
                below = code[target + cols]
                hangs = target >= cols and code[target - cols] == CABLE
                if hangs or not (below == PATH or below == CABLE or (below == FLOOR and marks[target + cols] == OPEN)):
                    break
                target += cols
                met = met or target == runner
        state[number] = target
        marks[cell] -= 1
        marks[target] += 1
        if met:
            return CAUGHT if target == runner else CAUGHT_PASSING
    return ALIVE


@kernel
def may_respawn(board: Board, info: Info, state: Row, cell: int) -> bool:
    """Return True if somebody may reappear in `cell`."""
    return _is_allowed(board, state, cell) and not is_enemy(state, info, cell)


@kernel
def _is_allowed(board: Board, state: Row, cell: int) -> bool:
    """Return True if neither the runner nor a bonus keeps anybody from reappearing in `cell`."""
    distance = cell - state[RUNNER]
    if -1 <= distance <= 1:  # the cells beside: no respawn cell is in another row's border
        return False
    number = board[BONUS, cell]
    return not (number >= 0 and state[FIRST_BONUS + number // BITS] & (1 << (number % BITS)))


@kernel
def _free_cells(board: Board, info: Info, state: Row, free: NDArray[np.int16]) -> int:
    """Write the cells where somebody may reappear into `free`, in reading order; return how many these are."""
    first = FIRST_BONUS + info[BONUS_WORDS]
    taken = np.zeros(board.shape[1], np.bool_)
    for number in range(first, first + info[ENEMIES]):
        taken[state[number]] = True
    found = 0
    for number in range(info[SPAWNS]):
        cell = board[SPAWN, number]
        if not taken[cell] and _is_allowed(board, state, cell):
            free[found] = cell
            found += 1
    return found


@kernel
def _respawn(board: Board, info: Info, state: Row, chance: NDArray[np.int64], old: int) -> int:
    """A random allowed cell; where none is allowed, the old one."""
    for place in range(1, CHANCES):
        if chance[place] > 0:
            cell = int(chance[place]) - 1
            chance[place] = 0
            return cell
    # To ask `may_respawn` of every cell would look at every enemy each time: with twenty that is most of a round.
    free = np.empty(info[SPAWNS], np.int16)
    allowed = _free_cells(board, info, state, free)
    if allowed == 0:
        return old
    x = chance[0]  # xorshift, 32 bits: it needs no multiplication that wraps
    x ^= (x << 13) & MASK32
    x ^= x >> 17
    x ^= (x << 5) & MASK32
    chance[0] = x
    return int(free[(x * allowed) >> 32])


@kernel
def _tick_holes(board: Board, info: Info, state: Row, chance: NDArray[np.int64]) -> None:
    """Holes grow older by one; at most one closes, since there is one bomb a round."""
    holes = state[HOLES]
    for number in range(holes):
        state[FIRST_HOLE + 2 * number + 1] -= 1
    if holes == 0 or state[FIRST_HOLE + 1] > 0:
        return
    closed = int(state[FIRST_HOLE])
    for place in range(FIRST_HOLE, FIRST_HOLE + 2 * (holes - 1)):
        state[place] = state[place + 2]
    state[FIRST_HOLE + 2 * (holes - 1)] = 0
    state[FIRST_HOLE + 2 * (holes - 1) + 1] = 0
    state[HOLES] -= 1
    first = FIRST_BONUS + info[BONUS_WORDS]
    for number in range(first, first + info[ENEMIES]):
        if state[number] == closed:
            state[number] = _respawn(board, info, state, chance, closed)
            state[RESPAWNS] += 1
    if state[RUNNER] == closed:
        state[RUNNER] = _respawn(board, info, state, chance, closed)
        state[RESPAWNS] += 1


@kernel
def play_round(
    board: Board,
    chase: Chase,
    info: Info,
    state: Row,
    action: int,
    chance: NDArray[np.int64],  # (CHANCES,)
) -> int:
    """Play one round on `state` in place and return its status."""
    state[ROUND] += 1
    state[RESPAWNS] = 0
    began = int(state[RUNNER])
    status = _act(board, info, state, action)
    if status == ALIVE and state[BONUSES_LEFT] == 0 and state[RUNNER] == info[EXIT_CELL]:
        status = WON
    if status == ALIVE:
        if state[ROUND] & 1:
            status = _move_enemies(board, chase, info, state)
            if status == CAUGHT:
                if board[CODE, state[RUNNER]] == LADDER:
                    status = CAUGHT_ON_LADDER
                elif state[RUNNER] - began > info[COLS] + 1:
                    status = CAUGHT_AFTER_FALL
        else:
            first = FIRST_BONUS + info[BONUS_WORDS] + info[ENEMIES]
            for number in range(first, first + info[ENEMIES]):
                state[number] = action
    if state[HOLES] > 0:
        _tick_holes(board, info, state, chance)
    if status == ALIVE and state[ROUND] >= info[TURN_CAP]:
        status = OUT_OF_TURNS
    state[STATUS] = status
    return status


@kernel
def random_rounds(
    board: Board,
    chase: Chase,
    info: Info,
    start: Row,
    rounds: int,
    chance: NDArray[np.int64],
    counts: NDArray[np.int64],  # (11,): games by their end
) -> None:
    """Play `rounds` rounds of random legal actions, starting again after every end."""
    state = start.copy()
    legal = np.empty(ACTIONS, np.int64)
    x = chance[0]
    for _ in range(rounds):
        number = 0
        for action in range(ACTIONS):
            if is_legal(board, info, state[RUNNER], action):
                legal[number] = action
                number += 1
        x ^= (x << 13) & MASK32
        x ^= x >> 17
        x ^= (x << 5) & MASK32
        status = play_round(board, chase, info, state, legal[(x * number) >> 32], chance)
        if status != ALIVE:
            counts[status] += 1
            state[:] = start
