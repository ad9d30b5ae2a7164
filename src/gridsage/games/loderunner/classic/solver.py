"""The search for a winning plan on exact positions: restarts of the archive search, then shorter plans."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.kernels import archive, shorten, ticks, ways
from gridsage.games.loderunner.classic.kernels.archive import ALL_HOLES, GUARD_PLACES, NEAR_BRICKS
from gridsage.games.loderunner.classic.kernels.ways import Base, Distance, Guided, Ways
from gridsage.games.loderunner.classic.level import Level, Options
from gridsage.games.loderunner.classic.rules import NOTHING_FED, first_row

MOST_KEPT = 1 << 16
TABLE_SLOTS = 1 << 17
MOST_PATHS = 1 << 20
MOST_PAIRS = 3 << 20
MOST_MACROS = 1 << 12  # of a plan
PLACE_SLOTS = 1 << 13
PLAN_HASTE = 4  # quarters: all positions of a plan cost the same, its whole length
TICKS_AT_A_TIME = 50_000  # between two looks at the clock: some 30 ms
NO_BOUND = 1 << 40
FIRST_TRY = 2_000_000  # ticks
HASTES = (1, 2, 4)  # quarters of its time that count against a position where a plan is made shorter
USUAL_HASTE = 2
TRIES = (  # kind of key and haste, try by try
    (NEAR_BRICKS, USUAL_HASTE),
    (NEAR_BRICKS, 0),
    (ALL_HOLES, 0),
    (GUARD_PLACES, 0),
)
KINDS = (NEAR_BRICKS, ALL_HOLES, GUARD_PLACES)  # of keys, where a plan is improved
SPARE_MACROS = 200  # a shorter plan may have more, shorter macros for a while
TRIALS_AT_A_TIME = 100
LOCAL_PATIENCE = 4  # times the patience: searches around a plan without success
MOST_PATIENCE = 8  # times the patience: one search for shorter plans, successful or not
DICE_MASK = (1 << 32) - 1

Macro = tuple[int, int]  # key, ticks
Keys = NDArray[np.int8]  # (ticks,): the key held at each


@dataclass(frozen=True)
class Routes:
    """A level's relaxed ways and distances, computed once."""

    steps: Ways
    distance: Distance
    base: Base

    @property
    def arrays(self) -> Guided:
        """What the kernels are guided by."""
        return self.steps, self.distance, self.base


@lru_cache(maxsize=8)
def guide(level: Level) -> Routes:
    """Return the distances the search needs."""
    made = first_row(level, Options(), 0)[: layout.CELLS]
    base = np.zeros((2, layout.CELLS), np.int8)
    base[:] = np.where(made == layout.GOLD, layout.EMPTY, made)
    base[0][base[0] == layout.HIDDEN_LADDER] = layout.EMPTY
    base[1][base[1] == layout.HIDDEN_LADDER] = layout.LADDER
    found = ways.all_ways(base)
    return Routes(found, ways.all_distances(found), base)


