"""What a single enemy can keep the runner from for good: every duel of a level, played to its end once.

An enemy moves only while a path of its own leads to the runner. At the edge of what it can walk it stays as long as the
game lasts, and what lies behind it is lost. A duel is the game with that enemy alone: the runner's cell, the enemy's
cell, and whether the enemy moves in the next round. It is won for a goal as soon as the goal is taken, and from a cell
that leads there as soon as the enemy is trapped.
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
    ROUND,
    RUNNER,
    Board,
    Chase,
    Info,
    Row,
    is_legal,
    neighbour,
)
from gridsage.games.loderunner.level import CABLE, FLOOR, LADDER, PATH, WALL
from gridsage.games.loderunner.state import BOMB_LEFT, BOMB_RIGHT, NONE, UP

EXIT_BIT = 60  # four words of bonuses come before it; further ones are not looked at
MOST_WORDS = EXIT_BIT // BITS
MOST_PLACES = 450  # places of the largest level whose duels are played
MOST_ROUNDS = 400  # of a duel: what takes longer counts as lost
TRAP_COST = 25  # rounds that a duel may be longer if nobody has to be buried
TRAP_MOVES = 5  # moves of an enemy while a hole is open
STEPS_ALONE = 5  # to stay, and a step to each side
STEPS = STEPS_ALONE + 2  # and a drop through a hole on each side
CAUGHT_HIM, TRAPPED = -1, -2  # instead of the cell where an enemy's move ends

Places = NDArray[np.int16]  # (cells,): the number of a cell where somebody can be, or -1
Lost = NDArray[np.int64]  # (places, places, 2): runner, enemy, parity of the rounds played -> goals as bits
Extra = NDArray[np.int16]  # (goals, places, places, 2): rounds to the goal beyond those of a lone runner

# How a duel can end: goals taken in the next round, in two rounds by a drop through a hole; the rounds until the enemy
# sits in a hole; the cells where a drop to the left or right leaves the runner, the enemy in the hole behind him.
AT_ONCE, SOON, TRAP_ROUNDS, RID_AT = range(4)
ENDS = RID_AT + 2


@kernel
def places_of(board: Board, cols: int) -> tuple[Places, NDArray[np.int32]]:
    """The numbers of the cells where somebody can be, and the cells of these numbers."""
    code = board[CODE]
    places = np.full(code.shape[0], -1, np.int16)
    cells = np.empty(code.shape[0], np.int32)
    count = 0
    for cell in range(code.shape[0]):
        is_open = code[cell] != WALL and code[cell] != FLOOR
        if is_open or (cell + cols < code.shape[0] and code[cell + cols] == LADDER):  # he climbs into walls
            places[cell] = count
            cells[count] = cell
            count += 1
    return places, cells[:count].copy()


@kernel
def taken_by_steps(ways: NDArray[np.int32], goals: NDArray[np.int64], cols: int) -> NDArray[np.int64]:
    """The goals that every step of the runner takes, as bits, (cells, STEPS)."""
    taken = np.zeros((ways.shape[0], STEPS), np.int64)
    for cell in range(ways.shape[0]):
        for step in range(STEPS):
            first = cell + cols if step == 0 else int(ways[cell, step - 1, 1])
            last = cell if step == 0 else int(ways[cell, step - 1, 0])
            for number in range(goals.shape[0]):
                goal = goals[number]
                if number == goals.shape[0] - 1:
                    taken[cell, step] |= (1 << EXIT_BIT) if goal == last else 0
                elif number < EXIT_BIT and goal % cols == last % cols and first <= goal <= last:
                    taken[cell, step] |= 1 << number
    return taken


@kernel
def enemy_move(board: Board, chase: Chase, cols: int, enemy: int, runner: int, hole: int) -> int:
    """Where the enemy's move ends with at most one hole open, or CAUGHT_HIM, or TRAPPED."""
    way = chase[enemy, runner]
    if way == NONE:
        return enemy
    cell = neighbour(enemy, way, cols)
    caught = cell == runner
    code = board[CODE]
    while way != UP and not (cell >= cols and code[cell - cols] == CABLE) and cell + cols < code.shape[0]:
        below = cell + cols
        if below == hole:
            return CAUGHT_HIM if caught else TRAPPED
        if code[below] != PATH and code[below] != CABLE:
            break
        cell = below
        caught = caught or cell == runner
    return CAUGHT_HIM if caught else cell


