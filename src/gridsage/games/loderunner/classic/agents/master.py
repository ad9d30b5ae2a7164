"""The player that plans on exact ticks, keeps its plan while chance agrees, and plans again when it does not."""

from __future__ import annotations

import numpy as np

from gridsage.core.amounts import counted
from gridsage.core.budget import Meter
from gridsage.core.game import Budget, Decision, Thoughts
from gridsage.games.loderunner.classic import layout
from gridsage.games.loderunner.classic.kernels import archive, ticks
from gridsage.games.loderunner.classic.layout import CARRIED, FIRST_GUARD, GUARD_FIELDS
from gridsage.games.loderunner.classic.rules import NOTHING_FED
from gridsage.games.loderunner.classic.solver import (
    TICKS_AT_A_TIME,
    USUAL_HASTE,
    ArchiveSearch,
    Keys,
    Routes,
    guide,
    keys_of,
    solve,
)
from gridsage.games.loderunner.classic.state import Observation, row_of

DEFAULT_NODES = 60_000  # ticks per decision where no budget is given
TIME_SHARE = 0.7  # of the seconds given: the rest is for what is not search
LEAD = 15  # ticks of the old plan that are kept while a new one is sought
MOST_LEAD = 60  # where several searches in a row found no win
LIFE = 120  # ticks that the search must have lived on from a position for it to be no trap
USUAL_CARRY = 24  # steps: the middle of what chance gives
LATE_CARRY = 4  # steps more where gold is carried longer than was guessed
MOST_ROOT_TICKS = 6_000_000  # of one search for a new plan, before it begins again with other dice
PREPARE_PATIENCE = 1_500_000
LINE = 12  # keys of the plan that are told
NO_KEYS = np.zeros(0, np.int8)
HIDDEN = (layout.LASTING_KEY, layout.CARRIES, layout.BIRTHS, layout.CHANCE_LOW, layout.CHANCE_HIGH)


