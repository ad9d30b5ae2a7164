"""The first master's alpha-beta, kept for comparisons: it calls positions lost before all turns were tried.

Iterative deepening, principal variation search and a transposition table. One `memory` array carries the counters, the
weights and the ordering tables from call to call; a thread may write STOP into it while the kernel runs.
"""

from __future__ import annotations

import numpy as np

from gridsage.core.jit import kernel
from gridsage.games.pushem.kernels.board import (
    ONE,
    ZERO,
    number,
    pawns_that_move,
    shifted,
)
from gridsage.games.pushem.kernels.evaluation import Memory, cards_worth, evaluate, pawns_worth, stage_at
from gridsage.games.pushem.kernels.tree import (
    BEST,
    BEST_DEPTH,
    BEST_SCORE,
    BOUND_MASK,
    BOUND_SHIFT,
    DEEPEST,
    DEPTH_MASK,
    DEPTH_SHIFT,
    EMPTY_WINDOW,
    ENDLESS,
    EXACT,
    FULL_WINDOW,
    HEIGHTS,
    HISTORY,
    KILLERS,
    LIMIT,
    LOWER,
    MAX_DEPTH,
    NODES,
    REDUCED,
    SCORE_OFFSET,
    SCORE_SHIFT,
    SETTINGS,
    STOP,
    STOP_CHECK,
    STOPPED,
    TURN_MASK,
    UNKNOWN,
    UPPER,
    WIN,
    Frames,
    Lists,
    Table,
    entry_score,
    finished_score,
    ordered,
    pick,
    position_hash,
    stored_score,
)
from gridsage.games.pushem.kernels.turns import (
    CARD_SHIFT,
    GOES_ON,
    R_ABYSS,
    R_ENEMY,
    R_ENEMY_HAND,
    R_FROZEN,
    R_HAND,
    R_KEY,
    R_LAST_PLY,
    R_OWN,
    R_PLY,
    R_RESULT,
    Stack,
    card_turns,
    play_turn,
    result_after,
    turn_of,
)
from gridsage.games.pushem.state import NO_CARD

S_CARD_DEPTH, S_WIDTH_BASE, S_WIDTH_STEP, S_REDUCE_PLAIN, S_REDUCE_AFTER, S_REDUCE_FAR, S_MUCH_MORE = range(
    SETTINGS, SETTINGS + 7
)
# A frame is one position on the way down: its window, and how far its turns have been tried.
(
    F_DEPTH,
    F_ALPHA,
    F_BETA,
    F_FOUND,
    F_WIDTH,
    F_PLACE,
    F_TURN,
    F_TRY,
    F_BEST_SCORE,
    F_BEST_TURN,
    F_BOUND,
) = range(11)
FRAME_WORDS = 11


