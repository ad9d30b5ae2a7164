"""Where a walk of the explorer goes: to a diamond, a boulder to push, what stands in the way, work at a magic wall."""

# Comparisons are written out: membership in a tuple compiles to a loop.
# ruff: noqa: SIM109

from __future__ import annotations

import numpy as np

from gridsage.core.jit import borrowing_kernel
from gridsage.games.delirium.bd.cells import (
    AMOEBA,
    BOULDER,
    BRICK,
    BUTTERFLY,
    DIAMOND,
    DIRT,
    EXIT_OPEN,
    KIND_MASK,
    MAGIC_WALL,
    SPACE,
    STEEL,
)
from gridsage.games.delirium.bd.kernels.boards import AT_LEISURE, FAR, Ground
from gridsage.games.delirium.bd.kernels.books import Books, below
from gridsage.games.delirium.bd.kernels.chance import Number
from gridsage.games.delirium.bd.kernels.lures import DIRT_OF_A_TUNNEL
from gridsage.games.delirium.bd.kernels.outlook import (
    costs_from,
    first_obstacle,
    has_prey,
    is_diamond,
    is_exit,
    neighbour,
    rooms_to_open,
    step_back,
)
from gridsage.games.delirium.bd.kernels.pens import INTO, LARGEST, NEVER, ORDER, OUT_OF, SOUGHT, gaps_of
from gridsage.games.delirium.bd.kernels.plan import MOST_CELLS, flood, is_fly
from gridsage.games.delirium.bd.kernels.tick import COLS, NEEDED, SIZE, Cells, Facts, Rules
from gridsage.games.delirium.bd.state import DIAMONDS, MAGIC, ROCKFORD_AT, SPENT

OBSTACLE_NEAR = 3  # cells from an obstacle where he looks for a way to move it
TRIALS = 8
UNDERMINED = 3  # times in four a boulder in the way is undermined where that can be done
UNREACHED = 2  # times in four where no diamond is in reach he sees to what is in the way
STROLL = 80  # of the nearest cells one is gone to where there is nothing else to do
HIGHEST_PILE = 6  # boulders
PUSH_REACH = 300  # cells walked to whose boulders may be pushed
DROP_HEIGHT = 8  # rows from which a boulder may come down into a gap
PUSH_WIDTH = 5  # cells over which one may be pushed into it
FLY_ROOM = 8  # cells of the space around a fly that a walk keeps away from
TUNNEL_SHARE = 3  # one walk in so many digs where butterflies have to be led to amoeba
WORK_BELOW = 4  # cells below a magic wall that should be free
FLY_AWAY = 10  # cells from a boulder that may be dropped on a fly
SNAP_RIGHT, SNAP_LEFT = 5, 7
AT_ONCE = 8  # added to a snap that waits for no fly


@borrowing_kernel
def place_near(rules: Rules, ground: Ground, books: Books, cell: Number) -> Number:
    """Return some place near a cell that can be walked to, or -1."""
    side = 2 * OBSTACLE_NEAR + 1
    for _ in range(TRIALS):
        near = cell + (below(books, side) - OBSTACLE_NEAR) * rules[COLS] + below(books, side) - OBSTACLE_NEAR
        if 0 <= near < rules[SIZE] and ground.walk[near] > 0:
            return near
    return np.int64(-1)


@borrowing_kernel
def place_to_roll(cells: Cells, rules: Rules, ground: Ground, boulder: Number, side: int) -> Number:
    """Return a place beside dirt that keeps a boulder from rolling off to a side, with the snap for it, or -1.

    The dirt at the foot goes first: then the boulder rolls past where Rockford stands.
    """
    beside, foot = boulder + side, boulder + side + rules[COLS]
    upper, lower = cells[beside] & KIND_MASK, cells[foot] & KIND_MASK
    if (upper != DIRT and upper != SPACE) or (lower != DIRT and lower != SPACE):
        return np.int64(-1)
    dug = foot if lower == DIRT else beside
    if cells[dug] & KIND_MASK != DIRT or ground.walk[dug + side] < 0:
        return np.int64(-1)
    return (dug + side) << 4 | (AT_ONCE + (SNAP_RIGHT if side < 0 else SNAP_LEFT))


