"""Compiled archive search: keep the earliest position per key, choose one, roll macros from it, keep what is new.

A macro is one key held for the ticks of a cell, or a dig until it is done. Half of the rollouts walk to targets (the
next gold of the tour, another gold, any cell) with noise, waits and digs; the others are drawn key by key.
"""

# ruff: noqa: SIM109 (plain comparisons compile to faster code)

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.jit import kernel
from gridsage.games.loderunner.classic.kernels.ticks import Row, play_tick
from gridsage.games.loderunner.classic.kernels.ways import (
    DOWN_THROUGH,
    FAR,
    MOST_GOLD,
    MOST_WAYS,
    SIDE_THROUGH,
    Distance,
    Guided,
    Scratch,
    Ways,
    estimate,
    gold_cells,
)
from gridsage.games.loderunner.classic.layout import (
    ACTION,
    ALIVE,
    BRICK,
    CARRIED,
    CARRIES,
    CELL,
    CELLS,
    COL_MASK,
    COLS,
    DIG_CELL,
    DIG_LEFT,
    DIG_RIGHT,
    FALL,
    FIRST_GUARD,
    FIRST_HOLE,
    GOLD,
    GOLD_LEFT,
    GUARD_FIELDS,
    GUARDS,
    HOLE_FIELDS,
    HOLES,
    IN_HOLE,
    IS_COMPLETE,
    LEFT,
    NONE,
    RIGHT,
    ROWS,
    RUNNER_CELL,
    SIZE,
    STATUS,
    WHO,
    WIDE,
    WON,
)
from gridsage.search.kernels import borrowed, mixed, slot_of

# Fields of a note on a kept position.
TIME, VISITS, ESTIMATE, PATH = range(4)
NOTES = 4

# Fields of a path: the path before it, its first pair in the pool of keys, the number of its pairs.
BEFORE, FIRST, PAIRS = range(3)

# What stands in `meters`, the search's own numbers.
KEPT, PATHS, POOLED, TICKS, TICK_LIMIT, DICE, WIN_PATH, WIN_TICKS = range(8)
BEST, BEST_ESTIMATE, BOUND, HASTE, KEY_KIND, PLANNED = range(8, 14)
METERS = 14

# What a key tells besides gold, the runner's cell, and how many guards carry and are trapped.
NEAR_BRICKS, GUARD_PLACES, ALL_HOLES = range(3)

# What is marked in a plan before each macro: time, gold left, and the earliest time from which the rest was tried.
PLAN_TIME, PLAN_GOLD, TRIED = range(3)

# How `grow` ended.
GROWN, FOUND_WIN, FULL = range(3)

# What a rollout has in mind.
KEY, TARGET, NOISE, WAIT, MODE, SCRIPTED, SCRIPT_AT, PLACE = range(8)
SCRIPT = 8  # where its script of keys begins
MOST_SCRIPT = 60
TO_TOUR, TO_GOLD, ANYWHERE, BY_CHANCE, DIGGING = range(5)

STEP_TICKS, MOST_DIG_TICKS, LEAST_DIG_TICKS = 5, 13, 4
AIMED_MACROS, CHANCE_MACROS = 40, 24
MOST_DEPTH = 5  # bricks dug through one below the other
VISIT_COST = 40  # ticks of estimate that one visit weighs
ROLLOUTS = 2  # per choice
MOST_HOLES_IN_KEY = 3
EARLIER = 4  # ticks by which a position must come earlier to replace the one kept
LUCKY = 16  # one of so many positions is tried although an earlier one at the same place of the plan was in vain
HOPE = 3  # quarters of the estimate that a plan within the bound must still have time for
MASK32 = 0xFFFFFFFF

