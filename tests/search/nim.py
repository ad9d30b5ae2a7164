"""A game for two small enough to know by heart: take one to three matches, whoever takes the last one wins.

A turn has two small actions, as in Push'em All: first a hand is raised (0), then matches are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gridsage.core.game import Outcome

RAISE = 0


class Matches(NamedTuple):
    left: int
    seat: int = 0
    raised: bool = False


class Nim:
    """Positions with a multiple of four are lost for the seat at turn."""

    def seat(self, state: Matches) -> int:
        return state.seat

    def legal(self, state: Matches) -> Sequence[int]:
        return range(1, min(3, state.left) + 1) if state.raised else [RAISE]

    def step(self, state: Matches, action: int) -> Matches:
        if not state.raised:
            return state._replace(raised=True)
        return Matches(state.left - action, 1 - state.seat)

    def outcome(self, state: Matches) -> Outcome | None:
        if state.left:
            return None
        winner = 1 - state.seat
        return Outcome("taken", (1.0 - winner, float(winner)), winner)

    def key(self, state: Matches) -> Matches:
        return state


def wins(state: Matches) -> bool:
    """Whether the seat at turn can win."""
    return state.left % 4 != 0
