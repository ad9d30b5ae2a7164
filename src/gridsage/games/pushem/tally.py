"""What the statistics want to know of a game of Push'em All."""

from __future__ import annotations

from gridsage.core.game import Action
from gridsage.games.pushem.level import CARD_NAMES, SEATS
from gridsage.games.pushem.state import CARD_ACTIONS, CELL_ACTIONS, SLEEP, SLEEP_ACTION, State


class PushemTally:
    """Plies, pawns left, and at which ply each side played each card."""

    def __init__(self) -> None:
        self._last: State | None = None
        self._played: dict[str, float | str] = {}

    def add(self, before: State, action: Action, after: State) -> None:
        self._last = after
        if action == SLEEP_ACTION or CARD_ACTIONS <= action < CELL_ACTIONS:
            card = SLEEP if action == SLEEP_ACTION else action - CARD_ACTIONS
            self._played[f"{SEATS[before.turn]}_{CARD_NAMES[card]}_ply"] = float(before.ply)

    def figures(self) -> dict[str, float | str]:
        if self._last is None:
            return {}
        return {
            "plies": float(self._last.ply),
            "first_pawns": float(self._last.first.bit_count()),
            "second_pawns": float(self._last.second.bit_count()),
            **self._played,
        }
