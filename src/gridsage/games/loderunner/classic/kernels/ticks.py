"""Compiled ticks of the classic game over flat positions: the runner, the guards, holes, rebirth and random play.

Guards find footing in the first layer of a position (a hole is floor to them) and walls in the second.
"""

# ruff: noqa: SIM109 (plain comparisons and loops compile to faster code)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import inlined, kernel
from gridsage.games.loderunner.classic.layout import (
    ACTION,
    ALIVE,
    BAR,
    BIRTHS,
    BRICK,
    BURIED,
    CARRIED,
    CARRIES,
    CAUGHT,
    CELL,
    CELL_ACROSS,
    CELL_DOWN,
    CELLS,
    CHANCE_BITS,
    CHANCE_HIGH,
    CHANCE_LOW,
    CLIMB_FROM,
    CLIMB_OUT,
    COL_MASK,
    COLS,
    DIG_CELL,
    DIG_LEFT,
    DIG_RIGHT,
    DIG_TICKS,
    DOWN,
    DX,
    DY,
    EMPTY,
    FALL,
    FALL_TO_BAR,
    FALSE_BRICK,
    FIRST_GUARD,
    FIRST_HOLE,
    GOLD,
    GOLD_LEFT,
    GUARD,
    GUARD_FIELDS,
    GUARDS,
    HIDDEN_LADDER,
    HOLE_FIELDS,
    HOLES,
    IN_HOLE,
    IS_COMPLETE,
    LADDER,
    LASTING_KEY,
    LEFT,
    NONE,
    OLD_TRAP_TICKS,
    OUT_OF_TICKS,
    PACE,
    REBORN,
    RIGHT,
    ROW_SHIFT,
    ROWS,
    RUNNER,
    RUNNER_ACTION,
    RUNNER_CELL,
    RUNNER_DX,
    RUNNER_DY,
    SOLID,
    STATUS,
    TICK,
    TICK_CAP,
    TIMER,
    TOP_END,
    TRAP_TICKS,
    TURN,
    UP,
    WHO,
    WIDE,
    WON,
)
from gridsage.search.kernels import borrowed

Row = NDArray[np.int16]  # (SIZE,)
Fed = NDArray[np.int16]  # (2, n): known chances: steps gold is carried, framed cells of rebirth; -1 and the end: drawn

STEP_ACROSS, STEP_DOWN = 8, 9
HALF_ACROSS, HALF_DOWN = 20, 22
QUARTER_ACROSS, QUARTER_DOWN = 10, 11
TOUCH_ACROSS, TOUCH_DOWN = 30, 33  # guard and runner this near to each other touch

DIG_LENGTH = 11
DIG_SURE = 8  # from here on a guard beside does not stop a dig
STILL_FROM = 2  # a runner who digs longer than this counts as standing still
HOLE_LIFE = 187
BIRTH_LIFE = 9
LEAST_CARRY, CARRY_SPAN = 12, 26
BIRTH_ROW = 1
BIRTH_STRIDE = 11  # has no factor in common with the columns: every column is tried once
DROPPED = -1  # one step after a drop a guard cannot pick up again

PACES = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [0, 1, 0, 1, 0, 1],
        [1, 1, 1, 1, 1, 1],
        [1, 2, 1, 1, 2, 1],
        [1, 2, 2, 1, 2, 2],
        [2, 2, 2, 2, 2, 2],
    ],
    np.int64,
)  # (guards, tick of six): single moves of guards, taken in turn

NO_RATING = 255
BELOW_RATING, ABOVE_RATING = 200, 100
MASK32 = 0xFFFFFFFF
CHANCE_MASK = (1 << 2 * CHANCE_BITS) - 1


@kernel
def drawn(row: Row, span: int) -> int:
    """Return a random number below `span` and turn the position's generator on (30 bits in two fields)."""
    x = int(row[CHANCE_HIGH]) << CHANCE_BITS | int(row[CHANCE_LOW])
    x = (x * 1103515245 + 12345) & CHANCE_MASK
    row[CHANCE_LOW] = x & ((1 << CHANCE_BITS) - 1)
    row[CHANCE_HIGH] = x >> CHANCE_BITS
    return (x * span) >> (2 * CHANCE_BITS)