Rows = NDArray[np.int16]  # (kept at most, SIZE)
Notes = NDArray[np.int32]  # (kept at most, NOTES)
Table = NDArray[np.int64]  # (power of two, 2): key, number of the position
Paths = NDArray[np.int32]  # (paths at most, 3)
Pool = NDArray[np.uint8]  # (pairs at most, 2): key, ticks
Meters = NDArray[np.int64]  # (METERS,)
Plan = NDArray[np.int16]  # (macros at most, 2): key, ticks
Marks = NDArray[np.int32]  # (macros at most + 1, 3): what is known before each macro of a plan
Known = tuple[Plan, Marks, Table]  # a plan that wins, its marks, and a table of gold and cells to places in it
Mind = NDArray[np.int64]  # (SCRIPT + MOST_SCRIPT,)


@kernel
def roll(meters: Meters, span: int) -> int:
    """Return a random number below `span`."""
    x = meters[DICE]
    x ^= (x << 13) & MASK32
    x ^= x >> 17
    x ^= (x << 5) & MASK32
    meters[DICE] = x
    return int((x * span) >> 32)


@kernel
def _guards_note(row: Row) -> int:
    """Return the numbers of guards that carry gold and that are trapped, as one number."""
    note = 0
    for guard in range(FIRST_GUARD, FIRST_GUARD + row[GUARDS] * GUARD_FIELDS, GUARD_FIELDS):
        if row[guard + CARRIED] > 0:
            note += 1
        if row[guard + ACTION] == IN_HOLE:
            note += 8
    return note


@kernel
def _open_bricks_near(row: Row) -> int:
    """Return which bricks within two columns of the runner, beside and below him, are open, as bits."""
    bits = 0
    runner = row[RUNNER_CELL]
    col = runner & COL_MASK
    for side in range(-2, 3):
        if not 1 <= col + side <= COLS:
            continue
        for cell in (runner + side, runner + side + WIDE):
            bits <<= 1
            if row[cell] == BRICK and row[WHO + cell] != BRICK:
                bits |= 1
    return bits


@kernel
def _guard_places(row: Row) -> int:
    """Return roughly where the guards are, whoever is where."""
    places = 0
    for guard in range(FIRST_GUARD, FIRST_GUARD + row[GUARDS] * GUARD_FIELDS, GUARD_FIELDS):
        cell = row[guard + CELL]
        places += mixed((cell >> 7) * 8 + ((cell & COL_MASK) >> 3) + 1) & 0xFFFFFF
    return places


@kernel
def _gold_hash(row: Row) -> int:
    value = 17
    for cell in range(WIDE, CELLS - WIDE):
        if row[cell] == GOLD:
            value = mixed(value * 31 + cell)
    return value


@kernel
def _holes_hash(row: Row) -> int:
    value = 0
    for place in range(FIRST_HOLE, FIRST_HOLE + row[HOLES] * HOLE_FIELDS, HOLE_FIELDS):
        value += mixed(int(row[place]))
    return value & 0x7FFFFFFF


@kernel
def _key(row: Row, gold: int, kind: int) -> int:
    """Return the key under which a position is kept, never 0."""
    low = mixed(gold + int(row[RUNNER_CELL]) * 7919)
    holes = min(int(row[HOLES]), MOST_HOLES_IN_KEY)
    high = mixed((_guards_note(row) * 4 + holes) * 1024 + _open_bricks_near(row) + low)
    if kind == GUARD_PLACES:
        high = mixed(high + _guard_places(row))
    elif kind == ALL_HOLES:
        high = mixed(high + _holes_hash(row))
    return (high << 31 | low) + 1


@kernel
def _chosen(notes: Notes, meters: Meters) -> int:
    """Return the best of a few positions drawn, by estimate, visits, and quarters of its time."""
    tries = 4 if roll(meters, 100) < 35 else 40
    best, lowest = 0, 1 << 40
    kept, haste = meters[KEPT], meters[HASTE]
    for _ in range(tries):
        number = roll(meters, kept)
        cost = notes[number, ESTIMATE] + VISIT_COST * notes[number, VISITS] + haste * notes[number, TIME] // 4
        if cost < lowest:
            best, lowest = number, cost
    return best


