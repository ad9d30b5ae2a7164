"""One search with its budget: on one thread until it has shown to be hard, then on several."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from gridsage.core.budget import Meter
from gridsage.core.game import Budget
from gridsage.games.ricochet.kernels import best_first, bounds, every
from gridsage.games.ricochet.solver.position import Position, Status
from gridsage.games.ricochet.solver.workspace import SLICE, Workspace, take_workspace

# Fewer opened positions than this are not worth a second thread: near 10 ms.
ALONE = 40_000
DEAD_ENDS = 1 << 20
# A layer has rarely more than three times the positions of all layers before it.
LAYER_GROWTH = 3
# A thread with less free room than this in the table would stop at once.
LEAST_SHARE = 1 << 12


class Slices:
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


class ShortestSearch:
    """One search, on one thread until it has shown to be hard."""

    __slots__ = ("controls", "inherited", "slices", "stop", "threads", "winner", "winner_fields", "workspace")

    def __init__(self, workspace: Workspace, slices: Slices, threads: int) -> None:
        self.workspace = workspace
        self.slices = slices
        self.threads = threads
        self.controls = [workspace.control]
        self.winner = workspace.control
        self.winner_fields = workspace.fields
        self.inherited = 0

    @property
    def opened(self) -> int:
        if len(self.controls) == 1:
            return self.inherited + self.winner_fields[best_first.OPENED]
        return self.inherited + sum([control.data[best_first.OPENED] for control in self.controls])

    def run(self, code: int = best_first.SLICE_USED) -> Status:
        """Search to the end or until the budget is spent.

        Args:
            code: what the last slice came to, if there was one.
        """
        status = self._run_alone(code)
        return status if status is not None else self._run_together()

    def _run_alone(self, code: int) -> Status | None:
        """None if the search has become hard enough for several threads; a layer is then complete."""
        workspace, fields = self.workspace, self.workspace.fields
        while True:
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
            opened = fields[best_first.OPENED]
            if self.threads > 1 and opened > ALONE:
                fields[best_first.ONE_LAYER] = 1
            fields[best_first.OPENED_LIMIT] = opened + self.slices.slice(opened)
            if self.slices.spent:
                return self.slices.spent
            code = workspace.advance(workspace.control)

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
                self.winner_fields = self.winner.data
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
        self.controls, self.winner_fields = [control], control.data
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


def compile_search(target_robot: int) -> None:
    """Run each kernel of the search once, on one type of key: compact, or wide if any robot may serve."""
    position = Position(np.zeros((2, 2), np.uint8), (0, 3), 1, target_robot)
    workspace = take_workspace(position, must_ricochet=False)
    search = ShortestSearch(workspace, Slices(None, None, None), threads=2)
    search.run()
    search.list_solutions(int(search.winner[best_first.LENGTH]), 1, ())
    workspace.enlarge()
    search._share_out()
    best_first.begin_layer(search.controls[0], 1)
    best_first.add_stored_keys(workspace.keys, 0, 0, workspace.table, best_first.FIRST_TABLE_BITS)
    search._make_room(LAYER_GROWTH)
    workspace.fill_pairs()