@inlined
def guard_in(row: Row, cell: int) -> int:
    """Return the place in the row of the first guard in that cell, or -1."""
    for place in range(FIRST_GUARD, FIRST_GUARD + row[GUARDS] * GUARD_FIELDS, GUARD_FIELDS):
        if row[place] == cell:
            return place
    return -1


@inlined
def _is_blocked(code: int) -> bool:
    return code == BRICK or code == SOLID


@kernel
def _take_from_game(row: Row) -> None:
    """Count one piece of gold less; after the last one the hidden ladders appear."""
    row[GOLD_LEFT] -= 1
    if row[GOLD_LEFT] <= 0:
        open_ladders(row)


@kernel
def open_ladders(row: Row) -> None:
    """Let the hidden ladders appear."""
    row[IS_COMPLETE] = 1
    for cell in range(CELLS):
        if row[cell] == HIDDEN_LADDER:
            row[cell] = LADDER
            row[WHO + cell] = LADDER


@kernel
def _enter_with_runner(row: Row, cell: int) -> None:
    """Meet whoever is in the cell the runner comes into."""
    if row[WHO + cell] == GUARD:
        guard = guard_in(row, cell)
        if guard >= 0 and row[guard + ACTION] != REBORN:
            row[STATUS] = CAUGHT


@inlined
def _left_behind(code: int) -> int:
    """Return what the second layer shows where somebody has left a cell made of that."""
    return EMPTY if code == BRICK or code == HIDDEN_LADDER else code


@inlined
def _touches_gold(row: Row, cell: int, dx: int, dy: int) -> bool:
    """Return True if somebody there, off the centre by so much, is near enough to the cell's gold to take it."""
    if row[cell] != GOLD:
        return False
    if dx == 0 and 0 <= dy < QUARTER_DOWN:
        return True
    if dy == 0 and 0 <= dx < QUARTER_ACROSS:
        return True
    return row[cell + WIDE] == LADDER and dy < QUARTER_DOWN


@inlined
def _centred(offset: int, step: int) -> int:
    """Return the offset one step nearer to the cell's centre."""
    if offset > 0:
        return max(offset - step, 0)
    return min(offset + step, 0)


@kernel
def _move_runner(row: Row, action: int, stays: bool) -> None:
    """Move the runner one step; `stays` means that he cannot leave his cell that way."""
    cell = int(row[RUNNER_CELL])
    dx, dy = int(row[RUNNER_DX]), int(row[RUNNER_DY])
    start = cell
    if action == DIG_LEFT or action == DIG_RIGHT:
        dx = dy = 0
    elif action == UP:
        dx = _centred(dx, STEP_ACROSS)
        dy -= STEP_DOWN
        if stays and dy < 0:
            dy = 0
        elif dy < -HALF_DOWN:
            cell -= WIDE
            dy += CELL_DOWN
    elif action == DOWN or action == FALL:
        dx = _centred(dx, STEP_ACROSS)
        catches_bar = False
        if row[cell] == BAR:
            below = row[WHO + cell + WIDE]
            if dy < 0:
                catches_bar = True
            elif action == DOWN and below != LADDER and below != GUARD and cell < WIDE * ROWS:
                action = FALL
        dy += STEP_DOWN
        if catches_bar and dy >= 0:
            dy = 0
            action = FALL_TO_BAR
        if stays and dy > 0:
            dy = 0
        elif dy > HALF_DOWN:
            cell += WIDE
            dy -= CELL_DOWN
    elif action == LEFT:
        dy = _centred(dy, STEP_DOWN)
        dx -= STEP_ACROSS
        if stays and dx < 0:
            dx = 0
        elif dx < -HALF_ACROSS:
            cell -= 1
            dx += CELL_ACROSS
    elif action == RIGHT:
        dy = _centred(dy, STEP_DOWN)
        dx += STEP_ACROSS
        if stays and dx > 0:
            dx = 0
        elif dx > HALF_ACROSS:
            cell += 1
            dx -= CELL_ACROSS
    if cell != start:
        row[WHO + start] = _left_behind(row[start])
        _enter_with_runner(row, cell)
    if (action == FALL or action == FALL_TO_BAR) and row[WHO + cell + WIDE] == GUARD:
        guard = guard_in(row, cell + WIDE)
        if guard >= 0:
            dy = min(dy, int(row[guard + DY]))
    row[RUNNER_ACTION] = action
    if action != NONE:
        row[RUNNER_CELL] = cell
        row[RUNNER_DX] = dx
        row[RUNNER_DY] = dy
    row[WHO + cell] = RUNNER
    if _touches_gold(row, cell, dx, dy):
        row[cell] = EMPTY
        _take_from_game(row)
    _meet_guard(row, cell, dx, dy)


