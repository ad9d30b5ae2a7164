"""Shortest solutions of Ricochet Robots positions, proved: arrays and ints in, a `Solution` out.

The search itself is in `kernels/best_first.py`. Here are its memory, its budgets and its threads.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal, TypedDict, Unpack

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.core.errors import LevelError
from gridsage.core.game import Budget
from gridsage.games.ricochet.kernels import best_first, bounds, every, pairs, rating

KeyType = type[np.uint32] | type[np.int64]
Status = Literal["solved", "unsolvable", "budget", "cancelled"]

# Boards are laid into grids of side 16, 32 or 64.
SMALL_SIDE_BITS, LARGE_SIDE_BITS = 4, 6
LARGE_SIDE = 1 << LARGE_SIDE_BITS
MAX_ROBOTS = 5
ALL_SIDES = 15

# Positions opened between two looks at the budget: near 2 ms.
SLICE = 8192
# Fewer opened positions than this are not worth a second thread: near 10 ms.
ALONE = 40_000
# Arrays kept between calls hold this many positions: near 4 MB in all.
SMALL_ARENA = 1 << 17
SMALL_TABLE = 1 << 18
# A hard position gets arrays for this many, of which the system hands out what is touched: below 900 MB with the table.
COMPACT_ARENA, COMPACT_TABLE = 40_000_000, 1 << 26
WIDE_ARENA, WIDE_TABLE = 20_000_000, 1 << 25
DEAD_ENDS = 1 << 20
# Four robots reach near two million positions in 12 moves; more room is made when needed.
RATING_ARENA = 1 << 21
RATING_SLICE = 1 << 15
# A layer has rarely more than three times the positions of all layers before it.
LAYER_GROWTH = 3
# A thread with less free room than this in the table would stop at once.
LEAST_SHARE = 1 << 12


@dataclass(frozen=True)
class Position:
    """A board with its robots and the mission to solve."""

    walls: NDArray[np.uint8]  # (rows, cols), at most 64 x 64; bits N=1 E=2 S=4 W=8; the rim closes the board by itself
    robots: tuple[int, ...]  # cells row * cols + col; one to five robots
    target: int
    target_robot: int  # -1: any robot may serve

    def __post_init__(self) -> None:
        """Complain about a position that no board can have."""
        _check_board(self.walls, self.robots)
        if not 0 <= self.target < self.walls.size:
            raise LevelError(f"target {self.target}, expected a cell from 0 to {self.walls.size - 1}")
        if not -1 <= self.target_robot < len(self.robots):
            raise LevelError(f"target robot {self.target_robot}, expected -1 (any) or 0 to {len(self.robots) - 1}")


class Solution(msgspec.Struct, frozen=True):
    """What the solver found, and what it proved."""

    status: Status
    length: int | None
    moves: tuple[int, ...]  # robot * 4 + direction; directions 0 N, 1 E, 2 S, 3 W
    solutions: tuple[tuple[int, ...], ...]  # all shortest ones, if asked for; else the one in `moves`
    complete: bool  # whether `solutions` holds all shortest ones
    nodes: int
    seconds: float
    proved_above: int  # no solution has this many moves or fewer
    must_ricochet: bool


class _Slices:
    """What may still be opened, looked at between slices."""

    def __init__(self, max_nodes: int | None, max_seconds: float | None, cancel: NDArray[np.uint8] | None) -> None:
        has_limit = max_nodes is not None or max_seconds is not None
        self.meter = Meter(Budget(max_nodes, max_seconds)) if has_limit else None
        self.cancel = cancel
        self.spent: Status | None = None

    def slice(self, nodes: int) -> int:
        """The positions to open next; 0 with `spent` set if there are none left."""
        if self.cancel is not None and self.cancel[0]:
            self.spent = "cancelled"
        if self.meter is None:
            return SLICE if self.spent is None else 0
        self.meter.spent = nodes
        if self.spent is None and self.meter.is_empty:
            self.spent = "budget"
        return 0 if self.spent is not None else min(SLICE, self.meter.left(SLICE))


class _Workspace:
    """The arrays of one search."""

    def __init__(self, side_bits: int, key_type: KeyType) -> None:
        cells = 1 << (2 * side_bits)
        self.control = np.zeros(best_first.CONTROL_SIZE, np.int64)
        self.fields = self.control.data  # the same numbers; one at a time they are read and written faster so
        self.walls = np.empty(cells, np.uint8)
        self.board = self.walls.reshape(1 << side_bits, 1 << side_bits)
        self.stops = np.empty((cells, 4), np.uint16)
        self.tables = np.empty((2, cells, cells), np.uint8)
        paired = cells + pairs.EXTRA if side_bits == SMALL_SIDE_BITS else 0
        self.pairs = np.empty((paired, cells, cells), np.uint8)
        self.side_bits = side_bits
        self.key_type = key_type
        self._allocate(SMALL_ARENA, SMALL_TABLE)
        self.control[best_first.SIDE_BITS] = side_bits
        self.control[best_first.ARENA_END] = SMALL_ARENA
        self.control[best_first.WEAK_LIMIT] = best_first.WEAK_OPENINGS
        self.control[best_first.STRONG_LIMIT] = best_first.STRONG_OPENINGS

    def _allocate(self, arena: int, table: int) -> None:
        self.keys = np.empty(arena, self.key_type)
        self.links = np.empty((2, arena), np.uint32)
        self.later = np.empty(arena, np.uint8)
        self.table = np.empty(table, self.key_type)

    @property
    def is_small(self) -> bool:
        return self.keys.size == SMALL_ARENA

    def set_up(self, position: Position, must_ricochet: bool) -> None:
        """Forget the last search and make ready for this one."""
        _lay_out(position.walls, self.board)
        fields = self.fields
        target, *robots = _grid_cells((position.target, *position.robots), position.walls, self.side_bits)
        fields[best_first.STAGE] = best_first.FRESH
        fields[best_first.OPENED] = 0
        fields[best_first.PROVED] = -1
        fields[best_first.ROBOTS] = len(robots)
        fields[best_first.TARGET] = target
        fields[best_first.TARGET_ROBOT] = position.target_robot
        fields[best_first.MUST_RICOCHET] = must_ricochet
        for field, cell in enumerate(robots, best_first.FIRST_ROBOT):
            fields[field] = cell

    def enlarge(self) -> None:
        """Move a search on one thread, between two slices, into the largest arrays."""
        control, keys, links, later = self.control, self.keys, self.links, self.later
        compact = self.key_type is np.uint32
        self._allocate(*((COMPACT_ARENA, COMPACT_TABLE) if compact else (WIDE_ARENA, WIDE_TABLE)))
        stored, stacked = int(control[best_first.STORED]), int(control[best_first.STACKED])
        self.keys[:stored] = keys[:stored]
        self.links[0, :stored] = links[0, :stored]
        self.links[1, :stacked] = links[1, :stacked]
        self.later[:stored] = later[:stored]
        control[best_first.ARENA_END] = self.keys.size
        best_first.grow_table(control, self.keys, self.table)

    def fill_pairs(self) -> None:
        """Fill the whole bound over pairs of helpers: threads that share it must not."""
        pairs.fill_all_pairs(self.walls, self.stops, self.side_bits, self.tables, self.pairs)

    def advance(self, control: NDArray[np.int64]) -> int:
        """Search on with one thread's `control`; a code of `best_first`."""
        return best_first.advance(
            control,
            self.walls,
            self.stops,
            self.tables,
            self.pairs,
            self.keys,
            self.links,
            self.later,
            self.table,
        )


