"""Breadth-first search: the shortest plan, and every shorter one looked at before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from gridsage.core.budget import Meter
from gridsage.core.game import Action, Budget, Model
from gridsage.search.result import UNLIMITED, Found, Node, is_won

S = TypeVar("S")


def bfs(
    model: Model[S],
    start: S,
    budget: Budget = UNLIMITED,
    *,
    mark: Callable[[S, Action, S], Hashable] | None = None,
    seen: Iterable[Hashable] = (),
    test_early: bool = True,
) -> Found:
    """Return the shortest plan from `start` to a win.

    Args:
        mark: what must be new about (before, action, after) for the state after it to be kept; by default its key.
        seen: marks that are not new any more when the search begins, beside the key of `start`.
        test_early: look for the win when a state is made, not when its turn comes.
    """
    mark = mark or (lambda before, action, after: model.key(after))
    meter = Meter(budget)
    if is_won(model, start):
        return Found("solved", (), 0)
    marks = {model.key(start), *seen}
    queue = deque([Node(start)])
    while queue:
        node = queue.popleft()
        if not test_early and is_won(model, node.state):
            return Found("solved", node.plan(), meter.spent)
        if model.outcome(node.state) is not None:
            continue
        if not meter.spend():
            return Found("budget", (), meter.spent)
        for action in model.legal(node.state):
            child = Node(model.step(node.state, action), node, action)
            new = mark(node.state, action, child.state)
            if new in marks:
                continue
            marks.add(new)
            if test_early and is_won(model, child.state):
                return Found("solved", child.plan(), meter.spent)
            queue.append(child)
    return Found("exhausted", (), meter.spent)
