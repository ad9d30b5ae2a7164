"""Where to wait: on the stairs of the Mines while foes come, and on rounds through the level on which a hero grows."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.behaviours import Offer, walk
from gridsage.games.nethack.agents.body import Body, bid_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.journey import Journey
from gridsage.games.nethack.agents.living import WEAK
from gridsage.games.nethack.agents.watchdog import Watchdog
from gridsage.games.nethack.agents.world import MINES, LevelKey, World
from gridsage.games.nethack.level import COLS

# How long the stairs are held after the last foe was seen, how long altogether, and how far from them.
HOLD_TURNS, HOLD_MOST, HOLD_STEPS, HOLD_BOUT = 25, 400, 8, 5
POSTS, APART = 6, 15  # posts of a round, stairs among them, and how many squares lie between two of them at least
PLAN_TURNS = 1000  # turns after which a round is planned anew: doors were opened, and rocks moved
WAIT = "20s"  # on stairs


class Hold:
    """Stand on the stairs up of a level of the Mines as long as its gnomes come: there every fight can be left."""

    def __init__(self, body: Body, journey: Journey, watchdog: Watchdog, priority: int) -> None:
        self._body, self._journey, self._watchdog, self._priority = body, journey, watchdog, priority
        self._held: dict[LevelKey, int] = {}  # turns spent so, by level

    def bid(self, world: World) -> Offer | None:
        body, key = self._body, world.level.key
        if key[0] != MINES or not self._journey.wants_mines(world) or body.hero.race in ("dwarf", "gnome"):
            return None
        since = min(world.turn - body.seen_turn, world.turn - world.level.arrived_turn)
        if since > HOLD_TURNS or self._held.get(key, 0) > HOLD_MOST or world.stats[st.HUNGER] >= WEAK:
            return None
        stairs = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.UP))
        if stairs < 0 or world.paths()[stairs] > HOLD_STEPS:
            return None
        self._watchdog.excuse(world)
        if stairs != world.hero:
            return Offer(self._priority, "to the stairs", stairs, partial(walk, world, stairs))
        self._held[key] = self._held.get(key, 0) + HOLD_BOUT
        return bid_of(self._priority, "hold", world.turn, Phrase(f"{HOLD_BOUT}s"))


class Camp:
    """Go rounds through the deepest level that the hero is strong enough for, and wait on its stairs for monsters.

    Many never find the hero by themselves: whoever only waits on stairs meets fewer, and prays for food more often.
    """

    def __init__(self, body: Body, journey: Journey, watchdog: Watchdog, priority: int) -> None:
        self._body, self._journey, self._watchdog, self._priority = body, journey, watchdog, priority
        self._level: LevelKey = (-1, -1)  # the level that the round was planned for
        self._planned_turn = 0
        self._posts: list[int] = []
        self._next = 0

    def bid(self, world: World) -> Offer | None:
        if world.level.depth + 1 <= self._journey.deepest(world) or world.stats[st.HUNGER] >= WEAK:
            return None
        if self._body.overdue:
            return None  # so many rounds have brought nothing
        if self._journey.is_searching(world):
            return None
        if world.level.key[0] == MINES and self._journey.wants_mines(world):
            return None  # whoever seeks goes on: the watchdog leads over traps and through hidden ways
        post = self._post(world)
        if post < 0:
            return None  # a trap or a boulder bars the way: the watchdog leads out
        self._watchdog.excuse(world)
        if post == world.hero:
            self._next += 1
            return bid_of(self._priority, "camp", world.turn, Phrase(WAIT))
        return Offer(self._priority, "go camping", post, partial(walk, world, post))

    def _post(self, world: World) -> int:
        """Return the next post of the round: stairs underfoot, or a square elsewhere that can be reached; or -1."""
        if self._level != world.level.key or world.turn - self._planned_turn >= PLAN_TURNS:
            self._level, self._planned_turn = world.level.key, world.turn
            self._posts, self._next = planned_round(world), 0
        dist, terrain = world.paths(), world.memory[kn.TERRAIN]
        near = [post for post in self._posts if post == world.hero or dist[post] < kn.FAR]
        stairs = [post for post in near if terrain[post] in (kn.UP, kn.DOWN)]
        if len(near) < 2 and not stairs:
            return -1  # whoever stands there has nowhere to go, and would leave it only to come back
        for _ in self._posts:
            post = self._posts[self._next % len(self._posts)]
            if post in stairs or (post in near and post != world.hero):
                return post
            self._next += 1
        return -1


def planned_round(world: World) -> list[int]:
    """Return the posts of a round: the stairs, and between them squares far from each other; none without stairs.

    Only squares that were walked on count, because heroes keep out of shops.
    """
    dist = world.paths()
    nearest = (int(kn.nearest_of(world.memory, dist, kn.TERRAIN, kind)) for kind in (kn.UP, kn.DOWN))
    stairs = [cell for cell in nearest if cell >= 0]
    if not stairs:
        return []
    walked = (dist < kn.FAR) & (world.memory[kn.WALKED] > 0) & (world.memory[kn.SHUNNED] == 0)
    cells = np.flatnonzero(walked)
    posts = list(stairs)
    while cells.size and len(posts) < POSTS:
        apart = np.min([_between(cells, post) for post in posts], axis=0)
        best = int(apart.argmax())
        if apart[best] < APART:
            break
        posts.append(int(cells[best]))
    others = posts[len(stairs) :]
    half = (len(others) + 1) // 2
    return [stairs[0], *others[:half], *stairs[1:], *others[half:]]


def _between(cells: NDArray[np.int64], post: int) -> NDArray[np.int64]:
    """Return how many steps lie between each of the cells and a post, walls left out."""
    rows, cols = np.abs(cells // COLS - post // COLS), np.abs(cells % COLS - post % COLS)
    steps: NDArray[np.int64] = np.maximum(rows, cols)
    return steps
