"""Where somebody may reappear, and after which of these draws the runner is lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.kernels.lookahead import (
    PAST,
    PAST_RISK,
    REAPPEARED,
    Hints,
    Steps,
    copy_row,
    danger_of,
    draw,
    hash_of,
)
from gridsage.games.loderunner.kernels.posts import shut_out
from gridsage.games.loderunner.kernels.rounds import (
    ACTIONS,
    CHANCES,
    RESPAWNS,
    RUNNER,
    SPAWN,
    SPAWNS,
    Board,
    Chase,
    Info,
    Row,
    is_legal,
    may_respawn,
    play_round,
)
from gridsage.games.loderunner.state import ALIVE, WON

NEAR = 14  # steps: whoever reappears farther away does not meet the runner within the trial
VERY_NEAR = 5  # steps: inside a search only these draws are tried
MOST_WEIGHED = 16  # positions of a layer
THOUSAND = 1000
MOST_ROUNDS = 8000  # played before the cells that are left, the farthest ones, count as survived: some 10 ms
TRIAL_ROUNDS = 16
FIRST_WIDTH, TRIAL_WIDTH = 2, 8  # most trials are passed by the narrower beam
MOST_LINES = 8  # lines that lived after other draws: they are tried before a search
FAR_ENOUGH = 6  # rounds of a trial after which a runner whom nobody is near has survived
# What `deadly_draws` counts.
DEADLY, ALLOWED, NODES = 0, 1, 2
COUNTS = 3

Level = tuple[Board, Chase, Info]
Lines = NDArray[np.int64]  # (MOST_LINES, TRIAL_ROUNDS): actions, and -1 behind the last one of a line


@kernel
def deadly_draws(
    level: Level, guide: Hints, before: Row, action: int, rest: NDArray[np.int64], counts: NDArray[np.int64]
) -> None:
    """Count the cells where somebody may reappear, and those after which the runner is lost.

    He is lost if the plan, every line that lived after another draw, and a small search die within the trial, or if
    somebody stands in his only way for good.

    Args:
        before: the position before the round in which somebody reappears, by `action`.
        rest: what the plan does after it.
        counts: (COUNTS,) filled here; NODES are the rounds that were played.
    """
    board, chase, info = level
    _, _, _, steps, places, lost, _, posts = guide
    counts[:] = 0
    chance = np.zeros(CHANCES, np.int64)
    shut_before = shut_out(info, places, lost, posts, before)
    first = before.copy()
    chance[1] = 1  # the corner, out of everybody's way
    if play_round(board, chase, info, first, action, chance) != ALIVE:
        return
    lines = np.full((MOST_LINES, TRIAL_ROUNDS), -1, np.int64)
    lines[0, : min(rest.size, TRIAL_ROUNDS)] = rest[:TRIAL_ROUNDS]
    known = 1 if rest.size > 0 else 0  # lines to try: the plan is the first
    far = -1  # whether those that are far kill: they are all alike, so that one is tried
    for cell in nearest_first(level, steps, first):
        counts[ALLOWED] += 1
        is_near = steps[cell, first[RUNNER]] <= NEAR
        state = before.copy()
        chance[:] = 0
        chance[0], chance[1] = 1, cell + 1
        play_round(board, chase, info, state, action, chance)
        counts[NODES] += 1
        is_lost = shut_out(info, places, lost, posts, state) > shut_before
        if is_lost or counts[NODES] >= MOST_ROUNDS:
            counts[DEADLY] += is_lost
        elif is_near or far < 0:
            known, is_lost = _dies(level, steps, state, lines, known, counts)
            far = far if is_near else int(is_lost)
            counts[DEADLY] += is_lost
        else:
            counts[DEADLY] += far


@kernel
def nearest_first(level: Level, steps: Steps, state: Row) -> NDArray[np.int64]:
    """The cells where somebody may reappear, those with the fewest steps to the runner first."""
    board, _, info = level
    cells = np.empty(info[SPAWNS], np.int64)
    count = 0
    for number in range(info[SPAWNS]):
        if may_respawn(board, info, state, int(board[SPAWN, number])):
            cells[count] = board[SPAWN, number]
            count += 1
    keys = np.empty(count, np.int64)
    for number in range(count):
        keys[number] = steps[cells[number], state[RUNNER]] * board.shape[1] + cells[number]
    return cells[:count][np.argsort(keys)]


@kernel
def weigh_layer(
    level: Level, guide: Hints, beam: NDArray[np.int16], size: int, limit: int, counts: NDArray[np.int64]
) -> None:
    """Weigh the respawns of the round just played in the best positions of a beam: add to each one's PAST_RISK.

    Args:
        limit: rounds after which no further position is weighed.
        counts: (COUNTS,) filled here; NODES are the rounds that were played.
    """
    board, _, info = level
    steps = guide[3]
    row = beam.shape[1] - PAST
    counts[:] = 0
    lines = np.full((MOST_LINES, TRIAL_ROUNDS), -1, np.int64)
    for number in range(min(size, MOST_WEIGHED)):
        state, past = beam[number, :row].copy(), beam[number, row:]
        enemy = past[REAPPEARED]
        if enemy == 0:
            continue
        if counts[NODES] >= limit:
            return
        past[REAPPEARED] = 0
        state[enemy] = 0  # the corner, out of everybody's way
        deadly, allowed, far, known = 0, 0, -1, 0
        for spawn in range(info[SPAWNS]):
            cell = int(board[SPAWN, spawn])
            if may_respawn(board, info, state, cell):
                allowed += 1
                is_near = steps[cell, state[RUNNER]] <= VERY_NEAR
                is_lost = far == 1
                if is_near or far < 0:
                    state[enemy] = cell
                    known, is_lost = _dies(level, steps, state, lines, known, counts)
                    state[enemy] = 0
                    if not is_near:
                        far = int(is_lost)
                deadly += is_lost
        past[PAST_RISK] += THOUSAND * deadly // max(1, allowed)


@kernel
def _dies(
    level: Level, steps: Steps, start: Row, lines: Lines, known: int, counts: NDArray[np.int64]
) -> tuple[int, bool]:
    """Return the number of lines known after this trial, and True if neither they nor a search live through it."""
    for number in range(known):
        if lives_by(level, steps, start, lines[number], counts):
            return known, False
    place = min(known, MOST_LINES - 1)
    if not survives(level, steps, start, lines[place], counts):
        return known, True
    return place + 1, False


@kernel
def lives_by(level: Level, steps: Steps, start: Row, line: NDArray[np.int64], counts: NDArray[np.int64]) -> bool:
    """Return True if he lives through the trial, or wins, by these actions."""
    board, chase, info = level
    state = start.copy()
    chance = np.zeros(CHANCES, np.int64)
    for layer in range(TRIAL_ROUNDS):
        action = line[layer]
        if action < 0 or not is_legal(board, info, state[RUNNER], action):
            return False
        draw(chance, 1, layer)
        counts[NODES] += 1
        status = play_round(board, chase, info, state, action, chance)
        if status == WON:
            return True
        if status != ALIVE:
            return False
        if layer >= FAR_ENOUGH and state[RESPAWNS] == 0 and danger_of(info, steps, state) == 0:
            return True
    return True


@kernel
def survives(level: Level, steps: Steps, start: Row, line: NDArray[np.int64], counts: NDArray[np.int64]) -> bool:
    """Return True if a narrow beam, the positions with the fewest enemies near first, finds a line that lives.

    Args:
        line: (TRIAL_ROUNDS,) where that line is written.
    """
    found = _survives(level, steps, start, line, counts, FIRST_WIDTH)
    return found or _survives(level, steps, start, line, counts, TRIAL_WIDTH)


@kernel
def _survives(
    level: Level, steps: Steps, start: Row, line: NDArray[np.int64], counts: NDArray[np.int64], width: int
) -> bool:
    board, chase, info = level
    beam = np.empty((width, start.size), np.int16)
    pool = np.empty((width * ACTIONS, start.size), np.int16)
    scores, keys = np.empty(len(pool), np.int64), np.empty(len(pool), np.int64)
    links, origin = np.empty((TRIAL_ROUNDS, width), np.int64), np.empty(len(pool), np.int64)
    chance = np.zeros(CHANCES, np.int64)
    beam[0] = start
    size = 1
    for layer in range(TRIAL_ROUNDS):
        found = 0
        for parent in range(size):
            for action in range(ACTIONS):
                if not is_legal(board, info, beam[parent, RUNNER], action):
                    continue
                state = pool[found]
                copy_row(state, beam[parent])
                draw(chance, 1, layer)
                counts[NODES] += 1
                status = play_round(board, chase, info, state, action, chance)
                if status == WON:
                    _write_line(line, links, layer, parent * 8 + action)
                    return True
                if status != ALIVE:
                    continue
                keys[found] = hash_of(info, state)
                if _is_among(keys, found):
                    continue
                scores[found] = danger_of(info, steps, state) + state[RESPAWNS]
                origin[found] = parent * 8 + action
                if layer >= FAR_ENOUGH and scores[found] == 0:
                    _write_line(line, links, layer, parent * 8 + action)
                    return True
                found += 1
        if found == 0:
            return False
        order = np.argsort(scores[:found])
        size = min(found, width)
        for number in range(size):
            copy_row(beam[number], pool[order[number]])
            links[layer, number] = origin[order[number]]
    _write_line(line, links, TRIAL_ROUNDS - 1, links[TRIAL_ROUNDS - 1, 0])
    return True


@kernel
def _write_line(line: NDArray[np.int64], links: NDArray[np.int64], last: int, link: int) -> None:
    """Write the actions that lead to the end of a trial: backwards, from the link of its last round."""
    line[last + 1 :] = -1
    for layer in range(last, -1, -1):
        line[layer] = link & 7
        link = links[layer - 1, link >> 3] if layer > 0 else 0


@kernel
def _is_among(keys: NDArray[np.int64], count: int) -> bool:
    """Return True if the key behind the first `count` is one of them."""
    for number in range(count):  # noqa: SIM110 (compiles to faster code)
        if keys[number] == keys[count]:
            return True
    return False
