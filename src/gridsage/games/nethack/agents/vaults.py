"""Vaults: closed rooms of two by two squares with four piles of gold, looked for where they can be and dug into.

A vault is heard before it is seen. When a level is made nothing but rock lies around it (mklev.c), so that on a level
that was seen through few places are left for it. From outside its walls look like rock: only a stroke of the pick-axe
tells them apart.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer, Plan, walk
from gridsage.games.nethack.agents.body import Body, bid_of, key_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.gear import worn
from gridsage.games.nethack.agents.hero import SHIELD
from gridsage.games.nethack.agents.world import STEP_OF_WAY, LevelKey, World
from gridsage.games.nethack.level import CELLS, COLS, ROWS

HEARD = ("footsteps of a guard on patrol", "someone counting money")
LOOTED = "someone searching"  # what the guard does in a vault that holds no gold
OPENED, TOO_HARD = "You make an opening in the wall", "too hard to dig"
SIDE = 2  # squares of a vault in each direction
ROWS_FREE, COLS_FREE = 4, 5  # around it all was rock when the level was made
FIRST_ROW, FIRST_COL, LAST_ROW, LAST_COL = 2, 2, ROWS - 4, COLS - 4  # where its upper left square can be
DIG_COST, DWARVISH_DIG_COST = 8, 4  # turns that a square of rock takes
NEAR, FEW = 2, 5  # places so near to each other are seen from one tunnel; what one alone counts as
PATIENCE = 500  # turns spent on one vault
MOST_PLACES = 250  # more of them take longer, and mean that much of the level is still unknown
STROKES = 8  # commands of digging at one square before it is left as it is
HEALTHY = 0.6  # share of hit points with which a tunnel is dug
STRAIGHT = 4  # ways that are not diagonal come first
DOORS = (kn.DOORWAY, kn.OPEN_DOOR, kn.CLOSED_DOOR, kn.LOCKED_DOOR)

Mask = NDArray[np.bool_]  # (ROWS, COLS)


def places(dug: Mask, rooms: Mask) -> Mask:
    """Return where the upper left square of a vault can be: rooms and corridors far enough away, no tunnel within."""
    found = np.zeros((ROWS, COLS), np.bool_)
    for row in range(FIRST_ROW, LAST_ROW + 1):
        for col in range(FIRST_COL, LAST_COL + 1):
            found[row, col] = (
                not dug[row - 1 : row + SIDE + 1, col - 1 : col + SIDE + 1].any()
                and not rooms[
                    max(0, row - ROWS_FREE) : row + SIDE + ROWS_FREE, max(0, col - COLS_FREE) : col + SIDE + COLS_FREE
                ].any()
            )
    return found


def outline(cell: int) -> tuple[set[int], set[int]]:
    """Return the squares of the vault whose upper left square is `cell`, and those of its walls."""
    inside = {cell + row * COLS + col for row in range(SIDE) for col in range(SIDE)}
    around = {cell + row * COLS + col for row in range(-1, SIDE + 1) for col in range(-1, SIDE + 1)}
    return inside, around - inside


@dataclass
class _Hunt:
    """What is known of the vault of one level."""

    rooms: Mask  # what was known before, or came into sight and is no vault
    tunnel: set[int] = field(default_factory=set)
    vault: int | None = None  # its upper left square, once its walls were seen
    left: set[int] = field(default_factory=set)  # its squares that were not trodden yet
    hard: set[int] = field(default_factory=set)  # squares that cannot be dug
    path: list[int] = field(default_factory=list)
    stroke: tuple[int, int] = (-1, 0)  # the square dug at last, and how often
    opened: set[int] = field(default_factory=set)  # walls of it that were dug through
    seen: set[int] = field(default_factory=set)  # its squares that are known
    turns: int = 0  # spent on it

    def listen(self, said: str) -> None:
        """Take in what the last stroke met."""
        if OPENED in said and self.stroke[0] in self.tunnel:
            self.tunnel.discard(self.stroke[0])
            self.opened.add(self.stroke[0])
        if TOO_HARD in said:
            self.hard.add(self.stroke[0])
            self.path = []


class Plunder:
    """Dig a tunnel to the vault of this level and take its gold."""

    def __init__(self, body: Body, priority: int, explored: set[LevelKey]) -> None:
        self._body, self._priority, self._explored = body, priority, explored
        self.heard: set[LevelKey] = set()
        self.done: set[LevelKey] = set()  # emptied, or given up
        self._hunts: dict[LevelKey, _Hunt] = {}
        self._noted_turn = 0
        self._tight = False  # too much is carried for a step between two corners

    def note(self, world: World) -> None:
        """Listen for guards, and count the turns that a vault takes."""
        said, key = " ".join(world.messages), world.level.key
        self._tight = self._tight or "carrying too much to get through" in said
        if key[0] == 0 and any(words in said for words in HEARD):
            self.heard.add(key)
        if LOOTED in said:
            self.done.add(key)
        if self._body.tunnelling and (hunt := self._hunts.get(key)) is not None:
            hunt.listen(said)
            hunt.turns += max(0, world.turn - self._noted_turn)
            if hunt.turns > PATIENCE:
                self.done.add(key)
        self._noted_turn = world.turn

    def pending(self) -> list[LevelKey]:
        """Return the levels whose vault was heard and may still be found."""
        hero, body = self._body.hero, self._body
        if not self._priority or not self.heard or hero.digger is None or hero.beast:
            return []
        if worn(body, SHIELD) is not None and body.lore.object(hero.digger.number).two_handed:
            return []
        return sorted((self.heard & self._explored) - self.done)

    def bid(self, world: World) -> Offer | None:
        body, key = self._body, world.level.key
        body.tunnelling = False
        if body.diving or key not in self.pending() or not body.is_quiet() or not world.sees:
            return None
        if world.stats[st.HP] < HEALTHY * world.stats[st.HP_MAX] or body.is_muted("tunnel"):
            return None
        if key not in self._hunts:
            self._hunts[key] = _Hunt((world.memory[kn.TERRAIN] > kn.STONE).reshape(ROWS, COLS))
        hunt = self._hunts[key]
        self._look(world, hunt)
        offer = self._gather(world, hunt) or self._tunnel(world, hunt)
        if offer is None or (hunt.vault is not None and not hunt.left):
            self.done.add(key)
            return None
        body.tunnelling = True
        return offer

    def _look(self, world: World, hunt: _Hunt) -> None:
        """Find the vault behind the wall that was opened; anything else that came into sight is no vault."""
        terrain = world.memory[kn.TERRAIN]
        new = set(np.flatnonzero((terrain > kn.STONE) & ~hunt.rooms.ravel()).tolist()) - hunt.tunnel
        widened = {cell for cell in new if terrain[cell] == kn.CORRIDOR and not hunt.tunnel.isdisjoint(_around(cell))}
        hunt.tunnel |= widened
        new -= widened
        if new == hunt.seen:
            hunt.left.discard(world.hero)
            return
        vault = self._fitting(terrain, hunt, new)
        if vault != hunt.vault:
            hunt.vault, hunt.path = vault, []
            hunt.left = set() if vault is None else outline(vault)[0] - {world.hero}
        if vault is None:
            for cell in new:
                hunt.rooms[divmod(cell, COLS)] = True
            hunt.opened.clear()
            new = set()
        hunt.seen = new

    def _fitting(self, terrain: NDArray[np.int32], hunt: _Hunt, new: set[int]) -> int | None:
        """Return the upper left square of the vault that explains what is in sight near the opening, if one does."""
        best, most = None, 0
        for opening in hunt.opened:
            near = {cell for cell in new if arms.distance(cell, opening) <= SIDE + 1}
            for corner in (opening + row * COLS + col for row in range(-SIDE, 2) for col in range(-SIDE, 2)):
                row, col = divmod(corner, COLS)
                if not (FIRST_ROW <= row <= LAST_ROW and FIRST_COL <= col <= LAST_COL):
                    continue
                inside, around = outline(corner)
                floor = {cell for cell in near if terrain[cell] != kn.WALL and cell not in hunt.opened}
                fits = opening in around and near <= inside | around and floor <= inside
                if fits and len(floor) >= most and not hunt.tunnel & (inside | around):
                    best, most = corner, len(floor)
        return best

    def _gather(self, world: World, hunt: _Hunt) -> Offer | None:
        """Return the way to the next square of the vault, once its wall is open: all of it is seen from there."""
        dist = world.paths()
        if (unseen := next((cell for cell in hunt.opened if not world.memory[kn.WALKED, cell]), -1)) >= 0:
            way = dist[unseen] < kn.FAR
            return Offer(self._priority, "gather", unseen, partial(walk, world, unseen)) if way else None
        cell = min(hunt.left, key=lambda cell: int(dist[cell]), default=-1)
        if cell < 0 or dist[cell] >= kn.FAR:
            return None
        return Offer(self._priority, "gather", cell, partial(walk, world, cell))

    def _tunnel(self, world: World, hunt: _Hunt) -> Offer | None:
        """Return the next stroke or step of the tunnel, or None if there is nowhere left to dig."""
        terrain = world.memory[kn.TERRAIN]
        rock = _first_rock(terrain, hunt.path) if hunt.path and _can_be(hunt) else 0
        if not rock:
            hunt.path = self._plan(world, hunt)
            rock = _first_rock(terrain, hunt.path)
        if not rock:
            return None
        before, cell = hunt.path[rock - 1], hunt.path[rock]
        if before != world.hero:
            if world.paths()[before] < kn.FAR:
                return Offer(self._priority, "to the tunnel", before, partial(walk, world, before))
            hunt.hard.add(before)  # no way leads there: somebody stands in it, or it is too tight
            hunt.path = []
            return Offer(self._priority, "think", world.turn, _wait)
        hunt.stroke = (cell, hunt.stroke[1] + 1 if hunt.stroke[0] == cell else 1)
        if hunt.stroke[1] > STROKES:
            hunt.hard.add(cell)
            hunt.path = []
        hunt.tunnel.add(cell)
        tool = self._body.hero.digger
        assert tool is not None
        way = key_of(self._body.way_towards(cell))
        return bid_of(self._priority, "tunnel", world.turn, arms.digging(tool.letter, way))

    def _plan(self, world: World, hunt: _Hunt) -> list[int]:
        """Return the way to the vault, or to where it can be, soon and with many such places near by."""
        cost, came = self._costs(world, hunt)
        if hunt.vault is not None:
            goal = min(outline(hunt.vault)[0], key=lambda cell: cost[cell])
        else:
            dug = np.zeros(CELLS, np.bool_)
            dug[list(hunt.tunnel)] = True
            possible = places(dug.reshape(ROWS, COLS), hunt.rooms)
            rows, cols = np.nonzero(possible)
            if not 0 < len(rows) <= MOST_PLACES:
                return []
            crowd = [
                int(possible[max(0, row - NEAR) : row + NEAR + 1, max(0, col - NEAR) : col + NEAR + 1].sum())
                for row, col in zip(rows, cols, strict=True)
            ]
            choices = zip((rows * COLS + cols).tolist(), crowd, strict=True)
            goal = min(choices, key=lambda choice: cost[choice[0]] / (choice[1] + FEW))[0]
        if cost[goal] > PATIENCE:
            return []
        path = [goal]
        while path[-1] != world.hero:
            path.append(came[path[-1]])
        return path[::-1]

    def _costs(self, world: World, hunt: _Hunt) -> tuple[list[int], list[int]]:
        """Return the turns to every square, digging where no way leads, and the square before it."""
        terrain, barred = world.memory[kn.TERRAIN].tolist(), (world.memory[kn.TRAP] + world.memory[kn.SHUNNED]).tolist()
        walls = outline(hunt.vault)[1] if hunt.vault is not None else set()
        rock = DWARVISH_DIG_COST if self._body.hero.race == "dwarf" else DIG_COST
        cost, came = [int(kn.FAR)] * CELLS, [-1] * CELLS
        cost[world.hero] = 0
        heap = [(0, world.hero)]
        while heap:
            so_far, cell = heapq.heappop(heap)
            if so_far > cost[cell]:
                continue
            for way, step in enumerate(STEP_OF_WAY):
                to = cell + step
                row, col = divmod(to, COLS)
                if not (0 < row < ROWS - 1 and 0 < col < COLS - 1):
                    continue
                kind = terrain[to]
                if kind in (kn.WATER, kn.OBSTACLE) or barred[to] or to in hunt.hard:
                    continue
                if kind == kn.WALL and to not in walls:
                    continue  # those of rooms are left alone: some are shops
                if way >= STRAIGHT and (
                    self._tight or kind in DOORS or terrain[cell] in DOORS or to in walls or cell in walls
                ):
                    continue
                turns = so_far + (rock if kind <= kn.WALL else 1)
                if turns < cost[to]:
                    cost[to], came[to] = turns, cell
                    heapq.heappush(heap, (turns, to))
        return cost, came


def _wait() -> Plan:
    yield Phrase("s")


def _first_rock(terrain: NDArray[np.int32], path: list[int]) -> int:
    """Return which square of a way is the first that must be dug, or 0: the first of all is where the hero stood."""
    return next((at for at, cell in enumerate(path) if terrain[cell] <= kn.WALL), 0)


def _around(cell: int) -> set[int]:
    return {cell + step for step in STEP_OF_WAY}


def _can_be(hunt: _Hunt) -> bool:
    """Return True while the vault can be where the tunnel leads."""
    if hunt.vault is not None:
        return True
    inside, walls = outline(hunt.path[-1])
    return not hunt.tunnel & (inside | walls) and not hunt.rooms.ravel()[list(inside | walls)].any()
