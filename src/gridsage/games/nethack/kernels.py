"""Compiled loops over one remembered level: what a glyph means, ways to walk, frontiers, and where to search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.nethack.level import CELLS, COLS, ROWS

# Planes of a level's memory, an int32 array (PLANES, CELLS). All are indexed by cell, except PEACEFUL: it is indexed
# by a monster's number and holds the turn until which its kind is believed peaceful.
TERRAIN, WALKED, SEARCHED, BLOCKED, OBJECT, MONSTER, PEACEFUL, TRAP, TRIES, SHUNNED, FEATURE = range(11)
PLANES = 11

# Terrain. COVERED is ground under a thing or a monster, never seen bare: stairs may be below.
(
    UNKNOWN,
    STONE,
    WALL,
    FLOOR,
    CORRIDOR,
    DOORWAY,
    OPEN_DOOR,
    CLOSED_DOOR,
    LOCKED_DOOR,
    UP,
    DOWN,
    COVERED,
    WATER,
    OBSTACLE,
) = range(14)

# Glyph numbers of nle 1.3.0 (NetHack 3.6.7); a test compares them with nle's own.
PET, INVISIBLE, DETECTED, BODY, RIDDEN, THING, MAP, EXPLOSION, SWALLOW, WARNING, STATUE, GLYPHS = (
    381, 762, 763, 1144, 1525, 1906, 2359, 2446, 2541, 5589, 5595, 5976,
)  # fmt: skip
BOULDER = THING + 447
FIRST_TRAP, LAST_TRAP = 42, 64
HOLE, TRAP_DOOR, PORTAL = 54, 55, 58
LAST_FIXED_SYMBOL = 41
ALTAR, GRAVE, THRONE, SINK, FOUNTAIN = range(27, 32)  # symbols, which are the entries of the FEATURE plane

_KINDS = np.full(LAST_FIXED_SYMBOL + 1, OBSTACLE, np.int32)
_KINDS[0] = UNKNOWN
_KINDS[1:12] = WALL
_KINDS[12] = DOORWAY
_KINDS[13:15] = OPEN_DOOR
_KINDS[15:17] = CLOSED_DOOR
_KINDS[19:21] = FLOOR
_KINDS[21:23] = CORRIDOR
_KINDS[[23, 25]] = UP
_KINDS[[24, 26]] = DOWN
_KINDS[ALTAR : FOUNTAIN + 1] = FLOOR  # one walks over them
_KINDS[[32, 34, 41]] = WATER
_KINDS[33] = FLOOR
_KINDS[35:37] = FLOOR  # lowered drawbridge
_KINDS[39:41] = FLOOR
KINDS = _KINDS

DROW = np.array([-1, 0, 1, 0, -1, 1, 1, -1], np.int32)  # k l j h u n b y
DCOL = np.array([0, 1, 0, -1, 1, 1, -1, -1], np.int32)

RING = np.array([0, 4, 1, 5, 2, 6, 3, 7], np.int32)  # the directions in order around a square

MONSTERS = PET  # kinds; a pet's glyph is its kind plus PET
FLOATING_EYE, BLUE_JELLY, SPOTTED_JELLY = 28, 55, 56
# Never hit with a weapon in hand: their answer is worse (eyes, jellies, molds, gas spore), or they are the law
# (shopkeeper, guard, Oracle, priests, watchmen).
_LEFT_ALONE = np.zeros(MONSTERS, np.bool_)
_LEFT_ALONE[[FLOATING_EYE, 27, BLUE_JELLY, SPOTTED_JELLY, 156, 157, 158, 159, 267, 268, 270, 271, 278, 279]] = True
LEFT_ALONE = _LEFT_ALONE
# Of these, the ones that hardly ever move: they are remembered where they were seen, which the screen does not do.
_STAYING = np.zeros(MONSTERS, np.bool_)
_STAYING[[FLOATING_EYE, BLUE_JELLY, SPOTTED_JELLY, 156, 157, 158, 159]] = True
STAYING = _STAYING
FAR = 1 << 28
NEAREST, ALL = -1, -2  # what a flood may look for instead of a square
# Costs of entering a square, in turns (measured by hand on some twenty doors: a stuck door takes 2, a locked one 8).
DOOR_COST, LOCK_COST, BOULDER_COST, FOE_COST, PET_COST, TRAP_COST, SHOP_COST = 3, 10, 4, 6, 2, 40, 30
PEACE_COST = 200  # of going where somebody peaceful stands
LOCK_TRIES = 40  # kicks at one door before it is left alone

MISS = 6.0 / 7.0  # chance that one turn of searching overlooks an adjacent secret, luck being zero
BOUT = 15  # turns of one bout of searching: nine in ten secrets beside us show
# Chance that one square hides a way. An ordinary level has 4 secret doors in some 180 squares of wall (2 %, more where
# the map beyond is blank) and 2 secret corridors; a dead end hides its way on in most cases, among some 7 squares.
WALL_ODDS, HOLE_ODDS, DEAD_END_ODDS, CORRIDOR_ODDS, BLIND_DOOR_ODDS = 0.004, 0.07, 0.12, 0.004, 0.5
HOLE_DEPTH, HOLE_SIDE = 12, 5  # the box beyond a wall whose room for a room tells how likely a secret door is
ROOM_ROWS, ROOM_COLS = 4, 5  # a room of 2 x 3 with its walls


@kernel
def forget_monster(memory: NDArray[np.int32], cell: int, hero: int) -> None:
    """Forget the monster of a square that shows none now, unless it hardly ever moves and is only out of sight."""
    monster = memory[MONSTER, cell]
    beside = abs(cell // COLS - hero // COLS) <= 1 and abs(cell % COLS - hero % COLS) <= 1
    if beside or not (0 < monster <= MONSTERS and STAYING[monster - 1]):
        memory[MONSTER, cell] = 0


@kernel
def open_door(memory: NDArray[np.int32], cell: int) -> None:
    """Note that a door believed shut is open or broken, because something is in it."""
    if memory[TERRAIN, cell] == CLOSED_DOOR or memory[TERRAIN, cell] == LOCKED_DOOR:
        memory[TERRAIN, cell] = OPEN_DOOR


@kernel
def look(glyphs: NDArray[np.int16], before: NDArray[np.int16], memory: NDArray[np.int32], hero: int, sees: bool) -> int:
    """Update `memory` and `before` from the glyphs that changed; returns how many squares became known.

    A negative answer (-1 - known) says that the hero is inside a monster.
    """
    known = 0
    swallowed = False
    for cell in range(CELLS):
        glyph = glyphs[cell]
        if glyph == before[cell]:
            continue
        before[cell] = glyph
        if glyph < BODY or RIDDEN <= glyph < THING or WARNING <= glyph < STATUE:
            # An unseen hero shows what it stands on, which is no monster.
            memory[MONSTER, cell] = 0 if cell == hero else glyph + 1
            shown = cell == hero or (glyph != INVISIBLE and glyph < WARNING)
            if memory[TERRAIN, cell] <= WALL and shown:
                memory[TERRAIN, cell] = COVERED
                known += 1
            elif shown:
                open_door(memory, cell)
        elif glyph < MAP or glyph >= STATUE:
            forget_monster(memory, cell, hero)
            memory[OBJECT, cell] = glyph + 1
            open_door(memory, cell)
            if memory[TERRAIN, cell] <= WALL or memory[TERRAIN, cell] == WATER:
                memory[TERRAIN, cell] = COVERED
                known += 1
        elif glyph < EXPLOSION:
            symbol = glyph - MAP
            forget_monster(memory, cell, hero)
            if symbol <= LAST_FIXED_SYMBOL:
                kind = KINDS[symbol]
                if kind == UNKNOWN:
                    continue
                memory[OBJECT, cell] = 0
                memory[FEATURE, cell] = symbol if ALTAR <= symbol <= FOUNTAIN else 0
                old = memory[TERRAIN, cell]
                if old <= STONE:
                    known += 1
                if kind == CLOSED_DOOR and old == LOCKED_DOOR:
                    kind = LOCKED_DOOR
                if old != kind:
                    memory[TERRAIN, cell] = kind
                    if old > WALL:
                        memory[BLOCKED, cell] = 0
                memory[TRAP, cell] = 0
            elif symbol <= LAST_TRAP:
                memory[OBJECT, cell] = 0
                memory[TRAP, cell] = symbol
                if memory[TERRAIN, cell] <= WALL:
                    memory[TERRAIN, cell] = FLOOR
                    known += 1
        elif SWALLOW <= glyph < WARNING:
            swallowed = True
    if not swallowed:
        memory[WALKED, hero] = 1
        if memory[TERRAIN, hero] <= WALL:
            memory[TERRAIN, hero] = FLOOR
        if sees:
            row, col = hero // COLS, hero % COLS
            for way in range(8):
                to_row, to_col = row + DROW[way], col + DCOL[way]
                if 0 <= to_row < ROWS and 0 <= to_col < COLS:
                    cell = to_row * COLS + to_col
                    if memory[TERRAIN, cell] == UNKNOWN:
                        memory[TERRAIN, cell] = STONE
                    glyph = glyphs[cell]
                    if BODY <= glyph < RIDDEN or THING <= glyph < EXPLOSION or glyph >= STATUE:
                        memory[MONSTER, cell] = 0  # beside us we see that a remembered one is gone
    return -1 - known if swallowed else known


@kernel
def is_spared(memory: NDArray[np.int32], monster: int, turn: int) -> bool:
    """Return True if the monster of that MONSTER entry is believed peaceful or is better left alone."""
    if monster > MONSTERS:
        return PET < monster <= INVISIBLE
    return bool(LEFT_ALONE[monster - 1] or memory[PEACEFUL, monster - 1] > turn)


@kernel
def adjacent_foe(memory: NDArray[np.int32], hero: int, turn: int, unseen: bool) -> int:
    """The direction of a monster to fight beside the hero, or -1. Doors forbid diagonal blows as they forbid steps.

    Args:
        unseen: also strike at remembered, unseen monsters.
    """
    row, col = hero // COLS, hero % COLS
    for way in range(8):
        to_row, to_col = row + DROW[way], col + DCOL[way]
        if to_row < 0 or to_row >= ROWS or to_col < 0 or to_col >= COLS:
            continue
        monster = memory[MONSTER, to_row * COLS + to_col]
        if monster == 0 or is_spared(memory, monster, turn) or (monster > INVISIBLE and not unseen):
            continue
        return way
    return -1


@kernel
def ground_cost(memory: NDArray[np.int32], to: int, turn: int, brave: int) -> int:
    """Turns to enter the square `to`, wherever the step comes from and without a push, or FAR."""
    kind = memory[TERRAIN, to]
    if kind <= WALL or kind >= WATER:
        return FAR
    cost = 1
    if kind == CLOSED_DOOR:
        cost += DOOR_COST
    elif kind == LOCKED_DOOR:
        if memory[TRIES, to] >= LOCK_TRIES and brave < 2:
            return FAR
        cost += LOCK_COST
    if memory[SHUNNED, to]:
        if memory[SHUNNED, to] > 1:
            return FAR
        cost += SHOP_COST
    trap = memory[TRAP, to]
    if trap:
        if brave == 0 or (brave == 1 and trap in (HOLE, TRAP_DOOR)):
            return FAR
        cost += TRAP_COST
    monster = memory[MONSTER, to]
    if monster:
        if PET < monster <= INVISIBLE:
            cost += PET_COST
        elif memory[PEACEFUL, (monster - 1) % MONSTERS] > turn:
            if brave < 3:
                return FAR
            cost += PEACE_COST
        elif is_spared(memory, monster, turn) and brave < 2:
            return FAR
        else:
            cost += FOE_COST
    return cost


@kernel
def can_push(memory: NDArray[np.int32], boulder: int, way: int) -> bool:
    """Return True if the boulder on the square `boulder` may move on in direction `way`."""
    row, col = boulder // COLS + DROW[way], boulder % COLS + DCOL[way]
    if row < 0 or row >= ROWS or col < 0 or col >= COLS:
        return False
    past = row * COLS + col
    beyond = memory[TERRAIN, past]
    if beyond in (STONE, WALL, OBSTACLE) or CLOSED_DOOR <= beyond <= LOCKED_DOOR:
        return False
    if way >= 4 and beyond == OPEN_DOOR:
        return False
    # The mark of an unseen monster behind a boulder outlives the monster: such a push is worth a try.
    return bool(memory[OBJECT, past] != BOULDER + 1 and memory[MONSTER, past] in (0, INVISIBLE + 1))


@kernel
def entry_cost(memory: NDArray[np.int32], cell: int, way: int, turn: int, brave: int) -> int:
    """Turns to step from `cell` in direction `way`, or FAR when it cannot or must not be done.

    Args:
        brave: 0 keeps away from traps, 1 walks over those that do not move the hero, 2 over all; 3 goes up to the
            peaceful as well.
    """
    if memory[BLOCKED, cell] >> way & 1:
        return FAR
    to_row, to_col = cell // COLS + DROW[way], cell % COLS + DCOL[way]
    if to_row < 0 or to_row >= ROWS or to_col < 0 or to_col >= COLS:
        return FAR
    to = to_row * COLS + to_col
    cost = ground_cost(memory, to, turn, brave)
    if cost >= FAR:
        return FAR
    if way >= 4:
        here, kind = memory[TERRAIN, cell], memory[TERRAIN, to]
        if OPEN_DOOR <= kind <= LOCKED_DOOR or OPEN_DOOR <= here <= LOCKED_DOOR:
            return FAR
    if memory[OBJECT, to] == BOULDER + 1:
        return cost + BOULDER_COST if can_push(memory, to, way) else FAR
    return cost


@kernel
def is_frontier(memory: NDArray[np.int32], cell: int) -> bool:
    """Return True if standing on `cell` would show something new: unwalked ground with an unknown neighbour."""
    kind = memory[TERRAIN, cell]
    if memory[WALKED, cell] or memory[SHUNNED, cell] or kind <= WALL or kind >= WATER:
        return False
    row, col = cell // COLS, cell % COLS
    for way in range(8):
        to_row, to_col = row + DROW[way], col + DCOL[way]
        if 0 <= to_row < ROWS and 0 < to_col < COLS and memory[TERRAIN, to_row * COLS + to_col] == UNKNOWN:
            return True
    return False


@kernel
def flood(
    memory: NDArray[np.int32],
    start: int,
    turn: int,
    brave: int,
    weights: NDArray[np.int32],
    wanted: int,
    dist: NDArray[np.int32],
    came: NDArray[np.int32],
) -> int:
    """Spread from `start` by cost until the wanted square is certain, and return it, or -1 if there is none.

    Args:
        weights: extra cost of a frontier square by its terrain.
        wanted: a square, or NEAREST for the cheapest frontier square, or ALL to spread to the end.
        dist, came: are filled as far as the flood went; `came` is the square before.
    """
    heap = np.empty(CELLS * 8, np.int64)  # cost * CELLS + cell
    ground = np.zeros(CELLS, np.int32)  # what entering a square costs, once somebody asked; 0 before
    for cell in range(CELLS):
        dist[cell] = FAR
        came[cell] = -1
    dist[start] = 0
    heap[0] = start
    size = 1
    best, best_cost = -1, FAR
    while size:
        top = heap[0]
        size -= 1
        last = heap[size]
        at = 0
        while True:
            child = 2 * at + 1
            if child >= size:
                break
            if child + 1 < size and heap[child + 1] < heap[child]:
                child += 1
            if heap[child] >= last:
                break
            heap[at] = heap[child]
            at = child
        heap[at] = last
        cell = top % CELLS
        length = top // CELLS
        if length > dist[cell]:
            continue
        if cell == wanted:
            return wanted
        if wanted == NEAREST:
            if length >= best_cost:
                return best
            if is_frontier(memory, cell):
                cost = length + weights[memory[TERRAIN, cell]]
                if cost < best_cost:
                    best, best_cost = cell, cost
        row, col, blocked = cell // COLS, cell % COLS, memory[BLOCKED, cell]
        narrow = OPEN_DOOR <= memory[TERRAIN, cell] <= LOCKED_DOOR
        # What `entry_cost` says, with the ground judged once instead of from eight sides.
        for way in range(8):
            to_row, to_col = row + DROW[way], col + DCOL[way]
            if blocked >> way & 1 or to_row < 0 or to_row >= ROWS or to_col < 0 or to_col >= COLS:
                continue
            to = to_row * COLS + to_col
            if ground[to] == 0:
                ground[to] = ground_cost(memory, to, turn, brave)
            total = length + ground[to]
            if total >= dist[to] or (way >= 4 and (narrow or OPEN_DOOR <= memory[TERRAIN, to] <= LOCKED_DOOR)):
                continue
            if memory[OBJECT, to] == BOULDER + 1:
                total += BOULDER_COST if can_push(memory, to, way) else FAR
            if total < dist[to]:
                dist[to] = total
                came[to] = cell
                at = size
                size += 1
                value = total * CELLS + to
                while at > 0 and heap[(at - 1) // 2] > value:
                    heap[at] = heap[(at - 1) // 2]
                    at = (at - 1) // 2
                heap[at] = value
    return best


@kernel
def trace_route(came: NDArray[np.int32], start: int, target: int, route: NDArray[np.int32]) -> int:
    """Write the squares after `start` up to `target` into `route` and return how many they are; 0 if out of reach."""
    length = 0
    cell = target
    while cell >= 0 and cell != start:
        length += 1
        cell = came[cell]
    if cell != start:
        return 0
    cell = target
    for at in range(length - 1, -1, -1):
        route[at] = cell
        cell = came[cell]
    return length


@kernel
def nearest_of(memory: NDArray[np.int32], dist: NDArray[np.int32], plane: int, value: int) -> int:
    """The nearest square whose `plane` holds `value`, or -1."""
    best, best_dist = -1, FAR
    for cell in range(CELLS):
        if memory[plane, cell] == value and dist[cell] < best_dist:
            best, best_dist = cell, dist[cell]
    return best


@kernel
def seen_monsters(glyphs: NDArray[np.int16], hero: int, found: NDArray[np.int32]) -> int:
    """Write the squares of all monsters on the screen but the hero into `found` and return how many they are.

    Of those that are only sensed by warning, the ones beside the hero count.
    """
    count = 0
    for cell in range(CELLS):
        glyph = glyphs[cell]
        if glyph > INVISIBLE:
            if glyph < WARNING or glyph >= STATUE:
                continue
            if abs(cell // COLS - hero // COLS) > 1 or abs(cell % COLS - hero % COLS) > 1:
                continue
        if cell != hero:
            found[count] = cell
            count += 1
    return count


@kernel
def wanted_things(
    memory: NDArray[np.int32], wanted: NDArray[np.bool_], judged: NDArray[np.bool_], found: NDArray[np.int32]
) -> int:
    """Write the squares outside shops where a wanted thing lies into `found` and return how many they are.

    Args:
        wanted, judged: by an entry of the OBJECT plane. The first entry that was not judged ends the search: -entry.
    """
    count = 0
    for cell in range(CELLS):
        entry = memory[OBJECT, cell]
        if entry == 0:
            continue
        if not judged[entry]:
            return -int(entry)
        if wanted[entry] and memory[SHUNNED, cell] == 0:
            found[count] = cell
            count += 1
    return count


@kernel
def nearest_covered(memory: NDArray[np.int32], dist: NDArray[np.int32], boulders: bool) -> int:
    """The nearest covered square that is not in a shop, or -1; of those with boulders only such as lie in rooms.

    Args:
        boulders: look only for squares with boulders, otherwise only for those without.
    """
    best, best_dist = -1, FAR
    for cell in range(CELLS):
        if memory[TERRAIN, cell] != COVERED or memory[SHUNNED, cell] or dist[cell] >= best_dist:
            continue
        if boulders != (memory[OBJECT, cell] == BOULDER + 1) or (boulders and is_corridor(memory, cell)):
            continue
        best, best_dist = cell, dist[cell]
    return best


@kernel
def mark_roomy(memory: NDArray[np.int32], roomy: NDArray[np.uint8]) -> None:
    """Mark the squares of every unknown rectangle that could hold a small room with its walls."""
    total = np.zeros((ROWS + 1, COLS + 1), np.int32)  # unknown squares above and left
    for row in range(ROWS):
        for col in range(COLS):
            unknown = 1 if memory[TERRAIN, row * COLS + col] == UNKNOWN else 0
            total[row + 1, col + 1] = total[row, col + 1] + total[row + 1, col] - total[row, col] + unknown
    roomy[:] = 0
    for row in range(1, ROWS - ROOM_ROWS):  # row 0 and the left column are never used by the game
        for col in range(1, COLS - ROOM_COLS + 1):
            low, right = row + ROOM_ROWS, col + ROOM_COLS
            if total[low, right] - total[row, right] - total[low, col] + total[row, col] == ROOM_ROWS * ROOM_COLS:
                for to_row in range(row, low):
                    for to_col in range(col, right):
                        roomy[to_row * COLS + to_col] = 1


@kernel
def room_share(roomy: NDArray[np.uint8], cell: int, drow: int, dcol: int) -> float:
    """The share of roomy squares in the box beyond `cell` in direction (drow, dcol), 0 to 1."""
    row, col = cell // COLS, cell % COLS
    found = 0
    depth_limit = HOLE_DEPTH if dcol else HOLE_DEPTH // 2
    side_limit = HOLE_SIDE if drow else HOLE_SIDE // 2
    for depth in range(1, depth_limit + 1):
        for side in range(-side_limit, side_limit + 1):
            to_row = row + drow * depth + (side if dcol else 0)
            to_col = col + dcol * depth + (side if drow else 0)
            if 0 <= to_row < ROWS and 0 <= to_col < COLS:
                found += roomy[to_row * COLS + to_col]
    return found / (depth_limit * (2 * side_limit + 1))


@kernel
def terrain_beside(memory: NDArray[np.int32], cell: int, way: int) -> int:
    """Return what is beside `cell` in a direction; outside the map it is water: no way, and nothing is hidden there."""
    row, col = cell // COLS + DROW[way], cell % COLS + DCOL[way]
    if 0 <= row < ROWS and 0 <= col < COLS:
        return int(memory[TERRAIN, row * COLS + col])
    return WATER


@kernel
def is_dead_end(memory: NDArray[np.int32], cell: int) -> bool:
    """Return True if all ways from `cell` lie on one side: nothing goes on."""
    groups = 0
    last = terrain_beside(memory, cell, RING[7])
    for way in RING:
        near = terrain_beside(memory, cell, way)
        if WALL < near < WATER and not WALL < last < WATER:
            groups += 1
        last = near
    return groups <= 1


@kernel
def is_corridor(memory: NDArray[np.int32], cell: int) -> bool:
    """Return True for a square of a corridor, also where a thing or a boulder lies that hides what is below it."""
    kind = memory[TERRAIN, cell]
    if kind != FLOOR and kind != COVERED:
        return bool(kind == CORRIDOR)
    amid_rock = False
    for way in range(8):
        near = terrain_beside(memory, cell, way)
        if near in (FLOOR, UP, DOWN):
            return False
        amid_rock |= near <= STONE
    return amid_rock


@kernel
def secret_odds(memory: NDArray[np.int32], odds: NDArray[np.float64]) -> None:
    """Fill `odds` with how likely each wall or rock square hides a way, before any searching (relative weights)."""
    roomy = np.empty(CELLS, np.uint8)
    mark_roomy(memory, roomy)
    odds[:] = 0.0
    for cell in range(CELLS):
        kind = memory[TERRAIN, cell]
        if kind <= WALL or kind >= WATER:
            continue
        corridor = is_corridor(memory, cell)
        for way in range(4):
            if corridor or DOORWAY <= kind <= CLOSED_DOOR:
                continue
            if terrain_beside(memory, cell, way) != WALL:
                continue
            wall = cell + DROW[way] * COLS + DCOL[way]
            beside = False  # two doors never stand side by side in a wall
            for turn_way in (1, 3):
                side = (way + turn_way) % 4
                next_row, next_col = wall // COLS + DROW[side], wall % COLS + DCOL[side]
                if 0 <= next_row < ROWS and 0 <= next_col < COLS:
                    other = memory[TERRAIN, next_row * COLS + next_col]
                    if DOORWAY <= other <= LOCKED_DOOR:
                        beside = True
            if not beside:
                share = room_share(roomy, wall, DROW[way], DCOL[way])
                odds[wall] = max(odds[wall], WALL_ODDS + HOLE_ODDS * share)
        if corridor:
            weight = DEAD_END_ODDS if is_dead_end(memory, cell) else CORRIDOR_ODDS
            for way in range(8):
                if terrain_beside(memory, cell, way) <= WALL:  # corridors run along the lowest row too
                    rock = cell + DROW[way] * COLS + DCOL[way]
                    odds[rock] = max(odds[rock], weight)
        elif DOORWAY <= kind <= CLOSED_DOOR:
            # A door whose far side shows nothing opens on a hidden corridor square.
            for way in range(4):
                # One that is seen from aside, with rock before it, is reached by such a square.
                beyond, back = terrain_beside(memory, cell, way), terrain_beside(memory, cell, (way + 2) % 4)
                if beyond == STONE and back == UNKNOWN:
                    odds[cell + DROW[way] * COLS + DCOL[way]] = BLIND_DOOR_ODDS
                if beyond <= STONE and WALL < back < WATER:
                    led = False
                    for around in range(8):
                        if terrain_beside(memory, cell, around) == CORRIDOR:
                            led = True
                    if not led:
                        rock = cell + DROW[way] * COLS + DCOL[way]
                        odds[rock] = max(odds[rock], BLIND_DOOR_ODDS)
                        # Doors forbid diagonals, but a way may bend at once.
                        for around in range(4, 8):
                            if DROW[around] * DROW[way] + DCOL[around] * DCOL[way] > 0:
                                spot = cell + DROW[around] * COLS + DCOL[around]
                                if terrain_beside(memory, cell, around) <= STONE:
                                    odds[spot] = max(odds[spot], DEAD_END_ODDS)


@kernel
def best_search(memory: NDArray[np.int32], dist: NDArray[np.int32], odds: NDArray[np.float64]) -> int:
    """The square from which a bout of searching finds most per turn, the way there included; -1 if none.

    Nobody searches in shops: they have one door, and their keepers bar it for whoever comes in and out.
    """
    best, best_value = -1, 0.0
    gain = 1.0 - MISS**BOUT
    for cell in range(CELLS):
        if (
            dist[cell] >= FAR
            or memory[SHUNNED, cell]
            or memory[TERRAIN, cell] == CLOSED_DOOR
            or memory[TERRAIN, cell] == LOCKED_DOOR
        ):
            continue
        row, col = cell // COLS, cell % COLS
        total = 0.0
        for way in range(8):
            to_row, to_col = row + DROW[way], col + DCOL[way]
            if 0 <= to_row < ROWS and 0 <= to_col < COLS:
                spot = to_row * COLS + to_col
                if odds[spot] > 0.0:
                    total += odds[spot] * MISS ** memory[SEARCHED, spot]
        value = total * gain / (dist[cell] + BOUT)
        if value > best_value:
            best, best_value = cell, value
    return best


@kernel
def note_search(memory: NDArray[np.int32], cell: int, turns: int) -> None:
    """Remember that the squares around `cell` were searched for `turns`."""
    row, col = cell // COLS, cell % COLS
    for way in range(8):
        to_row, to_col = row + DROW[way], col + DCOL[way]
        if 0 <= to_row < ROWS and 0 <= to_col < COLS:
            memory[SEARCHED, to_row * COLS + to_col] += turns