# Workspaces at rest. Taking and giving back are single list operations, so threads need no lock.
_resting: defaultdict[tuple[int, KeyType], list[_Workspace]] = defaultdict(list)


def _take_workspace(position: Position, must_ricochet: bool) -> _Workspace:
    side_bits = _side_bits(position.walls)
    # Four robots on 16 x 16 cells fill 32 bits; the ricochet mark and the serving robot's number need more.
    compact = (
        side_bits == SMALL_SIDE_BITS and len(position.robots) <= 4 and position.target_robot >= 0 and not must_ricochet
    )
    key_type: KeyType = np.uint32 if compact else np.int64
    try:
        workspace = _resting[side_bits, key_type].pop()
    except IndexError:
        workspace = _Workspace(side_bits, key_type)
    workspace.set_up(position, must_ricochet)
    return workspace


def _give_back(workspace: _Workspace) -> None:
    """Keep a small workspace for the next call; the memory of a large one goes back to the system."""
    if workspace.is_small:
        _resting[workspace.side_bits, workspace.key_type].append(workspace)


def solve(
    position: Position,
    *,
    must_ricochet: bool = False,
    all_solutions: bool = False,
    threads: int = 1,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    cancel: NDArray[np.uint8] | None = None,
    max_solutions: int = 1000,
) -> Solution:
    """A shortest solution, or the proof that there is none, or how far the proof came within the budget.

    With `must_ricochet` only those solutions count in which the serving robot has turned: somewhere among its own
    moves, two that follow each other (others may move between them) differ in direction. Straight back counts as a
    turn. A robot that stands on its target at the start has solved the mission in no moves under the plain rule; with
    `must_ricochet` it has to leave and to come back.

    Args:
        threads: above one, the length is the same but `moves` and `nodes` may differ from run to run.
        max_nodes: positions to open, about; exact with one thread.
        cancel: set element 0 from another thread to stop within a few milliseconds.
        max_solutions: with `all_solutions`, list no more than this many.
    """
    begun = time.perf_counter()
    if not must_ricochet and _stands_on_target(position):
        return Solution("solved", 0, (), ((),), True, 0, time.perf_counter() - begun, -1, must_ricochet)
    if _key_is_too_long(position):
        return _solved_for_each(
            position,
            begun,
            must_ricochet=must_ricochet,
            all_solutions=all_solutions,
            threads=threads,
            max_nodes=max_nodes,
            max_seconds=max_seconds,
            cancel=cancel,
            max_solutions=max_solutions,
        )
    workspace = _take_workspace(position, must_ricochet)
    search = _Search(workspace, _Slices(max_nodes, max_seconds, cancel), threads)
    found = _answer(search, search.run(), begun, must_ricochet, max_solutions if all_solutions else None)
    _give_back(workspace)
    return found


