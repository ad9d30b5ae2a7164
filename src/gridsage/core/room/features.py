"""The part of a room that learning programs read: observations as numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

S = TypeVar("S")
Seen = TypeVar("Seen")


class Features(ABC, Generic[S, Seen]):
    """What a learning program sees of a room with states S and observations Seen; adapters make spaces of it."""

    actions: int  # actions are 0 to actions - 1
    limits: Mapping[str, tuple[int, int]]  # name of an array -> its least and greatest value

    @abstractmethod
    def encode(self, seen: Seen) -> Mapping[str, NDArray[np.integer]]:
        """Return integer arrays by name; their shapes depend on the level only."""

    @abstractmethod
    def score(self, state: S) -> float:
        """Return what was earned so far; a reward is the difference of two."""
