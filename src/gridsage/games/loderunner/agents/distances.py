"""What the look-ahead knows of a level before it begins: distances, and duels with single enemies."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridsage.games.loderunner.kernels import lookahead, posts, standoffs
from gridsage.games.loderunner.kernels.rounds import COLS, chase_steps
from gridsage.games.loderunner.level import Level, Options
from gridsage.games.loderunner.rules import Tables, tables

PORTION = 1 << 14  # duels begun between two looks at the clock: some 5 ms
MOST_POSTS = 16  # whose tables are kept: at most 16 MB
POSTS_AT_A_TIME = 2  # tables of one decision: 8 to 41 ms each on 14 x 28 cells
MOST_WATCHED = 250  # places of the largest level that is watched: with 340 to 360 places a table takes up to 98 ms


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
        self.cells: NDArray[np.int32] = np.zeros(0, np.int32)
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
        self.cells = cells
        self._graph = taken, after, ends, *arrows, standoffs.goals_within(walk, cells)

    def lost_beside(self, found: Tables, post: int) -> standoffs.Lost:
        """What every enemy keeps from the runner beside one in the cell `post`, once all duels are played."""
        known = self.places, self.cells
        does = posts.answers((found.board, found.chase, found.info), post, self.cells)
        return posts.lost_beside(known, self._graph, self.lost, does, int(self.places[post]))


NO_POSTS: posts.Posts = (np.zeros(1, np.int64), np.zeros((1, 1, 2), np.int64), np.zeros((0, 1, 1, 2), np.int64))


class Watch:
    """What two enemies keep from the runner together, one of them on a post: tables made as enemies take up posts.

    Args:
        most: tables that are kept.
    """

    def __init__(self, most: int = MOST_POSTS) -> None:
        self.posts = NO_POSTS
        self._most = most
        self._cells: list[int] = []  # of the posts with a table
        self._harmless: set[int] = set()

    def look(self, found: Tables, duels: DuelTable, waiting: list[int], in_time: Callable[[], bool]) -> None:
        """Make the tables of some of the cells where enemies are waiting that have none yet."""
        if not 0 < len(duels.cells) <= MOST_WATCHED:  # 0: not all duels are played yet
            return
        if self.posts is NO_POSTS:
            shape = duels.lost.shape
            self.posts = (
                np.zeros(shape[0], np.int64),
                np.zeros(shape, np.int64),
                np.zeros((self._most, *shape), np.int64),
            )
        fresh = [cell for cell in dict.fromkeys(waiting) if cell not in self._cells and cell not in self._harmless]
        for cell in fresh[:POSTS_AT_A_TIME]:
            if not in_time():
                return
            table = duels.lost_beside(found, cell)
            if np.count_nonzero(table) < len(duels.cells):  # he is between the two, and caught
                self._harmless.add(cell)
            else:
                self._add(cell, table, duels.places, waiting)

    def is_manned(self, waiting: list[int]) -> bool:
        """Return True if somebody waits on a post from where he and another enemy can keep something."""
        return any(cell in waiting for cell in self._cells)

    def _add(self, post: int, table: standoffs.Lost, places: standoffs.Places, waiting: list[int]) -> None:
        """Keep the table, in the place of a post that nobody stands on if there are too many."""
        bits, suspects, beside = self.posts
        number = len(self._cells)
        if number < self._most:
            self._cells.append(post)
        else:
            number = next((number for number, cell in enumerate(self._cells) if cell not in waiting), 0)
            bits[places[self._cells[number]]] = 0
            self._cells[number] = post
        bits[places[post]] = 1 << number
        suspects &= ~(1 << number)
        suspects |= (table != 0).astype(np.int64) << number
        beside[number] = table


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

    def hints(self, watched: posts.Posts) -> lookahead.Hints:
        """What the kernels are guided by."""
        duels = self.duels
        return self.walk, self.tour, self.ahead, self.steps, duels.places, duels.lost, duels.extra, watched


@lru_cache(maxsize=8)
def begun_guide(level: Level, options: Options) -> Distances:
    """The distances that the look-ahead needs; who needs its duels has them played."""
    return Distances(level, options)


def guide(level: Level, options: Options) -> Distances:
    """The distances that the look-ahead needs, and every duel."""
    found = begun_guide(level, options)
    found.duels.play(lambda: True)
    return found
