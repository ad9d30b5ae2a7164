"""Compiled look-ahead: distances for the runner, and a beam of exact positions that grows round by round.

The only chance in the game is where somebody reappears. The beam takes the cell that is farthest from the runner, so
that no line is found that needs an enemy in a certain place, and counts in every position how often it has guessed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import inlined, kernel
from gridsage.games.loderunner.kernels.posts import Posts, shut_out
from gridsage.games.loderunner.kernels.rounds import (
    ACTIONS,
    BITS,
    BONUS_WORDS,
    BONUSES_LEFT,
    CHANCES,
    CODE,
    COLS,
    ENEMIES,
    FAR,
    FIRST_BONUS,
    FIRST_HOLE,
    HOLES,
    RESPAWNS,
    ROUND,
    RUNNER,
    SPAWN,
    SPAWNS,
    Board,
    Chase,
    Info,
    Row,
    is_hole,
    is_legal,
    may_respawn,
    neighbour,
    play_round,
)
from gridsage.games.loderunner.kernels.standoffs import Extra, Lost, Places, detour
from gridsage.games.loderunner.level import CABLE, PATH
from gridsage.games.loderunner.state import ALIVE, BOMB_LEFT, BOMB_RIGHT, DOWN, RIGHT, UP, WON
from gridsage.search.kernels import add_stamped, mixed

DETOUR = 400  # what a goal without a known way is taken to cost: others come first, and it still counts
MOST_TOUR = 13  # up to so many bonuses the best order is computed for every subset
MOST_AHEAD = 1 << 16  # up to so many subsets times cells also from every cell, so that a search only looks it up

# What stands in `meters`, the beam's own numbers.
(
    LAYER,
    WIDTH,
    NODES,
    NODE_LIMIT,
    SEED,
    LAST_SIZE,
    QUOTA,
    DANGER,
    STAMP,
    WIN_LAYER,
    WIN_LINK,
    WIN_LUCK,
    LUCK,
    STANDOFF,
    DETOURS,
    CURIOSITY,
    RISK,
) = range(17)
METERS = 17

# What stands behind a position of the beam: respawns of its past, how many of a thousand draws for them killed, and the
# place in the row of the enemy whose respawn is still to be weighed (0: none).
PAST_LUCK, PAST_RISK, REAPPEARED = 0, 1, 2
PAST = 3

# How `grow` ended: ROUND_AND_ROUND means that only positions seen before are left, so one can live on in them.
GROWN, FOUND_WIN, ALL_DIE, ROUND_AND_ROUND, AT_LIMIT = range(5)

Walk = NDArray[np.int16]  # (bonuses + 1, cells): rounds until that bonus is taken; last row: until on the exit
Tour = NDArray[np.int16]  # (subsets of bonuses, bonuses): rounds from that bonus over the subset to the exit
Ahead = NDArray[np.int16]  # (subsets of bonuses, cells, 2): rounds from that cell to the win, and the first goal
Steps = NDArray[np.int16]  # (cells, cells): an enemy's steps to the runner
Seen = NDArray[np.int64]  # (power of two, 2): hash and stamp of positions known
Visits = NDArray[np.int32]  # (bonuses + 1, cells): positions kept with so many bonuses left and the runner there
Hints = tuple[Walk, Tour, Ahead, Steps, Places, Lost, Extra, Posts]

STANDOFF_COST = 400  # rounds a plan may be longer if one enemy less stands in the only way for good
LUCK_COST = 10  # rounds a plan may be longer if it needs one respawn less
BONUS_COST = 150  # rounds a plan may be longer if it leaves one bonus less
VISITS = 16  # of a cell with the same bonuses left: as much as a round of distance, times the curiosity
ROUND_SCORE = 16  # score of one round of distance; danger and dice are finer


@kernel
def _landing(board: Board, cols: int, cell: int, hole: int) -> int:
    """Where a fall from `cell` ends on a board without enemies, with one open hole."""
    cells = board.shape[1]
    while True:
        if cell >= cols and board[CODE, cell - cols] == CABLE:
            return cell
        below = cell + cols
        if below >= cells or not (board[CODE, below] == PATH or board[CODE, below] == CABLE or below == hole):
            return cell
        cell = below


@kernel
def runner_ways(board: Board, info: Info) -> NDArray[np.int32]:
    """Every lone step of the runner, (cell, way, field): last cell, first and last cell whose bonus is taken, rounds.

    Ways 0 to 3 are up, down, left, right; 4 and 5 dig on that side and drop through the hole.
    """
    cells, cols = board.shape[1], info[COLS]
    ways = np.full((cells, 6, 4), -1, np.int32)
    for cell in range(cells):
        for action in range(UP, RIGHT + 1):
            if not is_legal(board, info, cell, action):
                continue
            target = neighbour(cell, action, cols)
            last = target if action == UP else _landing(board, cols, target, -1)
            first = target + cols if action == DOWN else target
            ways[cell, action - 1, 0] = last
            ways[cell, action - 1, 1] = first
            ways[cell, action - 1, 2] = last
            ways[cell, action - 1, 3] = 1
        for bomb in range(BOMB_LEFT, BOMB_RIGHT + 1):
            if is_legal(board, info, cell, bomb):
                side = cell - 1 if bomb == BOMB_LEFT else cell + 1
                hole = side + cols
                last = _landing(board, cols, side, hole)
                if last != hole and last != side:
                    ways[cell, bomb - 1, 0] = last
                    ways[cell, bomb - 1, 1] = side
                    ways[cell, bomb - 1, 2] = last
                    ways[cell, bomb - 1, 3] = 2
    return ways


@kernel
def walk_table(board: Board, info: Info, goals: NDArray[np.int64]) -> Walk:
    """Rounds a lone runner needs from every cell to every goal; the last goal is the exit, where he must stay."""
    cells, cols = board.shape[1], info[COLS]
    ways = runner_ways(board, info)
    walk = np.full((goals.shape[0], cells), FAR, np.int16)
    for number in range(goals.shape[0]):
        goal = goals[number]
        to_exit = number == goals.shape[0] - 1
        if to_exit:
            walk[number, goal] = 0
        changed = True
        while changed:  # costs are 1 and 2, levels small: sweeping until nothing changes is quick enough
            changed = False
            for cell in range(cells):
                best = walk[number, cell]
                for way in range(6):
                    last = ways[cell, way, 0]
                    if last < 0:
                        continue
                    first, rounds = ways[cell, way, 1], ways[cell, way, 3]
                    takes = goal % cols == last % cols and first <= goal <= last
                    if not to_exit and takes:
                        cost = rounds
                    else:
                        cost = rounds + walk[number, last]
                    if cost < best:
                        best = cost
                if best < walk[number, cell]:
                    walk[number, cell] = best
                    changed = True
    return walk


@kernel
def tour_table(board: Board, info: Info, goals: NDArray[np.int64], walk: Walk) -> Tour:
    """For every set of bonuses left and every bonus just taken, the rounds the best order needs up to the exit."""
    bonuses = goals.shape[0] - 1
    if bonuses > MOST_TOUR:
        return np.zeros((1, bonuses), np.int16)
    tour = np.full((1 << bonuses, bonuses + 1), FAR, np.int16)
    for left in range(1 << bonuses):
        for last in range(bonuses):
            at = _landing(board, info[COLS], goals[last], -1)
            if left == 0:
                tour[left, last] = min(walk[bonuses, at], DETOUR)
                continue
            best = FAR
            for following in range(bonuses):
                if left >> following & 1:
                    cost = min(walk[following, at], DETOUR) + tour[left ^ (1 << following), following]
                    best = min(best, cost)
            tour[left, last] = best
    return tour


@kernel
def lone_cells(
    ways: NDArray[np.int32],
    goals: NDArray[np.int64],
    runner: int,
    cols: int,
    blocked: NDArray[np.bool_],  # (cells,): where no step may end
    thrown: NDArray[np.int32],  # cells where somebody is put who was inside the floor when a hole closed
    inside: NDArray[np.bool_],  # (cells,): floor that can be entered from below
) -> tuple[bool, NDArray[np.bool_]]:
    """Return True if a runner whom nobody chases can take every bonus and leave, and the cells that he can reach."""
    cells, bonuses = ways.shape[0], goals.shape[0] - 1
    reached = np.zeros(cells, np.bool_)
    reached[runner] = True
    seen = np.zeros(cells << bonuses, np.bool_)
    stack = np.empty(cells << bonuses, np.int64)
    stack[0] = (runner << bonuses) + (1 << bonuses) - 1
    seen[stack[0]] = True
    size, wins = 1, False
    while size > 0:
        size -= 1
        cell, left = stack[size] >> bonuses, stack[size] & ((1 << bonuses) - 1)
        wins = wins or (left == 0 and cell == goals[bonuses])
        leaps = thrown.shape[0] if inside[cell] else 0
        for way in range(ways.shape[1] + leaps):
            is_leap = way >= ways.shape[1]
            last = thrown[way - ways.shape[1]] if is_leap else ways[cell, way, 0]
            if last < 0 or blocked[last]:
                continue
            then = left
            for number in range(bonuses):
                goal = goals[number]
                if not is_leap and goal % cols == last % cols and ways[cell, way, 1] <= goal <= last:
                    then &= ~(1 << number)
            key = (int(last) << bonuses) + then
            if not seen[key]:
                seen[key] = True
                reached[last] = True
                stack[size] = key
                size += 1
    return wins, reached


@kernel
def tour_from(info: Info, walk: Walk, tour: Tour, state: Row) -> tuple[int, int]:
    """Rounds a lone runner would still need to win, and the goal he would go to first."""
    bonuses = walk.shape[0] - 1
    runner = state[RUNNER]
    if state[BONUSES_LEFT] == 0:
        return int(min(walk[bonuses, runner], DETOUR)), bonuses
    nearest, goal = FAR, bonuses
    counted = bonuses <= MOST_TOUR
    for number in range(bonuses):
        if state[FIRST_BONUS + number // BITS] >> (number % BITS) & 1:
            cost = int(min(walk[number, runner], DETOUR))
            if counted:
                cost += tour[int(state[FIRST_BONUS]) ^ (1 << number), number]
            if cost < nearest:
                nearest, goal = cost, number
    if not counted:
        nearest += int(state[BONUSES_LEFT] * info[COLS] // 2)
    return nearest, goal


@kernel
def ahead_table(info: Info, walk: Walk, tour: Tour) -> Ahead:
    """What `tour_from` says of every set of bonuses and every cell; a single entry where these are too many."""
    bonuses, cells = walk.shape[0] - 1, walk.shape[1]
    if cells << bonuses > MOST_AHEAD:
        return np.zeros((1, 1, 2), np.int16)
    ahead = np.zeros((1 << bonuses, cells, 2), np.int16)
    state = np.zeros(FIRST_BONUS + 1, np.int16)
    for left in range(1 << bonuses):
        state[FIRST_BONUS] = left
        state[BONUSES_LEFT] = 0
        for number in range(bonuses):
            state[BONUSES_LEFT] += left >> number & 1
        for cell in range(cells):
            state[RUNNER] = cell
            rounds, goal = tour_from(info, walk, tour, state)
            ahead[left, cell, 0], ahead[left, cell, 1] = rounds, goal
    return ahead


@inlined
def _rounds_ahead(info: Info, hints: Hints, state: Row, weight: int) -> int:
    walk, tour, ahead, _, places, _, extra, _ = hints
    if ahead.shape[0] > 1:  # it is one where a table would be too large, and where a position has no set of bonuses
        rounds = int(ahead[state[FIRST_BONUS], state[RUNNER], 0])
        goal = int(ahead[state[FIRST_BONUS], state[RUNNER], 1])
    else:
        rounds, goal = tour_from(info, walk, tour, state)
    if weight > 0:
        rounds += detour(info, places, extra, state, goal) * weight // 100
    return rounds


@kernel
def rounds_to_go(info: Info, hints: Hints, state: Row, weight: int) -> int:
    """Rounds still needed to win: a lone runner's, and a share in percent of what enemies cost him to the next goal."""
    return _rounds_ahead(info, hints, state, weight)