@kernel
def _meet_guard(row: Row, cell: int, dx: int, dy: int) -> None:
    """End the game if the first guard among the cells above, below, left and right touches the runner."""
    if row[WHO + cell - WIDE] == GUARD:
        near = cell - WIDE
    elif row[WHO + cell + WIDE] == GUARD:
        near = cell + WIDE
    elif row[WHO + cell - 1] == GUARD:
        near = cell - 1
    elif row[WHO + cell + 1] == GUARD:
        near = cell + 1
    else:
        return
    guard = guard_in(row, near)
    if guard < 0 or row[guard + ACTION] == REBORN:
        return
    across, down = dx - int(row[guard + DX]), dy - int(row[guard + DY])
    if near == cell - 1:
        across += CELL_ACROSS
    elif near == cell + 1:
        across -= CELL_ACROSS
    elif near < cell:
        down += CELL_DOWN
    else:
        down -= CELL_DOWN
    if abs(across) <= TOUCH_ACROSS and abs(down) <= TOUCH_DOWN:
        row[STATUS] = CAUGHT


@kernel
def _runner_falls(row: Row, cell: int, dy: int) -> bool:
    code = row[cell]
    if code == LADDER or (code == BAR and dy == 0):
        return False
    if dy < 0:
        return True
    below = row[WHO + cell + WIDE]
    return not (below == BRICK or below == LADDER or below == SOLID or below == GUARD)


@kernel
def can_dig(row: Row, cell: int, side: int) -> bool:
    """Return True if a runner in that cell can dig on that side (-1 left, 1 right)."""
    beside = cell + side
    return bool(row[WHO + beside + WIDE] == BRICK and row[WHO + beside] == EMPTY and row[beside] != GOLD)


@kernel
def _use_key(row: Row, key: int) -> None:
    """Let the runner fall, or do what the key says."""
    cell = int(row[RUNNER_CELL])
    dx, dy = row[RUNNER_DX], row[RUNNER_DY]
    if _runner_falls(row, cell, dy):
        below = row[WHO + cell + WIDE]
        _move_runner(row, FALL, below == BRICK or below == SOLID or below == GUARD)
        return
    action, stays = NONE, True
    if key == UP:
        above = row[WHO + cell - WIDE]
        stays = above == BRICK or above == SOLID or above == FALSE_BRICK
        climbs = row[cell] == LADDER
        leaves_ladder = dy > 0 and row[cell + WIDE] == LADDER
        if not climbs and leaves_ladder and dy < QUARTER_DOWN and cell >= TOP_END:
            action, stays = UP, True
        elif (climbs or leaves_ladder) and not (dy <= 0 and stays):
            action = UP
    elif key == DOWN:
        stays = _is_blocked(row[WHO + cell + WIDE])
        if dy < 0 or not stays:
            action = DOWN
    elif key == LEFT:
        code = row[WHO + cell - 1]
        stays = code == BRICK or code == SOLID or code == FALSE_BRICK
        if dx > 0 or not stays:
            action = LEFT
    elif key == RIGHT:
        code = row[WHO + cell + 1]
        stays = code == BRICK or code == SOLID or code == FALSE_BRICK
        if dx < 0 or not stays:
            action = RIGHT
    elif key == DIG_LEFT or key == DIG_RIGHT:
        row[LASTING_KEY] = NONE
        side = -1 if key == DIG_LEFT else 1
        if can_dig(row, cell, side):
            action = key
            row[DIG_CELL] = cell + side + WIDE
            row[DIG_TICKS] = 0
    _move_runner(row, action, stays)


@kernel
def _goes_on_digging(row: Row) -> bool:
    """Return True if a dig is under way; a guard who comes early breaks it off."""
    hole = row[DIG_CELL]
    if hole == 0:
        return False
    if row[WHO + hole - WIDE] == GUARD:
        guard = guard_in(row, hole - WIDE)
        if row[DIG_TICKS] < DIG_SURE and row[guard + DY] > -QUARTER_DOWN:
            row[WHO + hole] = row[hole]
            row[DIG_CELL] = 0
            row[RUNNER_ACTION] = NONE
            return False
        row[WHO + hole] = EMPTY
        return True
    if row[DIG_TICKS] > STILL_FROM:
        row[RUNNER_ACTION] = NONE
    return True


