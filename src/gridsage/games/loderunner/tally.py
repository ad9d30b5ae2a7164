"""What the statistics of Lode Runner count."""

from __future__ import annotations

from gridsage.core.game import Action, Game
from gridsage.games.loderunner.level import Level, Options
from gridsage.games.loderunner.state import BOMB_LEFT, NONE, State


class LodeRunnerTally:
    """Bonuses, moves, bombs, trapped and respawned enemies."""

    def __init__(self, game: Game[Level, Options, State]) -> None:
        self._game = game
        self._counts = dict.fromkeys(("bonuses", "moves", "waits", "bombs", "traps", "respawns"), 0)
        self._bonuses_in_all = 0

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

    def figures(self) -> dict[str, float | str]:
        """The counts and the share of bonuses taken; what the runner died of is the outcome's reason."""
        figures: dict[str, float | str] = {name: float(count) for name, count in self._counts.items()}
        if self._bonuses_in_all:
            figures["bonus_share"] = self._counts["bonuses"] / self._bonuses_in_all
        return figures
