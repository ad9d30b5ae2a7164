"""The explorer: it looks for a way to the exit by walks from promising positions, where a plan of goals finds none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.games.delirium.agents.planner import chunk
from gridsage.games.delirium.bd.cells import AMOEBA, BUTTERFLY, EXIT_OPEN, EXIT_SHUT, KIND_MASK, MAGIC_WALL, STEEL
from gridsage.games.delirium.bd.kernels import archive, books, walks
from gridsage.games.delirium.bd.kernels import tick as kernels
from gridsage.games.delirium.bd.kernels.boards import AT_LEISURE, CLASS_OF, GEMS, IN_HASTE, new_ground
from gridsage.games.delirium.bd.kernels.pens import LEAST, SOUGHT
from gridsage.games.delirium.bd.state import AMOEBA_CHANCE, DIAMONDS, FACTS_LENGTH, MADE, MAGIC, SPENT, TICKS, TIME

MOST_KEPT = 60_000  # positions
FEWEST_KEPT = 1_000  # where they are only tried out
ACTIONS_EACH = 40
WORK_OF_A_TICK = 8  # as against that of the planner: what is kept is looked at closely
RUN_TICKS = 650  # for each cell that is not steel, of the shortest run; then it begins anew
MOST_WAITED = 12  # ticks before an old plan is tried again
FIRST_DICE = 88172645463325252


def run_length(run: int) -> int:
    """Return how long a run is, in shortest runs: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8, and so on.

    Whatever a run takes that succeeds, this costs at most a small factor more than knowing it (Luby and others, 1993).
    """
    bits = (run + 1).bit_length() - 1
    if run + 1 == 1 << bits:
        return 1 << (bits - 1)
    return run_length(run - (1 << bits) + 1)


class Explorer:
    """An archive of positions after one root; when it is full the best stay, and after each run it begins anew.

    Args:
        rules: with chance settled, as plans have them.
        row_length: of a picture.
        kept: how many positions it holds at most.
        dice: where its own chance begins, 1 or more and below 2**62.
    """

    def __init__(
        self, rules: NDArray[np.int64], row_length: int, kept: int = MOST_KEPT, dice: int = FIRST_DICE
    ) -> None:
        self.rules = rules
        self.dice = dice
        size = int(rules[kernels.SIZE])
        self.kept = np.zeros((kept, row_length), dtype=np.uint8)
        self.facts = np.zeros((kept, FACTS_LENGTH), dtype=np.int64)
        self.notes = np.zeros((kept, archive.NOTES), dtype=np.int64)
        self.keys = np.zeros((1 << (2 * kept).bit_length(), 2), dtype=np.int64)
        self.actions = np.zeros(ACTIONS_EACH * kept, dtype=np.uint8)
        self.ground = new_ground(int(rules[kernels.COLS]), size)
        self.books = np.zeros(books.BOOKS, dtype=np.int64)
        self.journal = np.zeros(16 * size + 64, dtype=np.int64)
        self.stream = np.array([2463534242], dtype=np.int64)
        self.runs = 0
        self.run = 1
        self.run_ticks = RUN_TICKS
        self.old_plan = np.zeros(0, dtype=np.int64)
        self.waited = 0

    def start(self, cells: NDArray[np.uint8], facts: NDArray[np.int64], old_plan: Sequence[int] = ()) -> Explorer:
        """Forget everything and begin at a position in which Rockford lives, with what an old plan still leads to."""
        kinds = cells & KIND_MASK
        exits = np.flatnonzero((kinds == EXIT_SHUT) | (kinds == EXIT_OPEN))
        self.keys[:] = 0
        self.notes[:] = 0
        self.books[:] = 0
        self.books[books.EXIT_AT] = int(exits[0]) if len(exits) == 1 else -1
        self.books[books.DICE] = self.dice + 7919 * self.runs
        self.runs += 1
        self.run = 1
        self.run_ticks = RUN_TICKS * int((kinds[: int(self.rules[kernels.SIZE])] != STEEL).sum())
        self.ground.pace[0] = IN_HASTE if self._needs_magic(kinds, facts) else AT_LEISURE
        self.ground.lure[0] = self._needs_lures(kinds, facts)
        self.kept[0], self.facts[0] = cells, facts
        self.facts[0, AMOEBA_CHANCE] = 0
        archive.keep(
            self.kept,
            self.facts,
            self.notes,
            self.keys,
            self.rules,
            self.stream,
            self.journal,
            self.ground,
            self.books,
            archive.NOBODY,
        )
        self.old_plan = np.array(old_plan, dtype=np.int64)
        self.waited = 0
        return self

    def _needs_magic(self, kinds: NDArray[np.integer], facts: NDArray[np.int64]) -> bool:
        """Return True where too few diamonds lie about and magic walls can make more."""
        has_walls = bool((kinds == MAGIC_WALL).any()) and facts[MAGIC] != SPENT
        return has_walls and self._lacks_diamonds(kinds, facts)

    def _needs_lures(self, kinds: NDArray[np.integer], facts: NDArray[np.int64]) -> bool:
        """Return True where too few diamonds lie about, and butterflies led to amoeba make more."""
        has_butterflies = bool(((kinds >= BUTTERFLY) & (kinds < BUTTERFLY + 4)).any())
        return has_butterflies and bool((kinds == AMOEBA).any()) and self._lacks_diamonds(kinds, facts)

    def _lacks_diamonds(self, kinds: NDArray[np.integer], facts: NDArray[np.int64]) -> bool:
        gems = int((CLASS_OF[kinds] >> np.uint64(GEMS) & np.uint64(1)).sum())
        return int(facts[DIAMONDS]) + gems < int(self.rules[kernels.NEEDED])

    def seek_fence(self, reach: int, room: int) -> None:
        """From the next start on look for ways to shut amoeba in, with a fence so many steps off; -1: no more."""
        self.ground.fence[SOUGHT], self.ground.fence[LEAST] = reach, room

    def lure(self) -> list[int]:
        """Return the shortest way known to let a butterfly explode beside amoeba; [] if none is known."""
        count = int(self.books[books.COUNT])
        if not self.ground.lure[0] or not count:
            return []
        rows = np.flatnonzero(self.facts[:count, MADE] > self.facts[0, MADE])
        return self.line_to(int(rows[np.argmin(self.facts[rows, TICKS])])) if len(rows) else []

    def let_pass(self, ticks: int, milliseconds: int) -> None:
        """Let time pass for every position kept: he has waited, and nothing else is different."""
        count = int(self.books[books.COUNT])
        self.facts[:count, TICKS] += ticks
        self.facts[:count, TIME] = np.maximum(1, self.facts[:count, TIME] - milliseconds)

    def think(self, meter: Meter) -> list[int] | None:
        """Explore until the budget is empty or a way is found to the exit, or to a fence; return its actions."""
        while not meter.is_empty:
            before = int(self.books[books.TICKS_USED])
            if before >= self.run_ticks * run_length(self.run):
                self._begin_anew()
                before = 0
            ended = self._grow(chunk(meter, WORK_OF_A_TICK * len(self.ground.walk)))
            meter.take(max(1, int(self.books[books.TICKS_USED]) - before))
            if ended in (walks.FOUND_WIN, walks.FOUND_PEN):
                return self.line_to(int(self.books[books.WINNER]))
            if ended == walks.FULL:
                self.make_room()
        return None

    def _grow(self, most_ticks: int) -> int:
        """Let the archive grow: at first by the old plan, sooner and later, and then by walks."""
        search = (
            self.kept,
            self.facts,
            self.notes,
            self.keys,
            self.actions,
            self.rules,
            self.stream,
            self.journal,
            self.ground,
            self.books,
        )
        if len(self.old_plan) and self.waited < MOST_WAITED:
            self.waited += 1
            return int(walks.retrace(*search, self.old_plan, self.waited - 1))
        return int(walks.grow(*search, most_ticks))

    def make_room(self) -> None:
        """Forget what promises little; begin anew if that is too little, or was done often."""
        archive.thin(self.kept, self.facts, self.notes, self.keys, self.actions, self.books)
        if 2 * self.books[books.COUNT] > len(self.notes):
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget everything but the root: luck with the first diamonds decides much."""
        run = self.run + 1
        self.start(self.kept[0].copy(), self.facts[0].copy(), self.old_plan.tolist())
        self.run = run

    def line_to(self, row: int) -> list[int]:
        """Return the actions from the root to a position."""
        parts: list[NDArray[np.uint8]] = []
        while row > 0:
            first, length = (int(number) for number in self.notes[row, [archive.FROM, archive.LENGTH]])
            parts.append(self.actions[first : first + length])
            row = int(self.notes[row, archive.PARENT])
        return [int(action) for part in reversed(parts) for action in part]