@kernel
def _dig_on(row: Row) -> None:
    row[DIG_TICKS] += 1
    if row[DIG_TICKS] >= DIG_LENGTH:
        row[WHO + row[DIG_CELL]] = EMPTY
        place = FIRST_HOLE + row[HOLES] * HOLE_FIELDS
        row[place] = row[DIG_CELL]
        row[place + 1] = HOLE_LIFE
        row[HOLES] += 1
        row[DIG_CELL] = 0


@kernel
def _carry_on(row: Row, guard: int) -> None:
    """Count a carrier's steps; after the last it drops the gold on the next empty cell with footing below."""
    carried = row[guard + CARRIED]
    if carried > 1:
        row[guard + CARRIED] -= 1
    elif carried == 1:
        cell = row[guard + CELL]  # the cell before the move
        below = row[cell + WIDE]
        if row[cell] == EMPTY and (below == BRICK or below == SOLID or below == LADDER):
            row[cell] = GOLD
            row[guard + CARRIED] = DROPPED
    elif carried < 0:
        row[guard + CARRIED] += 1


@kernel
def _drop_above(row: Row, guard: int, cell: int) -> None:
    """Leave the gold above the hole a guard falls into; where something is, it is lost and counts as taken."""
    if row[guard + CARRIED] > 0:
        if row[cell - WIDE] == EMPTY:
            row[cell - WIDE] = GOLD
        else:
            _take_from_game(row)
    row[guard + CARRIED] = 0


@kernel
def _move_guard(row: Row, guard: int, action: int, fed: Fed) -> None:
    """Move a guard one step in the direction it has chosen."""
    cell = int(row[guard + CELL])
    dx, dy = int(row[guard + DX]), int(row[guard + DY])
    if row[guard + ACTION] == CLIMB_OUT and action == NONE:
        row[guard + ACTION] = NONE
    start = cell
    if action == UP:
        above = row[WHO + cell - WIDE]
        stays = above == BRICK or above == SOLID or above == FALSE_BRICK or above == GUARD
        if dy <= 0 and stays:
            action = NONE
        else:
            dx = _centred(dx, STEP_ACROSS)
            dy -= STEP_DOWN
            if stays and dy < 0:
                dy = 0
            elif dy < -HALF_DOWN:
                cell -= WIDE
                dy += CELL_DOWN
            if -STEP_DOWN < dy <= 0:
                _carry_on(row, guard)
    elif action == DOWN or action == FALL:
        below = row[WHO + cell + WIDE]
        stays = below == BRICK or below == SOLID or below == GUARD
        if action == FALL and dy < 0 and row[cell] == BRICK:
            action = IN_HOLE
            stays = True
        elif dy >= 0 and stays:
            action = NONE
        if action != NONE:
            dx = _centred(dx, STEP_ACROSS)
            catches_bar = False
            if row[cell] == BAR:
                if dy < 0:
                    catches_bar = True
                elif action == DOWN and below != LADDER and cell < WIDE * ROWS:
                    action = FALL
            dy += STEP_DOWN
            if catches_bar and dy >= 0:
                dy = 0
                action = FALL_TO_BAR
            if stays and dy > 0:
                dy = 0
            elif dy > HALF_DOWN:
                cell += WIDE
                dy -= CELL_DOWN
            if (action == FALL or action == DOWN) and 0 <= dy < STEP_DOWN:
                _carry_on(row, guard)
            if action == IN_HOLE:
                if dy < 0:
                    action = FALL
                    if row[TRAP_TICKS] > OLD_TRAP_TICKS and row[guard + CARRIED] > 0:
                        _drop_above(row, guard, cell)
                else:
                    _drop_above(row, guard, cell)
                    row[guard + TIMER] = row[TRAP_TICKS]
    elif action == LEFT:
        code = row[WHO + cell - 1]
        stays = code == BRICK or code == SOLID or code == GUARD or row[cell - 1] == FALSE_BRICK
        if dx <= 0 and stays:
            action = NONE
        else:
            dy = _centred(dy, STEP_DOWN)
            dx -= STEP_ACROSS
            if stays and dx < 0:
                dx = 0
            elif dx < -HALF_ACROSS:
                cell -= 1
                dx += CELL_ACROSS
            if -STEP_ACROSS < dx <= 0:
                _carry_on(row, guard)
    elif action == RIGHT:
        code = row[WHO + cell + 1]
        stays = code == BRICK or code == SOLID or code == GUARD or row[cell + 1] == FALSE_BRICK
        if dx >= 0 and stays:
            action = NONE
        else:
            dy = _centred(dy, STEP_DOWN)
            dx += STEP_ACROSS
            if stays and dx > 0:
                dx = 0
            elif dx > HALF_ACROSS:
                cell += 1
                dx -= CELL_ACROSS
            if 0 <= dx < STEP_ACROSS:
                _carry_on(row, guard)
    if cell != start:
        row[WHO + start] = _left_behind(row[start])
        if row[WHO + cell] == RUNNER:
            row[STATUS] = CAUGHT
    if action == NONE:
        if row[guard + ACTION] != CLIMB_OUT:
            row[guard + ACTION] = NONE
    else:
        if row[guard + ACTION] != CLIMB_OUT:
            row[guard + ACTION] = action
        row[guard + CELL] = cell
        row[guard + DX] = dx
        row[guard + DY] = dy
    row[WHO + cell] = GUARD
    if row[guard + CARRIED] == 0 and _touches_gold(row, cell, dx, dy):
        row[cell] = EMPTY
        row[guard + CARRIED] = _carry_length(row, fed)


