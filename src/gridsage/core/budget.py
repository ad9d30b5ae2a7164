"""The one meter of a budget: it counts nodes and looks at the clock."""

from __future__ import annotations

import time

from gridsage.core.game import Budget


class Meter:
    """What may still be spent on one decision: nodes exactly, seconds by the clock.

    Args:
        share: of the seconds that may be used; the rest is for what is no search.
        nodes: the limit where the budget names none; None for no limit.
    """

    def __init__(self, budget: Budget, *, share: float = 1.0, nodes: int | None = None) -> None:
        self.spent = 0  # nodes
        self.limit = nodes if budget.nodes is None else budget.nodes
        self.seconds = budget.seconds
        self.began = time.perf_counter()
        self.deadline = None if budget.seconds is None else self.began + share * budget.seconds

    @property
    def in_time(self) -> bool:
        """Return True if the clock allows more."""
        return self.deadline is None or time.perf_counter() < self.deadline

    @property
    def is_empty(self) -> bool:
        """Return True if no node or no time is left."""
        return (self.limit is not None and self.spent >= self.limit) or not self.in_time

    def left(self, unlimited: int) -> int:
        """Return the nodes that are left, none after the deadline, and `unlimited` where there is no limit."""
        if not self.in_time:
            return 0
        return unlimited if self.limit is None else max(0, self.limit - self.spent)

    def take(self, nodes: int) -> None:
        """Count nodes that were looked at."""
        self.spent += nodes

    def spend(self) -> bool:
        """Count one node and return True; return False and count nothing once the budget is spent."""
        if self.is_empty:
            return False
        self.spent += 1
        return True
