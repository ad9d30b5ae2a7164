"""What the statistics of Lode Runner count."""

from __future__ import annotations

from gridsage.core.game import Action
from gridsage.games.loderunner.level import LADDER
from gridsage.games.loderunner.rules import LodeRunner
from gridsage.games.loderunner.state import ALIVE, BOMB_LEFT, CAUGHT, CAUGHT_PASSING, NONE, REASONS, WON, State


class Tally:
    """Bonuses, moves, bombs, trapped and respawned enemies, and what the runner died of."""

    def __init__(self, game: LodeRunner) -> None:
        self._game = game
        self._counts = dict.fromkeys(("bonuses", "moves", "waits", "bombs", "traps", "respawns"), 0)
        self._bonuses_in_all = 0
        self._death = ""

    def add(self, before: State, action: Action, after: State) -> None:
        """Count one round."""
        counts = self._counts
        self._bonuses_in_all = len(before.seen.level.bonuses)
        kinds = [event.kind for event in self._game.events(before, action, after)]
        counts["bonuses"] += kinds.count("collected")
        counts["bombs"] += kinds.count("dug")
        counts["traps"] += kinds.count("trapped")
        counts["respawns"] += kinds.count("respawned")
        if action == NONE:
            counts["waits"] += 1
        elif action < BOMB_LEFT:
            counts["moves"] += 1
        if after.status not in (ALIVE, WON):
            self._death = cause_of_death(before, after)

    def figures(self) -> dict[str, float | str]:
        """The counts, the share of bonuses taken, and the cause of death if there was one."""
        figures: dict[str, float | str] = {name: float(count) for name, count in self._counts.items()}
        if self._bonuses_in_all:
            figures["bonus_share"] = self._counts["bonuses"] / self._bonuses_in_all
        if self._death:
            figures["death"] = self._death
        return figures


def cause_of_death(before: State, after: State) -> str:
    """Why the runner is dead, finer than the outcome: caught on a ladder, fell beside an enemy, ..."""
    if after.status not in (CAUGHT, CAUGHT_PASSING):
        return REASONS[after.status]
    level = after.seen.level
    if level.cells[after.seen.runner] == LADDER:
        return "caught on a ladder"
    fell = after.seen.runner // level.cols - before.seen.runner // level.cols > 1
    if fell:
        return "fell beside an enemy"
    return REASONS[after.status]
