"""The planner: a tree of goals reached one after another, each step of it found and proved on the exact model."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.core.game import Budget
from gridsage.games.delirium.kernels import plan as search
from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level.cells import (
    CLAY,
    DIAMOND,
    EXIT,
    KIND_MASK,
    MINER,
    MONSTERS,
    STONE,
    VOID,
)
from gridsage.games.delirium.rules import journal_length
from gridsage.games.delirium.state import DIAMONDS, MINER_AT, PLAYING, STATUS, TICKS, TIME, WON

WORD = 8  # bytes
POOL_BYTES = 64_000_000
CHECK_POOL_BYTES = 400_000_000
MOST_POSITIONS = 1_000_000
FEWEST_POSITIONS = 128
TIME_SHARE = 0.75  # of the seconds that is spent on searching
DEFAULT_NODES = 1_000_000
CHUNK_SHARE = 0.04  # of the seconds, between two looks at the clock
CHUNK_NODES = 5_000  # between two looks at the clock, at most
FIRST_CHUNK = 5_000  # a chunk is never smaller, unless the map is large: a short delay must not cost the whole search
FIRST_CHUNK_WORK = 2_000_000  # nodes times cells
ENDLESS = 1 << 40
SURVIVAL_TICKS = 16
SURVIVAL_NODES = 400

DIAMOND_WORTH = 15  # ticks a missing diamond is guessed to cost: more makes the search greedier
OUT_OF_REACH = 40  # for each diamond that cannot be walked to as things stand
NO_WAY_OUT = 60  # when the exit cannot be walked to


@dataclass(frozen=True)
class Stage:
    """How hard one position is searched; each next stage costs more and overlooks less."""

    nodes: int
    penalty: int  # ticks a node is set back before it is searched this hard
    quota: int = 0  # positions kept for one cell in one window of time; 0: all
    window_shift: int = 0
    windows: int = 1
    digs: bool = False
    wanted: int = 6
    kills: bool = False
    unrests: int = 1  # 3: positions before, during and after a fall do not crowd each other out
    focus: str = ""  # stay near the ways to the nearest goals, or to stones that hang above monsters; wait at will
    hurry: bool = False  # only for short times: see plan.is_hopeless
    goals: bool = True  # stop at diamonds and kills; false: nothing but the exit counts


STAGES = (
    # two for little time on little maps: every line, first those that waste none of it
    Stage(30_000, penalty=0, digs=True, wanted=1, hurry=True, goals=False),
    Stage(30_000, penalty=0, digs=True, wanted=1, goals=False),
    Stage(8_000, penalty=0, quota=1, wanted=6),
    Stage(40_000, penalty=30, quota=2, window_shift=4, windows=8, wanted=10, kills=True),
    Stage(100_000, penalty=45, quota=1, windows=128, wanted=2, focus="goals"),
    Stage(120_000, penalty=60, quota=2, windows=128, unrests=3, wanted=2, digs=True, kills=True, focus="kills"),
    Stage(200_000, penalty=80, quota=3, window_shift=2, windows=32, digs=True, wanted=20, kills=True),
    Stage(500_000, penalty=160, digs=True, wanted=32, kills=True),
    # everything there is, to the end of the game: the only stage that can prove a level impossible
    Stage(5_000_000, penalty=240, digs=True, wanted=1, goals=False),
)
FIRST_STAGE = 2  # unless the time is short and the map small
SHORT_TIME = 40
SHORT_TIME_WORK = 16_000  # ticks left times cells
MOST_VISITS = 1_000_000  # counters of visits, cells times windows
FOCUS_TARGETS = 3
FOCUS_SLACK = 6  # steps a way may be longer than the shortest
FOCUS_NEAR = 12  # steps from a target within which the miner may wait as long as he likes
DROP_HEIGHT = 8  # how far above a monster's way a stone may hang to be of use


def new_meter(budget: Budget) -> Meter:
    """Return the meter of a decision; without a number of nodes a great many are allowed."""
    return Meter(budget, share=TIME_SHARE, nodes=DEFAULT_NODES)


def chunk(meter: Meter, cells: int) -> int:
    """Nodes until the next look at the clock: few at first, then by the speed seen so far."""
    size = CHUNK_NODES
    if meter.seconds is not None:
        passed = max(time.perf_counter() - meter.began, 1e-6)
        least = min(FIRST_CHUNK, max(FIRST_CHUNK_WORK // cells, 1))
        size = max(least, min(CHUNK_NODES, int(meter.spent / passed * meter.seconds * CHUNK_SHARE)))
    return size if meter.limit is None else max(0, min(size, meter.limit - meter.spent))


@dataclass(eq=False, slots=True)
class Waypoint:
    """A position worth going on from, and the actions that lead there from its parent."""

    cells: NDArray[np.uint8]
    facts: NDArray[np.int64]
    parent: Waypoint | None
    actions: tuple[int, ...]
    stage: int = FIRST_STAGE
    value: float = 0.0  # lower is better
    lowest: float = math.inf  # of its own value, once it has a parent, and of those of all that comes after it
    children: list[Waypoint] = field(default_factory=list)

    @property
    def is_won(self) -> bool:
        return bool(self.facts[STATUS] == WON)

    def line(self, top: Waypoint) -> list[int]:
        """All actions from `top` to here."""
        parts: list[tuple[int, ...]] = []
        node: Waypoint | None = self
        while node is not None and node is not top:
            parts.append(node.actions)
            node = node.parent
        return list(itertools.chain.from_iterable(reversed(parts)))

    def add(self, child: Waypoint) -> None:
        """Put a child below this node and tell all above it what it is worth."""
        self.children.append(child)
        child.lowest = child.value
        node: Waypoint | None = self
        while node is not None and node.lowest > child.value:
            node.lowest = child.value
            node = node.parent

    def descends_from(self, top: Waypoint) -> bool:
        node: Waypoint | None = self
        while node is not None:
            if node is top:
                return True
            node = node.parent
        return False


def _at_least(array: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Return the array if it is so long, else a new one: memory that was used before comes without delay."""
    return array if len(array) >= length else np.zeros(length, dtype=np.int64)


