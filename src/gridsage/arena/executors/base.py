"""The seam behind which episodes are played: here, in processes, on other machines."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Protocol, overload

from gridsage.arena.conditions import Conditions
from gridsage.arena.schedule import Schedule
from gridsage.core.trace import Episode, Result

Stop = Callable[[], bool]
Results = Generator[Result | None, None, None]  # None: nothing more is ready now, there is time to write down what was
SHARES = 4  # towards the end a place gets this part of what would be its share, so that none is left with much


class Executor(Protocol):
    """Plays episodes in any order and yields each result as it is ready; when it is closed, no process is left."""

    def play(self, episodes: Sequence[Episode], conditions: Conditions, stop: Stop | None) -> Results: ...


class Todo(Sequence[Episode]):
    """Episodes that are still to be played, each drawn from a longer sequence when its turn comes."""

    def __init__(self, episodes: Sequence[Episode]) -> None:
        self._episodes = episodes
        self._places = array("q")
        self._kinds: dict[object, Episode] = {}

    def add(self, place: int, episode: Episode) -> None:
        """Say that the episode at that place, which is this one, has to be played."""
        self._places.append(place)
        self._kinds.setdefault(_kind(episode), episode)

    @property
    def kinds(self) -> list[Episode]:
        """One episode per game, players and budgets."""
        return list(self._kinds.values())

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Episode: ...
    @overload
    def __getitem__(self, index: slice) -> list[Episode]: ...
    def __getitem__(self, index: int | slice) -> Episode | list[Episode]:
        """Return one episode, or some of them."""
        if isinstance(index, slice):
            return [self._episodes[place] for place in self._places[index]]
        return self._episodes[self._places[index]]


def kinds(episodes: Iterable[Episode]) -> list[Episode]:
    """Return one episode per game, players and budgets; nothing else about them differs for who prepares to play."""
    if isinstance(episodes, Todo | Schedule):
        return episodes.kinds
    return list({_kind(episode): episode for episode in episodes}.values())


def _kind(episode: Episode) -> object:
    return episode.game, tuple(map(str, episode.agents)), episode.budgets


def batch_size(left: int, places: int, most: int) -> int:
    """Return how many of the episodes that are left one of so many places should be given next."""
    return max(1, min(most, left // (SHARES * places) if places > 1 else left))
