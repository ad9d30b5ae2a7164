"""The slow plain twin of how magic walls are prepared, on rows of text."""

from __future__ import annotations

from gridsage.games.delirium.bd.level import Cave
from naive.delirium_bd_twin import Twin

GIVES_WAY = " .@odOD"
PLUG, MOST_TO_DIG = 2, 8
TICKS_TO_DIG, TICKS_TO_PUSH = 2, 12
MOST_TICKS = 120
Place = tuple[int, int]


def walls_of(rows: list[str]) -> list[Place]:
    """Return where magic walls are, in reading order."""
    return [(row, col) for row, line in enumerate(rows) for col, symbol in enumerate(line) if symbol == "M"]


def leads_to_a_wall(rows: list[str], wall: Place) -> bool:
    """Return True if a second magic wall is what is met first below one."""
    below = "".join(line[wall[1]] for line in rows[wall[0] + 1 :]).lstrip(" ")
    return below.startswith("M")


def digs(rows: list[str]) -> dict[Place, int]:
    """Return the cells of dirt on the best way down to a magic wall, for every cell from which there is one."""
    found: dict[Place, int] = {}
    walls = walls_of(rows)
    for row, col in walls:
        is_free = rows[row - 1][col] not in "od" and rows[row + 1][col] in GIVES_WAY
        if is_free and not leads_to_a_wall(rows, (row, col)):
            found[row, col] = 0
    places = [
        (row, col) for row in range(1, len(rows)) for col in range(len(rows[0])) if walls and (row, col) < walls[-1]
    ]
    for row, col in reversed(places):
        if rows[row][col] not in GIVES_WAY:
            continue
        ways = [found[row + 1, col]] if (row + 1, col) in found else []
        if rows[row + 1][col] in "#od":
            for side in (col - 1, col + 1):
                if rows[row][side] in GIVES_WAY and (row + 1, side) in found:
                    ways.append(found[row + 1, side] + (rows[row][side] == "."))
        if ways:
            found[row, col] = min(ways) + (rows[row][col] == ".")
    return found


def room(rows: list[str]) -> int:
    """Return how many cells below magic walls things can fall and roll to."""
    waiting = [
        (row + 1, col)
        for row, col in walls_of(rows)
        if rows[row + 1][col] == " " and not leads_to_a_wall(rows, (row, col))
    ]
    seen: set[Place] = set()
    while waiting:
        row, col = waiting.pop()
        if (row, col) in seen:
            continue
        seen.add((row, col))
        if rows[row + 1][col] == " ":
            waiting.append((row + 1, col))
        waiting.extend((row + 1, side) for side in (col - 1, col + 1) if rows[row][side] + rows[row + 1][side] == "  ")
    return len(seen)


def ready(rows: list[str], wanted: int, ticks: int) -> int:
    """Return how well so many boulders can come down while magic walls work on for so many ticks, -1: they cannot."""
    walls, ways = walls_of(rows), digs(rows)
    if not walls:
        return 0 if wanted <= 0 else -1
    cols = len(rows[0])
    lowest = walls[-1][0] * cols + walls[-1][1]
    in_time, to_push, good = 0, 0, []
    for cell in range(cols, lowest):
        row, col = divmod(cell, cols)
        fall = (lowest - cell) // cols
        if rows[row][col] not in "oO" or fall > ticks:
            continue
        if (row, col) not in ways:
            to_push += fall + TICKS_TO_PUSH <= ticks
            continue
        dirt = ways[row, col]
        in_time += fall + dirt <= ticks
        if dirt < PLUG + MOST_TO_DIG and fall + TICKS_TO_DIG * dirt <= ticks:
            good.append(max(0, dirt - PLUG))
    if in_time + min(to_push, ticks // TICKS_TO_PUSH) < wanted:
        return -1
    return sum(MOST_TO_DIG - dirt for dirt in sorted(good)[:wanted])


class Falling(Twin):
    """A cave that notices what has fallen or begun to fall."""

    falls = False

    def put(self, spot, symbol):
        super().put(spot, symbol)
        self.falls |= symbol in "OD"


def harvest(cave: Cave, rows: list[str], magic_left: int | None) -> tuple[int, int, list[str]]:
    """Return the diamonds that magic walls make if they are opened now, the ticks, and the picture in the end.

    Args:
        magic_left: milliseconds that the walls work on; None: they are still asleep.
    """
    opened = [list(line.replace("@", " ")) for line in rows]
    for row, col in walls_of(rows) if magic_left is None else ():
        for above in range(max(1, row - PLUG), row):
            if opened[above][col] == ".":
                opened[above][col] = " "
    twin = Falling(cave, ["".join(line) for line in opened], 0, 1)
    if magic_left is not None:
        twin.magic, twin.magic_left = "awake", magic_left
    twin.falls = True
    while twin.falls and twin.ticks < MOST_TICKS:
        twin.falls = False
        twin.tick(0)
    text, before = "".join(twin.picture()), "".join(rows)
    made = sum(text.count(symbol) - before.count(symbol) for symbol in "dD")
    return made, twin.ticks, twin.picture()
