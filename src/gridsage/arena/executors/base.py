"""The seam behind which episodes are played: here, in processes, on other machines."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Protocol

from gridsage.arena.conditions import Conditions
from gridsage.core.trace import Episode, Result

Stop = Callable[[], bool]
Results = Generator[Result | None, None, None]  # None: nothing more is ready now, there is time to write down what was


class Executor(Protocol):
    """Plays episodes in any order and yields each result as it is ready; when it is closed, no process is left."""

    def play(self, episodes: Sequence[Episode], conditions: Conditions, stop: Stop | None) -> Results: ...
