"""What a miner remembers of a mine: the last pictures made into a position the exact model can go on from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridsage.core.game import Action
from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level.cells import (
    DIAMOND,
    FALLING,
    KIND_MASK,
    MINER,
    MONSTERS,
    NO_LIMIT,
    STONE,
    UNKNOWN,
    VOID,
    Gallery,
)
from gridsage.games.delirium.rules import facts_length, journal_length, rules_array
from gridsage.games.delirium.state import (
    DIAMONDS,
    FIRST_MONSTER,
    KILLS,
    MINER_AT,
    MONSTER_COUNT,
    NOT_MOVED,
    TICKS,
    TIME,
    Observation,
)

MONSTER_STEP = 8  # room for monsters grows by so many, so that arrays seldom change their length


class MineMemory:
    """The position as far as it is known. Headings and falling are told from how the pictures change.

    As long as every picture is what the model predicted, nothing is guessed: headings and falling are exact.
    """

    def __init__(self) -> None:
        self.gallery = -1
        self.cells = np.zeros(0, dtype=np.uint8)
        self.facts = np.zeros(0, dtype=np.int64)
        self.rules = np.zeros(0, dtype=np.int64)
        self.journal = np.zeros(0, dtype=np.int64)
        self.before = np.zeros(0, dtype=np.uint8)  # cells before the last action

    def see(self, seen: Observation) -> bool:
        """Take in a picture; return True if it is just what was predicted."""
        if seen.gallery != self.gallery or len(self.cells) != len(seen.cells):
            self._begin(seen)
            return False
        known = seen.cells != UNKNOWN
        if int(self.facts[MINER_AT]) == seen.miner and (shown(self.cells)[known] == seen.cells[known]).all():
            return True
        self._correct(seen, known)
        return False

    def act(self, action: Action) -> int:
        """Predict what the action does and return the status after it."""
        self.before = self.cells.copy()
        return int(kernels.tick(self.cells, self.facts, self.rules, self.journal, action))

    @property
    def has_unknown(self) -> bool:
        return bool((self.cells == UNKNOWN).any())

    def _begin(self, seen: Observation) -> None:
        self.gallery = seen.gallery
        self.before = self.cells = seen.cells.copy()
        self._set_facts(seen, {})

    def _correct(self, seen: Observation, known: NDArray[np.bool_]) -> None:
        """Keep what is out of view as the model has it, believe the picture for the rest."""
        headings = self._headings()
        predicted = self.cells
        cells = np.where(known, seen.cells, predicted)
        cells[cells == MINER] = VOID
        cells[seen.miner] = MINER
        kinds = cells & KIND_MASK
        things = (kinds == STONE) | (kinds == DIAMOND)
        was_thing = np.isin(self.before & KIND_MASK, (STONE, DIAMOND))
        arrived = things & known & ~was_thing & (self.before != UNKNOWN)
        still = things & (cells & KIND_MASK == predicted & KIND_MASK) & (predicted & FALLING != 0)
        cells = np.where(arrived | still, kinds | FALLING, cells).astype(np.uint8)
        for cell in np.flatnonzero(np.isin(cells, MONSTERS)).tolist():
            if cell not in headings:
                headings[cell] = self._heading_by_step(cell, int(cells[cell]), seen.cols)
        self.cells = cells
        self._set_facts(seen, headings)

    def _headings(self) -> dict[int, int]:
        """Heading of every monster the model knows, by cell."""
        monsters = self.facts[FIRST_MONSTER : FIRST_MONSTER + int(self.rules[MONSTER_COUNT])]
        return {int(packed) >> 3: int(packed) & 7 for packed in monsters if packed >= 0}

    def _heading_by_step(self, cell: int, kind: int, cols: int) -> int:
        for heading, step in enumerate((-cols, 1, cols, -1)):
            source = cell - step
            if 0 <= source < len(self.before) and self.before[source] == kind:
                return heading
        return NOT_MOVED

    def _set_facts(self, seen: Observation, headings: dict[int, int]) -> None:
        monsters = np.flatnonzero(np.isin(self.cells, MONSTERS))
        room = int(self.rules[MONSTER_COUNT]) if len(self.rules) else 0
        room = max(room, -(-len(monsters) // MONSTER_STEP) * MONSTER_STEP)
        gallery = Gallery("memory", seen.rows, seen.cols, b"", seen.needed, NO_LIMIT)
        self.rules = rules_array(gallery, seen.options, room)
        kills = int(self.facts[KILLS]) if len(self.facts) else 0
        self.facts = np.zeros(facts_length(self.rules), dtype=np.int64)
        self.journal = np.zeros(journal_length(self.rules), dtype=np.int64)
        self.facts[MINER_AT] = seen.miner
        self.facts[DIAMONDS] = seen.diamonds
        self.facts[TIME] = seen.time
        self.facts[TICKS] = seen.ticks
        self.facts[KILLS] = kills
        self.facts[FIRST_MONSTER : FIRST_MONSTER + room] = -1
        for number, cell in enumerate(monsters.tolist()):
            self.facts[FIRST_MONSTER + number] = cell << 3 | headings.get(cell, NOT_MOVED)
        kernels.mark_all(self.cells, self.facts, self.rules)


def shown(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Cells as a picture shows them: nothing tells that a thing is falling."""
    return (cells & (FALLING - 1)).astype(np.uint8)
