"""The fencer: where too few diamonds can be had otherwise it shuts amoeba in, which then turns into diamonds.

Amoeba grows by chance. So the explorer looks for fences that stand some steps off while it rests, and each plan that it
finds is tried out several times with amoeba that grows and pushes that fail: that is a look at it. The best of many
plans at one look was mostly lucky, so it has to hold at further looks, with other chance, before it is followed. It is
followed for one tick, and then looked at again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.core.game import Budget
from gridsage.games.delirium.agents.planner import new_meter
from gridsage.games.delirium.bd.agents.explorer import Explorer, run_length
from gridsage.games.delirium.bd.agents.repair import Position
from gridsage.games.delirium.bd.cells import AMOEBA, KIND_MASK, ROCKFORD, SPACE
from gridsage.games.delirium.bd.kernels import tick as kernels
from gridsage.games.delirium.bd.kernels.books import TICKS_USED
from gridsage.games.delirium.bd.kernels.funnels import diamonds_in
from gridsage.games.delirium.bd.kernels.outlook import BLAST_CELLS, makers
from gridsage.games.delirium.bd.kernels.pens import enclosed
from gridsage.games.delirium.bd.kernels.pushes import is_push
from gridsage.games.delirium.bd.kernels.trials import CERTAIN, worth_of_fence
from gridsage.games.delirium.bd.state import AMOEBA_CHANCE, DIAMONDS, FACTS_LENGTH, MAGIC, PUSHES, SPENT

REACHES = (5, 7, 4, 6, 3, 8)  # steps that a fence stands off, tried in turn
SPARE = 2  # diamonds more than are missing that a fence should have room for
ROUNDS, TRIALS = 4, 4  # of one look: after each round a plan is dropped if it cannot be good enough any more
FURTHER_LOOKS = 2  # at a plan that seems better than the one that is followed
REMEMBERED = 3  # looks at the plan that is followed
FIRST_CHANCE = 1234567891
GOOD = 950  # of CERTAIN: nothing better is looked for
HOLDS = 600  # while a plan is followed that is worth this nothing better is looked for
ENOUGH, GOES_ON = 600, 300  # to begin a plan, and to go on with it while a better one is looked for
HOPELESS = 200  # what is worth a step only after a long wait
LESS_EACH_TICK, LESS_IN_DESPAIR = 30, 5  # is asked for while he waits: until it is HOPELESS, and from then on
BETTER = 100  # by which another plan must be better than the one that is followed
CANDIDATES = 8  # plans found in one run of the explorer before the next begins
RUN_TICKS = 60_000  # of the shortest run; while nothing is worth a step some are longer, as in the explorer


class Fencer:
    """Keeps the best plan to shut amoeba in.

    Args:
        rules: as they are.
        explorer: as it is used elsewhere; it begins anew for each position.
    """

    def __init__(self, rules: NDArray[np.int64], row_length: int, explorer: Explorer) -> None:
        self.rules = rules
        self.explorer = explorer
        self.rows = np.zeros((2, row_length), dtype=np.uint8)
        self.row_facts = np.zeros((2, FACTS_LENGTH), dtype=np.int64)
        self.stream = np.array([FIRST_CHANCE], dtype=np.int64)
        self.journal = np.zeros(16 * int(rules[kernels.SIZE]) + 64, dtype=np.int64)
        self.plan: list[int] = []
        self.looks: list[int] = []  # what the plan was worth at the last looks, up to CERTAIN
        self.waited = 0  # ticks
        self.is_begun = False  # the plan is being followed
        self.pushes = -1  # before the last action, if it was a push
        self.turns = 0  # of the reaches
        self.vain = 0  # runs without a plan that is worth a step, one after another
        self.run_ticks = RUN_TICKS
        self.root = b""  # the picture that the explorer began with
        self.candidates = CANDIDATES  # plans found since

    @property
    def worth(self) -> int:
        """Return what the plan is worth, up to CERTAIN: the mean of the last looks; 0 if it failed the last."""
        return sum(self.looks) // len(self.looks) if self.looks and self.looks[-1] else 0

    def is_needed(self, here: Position) -> bool:
        """Return True if there is amoeba, and without it too few diamonds."""
        cells, facts = here
        amoeba, butterflies, above_magic = makers(cells, self.rules)
        others = BLAST_CELLS * butterflies + (0 if facts[MAGIC] == SPENT else above_magic)
        return bool(amoeba > 0 and self._missing(here) > diamonds_in(cells, self.rules) + others)

    def rest(self) -> None:
        """Let the explorer look for ways to the exit again."""
        self.explorer.seek_fence(-1, 0)

    def is_shut(self, here: Position) -> bool:
        """Return True if amoeba is shut in and needs only time."""
        return bool(enclosed(here[0], self.rules, self.explorer.ground.pen)[1])

    def _missing(self, here: Position) -> int:
        return max(0, int(self.rules[kernels.NEEDED] - here[1][DIAMONDS]))

    def think(self, here: Position, amoeba_chance: int, meter: Meter) -> None:
        """Look at the plan again and for a better one."""
        self.rows[0], self.row_facts[0] = here
        self.row_facts[0, AMOEBA_CHANCE] = amoeba_chance
        if self.pushes >= 0 and here[1][PUSHES] > self.pushes:
            self.plan = self.plan[1:]
        self.pushes = -1
        if self.plan:
            self.looks = [*self.looks[1 - REMEMBERED :], self._worth_of(self.plan, meter)]
        else:
            self.looks = []
        if self.is_shut(here):
            worth = self._worth_of([], meter)
            if worth >= min(HOLDS, self.worth):
                self.plan, self.looks = [], [worth]
        if self.root != self._picture(here):
            self.candidates = CANDIDATES
        while self.worth < (HOLDS if self.is_begun else GOOD) and not meter.is_empty:
            if self.candidates >= CANDIDATES or self.explorer.books[TICKS_USED] > self.run_ticks:
                self._begin_run(here)
            line = self.explorer.think(meter)
            if line is not None:
                self.candidates += 1
                self._compare(line, meter)

    def _begin_run(self, here: Position) -> None:
        """Let the explorer begin anew, with another reach."""
        self.explorer.seek_fence(REACHES[self.turns % len(REACHES)], self._missing(here) + SPARE)
        self.turns += 1
        self.vain = 0 if self.worth >= HOPELESS else self.vain + 1
        self.run_ticks = RUN_TICKS * run_length(max(1, self.vain))
        self.explorer.start(*here, self.plan if self.is_begun else ())
        self.root, self.candidates = self._picture(here), 0

    def _picture(self, here: Position) -> bytes:
        """Return what must be the same for the search to go on: all but amoeba and flies."""
        kinds = here[0] & KIND_MASK
        return np.where((kinds == AMOEBA) | (kinds > ROCKFORD), SPACE, kinds).tobytes()

    def _compare(self, line: list[int], meter: Meter) -> None:
        """Follow a plan if it is better than the one that is known, at the first look and at further ones."""
        if line == self.plan:
            return
        least = self.worth + (BETTER if self.is_begun else 0)
        if self._worth_of(line, meter, least) > least:
            looks = [self._worth_of(line, meter, 1) for _ in range(FURTHER_LOOKS)]
            if all(looks) and sum(looks) > least * len(looks):
                self.plan, self.looks = line, looks

    def _worth_of(self, line: list[int], meter: Meter, least: int = 0) -> int:
        """Return how good a plan is; 0 as soon as it cannot be worth as much as asked for, or time is up.

        Where nothing is asked for, as of the plan that is followed, the rounds count that there was time for.
        """
        arrays = (self.rows, self.row_facts, self.rules, self.stream, self.journal, self.explorer.ground)
        actions, total = np.array(line, dtype=np.int64), 0
        for round_ in range(1, ROUNDS + 1):
            worth, ticks = worth_of_fence(*arrays, actions, TRIALS)
            meter.take(int(ticks))
            total += int(worth)
            if total + CERTAIN * (ROUNDS - round_) < least * ROUNDS:
                return 0
            if round_ < ROUNDS and not meter.in_time:
                return 0 if least > 0 else total // round_
        return total // ROUNDS

    def next_action(self, here: Position) -> int | None:
        """Return what to do now, None to wait."""
        if not self.plan and self.worth >= HOLDS:
            return None  # all is done but the growing
        if not self.plan or self.worth < self._enough():
            self.waited += 1
            return None
        if self.worth >= GOES_ON:
            self.waited = 0
        self.is_begun = True
        action = self.plan[0]
        if is_push(*here, action):
            self.pushes = int(here[1][PUSHES])
        else:
            self.plan = self.plan[1:]
        return action

    def _enough(self) -> int:
        """Return what the plan must be worth now: the less, the longer he has waited."""
        least = (GOES_ON if self.is_begun else ENOUGH) - LESS_EACH_TICK * self.waited
        return max(1, least if least > HOPELESS else HOPELESS - (HOPELESS - least) * LESS_IN_DESPAIR // LESS_EACH_TICK)

    def warm_up(self, here: Position) -> None:
        """Compile or load everything that is used here."""
        self.is_needed(here)
        self.is_shut(here)
        self.rows[0], self.row_facts[0] = here
        self._worth_of([0], new_meter(Budget(nodes=1)))
        is_push(*here, 0)
