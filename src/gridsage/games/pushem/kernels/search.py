"""The master's alpha-beta: iterative deepening, principal variation search and a transposition table, all compiled.

Card turns are listed only where the steps did not do, and a position counts as lost only when every turn was tried, so
a win that is reported is a win. One `memory` array carries the counters, the weights and the ordering tables from call
to call. A thread may write STOP into it while the kernel runs without the GIL; with a node limit alone every search
repeats exactly.
"""

from __future__ import annotations

import numpy as np

from gridsage.core.jit import kernel
from gridsage.games.pushem.kernels.board import (
    ONE,
    RING_1,
    RING_2,
    RING_3,
    ZERO,
    Board,
    landing,
    line_board,
    number,
    pawns_that_move,
    shifted,
)
from gridsage.games.pushem.kernels.evaluation import W_CARDS, W_RINGS, Memory, cards_worth, pawns_worth, stage_at
from gridsage.games.pushem.kernels.lines import Learned, clock_at, evaluate_learned, pawns_learned
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
    FIRST_FREE,
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
    WIN_BOUND,
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
    R_REVERSED,
    SECOND_SHIFT,
    SLEEPING,
    TARGET_SHIFT,
    Stack,
    card_turns,
    play_turn,
    result_after,
    turn_of,
)
from gridsage.games.pushem.state import (
    BOMB,
    JUMP,
    NO_CARD,
    PROPAGANDA,
    REPLAY,
    SHINIGAMI,
    SWAP,
)

# How the search cuts: see Engine.
(
    S_CARD_DEPTH,
    S_WIDTH_BASE,
    S_WIDTH_STEP,
    S_REDUCE_PLAIN,
    S_REDUCE_AFTER,
    S_REDUCE_FAR,
    S_MUCH_MORE,
    S_EARLY,
    S_MARGIN,
    S_WINDOW,
) = range(SETTINGS, SETTINGS + 10)
CARD_HISTORY = FIRST_FREE  # how often each card was best on each target
MEMORY_WORDS = CARD_HISTORY + NO_CARD * 64
MOST_HISTORY = 200_000
MOST_BONUS, BONUS_SHARE = 60, 16  # what a card turn that was good elsewhere is guessed to gain, and for how much
FIRST_WINDOW = 4  # from this depth on the last score is expected again

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
    F_TABLE_TURN,
    F_LISTED,
) = range(13)
FRAME_WORDS = 13
NOT_LISTED, SOME_WIDTH, ALL_WIDTH = range(3)  # how far card turns have been listed


@kernel
def search(
    stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory, learned: Learned, alpha: int, beta: int
) -> int:
    """Return the score of the position in row 0 for its side at turn; frame 0 says how deep to search it.

    It is a recursion written as a loop, because Numba cannot keep recursive machine code on disk.
    """
    _open_frame(frames, 0, frames[0, F_DEPTH], alpha, beta)
    height = 0
    while True:
        score = _enter(stack, table, lists, frames, memory, learned, height)
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
def _enter(
    stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory, learned: Learned, height: int
) -> int:
    """Return the score of a position if it is known at once, else UNKNOWN and play its first turn in the next row."""
    memory[NODES] += 1
    result = number(stack[height, R_RESULT])
    if result != GOES_ON:
        return finished_score(result, height)
    if memory[NODES] >= memory[LIMIT] or (memory[NODES] & STOP_CHECK == 0 and memory[STOP] != 0):
        memory[STOPPED] = 1
        return 0
    depth, alpha, beta = frames[height, F_DEPTH], frames[height, F_ALPHA], frames[height, F_BETA]
    if depth <= 0 or height >= MAX_DEPTH:
        return evaluate_learned(stack, height, memory, learned)
    if depth == 1 and height > 0:
        return _best_leaf(stack, lists, memory, learned, height, beta)
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
    hopeful = True
    if height > 0 and (depth <= 3 or stack[height, R_HAND] != ZERO):
        static = evaluate_learned(stack, height, memory, learned)
        if depth <= 3 and beta > -WIN_BOUND and static - memory[S_MARGIN] * depth >= beta:
            return static
        hopeful = static + memory[S_EARLY] >= beta
    if height == 0 and memory[BEST_DEPTH] > 0:
        best_turn = memory[BEST]  # its entry in the table may have been overwritten
    stack[height, R_KEY] = key
    frames[height, F_TABLE_TURN], frames[height, F_LISTED] = best_turn, NOT_LISTED
    frames[height, F_FOUND] = _list_steps(stack, lists, memory, height, best_turn)
    frames[height, F_WIDTH], frames[height, F_PLACE] = frames[height, F_FOUND], -1
    frames[height, F_BEST_SCORE], frames[height, F_BEST_TURN], frames[height, F_BOUND] = -ENDLESS, -1, UPPER
    if height == 0 or (not hopeful and depth >= memory[S_CARD_DEPTH]):
        _list_cards(stack, lists, frames, memory, height)
    _next_turn(stack, lists, frames, memory, height)
    return UNKNOWN