class Planner:
    """Best first over nodes; the search of one node goes on over several calls if the budget is short.

    Args:
        rules: of this gallery, kept and never changed.
        pool_bytes: for positions; `fit` never asks for much more.
    """

    def __init__(self, rules: NDArray[np.int64], facts_length: int, pool_bytes: int = POOL_BYTES) -> None:
        self.pool_bytes = pool_bytes
        self.store = np.zeros(0, dtype=np.int64)  # behind pool, fact_pool and links: maps of any size share it
        self.table = np.zeros(0, dtype=np.int64)
        self.quota = np.zeros(0, dtype=np.int64)
        self.ahead = np.zeros(3, dtype=np.int64)
        self.request = np.zeros(search.REQUEST_LENGTH, dtype=np.int64)
        self.heap: list[tuple[float, int, Waypoint]] = []
        self.order = itertools.count()
        self.root: Waypoint | None = None
        self.top: Waypoint | None = None  # what does not come after it is forgotten when there is time for that
        self.dropped: list[Waypoint] = []  # let go of when there is time for that, with all that comes after them
        self.running: Waypoint | None = None
        self.left = 0  # nodes the running search may still use
        self.found: list[int] = []  # rows of the pool with goals of the running search that are no nodes yet
        self.won: Waypoint | None = None
        self.exit_at = -1
        self.explores = False  # a place beside an unknown cell is a goal too
        self.complete = False  # the last full search saw everything
        self.fit(rules, facts_length)

    def fit(self, rules: NDArray[np.int64], facts_length: int) -> None:
        """Make the arrays right for positions of this size; a search begins with `start`."""
        self.rules = rules
        size = int(rules[kernels.SIZE])
        row = size + WORD * (facts_length + search.LINK_WIDTH)
        positions = max(FEWEST_POSITIONS, min(MOST_POSITIONS, self.pool_bytes // row))
        cells_end = -(-positions * size // WORD)
        facts_end = cells_end + positions * facts_length
        links_end = facts_end + positions * search.LINK_WIDTH
        self.store = _at_least(self.store, max(links_end, self.pool_bytes // WORD + 1))
        self.pool = self.store[:cells_end].view(np.uint8)[: positions * size].reshape(positions, size)
        self.fact_pool = self.store[cells_end:facts_end].reshape(positions, facts_length)
        self.links = self.store[facts_end:links_end].reshape(positions, search.LINK_WIDTH)
        self.table = _at_least(self.table, 1 << (2 * positions).bit_length())
        self.life_pool = np.zeros((SURVIVAL_TICKS + 1, size), dtype=np.uint8)
        self.life_facts = np.zeros((SURVIVAL_TICKS + 1, facts_length), dtype=np.int64)
        self.journal = np.zeros(journal_length(rules), dtype=np.int64)
        self.most_windows = max(1, MOST_VISITS // size)
        counters = max(min(self.most_windows, stage.windows) * stage.unrests for stage in STAGES)
        self.quota = _at_least(self.quota, size * counters)
        self.seen, self.visits = self.table, self.quota
        self.distance = np.zeros(size, dtype=np.int64)
        self.queue = np.zeros(size + 1, dtype=np.int64)
        self.is_fresh = True  # nothing was searched yet

    def start(self, cells: NDArray[np.uint8], facts: NDArray[np.int64]) -> Waypoint:
        """Forget the tree and begin anew from a position."""
        root = Waypoint(cells.copy(), facts.copy(), None, ())
        if self.is_fresh and 0 < facts[TIME] <= SHORT_TIME and facts[TIME] * len(cells) <= SHORT_TIME_WORK:
            root.stage = 0
        self.is_fresh = False
        exits = np.flatnonzero(cells == EXIT)
        self.exit_at = int(exits[0]) if len(exits) == 1 else -1
        if self.root is not None:
            self.dropped.append(self.root)
        self.root = root
        self.heap, self.found = [], []
        self.top = self.running = self.won = None
        self.complete = False
        self._push(root)
        return root

    def keep_below(self, top: Waypoint) -> None:
        """Forget everything that does not come after `top`; the heap is gone through when there is time for it."""
        self.top = top
        if top.parent is not None:
            self.dropped.extend(sister for sister in top.parent.children if sister is not top)
            top.parent.children = [top]
        if self.running is not None and not self.running.descends_from(top):
            self.running, self.found = None, []

    def __del__(self) -> None:
        """Let go of the tree, or a decision of the next game would be held up by its collection."""
        if self.root is not None:
            self.dropped.append(self.root)
        self._let_go()

    def _let_go(self) -> None:
        """Part dropped nodes from their children: as they hold each other they would stay until a full collection."""
        while self.dropped:
            node = self.dropped.pop()
            self.dropped.extend(node.children)
            node.children.clear()

    def _sweep(self, top: Waypoint) -> None:
        """Keep of the heap what comes after `top`."""
        is_kept: dict[Waypoint | None, bool] = {top: True, None: False}
        heap = []
        for entry in self.heap:
            path: list[Waypoint] = []
            node: Waypoint | None = entry[2]
            while node is not None and node not in is_kept:
                path.append(node)
                node = node.parent
            is_kept.update(dict.fromkeys(path, is_kept[node]))
            if is_kept[entry[2]]:
                heap.append(entry)
        heapq.heapify(heap)
        self.heap, self.top = heap, None

    def think(self, meter: Meter, deepest_stage: int = len(STAGES) - 1) -> Waypoint | None:
        """Search until the budget is empty, nothing is left, or a win is found."""
        self._let_go()
        if self.top is not None:
            self._sweep(self.top)
        while self.won is None and not meter.is_empty:
            if self.found:
                self._adopt_next(meter)
            elif self.running is not None or self._begin_next(deepest_stage):
                self._go_on(meter)
            else:
                return None
        return self.won

    @property
    def is_idle(self) -> bool:
        return self.running is None and not self.heap

    def survives(self, cells: NDArray[np.uint8], facts: NDArray[np.int64], meter: Meter) -> bool:
        """Return True if the miner can live on for a while from here."""
        if facts[STATUS] != PLAYING:
            return bool(facts[STATUS] == WON)
        spent = search.survives(
            cells, facts, self.rules, self.life_pool, self.life_facts, self.journal, SURVIVAL_TICKS, SURVIVAL_NODES
        )
        meter.take(abs(int(spent)))
        return bool(spent > 0)

    def _push(self, node: Waypoint) -> None:
        penalty = STAGES[node.stage].penalty if node.stage < len(STAGES) else 0
        heapq.heappush(self.heap, (node.value + penalty, next(self.order), node))

    def _begin_next(self, deepest_stage: int) -> bool:
        """Take the most promising node and set its search up."""
        while self.heap:
            _, _, node = heapq.heappop(self.heap)
            if node.stage > deepest_stage:
                continue
            stage = STAGES[node.stage]
            windows = min(stage.windows, self.most_windows)
            self.visits = self.quota[: len(self.distance) * windows * stage.unrests]
            self.visits[:] = 0
            if stage.focus and not self._focus(node, stage, windows):
                node.stage += 1
                self._push(node)
                continue
            self.pool[0], self.fact_pool[0] = node.cells, node.facts
            # clearing costs more than a short search: only as much of the tables as this stage can use
            slots = 1 << (2 * min(stage.nodes, len(self.links))).bit_length()
            self.seen = self.table[:slots]
            self.seen[:] = 0
            request = self.request
            request[:] = 0
            request[search.COUNT] = 1
            request[search.EXIT_AT] = self.exit_at
            request[search.HURRY] = stage.hurry
            request[search.UNRESTS] = stage.unrests
            request[search.MAX_DEPTH] = self._depth_limit(node)
            request[search.QUOTA] = stage.quota
            request[search.WINDOW_SHIFT] = stage.window_shift if windows > 1 else 62
            request[search.DIGS] = stage.digs
            request[search.WANTED] = min(stage.wanted, search.MOST_FOUND)
            if stage.goals:
                goals = search.GOAL_DIAMOND if node.facts[DIAMONDS] < self.rules[kernels.NEEDED] else 0
                goals |= search.GOAL_KILL if stage.kills else 0
                request[search.GOALS] = goals | (search.GOAL_SIGHT if self.explores else 0)
            self.running, self.left = node, stage.nodes
            return True
        return False

    def _focus(self, node: Waypoint, stage: Stage, windows: int) -> bool:
        """Close every cell that is not near a way to one of the nearest targets; return True if there is any."""
        here = int(node.facts[MINER_AT])
        search.flood(node.cells, self.rules, here, self.distance, self.queue)
        from_here = self.distance.copy()
        kinds = (node.cells & KIND_MASK).astype(np.uint8)
        if stage.focus == "kills":
            targets, opened = self._drop_places(node, kinds)
        else:
            missing = node.facts[DIAMONDS] < self.rules[kernels.NEEDED]
            targets, opened = np.flatnonzero(kinds == (DIAMOND if missing else EXIT)), np.zeros(len(kinds), dtype=bool)
        targets = targets[from_here[targets] >= 0]
        if not len(targets):
            return False
        near = opened.copy()  # where waiting may help; elsewhere the miner only passes
        for target in targets[np.argsort(from_here[targets], kind="stable")][:FOCUS_TARGETS].tolist():
            search.flood(node.cells, self.rules, target, self.distance, self.queue)
            way = from_here + self.distance
            on_way = (from_here >= 0) & (self.distance >= 0) & (way <= from_here[target] + FOCUS_SLACK)
            opened |= on_way
            near |= on_way & (self.distance <= FOCUS_NEAR)
        opened[here] = True
        closed = np.zeros((windows, len(kinds)), dtype=bool) | ~opened
        closed |= ~near & (np.arange(windows)[:, np.newaxis] > from_here + FOCUS_SLACK)
        np.multiply(closed, stage.quota, out=self.visits.reshape(stage.unrests, windows, len(kinds)))
        return True

    def _drop_places(self, node: Waypoint, kinds: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Cells beside and below the clay that holds a stone above a monster's way, and the cells around the drop."""
        cols = int(self.rules[kernels.COLS])
        track = self._monster_track(node, kinds, cols)
        places: list[int] = []
        opened = np.zeros(len(kinds), dtype=bool)
        for thing in np.flatnonzero(np.isin(kinds, (STONE, DIAMOND))).tolist():
            hold = thing + cols
            bottom = hold
            while kinds[bottom] in (CLAY, MINER, VOID) and bottom not in track and bottom - thing < DROP_HEIGHT * cols:
                bottom += cols
            if kinds[hold] not in (CLAY, MINER) or bottom not in track:
                continue
            places.extend((hold - 1, hold + 1, hold + cols, hold))
            for row in range(thing - cols, bottom, cols):
                opened[max(0, row - 2) : row + 3] = True
        return np.array(sorted(set(places)), dtype=np.int64), opened

    def _monster_track(self, node: Waypoint, kinds: NDArray[np.uint8], cols: int) -> set[int]:
        """Every cell that a monster can come to through void as things stand."""
        waiting = np.flatnonzero(np.isin(kinds, MONSTERS)).tolist()
        track = set(waiting)
        while waiting:
            cell = waiting.pop()
            for step in (-cols, 1, cols, -1):
                if cell + step not in track and kinds[cell + step] == VOID:
                    track.add(cell + step)
                    waiting.append(cell + step)
        return track

    def _depth_limit(self, node: Waypoint) -> int:
        if not STAGES[node.stage].goals:
            return ENDLESS
        limit = 4 * int(np.sqrt(self.rules[kernels.SIZE])) + 100
        return min(limit, int(node.facts[TIME])) if node.facts[TIME] > 0 else limit

    def _go_on(self, meter: Meter) -> None:
        """A chunk of the running search; when it ends, the first of its goals becomes a node."""
        node, request = self.running, self.request
        assert node is not None
        request[search.MAX_NODES] = min(chunk(meter, len(self.distance)), self.left)
        state = search.spread(
            self.pool, self.fact_pool, self.links, self.seen, self.visits, self.rules, self.journal, request
        )
        spent = max(1, int(request[search.OUT_NODES]))
        meter.take(spent)
        self.left -= spent
        if state == search.RUNNING and self.left > 0 and request[search.OUT_FOUND] < request[search.WANTED]:
            return
        stage = STAGES[node.stage]
        if not stage.goals and not stage.hurry and node.parent is None and state == search.EXHAUSTED:
            self.complete = True
            self.heap.clear()
        first, count = search.FIRST_FOUND, int(request[search.OUT_FOUND])
        self.found = request[first : first + count].tolist()[::-1]
        self._adopt_next(meter)

    def _adopt_next(self, meter: Meter) -> None:
        """Make the next goal that was found a node; after the last one the search that found them is over."""
        node = self.running
        assert node is not None
        if self.found:
            self._adopt(node, self.found.pop(), meter)
        if self.found:
            return
        self.running = None
        node.stage += 1
        if node.stage < len(STAGES) and self.won is None and not self.complete:
            self._push(node)

    def _adopt(self, node: Waypoint, row: int, meter: Meter) -> None:
        actions = []
        at = row
        while at != 0:
            actions.append(int(self.links[at, search.ACTION]))
            at = int(self.links[at, search.PARENT])
        child = Waypoint(self.pool[row].copy(), self.fact_pool[row].copy(), node, tuple(reversed(actions)))
        if child.is_won:
            node.add(child)
            self.won = child
            return
        if any(sister.actions == child.actions for sister in node.children):
            return
        if not self.survives(child.cells, child.facts, meter):
            return
        child.value = self.value(child)
        node.add(child)
        self._push(child)

    def value(self, node: Waypoint) -> float:
        """Ticks used and a guess at those to come; what cannot be reached as things stand costs extra."""
        search.prospects(node.cells, node.facts, self.rules, self.distance, self.queue, self.ahead)
        in_reach, nearest, way_out = (int(number) for number in self.ahead)
        missing = max(0, int(self.rules[kernels.NEEDED] - node.facts[DIAMONDS]))
        value = float(node.facts[TICKS]) + DIAMOND_WORTH * missing
        value += OUT_OF_REACH * max(0, missing - in_reach)
        if way_out < 0:
            value += NO_WAY_OUT
        if missing == 0:
            value += max(way_out, 0)
        elif nearest >= 0:
            value += nearest
        return value

    def cells_of(self, node: Waypoint, actions: list[int]) -> Iterator[int]:
        """The miner's cells along a line of actions."""
        cells, facts = node.cells.copy(), node.facts.copy()
        for action in actions:
            kernels.tick(cells, facts, self.rules, self.journal, action)
            yield int(facts[MINER_AT])
