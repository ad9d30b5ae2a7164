"""The slow plain twin of the costs of ways in a Boulder Dash cave: Dijkstra's search on rows of text."""

from __future__ import annotations

import heapq

FREE, BOULDER, WALL = 1, 12, 150
PRICES = {**dict.fromkeys("oO", BOULDER), **dict.fromkeys("#MasH", WALL)}


def costs_of_ways(
    rows: list[str], sources: list[tuple[int, int]], dirt_price: int, is_barred_from_above: bool = False
) -> dict[tuple[int, int], int]:
    """Return the least cost of a way from any source to every cell that a way leads to; steel is closed.

    Args:
        is_barred_from_above: no way leads down into a boulder.
    """
    prices = {**PRICES, ".": dirt_price}
    found: dict[tuple[int, int], int] = {}
    heap = [(0, place) for place in sources]
    while heap:
        cost, (row, col) = heapq.heappop(heap)
        if (row, col) in found:
            continue
        found[row, col] = cost
        for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if not (0 <= near[0] < len(rows) and 0 <= near[1] < len(rows[0])) or rows[near[0]][near[1]] == "S":
                continue
            if not (is_barred_from_above and near[0] > row and rows[near[0]][near[1]] in "oO"):
                heapq.heappush(heap, (cost + prices.get(rows[near[0]][near[1]], FREE), near))
    return found