@kernel
def _list_steps(stack: Stack, lists: Lists, memory: Memory, height: int, best: int) -> int:
    """Fill the list of this height with the four steps by history, and the table's turn before them."""
    killer, found = memory[KILLERS + height], 4
    for direction in range(4):
        turn = turn_of(direction, NO_CARD, 0, 0)
        score = min(4_000, memory[HISTORY + direction + 4 * (height & 1)] // 64) - 5_000
        if turn == best:
            score = ENDLESS
        elif turn == killer:
            score += 2_000
        lists[height, direction] = ordered(score, turn)
    if best >= 0 and (best >> CARD_SHIFT) & 15 != NO_CARD:
        lists[height, 4] = ordered(ENDLESS, best)
        found = 5
    return found


@kernel
def _list_cards(stack: Stack, lists: Lists, frames: Frames, memory: Memory, height: int) -> None:
    """Append the card turns: after the steps, but before them if they gain much more at once."""
    begin, depth = frames[height, F_FOUND], frames[height, F_DEPTH]
    frames[height, F_LISTED] = SOME_WIDTH
    if stack[height, R_HAND] == ZERO or stack[height, R_REVERSED] != ZERO:
        return
    found = _rated_card_turns(stack, lists, memory, height, begin, frames[height, F_TABLE_TURN])
    memory[NODES] += (found - begin) // 4
    frames[height, F_FOUND] = found
    width = found
    if height > 0:
        more = memory[S_WIDTH_BASE] + memory[S_WIDTH_STEP] * max(0, depth - memory[S_CARD_DEPTH])
        width = min(found, begin + more)
    frames[height, F_WIDTH] = width


@kernel
def _rated_card_turns(stack: Stack, lists: Lists, memory: Memory, height: int, begin: int, table_turn: int) -> int:
    """Append every card turn but the table's with a quick guess of its gain; return how many turns there are now."""
    stage = stage_at(stack, height, stack[height, R_PLY] + ONE)
    end = card_turns(stack, height, lists[height], begin)
    best_step = -ENDLESS
    for direction in range(4):
        own, enemy = _stepped(stack, height, direction)
        best_step = max(best_step, -pawns_worth(enemy, own, stage, memory))
    found, last, base = begin, -1, 0
    own, enemy = ZERO, ZERO
    for place in range(begin, end):
        turn = lists[height, place]
        if turn == table_turn:
            continue
        direction, card = turn & 7, (turn >> CARD_SHIFT) & 15
        if direction != last:
            last = direction
            own, enemy = _stepped(stack, height, direction)
            base = -pawns_worth(enemy, own, stage, memory)
        score = base - best_step - memory[W_CARDS + 10 * (stage // 2) + card]
        score += _card_gain(stack, memory, height, turn, own, enemy, stage)
        score += min(MOST_BONUS, memory[CARD_HISTORY + card * 64 + ((turn >> TARGET_SHIFT) & 63)] // BONUS_SHARE)
        if score < memory[S_MUCH_MORE]:
            score = max(score, -9_000) - 20_000  # below all steps
        lists[height, found] = ordered(min(score, ENDLESS - 1), turn)
        found += 1
    return found


@kernel
def _stepped(stack: Stack, height: int, direction: int) -> tuple[Board, Board]:
    """Return the pawns of both sides after a step; SLEEPING leaves them as they are."""
    own, enemy, frozen = stack[height, R_OWN], stack[height, R_ENEMY], stack[height, R_FROZEN]
    if direction == SLEEPING:
        return own, enemy
    moving = pawns_that_move(own, enemy, frozen, direction)
    abyss = stack[height, R_ABYSS]
    return shifted(own, moving, abyss, direction), shifted(enemy, moving, abyss, direction)


@kernel
def _card_gain(stack: Stack, memory: Memory, height: int, turn: int, own: Board, enemy: Board, stage: int) -> int:
    """Return what a card gains at once on the stepped board, counted in pawns by their rings."""
    card, target = (turn >> CARD_SHIFT) & 15, (turn >> TARGET_SHIFT) & 63
    bit = ONE << np.uint64(target)
    worth = W_RINGS + 4 * stage
    if card in (SHINIGAMI, PROPAGANDA):
        if enemy == bit:
            return WIN
        gain = memory[worth + _ring(bit)]
        return number(gain) if card == SHINIGAMI else 2 * number(gain)
    if card == BOMB:
        left = ~line_board(target)
        if enemy & left == ZERO:
            return WIN if own & left != ZERO else 0
        return pawns_worth(own & left, enemy & left, stage, memory) - pawns_worth(own, enemy, stage, memory)
    if card == SWAP:
        other = ONE << np.uint64(turn >> SECOND_SHIFT)
        return 2 * number(memory[worth + _ring(other)] - memory[worth + _ring(bit)])
    if card == JUMP:
        abyss, frozen = stack[height, R_ABYSS], stack[height, R_FROZEN]
        place = landing(own, enemy, abyss, frozen, target, turn & 7)
        return number(memory[worth + _ring(place)] - memory[worth + _ring(bit)])
    if card == REPLAY:
        moving = pawns_that_move(own, enemy, stack[height, R_FROZEN], target)
        abyss = stack[height, R_ABYSS]
        own2, enemy2 = shifted(own, moving, abyss, target), shifted(enemy, moving, abyss, target)
        if enemy2 == ZERO and own2 != ZERO:
            return WIN
        return pawns_worth(own2, enemy2, stage, memory) - pawns_worth(own, enemy, stage, memory)
    return 0


@kernel
def _ring(bit: Board) -> int:
    """Return the ring of a cell, 0 for the border."""
    if bit & RING_1 != ZERO:
        return 0
    if bit & RING_2 != ZERO:
        return 1
    return 2 if bit & RING_3 != ZERO else 3


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
        less = _reduction(memory, depth, place, frames[height, F_TURN])
        frames[height, F_TRY] = REDUCED if less > 0 else EMPTY_WINDOW
        _open_frame(frames, height + 1, depth - 1 - less, -alpha - 1, -alpha)


@kernel
def _reduction(memory: Memory, depth: int, place: int, turn: int) -> int:
    """Return how much shallower a late turn is tried at first."""
    if depth < 3:
        return 0
    if (turn >> CARD_SHIFT) & 15 == NO_CARD:
        return memory[S_REDUCE_PLAIN] if place >= 2 else 0
    if place < memory[S_REDUCE_AFTER]:
        return 0
    return 1 if place < memory[S_REDUCE_FAR] else min(2, depth - 2)


@kernel
def _take(stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory, height: int, score: int) -> int:
    """Take the score of the turn just searched; return the position's own once no turn is left, else UNKNOWN."""
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
    if score > alpha:
        frames[height, F_ALPHA], frames[height, F_BOUND] = score, EXACT
        if height == 0:
            memory[BEST], memory[BEST_SCORE] = turn, score
    if score >= beta:
        frames[height, F_BOUND] = LOWER
        _reward(memory, height, depth, turn)
    elif _has_more(stack, lists, frames, memory, height):
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
def _has_more(stack: Stack, lists: Lists, frames: Frames, memory: Memory, height: int) -> bool:
    """Return True if another turn is to be tried, after listing further ones where that is due.

    Where all turns tried so far lose, the others are tried too, until one holds: only then is the position lost.
    """
    following = frames[height, F_PLACE] + 1
    lost = frames[height, F_BEST_SCORE] < -WIN_BOUND
    if frames[height, F_LISTED] == ALL_WIDTH and not lost:
        return False
    if following < frames[height, F_WIDTH]:
        return True
    if frames[height, F_LISTED] == NOT_LISTED and (lost or frames[height, F_DEPTH] >= memory[S_CARD_DEPTH]):
        _list_cards(stack, lists, frames, memory, height)
        if following < frames[height, F_WIDTH]:
            return True
    if lost and frames[height, F_WIDTH] < frames[height, F_FOUND]:
        frames[height, F_WIDTH], frames[height, F_LISTED] = frames[height, F_FOUND], ALL_WIDTH
        return True
    return False


@kernel
def _best_leaf(stack: Stack, lists: Lists, memory: Memory, learned: Learned, height: int, beta: int) -> int:
    """Return the best of the four steps by what they lead to at once; cards only if all steps lose."""
    abyss, ply = stack[height, R_ABYSS], stack[height, R_PLY] + ONE
    own, enemy, frozen = stack[height, R_OWN], stack[height, R_ENEMY], stack[height, R_FROZEN]
    stage, clock = stage_at(stack, height, ply), clock_at(stack, height, ply)
    cards = cards_worth(stack[height, R_HAND], stack[height, R_ENEMY_HAND], stage, memory)
    best = -ENDLESS
    for direction in range(4):
        memory[NODES] += 1
        moving = pawns_that_move(own, enemy, frozen, direction)
        own2, enemy2 = shifted(own, moving, abyss, direction), shifted(enemy, moving, abyss, direction)
        if own2 == ZERO or enemy2 == ZERO or ply >= stack[height, R_LAST_PLY]:
            score = -finished_score(result_after(stack, height, own2, enemy2), height + 1)
        else:
            score = cards - pawns_learned(enemy2, own2, clock, stage, learned)
        best = max(best, score)
        if best >= beta:
            return best
    if best < -WIN_BOUND:
        best = max(best, _best_card_at_once(stack, lists, memory, learned, height))
    return best


@kernel
def _best_card_at_once(stack: Stack, lists: Lists, memory: Memory, learned: Learned, height: int) -> int:
    """Return the best that any card turn leads to at once; -ENDLESS without one."""
    best = -ENDLESS
    end = card_turns(stack, height, lists[height], 0)
    memory[NODES] += end
    for place in range(end):
        play_turn(stack, height, lists[height, place])
        result = number(stack[height + 1, R_RESULT])
        if result == GOES_ON:
            score = -evaluate_learned(stack, height + 1, memory, learned)
        else:
            score = -finished_score(result, height + 1)
        best = max(best, score)
    return best


@kernel
def _reward(memory: Memory, height: int, depth: int, turn: int) -> None:
    """Remember a turn that was good enough, to try it early elsewhere."""
    card = (turn >> CARD_SHIFT) & 15
    if card != NO_CARD:
        memory[CARD_HISTORY + card * 64 + ((turn >> TARGET_SHIFT) & 63)] += depth * depth
        return
    memory[KILLERS + height] = turn
    place = HISTORY + (turn & 3) + 4 * (height & 1)
    memory[place] += depth * depth
    if memory[place] > MOST_HISTORY:
        for other in range(HISTORY, KILLERS):
            memory[other] //= 2


@kernel
def deepen(stack: Stack, table: Table, lists: Lists, frames: Frames, memory: Memory, learned: Learned) -> None:
    """Search deeper and deeper from row 0 until the nodes are spent, STOP is written, or the end is seen.

    BEST, BEST_SCORE and BEST_DEPTH say what was found; a turn of an unfinished depth counts once it beats the best.
    """
    memory[STOPPED], memory[NODES], memory[BEST_DEPTH] = 0, 0, 0
    for place in range(HISTORY, KILLERS):
        memory[place] //= 8
    for place in range(CARD_HISTORY, MEMORY_WORDS):
        memory[place] //= 8
    memory[KILLERS : KILLERS + HEIGHTS] = -1
    left = number(stack[0, R_LAST_PLY] - stack[0, R_PLY])
    for depth in range(1, min(MAX_DEPTH, left, memory[DEEPEST]) + 1):
        before = memory[BEST_SCORE]
        frames[0, F_DEPTH] = depth
        alpha, beta = -ENDLESS, ENDLESS
        if depth >= FIRST_WINDOW and abs(before) < WIN_BOUND:
            alpha, beta = before - memory[S_WINDOW], before + memory[S_WINDOW]
        score = search(stack, table, lists, frames, memory, learned, alpha, beta)
        if memory[STOPPED] == 0 and not alpha < score < beta:
            search(stack, table, lists, frames, memory, learned, -ENDLESS, ENDLESS)
        if memory[STOPPED] != 0:
            if memory[BEST_SCORE] < -WIN_BOUND:
                memory[BEST_SCORE] = before  # not all turns were tried: a loss is not proved
            return
        memory[BEST_DEPTH] = depth
        if abs(memory[BEST_SCORE]) > WIN - depth - 1:
            return
