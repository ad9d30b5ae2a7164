"""What a learning program sees of Push'em All: the boards as planes of 0 and 1, and a few numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gridsage.core.room import Features
from gridsage.games.pushem.level import CARD_NAMES, SIZE
from gridsage.games.pushem.state import ACTIONS, CHOOSE_SECOND, NEVER, State

PLANES = ("first", "second", "abyss", "frozen", "chosen")
NUMBERS = ("turn", "ply", "reversed", "choosing", "direction", "card")


class PushemFeatures(Features[State, State]):
    """What the room tells learning programs."""

    actions = ACTIONS
    limits = {"planes": (0, 1), "hands": (0, 1), "numbers": (0, NEVER)}

    def encode(self, seen: State) -> Mapping[str, NDArray[np.int16]]:
        """`planes` (5, 8, 8), `hands` (2, 10) and `numbers` (6,), the same for both seats: the game is open."""
        chosen = 1 << seen.cell if seen.choosing == CHOOSE_SECOND else 0
        boards = np.array([seen.first, seen.second, seen.abyss, seen.frozen, chosen], np.uint64)
        cells = np.arange(SIZE * SIZE, dtype=np.uint64)
        planes = (boards[:, None] >> cells & np.uint64(1)).astype(np.int16)
        hands = [[hand >> card & 1 for card in range(len(CARD_NAMES))] for hand in (seen.first_hand, seen.second_hand)]
        numbers = [seen.turn, seen.ply, seen.reversed, seen.choosing, seen.direction, seen.card]
        return {
            "planes": planes.reshape(len(PLANES), SIZE, SIZE),
            "hands": np.array(hands, np.int16),
            "numbers": np.array(numbers, np.int16),
        }

    def score(self, state: State) -> float:
        """First's pawns less Second's."""
        return float(state.first.bit_count() - state.second.bit_count())
