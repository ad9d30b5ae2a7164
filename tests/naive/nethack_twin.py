"""Slow plain twins of NetHack's kernels, written from the rules and not from the kernels."""

from __future__ import annotations

import heapq

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.level import CELLS, COLS, ROWS

DIRECTIONS = [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)]  # k l j h u n b y
GROUND = {
    kn.FLOOR, kn.CORRIDOR, kn.DOORWAY, kn.OPEN_DOOR, kn.CLOSED_DOOR, kn.LOCKED_DOOR, kn.UP, kn.DOWN, kn.COVERED,
}  # fmt: skip
DOORS = {kn.OPEN_DOOR, kn.CLOSED_DOOR, kn.LOCKED_DOOR}


def place(row: int, col: int) -> int | None:
    return row * COLS + col if 0 <= row < ROWS and 0 <= col < COLS else None


def step_cost(memory, cell: int, way: int, turn: int, brave: int) -> int | None:
    """Turns of a step, None where it cannot or must not be made."""
    row, col = divmod(cell, COLS)
    drow, dcol = DIRECTIONS[way]
    to = place(row + drow, col + dcol)
    if to is None or (memory[kn.BLOCKED][cell] & (1 << way)):
        return None
    terrain = memory[kn.TERRAIN]
    if terrain[to] not in GROUND or memory[kn.SHUNNED][to] > 1:
        return None
    diagonal = drow != 0 and dcol != 0
    if diagonal and (terrain[to] in DOORS or terrain[cell] in DOORS):
        return None
    cost = 1
    if terrain[to] == kn.CLOSED_DOOR:
        cost += kn.DOOR_COST
    if terrain[to] == kn.LOCKED_DOOR:
        if memory[kn.TRIES][to] >= kn.LOCK_TRIES and brave < 2:
            return None
        cost += kn.LOCK_COST
    if memory[kn.SHUNNED][to] == 1:
        cost += kn.SHOP_COST
    trap = memory[kn.TRAP][to]
    if trap:
        falls = trap in (kn.HOLE, kn.TRAP_DOOR)
        if brave == 0 or (falls and brave < 2):
            return None
        cost += kn.TRAP_COST
    monster = memory[kn.MONSTER][to] - 1
    if monster >= 0:
        if kn.PET <= monster < kn.INVISIBLE:
            cost += kn.PET_COST
        else:
            peaceful = monster < kn.MONSTERS and memory[kn.PEACEFUL][monster] > turn
            dreaded = monster < kn.MONSTERS and bool(kn.LEFT_ALONE[monster])
            if peaceful or (dreaded and brave < 2):
                return None
            cost += kn.FOE_COST
    if memory[kn.OBJECT][to] == kn.BOULDER + 1:
        past = place(row + 2 * drow, col + 2 * dcol)
        if past is None or memory[kn.OBJECT][past] == kn.BOULDER + 1:
            return None
        if memory[kn.MONSTER][past] and memory[kn.MONSTER][past] != kn.INVISIBLE + 1:
            return None
        if terrain[past] in (kn.STONE, kn.WALL, kn.OBSTACLE, kn.CLOSED_DOOR, kn.LOCKED_DOOR):
            return None
        if diagonal and terrain[past] == kn.OPEN_DOOR:
            return None
        cost += kn.BOULDER_COST
    return cost


def all_distances(memory, start: int, turn: int, brave: int) -> list[int]:
    dist = [kn.FAR] * CELLS
    dist[start] = 0
    waiting = [(0, start)]
    while waiting:
        length, cell = heapq.heappop(waiting)
        if length > dist[cell]:
            continue
        for way, (drow, dcol) in enumerate(DIRECTIONS):
            cost = step_cost(memory, cell, way, turn, brave)
            if cost is None:
                continue
            to = cell + drow * COLS + dcol
            if length + cost < dist[to]:
                dist[to] = length + cost
                heapq.heappush(waiting, (length + cost, to))
    return dist


def frontier(memory, cell: int) -> bool:
    if memory[kn.WALKED][cell] or memory[kn.SHUNNED][cell] or memory[kn.TERRAIN][cell] not in GROUND:
        return False
    row, col = divmod(cell, COLS)
    around = [place(row + drow, col + dcol) for drow, dcol in DIRECTIONS]
    # Column 0 is the left edge of the map, which the game never uses.
    return any(near is not None and near % COLS > 0 and memory[kn.TERRAIN][near] == kn.UNKNOWN for near in around)


def search_value(memory, dist, odds, cell: int) -> float:
    """What a bout of searching on `cell` is worth per turn."""
    if dist[cell] >= kn.FAR or memory[kn.SHUNNED][cell] or memory[kn.TERRAIN][cell] in (kn.CLOSED_DOOR, kn.LOCKED_DOOR):
        return 0.0
    row, col = divmod(cell, COLS)
    total = 0.0
    for drow, dcol in DIRECTIONS:
        near = place(row + drow, col + dcol)
        if near is not None:
            total += odds[near] * kn.MISS ** int(memory[kn.SEARCHED][near])
    return total * (1 - kn.MISS**kn.BOUT) / (dist[cell] + kn.BOUT)


def roomy(memory) -> list[int]:
    """1 for every square of an unknown rectangle of the size of a small room with its walls."""
    marked = [0] * CELLS
    for row in range(1, ROWS - kn.ROOM_ROWS):
        for col in range(1, COLS - kn.ROOM_COLS + 1):
            cells = [(row + r) * COLS + col + c for r in range(kn.ROOM_ROWS) for c in range(kn.ROOM_COLS)]
            if all(memory[kn.TERRAIN][cell] == kn.UNKNOWN for cell in cells):
                for cell in cells:
                    marked[cell] = 1
    return marked


def monsters_in_sight(glyphs: list[int], hero: int) -> list[int]:
    """The squares of monsters, and of those that are only sensed where they are beside the hero."""
    found = []
    for cell, glyph in enumerate(glyphs):
        near = max(abs(cell // 79 - hero // 79), abs(cell % 79 - hero % 79)) <= 1
        if cell != hero and (glyph <= 762 or (5589 <= glyph < 5595 and near)):
            found.append(cell)
    return found


def things_wanted(memory: list[list[int]], wanted: list[bool]) -> list[int]:
    """The squares outside shops with a wanted thing."""
    things, shunned = memory[4], memory[9]
    return [cell for cell, entry in enumerate(things) if entry and wanted[entry] and not shunned[cell]]
