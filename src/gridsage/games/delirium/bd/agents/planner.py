"""The planner: a tree of goals reached one after another, each step of it found and proved on the exact model.

Chance is settled for planning: a push succeeds at once, amoeba and slime rest. What a failed push costs is part of a
node's value, and whoever follows a plan looks again when chance has decided otherwise.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter, deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.games.delirium.agents.planner import chunk
from gridsage.games.delirium.bd.cells import (
    BOULDER,
    BUTTERFLY,
    DIAMOND,
    DIRT,
    EXIT_OPEN,
    EXIT_SHUT,
    FALLING_DIAMOND,
    KIND_MASK,
    MAGIC_WALL,
    ROCKFORD,
    SPACE,
)
from gridsage.games.delirium.bd.kernels import plan as search
from gridsage.games.delirium.bd.kernels import tick as kernels
from gridsage.games.delirium.bd.kernels.chance import IN_A_MILLION
from gridsage.games.delirium.bd.state import (
    AMOEBA_CHANCE,
    DIAMONDS,
    FACTS_LENGTH,
    PLAYING,
    PUSHES,
    ROCKFORD_AT,
    STATUS,
    TICKS,
    WON,
)

POOL_BYTES = 160_000_000
CHECK_POOL_BYTES = 300_000_000
FEWEST_POSITIONS = 128
MOST_POSITIONS = 400_000
SURVIVAL_TICKS = 16
SURVIVAL_NODES = 400

# What a missing diamond counts for, in ticks. Far more than it costs: with 40 Cave B was not won in 1.5 million nodes,
# with 100 in 120,000, and with 12 Cave A took 190 times the nodes.
DIAMOND_WORTH = 100
DIAMOND_TICKS = 6  # what it is guessed to cost
OUT_OF_REACH = 30  # for each diamond that cannot be walked to as things stand
NOT_THERE = 25  # more, for each that is nowhere in the picture
NO_WAY_OUT = 60  # when the exit cannot be walked to
PUSH_COST = 3  # ticks that a push fails for on average
READY_DROP = 20  # less, for each boulder that hangs above a butterfly's way or a magic wall
MOST_READY = 12
MOST_ALIKE = 2  # flies are elsewhere in the second
TOO_LATE = 2  # for each tick that the guess is beyond the time left


@dataclass(frozen=True)
class Stage:
    """How hard one position is searched; each next stage costs more and overlooks less."""

    nodes: int
    penalty: int  # ticks a node is set back before it is searched this hard
    quota: int = 0  # positions kept for one cell in one window of time; 0: all
    window_shift: int = 0
    windows: int = 1
    snaps: bool = False
    wanted: int = 6
    makes: bool = False  # diamonds that come into being are goals too
    kills: bool = False
    pushes: bool = False  # so is a boulder pushed to where it can be dropped on a butterfly or a magic wall
    unrests: int = 1  # 3: positions before, during and after a fall do not crowd each other out
    focus: str = ""  # stay near the ways to the nearest goals, or to boulders that hang above flies; wait at will


STAGES = (
    Stage(8_000, penalty=0, quota=1, wanted=6, makes=True),
    Stage(40_000, penalty=120, quota=2, window_shift=4, windows=8, wanted=10, makes=True),
    Stage(60_000, penalty=180, quota=1, windows=128, unrests=3, wanted=3, makes=True, focus="drops"),
    Stage(60_000, penalty=240, quota=2, window_shift=3, windows=32, unrests=3, wanted=8, makes=True, pushes=True),
    Stage(100_000, penalty=300, quota=1, windows=128, wanted=3, makes=True, focus="goals"),
    Stage(120_000, penalty=400, quota=2, windows=128, unrests=3, wanted=3, snaps=True, makes=True, focus="drops"),
    Stage(
        200_000,
        penalty=600,
        quota=3,
        window_shift=2,
        windows=32,
        snaps=True,
        wanted=20,
        makes=True,
        kills=True,
        pushes=True,
    ),
    Stage(500_000, penalty=1200, snaps=True, wanted=32, makes=True, kills=True),
)
MOST_VISITS = 1_000_000  # counters of visits, cells times windows
FOCUS_TARGETS = 3
FOCUS_SLACK = 6  # steps a way may be longer than the shortest
FOCUS_NEAR = 12  # steps from a target within which Rockford may wait as long as he likes


@dataclass(eq=False)
class Waypoint:
    """A position worth going on from, and the actions that lead there from its parent."""

    cells: NDArray[np.uint8]
    facts: NDArray[np.int64]
    parent: Waypoint | None
    actions: tuple[int, ...]
    stage: int = 0
    value: float = 0.0  # lower is better
    children: list[Waypoint] = field(default_factory=list)

    @property
    def is_won(self) -> bool:
        return bool(self.facts[STATUS] == WON)

    def line(self, top: Waypoint) -> list[int]:
        """Return all actions from `top` to here."""
        parts: list[tuple[int, ...]] = []
        node: Waypoint | None = self
        while node is not None and node is not top:
            parts.append(node.actions)
            node = node.parent
        return list(itertools.chain.from_iterable(reversed(parts)))

    def descends_from(self, top: Waypoint) -> bool:
        """Return True if `top` is this node or one before it."""
        node: Waypoint | None = self
        while node is not None and node is not top:
            node = node.parent
        return node is top


def planning_rules(rules: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rules with chance settled: every push succeeds."""
    settled = rules.copy()
    settled[kernels.PUSH] = IN_A_MILLION
    settled[kernels.AMOEBA_FAST] = 0
    return settled


