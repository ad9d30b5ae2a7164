"""Beam search: breadth-first, but only the most promising states of each depth live on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from gridsage.core.budget import Meter
from gridsage.core.game import Budget, Model
from gridsage.search.result import UNLIMITED, Found, Node, is_won

S = TypeVar("S")


def beam(model: Model[S], start: S, heuristic: Callable[[S], float], width: int, budget: Budget = UNLIMITED) -> Found:
    """Return a plan from `start` to a win; `exhausted` proves nothing, because the beam may have dropped the way.

    Args:
        heuristic: the lower, the more promising; infinite when the state cannot be won.
        width: states of each depth that live on.
    """
    meter = Meter(budget)
    if is_won(model, start):
        return Found("solved", (), 0)
    seen = {model.key(start)}
    layer = [Node(start)]
    while layer:
        children: list[tuple[float, Node[S]]] = []
        for node in layer:
            if not meter.spend():
                return Found("budget", (), meter.spent)
            for action in model.legal(node.state):
                child = Node(model.step(node.state, action), node, action)
                if is_won(model, child.state):
                    return Found("solved", child.plan(), meter.spent)
                key = model.key(child.state)
                if key in seen or model.outcome(child.state) is not None:
                    continue
                seen.add(key)
                children.append((heuristic(child.state), child))
        children.sort(key=lambda pair: pair[0])
        layer = [node for promise, node in children[:width] if promise < math.inf]
    return Found("exhausted", (), meter.spent)
