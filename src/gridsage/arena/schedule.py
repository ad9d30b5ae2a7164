"""The episodes of a bench, each made when its turn comes: a million of them take no more room than one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import overload

import msgspec

from gridsage.core.room import NamedLevel
from gridsage.core.trace import Episode

MOST_LEVELS = 20_000  # made from seeds that are remembered: some 50 MB; one of Ricochet takes a millisecond to make


class Schedule(Sequence[Episode]):
    """Every pattern on every seed and level, pattern by pattern; parts of it are schedules too.

    Args:
        patterns: an episode per lineup; level and seed are filled in.
        levels: those of a seed.
        per_seed: how many levels a seed has.
    """

    def __init__(
        self,
        patterns: Sequence[Episode],
        seeds: Sequence[int],
        levels: Callable[[int], Sequence[NamedLevel]],
        per_seed: int,
        places: range | None = None,
    ) -> None:
        self._patterns, self._seeds, self._levels, self._per_seed = patterns, seeds, levels, per_seed
        self._places = range(len(patterns) * len(seeds) * per_seed) if places is None else places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Episode: ...
    @overload
    def __getitem__(self, index: slice) -> Schedule: ...
    def __getitem__(self, index: int | slice) -> Episode | Schedule:
        """Return one episode, or every so many of them."""
        if isinstance(index, slice):
            return Schedule(self._patterns, self._seeds, self._levels, self._per_seed, self._places[index])
        rest, place = divmod(self._places[index], self._per_seed)
        lineup, turn = divmod(rest, len(self._seeds))
        seed = self._seeds[turn]
        level = self._levels(seed)[place]
        return msgspec.structs.replace(self._patterns[lineup], level_name=level.name, level=level.text, seed=seed)

    @property
    def kinds(self) -> list[Episode]:
        """One episode per lineup."""
        every = len(self._seeds) * self._per_seed
        whole = Schedule(self._patterns, self._seeds, self._levels, self._per_seed)
        return [whole[place] for place in range(0, len(whole), every)] if every else []


def on_levels(patterns: Sequence[Episode], seeds: Sequence[int], levels: Sequence[NamedLevel]) -> Schedule:
    """Return every pattern on every seed and each of these levels."""
    return Schedule(patterns, seeds, lambda seed: levels, len(levels))


def of_seeds(patterns: Sequence[Episode], seeds: Sequence[int], level: Callable[[int], NamedLevel]) -> Schedule:
    """Return every pattern on every seed and the level that it makes."""
    made = functools.lru_cache(MOST_LEVELS)(lambda seed: (level(seed),))
    return Schedule(patterns, seeds, made, 1)