@kernel
def danger_of(info: Info, steps: Steps, state: Row) -> int:
    """How near the enemies are, 0 when nobody can be here soon."""
    first = FIRST_BONUS + info[BONUS_WORDS]
    danger = 0
    for number in range(first, first + info[ENEMIES]):
        near = steps[state[number], state[RUNNER]]
        if near < 6 and not (state[HOLES] > 0 and is_hole(state, state[number])):
            danger += 6 - near
    return danger


@kernel
def copy_row(target: Row, source: Row) -> None:
    """Copy a position; assigning to the whole slice takes ten times as long."""
    for place in range(source.size):
        target[place] = source[place]


@kernel
def hash_of(info: Info, state: Row) -> int:
    """A 62-bit hash of everything that decides the future but the round's number."""
    low, high = int(state[RUNNER]) * 2 + (state[ROUND] & 1) + 1, 7
    last = FIRST_BONUS + info[BONUS_WORDS] + info[ENEMIES]
    for place in range(HOLES, last):
        if place == RESPAWNS or (FIRST_HOLE + 2 * state[HOLES] <= place < FIRST_BONUS):
            continue
        low = (low * 1000003 + state[place] + 40009) & 0x7FFFFFFFFFF
        low ^= low >> 19
        high = (high * 69069 + state[place] * 31 + 12345) & 0x7FFFFFFFFFF
        high ^= high >> 17
    return int(((low & 0x7FFFFFFF) << 31) | (high & 0x7FFFFFFF))


