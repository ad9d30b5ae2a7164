"""What the statistics want to know of a game in a cave."""

from __future__ import annotations

from collections import Counter

from gridsage.core.game import Action
from gridsage.games.delirium.bd.rules import SNAP_RIGHT, STAY
from gridsage.games.delirium.bd.state import CAUSES, DIAMONDS, KILLS, MADE, PLAYING, POINTS, PUSHES, TIME, WON, State


class CaveTally:
    """Counts diamonds, points, ticks, kills, pushes that failed and succeeded, snaps, waits, and how it ended."""

    def __init__(self) -> None:
        self.actions: Counter[Action] = Counter()
        self.last: State | None = None

    def add(self, before: State, action: Action, after: State) -> None:
        self.actions[action] += 1
        self.last = after

    def figures(self) -> dict[str, float | str]:
        if self.last is None:
            return {}
        facts = self.last.facts
        found: dict[str, float | str] = {
            "diamonds": float(facts[DIAMONDS]),
            "made": float(facts[MADE]),
            "points": float(facts[POINTS]),
            "ticks": float(sum(self.actions.values())),
            "seconds left": float(facts[TIME] // self.last.cave.second),
            "kills": float(facts[KILLS]),
            "pushes": float(facts[PUSHES]),
            "snaps": float(sum(count for action, count in self.actions.items() if action >= SNAP_RIGHT)),
            "waits": float(self.actions[STAY]),
        }
        if self.last.status not in (PLAYING, WON):
            found["death"] = CAUSES[self.last.status]
        return found
