"""What the statistics want to know of a game in the mine."""

from __future__ import annotations

from collections import Counter

from gridsage.core.game import Action
from gridsage.games.delirium.level.cells import KIND_NAMES, MONSTERS
from gridsage.games.delirium.rules import DIG_DOWN, DIG_RIGHT, STAY, WIDEN
from gridsage.games.delirium.state import BY_DIAMOND, BY_EXPLOSION, BY_STONE, BY_TIME, PLAYING, WON, State

CAUSE_WORDS = {BY_STONE: "stone", BY_DIAMOND: "diamond", BY_EXPLOSION: "explosion", BY_TIME: "time"} | {
    kind: KIND_NAMES[kind] for kind in MONSTERS
}


class DeliriumTally:
    """Counts diamonds, ticks, kills, pushes, digs, waits, widenings, galleries, and how it ended."""

    def __init__(self) -> None:
        self.actions: Counter[Action] = Counter()
        self.last: State | None = None

    def add(self, before: State, action: Action, after: State) -> None:
        self.actions[action] += 1
        self.last = after

    def figures(self) -> dict[str, float | str]:
        last = self.last
        if last is None:
            return {}
        found: dict[str, float | str] = {
            "diamonds": last.totals.diamonds + last.diamonds,
            "ticks": sum(self.actions.values()),
            "kills": last.totals.kills + last.kills,
            "pushes": last.totals.pushes + last.pushes,
            "digs": sum(self.actions[action] for action in range(DIG_RIGHT, DIG_DOWN + 1)),
            "waits": self.actions[STAY],
            "widenings": self.actions[WIDEN],
            "galleries": last.number + (last.status == WON),
        }
        if last.status not in (PLAYING, WON):
            found["death"] = CAUSE_WORDS[last.status]
        return found