class Planner:
    """Best first over nodes; the search of one node goes on over several calls if the budget is short."""

    def __init__(self, rules: NDArray[np.int64], row_length: int, pool_bytes: int = POOL_BYTES) -> None:
        self.rules = planning_rules(rules)
        self.unlucky_rules = self.rules.copy()  # a life that hangs on a push is not safe
        self.unlucky_rules[kernels.PUSH] = 0
        size = int(rules[kernels.SIZE])
        row = row_length + 8 * (FACTS_LENGTH + search.LINK_WIDTH)
        positions = max(FEWEST_POSITIONS, min(MOST_POSITIONS, pool_bytes // row))
        self.pool = np.zeros((positions, row_length), dtype=np.uint8)
        self.fact_pool = np.zeros((positions, FACTS_LENGTH), dtype=np.int64)
        self.links = np.zeros((positions, search.LINK_WIDTH), dtype=np.int64)
        self.table = np.zeros(1 << (2 * positions).bit_length(), dtype=np.int64)
        self.life_pool = np.zeros((SURVIVAL_TICKS + 1, row_length), dtype=np.uint8)
        self.life_facts = np.zeros((SURVIVAL_TICKS + 1, FACTS_LENGTH), dtype=np.int64)
        self.journal = np.zeros(16 * size + 64, dtype=np.int64)
        self.stream = np.array([2463534242], dtype=np.int64)
        self.most_windows = max(1, MOST_VISITS // size)
        counters = max(min(self.most_windows, stage.windows) * stage.unrests for stage in STAGES)
        self.quota = np.zeros(size * counters, dtype=np.int64)
        self.seen, self.visits = self.table, self.quota
        self.distance = np.zeros(size, dtype=np.int64)
        self.queue = np.zeros(size + 1, dtype=np.int64)
        self.ahead = np.zeros(4, dtype=np.int64)
        self.request = np.zeros(search.TARGETS + size, dtype=np.int64)
        self.heap: list[tuple[float, int, Waypoint]] = []
        self.order = itertools.count()
        self.running: Waypoint | None = None
        self.left = 0  # nodes the running search may still use
        self.has_ended = False  # the running search, but for the nodes that are made of what it found
        self.found: deque[int] = deque()  # rows of the pool
        self.won: Waypoint | None = None
        self.exit_at = -1
        self.met: Counter[tuple[int, int, bytes]] = Counter()  # nodes that differ in nothing but dirt, flies and time

    def start(self, cells: NDArray[np.uint8], facts: NDArray[np.int64]) -> Waypoint:
        """Forget the tree and begin anew from a position in which Rockford lives."""
        root = Waypoint(cells.copy(), facts.copy(), None, ())
        root.facts[AMOEBA_CHANCE] = 0
        kinds = cells & KIND_MASK
        exits = np.flatnonzero((kinds == EXIT_SHUT) | (kinds == EXIT_OPEN))
        self.exit_at = int(exits[0]) if len(exits) == 1 else -1
        self.heap, self.running, self.won = [], None, None
        self.met.clear()
        root.value = self.value(root)
        self._push(root)
        return root

    def keep_below(self, top: Waypoint) -> None:
        """Forget everything that does not come after `top`."""
        self.heap = [entry for entry in self.heap if entry[2].descends_from(top)]
        heapq.heapify(self.heap)
        if self.running is not None and not self.running.descends_from(top):
            self.running = None

    def think(self, meter: Meter) -> Waypoint | None:
        """Search until the budget is empty, nothing is left, or a win is found."""
        while self.won is None and not meter.is_empty:
            if self.running is None and not self._begin_next():
                return None
            self._go_on(meter)
        return self.won

    @property
    def is_idle(self) -> bool:
        return self.running is None and not self.heap

    def tick(self, cells: NDArray[np.uint8], facts: NDArray[np.int64], action: int) -> int:
        """Play one action in place as the plans expect it to go."""
        return int(kernels.tick(cells, facts, self.rules, self.stream, self.journal, action))

    def follow(self, cells: NDArray[np.uint8], facts: NDArray[np.int64], actions: list[int]) -> None:
        """Play actions in place as the plans expect them to go."""
        line = np.array(actions, dtype=np.int64)
        search.follow(cells, facts, self.rules, self.stream, self.journal, line)

    def survives(self, cells: NDArray[np.uint8], facts: NDArray[np.int64], meter: Meter) -> bool:
        """Return True if Rockford can live on for a while from here, even if no push succeeds."""
        if facts[STATUS] != PLAYING or facts[ROCKFORD_AT] < 0:
            return bool(facts[STATUS] in (PLAYING, WON))
        spent = search.survives(
            cells,
            facts,
            self.unlucky_rules,
            self.life_pool,
            self.life_facts,
            self.stream,
            self.journal,
            SURVIVAL_TICKS,
            SURVIVAL_NODES,
        )
        meter.take(abs(int(spent)))
        return bool(spent > 0)

    def value(self, node: Waypoint) -> float:
        """Return ticks used and a guess at those to come; what cannot be reached as things stand costs extra."""
        search.prospects(node.cells, node.facts, self.rules, self.distance, self.queue, self.ahead)
        in_reach, nearest, way_out, there = (int(number) for number in self.ahead)
        missing = max(0, int(self.rules[kernels.NEEDED] - node.facts[DIAMONDS]))
        way = max(way_out, 0) if missing == 0 else max(nearest, 0)
        guess = DIAMOND_TICKS * missing + way
        left = int(search.ticks_left(node.facts, self.rules))
        value = float(node.facts[TICKS] + PUSH_COST * node.facts[PUSHES]) + DIAMOND_WORTH * missing + way
        value += OUT_OF_REACH * max(0, missing - in_reach) + NOT_THERE * max(0, missing - there)
        value += TOO_LATE * max(0, guess - left)
        if missing > there:
            value -= READY_DROP * min(self._ready_drops(node), missing - there, MOST_READY)
        return value + (NO_WAY_OUT if way_out < 0 else 0)

    def _ready_drops(self, node: Waypoint) -> int:
        """Return how many boulders hang where they can be dropped on something that makes diamonds of it."""
        cols = int(self.rules[kernels.COLS])
        kinds = (node.cells[: len(self.distance)] & KIND_MASK).astype(np.uint8)
        targets = self._targets_of_drops(kinds)
        if not targets:
            return 0
        ready = 0
        for thing in np.flatnonzero(kinds == BOULDER).tolist():
            bottom = thing + cols
            while bottom not in targets and kinds[bottom] <= DIRT and bottom - thing < search.DROP_HEIGHT * cols:
                bottom += cols
            ready += bottom in targets
        return ready

    def _push(self, node: Waypoint) -> None:
        penalty = STAGES[node.stage].penalty
        heapq.heappush(self.heap, (node.value + penalty, next(self.order), node))

    def _begin_next(self) -> bool:
        """Take the most promising node and set its search up."""
        while self.heap:
            node = heapq.heappop(self.heap)[2]
            stage = STAGES[node.stage]
            windows = min(stage.windows, self.most_windows)
            self.visits = self.quota[: len(self.distance) * windows * stage.unrests]
            self.visits[:] = 0
            if stage.focus and not self._focus(node, stage, windows):
                self._pass_stage(node)
                continue
            self._ask(node, stage, windows)
            self.running, self.left, self.has_ended = node, stage.nodes, False
            self.found.clear()
            return True
        return False

    def _ask(self, node: Waypoint, stage: Stage, windows: int) -> None:
        """Write the request of a search."""
        self.pool[0], self.fact_pool[0] = node.cells, node.facts
        # clearing costs more than a short search: only as much of the table as this stage can use
        slots = 1 << (2 * min(stage.nodes, len(self.links))).bit_length()
        self.seen = self.table[:slots]
        self.seen[:] = 0
        request = self.request
        request[:] = 0
        request[search.COUNT] = 1
        request[search.EXIT_AT] = self.exit_at
        request[search.UNRESTS] = stage.unrests
        request[search.MAX_DEPTH] = 4 * int(np.sqrt(self.rules[kernels.SIZE])) + 100
        request[search.QUOTA] = stage.quota
        request[search.WINDOW_SHIFT] = stage.window_shift if windows > 1 else 62
        request[search.SNAPS] = stage.snaps
        request[search.WANTED] = min(stage.wanted, search.MOST_FOUND)
        if node.facts[DIAMONDS] < self.rules[kernels.NEEDED]:
            goals = search.GOAL_DIAMOND | (search.GOAL_MADE if stage.makes else 0)
            goals |= search.GOAL_KILL if stage.kills else 0
            if stage.pushes:
                goals |= search.GOAL_PUSH
                kinds = (node.cells[: len(self.distance)] & KIND_MASK).astype(np.uint8)
                request[search.TARGETS :][list(self._targets_of_drops(kinds))] = 1
            request[search.GOALS] = goals

    def _pass_stage(self, node: Waypoint) -> None:
        node.stage += 1
        if node.stage < len(STAGES):
            self._push(node)

    def _focus(self, node: Waypoint, stage: Stage, windows: int) -> bool:
        """Close every cell that is not near a way to one of the nearest targets; return True if there is a target."""
        here = int(node.facts[ROCKFORD_AT])
        search.flood(node.cells, self.rules, here, self.distance, self.queue)
        from_here = self.distance.copy()
        kinds = (node.cells[: len(from_here)] & KIND_MASK).astype(np.uint8)
        opened = np.zeros(len(kinds), dtype=bool)
        if stage.focus == "drops":
            targets, opened = self._drop_places(kinds)
        elif node.facts[DIAMONDS] < self.rules[kernels.NEEDED]:
            targets = np.flatnonzero(kinds == DIAMOND)
        else:
            targets = np.flatnonzero((kinds == EXIT_SHUT) | (kinds == EXIT_OPEN))
        targets = targets[from_here[targets] >= 0]
        if not len(targets):
            return False
        near = opened.copy()  # where waiting may help; elsewhere Rockford only passes
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

    def _drop_places(self, kinds: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return cells beside what holds a boulder above a butterfly's way or a magic wall, and the cells around."""
        cols = int(self.rules[kernels.COLS])
        track = self._targets_of_drops(kinds)
        places: list[int] = []
        opened = np.zeros(len(kinds), dtype=bool)
        for thing in np.flatnonzero((kinds == BOULDER) | (kinds == DIAMOND)).tolist():
            hold = thing + cols
            bottom = hold
            while (
                kinds[bottom] in (DIRT, ROCKFORD, SPACE)
                and bottom not in track
                and bottom - thing < search.DROP_HEIGHT * cols
            ):
                bottom += cols
            if kinds[hold] not in (DIRT, ROCKFORD) or bottom not in track:
                continue
            places.extend((hold - 1, hold + 1, hold + cols, hold))
            for row in range(thing - cols, bottom, cols):
                opened[max(0, row - 2) : row + 3] = True
        return np.array(sorted(set(places)), dtype=np.int64), opened

    def _targets_of_drops(self, kinds: NDArray[np.uint8]) -> set[int]:
        """Return every cell that a butterfly can come to through space as things stand, and the magic walls."""
        cols = int(self.rules[kernels.COLS])
        waiting = np.flatnonzero((kinds >= BUTTERFLY) & (kinds < BUTTERFLY + 4)).tolist()
        track = set(waiting)
        while waiting:
            cell = waiting.pop()
            for step in (-cols, 1, cols, -1):
                if cell + step not in track and kinds[cell + step] == SPACE:
                    track.add(cell + step)
                    waiting.append(cell + step)
        return track | set(np.flatnonzero(kinds == MAGIC_WALL).tolist())

    def _go_on(self, meter: Meter) -> None:
        """Search a chunk further, or make a node of a goal that the search has found; after the last it ends."""
        node, request = self.running, self.request
        assert node is not None
        if self.has_ended:
            if self.found and self.won is None:
                self._adopt(node, self.found.popleft(), meter)
                return
            self.running = None
            if self.won is None:
                self._pass_stage(node)
            return
        request[search.MAX_NODES] = min(chunk(meter, len(self.distance)), self.left)
        state = search.spread(
            self.pool,
            self.fact_pool,
            self.links,
            self.seen,
            self.visits,
            self.rules,
            self.stream,
            self.journal,
            request,
        )
        spent = max(1, int(request[search.OUT_NODES]))
        meter.take(spent)
        self.left -= spent
        if state == search.RUNNING and self.left > 0 and request[search.OUT_FOUND] < request[search.WANTED]:
            return
        self.has_ended = True
        self.found.extend(request[search.FIRST_FOUND :][: request[search.OUT_FOUND]].tolist())

    def _is_familiar(self, node: Waypoint) -> bool:
        """Return True if goals reached in another order led to the same things often enough already."""
        kinds = node.cells & KIND_MASK
        things = np.where((kinds >= BOULDER) & (kinds <= FALLING_DIAMOND), kinds, 0).astype(np.uint8)
        key = (int(node.facts[ROCKFORD_AT]), int(node.facts[DIAMONDS]), things.tobytes())
        self.met[key] += 1
        return self.met[key] > MOST_ALIKE

    def may_fail(self, cells: NDArray[np.uint8], facts: NDArray[np.int64], action: int, meter: Meter) -> bool:
        """Return True if Rockford can live on after this action when no push succeeds."""
        cells, facts = cells.copy(), facts.copy()
        status = kernels.tick(cells, facts, self.unlucky_rules, self.stream, self.journal, action)
        return bool(status == PLAYING) and self.survives(cells, facts, meter)

    def _pushes_may_fail(self, node: Waypoint, actions: tuple[int, ...], meter: Meter) -> bool:
        """Return True if Rockford can live on wherever a push of this line fails."""
        cells, facts = node.cells.copy(), node.facts.copy()
        for action in actions:
            before, pushes = (cells.copy(), facts.copy()), int(facts[PUSHES])
            self.tick(cells, facts, action)
            if facts[PUSHES] > pushes and not self.may_fail(*before, action, meter):
                return False
        return True

    def _adopt(self, node: Waypoint, row: int, meter: Meter) -> None:
        actions = []
        at = row
        while at != 0:
            actions.append(int(self.links[at, search.ACTION]))
            at = int(self.links[at, search.PARENT])
        child = Waypoint(self.pool[row].copy(), self.fact_pool[row].copy(), node, tuple(reversed(actions)))
        if child.facts[PUSHES] > node.facts[PUSHES] and not self._pushes_may_fail(node, child.actions, meter):
            return
        if child.is_won:
            node.children.append(child)
            self.won = child
            return
        if any(sister.actions == child.actions for sister in node.children):
            return
        if not self.survives(child.cells, child.facts, meter) or self._is_familiar(child):
            return
        child.value = self.value(child)
        node.children.append(child)
        self._push(child)
