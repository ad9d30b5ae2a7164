"""Solo rooms as Gymnasium environments. Importing this module registers them as `gridsage/<Name>-v0`.

    import gymnasium
    import gridsage.adapters.gymnasium
    env = gymnasium.make("gridsage/LodeRunner-v0", level="01_first_steps")

Without the second line: `gymnasium.make("gridsage.adapters.gymnasium:gridsage/LodeRunner-v0")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridsage.core import picture
from gridsage.core.errors import IllegalAction, OptionError, UnknownName
from gridsage.core.extras import needs_extra
from gridsage.core.frame import Frame
from gridsage.core.game import Own
from gridsage.core.room import Features
from gridsage.games import catalog
from gridsage.games.levels import find_level

with needs_extra("The Gymnasium adapter", "rl"):
    import gymnasium

if TYPE_CHECKING:
    from gridsage.pictures.mosaic import Mosaic

# environment -> room; each has `features`
IDS = {"LodeRunner": "loderunner", "LodeRunnerClassic": "loderunner-classic", "Delirium": "delirium"}
NAMESPACE = "gridsage"
RENDER_MODES = ["ansi", "rgb_array"]
PIXELS_OF_A_CELL = 24
MOST_SEED = 2**31 - 1

Arrays = dict[str, NDArray[np.integer]]


class SoloEnv(gymnasium.Env):  # type: ignore[misc]
    """A room with one seat: integer arrays as observation, the earned score as reward.

    Args:
        game: name of the room.
        level: a shipped level, the path of a file, or the text of a level itself; by default the first shipped one.
        options: rule options of the room.
        max_steps: steps after which an episode is truncated; by default the room's own limit.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 10}

    def __init__(
        self,
        game: str,
        level: str | None = None,
        options: Mapping[str, object] | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        room = catalog.ready_room(game)
        if room.features is None or room.rules.seats != 1:
            raise UnknownName(f"{room.title} has no numbers for learning programs: no environment can be made of it")
        if render_mode not in (None, *RENDER_MODES):
            raise OptionError(f"no render_mode {render_mode!r}: expected 'ansi', 'rgb_array' or none")
        self.render_mode = render_mode
        self._room, self._features = room, room.features()
        self._game = room.rules.game()
        self._options = catalog.options(room, dict(options or {}))
        self._level = self._game.parse(find_level(room, 1 if level is None else level).text)
        self._max_steps = room.rules.max_steps if max_steps is None else max_steps
        self._state = self._game.start(self._level, self._options, 0)
        self._steps = 0
        self._mosaic: Mosaic | None = None  # made when pixels are asked for
        self.action_space = gymnasium.spaces.Discrete(self._features.actions)
        self.observation_space = _space(self._features, self._arrays())

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Arrays, dict[str, object]]:
        """Start a new game; with a seed, this game and those after it are the same every time."""
        super().reset(seed=seed)
        self._steps = 0
        self._state = self._game.start(self._level, self._options, int(self.np_random.integers(1, MOST_SEED)))
        return self._arrays(), self._info()

    def step(self, action: int) -> tuple[Arrays, float, bool, bool, dict[str, object]]:
        """Play one action; an action the rules refuse ends the episode without reward."""
        before = self._features.score(self._state)
        try:
            self._state = self._game.step(self._state, int(action))
        except IllegalAction as error:
            return self._arrays(), 0.0, True, False, {**self._info(), "outcome": "illegal action", "fault": str(error)}
        self._steps += 1
        outcome = self._game.outcome(self._state)
        info = self._info()
        if outcome is not None:
            info["outcome"] = outcome.reason
            info["won"] = outcome.winner == 0
        truncated = outcome is None and self._steps >= self._max_steps
        return self._arrays(), float(self._features.score(self._state) - before), outcome is not None, truncated, info

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board: as text, in the room's glyphs ("ansi"), or as pixels ("rgb_array": height, width, 3)."""
        if self.render_mode is None:
            return None
        frame = self._room.view.frame(self._state)
        if self.render_mode == "rgb_array":
            return self._painted(frame)
        return f"{picture.board(frame, self._room.view.glyphs)}{frame.text}\n"

    def _painted(self, frame: Frame) -> NDArray[np.uint8]:
        from gridsage.pictures.mosaic import Mosaic
        from gridsage.pictures.svg import Style

        if self._mosaic is None:
            self._mosaic = Mosaic(frame, Style(self._room.folder, self._room.view.glyphs, cell=PIXELS_OF_A_CELL))
        return self._mosaic.picture(frame)

    def _arrays(self) -> Arrays:
        return dict(self._features.encode(self._game.observe(self._state, 0)))

    def _info(self) -> dict[str, object]:
        mask = np.zeros(self._features.actions, np.int8)
        mask[list(self._game.legal(self._state))] = 1
        return {"action_mask": mask, "steps": self._steps}


def _space(features: Features[Own, Own], arrays: Arrays) -> gymnasium.spaces.Dict:
    boxes = {
        name: gymnasium.spaces.Box(*features.limits[name], shape=array.shape, dtype=array.dtype.type)
        for name, array in arrays.items()
    }
    return gymnasium.spaces.Dict(boxes)


def _register() -> None:
    for name, game in IDS.items():
        identifier = f"{NAMESPACE}/{name}-v0"
        if game in catalog.BUILT_IN and identifier not in gymnasium.registry:
            gymnasium.register(id=identifier, entry_point="gridsage.adapters.gymnasium:SoloEnv", kwargs={"game": game})


_register()