@kernel
def _buried(info: Info, state: Row) -> int:
    """Return the place in the row of an enemy inside the oldest hole, or 0."""
    first = FIRST_BONUS + info[BONUS_WORDS]
    for number in range(first, first + info[ENEMIES]):
        if state[number] == state[FIRST_HOLE]:
            return int(number)
    return 0


@kernel
def draw(chance: NDArray[np.int64], seed: int, layer: int) -> None:
    """Set the dice for a layer: for all its positions alike, the same free cell counted from the top."""
    chance[0] = mixed(seed * 1009 + layer) + 1


@kernel
def farthest_cell(board: Board, info: Info, steps: Steps, state: Row) -> int:
    """Return the cell from where whoever reappears in the coming round walks longest to the runner, or -1.

    It is -1 if nobody is due, or if nobody who reappears has a way to the runner.
    """
    if state[HOLES] == 0 or state[FIRST_HOLE + 1] > 1 or _buried(info, state) == 0:
        return -1
    longest, found = -1, -1
    for number in range(info[SPAWNS]):
        cell = int(board[SPAWN, number])
        if longest < steps[cell, state[RUNNER]] < FAR and may_respawn(board, info, state, cell):
            longest, found = steps[cell, state[RUNNER]], cell
    return found


@kernel
def guess(
    level: tuple[Board, Chase, Info], steps: Steps, state: Row, seed: int, layer: int, chance: NDArray[np.int64]
) -> None:
    """Set the dice for the coming round: whoever reappears does so far away, by chance where no cell is far."""
    board, _, info = level
    draw(chance, seed, layer)
    chance[1] = farthest_cell(board, info, steps, state) + 1