def _answer(search: _Search, status: Status, begun: float, must_ricochet: bool, most: int | None) -> Solution:
    """Return what a search has found.

    Args:
        most: how many solutions to list; None: the one at hand is enough.
    """
    length: int | None = None
    moves: tuple[int, ...] = ()
    solutions: tuple[tuple[int, ...], ...] = ()
    complete = status == "unsolvable"
    if status == "solved":
        fields = search.winner.data
        length = fields[best_first.LENGTH]
        moves = tuple(fields[best_first.FIRST_MOVE : best_first.FIRST_MOVE + length])
        solutions = (moves,)
        if most is not None:
            solutions, complete = search.list_solutions(length, most, moves)
    return Solution(
        status=status,
        length=length,
        moves=moves,
        solutions=solutions,
        complete=complete,
        nodes=search.opened,
        seconds=time.perf_counter() - begun,
        proved_above=search.proved_above,
        must_ricochet=must_ricochet,
    )


def _key_is_too_long(position: Position) -> bool:
    """Return True if 63 bits do not hold a position and the number of the serving robot."""
    any_robot = position.target_robot < 0
    return any_robot and len(position.robots) == MAX_ROBOTS and _side_bits(position.walls) == LARGE_SIDE_BITS


def _solved_for_each(position: Position, begun: float, **limits: Unpack[_Limits]) -> Solution:
    """Return the best solution where any robot may serve, from a search for each of them; they share the budget."""
    found: list[Solution] = []
    for serving in range(len(position.robots)):
        spent, passed = sum(each.nodes for each in found), time.perf_counter() - begun
        left = limits.copy()
        if limits["max_nodes"] is not None:
            left["max_nodes"] = max(0, limits["max_nodes"] - spent)
        if limits["max_seconds"] is not None:
            left["max_seconds"] = max(0.0, limits["max_seconds"] - passed)
        found.append(solve(replace(position, target_robot=serving), **left))
    nodes, seconds = sum(each.nodes for each in found), time.perf_counter() - begun
    known = [each for each in found if each.length is not None]
    open_ends = [each for each in found if each.status in ("budget", "cancelled")]
    best = min(known, key=lambda each: len(each.moves), default=found[0])
    if open_ends and (not known or min(each.proved_above for each in open_ends) < len(best.moves) - 1):
        proved = min(each.proved_above for each in found if each.status != "unsolvable")
        return msgspec.structs.replace(open_ends[0], nodes=nodes, seconds=seconds, proved_above=proved)
    if not known:
        return msgspec.structs.replace(best, nodes=nodes, seconds=seconds)
    shortest = [each for each in known if each.length == best.length]
    listed = tuple(moves for each in shortest for moves in each.solutions) if limits["all_solutions"] else (best.moves,)
    complete = not open_ends and all(each.complete for each in shortest) and len(listed) <= limits["max_solutions"]
    return msgspec.structs.replace(
        best, solutions=listed[: limits["max_solutions"]], complete=complete, nodes=nodes, seconds=seconds
    )