@kernel
def _next_target(row: Row, distance: Distance, mind: Mind, meters: Meters, scratch: Scratch) -> int:
    """Return a cell to walk to, or -1."""
    gold, reach, first = scratch
    runner = row[RUNNER_CELL]
    opened = row[IS_COMPLETE]
    if opened or mind[MODE] == TO_TOUR:
        estimate(row, distance, gold, reach, first)
        target = int(first[0])
    elif mind[MODE] == TO_GOLD:
        number = gold_cells(row, gold)
        target = int(gold[roll(meters, number)]) if number else -1
    else:
        target = WIDE + 1 + roll(meters, ROWS) * WIDE + roll(meters, COLS)
    if target >= 0 and distance[opened, runner, target] >= FAR:
        return -1
    return target


@kernel
def _best_way(ways: Ways, distance: Distance, opened: int, cell: int, target: int, meters: Meters) -> int:
    """Return the number of the way from `cell` that is nearest to the target, ties by chance; -1 if there is none."""
    best, nearest = -1, 1 << 40
    for way in range(MOST_WAYS):
        if ways[opened, cell, way, 0] < 0:
            break
        ticks = int(ways[opened, cell, way, 2]) + distance[opened, ways[opened, cell, way, 1], target]
        if ticks < nearest or (ticks == nearest and roll(meters, 2) == 0):
            best, nearest = way, ticks
    return best


@kernel
def _write_deep_dig(mind: Mind, dig: int, depth: int) -> None:
    """Plan to dig through `depth` stacked bricks: as many side by side, one less in each row below."""
    side = LEFT if dig == DIG_LEFT else RIGHT
    away = RIGHT if dig == DIG_LEFT else LEFT
    length = 0
    for wide in range(depth, 0, -1):
        for number in range(wide):
            mind[SCRIPT + length] = dig
            length += 1
            if number < wide - 1:
                mind[SCRIPT + length] = away
                length += 1
        for _ in range(max(1, wide - 1)):
            mind[SCRIPT + length] = side
            length += 1
    mind[SCRIPTED], mind[SCRIPT_AT] = length, 0


@kernel
def _bricks_down(level: Guided, opened: int, cell: int, target: int, meters: Meters) -> int:
    """Return through how many stacked bricks the way to the target leads from this one."""
    ways, distance, base = level
    depth = 0
    while base[opened, cell] == BRICK:
        depth += 1
        way = _best_way(ways, distance, opened, cell, target, meters)
        if way < 0 or ways[opened, cell, way, 0] != DOWN_THROUGH:
            break
        cell = ways[opened, cell, way, 1]
    return depth


@kernel
def key_to_target(row: Row, level: Guided, mind: Mind, meters: Meters) -> int:
    """Return the key of the relaxed way to the target."""
    ways, distance, _ = level
    opened, runner, target = int(row[IS_COMPLETE]), int(row[RUNNER_CELL]), int(mind[TARGET])
    way = _best_way(ways, distance, opened, runner, target, meters)
    if way < 0:
        return NONE
    key, to = int(ways[opened, runner, way, 0]), int(ways[opened, runner, way, 1])
    if key == DIG_LEFT or key == DIG_RIGHT:
        if row[WHO + to] != BRICK:
            return LEFT if key == DIG_LEFT else RIGHT
        depth = _bricks_down(level, opened, to, target, meters)
        if 2 <= depth <= MOST_DEPTH:
            _write_deep_dig(mind, key, depth)
            mind[SCRIPT_AT] = 1
        return key
    if key == DOWN_THROUGH or key == SIDE_THROUGH:
        mind[NOISE] = roll(meters, 3)
        return DIG_LEFT + roll(meters, 2) if roll(meters, 2) else 1 + roll(meters, 4)
    return NONE if key == FALL else key