@borrowing_kernel
def undermining(cells: Cells, rules: Rules, ground: Ground, books: Books, place: Number) -> Number:
    """Return a place beside dirt that holds a boulder next to a place, with the snap for it, as `aim` does, or -1.

    Where there is dirt below dirt the lower one goes first: then the boulder falls past the way that it barred. In a
    pile what holds any of the boulders below counts as well: when one rolls off all above it come down.
    """
    cols, found, seen = rules[COLS], np.int64(-1), 0
    for turn in range(4):
        boulder = neighbour(place, turn, cols)
        for _ in range(HIGHEST_PILE):
            support, deeper = boulder + cols, boulder + 2 * cols
            if deeper + cols >= rules[SIZE] or cells[boulder] & KIND_MASK != BOULDER:
                break
            under = cells[support] & KIND_MASK
            if under == DIRT:
                dug = deeper if cells[deeper] & KIND_MASK == DIRT else support
                for side in (-1, 1):
                    if ground.walk[dug + side] >= 0:
                        seen += 1
                        if below(books, seen) == 0:
                            found = (dug + side) << 4 | (AT_ONCE + (SNAP_RIGHT if side < 0 else SNAP_LEFT))
            elif under == BOULDER or under == BRICK or under == DIAMOND:
                for side in (-1, 1):
                    work = place_to_roll(cells, rules, ground, boulder, side)
                    if work >= 0:
                        seen += 1
                        if below(books, seen) == 0:
                            found = work
            boulder = support
    return found


