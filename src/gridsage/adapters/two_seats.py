"""What the adapters for two-seat rooms share: a room made ready, its level and options, and states as one vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridsage.core import picture
from gridsage.core.errors import UnknownName
from gridsage.core.game import AnyGame, Own
from gridsage.core.room import Features, Room
from gridsage.games import catalog
from gridsage.games.levels import find_level

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class TwoSeats:
    """A two-seat room with level and options chosen: everything but the seed."""

    made_from: tuple[str, str, dict[str, object]]  # name of the room, text of the level, options as given
    room: Room
    game: AnyGame
    features: Features[Own, Own]
    level: Own
    options: Own

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made from: rooms hold functions, which are not data."""
        return table, self.made_from

    def start(self, seed: int) -> Own:
        """Return the first state of the game with that seed."""
        return self.game.start(self.level, self.options, seed)

    def vector(self, state: Own, seat: int) -> Vector:
        """Return all numbers that `seat` sees, one after the other."""
        arrays = self.features.encode(self.game.observe(state, seat))
        return np.concatenate([np.asarray(array, np.float32).ravel() for array in arrays.values()])

    def limits(self) -> tuple[Vector, Vector]:
        """Return the least and the greatest value of every number in a vector."""
        arrays = self.features.encode(self.game.observe(self.start(0), 0))
        low = [np.full(array.size, self.features.limits[name][0], np.float32) for name, array in arrays.items()]
        high = [np.full(array.size, self.features.limits[name][1], np.float32) for name, array in arrays.items()]
        return np.concatenate(low), np.concatenate(high)

    def drawn(self, state: Own) -> str:
        """Return the board in the room's glyphs, and the status in words."""
        frame = self.room.view.frame(state)
        rows = ["".join(row) for row in picture.cell_rows(frame, self.room.view.glyphs)]
        return "\n".join([*rows, frame.text])

    def returns(self, state: Own) -> Sequence[float]:
        """Return +1 for the winner, -1 for the loser, 0 for a draw or a game that goes on."""
        outcome = self.game.outcome(state)
        return [0.0, 0.0] if outcome is None else [2 * score - 1 for score in outcome.scores]


def table(game: str, level: str | None = None, options: Mapping[str, object] | None = None) -> TwoSeats:
    """The room `game`, compiled, on a level as people name them, by default its first."""
    room = catalog.ready_room(game)
    if room.rules.seats != 2 or room.features is None:
        raise UnknownName(f"{room.title} is no game for two with numbers for learning programs: choose another")
    made = room.rules.game()
    text = find_level(room, level or 1).text
    chosen = dict(options or {})
    return TwoSeats((game, text, chosen), room, made, room.features(), made.parse(text), catalog.options(room, chosen))