@kernel
def _aimed_key(row: Row, level: Guided, mind: Mind, meters: Meters, scratch: Scratch) -> int:
    """Return the next key of a rollout that walks to targets."""
    if mind[SCRIPT_AT] < mind[SCRIPTED]:
        mind[SCRIPT_AT] += 1
        return int(mind[SCRIPT + mind[SCRIPT_AT] - 1])
    if mind[NOISE] > 0:
        mind[NOISE] -= 1
        return int(mind[KEY])
    if mind[WAIT] > 0:
        mind[WAIT] -= 1
        return NONE
    luck = roll(meters, 100)
    if luck < 6:
        mind[NOISE] = roll(meters, 4)
        return 1 + roll(meters, 4)
    if luck < 9:
        mind[WAIT] = roll(meters, 8)
        return NONE
    if luck < 13:
        return DIG_LEFT + roll(meters, 2)
    target, runner, opened = mind[TARGET], row[RUNNER_CELL], row[IS_COMPLETE]
    taken = target >= 0 and not opened and mind[MODE] != ANYWHERE and row[target] != GOLD
    distance = level[1]
    if target < 0 or target == runner or taken:
        target = _next_target(row, distance, mind, meters, scratch)
    elif distance[opened, runner, target] >= FAR:
        target = -1
    mind[TARGET] = target
    if target < 0:
        return 1 + roll(meters, 4) if luck < 40 else int(mind[KEY])
    return key_to_target(row, level, mind, meters)


@kernel
def _chance_key(mind: Mind, meters: Meters) -> int:
    """Return the next key of a rollout without a target; one that digs does so in every third macro."""
    luck = roll(meters, 100)
    if luck < 30:
        return 1 + roll(meters, 4)
    if luck < (65 if mind[MODE] == DIGGING else 37):
        return DIG_LEFT + roll(meters, 2)
    if luck < 69 and mind[MODE] == DIGGING:
        return LEFT + roll(meters, 2)
    if luck < 41:
        return NONE
    if mind[KEY] >= DIG_LEFT:
        return LEFT + roll(meters, 2)
    return int(mind[KEY])


@kernel
def play_macro(row: Row, key: int, fed: NDArray[np.int16]) -> int:
    """Hold a key for a cell's length, or dig; return the ticks it took."""
    digs = key == DIG_LEFT or key == DIG_RIGHT
    for tick in range(MOST_DIG_TICKS if digs else STEP_TICKS):
        if play_tick(row, key if not digs or tick == 0 else NONE, fed) != ALIVE:
            return tick + 1
        if digs and tick >= LEAST_DIG_TICKS and row[DIG_CELL] == 0:
            return tick + 1
    return MOST_DIG_TICKS if digs else STEP_TICKS


@kernel
def play_pair(row: Row, key: int, ticks: int, fed: NDArray[np.int16]) -> int:
    """Play one macro as it was planned; return its ticks."""
    for tick in range(ticks):
        if play_tick(row, key if key < DIG_LEFT or tick == 0 else NONE, fed) != ALIVE:
            return tick + 1
    return ticks


@kernel
def _place_key(row: Row, gold: int) -> int:
    """Return what a place in a plan is found by, never 0: the gold left and the runner's cell."""
    return int(mixed(gold + int(row[RUNNER_CELL]) * 7919)) + 1


@kernel
def _place_to_follow(row: Row, time: int, gold: int, known: Known, meters: Meters) -> int:
    """Return the place in the plan that was reached sooner here, and whose rest is worth a try; else -1."""
    _, marks, places = known
    slot = slot_of(places, _place_key(row, gold))
    if places[slot, 0] == 0:
        return -1
    place = int(places[slot, 1])
    if time >= marks[place, PLAN_TIME] or (time >= marks[place, TRIED] and roll(meters, LUCKY)):
        return -1
    marks[place, TRIED] = min(marks[place, TRIED], time)
    return place


@kernel
def _leaves_plan(row: Row, known: Known, mind: Mind, meters: Meters) -> bool:
    """Return True if there is no next macro of the plan to follow, or if gold was missed on the way."""
    place = mind[PLACE]
    return bool(place >= meters[PLANNED] or row[GOLD_LEFT] > known[1][place, PLAN_GOLD] + 1)