class Master:
    """Follows a plan that wins by its own guess of chance; looks for another one as soon as the game differs.

    Args:
        prepare: seconds of thought before the first tick, where the budget is in seconds.
        prepare_nodes: ticks searched before the first tick, where the budget is in nodes.
    """

    name = "master"

    def __init__(self, prepare: float = 0.0, prepare_nodes: int = 0) -> None:
        if prepare < 0 or prepare_nodes < 0:
            raise ValueError("prepare and prepare_nodes must be 0 or more")
        self._prepare, self._prepare_nodes = prepare, prepare_nodes
        self._search: ArchiveSearch | None = None
        self._believed: ticks.Row | None = None  # the position expected now, chances guessed
        self._plan: Keys = NO_KEYS
        self._wins = False  # the plan wins if chance is as guessed
        self._lead = -1  # ticks until the position the search started from; -1 when none is under way
        self._found: Keys | None = None  # a win from that position
        self._patience = LEAD  # ticks that the next search may take
        self._roots = 0

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        """Return the key of the plan at this tick."""
        first = self._believed is None
        row = self._believe(observation)
        hints = guide(observation.level)
        meter = self._meter(budget, first)
        if first and (self._prepare or self._prepare_nodes):
            found = solve(row, hints, meter, self._searcher(), PREPARE_PATIENCE)
            self._plan, self._wins = found.keys, bool(found.macros)
        if not self._wins:
            self._think(row, hints, meter)
        key = int(self._plan[0]) if len(self._plan) else layout.NONE
        self._advance(row, key)
        return Decision(key, self._thoughts(key, meter.spent))

    def _searcher(self) -> ArchiveSearch:
        if self._search is None:
            self._search = ArchiveSearch()
        return self._search

    def _meter(self, budget: Budget, first: bool) -> Meter:
        nodes, seconds = budget.nodes, budget.seconds
        if nodes is None and seconds is None:
            nodes = DEFAULT_NODES
        if first and seconds is not None:
            seconds += self._prepare
        if first and nodes is not None:
            nodes += self._prepare_nodes
        return Meter(Budget(nodes, seconds), share=TIME_SHARE)

    def _believe(self, seen: Observation) -> ticks.Row:
        """Return the position with guessed chances; where the game went another way, look at the plan again."""
        row = np.array(row_of(seen), np.int16)
        if self._believed is None:
            row[layout.CHANCE_LOW] = 1
            _guess_carries(row, None)
            return row
        if _agree(row, self._believed):
            return self._believed
        row[list(HIDDEN)] = self._believed[list(HIDDEN)]
        _guess_carries(row, self._believed)
        self._lead, self._found, self._patience = -1, None, LEAD
        self._wins = self._wins and _ends_well(row, self._plan)
        return row

    def _think(self, row: ticks.Row, hints: Routes, meter: Meter) -> None:
        """Look for a win from a position a few ticks ahead; follow the old plan until then."""
        if self._lead < 0:
            self._begin_search(row, hints)
        search = self._searcher()
        while self._found is None and (more := min(meter.left(TICKS_AT_A_TIME), TICKS_AT_A_TIME // 5)):
            before = search.ticks
            ended = search.grow(more)
            meter.take(search.ticks - before)
            if ended == archive.FOUND_WIN:
                self._found = keys_of(search.win())
            elif ended == archive.FULL or search.ticks > MOST_ROOT_TICKS:
                break
        if self._lead == 0:
            self._adopt(search)

    def _begin_search(self, row: ticks.Row, hints: Routes) -> None:
        """Set the search on the position the old plan leads to, if it lives so long, or on this one."""
        root = row.copy()
        lead = ticks.play_keys(root, self._plan[: self._patience], NOTHING_FED) if len(self._plan) else 0
        if root[layout.STATUS] != layout.ALIVE:
            root, lead = row.copy(), 0
            self._plan = NO_KEYS
        self._plan = self._plan[:lead]
        self._lead, self._found = lead, None
        self._roots += 1
        self._searcher().begin(root, hints, self._roots, haste=USUAL_HASTE)

    def _adopt(self, search: ArchiveSearch) -> None:
        """Take over what the search has found: a win, or the way through the best position that is no trap."""
        self._wins = self._found is not None
        self._patience = LEAD if self._wins else min(2 * self._patience, MOST_LEAD)
        self._plan = self._found if self._found is not None else keys_of(search.safest(LIFE))
        self._lead, self._found = -1, None

    def _advance(self, row: ticks.Row, key: int) -> None:
        """Expect what this key leads to."""
        self._believed = row.copy()
        ticks.play_tick(self._believed, key, NOTHING_FED)
        self._plan = self._plan[1:]
        if self._lead > 0:
            self._lead -= 1

    def _thoughts(self, key: int, nodes: int) -> Thoughts:
        line = tuple(layout.KEY_LABELS[each] for each in (key, *self._plan[: LINE - 1].tolist()))
        if self._wins:
            text = f"a win in {counted(len(self._plan) + 1, 'tick')} if chance is as guessed"
        else:
            text = "looking for a win" if self._found is None else "a win was found, a few ticks ahead"
        assert self._believed is not None
        return Thoughts(path=_path(self._believed, self._plan), line=line, nodes=nodes, text=text)


def _path(row: ticks.Row, plan: Keys) -> tuple[int, ...]:
    """Return the cells the plan leads through, as far as it is told."""
    state = row.copy()
    cells = [int(state[layout.RUNNER_CELL])]
    for key in plan[: 5 * LINE].tolist():
        if ticks.play_tick(state, key, NOTHING_FED) != layout.ALIVE:
            break
        if state[layout.RUNNER_CELL] != cells[-1]:
            cells.append(int(state[layout.RUNNER_CELL]))
    return tuple(map(layout.unframed, cells))


def _carried(row: ticks.Row) -> range:
    """Return the places of what the guards carry."""
    return range(FIRST_GUARD + CARRIED, FIRST_GUARD + CARRIED + int(row[layout.GUARDS]) * GUARD_FIELDS, GUARD_FIELDS)


def _agree(seen: ticks.Row, believed: ticks.Row) -> bool:
    """Return True if what is seen is what was expected."""
    known = believed.copy()
    known[list(HIDDEN)] = 0
    for place in _carried(known):
        known[place] = min(known[place], 1)
    if known[layout.DIG_CELL] == 0:
        known[layout.DIG_TICKS] = 0
    return bool(np.array_equal(seen, known))


def _guess_carries(row: ticks.Row, believed: ticks.Row | None) -> None:
    """Guess how long gold will be carried: as before, a little longer, or as long as usual."""
    for place in _carried(row):
        if row[place] == 1:
            before = 0 if believed is None else int(believed[place])
            row[place] = before if before > 1 else (LATE_CARRY if before else USUAL_CARRY)


def _ends_well(row: ticks.Row, plan: Keys) -> bool:
    state = row.copy()
    ticks.play_keys(state, plan, NOTHING_FED)
    return bool(state[layout.STATUS] == layout.WON)
