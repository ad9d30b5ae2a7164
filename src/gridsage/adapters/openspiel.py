"""Rooms for two as OpenSpiel games: `register("pushem")`, then `pyspiel.load_game("gridsage_pushem(seed=7)")`.

The deal comes from the parameter `seed`, so the game is deterministic. Numbers and words among the rule options are
parameters too. Needs the extra: pip install 'gridsage[openspiel]'.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.adapters.two_seats import TwoSeats, table
from gridsage.core.extras import needs_extra
from gridsage.core.game import Own

with needs_extra("The OpenSpiel adapter", "openspiel"):
    import pyspiel

PREFIX = "gridsage_"
Spiel = Any  # an object of OpenSpiel, which has no types


def register(game: str = "pushem") -> str:
    """Make the room known to OpenSpiel and return its short name there; calling it twice is harmless."""
    short_name = PREFIX + game
    if short_name not in pyspiel.registered_names():
        room_table = table(game)
        kind = _game_type(room_table, short_name)
        pyspiel.register_game(kind, _game_class(game, kind))
    return short_name


def _parameters(options: type[msgspec.Struct]) -> dict[str, int | str]:
    """Return the seed and every rule option that is a number or a word, with its default."""
    fields = msgspec.structs.fields(options)
    return {"seed": 1} | {field.name: field.default for field in fields if isinstance(field.default, int | str)}


def _game_type(room_table: TwoSeats, short_name: str) -> Spiel:
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name,
        long_name=room_table.room.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(room_table.room.rules.options),
    )


def _game_class(name: str, kind: Spiel) -> type:
    """Return the class that pyspiel makes games from; each game has a fixed level, options and seed."""

    class RoomGame(pyspiel.Game):  # type: ignore[misc]
        """A two-seat room as an OpenSpiel game."""

        def __init__(self, params: dict[str, int | str] | None = None) -> None:
            chosen = dict(params or {})
            self.seed = int(chosen.pop("seed", 1))
            self.table = table(name, options=chosen)
            info = pyspiel.GameInfo(
                num_distinct_actions=self.table.features.actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.table.room.rules.max_steps,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self, state: Spiel = None) -> RoomState:
            return RoomState(self)

        def make_py_observer(self, iig_obs_type: Spiel = None, params: Spiel = None) -> Spiel:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return RoomObserver(self.table)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    return RoomGame


class RoomState(pyspiel.State):  # type: ignore[misc]
    """A state of a room: OpenSpiel changes it in place by giving it the next pure state."""

    def __init__(self, game: Spiel) -> None:
        super().__init__(game)
        self.table: TwoSeats = game.table
        self.state: Own = game.table.start(game.seed)

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.table.game.seat(self.state)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.game.legal(self.state))

    def _apply_action(self, action: int) -> None:
        self.state = self.table.game.step(self.state, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.game.label(action)

    def is_terminal(self) -> bool:
        return self.table.game.outcome(self.state) is not None

    def returns(self) -> list[float]:
        return list(self.table.returns(self.state))

    def __str__(self) -> str:
        return self.table.drawn(self.state)


class RoomObserver:
    """What a seat of an open game sees: the room's numbers as one tensor, and the board as text."""

    def __init__(self, room_table: TwoSeats) -> None:
        self._table = room_table
        self.tensor: NDArray[np.float32] = room_table.vector(room_table.start(1), 0)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RoomState, player: int) -> None:
        """Write what `player` sees into the tensor."""
        self.tensor[:] = self._table.vector(state.state, player)

    def string_from(self, state: RoomState, player: int) -> str:
        """Return the board and the status as text."""
        return self._table.drawn(state.state)