@kernel
def follow(
    start: Row, known: Known, rows: Rows, notes: Notes, table: Table, paths: Paths, pool: Pool, meters: Meters
) -> None:
    """Keep the positions that a winning plan of PLANNED macros leads through, and mark them."""
    plan, marks, places = known
    fed = np.zeros((2, 0), np.int16)
    pairs = np.zeros((1, 2), np.uint8)
    row = start.copy()
    total = 0
    for number in range(meters[PLANNED]):
        total += plan[number, 1]
    time, path = 0, 0
    places[:] = 0
    for number in range(meters[PLANNED]):
        gold = _gold_hash(row)
        marks[number, PLAN_TIME] = marks[number, TRIED] = time
        marks[number, PLAN_GOLD] = row[GOLD_LEFT]
        slot = slot_of(places, _place_key(row, gold))
        places[slot, 0] = _place_key(row, gold)
        places[slot, 1] = number
        key = _key(row, gold, meters[KEY_KIND])
        slot = slot_of(table, key)
        if table[slot, 0] == 0 and row[DIG_CELL] == 0:
            kept = meters[KEPT] if number else 0
            meters[KEPT] = kept + 1
            table[slot, 0] = key
            table[slot, 1] = kept
            rows[kept] = row
            notes[kept, TIME] = time
            notes[kept, VISITS] = 0
            notes[kept, ESTIMATE] = total - time
            notes[kept, PATH] = path
        pairs[0, 0] = plan[number, 0]
        pairs[0, 1] = plan[number, 1]
        time += play_pair(row, plan[number, 0], plan[number, 1], fed)
        path = _add_path(paths, pool, meters, path, pairs, 1)


@kernel
def _begin_rollout(mind: Mind, meters: Meters) -> int:
    """Choose what the rollout has in mind and return its number of macros."""
    mind[:SCRIPT] = 0
    mind[KEY] = 1 + roll(meters, 4)
    mind[TARGET] = mind[PLACE] = -1
    luck = roll(meters, 100)
    if luck < 40:
        mind[MODE] = BY_CHANCE if luck < 30 else DIGGING
        return CHANCE_MACROS
    mind[MODE] = TO_TOUR if luck < 76 else (TO_GOLD if luck < 91 else ANYWHERE)
    return AIMED_MACROS


@kernel
def _add_path(paths: Paths, pool: Pool, meters: Meters, before: int, pairs: NDArray[np.uint8], count: int) -> int:
    """Keep a piece of the way and return its number."""
    number, place = meters[PATHS], meters[POOLED]
    paths[number, BEFORE] = before
    paths[number, FIRST] = place
    paths[number, PAIRS] = count
    pool[place : place + count] = pairs[:count]
    meters[PATHS] += 1
    meters[POOLED] += count
    return int(number)