@borrowing_kernel
def near_obstacle(cells: Cells, facts: Facts, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return a place near what stands in the way to a diamond or the exit, as `aim` does."""
    missing = rules[NEEDED] > facts[DIAMONDS]
    goal, seen = -1, 0
    for cell in range(rules[SIZE]):
        kind = cells[cell] & KIND_MASK
        if ground.walk[cell] < 0 and (is_diamond(kind) if missing else is_exit(kind)):
            seen += 1
            if below(books, seen) == 0:
                goal = cell
    if goal < 0:
        return np.int64(-1)
    found = first_obstacle(cells, rules, ground, facts[ROCKFORD_AT], goal)
    if found < 0:
        return found
    if ground.pace[0] == AT_LEISURE and below(books, 4) < UNDERMINED:
        work = undermining(cells, rules, ground, books, found)
        if work >= 0:
            return work
    near = place_near(rules, ground, books, found)
    return near << 4 if near >= 0 else found << 4


@borrowing_kernel
def boulder_to_push(cells: Cells, ground: Ground, books: Books, reached: int) -> Number:
    """Return one of the places beside a boulder that can be pushed, as `aim` does, or -1."""
    found, seen = np.int64(-1), 0
    for i in range(reached):
        cell = ground.queue[i]
        for step in (1, -1):
            if cells[cell + step] & KIND_MASK == BOULDER and cells[cell + 2 * step] & KIND_MASK == SPACE:
                seen += 1
                if below(books, seen) == 0:
                    found = cell << 4 | (1 if step == 1 else 3)
    return found


@borrowing_kernel
def wall_work(cells: Cells, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return a place to dig at so that boulders come down to a magic wall or have room below it, as `aim` does, or -1.

    They come down from straight above, and over the bricks of a funnel.
    """
    cols, size = rules[COLS], rules[SIZE]
    ways, queue = ground.cost, ground.queues[0]
    ways[:size] = 0
    found, seen, count, done = np.int64(-1), 0, 0, 0
    for wall in range(2 * cols, size - cols):
        if cells[wall] & KIND_MASK != MAGIC_WALL:
            continue
        queue[count] = wall
        count += 1
        for down in range(1, WORK_BELOW + 1):
            cell = wall + down * cols
            kind = cells[cell] & KIND_MASK
            if kind != SPACE and kind != DIRT:
                break
            if kind == DIRT and ground.walk[cell] > 0:
                seen += 1
                if below(books, seen) == 0:
                    found = cell << 4
    walls = count
    while done < count:
        cell = queue[done]
        done += 1
        for side in (0, -1, 1):
            near = cell - cols + side
            if near < cols or ways[near] != 0 or (side != 0 and (done <= walls or ways[cell - cols] == 0)):
                continue
            if side != 0 and cells[cell + side] & KIND_MASK != BRICK:
                continue
            kind = cells[near] & KIND_MASK
            if kind != SPACE and kind != DIRT and kind != BOULDER:
                continue
            ways[near] = 1
            queue[count] = near
            count += 1
            if kind == DIRT and ground.walk[near] > 0:
                seen += 1
                if below(books, seen) == 0:
                    found = near << 4
    return found


@borrowing_kernel
def is_beside_brick(cells: Cells, rules: Rules, cell: int) -> bool:
    """Return True if a blast on the way down from a cell would hit brick."""
    cols = rules[COLS]
    is_beside = False
    for _ in range(DROP_HEIGHT):
        if cell + cols >= rules[SIZE] or cells[cell] & KIND_MASK != SPACE:
            break
        for down in range(-1, 2):
            for right in range(-1, 2):
                is_beside |= cells[cell + down * cols + right] & KIND_MASK == BRICK
        cell += cols
    return is_beside


@borrowing_kernel
def ambush(cells: Cells, facts: Facts, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return a place beside dirt from where a boulder can be dropped when a fly comes, as `aim` does, or -1.

    A fly is worth it where a room has to be opened by a blast, or where butterflies have to make diamonds.
    """
    cols, size = rules[COLS], rules[SIZE]
    flies = ground.queues[0]
    found: Number = np.int64(-1)
    seen, count = 0, 0
    for cell in range(size):
        if is_fly(cells[cell] & KIND_MASK):
            flies[count] = cell
            count += 1
    hunts = has_prey(cells, facts, rules)
    if count == 0 or (not hunts and rooms_to_open(cells, facts, rules, ground) == 0):
        return found
    for cell in range(2 * cols, size - cols):
        if cells[cell] & KIND_MASK != DIRT or cells[cell - cols] & KIND_MASK != BOULDER:
            continue
        under = cells[cell + cols] & KIND_MASK
        if under != SPACE and not is_fly(under):
            continue
        is_near = False
        for number in range(count):
            down, right = flies[number] // cols - cell // cols, flies[number] % cols - cell % cols
            is_near |= abs(down) <= FLY_AWAY and abs(right) <= FLY_AWAY
        is_good = hunts or (is_near and is_beside_brick(cells, rules, cell + cols))
        for side in (-1, 1):
            if is_good and ground.walk[cell + side] >= 0:
                seen += 1
                if below(books, seen) == 0:
                    found = (cell + side) << 4 | (SNAP_RIGHT if side < 0 else SNAP_LEFT)
    return found


@borrowing_kernel
def tunnel_work(cells: Cells, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return dirt to dig on the way of a butterfly to amoeba, the nearest that can be walked to, or -1.

    There it explodes into diamonds.
    """
    fly, goal, flies, amoeba = -1, -1, 0, 0
    for place in range(rules[SIZE]):
        kind = cells[place] & KIND_MASK
        if BUTTERFLY <= kind < BUTTERFLY + 4:
            flies += 1
            fly = place if below(books, flies) == 0 else fly
        elif kind == AMOEBA:
            amoeba += 1
            goal = place if below(books, amoeba) == 0 else goal
    found: Number = np.int64(-1)
    if fly < 0 or goal < 0:
        return found
    costs_from(cells, rules, ground, fly, goal, DIRT_OF_A_TUNNEL)
    cell: Number = np.int64(goal)
    if ground.cost[cell] == FAR:
        return found
    while ground.cost[cell] > 0:
        cell = step_back(rules, ground, cell)
        is_dirt = cells[cell] & KIND_MASK == DIRT and ground.walk[cell] > 0
        if is_dirt and (found < 0 or ground.walk[cell] < ground.walk[found]):
            found = cell
    return found << 4 if found >= 0 else found


@borrowing_kernel
def gap_in_fence(cells: Cells, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return one of the cells that the best fence around amoeba lacks, or -1."""
    gaps, _ = gaps_of(cells, rules, ground.pen, ground.fence[SOUGHT])
    pen, found, seen = ground.pen, np.int64(-1), 0
    i = 0
    while seen < gaps and i < LARGEST:
        cell = pen[ORDER, i]
        i += 1
        if pen[INTO, cell] != NEVER and pen[OUT_OF, cell] == NEVER:
            seen += 1
            if below(books, seen) == 0:
                found = cell
    return found


@borrowing_kernel
def fence_work(cells: Cells, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return a place where something may be done to close a fence around amoeba, as `aim` does, or -1.

    Boulders come down from above when he has dug below them, and are pushed from the side.
    """
    cols, gap = rules[COLS], gap_in_fence(cells, rules, ground, books)
    if gap < 0:
        return gap
    way = below(books, 4)
    if way == 0:
        for height in range(1, DROP_HEIGHT):
            cell = gap - height * cols
            if cell < cols:
                break
            if cells[cell] & KIND_MASK == BOULDER and ground.walk[cell + cols] > 0:
                return (cell + cols) << 4
    elif way == 1:
        side = 1 if below(books, 2) == 0 else -1
        for width in range(1, PUSH_WIDTH):
            cell = gap + side * width
            if not 0 < cell < rules[SIZE] - 1 or cells[cell] & KIND_MASK > BOULDER:
                break
            if cells[cell] & KIND_MASK == BOULDER and ground.walk[cell + side] >= 0:
                return (cell + side) << 4 | (3 if side == 1 else 1)
    found = place_near(rules, ground, books, gap)
    return found << 4 if found >= 0 else found


@borrowing_kernel
def cells_looked_at(kind_of_aim: Number) -> Number:
    """Return how many cells that can be walked to have to be known for a kind of aim."""
    if 5 <= kind_of_aim < 8:
        return PUSH_REACH
    return 1 + STROLL if kind_of_aim == 8 else MOST_CELLS


@borrowing_kernel
def shun_flies(cells: Cells, rules: Rules, ground: Ground, here: Number, target: Number) -> None:
    """Copy the picture into `shunned`, with steel in the space around each fly and beside that.

    Args:
        here: where Rockford is; this and the target are not shut.
    """
    size, cols, shunned, room = rules[SIZE], rules[COLS], ground.shunned, ground.queues[0]
    for cell in range(size):
        shunned[cell] = cells[cell]
    for fly in range(size):
        if not is_fly(cells[fly] & KIND_MASK):
            continue
        room[0], done, count = fly, 0, 1
        shunned[fly] = STEEL
        while done < count:
            cell = room[done]
            done += 1
            for turn in range(4):
                near = neighbour(cell, turn, cols)
                if not 0 <= near < size or count == FLY_ROOM:
                    continue
                if cells[near] & KIND_MASK == SPACE and shunned[near] != STEEL:
                    shunned[near] = STEEL
                    room[count] = near
                    count += 1
        for number in range(count):
            for turn in range(4):
                near = neighbour(room[number], turn, cols)
                if 0 <= near < size and near != here and near != target:
                    shunned[near] = STEEL


@borrowing_kernel
def aim(cells: Cells, facts: Facts, rules: Rules, ground: Ground, books: Books) -> Number:
    """Choose where to walk, and return it with the action to do there: cell << 4 | action; -1 for nowhere.

    Afterwards `ground` holds the distances to that place, every other time by a way that keeps away from flies.
    """
    distance, queue = ground.walk, ground.queue
    size = rules[SIZE]
    here = facts[ROCKFORD_AT]
    missing = rules[NEEDED] > facts[DIAMONDS]
    kind_of_aim = below(books, 12)
    most = MOST_CELLS if ground.fence[SOUGHT] >= 0 else cells_looked_at(kind_of_aim)
    reached = flood(cells, rules, here, distance[:size], queue, -1, most)
    found: Number = np.int64(-1)
    if missing and ground.fence[SOUGHT] >= 0 and below(books, 4) != 0:
        found = fence_work(cells, rules, ground, books)
    elif missing and ground.lure[0] and below(books, TUNNEL_SHARE) == 0:
        found = tunnel_work(cells, rules, ground, books)
    elif kind_of_aim < 5:
        skip = below(books, 4)  # one of the nearest few
        for i in range(1, reached):
            kind = cells[queue[i]] & KIND_MASK
            if (kind == DIAMOND) if missing else is_exit(kind):
                found = queue[i] << 4
                if skip == 0:
                    break
                skip -= 1
    elif kind_of_aim < 8:
        found = boulder_to_push(cells, ground, books, min(reached, PUSH_REACH))
    elif kind_of_aim == 9:
        found = ambush(cells, facts, rules, ground, books)
    elif kind_of_aim >= 10:
        found = near_obstacle(cells, facts, rules, ground, books)
    is_barred = ground.pace[0] == AT_LEISURE and found < 0 and kind_of_aim < 5
    if is_barred and below(books, 4) < UNREACHED:
        found = near_obstacle(cells, facts, rules, ground, books)
    if found < 0 and missing and facts[MAGIC] != SPENT and below(books, 2) == 0:
        if most <= reached:
            reached = flood(cells, rules, here, distance[:size], queue)
        found = wall_work(cells, rules, ground, books)
    if found < 0 and reached > 1:
        found = queue[1 + below(books, min(reached - 1, STROLL))] << 4
    if found >= 0:
        if ground.pace[0] == AT_LEISURE and below(books, 2) == 0:
            shun_flies(cells, rules, ground, here, found >> 4)
            flood(ground.shunned, rules, found >> 4, distance[:size], queue, here)
            if distance[here] >= 0:
                return found
        flood(cells, rules, found >> 4, distance[:size], queue, here)
    return found


@borrowing_kernel
def next_step(cells: Cells, facts: Facts, rules: Rules, ground: Ground, books: Books) -> Number:
    """Return an action that leads nearer to where he is going, 0 if none does."""
    here, cols = facts[ROCKFORD_AT], rules[COLS]
    best, least = 0, ground.walk[here]
    first = below(books, 4)
    for number in range(4):
        action = 1 + (first + number) % 4
        step = 1 if action == 1 else (-cols if action == 2 else (-1 if action == 3 else cols))
        there = ground.walk[here + step]
        kind = cells[here + step] & KIND_MASK
        if 0 <= there < least and (kind == SPACE or kind == DIRT or kind == DIAMOND or kind == EXIT_OPEN):
            best, least = action, there
    return best