class ArchiveSearch:
    """One archive of positions, kept from search to search."""

    def __init__(self) -> None:
        self._rows = np.zeros((MOST_KEPT, layout.SIZE), np.int16)
        self._notes = np.zeros((MOST_KEPT, archive.NOTES), np.int32)
        self._table = np.zeros((TABLE_SLOTS, 2), np.int64)
        self._paths = np.zeros((MOST_PATHS, 3), np.int32)
        self._pool = np.zeros((MOST_PAIRS, 2), np.uint8)
        self.meters = np.zeros(archive.METERS, np.int64)
        self._known: archive.Known = (
            np.zeros((MOST_MACROS, 2), np.int16),
            np.zeros((MOST_MACROS + 1, 3), np.int32),
            np.zeros((PLACE_SLOTS, 2), np.int64),
        )
        self._guide: Routes | None = None

    def begin(self, start: ticks.Row, hints: Routes, seed: int, kind: int = NEAR_BRICKS, haste: int = 0) -> None:
        """Set the archive on one position."""
        self._guide = hints
        self._table[:] = 0
        self._rows[0] = start
        estimate = ways.estimate(start, hints.distance, *ways.new_scratch())
        self._notes[0] = (0, 0, estimate, 0)
        self._paths[0] = (-1, 0, 0)
        self.meters[:] = 0
        self.meters[archive.KEPT] = self.meters[archive.PATHS] = 1
        self.meters[archive.DICE] = (seed * 2654435761 + 12345) & DICE_MASK or 1
        self.meters[archive.BEST_ESTIMATE] = estimate
        self.meters[archive.BOUND] = NO_BOUND
        self.meters[archive.KEY_KIND] = kind
        self.meters[archive.HASTE] = haste

    def begin_along(self, start: ticks.Row, hints: Routes, seed: int, kind: int, macros: list[Macro]) -> None:
        """Set the archive on all positions of a plan that wins, to find one that wins sooner."""
        self.begin(start, hints, seed, kind, PLAN_HASTE)
        self._known[0][: len(macros)] = macros
        self.meters[archive.PLANNED] = len(macros)
        self.meters[archive.BOUND] = sum(length for _, length in macros)
        archive.follow(start, self._known, self._rows, self._notes, self._table, self._paths, self._pool, self.meters)

    def grow(self, ticks_more: int) -> int:
        """Search on for so many ticks; return GROWN, FOUND_WIN or FULL of the kernel."""
        assert self._guide is not None
        self.meters[archive.TICK_LIMIT] = self.meters[archive.TICKS] + ticks_more
        return archive.grow(
            self._guide.arrays, self._rows, self._notes, self._table, self._paths, self._pool, self.meters, self._known
        )

    @property
    def ticks(self) -> int:
        """Ticks played since `begin`."""
        return int(self.meters[archive.TICKS])

    def win(self) -> list[Macro]:
        """Return the macros (key, ticks) that lead to the win found last."""
        return self._macros(int(self.meters[archive.WIN_PATH]))

    def best(self) -> list[Macro]:
        """Return the macros that lead to the position with the least left to do."""
        return self._macros(int(self._notes[self.meters[archive.BEST], archive.PATH]))

    def safest(self, life: int) -> list[Macro]:
        """Return the macros through the position with the least left to do from which somebody lived on, and his life.

        Args:
            life: ticks that count as living on; where nobody lived so long, the longest life is returned.
        """
        times, last = self._lives()
        kept = int(self.meters[archive.KEPT])
        ends = last[self._notes[:kept, archive.PATH]]
        lived = times[ends] - self._notes[:kept, archive.TIME]
        safe = np.flatnonzero(lived >= life)
        if not len(safe):
            return self._macros(int(np.argmax(times)))
        return self._macros(int(ends[safe[np.argmin(self._notes[safe, archive.ESTIMATE])]]))

    def _lives(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for every path the time of its end, and the path of the longest life that goes on from there."""
        times = np.empty(self.meters[archive.PATHS], np.int64)
        last = np.empty_like(times)
        archive.longest_lives(self._paths, self._pool, times, last)
        return times, last

    def _macros(self, path: int) -> list[Macro]:
        parts = []
        while path >= 0:
            before, first, count = self._paths[path].tolist()
            parts.append(self._pool[first : first + count].tolist())
            path = before
        return [(key, length) for part in reversed(parts) for key, length in part]


def keys_of(macros: list[Macro]) -> Keys:
    """Return the keys of macros tick by tick; a dig key is pressed once."""
    keys: list[int] = []
    for key, length in macros:
        keys += [key] + [key if key < layout.DIG_LEFT else layout.NONE] * (length - 1)
    return np.array(keys, np.int8)


@dataclass(frozen=True)
class KeyPlan:
    """A plan that wins from the position it was made for, or an empty one."""

    macros: list[Macro]
    nodes: int  # ticks played to find it
    tries: int

    @property
    def keys(self) -> Keys:
        """The key at each tick."""
        return keys_of(self.macros)


def solve(
    start: ticks.Row, hints: Routes, meter: Meter, search: ArchiveSearch | None = None, patience: int = 0
) -> KeyPlan:
    """Return a win from that position, found by restarts and made shorter while budget and patience last.

    Args:
        patience: ticks spent on shorter plans without success before they are given up; 0 takes the first win.
    """
    search = search or ArchiveSearch()
    tries = 0
    while not meter.is_empty:
        kind, haste = TRIES[tries % len(TRIES)]
        search.begin(start, hints, tries + 1, kind, haste)
        tries += 1
        if _won(search, meter, FIRST_TRY << (tries // len(TRIES))):
            macros = search.win()
            if patience:
                macros = _shorter(start, hints, meter, search, macros, patience)
                macros = _without_detours(start, hints, meter, search, macros, patience)
                macros = _improved(start, hints, meter, search, macros, LOCAL_PATIENCE * patience)
            return KeyPlan(macros, meter.spent, tries)
    return KeyPlan([], meter.spent, tries)


def _won(search: ArchiveSearch, meter: Meter, limit: int) -> bool:
    """Search until a win, the limit of ticks, or the end of the budget; return True for a win."""
    while search.ticks < limit and (more := min(meter.left(TICKS_AT_A_TIME), TICKS_AT_A_TIME, limit - search.ticks)):
        before = search.ticks
        ended = search.grow(more)
        meter.take(search.ticks - before)
        if ended != archive.GROWN:
            return ended == archive.FOUND_WIN
    return False


def _shorter(
    start: ticks.Row, hints: Routes, meter: Meter, search: ArchiveSearch, macros: list[Macro], patience: int
) -> list[Macro]:
    """Return the shortest win of searches that prefer early positions and leave out what would come too late."""
    for haste in HASTES:
        search.begin(start, hints, haste, NEAR_BRICKS, haste)
        search.meters[archive.BOUND] = sum(length for _, length in macros)
        while _won(search, meter, min(search.ticks + patience, MOST_PATIENCE * patience)):
            macros = search.win()
            search.meters[archive.BOUND] = search.meters[archive.WIN_TICKS]
    return macros


def _improved(
    start: ticks.Row, hints: Routes, meter: Meter, search: ArchiveSearch, macros: list[Macro], patience: int
) -> list[Macro]:
    """Return a plan that comes sooner to places of the old one, as often as one is found."""
    seed, last_gain = 0, meter.spent
    while meter.spent - last_gain < patience and not meter.is_empty and len(macros) <= MOST_MACROS:
        search.begin_along(start, hints, seed + 1, KINDS[seed % len(KINDS)], macros)
        seed += 1
        if _won(search, meter, patience // len(KINDS)):
            macros = search.win()
            last_gain = meter.spent
    return macros


def _without_detours(
    start: ticks.Row, hints: Routes, meter: Meter, search: ArchiveSearch, macros: list[Macro], patience: int
) -> list[Macro]:
    """Return the plan without the pieces that it does not need."""
    plan = np.zeros((len(macros) + SPARE_MACROS, 2), np.int16)
    plan[: len(macros)] = macros
    rows = np.zeros((len(plan) + 1, layout.SIZE), np.int16)
    counts = np.zeros(shorten.COUNTS, np.int64)
    counts[shorten.LENGTH] = shorten.lay_out(start, plan, len(macros), rows)
    last_gain = 0
    while not meter.is_empty and counts[shorten.PLAYED] - last_gain < patience:
        saved, played = int(counts[shorten.SAVED]), int(counts[shorten.PLAYED])
        shorten.shorten(hints.arrays, plan, rows, counts, search.meters, TRIALS_AT_A_TIME)
        meter.take(int(counts[shorten.PLAYED]) - played + TRIALS_AT_A_TIME)
        if counts[shorten.SAVED] > saved:
            last_gain = int(counts[shorten.PLAYED])
        elif counts[shorten.PLAYED] == played:
            break
    return [(key, length) for key, length in plan[: counts[shorten.LENGTH]].tolist()]


def won_by(start: ticks.Row, keys: Keys) -> bool:
    """Return True if the keys win from that position."""
    row = start.copy()
    ticks.play_keys(row, keys, NOTHING_FED)
    return bool(row[layout.STATUS] == layout.WON)
