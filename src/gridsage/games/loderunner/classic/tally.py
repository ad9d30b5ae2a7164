"""What the statistics of the classic game count."""

from __future__ import annotations

from gridsage.core.game import Action, Game
from gridsage.games.loderunner.classic.level import Level, Options
from gridsage.games.loderunner.classic.state import State

COUNTED = {"collected": "gold", "dug": "digs", "trapped": "traps", "reborn": "burials", "took gold": "stolen"}


class ClassicTally:
    """Gold, digs, guards trapped and buried, gold that guards took."""

    def __init__(self, game: Game[Level, Options, State]) -> None:
        self._game = game
        self._counts = dict.fromkeys(COUNTED.values(), 0)
        self._gold_in_all = 0

    def add(self, before: State, action: Action, after: State) -> None:
        """Count one tick."""
        self._gold_in_all = len(before.level.gold)
        for event in self._game.events(before, action, after):
            if event.kind in COUNTED:
                self._counts[COUNTED[event.kind]] += 1

    def figures(self) -> dict[str, float | str]:
        """Return the counts and the share of gold taken."""
        figures: dict[str, float | str] = {name: float(count) for name, count in self._counts.items()}
        if self._gold_in_all:
            figures["gold_share"] = self._counts["gold"] / self._gold_in_all
        return figures
