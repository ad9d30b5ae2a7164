"""Rooms for two as PettingZoo environments (AEC), with an action mask.

from gridsage.adapters.pettingzoo import TwoSeatEnv
env = TwoSeatEnv("pushem", options={"cards": 2})
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gridsage.adapters.two_seats import TwoSeats, table
from gridsage.core.errors import OptionError
from gridsage.core.extras import needs_extra

with needs_extra("The PettingZoo adapter", "rl"):
    import gymnasium
    from pettingzoo import AECEnv

AGENTS = ["first", "second"]
RENDER_MODES = ["ansi", "human"]
MOST_SEED = 2**31 - 1


class TwoSeatEnv(AECEnv):  # type: ignore[misc]
    """A room with two seats. A turn may take several actions of one agent; `agent_selection` says who acts next.

    Args:
        game: name of the room.
        level: a shipped level or the text of one; by default the first shipped one.
        options: rule options of the room.
        render_mode: "ansi" returns the board as text; "human" prints it, at the start and after every action.
    """

    metadata = {"render_modes": RENDER_MODES, "name": "gridsage_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: str = "pushem",
        level: str | None = None,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise OptionError(f"no render_mode {render_mode!r}: expected 'ansi', 'human' or none")
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._table: TwoSeats = table(game, level, options)
        self._random = np.random.default_rng()
        low, high = self._table.limits()
        actions = self._table.features.actions
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(low, high, dtype=np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Start a new game; with a seed, this game and those after it are the same every time."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._state = self._table.start(int(self._random.integers(1, MOST_SEED)))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._table.game.seat(self._state)]
        self._show()

    def observe(self, agent: str) -> dict[str, NDArray[np.float32] | NDArray[np.int8]]:
        seat = AGENTS.index(agent)
        mask = np.zeros(self._table.features.actions, np.int8)
        if self._table.game.outcome(self._state) is None and self._table.game.seat(self._state) == seat:
            mask[list(self._table.game.legal(self._state))] = 1
        return {"observation": self._table.vector(self._state, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play one action of the agent whose turn it is; an illegal one raises IllegalAction, which says why."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        assert action is not None, "an agent that is alive plays an action"
        self._state = self._table.game.step(self._state, int(action))
        self.rewards = dict(zip(AGENTS, self._table.returns(self._state), strict=True))
        outcome = self._table.game.outcome(self._state)
        if outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos = {agent: {"outcome": outcome.reason} for agent in AGENTS}
        self.agent_selection = AGENTS[self._table.game.seat(self._state)]
        self._accumulate_rewards()
        self._show()

    def render(self) -> str | None:
        """Return the board as text, in the room's glyphs (render_mode "ansi"), or print it ("human")."""
        if self.render_mode is None:
            return None
        board = self._table.drawn(self._state) + "\n"
        if self.render_mode == "ansi":
            return board
        print(board)
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
