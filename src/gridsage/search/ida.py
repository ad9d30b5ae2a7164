"""IDA*: A*'s answer by depth-first searches under a rising limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import TypeVar

from gridsage.core.budget import Meter
from gridsage.core.game import Action, Budget, Model
from gridsage.search.result import UNLIMITED, Found, is_won

S = TypeVar("S")


def ida(model: Model[S], start: S, heuristic: Callable[[S], float], budget: Budget = UNLIMITED) -> Found:
    """Return the shortest plan from `start` to a win.

    Args:
        heuristic: a number of actions that a win from this state takes at least, infinite when it cannot be won.
    """
    meter = Meter(budget)
    limit = heuristic(start)
    while limit < math.inf:
        found, limit = _deepen(model, start, heuristic, limit, meter)
        if found is not None:
            return found
    return Found("exhausted", (), meter.spent)


def _deepen(
    model: Model[S], start: S, heuristic: Callable[[S], float], limit: float, meter: Meter
) -> tuple[Found | None, float]:
    """Return what was found among plans whose estimate is within `limit`, and the smallest estimate above it."""
    next_limit = math.inf
    cheapest: dict[Hashable, int] = {}
    plan: list[Action] = []
    stack: list[tuple[S, int, Action]] = [(start, 0, -1)]
    while stack:
        state, cost, action = stack.pop()
        # A state already looked at in this round, with as many actions left, has nothing new to tell.
        key = model.key(state)
        if cheapest.get(key, math.inf) <= cost:
            continue
        promise = cost + heuristic(state)
        if promise > limit:
            next_limit = min(next_limit, promise)
            continue
        cheapest[key] = cost
        plan[max(cost - 1, 0) :] = [action] if cost else []
        if is_won(model, state):
            return Found("solved", tuple(plan), meter.spent), limit
        if model.outcome(state) is not None:
            continue
        if not meter.spend():
            return Found("budget", (), meter.spent), limit
        for following in reversed(model.legal(state)):
            stack.append((model.step(state, following), cost + 1, following))
    return None, next_limit