@kernel
def grow(
    level: tuple[Board, Chase, Info],
    guide: Hints,
    beam: NDArray[np.int16],  # (width, row + PAST): positions of the layer; behind each its past
    pool: NDArray[np.int16],  # (7 width, row + PAST): their children
    links: NDArray[np.int32],  # (layers, width): parent * 8 + action
    known: tuple[
        NDArray[np.int64], NDArray[np.int32]
    ],  # (power of two, 2): hash and stamp; (bonuses + 1, cells): visits
    meters: NDArray[np.int64],  # (METERS,)
    layers: int,
) -> int:
    """Grow the beam by so many rounds and return GROWN, or FOUND_WIN, ALL_DIE, ROUND_AND_ROUND or AT_LIMIT."""
    board, chase, info = level
    _, _, _, steps, places, lost, _, posts = guide
    seen, visits = known
    size_of_row = beam.shape[1] - PAST
    chance = np.zeros(CHANCES, np.int64)
    scores = np.empty(pool.shape[0], np.int64)
    origin = np.empty(pool.shape[0], np.int64)
    quota = np.zeros((board.shape[1], 2), np.int64)
    for _ in range(layers):
        layer, size = meters[LAYER], meters[LAST_SIZE]
        if layer >= links.shape[0] or meters[NODES] >= meters[NODE_LIMIT]:
            return AT_LIMIT
        if meters[WIN_LAYER] > 0 and layer >= meters[WIN_LAYER] + LUCK_COST * meters[WIN_LUCK]:
            return FOUND_WIN  # a surer win would be longer than its worth
        found, repeated = 0, 0
        for parent in range(size):
            guess(level, steps, beam[parent, :size_of_row], meters[SEED], layer, chance)
            luck, far = chance[0], chance[1]
            for action in range(ACTIONS):
                if not is_legal(board, info, beam[parent, RUNNER], action):
                    continue
                child = pool[found]
                copy_row(child, beam[parent])
                state = child[:size_of_row]
                chance[0], chance[1] = luck, far
                meters[NODES] += 1
                status = play_round(board, chase, info, state, action, chance)
                if status == WON:
                    guesses = beam[parent, size_of_row + PAST_LUCK]
                    if meters[WIN_LAYER] == 0 or guesses < meters[WIN_LUCK]:
                        meters[WIN_LAYER] = layer + 1
                        meters[WIN_LINK] = parent * 8 + action
                        meters[WIN_LUCK] = guesses
                    if guesses == 0:
                        return FOUND_WIN
                    continue
                if status != ALIVE:
                    continue
                past = child[size_of_row:]
                past[PAST_LUCK] += state[RESPAWNS]
                past[REAPPEARED] = _buried(info, beam[parent]) if state[RESPAWNS] == 1 else 0
                key = hash_of(info, state)
                if not add_stamped(seen, meters[STAMP], key):
                    repeated += 1
                    continue
                cost = _rounds_ahead(info, guide, state, meters[DETOURS]) + meters[LUCK] * past[PAST_LUCK]
                cost += meters[RISK] * past[PAST_RISK] + BONUS_COST * state[BONUSES_LEFT]
                cost += meters[STANDOFF] * shut_out(info, places, lost, posts, state)
                cost += meters[CURIOSITY] * visits[state[BONUSES_LEFT], state[RUNNER]] // VISITS
                score = cost * ROUND_SCORE + meters[DANGER] * danger_of(info, steps, state)
                scores[found] = score * 64 + (mixed(key ^ meters[SEED]) & 63)
                origin[found] = parent * 8 + action
                found += 1
        if found == 0:
            return ROUND_AND_ROUND if repeated else ALL_DIE
        order = np.argsort(scores[:found])
        kept = 0
        for number in range(found):
            chosen = order[number]
            runner = pool[chosen, RUNNER]
            if quota[runner, 1] != layer + 1:
                quota[runner, 1] = layer + 1
                quota[runner, 0] = 0
            if quota[runner, 0] >= meters[QUOTA]:
                continue
            quota[runner, 0] += 1
            visits[pool[chosen, BONUSES_LEFT], runner] += 1
            copy_row(beam[kept], pool[chosen])
            links[layer, kept] = origin[chosen]
            kept += 1
            if kept == meters[WIDTH]:
                break
        meters[LAST_SIZE] = kept
        meters[LAYER] += 1
    return GROWN