@kernel
def _trap_rounds(board: Board, chase: Chase, cols: int, duel: tuple[int, int, int], hole: int) -> int:
    """The rounds until the enemy is in a hole just dug, while the runner stands still; 0 if it never is."""
    runner, enemy, parity = duel
    for move in range(TRAP_MOVES):
        enemy = enemy_move(board, chase, cols, enemy, runner, hole)
        if enemy < 0:
            return 2 * move + 1 + parity if enemy == TRAPPED else 0
    return 0


@kernel
def begin_duels(
    level: tuple[Board, Chase, Info],
    ways: NDArray[np.int32],
    taken: NDArray[np.int64],
    known: tuple[Places, NDArray[np.int32]],
    after: NDArray[np.int32],  # (duels, STEPS): out
    ends: NDArray[np.int64],  # (duels, ENDS): out
    first: int,
    last: int,
) -> None:
    """Find what follows the duels from the first up to the last, which is left out."""
    board, _, _ = level
    cells = known[1]
    count = cells.shape[0]
    for duel in range(first, last):
        enemy = cells[duel // 2 % count]
        if cells[duel // 2 // count] != enemy and board[CODE, enemy] != WALL and board[CODE, enemy] != FLOOR:
            _steps(level, ways, taken, known, after[duel], ends[duel], duel)


@kernel
def _steps(
    level: tuple[Board, Chase, Info],
    ways: NDArray[np.int32],
    taken: NDArray[np.int64],
    known: tuple[Places, NDArray[np.int32]],
    after: NDArray[np.int32],  # (STEPS,): out: the duels that follow, in one round or (the last two) in two
    ends: NDArray[np.int64],  # (ENDS,): out
    duel: int,
) -> None:
    """Find the duels that follow this one, and how it ends at once."""
    board, chase, info = level
    places, cells = known
    cols, count = info[COLS], cells.shape[0]
    runner, enemy, parity = int(cells[duel // 2 // count]), int(cells[duel // 2 % count]), duel % 2
    for step in range(STEPS_ALONE):
        last = runner if step == 0 else int(ways[runner, step - 1, 0])
        if last < 0 or last == enemy:
            continue
        ends[AT_ONCE] |= taken[runner, step] & (1 << EXIT_BIT)
        then = enemy_move(board, chase, cols, enemy, last, -1) if parity == 0 else enemy
        if then >= 0:
            ends[AT_ONCE] |= taken[runner, step]
            after[step] = (places[last] * count + places[then]) * 2 + 1 - parity
    for bomb in range(BOMB_LEFT, BOMB_RIGHT + 1):
        if not is_legal(board, info, runner, bomb):
            continue
        hole = runner + cols + (-1 if bomb == BOMB_LEFT else 1)
        rounds = _trap_rounds(board, chase, cols, (runner, enemy, parity), hole)
        if rounds > 0 and (ends[TRAP_ROUNDS] == 0 or rounds < ends[TRAP_ROUNDS]):
            ends[TRAP_ROUNDS] = rounds
        last = int(ways[runner, bomb - 1, 0])
        if last < 0:
            continue
        then = enemy_move(board, chase, cols, enemy, runner, hole) if parity == 0 else enemy
        if then == last or then < 0:
            continue
        step = STEPS_ALONE + bomb - BOMB_LEFT
        ends[SOON] |= taken[runner, step] & (1 << EXIT_BIT)
        then = enemy_move(board, chase, cols, then, last, hole) if parity == 1 else then
        if then == TRAPPED:
            ends[SOON] |= taken[runner, step]
            ends[RID_AT + bomb - BOMB_LEFT] = last  # nobody drops into the first cell: 0 means nowhere
        elif then >= 0:
            ends[SOON] |= taken[runner, step]
            after[step] = (places[last] * count + places[then]) * 2 + parity


@kernel
def sources(after: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For every duel those that lead to it, twice their number, plus one where two rounds are needed."""
    duels = after.shape[0]
    starts = np.zeros(duels + 1, np.int32)
    for duel in range(duels):
        for step in range(after.shape[1]):
            if after[duel, step] >= 0:
                starts[after[duel, step] + 1] += 1
    for duel in range(duels):
        starts[duel + 1] += starts[duel]
    arrows = np.empty(max(int(starts[duels]), 1), np.int32)
    ends = starts.copy()
    for duel in range(duels):
        for step in range(after.shape[1]):
            then = after[duel, step]
            if then >= 0:
                arrows[ends[then]] = 2 * duel + (1 if step >= STEPS_ALONE else 0)
                ends[then] += 1
    return starts, arrows


@kernel
def _end_rounds(walk: NDArray[np.int16], runner: int, end: NDArray[np.int64], bit: int) -> int:
    """The rounds to a goal that is taken, or is free to be taken, before any other duel follows."""
    if end[AT_ONCE] >> bit & 1:
        return 1
    best = 2 if end[SOON] >> bit & 1 else MOST_ROUNDS
    if end[TRAP_ROUNDS] > 0:
        best = min(best, int(end[TRAP_ROUNDS]) + TRAP_COST + walk[runner])
    for side in range(2):
        if end[RID_AT + side] > 0:
            best = min(best, 2 + TRAP_COST + walk[end[RID_AT + side]])
    return best


@kernel
def rounds_to(
    walk: NDArray[np.int16],
    cells: NDArray[np.int32],
    ends: NDArray[np.int64],
    bit: int,
    arrows: tuple[NDArray[np.int32], NDArray[np.int32]],
    rounds: NDArray[np.int16],  # (duels,): out
) -> None:
    """The fewest rounds from every duel to a goal, MOST_ROUNDS where it is lost; backwards, round by round."""
    starts, sources = arrows
    duels, count = rounds.shape[0], cells.shape[0]
    begins = np.full(MOST_ROUNDS + 1, -1, np.int32)  # duels to look at with so many rounds to go: linked lists
    links = np.empty(duels, np.int32)
    for duel in range(duels):
        rounds[duel] = MOST_ROUNDS
        best = _end_rounds(walk, cells[duel // 2 // count], ends[duel], bit)
        if best < MOST_ROUNDS:
            rounds[duel] = best
            links[duel] = begins[best]
            begins[best] = duel
    found = np.empty((3, 2 * duels), np.int32)
    sizes = np.zeros(3, np.int64)
    for now in range(1, MOST_ROUNDS - 2):
        layer = now % 3
        duel = begins[now]
        while duel >= 0:
            found[layer, sizes[layer]] = duel
            sizes[layer] += 1
            duel = links[duel]
        for number in range(sizes[layer]):
            duel = found[layer, number]
            if rounds[duel] != now:
                continue
            for place in range(starts[duel], starts[duel + 1]):
                source = sources[place] >> 1
                longer = now + 1 + (sources[place] & 1)
                if longer < rounds[source]:
                    rounds[source] = longer
                    found[longer % 3, sizes[longer % 3]] = source
                    sizes[longer % 3] += 1
        sizes[layer] = 0


@kernel
def note_duels(
    walk: NDArray[np.int16],
    cells: NDArray[np.int32],
    rounds: NDArray[np.int16],
    bit: int,
    lost: Lost,
    extra: NDArray[np.int16],  # (places, places, 2): of this goal
) -> None:
    """Note which duels for a goal are lost, and how much longer the others take than the way alone."""
    count = cells.shape[0]
    for duel in range(rounds.shape[0]):
        runner, enemy, parity = duel // 2 // count, duel // 2 % count, duel % 2
        alone = walk[cells[runner]]
        if runner == enemy or alone >= MOST_ROUNDS:
            continue
        if rounds[duel] >= MOST_ROUNDS:
            lost[runner, enemy, parity] |= 1 << bit
        else:
            extra[runner, enemy, parity] = max(0, rounds[duel] - alone)


@kernel
def goals_within(walk: NDArray[np.int16], cells: NDArray[np.int32]) -> NDArray[np.int64]:
    """The goals that a lone runner can come to from every place, as bits."""
    within = np.zeros(cells.shape[0], np.int64)
    for number in range(min(walk.shape[0], EXIT_BIT)):
        bit = EXIT_BIT if number == walk.shape[0] - 1 else number
        for place in range(cells.shape[0]):
            if walk[number, cells[place]] < MOST_ROUNDS:
                within[place] |= 1 << bit
    return within


@kernel
def detour(info: Info, places: Places, extra: Extra, state: Row, goal: int) -> int:
    """The rounds that the enemies cost on the way to a goal, each by itself, in sum."""
    runner, parity = places[state[RUNNER]], state[ROUND] & 1
    if runner < 0:
        return 0
    first = FIRST_BONUS + info[BONUS_WORDS]
    rounds = 0
    for number in range(first, first + info[ENEMIES]):
        enemy = places[state[number]]
        if enemy >= 0:
            rounds += extra[goal, runner, enemy, parity]
    return rounds
