"""The referee: reads the kernel's truth in the game's process and counts what the hero found of it.

Nothing it knows crosses the pipe while the game runs, apart from the verdicts `stuck` and `turn limit`.
"""

from __future__ import annotations

import _ctypes
import ctypes
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack import state as st
from gridsage.games.nethack.level import COLS, ROWS, Options
from gridsage.games.nethack.session.protocol import LevelCount, Report

# struct rm of NetHack 3.6 as gcc lays it out: 8 bytes; `level.locations` is [80][21] of them.
LOCATION = np.dtype([("glyph", "i4"), ("typ", "i1"), ("seenv", "u1"), ("low", "u1"), ("high", "u1")])
COLNO, ROWNO = COLS + 1, ROWS
SECRET_DOOR, SECRET_CORRIDOR, DOOR = 14, 15, 22  # everything from DOOR on can be walked
DOOR_MASK, DOOR_OPEN, DOOR_CLOSED, DOOR_LOCKED = 31, 2, 4, 8
STONE_GLYPH, DOWN_STAIRS_GLYPH, DOWN_LADDER_GLYPH = 2359, 2359 + 24, 2359 + 26
IDLE_KEYS = 3000  # keys without a turn passing that count as stuck too: such a game would never end
QUEST = 3  # the dungeon number of the Quest
DIGGERS = (1906 + 234, 1906 + 50)  # glyphs of pick-axe and dwarvish mattock
# The chance of winning of a person who came this deep, or this far in experience (the BALROG scale), from 0 on.
BY_DEPTH = (
    0.0, 0.0, 0.0154, 0.0175, 0.0212, 0.0265, 0.0354, 0.0485, 0.0696, 0.0977, 0.1256, 0.1613, 0.2061, 0.2566,
    0.2925, 0.3088, 0.3249, 0.3401, 0.3526, 0.3655, 0.3790, 0.3929, 0.4083, 0.4258, 0.4452, 0.4664, 0.5068, 0.5544,
    0.6016, 0.6465, 0.6913, 0.7101, 0.7176, 0.7232, 0.7284, 0.7328, 0.7369, 0.7421, 0.7471, 0.7537, 0.7610, 0.7674,
    0.7725, 0.7772, 0.7813, 0.7859, 0.7890, 0.7930, 0.7967, 0.8018, 0.8068,
)  # fmt: skip
BY_EXPERIENCE = (
    0.0, 0.0, 0.0185, 0.0208, 0.0242, 0.0291, 0.0369, 0.0508, 0.0745, 0.1170, 0.1791, 0.2548, 0.3326, 0.4144,
    0.4940, 0.5779, 0.6261, 0.6563, 0.6810, 0.7015, 0.7174, 0.7287, 0.7371, 0.7443, 0.7513, 0.7586, 0.7642, 0.7703,
    0.7760, 0.7783, 0.7805,
)  # fmt: skip
BY_QUEST = (0.0, 0.366, 0.546, 0.549, 0.561, 0.566)
NEIGHBOURS = tuple((dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)

Plane = NDArray[np.int32]  # (ROWS, COLS)


@dataclass
class _Truth:
    """What a level was when the hero first came, and the count that grows with every visit."""

    count: LevelCount
    squares: NDArray[np.bool_]
    doors: NDArray[np.bool_]
    closed: NDArray[np.bool_]
    secret_doors: NDArray[np.bool_]
    secret_corridors: NDArray[np.bool_]
    reachable: NDArray[np.bool_]
    down: tuple[tuple[int, int], ...]  # row, col of stairs and ladders down, the branch's included
    best_seen: int = 0


class Referee:
    """Follows one game step by step."""

    def __init__(
        self,
        library: str,
        stats: NDArray[np.int64],
        glyphs: NDArray[np.int16],
        pack: NDArray[np.uint8],
        things: NDArray[np.int16],
        options: Options,
    ) -> None:
        self._stats, self._glyphs, self._pack, self._options = stats, glyphs, pack, options
        self._things = things  # glyphs of what is carried
        # Two facts of nle: the path opens the live image, and a handle kept across its reset aborts the process.
        handle = ctypes.CDLL(library)
        self._address = {
            name: ctypes.addressof(ctypes.c_char.in_dll(handle, name))
            for name in ("level", "dnstair", "dnladder", "sstairs")
        }
        _ctypes.dlclose(handle._handle)
        size = LOCATION.itemsize * COLNO * ROWNO
        buffer = (ctypes.c_char * size).from_address(self._address["level"])
        # Copied as plain words of 8 bytes: numpy copies a structured array field by field, 60 times slower.
        self._live = np.frombuffer(memoryview(buffer).cast("B"), np.int64)
        self._words = self._live.copy()
        self._copy = self._words.view(LOCATION).reshape(COLNO, ROWNO)
        self._levels: dict[tuple[int, int], _Truth] = {}
        self._here: _Truth | None = None
        self._key = (-1, -1)
        self._where = (0, 0)
        self._turn = self._progress_turn = 0
        self._idle_keys = 0
        self._best_items = self._items = 0
        self._points = 0
        self._depth = self._experience = self._quest_depth = 0
        self._tool_turn = -1
        self.last_line: dict[str, str] = {}
        self.look()

    def look(self) -> int:
        """Note the position after a key; returns the status it leads to."""
        stats = self._stats.tolist()
        key = (stats[st.DUNGEON], stats[st.DUNGEON_LEVEL])
        turn = stats[st.TURN]
        if self._here is not None:
            self._here.count.turns += max(0, turn - self._turn)
        self._idle_keys = self._idle_keys + 1 if turn == self._turn else 0
        self._turn = turn
        if key != self._key:
            self._change_level(key, stats)
        else:
            self._words[...] = self._live
        self._where = (stats[st.ROW], stats[st.COL])
        self._depth = max(self._depth, stats[st.DEPTH])
        self._experience = max(self._experience, stats[st.EXPERIENCE])
        if key[0] == QUEST:
            self._quest_depth = max(self._quest_depth, key[1])
        self._note_progress(stats)
        if turn >= self._options.max_turns:
            return st.TURN_LIMIT
        if turn - self._progress_turn >= self._options.stuck_turns or self._idle_keys >= IDLE_KEYS:
            return st.STUCK
        return st.RUNNING

    def finish(self, died: bool) -> None:
        """Count the level where the game stands; after death the last copy before it is counted."""
        if not died:
            self._words[...] = self._live
        if self._here is not None:
            self._tally(self._here)

    def report(self, keys: int, folded: int, prompts: int, seconds: float) -> Report:
        """All counts so far."""
        levels = [truth.count for truth in self._levels.values()]
        return Report(
            levels, keys, self._turn, folded, prompts, self._depth, self._experience, self._progress_turn, seconds,
            progression(self._depth, self._experience, self._quest_depth), self._tool_turn, self.last_line,
        )  # fmt: skip

    def _note_progress(self, stats: list[int]) -> None:
        assert self._here is not None
        seen = int(np.count_nonzero(self._glyphs != STONE_GLYPH))
        items = int(np.count_nonzero(self._pack))
        if seen > self._here.best_seen or items > self._best_items or stats[st.POINTS] > self._points:
            self._progress_turn = self._turn
        self._here.best_seen = max(seen, self._here.best_seen)
        if items != self._items:
            self._items = items
            if self._tool_turn < 0 and np.isin(self._things, DIGGERS).any():
                self._tool_turn = self._turn
        self._best_items = max(items, self._best_items)
        self._points = stats[st.POINTS]  # what a drained hero wins back is progress too

    def _change_level(self, key: tuple[int, int], stats: list[int]) -> None:
        if self._here is not None:
            self._tally(self._here)
            if stats[st.DEPTH] > self._here.count.depth:
                self._here.count.left_down = True
                self._here.count.fell |= self._where not in self._here.down
        self._words[...] = self._live
        if key not in self._levels:
            self._levels[key] = self._truth(key, stats)
            self._progress_turn = self._turn
        self._key, self._here = key, self._levels[key]
        self._here.count.visits += 1

    def _truth(self, key: tuple[int, int], stats: list[int]) -> _Truth:
        kind, flags = self._kind(), self._flags()
        squares = kind >= DOOR
        doors = kind == DOOR
        shut = (flags & (DOOR_CLOSED | DOOR_LOCKED)) > 0
        tight = doors & ((flags & (DOOR_OPEN | DOOR_CLOSED | DOOR_LOCKED)) > 0)
        reachable = reach(squares, tight, (stats[st.ROW], stats[st.COL]))
        main = [self._stairs(name) for name in ("dnstair", "dnladder")]
        branch = self._stairs("sstairs")
        glyph_down = [place for place in main if place is not None]
        truth = _Truth(
            LevelCount(key[0], key[1], stats[st.DEPTH], stats[st.TURN]),
            squares,
            doors,
            doors & shut,
            kind == SECRET_DOOR,
            kind == SECRET_CORRIDOR,
            reachable,
            tuple(glyph_down + ([branch] if branch is not None else [])),
        )
        count = truth.count
        count.squares = int(squares.sum())
        count.open_squares = int(reachable.sum())
        count.doors, count.closed_doors = int(doors.sum()), int(truth.closed.sum())
        count.secret_doors = int(truth.secret_doors.sum())
        count.secret_corridors = int(truth.secret_corridors.sum())
        count.stairs_down = len(glyph_down)
        count.secret_needed = bool(glyph_down) and not any(reachable[place] for place in glyph_down)
        return truth

    def _tally(self, truth: _Truth) -> None:
        """Count from the last copy of the level what the hero remembers of it."""
        kind, count = self._kind(), truth.count
        glyph = self._copy["glyph"].T[:, 1:]
        seen = glyph != STONE_GLYPH
        count.squares_seen = int((truth.squares & seen).sum())
        count.open_squares_seen = int((truth.reachable & seen).sum())
        count.doors_seen = int((truth.doors & seen).sum())
        count.closed_doors_seen = int((truth.closed & seen).sum())
        shut = (self._flags() & (DOOR_CLOSED | DOOR_LOCKED)) > 0
        count.closed_doors_opened = int((truth.closed & ~(shut & (kind == DOOR))).sum())
        count.secret_doors_found = int((truth.secret_doors & (kind == DOOR)).sum())
        count.secret_corridors_found = int((truth.secret_corridors & (kind >= DOOR)).sum())
        down = (glyph == DOWN_STAIRS_GLYPH) | (glyph == DOWN_LADDER_GLYPH)
        known = [place for place in truth.down[: count.stairs_down] if down[place] or place == self._where]
        count.stairs_down_seen = max(count.stairs_down_seen, len(known))

    def _kind(self) -> NDArray[np.int8]:
        kind: NDArray[np.int8] = self._copy["typ"].T[:, 1:]
        return kind

    def _flags(self) -> NDArray[np.uint8]:
        low: NDArray[np.uint8] = self._copy["low"].T[:, 1:]
        return low & np.uint8(DOOR_MASK)

    def _stairs(self, name: str) -> tuple[int, int] | None:
        """Row and column of a staircase; the branch's only if it leads down (its fifth byte says up)."""
        x, y, _, _, up = (ctypes.c_byte * 5).from_address(self._address[name])
        if x == 0 or (name == "sstairs" and up):
            return None
        return y, x - 1


def progression(depth: int, experience: int, quest: int) -> float:
    """Return the better of depth and experience level as a chance of winning."""
    return max(
        BY_DEPTH[min(max(depth, 0), len(BY_DEPTH) - 1)],
        BY_EXPERIENCE[min(max(experience, 0), len(BY_EXPERIENCE) - 1)],
        BY_QUEST[min(quest, len(BY_QUEST) - 1)],
    )


def reach(squares: NDArray[np.bool_], tight: NDArray[np.bool_], start: tuple[int, int]) -> NDArray[np.bool_]:
    """Squares that can be walked to from `start`: no diagonal step enters or leaves a `tight` door."""
    found = np.zeros_like(squares)
    walk, narrow = squares.tolist(), tight.tolist()
    seen = {start}
    waiting = deque([start])
    while waiting:
        row, col = waiting.popleft()
        found[row, col] = True
        for dr, dc in NEIGHBOURS:
            to_row, to_col = row + dr, col + dc
            if not (0 <= to_row < ROWS and 0 <= to_col < COLS) or (to_row, to_col) in seen:
                continue
            if not walk[to_row][to_col] or (dr and dc and (narrow[row][col] or narrow[to_row][to_col])):
                continue
            seen.add((to_row, to_col))
            waiting.append((to_row, to_col))
    return found & squares