class _Limits(TypedDict):
    """The limits of `solve`, all of them."""

    must_ricochet: bool
    all_solutions: bool
    threads: int
    max_nodes: int | None
    max_seconds: float | None
    cancel: NDArray[np.uint8] | None
    max_solutions: int


class _Search:
    """One search, on one thread until it has shown to be hard."""

    def __init__(self, workspace: _Workspace, slices: _Slices, threads: int) -> None:
        self.workspace = workspace
        self.slices = slices
        self.threads = threads
        self.controls = [workspace.control]
        self.winner = workspace.control
        self.inherited = 0

    @property
    def opened(self) -> int:
        return self.inherited + sum([control.data[best_first.OPENED] for control in self.controls])

    @property
    def proved_above(self) -> int:
        return self.winner.data[best_first.PROVED]

    def run(self) -> Status:
        """Search to the end or until the budget is spent."""
        status = self._run_alone()
        return status if status is not None else self._run_together()

    def _run_alone(self) -> Status | None:
        """None if the search has become hard enough for several threads; a layer is then complete."""
        workspace, fields = self.workspace, self.workspace.fields
        while True:
            opened = fields[best_first.OPENED]
            fields[best_first.OPENED_LIMIT] = opened + self.slices.slice(opened)
            if self.slices.spent:
                return self.slices.spent
            code = workspace.advance(workspace.control)
            if code == best_first.SOLVED:
                return "solved"
            if code == best_first.UNSOLVABLE:
                return "unsolvable"
            if code == best_first.LAYER_DONE:
                return None if fields[best_first.ALIVE] else "unsolvable"
            if code in (best_first.TABLE_FULL, best_first.ARENA_FULL) and workspace.is_small:
                workspace.enlarge()
            elif code != best_first.SLICE_USED:
                return "budget"
            if self.threads > 1 and fields[best_first.OPENED] > ALONE:
                fields[best_first.ONE_LAYER] = 1

    def _run_together(self) -> Status:
        """Go on with several threads, layer by layer."""
        workspace = self.workspace
        if workspace.is_small:
            workspace.enlarge()
        if workspace.control[best_first.STAGE] == best_first.PAIRED:
            workspace.fill_pairs()
        self.stop = threading.Event()
        self._share_out()
        with ThreadPoolExecutor(self.threads) as pool:
            while True:
                for control in self.controls:
                    best_first.begin_layer(control, int(control[best_first.LAYER]) + 1)
                if not self._make_room(LAYER_GROWTH):
                    return "budget"
                status = self._run_layer(pool)
                if status is not None:
                    return status

    def _share_out(self) -> None:
        """Give each thread every n-th position stored so far and an equal part of the free room."""
        first = self.workspace.control
        stored = int(first[best_first.STORED])
        room = (self.workspace.keys.size - stored) // self.threads
        self.inherited = int(first[best_first.OPENED])
        self.controls = [first.copy() for _ in range(self.threads)]
        for thread, control in enumerate(self.controls):
            control[best_first.OPENED] = 0
            control[best_first.SHARES_TABLE] = 1
            control[best_first.ARENA_FIRST] = control[best_first.STORED] = stored + thread * room
            control[best_first.ARENA_END] = stored + (thread + 1) * room
            ranges = control[best_first.FIRST_RANGE :][: best_first.RANGE_FIELDS * int(control[best_first.RANGES])]
            ranges[0 :: best_first.RANGE_FIELDS] += thread
            ranges[2 :: best_first.RANGE_FIELDS] = self.threads

    def _make_room(self, growth: int) -> bool:
        """Let the shared table grow to hold `growth` times its keys, if it can, and share out its free room."""
        workspace = self.workspace
        spans = [(0, int(self.controls[0][best_first.ARENA_FIRST]))]
        spans += [(int(c[best_first.ARENA_FIRST]), int(c[best_first.STORED])) for c in self.controls]
        stored = sum(end - first for first, end in spans)
        bits = old_bits = int(self.controls[0][best_first.TABLE_BITS])
        while best_first.table_limit(bits) < growth * stored and 2 << bits <= workspace.table.size:
            bits += 1
        if bits > old_bits:
            workspace.table[: 1 << bits] = 0
            for first, end in spans:
                best_first.add_stored_keys(workspace.keys, first, end, workspace.table, bits)
        share = (best_first.table_limit(bits) - stored) // self.threads
        for control in self.controls:
            control[best_first.TABLE_BITS] = bits
            control[best_first.STORED_LIMIT] = control[best_first.STORED] + share
        return share > LEAST_SHARE

    def _run_layer(self, pool: ThreadPoolExecutor) -> Status | None:
        """Search the layer that all threads have begun; None if another layer has to follow."""
        while True:
            self.stop.clear()
            codes = list(pool.map(self._run_thread, self.controls))
            if best_first.SOLVED in codes:
                self.winner = self.controls[codes.index(best_first.SOLVED)]
                return "solved"
            if self.slices.spent:
                return self.slices.spent
            if best_first.TABLE_FULL in codes:
                if not self._make_room(growth=2):
                    return "budget"
            elif best_first.ARENA_FULL in codes:
                return "budget"
            elif any(control[best_first.ALIVE] for control in self.controls):
                return None
            else:
                return "unsolvable"

    def _run_thread(self, control: NDArray[np.int64]) -> int:
        """Work on the layer until it is done, another thread says stop, or there is cause to say stop."""
        code = best_first.SLICE_USED
        while code == best_first.SLICE_USED and not self.stop.is_set():
            control[best_first.OPENED_LIMIT] = control[best_first.OPENED] + self.slices.slice(self.opened)
            if self.slices.spent:
                break
            code = self.workspace.advance(control)
        if code != best_first.LAYER_DONE:
            self.stop.set()
        return code

    def list_solutions(
        self, length: int, most: int, known: tuple[int, ...]
    ) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """All solutions of the proved `length`, at most `most`; and whether these are all."""
        workspace, control = self.workspace, self.winner.copy()
        candidates: Sequence[int] = [int(control[best_first.TARGET_ROBOT])]
        if candidates[0] < 0:
            candidates = range(int(control[best_first.ROBOTS]))
        if control[best_first.STAGE] == best_first.WEAK:
            bounds.spread_weak_bound(workspace.tables)
        rows = np.empty((most + 1, length), np.uint8)
        frames = np.empty((length + 1, every.FRAME_SIZE), np.int64)
        progress = np.zeros(every.PROGRESS_SIZE, np.int64)
        self.inherited = self.opened
        self.controls = [control]
        control[best_first.OPENED] = 0
        complete = True
        for control[best_first.TARGET_ROBOT] in candidates:
            dead_ends = np.zeros(DEAD_ENDS, np.int64)
            progress[every.DEPTH] = every.NOT_STARTED
            code = best_first.SLICE_USED
            while code == best_first.SLICE_USED and complete:
                control[best_first.OPENED_LIMIT] = control[best_first.OPENED] + self.slices.slice(self.opened)
                complete = self.slices.spent is None
                code = every.list_solutions(
                    control, progress, workspace.stops, workspace.tables[0], frames, dead_ends, rows
                )
        found = [tuple(row) for row in rows[: int(progress[every.FOUND])].tolist()]
        if len(found) > most:
            complete = False
        if known not in found[:most]:
            found.insert(0, known)
        return tuple(found[:most]), complete