@kernel
def grow(
    level: Guided,
    rows: Rows,
    notes: Notes,
    table: Table,
    paths: Paths,
    pool: Pool,
    meters: Meters,
    known: Known,
) -> int:
    """Search until TICK_LIMIT ticks are played; return GROWN, FOUND_WIN or FULL."""
    distance = level[1]
    rows, notes, table = borrowed(rows), borrowed(notes), borrowed(table)
    row = np.empty(SIZE, np.int16)
    fed = np.zeros((2, 0), np.int16)
    mind = np.zeros(SCRIPT + MOST_SCRIPT, np.int64)
    pairs = np.zeros((AIMED_MACROS + 2, 2), np.uint8)
    scratch = (np.empty(MOST_GOLD, np.int16), np.empty(MOST_GOLD, np.int64), np.empty(1, np.int16))
    while meters[TICKS] < meters[TICK_LIMIT]:
        parent = _chosen(notes, meters)
        notes[parent, VISITS] += 1
        for _ in range(ROLLOUTS):
            most = AIMED_MACROS + meters[PLANNED]
            if meters[PATHS] + most > paths.shape[0] or meters[POOLED] + most > pool.shape[0]:
                return FULL
            if meters[KEPT] + most > rows.shape[0]:
                return FULL
            row[:] = rows[parent]
            path, time = notes[parent, PATH], int(notes[parent, TIME])
            gold, signature = _gold_hash(row), _gold_signature(row)
            count = 0
            left = _begin_rollout(mind, meters)
            while left > 0 or mind[PLACE] >= 0:
                left -= 1
                if mind[PLACE] >= 0:
                    if _leaves_plan(row, known, mind, meters):
                        break
                    key = int(known[0][mind[PLACE], 0])
                    ticks = play_pair(row, key, known[0][mind[PLACE], 1], fed)
                    mind[PLACE] += 1
                else:
                    if mind[MODE] >= BY_CHANCE:
                        key = _chance_key(mind, meters)
                    else:
                        key = _aimed_key(row, level, mind, meters, scratch)
                    ticks = play_macro(row, key, fed)
                mind[KEY] = key
                if count == len(pairs):
                    path = _add_path(paths, pool, meters, path, pairs, count)
                    count = 0
                time += ticks
                meters[TICKS] += ticks
                pairs[count, 0] = key
                pairs[count, 1] = ticks
                count += 1
                if row[STATUS] == WON and time < meters[BOUND]:
                    meters[WIN_PATH] = _add_path(paths, pool, meters, path, pairs, count)
                    meters[WIN_TICKS] = time
                    return FOUND_WIN
                if row[STATUS] != ALIVE or time >= meters[BOUND]:
                    break
                if row[DIG_CELL] != 0:
                    continue
                now = _gold_signature(row)
                if now != signature:
                    gold, signature = _gold_hash(row), now
                if meters[PLANNED] and mind[PLACE] < 0:
                    mind[PLACE] = _place_to_follow(row, time, gold, known, meters)
                key_of_row = _key(row, gold, meters[KEY_KIND])
                slot = slot_of(table, key_of_row)
                if table[slot, 0] == 0:
                    todo = estimate(row, distance, scratch[0], scratch[1], scratch[2])
                    if time + HOPE * todo // 4 >= meters[BOUND]:
                        continue
                    number = meters[KEPT]
                    table[slot, 0] = key_of_row
                    table[slot, 1] = number
                    meters[KEPT] += 1
                    notes[number, VISITS] = 0
                    notes[number, ESTIMATE] = todo
                    if todo < meters[BEST_ESTIMATE]:
                        meters[BEST], meters[BEST_ESTIMATE] = number, todo
                else:
                    number = table[slot, 1]
                    if time >= notes[number, TIME] - EARLIER:
                        continue
                    notes[number, VISITS] //= 2
                path = _add_path(paths, pool, meters, path, pairs, count)
                count = 0
                rows[number] = row
                notes[number, TIME] = time
                notes[number, PATH] = path
    return GROWN


@kernel
def longest_lives(paths: Paths, pool: Pool, times: NDArray[np.int64], last: NDArray[np.int64]) -> None:
    """Write for every path the time of its end, and the path of the longest life that goes on from there."""
    for path in range(len(times)):
        before = paths[path, BEFORE]
        times[path] = times[before] if before >= 0 else 0
        for pair in range(paths[path, FIRST], paths[path, FIRST] + paths[path, PAIRS]):
            times[path] += pool[pair, 1]
        last[path] = path
    for path in range(len(times) - 1, 0, -1):
        before = paths[path, BEFORE]
        if times[last[path]] > times[last[before]]:
            last[before] = last[path]


@kernel
def _gold_signature(row: Row) -> int:
    """Return a number that changes whenever gold on the board does."""
    return (int(row[GOLD_LEFT]) << 40) + (int(row[CARRIES]) << 8) + _guards_note(row)