@kernel
def _carry_length(row: Row, fed: Fed) -> int:
    number = row[CARRIES]
    row[CARRIES] += 1
    if number < fed.shape[1] and fed[0, number] >= 0:
        return int(fed[0, number])
    return LEAST_CARRY + drawn(row, CARRY_SPAN)


@inlined
def _rating(cell: int, start: int, first: int) -> int:
    """Return how good the cell is for a guard that scans its floor from `start`; small is good.

    Args:
        first: the first framed cell of the runner's row.
    """
    if cell < first:
        return ABOVE_RATING + (first >> ROW_SHIFT) - (cell >> ROW_SHIFT)
    if cell >= first + WIDE:
        return BELOW_RATING + (cell >> ROW_SHIFT) - (first >> ROW_SHIFT)
    return abs((start & COL_MASK) - (cell & COL_MASK))


@inlined
def _is_standable(row: Row, cell: int) -> bool:
    below = row[cell + WIDE]
    return bool(below == BRICK or below == LADDER or below == SOLID or row[cell] == BAR)


@inlined
def _has_side_way(row: Row, cell: int) -> bool:
    """Return True if one can step left or right from here and stand there."""
    col = cell & COL_MASK
    return (col > 1 and _is_standable(row, cell - 1)) or (col < COLS and _is_standable(row, cell + 1))


@inlined
def _end_of_way_down(row: Row, cell: int, first: int) -> int:
    """Return where a guard that goes down here would stop, in or below the runner's row at the earliest."""
    while not _is_blocked(row[cell + WIDE]):
        if cell >= first:
            code = row[cell]
            if code != EMPTY and code != HIDDEN_LADDER and _has_side_way(row, cell):
                break
        cell += WIDE
    return cell


@inlined
def _end_of_way_up(row: Row, cell: int, first: int) -> int:
    """Return where a guard that climbs here would stop, in or above the runner's row at the earliest."""
    while row[cell] == LADDER and cell >= TOP_END:
        cell -= WIDE
        if cell < first + WIDE and _has_side_way(row, cell):
            break
    return cell


@inlined
def _end_of_floor(row: Row, cell: int, side: int) -> int:
    """Return the last cell a guard would walk to on this side; the last may be one from which it falls."""
    while True:
        beside = cell + side
        code = row[WHO + beside]
        if code == BRICK or code == SOLID:
            return cell
        cell = beside
        below = row[cell + WIDE]
        if not (code == LADDER or code == BAR or below == BRICK or below == SOLID or below == LADDER):
            return cell


@inlined
def _best_rating(row: Row, cell: int, start: int, first: int) -> int:
    """Return the best rating of the ways down and up from a cell of the floor; on a tie the way does not matter."""
    best = NO_RATING
    if not _is_blocked(row[cell + WIDE]):
        best = _rating(_end_of_way_down(row, cell, first), start, first)
    if row[cell] == LADDER:
        best = min(best, _rating(_end_of_way_up(row, cell, first), start, first))
    return best