def rate(
    walls: NDArray[np.uint8],
    robots: tuple[int, ...],
    max_depth: int = 12,
    *,
    cancel: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """For every (robot, cell) the fewest moves until that robot stops there; 255 if above `max_depth` (plain rule).

    Args:
        cancel: set element 0 from another thread to stop within some milliseconds; what is unknown by then stays 255.
    """
    _check_board(walls, robots)
    side_bits = _side_bits(walls)
    side, count = 1 << side_bits, len(robots)
    key_type: KeyType = np.uint32 if side_bits == SMALL_SIDE_BITS and count <= 4 else np.int64
    grid = np.empty(side * side, np.uint8)
    _lay_out(walls, grid.reshape(1 << side_bits, 1 << side_bits))
    control = np.zeros(rating.CONTROL_SIZE, np.int64)
    control[rating.SIDE_BITS] = side_bits
    control[rating.ROBOTS] = count
    control[rating.MAX_DEPTH] = max_depth
    control[rating.SLICE] = RATING_SLICE
    control[rating.FIRST_ROBOT : rating.FIRST_ROBOT + count] = _grid_cells(robots, walls, side_bits)
    stops = np.empty((side * side, 4), np.uint16)
    keys, table = np.empty(RATING_ARENA, key_type), np.empty(2 * RATING_ARENA, key_type)
    fewest = np.full((count, side * side), rating.NOT_REACHED, np.uint8)
    code = rating.SLICE_USED
    while code != rating.DONE and not (cancel is not None and cancel[0]):
        code = rating.rate_cells(control, grid, stops, keys, table, fewest)
        if code == rating.FULL:
            keys = np.concatenate([keys, np.empty_like(keys)])
            table = np.empty(2 * table.size, key_type)
            rating.refill(control, keys, table)
    return fewest.reshape(count, side, side)[:, : walls.shape[0], : walls.shape[1]].reshape(count, walls.size).copy()


def _side_bits(walls: NDArray[np.uint8]) -> int:
    """The bits of a row or column in the smallest grid that holds the board."""
    longest: int = max(walls.shape)
    return max(SMALL_SIDE_BITS, (longest - 1).bit_length())


def _lay_out(walls: NDArray[np.uint8], board: NDArray[np.uint8]) -> None:
    """Copy `walls` into the north-west corner of the square `board`; what is left over is solid."""
    if walls.shape == board.shape:
        board[:] = walls
    else:
        board[:] = ALL_SIDES
        board[: walls.shape[0], : walls.shape[1]] = walls


def _grid_cells(cells: tuple[int, ...], walls: NDArray[np.uint8], side_bits: int) -> list[int]:
    """The same cells in a grid of side 2**side_bits."""
    cols = walls.shape[1]
    if cols == 1 << side_bits:
        return list(cells)
    return [(cell // cols << side_bits) + cell % cols for cell in cells]


def _check_board(walls: NDArray[np.uint8], robots: tuple[int, ...]) -> None:
    if walls.ndim != 2 or not (1 <= walls.shape[0] <= LARGE_SIDE and 1 <= walls.shape[1] <= LARGE_SIDE):
        raise LevelError(f"walls have shape {walls.shape}, expected (rows, cols) of at most {LARGE_SIDE} each")
    if not 1 <= len(robots) <= MAX_ROBOTS:
        raise LevelError(f"{len(robots)} robots, expected 1 to {MAX_ROBOTS}: {robots}")
    if len(set(robots)) != len(robots) or min(robots) < 0 or max(robots) >= walls.size:
        raise LevelError(f"robots {robots}, expected different cells from 0 to {walls.size - 1}")


def _stands_on_target(position: Position) -> bool:
    if position.target_robot >= 0:
        return position.robots[position.target_robot] == position.target
    return position.target in position.robots


def _compile_search(target_robot: int) -> None:
    """Run each kernel of the search once, on one type of key: compact, or wide if any robot may serve."""
    position = Position(np.zeros((2, 2), np.uint8), (0, 3), 1, target_robot)
    workspace = _take_workspace(position, must_ricochet=False)
    search = _Search(workspace, _Slices(None, None, None), threads=2)
    search.run()
    search.list_solutions(int(search.winner[best_first.LENGTH]), 1, ())
    workspace.enlarge()
    search._share_out()
    best_first.begin_layer(search.controls[0], 1)
    best_first.add_stored_keys(workspace.keys, 0, 0, workspace.table, best_first.FIRST_TABLE_BITS)
    search._make_room(LAYER_GROWTH)
    workspace.fill_pairs()


def _compile_rating(robots: tuple[int, ...]) -> None:
    """Run the rating kernels once, on one type of key: compact up to four robots, wide for five."""
    rate(np.zeros((3, 3), np.uint8), robots, 1)
    wide = len(robots) == MAX_ROBOTS
    key_type: KeyType = np.int64 if wide else np.uint32
    keys = np.zeros(1, key_type)
    control = np.zeros(rating.CONTROL_SIZE, np.int64)
    rating.refill(control, keys, keys.copy())


# What `core.jit.warm_up` runs, so that no solve ever waits for the compiler.
WARM_UP: list[tuple[str, Callable[[], object]]] = [
    ("ricochet solver", lambda: _compile_search(0)),
    ("ricochet solver, any robot", lambda: _compile_search(-1)),
    ("ricochet ratings", lambda: _compile_rating((0, 1))),
    ("ricochet ratings, five robots", lambda: _compile_rating((0, 1, 2, 3, 4))),
]
