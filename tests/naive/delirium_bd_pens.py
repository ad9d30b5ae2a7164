"""The slow plain twin of fences around amoeba: ways that have no cell in common, on a graph with two nodes a cell."""

from __future__ import annotations

OPEN = " .dODefghijkl12345678"
NO_FENCE = 40  # or more: cells that must stay open lead out
Place = tuple[int, int]
Node = tuple[int, int, str]


def beside(place: Place) -> list[Place]:
    """Return the four cells beside one."""
    row, col = place
    return [(row, col - 1), (row - 1, col), (row, col + 1), (row + 1, col)]


def grown(rows: list[str], most: int) -> dict[Place, int]:
    """Return the steps from amoeba to all cells that it can come to, or to the nearest `most` of them."""
    steps = {(row, col): 0 for row, line in enumerate(rows) for col, symbol in enumerate(line) if symbol == "a"}
    waiting = list(steps)
    for place in waiting:
        for near in beside(place):
            if near not in steps and rows[near[0]][near[1]] in OPEN:
                if len(steps) >= most:
                    return steps
                steps[near] = steps[place] + 1
                waiting.append(near)
    return steps


def gaps_of(rows: list[str], reach: int, most: int) -> int:
    """Return the least number of cells, more than `reach` steps off, that shut amoeba in when they are closed.

    Only cells among the nearest `most` may be closed, and none beyond them may be come to.
    """
    steps = grown(rows, most)
    room: dict[tuple[Node, Node], int] = {}
    for row, col in steps:
        room[(row, col, "in"), (row, col, "out")] = NO_FENCE if steps[row, col] <= reach else 1
        for near in beside((row, col)):
            if near in steps or rows[near[0]][near[1]] in OPEN:
                room[(row, col, "out"), (*near, "in")] = NO_FENCE
    outside = {to for _, to in room if to[:2] not in steps}
    ways = 0
    while ways < NO_FENCE and (
        way := one_more(room, [(*place, "in") for place in steps if steps[place] == 0], outside)
    ):
        for edge in way:
            room[edge] -= 1
            room[edge[1], edge[0]] = room.get((edge[1], edge[0]), 0) + 1
        ways += 1
    return ways


def one_more(room: dict[tuple[Node, Node], int], starts: list[Node], ends: set[Node]) -> list[tuple[Node, Node]]:
    """Return the edges of a way that still has room, or none."""
    leads: dict[Node, list[Node]] = {}
    for (start, to), left in room.items():
        if left > 0:
            leads.setdefault(start, []).append(to)
    before: dict[Node, Node | None] = dict.fromkeys(starts)
    waiting = list(starts)
    for node in waiting:
        if node in ends:
            way, at = [], node
            while (last := before[at]) is not None:
                way.append((last, at))
                at = last
            return way
        for to in leads.get(node, []):
            if to not in before:
                before[to] = node
                waiting.append(to)
    return []