@kernel
def _scanned(row: Row, start: int, first: int) -> int:
    """Return the first step to the best cell within reach of the floor the guard stands on."""
    best, choice = NO_RATING, NONE
    if not _is_blocked(row[start + WIDE]):
        rating = _rating(_end_of_way_down(row, start, first), start, first)
        if rating < best:
            best, choice = rating, DOWN
    if row[start] == LADDER:
        rating = _rating(_end_of_way_up(row, start, first), start, first)
        if rating < best:
            best, choice = rating, UP
    for cell in range(_end_of_floor(row, start, -1), start):
        rating = _best_rating(row, cell, start, first)
        if rating < best:
            best, choice = rating, LEFT
    for cell in range(_end_of_floor(row, start, 1), start, -1):
        rating = _best_rating(row, cell, start, first)
        if rating < best:
            best, choice = rating, RIGHT
    return choice


@inlined
def _carries_a_guard(row: Row, cell: int) -> bool:
    """Return True if a guard walks over this cell on its straight way to the runner."""
    code = row[cell]
    if code == LADDER or code == BAR:
        return True
    below = row[cell + WIDE]
    if below == SOLID or below == LADDER or below == BRICK or below == BAR or below == GOLD:
        return True
    return bool(row[WHO + cell + WIDE] == GUARD)


@kernel
def _decision(row: Row, guard: int) -> int:
    """Return what the guard does next."""
    start = int(row[guard + CELL])
    if row[guard + ACTION] == CLIMB_OUT:
        hole = row[guard + CLIMB_FROM]
        if (start >> ROW_SHIFT) == (hole >> ROW_SHIFT):
            return UP
        if (start & COL_MASK) != (hole & COL_MASK):
            row[guard + ACTION] = LEFT
    else:
        code = row[start]
        dy = row[guard + DY]
        if not (code == LADDER or (code == BAR and dy == 0)):
            if dy < 0:
                return FALL
            below = row[WHO + start + WIDE]
            if not (below == BRICK or below == SOLID or below == GUARD or below == LADDER):
                return FALL
    runner = int(row[RUNNER_CELL])
    first = runner & ~COL_MASK
    if first <= start < first + WIDE and row[RUNNER_ACTION] != FALL:
        cell = start
        while cell != runner and _carries_a_guard(row, cell):
            cell += 1 if cell < runner else -1
        if cell == runner:
            if start != runner:
                return RIGHT if start < runner else LEFT
            return RIGHT if row[guard + DX] < row[RUNNER_DX] else LEFT
    return _scanned(row, start, first)


@kernel
def _move_guards(row: Row, fed: Fed) -> None:
    guards = row[GUARDS]
    row[PACE] += 1
    if row[PACE] >= 6:
        row[PACE] = 0
    for _ in range(PACES[guards, row[PACE]]):
        row[TURN] += 1
        if row[TURN] >= guards:
            row[TURN] = 0
        guard = FIRST_GUARD + row[TURN] * GUARD_FIELDS
        action = row[guard + ACTION]
        if action != IN_HOLE and action != REBORN:
            _move_guard(row, guard, _decision(row, guard), fed)


@kernel
def _birth_cell(row: Row, fed: Fed) -> int:
    number = row[BIRTHS]
    row[BIRTHS] += 1
    if number < fed.shape[1] and fed[1, number] >= 0:
        return int(fed[1, number])
    first = drawn(row, COLS)
    for line in range(BIRTH_ROW, ROWS):
        col = first
        for _ in range(COLS):
            cell = (line + 1) * WIDE + 1 + col
            if row[WHO + cell] == EMPTY and row[cell] != GOLD and row[cell] != BRICK:
                return cell
            col = (col + BIRTH_STRIDE) % COLS
    return ROWS * WIDE + 1 + first


@kernel
def _close_first_hole(row: Row, fed: Fed) -> None:
    cell = row[FIRST_HOLE]
    for place in range(FIRST_HOLE, FIRST_HOLE + (row[HOLES] - 1) * HOLE_FIELDS):
        row[place] = row[place + HOLE_FIELDS]
    row[HOLES] -= 1
    row[FIRST_HOLE + row[HOLES] * HOLE_FIELDS] = 0
    row[FIRST_HOLE + row[HOLES] * HOLE_FIELDS + 1] = 0
    inside = row[WHO + cell]
    if inside == RUNNER:
        row[STATUS] = BURIED
    elif inside == GUARD:
        guard = guard_in(row, cell)
        if row[guard + CARRIED] > 0:
            _take_from_game(row)
            row[guard + CARRIED] = 0
        birth = _birth_cell(row, fed)
        row[WHO + birth] = GUARD
        row[guard + CELL] = birth
        row[guard + DX] = 0
        row[guard + DY] = 0
        row[guard + ACTION] = REBORN
        row[guard + TIMER] = BIRTH_LIFE
    row[WHO + cell] = BRICK


