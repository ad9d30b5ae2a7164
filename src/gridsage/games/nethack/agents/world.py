"""What the bot remembers: one map per level, the dungeon as a graph of levels, and itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.level import CELLS, COLS
from gridsage.games.nethack.state import State

LevelKey = tuple[int, int]  # the game's own (dungeon, level): a fall never makes a level twice

WAYS = tuple(map(ord, "kljhunby"))  # keys in the order of the kernels' directions
WAY_OF_KEY = {key: way for way, key in enumerate(WAYS)}
STEP_OF_WAY = tuple(int(dr) * COLS + int(dc) for dr, dc in zip(kn.DROW, kn.DCOL, strict=True))

WAY_OF_STEP = {step: way for way, step in enumerate(STEP_OF_WAY)}
EASY_STEP = 1 + kn.PET_COST  # a step this cheap needs no second thought

NO_WEIGHTS = np.zeros(kn.OBSTACLE + 1, np.int32)

BLIND, STUNNED, CONFUSED, HALLUCINATING = 32, 128, 256, 512
GEHENNOM, MINES, QUEST, SOKOBAN = 1, 2, 3, 4
REFUSED = re.compile(
    r"solid stone|is a wall|diagonally|too much to get through|in vain|Perhaps that's why|cannot pass|"
    r"squeeze|iron bars|don't fit|get around|There's not enough|however hard"
)
# Traps that stay where they are although things may hide them.
TRIGGERED = re.compile(
    r"trap door in the ceiling opens|rolling boulder trap|bear trap closes|(?:arrow|dart) shoots out at you|"
    r"cloud of gas|gush of water hits you|tower of flame|stumble into (?:a|the) spider web"
)
HIDDEN_TRAP = kn.FIRST_TRAP
READ = re.compile(r'You read: "([^"]*)"')
CLOSED = "Closed for inventory"  # the words before a closed shop
OWN_WORD, OWN_LETTERS = "Elbereth", 4  # what we write, and how many of its letters tell it from other words
# How shopkeepers greet, or turn away, whoever comes in.
SHOP = re.compile(r"[Ww]elcome(?: again)? to (?!NetHack)|Invisible customers are not|you dare return to")
GROUND = (
    ("staircase down here", kn.DOWN),
    ("ladder down here", kn.DOWN),
    ("staircase up here", kn.UP),
    ("ladder up here", kn.UP),
    ("doorway here", kn.DOORWAY),
    ("open door here", kn.OPEN_DOOR),
    ("can't go up here", kn.FLOOR),
    ("can't go down here", kn.FLOOR),
)
# What we stand on, unseen below us; and the words after which a fountain is there no more.
FEATURES = (("fountain here", kn.FOUNTAIN), ("altar to", kn.ALTAR), ("throne here", kn.THRONE), ("sink here", kn.SINK))
GONE = ("fountain dries up", "fountain disappears")
PEACE_TURNS = 60  # how long a kind that the game called peaceful is believed to be so
SHUNNED_DOOR = 2  # an entry of the SHUNNED plane
# Between two corners of rock, or past a boulder, nobody gets with more than 600 units of weight.
TOO_TIGHT = re.compile(r"carrying too much to get through|Perhaps that's why you cannot move past it")
REFUSALS = 2  # silent refusals of the same step before it is believed impossible


def is_closed_shop(said: str) -> bool:
    """Return True if what is read in the dust may once have said that a shop is closed: all its letters may wear off.

    Whoever kicks that door in is killed. But letters never grow where a space was, and we write in the dust ourselves.
    """
    found = READ.search(said)
    if CLOSED in said or found is None or "in the dust" not in said:
        return CLOSED in said
    own = sum(one == two for one, two in zip(found[1], OWN_WORD, strict=False))
    fits = all(one == " " for one, two in zip(found[1], CLOSED, strict=False) if two == " ")
    return own < OWN_LETTERS and len(found[1]) <= len(CLOSED) and fits


@dataclass
class LevelMemory:
    """One level as the bot knows it."""

    key: LevelKey
    depth: int
    memory: NDArray[np.int32] = field(default_factory=lambda: np.zeros((kn.PLANES, CELLS), np.int32), repr=False)
    before: NDArray[np.int16] = field(default_factory=lambda: np.full(CELLS, kn.MAP, np.int16), repr=False)
    known: int = 0  # squares that became known, ever
    leads_to: dict[int, LevelKey] = field(default_factory=dict)  # stairs used -> level they lead to
    searched_turns: int = 0
    vain_turns: int = 0  # the same since the hero came, or saw anything new here
    arrived_turn: int = 0
    refusals: dict[tuple[int, int], int] = field(default_factory=dict)
    exhausted: bool = False  # searched long enough to take any way out


def _touch(one: int, other: int) -> bool:
    """Return True if two cells are the same or neighbours."""
    return abs(one // COLS - other // COLS) <= 1 and abs(one % COLS - other % COLS) <= 1


class World:
    """The bot's memory, kept up to date by `update`."""

    def __init__(self) -> None:
        self.levels: dict[LevelKey, LevelMemory] = {}
        self.level = LevelMemory((-1, -1), 0)
        self.state: State | None = None
        self.hero = 0
        self.turn = 0
        self.stats: tuple[int, ...] = (0,) * st.STATS
        self.messages: tuple[str, ...] = ()
        self.swallowed = False
        self.new_squares = 0
        self.attempt: tuple[int, int] | None = None  # (cell, way) of the last step tried
        self.attempt_turn = 0
        self.kicking = -1  # the door being kicked
        self.last_prayer = -1
        self.items = 0
        self.brave = 0
        self.guard_turn = -1000  # when a vault guard last told us to follow
        self.tight: tuple[LevelKey, int, int] = (
            (-1, -1),
            -1,
            0,
        )  # what our load bars us from: level, cell, way
        self.jammed: tuple[LevelKey, int] = ((-1, -1), -1)  # the boulder pushed at in vain last
        self._dist = np.empty(CELLS, np.int32)
        self._came = np.empty(CELLS, np.int32)
        self._near_dist = np.empty(CELLS, np.int32)  # of floods that stop at the first frontier square
        self._near_came = np.empty(CELLS, np.int32)
        self._fresh = False
        self._map = b""  # the glyphs for which `_dist` holds, if it is fresh
        self._last_key = 0
        self._left = -1  # the square from which the hero came to where it is
        self._route = np.empty(CELLS, np.int32)  # the way being walked: its squares, how many, which is next
        self._route_length = self._route_next = 0
        self._route_end = -1

    @property
    def memory(self) -> NDArray[np.int32]:
        return self.level.memory

    @property
    def sees(self) -> bool:
        return not self.stats[st.CONDITION] & BLIND

    def update(self, state: State) -> None:
        """Take in what the screen shows now."""
        self.state, self.stats, self.messages = state, state.stats, state.messages
        stats = self.stats
        key = (stats[st.DUNGEON], stats[st.DUNGEON_LEVEL])
        hero = stats[st.ROW] * COLS + stats[st.COL]
        if key != self.level.key:
            self._change_level(key, hero)
        moved = hero != self.hero
        if moved:
            self._left = self.hero
        self.hero, self.turn = hero, stats[st.TURN]
        level = self.level
        found = int(kn.look(state.glyphs, level.before, level.memory, hero, self.sees))
        self.swallowed = found < 0
        self.new_squares = -1 - found if found < 0 else found
        level.known += self.new_squares
        if self.new_squares:
            level.vain_turns = 0
        seen = state.map_bytes
        if moved or self.messages or self._map != seen:
            self._fresh, self._map = False, seen  # otherwise only time has passed
        if moved or self.new_squares or self.messages:
            self._follow_route()
        if self.attempt is not None:
            self._judge_attempt(moved)
        if self.messages:
            self._read_messages()
        if level.memory[kn.TERRAIN, hero] == kn.COVERED and self.sees:
            level.memory[kn.TERRAIN, hero] = kn.FLOOR  # we stand on it, and nothing was said of stairs

    def paths(self) -> NDArray[np.int32]:
        """Turns to every square from here; computed once per turn when somebody asks."""
        if not self._fresh:
            kn.flood(self.level.memory, self.hero, self.turn, self.brave, NO_WEIGHTS, kn.ALL, self._dist, self._came)
            self._fresh = True
        return self._dist

    def stale(self) -> None:
        """Forget computed ways: the memory was changed by hand."""
        self._fresh = False
        self._route_end = -1

    def is_on_way(self, target: int) -> bool:
        """Return True if the way to `target` computed before still holds: no new square, and the next step is free."""
        if target < 0 or self._route_end != target:
            return False
        way = WAY_OF_STEP.get(int(self._route[self._route_next]) - self.hero, -1)
        return way >= 0 and kn.entry_cost(self.level.memory, self.hero, way, self.turn, self.brave) <= EASY_STEP

    def way_to(self, target: int) -> int:
        """The direction of the first step towards `target`, or -1."""
        if not self.is_on_way(target):
            self.paths()
            if not self._take_route(target, self._came):
                return -1
        return WAY_OF_STEP[int(self._route[self._route_next]) - self.hero]

    def ahead(self, count: int) -> list[int]:
        """The next squares, at most `count`, of the way computed last."""
        end = min(self._route_next + count, self._route_length) if self._route_end >= 0 else 0
        return [int(cell) for cell in self._route[self._route_next : end]]

    def frontier(self, weights: NDArray[np.int32], wanted: int) -> int:
        """The frontier square to walk to, with the way there: `wanted` if it is one still, else the nearest; or -1."""
        if not (wanted >= 0 and kn.is_frontier(self.level.memory, wanted)):
            wanted = kn.NEAREST
        elif self.is_on_way(wanted):
            return wanted
        found = kn.NEAREST
        dist, came = self._near_dist, self._near_came  # the flood stops early: these distances are not everybody's
        for goal in {wanted: None, kn.NEAREST: None}:
            found = int(kn.flood(self.level.memory, self.hero, self.turn, self.brave, weights, goal, dist, came))
            if found >= 0:
                self._take_route(found, came)
                break
        return found

    def _take_route(self, target: int, came: NDArray[np.int32]) -> bool:
        self._route_length = int(kn.trace_route(came, self.hero, target, self._route))
        self._route_next, self._route_end = 0, target if self._route_length else -1
        return self._route_length > 0

    def _follow_route(self) -> None:
        """Advance on the way being walked, or drop it when we are off it or the map has grown."""
        if self._route_end < 0:
            return
        if self.new_squares or self.messages or self._route[self._route_next] != self.hero:
            self._route_end = -1
            return
        self._route_next += 1
        if self._route_next >= self._route_length:
            self._route_end = -1

    def try_step(self, way: int) -> int:
        """The key of a step in direction `way`; the next update judges whether it worked."""
        self.attempt, self.attempt_turn = (self.hero, way), self.turn
        return WAYS[way]

    def left_by(self, key: int) -> None:
        """Note the key sent last, so that a change of level knows its stairs."""
        self._last_key = key

    def is_at_gap(self) -> bool:
        """Return True if we stand before the gap that was too tight last."""
        return self.tight[:2] == (self.level.key, self.hero)

    def loosen(self) -> None:
        """Forget the gap that was too tight: we carry less now, or it is wider."""
        _, cell, way = self.tight
        self.level.memory[kn.BLOCKED, cell] &= ~(1 << way)
        self.tight = ((-1, -1), -1, 0)
        self.stale()

    def forgive(self) -> None:
        """Forget refusals and doors given up: what blocked may have moved."""
        self.level.memory[kn.BLOCKED] = 0
        self.level.memory[kn.TRIES] = 0
        self.level.refusals.clear()
        self.stale()

    def dare_doors(self) -> None:
        """Shun no door any more: it may be the only way out."""
        shunned = self.level.memory[kn.SHUNNED]
        shunned[shunned == SHUNNED_DOOR] = 0
        self.stale()

    def note_peaceful(self) -> None:
        """The game asked whether we really attack: the kind is peaceful for a while."""
        if self.attempt is None:
            return
        cell, way = self.attempt
        monster = int(self.memory[kn.MONSTER, cell + STEP_OF_WAY[way]])
        if 0 < monster <= kn.MONSTERS:
            self.memory[kn.PEACEFUL, monster - 1] = self.turn + PEACE_TURNS
        self.attempt = None
        self.stale()

    def _change_level(self, key: LevelKey, hero: int) -> None:
        came_from, left_at = self.level, self.hero
        if key not in self.levels:
            self.levels[key] = LevelMemory(key, self.stats[st.DEPTH])
        self.level = self.levels[key]
        self.level.arrived_turn = self.stats[st.TURN]
        self.level.vain_turns = 0
        self.attempt = None
        self.kicking = -1
        self.brave = 0
        if self._last_key in (ord(">"), ord("<")) and came_from.key != (-1, -1):
            came_from.leads_to[left_at] = key
            self.level.leads_to[hero] = came_from.key
            self.level.memory[kn.TERRAIN, hero] = kn.UP if self._last_key == ord(">") else kn.DOWN
        self.forget_monsters()

    def forget_monsters(self) -> None:
        """Forget whoever was seen on this level: those in sight are seen again, and others may have moved."""
        self.level.memory[kn.MONSTER] = 0
        self.level.before[self.level.before < kn.BODY] = kn.MAP

    def _judge_attempt(self, moved: bool) -> None:
        assert self.attempt is not None and self.state is not None
        if self.state.prompt:
            return
        cell, way = self.attempt
        self.attempt = None
        if moved or self.hero != cell or self.turn != self.attempt_turn:
            return
        target = cell + STEP_OF_WAY[way]
        memory = self.level.memory
        if not 0 <= target < CELLS:
            memory[kn.BLOCKED, cell] |= 1 << way  # the edge of the map
            self._fresh = False
            return
        said = " ".join(self.messages)
        if "locked" in said and kn.CLOSED_DOOR <= memory[kn.TERRAIN, target] <= kn.LOCKED_DOOR:
            return  # told in _read_messages
        if memory[kn.MONSTER, target] and not REFUSED.search(said):
            return
        count = self.level.refusals.get((cell, way), 0) + 1
        self.level.refusals[cell, way] = count
        if count >= REFUSALS or REFUSED.search(said):
            memory[kn.BLOCKED, cell] |= 1 << way
            self._fresh = False
        reels = self.stats[st.CONDITION] & (STUNNED | CONFUSED)
        if "solid stone" in said and memory[kn.TERRAIN, target] == kn.CORRIDOR and not reels:
            memory[kn.TERRAIN, target] = kn.STONE  # a guard dug it, and it closed behind him
        if TOO_TIGHT.search(said):
            self.tight = (self.level.key, cell, way)
        elif "in vain" in said:
            self.jammed = (self.level.key, target)

    def _read_messages(self) -> None:
        said = " ".join(self.messages)
        if "door" in said:
            if "This door is locked" in said:
                self._mark_door(kn.CLOSED_DOOR, kn.LOCKED_DOOR)
                if self.level.key[0] == MINES:
                    self._shun_doors()  # the watch of Minetown minds who kicks
            elif "no door" in said or "door is broken" in said:
                self._mark_door(kn.CLOSED_DOOR, kn.DOORWAY)
        if is_closed_shop(said):
            self._shun_doors()
        if TRIGGERED.search(said):
            self.level.memory[kn.TRAP, self.hero] = HIDDEN_TRAP
        if "follow me" in said:
            self.guard_turn = self.turn
        if " here" in said:
            self._read_ground(said)
        if any(words in said for words in GONE):
            self.level.memory[kn.FEATURE, self.hero] = 0
        if (SHOP.search(said) and '"' in said) or "(for sale," in said or "no charge)" in said:
            self._shun_room()

    def _shun_doors(self) -> None:
        """Leave the shut doors beside us alone from now on."""
        memory = self.level.memory
        for step in STEP_OF_WAY:
            near = self.hero + step
            if 0 <= near < CELLS and kn.CLOSED_DOOR <= memory[kn.TERRAIN, near] <= kn.LOCKED_DOOR:
                memory[kn.SHUNNED, near] = SHUNNED_DOOR
        self.stale()

    def _read_ground(self, said: str) -> None:
        """What the game says of the square we stand on, which things or we ourselves cover."""
        for words, kind in GROUND:
            if words in said:
                self.level.memory[kn.TERRAIN, self.hero] = kind
                self.stale()
        for words, feature in FEATURES:
            if words in said:
                self.level.memory[kn.FEATURE, self.hero] = feature
        if "can't go up here" in said or "can't go down here" in said:
            self.level.leads_to.pop(self.hero, None)

    def _mark_door(self, old: int, new: int) -> None:
        """Change the door that was just pushed against; without a known push, any door of that kind beside us."""
        memory = self.level.memory
        for way in range(4):
            near = self.hero + STEP_OF_WAY[way]
            if 0 <= near < CELLS and memory[kn.TERRAIN, near] == old and self._last_key in (WAYS[way], 0):
                memory[kn.TERRAIN, near] = new
                memory[kn.BLOCKED, self.hero] &= ~(1 << way)
        self.stale()

    def _shun_room(self) -> None:
        """A shopkeeper greeted us: its floor is no place to explore. It is lit, so the door shows all of it.

        The floor from which we came to the door is a street of Minetown, or another room.
        """
        memory = self.level.memory
        terrain = memory[kn.TERRAIN]
        doors = {self.hero + step for step in STEP_OF_WAY} | {self.hero}
        if kn.DOORWAY <= terrain[self.hero] <= kn.LOCKED_DOOR:
            doors = {cell for cell in doors if not _touch(cell, self._left)}
        waiting = [cell for cell in doors if 0 <= cell < CELLS and terrain[cell] in (kn.FLOOR, kn.COVERED)]
        seen = set(waiting)
        while waiting:
            cell = waiting.pop()
            memory[kn.SHUNNED, cell] = max(1, int(memory[kn.SHUNNED, cell]))
            for step in STEP_OF_WAY:
                near = cell + step
                if 0 <= near < CELLS and near not in seen and terrain[near] in (kn.FLOOR, kn.COVERED):
                    seen.add(near)
                    waiting.append(near)
        self.stale()
