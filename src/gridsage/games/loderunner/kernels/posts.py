"""What enemies keep from the runner for good: one by itself, or one beside another who stands still on a post.

An enemy that has no way to the runner stays where it is. The duels of a level are played again with such an enemy on
its post: a runner who steps on it, or to where it catches him, is lost; once it would walk away nothing is said.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.kernels.rounds import (
    BITS,
    BONUS_WORDS,
    COLS,
    ENEMIES,
    FIRST_BONUS,
    HOLES,
    ROUND,
    RUNNER,
    Board,
    Chase,
    Info,
    Row,
    is_hole,
)
from gridsage.games.loderunner.kernels.standoffs import (
    AT_ONCE,
    CAUGHT_HIM,
    EXIT_BIT,
    MOST_WORDS,
    RID_AT,
    STEPS,
    STEPS_ALONE,
    TRAP_ROUNDS,
    Lost,
    Places,
    enemy_move,
)

STAYS, CATCHES, LEAVES = range(3)  # what an enemy on a post does about a runner

Answers = NDArray[np.int8]  # (places,): what the enemy on a post does about a runner in that place
Graph = tuple[
    NDArray[np.int64],  # (cells, STEPS): goals that a step takes, as bits
    NDArray[np.int32],  # (duels, STEPS): the duels that follow
    NDArray[np.int64],  # (duels, ENDS): how duels end
    NDArray[np.int32],  # (duels + 1,): where the sources of a duel begin
    NDArray[np.int32],  # the duels that lead to it, twice their number, plus one where two rounds are needed
    NDArray[np.int64],  # (places,): goals that a lone runner can come to
]
Posts = tuple[
    NDArray[np.int64],  # (places,): the bit of the post in that place, or 0
    NDArray[np.int64],  # (places, places, 2): runner, enemy, parity -> bits of posts beside which it keeps something
    NDArray[np.int64],  # (posts, places, places, 2): what it keeps beside each, goals as bits
]


@kernel
def answers(level: tuple[Board, Chase, Info], post: int, cells: NDArray[np.int32]) -> Answers:
    """What an enemy in the cell `post` does about a runner in every place."""
    board, chase, info = level
    does = np.zeros(cells.shape[0], np.int8)
    for place in range(cells.shape[0]):
        then = enemy_move(board, chase, info[COLS], post, int(cells[place]), -1)
        if cells[place] == post or then == CAUGHT_HIM:
            does[place] = CATCHES
        elif then != post:
            does[place] = LEAVES
    return does


@kernel
def _answer(does: Answers, runner: int, last: int, parity: int, is_drop: bool) -> int:
    """What the enemy on the post does about a step from one place to another, or a dig and a drop in two rounds."""
    if parity == 0:
        return int(does[runner if is_drop else last])
    return int(does[last]) if is_drop else STAYS


@kernel
def lost_beside(
    known: tuple[Places, NDArray[np.int32]],
    graph: Graph,
    lost: Lost,
    does: Answers,
    post: int,  # its place
) -> Lost:
    """The goals that every enemy and the one on the post keep together for good, without those that one keeps alone."""
    within, count = graph[5], known[1].shape[0]
    won = _won_at_once(known, graph, lost, does, post)
    _spread(graph, does, post, won)
    beside = np.zeros((count, count, 2), np.int64)
    for runner in range(count):
        for enemy in range(count):
            for parity in range(2):
                if runner != post and enemy != post and runner != enemy:
                    bits = won[(runner * count + enemy) * 2 + parity]
                    alone = lost[runner, enemy, parity] | lost[runner, post, parity]
                    beside[runner, enemy, parity] = within[runner] & ~(bits | alone)
    return beside


@kernel
def _won_at_once(
    known: tuple[Places, NDArray[np.int32]], graph: Graph, lost: Lost, does: Answers, post: int
) -> NDArray[np.int64]:
    """The goals of every duel that are taken, or free to be taken, before any other duel follows."""
    places, cells = known
    taken, after, ends, _, _, within = graph
    count = cells.shape[0]
    by_duel = lost.reshape(-1)
    won = np.zeros(after.shape[0], np.int64)
    for duel in range(after.shape[0]):
        runner, enemy, parity = duel // 2 // count, duel // 2 % count, duel % 2
        if runner in (post, enemy) or enemy == post:
            continue
        bits = ends[duel, AT_ONCE] & (1 << EXIT_BIT)
        if ends[duel, TRAP_ROUNDS] > 0 and does[runner] != CATCHES:
            bits |= -1 if does[runner] == LEAVES else ~(lost[runner, post, 0] & lost[runner, post, 1])
        for side in range(2):
            last = places[ends[duel, RID_AT + side]] if ends[duel, RID_AT + side] > 0 else post
            if last != post and _answer(does, runner, last, parity, True) != CATCHES:
                bits |= taken[cells[runner], STEPS_ALONE + side] | ~lost[last, post, parity]
        for step in range(STEPS):
            then = after[duel, step]
            if then >= 0:
                answer = _answer(does, runner, then // 2 // count, parity, step >= STEPS_ALONE)
                if answer != CATCHES:
                    bits |= taken[cells[runner], step]
                if answer == LEAVES:
                    bits |= ~by_duel[then]
        won[duel] = bits & within[runner]
    return won


@kernel
def _spread(graph: Graph, does: Answers, post: int, won: NDArray[np.int64]) -> None:
    """Add to every duel the goals of those that can follow it."""
    _, _, _, starts, sources, within = graph
    duels, two_places = won.shape[0], np.int32(2 * within.shape[0])
    waits = won != 0
    queue = np.empty(duels, np.int32)  # a ring: no duel waits in it twice
    head, size = 0, 0
    for duel in range(duels):
        if waits[duel]:
            queue[size] = duel
            size += 1
    while size > 0:
        duel = queue[head]
        head, size = (head + 1) % duels, size - 1
        waits[duel] = False
        bits, last = won[duel], duel // two_places
        for place in range(starts[duel], starts[duel + 1]):
            source = sources[place] >> 1
            runner = source // two_places
            if bits & within[runner] & ~won[source] == 0 or runner == post:
                continue
            if _answer(does, runner, last, source & 1, sources[place] & 1 == 1) == CATCHES:
                continue
            won[source] |= bits & within[runner]
            if not waits[source]:
                waits[source] = True
                queue[(head + size) % duels] = source
                size += 1


@kernel
def shut_out(info: Info, places: Places, lost: Lost, posts: Posts, state: Row) -> int:
    """The number of enemies who keep the runner from something for good, plus one if two do so together."""
    first = FIRST_BONUS + info[BONUS_WORDS]
    runner, parity = places[state[RUNNER]], state[ROUND] & 1
    if runner < 0:
        return 0
    numbers, suspects, beside = posts
    left = -1
    count, standing, suspected = 0, 0, 0
    for number in range(first, first + info[ENEMIES]):
        enemy = places[state[number]]
        if enemy < 0:
            continue
        if beside.shape[0] > 0:
            standing |= numbers[enemy]
            suspected |= suspects[runner, enemy, parity]
        if lost[runner, enemy, parity] == 0:
            continue
        if left < 0:
            left = _goals_left(info, state)
        if lost[runner, enemy, parity] & left and not (state[HOLES] > 0 and is_hole(state, state[number])):
            count += 1
    if standing & suspected and _two_keep(info, places, posts, state):
        count += 1
    return count


@kernel
def _goals_left(info: Info, state: Row) -> int:
    left = 1 << EXIT_BIT
    for word in range(min(info[BONUS_WORDS], MOST_WORDS)):
        left |= int(state[FIRST_BONUS + word]) << (BITS * word)
    return left


@kernel
def _two_keep(info: Info, places: Places, posts: Posts, state: Row) -> bool:
    """Return True if somebody on a post and another enemy, neither of them in a hole, keep something together."""
    numbers, suspects, beside = posts
    first = FIRST_BONUS + info[BONUS_WORDS]
    runner, parity = places[state[RUNNER]], state[ROUND] & 1
    left = _goals_left(info, state)
    for number in range(first, first + info[ENEMIES]):
        post = places[state[number]]
        if post < 0 or numbers[post] == 0 or (state[HOLES] > 0 and is_hole(state, state[number])):
            continue
        row = 0
        while numbers[post] >> row != 1:
            row += 1
        for other in range(first, first + info[ENEMIES]):
            enemy = places[state[other]]
            if enemy < 0 or suspects[runner, enemy, parity] & numbers[post] == 0:
                continue
            if beside[row, runner, enemy, parity] & left and not (state[HOLES] > 0 and is_hole(state, state[other])):
                return True
    return False
