"""The slow plain twin of fences around amoeba: cells are taken out one by one, in every combination."""

from __future__ import annotations

from itertools import combinations

OPEN = " .dODefghijkl12345678"
NO_FENCE = 40  # a cell that must stay open leads out
Place = tuple[int, int]


def grown(rows: list[str], most: int, closed: frozenset[Place] = frozenset()) -> dict[Place, int]:
    """Return the steps from amoeba to all cells that it can come to, or to the nearest `most` of them."""
    steps = {(row, col): 0 for row, line in enumerate(rows) for col, symbol in enumerate(line) if symbol == "a"}
    waiting = list(steps)
    for row, col in waiting:
        for near in ((row, col - 1), (row - 1, col), (row, col + 1), (row + 1, col)):
            if near not in steps and near not in closed and rows[near[0]][near[1]] in OPEN:
                if len(steps) >= most:
                    return steps
                steps[near] = steps[row, col] + 1
                waiting.append(near)
    return steps


def gaps_of(rows: list[str], reach: int, most: int) -> int:
    """Return the least number of cells, more than `reach` steps off, that shut amoeba in when they are closed.

    Only cells among the nearest `most` may be closed, and none beyond them may be come to.
    """
    steps = grown(rows, most)
    inside = sorted(steps)
    if len(grown(rows, len(rows) * len(rows[0]))) == len(steps):
        return 0
    for count in range(1, len(inside)):
        for closed in combinations([place for place in inside if steps[place] > reach], count):
            if set(grown(rows, len(rows) * len(rows[0]), frozenset(closed))) <= set(inside):
                return count
    return NO_FENCE
