"""What the look-ahead knows of a level before it begins: distances, and duels with single enemies."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridsage.games.loderunner.kernels import lookahead, standoffs
from gridsage.games.loderunner.kernels.rounds import COLS, chase_steps
from gridsage.games.loderunner.level import Level, Options
from gridsage.games.loderunner.rules import Tables, tables

PORTION = 1 << 14  # duels begun between two looks at the clock: some 5 ms


class DuelTable:
    """Every duel with a single enemy, played in portions: until all are played, nothing is said of any.

    Args:
        ways: the runner's steps alone.
        walk: his rounds to every goal alone.
    """

    def __init__(self, found: Tables, ways: NDArray[np.int32], goals: NDArray[np.int64], walk: lookahead.Walk) -> None:
        self.places: standoffs.Places = np.full(found.board.shape[1], -1, np.int16)
        self.lost: standoffs.Lost = np.zeros((1, 1, 2), np.int64)
        self.extra: standoffs.Extra = np.zeros((1, 1, 1, 2), np.int16)
        self.is_ready = False
        self._lock = threading.Lock()
        self._portions = self._played(found, ways, goals, walk)

    def play(self, in_time: Callable[[], bool]) -> None:
        """Play on until all duels are played or the time is over."""
        with self._lock:
            while not self.is_ready and in_time():
                self.is_ready = next(self._portions, True)

    def _played(
        self, found: Tables, ways: NDArray[np.int32], goals: NDArray[np.int64], walk: lookahead.Walk
    ) -> Iterator[bool]:
        """Yield False after every portion."""
        board, chase, info = found
        cols = int(info[COLS])
        known = places, cells = standoffs.places_of(board, cols)
        if len(cells) > standoffs.MOST_PLACES:
            return
        duels = 2 * len(cells) ** 2
        after = np.full((duels, standoffs.STEPS), -1, np.int32)
        ends = np.zeros((duels, standoffs.ENDS), np.int64)
        taken = standoffs.taken_by_steps(ways, goals, cols)
        yield False
        for first in range(0, duels, PORTION):
            last = min(first + PORTION, duels)
            standoffs.begin_duels((board, chase, info), ways, taken, known, after, ends, first, last)
            yield False
        arrows = standoffs.sources(after)
        lost = np.zeros((len(cells), len(cells), 2), np.int64)
        extra = np.zeros((len(goals), len(cells), len(cells), 2), np.int16)
        rounds = np.empty(duels, np.int16)
        for number in range(min(len(goals), standoffs.EXIT_BIT)):
            yield False
            bit = standoffs.EXIT_BIT if number == len(goals) - 1 else number
            standoffs.rounds_to(walk[number], cells, ends, bit, arrows, rounds)
            standoffs.note_duels(walk[number], cells, rounds, bit, lost, extra[number])
        self.lost, self.extra, self.places = lost, extra, places


class Distances:
    """A level's distances, computed once, and its duels."""

    def __init__(self, level: Level, options: Options) -> None:
        found = tables(level, options)
        goals = np.array([*level.bonuses, level.exit], np.int64)
        self.walk = lookahead.walk_table(found.board, found.info, goals)
        self.tour = lookahead.tour_table(found.board, found.info, goals, self.walk)
        self.ahead = lookahead.ahead_table(found.info, self.walk, self.tour)
        self.steps = chase_steps(found.board, found.info)
        self.duels = DuelTable(found, lookahead.runner_ways(found.board, found.info), goals, self.walk)

    @property
    def hints(self) -> lookahead.Hints:
        """What the kernels are guided by."""
        duels = self.duels
        return self.walk, self.tour, self.ahead, self.steps, duels.places, duels.lost, duels.extra


@lru_cache(maxsize=8)
def begun_guide(level: Level, options: Options) -> Distances:
    """The distances that the look-ahead needs; who needs its duels has them played."""
    return Distances(level, options)


def guide(level: Level, options: Options) -> Distances:
    """The distances that the look-ahead needs, and every duel."""
    found = begun_guide(level, options)
    found.duels.play(lambda: True)
    return found