@kernel
def _list_turns(stack: Stack, lists: Lists, memory: Memory, height: int, depth: int, best: int) -> int:
    """Fill the list of this height: the four steps by history, and card turns by what they lead to at once."""
    killer, found = memory[KILLERS + height], 4
    for direction in range(4):
        turn = turn_of(direction, NO_CARD, 0, 0)
        score = min(4_000, memory[HISTORY + direction + 4 * (height & 1)] // 64) - 5_000
        if turn == best:
            score = ENDLESS
        elif turn == killer:
            score += 2_000
        lists[height, direction] = ordered(score, turn)
    if stack[height, R_HAND] != ZERO and depth >= memory[S_CARD_DEPTH]:
        found = _list_card_turns(stack, lists, memory, height, best)
    return found


@kernel
def _list_card_turns(stack: Stack, lists: Lists, memory: Memory, height: int, best: int) -> int:
    """Append the card turns by what they lead to at once: after the steps, but before them if they gain much more."""
    end = card_turns(stack, height, lists[height], 4)
    memory[NODES] += end
    best_step = -ENDLESS
    for direction in range(4):
        best_step = max(best_step, _score_at_once(stack, memory, height, turn_of(direction, NO_CARD, 0, 0)))
    for place in range(4, end):
        turn = lists[height, place]
        score = _score_at_once(stack, memory, height, turn)
        if turn == best:
            score = ENDLESS
        elif score - best_step < memory[S_MUCH_MORE]:
            score = max(score // 4, -10_000) - 20_000  # below all steps
        lists[height, place] = ordered(score, turn)
    return end


@kernel
def _score_at_once(stack: Stack, memory: Memory, height: int, turn: int) -> int:
    """The evaluation right after `turn`, for the side that plays it."""
    play_turn(stack, height, turn)
    result = number(stack[height + 1, R_RESULT])
    return -finished_score(result, 0) if result != GOES_ON else -evaluate(stack, height + 1, memory)


@kernel
def search(stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory, depth: int) -> int:
    """The score of the position in row 0 for its side at turn, searched `depth` turns deep.

    It is a recursion written as a loop, because Numba cannot keep recursive machine code on disk.
    """
    _open_frame(frames, 0, depth, -ENDLESS, ENDLESS)
    height = 0
    while True:
        score = _enter(stack, table, lists, frames, memory, height)
        while score != UNKNOWN:
            if height == 0 or memory[STOPPED] != 0:
                return score
            height -= 1
            score = _take(stack, table, lists, frames, memory, height, -score)
        height += 1


@kernel
def _open_frame(frames: Frames, height: int, depth: int, alpha: int, beta: int) -> None:
    frames[height, F_DEPTH] = depth
    frames[height, F_ALPHA] = alpha
    frames[height, F_BETA] = beta


@kernel
def _enter(stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory, height: int) -> int:
    """The score of a position if it is known at once, else UNKNOWN with its first turn played in the next row."""
    memory[NODES] += 1
    result = number(stack[height, R_RESULT])
    if result != GOES_ON:
        return finished_score(result, height)
    if memory[NODES] >= memory[LIMIT] or (memory[NODES] & STOP_CHECK == 0 and memory[STOP] != 0):
        memory[STOPPED] = 1
        return 0
    depth, alpha, beta = frames[height, F_DEPTH], frames[height, F_ALPHA], frames[height, F_BETA]
    if depth <= 0 or height >= MAX_DEPTH:
        return evaluate(stack, height, memory)
    if depth == 1 and height > 0 and memory[S_CARD_DEPTH] > 1:
        return _best_leaf(stack, memory, height, beta)
    key = position_hash(stack, height)
    slot = number(key & np.uint64(table.shape[0] - 1))
    best_turn = -1
    if table[slot, 0] == key:
        entry = table[slot, 1]
        best_turn = number(entry & TURN_MASK)
        if height > 0 and number(entry >> DEPTH_SHIFT & DEPTH_MASK) >= depth:
            score, bound = entry_score(entry, height), number(entry >> BOUND_SHIFT & BOUND_MASK)
            if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
                return score
    if height == 0 and memory[BEST_DEPTH] > 0:
        best_turn = memory[BEST]  # its entry in the table may have been overwritten
    stack[height, R_KEY] = key
    found = _list_turns(stack, lists, memory, height, depth, best_turn)
    width = found
    if height > 0:
        width = min(found, 4 + memory[S_WIDTH_BASE] + memory[S_WIDTH_STEP] * (depth - memory[S_CARD_DEPTH]))
    frames[height, F_FOUND], frames[height, F_WIDTH], frames[height, F_PLACE] = found, width, -1
    frames[height, F_BEST_SCORE], frames[height, F_BEST_TURN], frames[height, F_BOUND] = -ENDLESS, -1, UPPER
    _next_turn(stack, lists, frames, memory, height)
    return UNKNOWN


@kernel
def _next_turn(stack: Stack, lists: Lists, frames: Frames, memory: Memory, height: int) -> None:
    """Play the next best turn: the first with the full window, later ones with an empty window and less depth."""
    frames[height, F_PLACE] += 1
    place, depth, alpha = frames[height, F_PLACE], frames[height, F_DEPTH], frames[height, F_ALPHA]
    frames[height, F_TURN] = pick(lists, height, place, frames[height, F_FOUND])
    play_turn(stack, height, frames[height, F_TURN])
    if place == 0:
        frames[height, F_TRY] = FULL_WINDOW
        _open_frame(frames, height + 1, depth - 1, -frames[height, F_BETA], -alpha)
    else:
        less = _reduction(memory, depth, place, frames[height, F_FOUND])
        frames[height, F_TRY] = REDUCED if less > 0 else EMPTY_WINDOW
        _open_frame(frames, height + 1, depth - 1 - less, -alpha - 1, -alpha)


@kernel
def _take(stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory, height: int, score: int) -> int:
    """Take the score of the turn just searched; the position's own score once no turn is left, else UNKNOWN."""
    depth, alpha, beta, turn = (
        frames[height, F_DEPTH],
        frames[height, F_ALPHA],
        frames[height, F_BETA],
        frames[height, F_TURN],
    )
    if score > alpha and frames[height, F_TRY] == REDUCED:
        frames[height, F_TRY] = EMPTY_WINDOW
        _open_frame(frames, height + 1, depth - 1, -alpha - 1, -alpha)
        return UNKNOWN
    if alpha < score < beta and frames[height, F_TRY] == EMPTY_WINDOW:
        frames[height, F_TRY] = FULL_WINDOW
        _open_frame(frames, height + 1, depth - 1, -beta, -alpha)
        return UNKNOWN
    if score > frames[height, F_BEST_SCORE]:
        frames[height, F_BEST_SCORE], frames[height, F_BEST_TURN] = score, turn
        if height == 0:
            memory[BEST], memory[BEST_SCORE] = turn, score
    if score > alpha:
        frames[height, F_ALPHA], frames[height, F_BOUND] = score, EXACT
    if score >= beta:
        frames[height, F_BOUND] = LOWER
        _reward(memory, height, depth, turn)
    elif frames[height, F_PLACE] + 1 < frames[height, F_WIDTH]:
        _next_turn(stack, lists, frames, memory, height)
        return UNKNOWN
    best: int = frames[height, F_BEST_SCORE]
    key = stack[height, R_KEY]
    slot = number(key & np.uint64(table.shape[0] - 1))
    packed = np.uint64(stored_score(best, height) + SCORE_OFFSET) << SCORE_SHIFT | np.uint64(
        frames[height, F_BEST_TURN]
    )
    packed |= np.uint64(depth) << DEPTH_SHIFT | np.uint64(frames[height, F_BOUND]) << BOUND_SHIFT
    table[slot, 0], table[slot, 1] = key, packed
    return best


@kernel
def _best_leaf(stack: Stack, memory: Memory, height: int, beta: int) -> int:
    """The best of the four steps by what they lead to at once: the last turn of a line, without cards."""
    own, enemy = stack[height, R_OWN], stack[height, R_ENEMY]
    abyss, frozen = stack[height, R_ABYSS], stack[height, R_FROZEN]
    ply = stack[height, R_PLY] + ONE
    stage = stage_at(stack, height, ply)
    cards = cards_worth(stack[height, R_HAND], stack[height, R_ENEMY_HAND], stage, memory)
    best = -ENDLESS
    for direction in range(4):
        memory[NODES] += 1
        moving = pawns_that_move(own, enemy, frozen, direction)
        own2, enemy2 = shifted(own, moving, abyss, direction), shifted(enemy, moving, abyss, direction)
        if own2 == ZERO or enemy2 == ZERO or ply >= stack[height, R_LAST_PLY]:
            score = -finished_score(result_after(stack, height, own2, enemy2), height + 1)
        else:
            score = cards - pawns_worth(enemy2, own2, stage, memory)
        best = max(best, score)
        if best >= beta:
            break
    return best


@kernel
def _reduction(memory: Memory, depth: int, place: int, found: int) -> int:
    """How much shallower a late turn is tried at first."""
    if depth < 3:
        return 0
    if found <= 4:
        return memory[S_REDUCE_PLAIN] if place >= 2 else 0
    if place < memory[S_REDUCE_AFTER]:
        return 0
    return 1 if place < memory[S_REDUCE_FAR] else min(2, depth - 2)


@kernel
def _reward(memory: Memory, height: int, depth: int, turn: int) -> None:
    if (turn >> CARD_SHIFT) & 15 == NO_CARD:
        memory[KILLERS + height] = turn
        place = HISTORY + (turn & 3) + 4 * (height & 1)
        memory[place] += depth * depth
        if memory[place] > 200_000:
            for other in range(HISTORY, KILLERS):
                memory[other] //= 2


@kernel
def deepen(stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory) -> None:
    """Search deeper and deeper from row 0 until the nodes are spent, STOP is written, or the end is seen.

    BEST, BEST_SCORE and BEST_DEPTH tell what was found; a turn of an unfinished depth counts once it beats the best.
    """
    memory[STOPPED] = 0
    memory[NODES] = 0
    for place in range(HISTORY, KILLERS):
        memory[place] //= 8
    memory[KILLERS : KILLERS + HEIGHTS] = -1
    left = number(stack[0, R_LAST_PLY] - stack[0, R_PLY])
    memory[BEST_DEPTH] = 0
    for depth in range(1, min(MAX_DEPTH, left, memory[DEEPEST]) + 1):
        search(stack, table, lists, frames, memory, depth)
        if memory[STOPPED] != 0:
            return
        memory[BEST_DEPTH] = depth
        if abs(memory[BEST_SCORE]) > WIN - depth - 1:
            return