@kernel
def _age_holes(row: Row, fed: Fed) -> None:
    for place in range(FIRST_HOLE + 1, FIRST_HOLE + row[HOLES] * HOLE_FIELDS, HOLE_FIELDS):
        row[place] -= 1
    if row[HOLES] > 0 and row[FIRST_HOLE + 1] == 0:
        _close_first_hole(row, fed)


@kernel
def _age_guards(row: Row, waiting: int) -> None:
    """Count the ticks of guards in holes, or of those being reborn; both end in a climb or a fall."""
    for guard in range(FIRST_GUARD, FIRST_GUARD + row[GUARDS] * GUARD_FIELDS, GUARD_FIELDS):
        if row[guard + ACTION] != waiting:
            continue
        row[guard + TIMER] -= 1
        if row[guard + TIMER] > 0:
            continue
        if waiting == IN_HOLE:
            row[guard + ACTION] = CLIMB_OUT
            row[guard + CLIMB_FROM] = row[guard + CELL]
            continue
        row[guard + ACTION] = FALL
        if row[WHO + row[guard + CELL]] == RUNNER:
            row[STATUS] = CAUGHT
        row[WHO + row[guard + CELL]] = GUARD


@kernel
def play_tick(row: Row, key: int, fed: Fed) -> int:
    """Play one tick on `row` in place and return its status.

    The original tests for the win before the next key; nothing happens between, so it is told at this tick's end.
    """
    row, fed = borrowed(row), borrowed(fed)
    row[TICK] += 1
    row[LASTING_KEY] = key
    if _goes_on_digging(row):
        _dig_on(row)
    else:
        _use_key(row, key)
    if row[STATUS] == ALIVE and row[GUARDS] > 0:
        _move_guards(row, fed)
    _age_guards(row, IN_HOLE)
    _age_holes(row, fed)
    _age_guards(row, REBORN)
    if row[STATUS] == ALIVE:
        if row[IS_COMPLETE] and row[RUNNER_CELL] < TOP_END and row[RUNNER_DY] == 0:
            row[STATUS] = WON
        elif row[TICK] >= row[TICK_CAP]:
            row[STATUS] = OUT_OF_TICKS
    return int(row[STATUS])


@kernel
def play_keys(row: Row, keys: NDArray[np.int8], fed: Fed) -> int:
    """Play keys tick by tick until the game ends or they do; return the ticks played."""
    for number in range(keys.shape[0]):
        if play_tick(row, keys[number], fed) != ALIVE:
            return number + 1
    return int(keys.shape[0])


@kernel
def play_recording(row: Row, presses: NDArray[np.int64], ticks: int, fed: Fed) -> int:
    """Play a recording, (n, 2) of tick and key, where a key lasts until the next; return the ticks played."""
    press = 0
    for tick in range(ticks):
        key = row[LASTING_KEY]
        if press < presses.shape[0] and presses[press, 0] == tick:
            key = np.int16(presses[press, 1])
            press += 1
        if play_tick(row, key, fed) != ALIVE:
            return tick + 1
    return ticks


@kernel
def random_ticks(start: Row, ticks: int, seed: int, counts: NDArray[np.int64]) -> None:
    """Play so many ticks at random, a key lasting six, from `start` again after every end; count games by end."""
    row = start.copy()
    fed = np.zeros((2, 0), np.int16)
    x, key = seed, NONE
    for tick in range(ticks):
        if tick % 6 == 0:
            x ^= (x << 13) & MASK32
            x ^= x >> 17
            x ^= (x << 5) & MASK32
            key = 1 + (x >> 8) % 4 if (x >> 16) % 100 < 85 else DIG_LEFT + (x >> 8) % 2
        elif key >= DIG_LEFT:
            key = NONE
        status = play_tick(row, key, fed)
        if status != ALIVE:
            counts[status] += 1
            row[:] = start
