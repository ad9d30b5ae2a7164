"""A*: the shortest plan, led by a heuristic that never asks for more moves than a win takes."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable
from itertools import count
from typing import TypeVar

from gridsage.core.budget import Meter
from gridsage.core.game import Budget, Model
from gridsage.search.result import UNLIMITED, Found, Node, is_won

S = TypeVar("S")


def astar(model: Model[S], start: S, heuristic: Callable[[S], float], budget: Budget = UNLIMITED) -> Found:
    """Return the shortest plan from `start` to a win.

    Args:
        heuristic: a number of actions that a win from this state takes at least, infinite when it cannot be won. One
            that is too high at times still finds plans, but not always the shortest.
    """
    meter = Meter(budget)
    order = count()  # equal in all else, the older node goes first
    cheapest: dict[Hashable, int] = {model.key(start): 0}
    queue: list[tuple[float, int, int, Node[S]]] = [(heuristic(start), 0, next(order), Node(start))]
    while queue:
        _, minus_cost, _, node = heapq.heappop(queue)
        cost = -minus_cost
        if cost > cheapest[model.key(node.state)]:
            continue
        if is_won(model, node.state):
            return Found("solved", node.plan(), meter.spent)
        if model.outcome(node.state) is not None:
            continue
        if not meter.spend():
            return Found("budget", (), meter.spent)
        for action in model.legal(node.state):
            child = Node(model.step(node.state, action), node, action)
            key = model.key(child.state)
            if cost + 1 >= cheapest.get(key, math.inf):
                continue
            cheapest[key] = cost + 1
            left = heuristic(child.state)
            if left < math.inf:
                # Among equal estimates the deepest goes first: it is the nearest to its end.
                heapq.heappush(queue, (cost + 1 + left, -(cost + 1), next(order), child))
    return Found("exhausted", (), meter.spent)
