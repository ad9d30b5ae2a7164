"""New levels from a seed: the filler of 1984, rooms with monsters, and a wanted difficulty."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gridsage.core.errors import OptionError
from gridsage.core.room import NamedLevel
from gridsage.games.delirium.level.cells import (
    BLACK,
    BLUE,
    BORDER,
    CLAY,
    DIAMOND,
    EXIT,
    GREEN,
    MAX_SIDE,
    MINER,
    NO_LIMIT,
    PURPLE,
    RED,
    STONE,
    STRENGTH_SHIFT,
    STURDY,
    VOID,
    YELLOW,
    Level,
)
from gridsage.games.delirium.level.filler import filled, filler_numbers
from gridsage.games.delirium.level.text import closed_gallery, level_text

MINER_PLACE = (2, 3)  # row and column, where the caves of 1984 like to begin
MONSTER_DISTANCE = 6  # steps a monster is away from the miner at least
ROOM_ROWS, ROOM_COLS = 6, 9  # of a walled room, walls included
# difficulty -> stone, void and diamond shares, diamonds to collect, (red, blue, green) monsters, rooms
DIFFICULTIES = {
    1: (20, 60, 20, 6, (0, 0, 0), 0),
    2: (35, 60, 14, 8, (1, 1, 0), 0),
    3: (50, 60, 10, 12, (2, 2, 0), 0),
    4: (60, 60, 8, 14, (3, 3, 1), 2),
    5: (70, 50, 7, 16, (5, 4, 2), 4),
}


def generate(
    seed: int = 1,
    difficulty: int = 3,
    rows: int = 22,
    cols: int = 40,
    stone: int | None = None,
    void: int | None = None,
    diamond: int | None = None,
    collect: int | None = None,
    red: int | None = None,
    blue: int | None = None,
    green: int | None = None,
    rooms: int | None = None,
    time: int = NO_LIMIT,
) -> NamedLevel:
    """A new level. Whatever is not told comes from the difficulty; 3 is the cave of the benchmark.

    Args:
        stone: share of 256, as void and diamond; the rest is clay.
        rooms: walled rooms with a door, each with monsters of its own and diamonds.
    """
    if difficulty not in DIFFICULTIES:
        raise OptionError(f"difficulty {difficulty}: expected {min(DIFFICULTIES)} to {max(DIFFICULTIES)}")
    preset = DIFFICULTIES[difficulty]
    shares = [usual if told is None else told for usual, told in zip(preset[:3], (stone, void, diamond), strict=True)]
    counts = [usual if told is None else told for usual, told in zip(preset[4], (red, blue, green), strict=True)]
    needed = preset[3] if collect is None else collect
    room_count = preset[5] if rooms is None else rooms
    _complain(rows, cols, shares, counts, needed, room_count, time, seed)
    numbers = filler_numbers(seed)
    grid = filled(rows, cols, numbers, list(zip((STONE, VOID, DIAMOND), shares, strict=True)), CLAY)
    for row, col in product(range(rows), range(cols)):
        if row in (0, rows - 1) or col in (0, cols - 1):
            grid[row][col] = BORDER
    _put_miner(grid)
    for _ in range(room_count):
        _put_room(grid, numbers)
    _put_on(grid, numbers, EXIT, (CLAY, VOID))
    for kind, count in zip((RED, BLUE, GREEN), counts, strict=True):
        for _ in range(count):
            _put_on(grid, numbers, kind, (VOID,))
    _top_up_diamonds(grid, numbers, needed)
    name = f"cave-{difficulty}-{seed}"
    return NamedLevel(name, level_text(Level((closed_gallery(name, grid, needed, time, 1),))))


def _complain(
    rows: int, cols: int, shares: list[int], counts: list[int], needed: int, rooms: int, time: int, seed: int
) -> None:
    for word, side in (("rows", rows), ("cols", cols)):
        if not 8 <= side <= MAX_SIDE:
            raise OptionError(f"{word} {side}: expected 8 to {MAX_SIDE}")
    if min(shares) < 0 or sum(shares) > 256:
        raise OptionError(f"stone, void and diamond {shares}: expected shares of 256, none negative")
    if min(counts) < 0 or sum(counts) > rows * cols // 20:
        raise OptionError(f"{sum(counts)} monsters: expected 0 to {rows * cols // 20} on this map")
    if not 0 <= needed <= rows * cols // 8:
        raise OptionError(f"collect {needed}: expected 0 to {rows * cols // 8} on this map")
    if not 0 <= rooms <= rows * cols // (4 * ROOM_ROWS * ROOM_COLS):
        raise OptionError(f"rooms {rooms}: expected 0 to {rows * cols // (4 * ROOM_ROWS * ROOM_COLS)} on this map")
    if time != NO_LIMIT and time < 1:
        raise OptionError(f"time {time}: expected a number of ticks, or -1 for no limit")
    if not 0 <= seed < 1 << 16:
        raise OptionError(f"seed {seed}: the filler takes 0 to {(1 << 16) - 1}")


def _number(numbers: Iterator[int], below: int) -> int:
    """A number from 0 to below - 1 out of two bytes of the filler."""
    return (next(numbers) << 8 | next(numbers)) % below


def _put_miner(grid: list[list[int]]) -> None:
    row, col = MINER_PLACE
    grid[row][col] = MINER
    for near in (grid[row - 1], grid[row]):  # nothing falls on him before he has had a chance
        for at in (col - 1, col, col + 1):
            if near[at] in (STONE, DIAMOND):
                near[at] = CLAY


def _put_on(grid: list[list[int]], numbers: Iterator[int], byte: int, over: tuple[int, ...]) -> None:
    """Put one thing on a cell drawn by lot from those it may replace, away from the miner."""
    row, col = MINER_PLACE
    places = [
        (r, c)
        for r, line in enumerate(grid)
        for c, cell in enumerate(line)
        if cell in over and abs(r - row) + abs(c - col) >= MONSTER_DISTANCE
    ]
    if not places:
        raise OptionError("no free cell is left for a monster or the exit; ask for more void or a larger map")
    r, c = places[_number(numbers, len(places))]
    grid[r][c] = byte


def _put_room(grid: list[list[int]], numbers: Iterator[int]) -> None:
    """A room of sturdy walls with one door, void inside, a monster that goes round in it, and diamonds."""
    top = 1 + MINER_PLACE[0] + _number(numbers, max(1, len(grid) - ROOM_ROWS - MINER_PLACE[0] - 2))
    left = 1 + _number(numbers, len(grid[0]) - ROOM_COLS - 2)
    strength = next(numbers) % 2
    for row, col in product(range(ROOM_ROWS), range(ROOM_COLS)):
        if grid[top + row][left + col] == MINER:
            return
        wall = row in (0, ROOM_ROWS - 1) or col in (0, ROOM_COLS - 1)
        grid[top + row][left + col] = STURDY | strength << STRENGTH_SHIFT if wall else VOID
    door = 1 + _number(numbers, ROOM_ROWS - 2)
    side = left if next(numbers) & 1 else left + ROOM_COLS - 1
    grid[top + door][side] = CLAY
    kind = (BLUE, RED, YELLOW, PURPLE, BLACK)[next(numbers) % 5]
    grid[top + 1][left + 1 + _number(numbers, ROOM_COLS - 2)] = kind
    for _ in range(3):
        grid[top + ROOM_ROWS - 2][left + 1 + _number(numbers, ROOM_COLS - 2)] = DIAMOND


def _top_up_diamonds(grid: list[list[int]], numbers: Iterator[int], needed: int) -> None:
    """A poor draw gets the diamonds it lacks in place of clay."""
    while sum(line.count(DIAMOND) for line in grid) < needed:
        _put_on(grid, numbers, DIAMOND, (CLAY, VOID, STONE))
