"""The watchdog: sees standing still and running in circles, and makes the bot try harder, step by step."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

from gridsage.core.amounts import counted
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.behaviours import ESCAPE, KICK, THROW, UP_KEY, Offer, Plan, walk
from gridsage.games.nethack.agents.foes import distance
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.world import MINES, STEP_OF_WAY, WAYS, LevelKey, World
from gridsage.games.nethack.keys import GIVE_UP, GIVE_UP_IDLE
from gridsage.games.nethack.level import CELLS

WEAPON_CLASS = 2
IDLE_KEYS = 120  # keys without a turn passing before the bot shakes itself
DEAF_KEYS = 1200  # keys without a turn passing before it gives up
CIRCLE = 40  # visits of one square without progress, searching apart, that count as running in circles
NOWHERE: LevelKey = (-1, -1)
PACK_TURNS = 16  # the pack is counted in turns that are multiples of it
WANDER = 25  # steps of one random walk
TELEPORTER, LEVEL_TELEPORTER = 56, 57  # traps
LOOK_AROUND = 100  # turns spent where a teleporter led to before it is taken again

# Turns without progress at which each step of the ladder is taken, and again every LADDER[-1] turns after it.
FORGIVE, TRAPS, KICK_ROUND, SHAKE, STAIRS, ANYTHING = 150, 300, 450, 600, 800, 1000
VAIN = 1.5  # turns without progress that each turn of searching in vain counts for
UNEXCUSED = 900  # turns without progress after which no rest and no camp excuses them any more


class Watchdog:
    """Follows progress (new squares, levels, things, experience) and bids when there is none."""

    def __init__(self, personality: Personality, chance: random.Random) -> None:
        self._priority = personality.priorities.unstick
        self.bold = True  # fights what bars a corridor whatever its answer, and throws its weapons at it
        self._patience = personality.give_up_turns
        self._chance = chance
        self._best: tuple[int, int, int, int] = (0, 0, 0, 0)
        self._progress_turn = 0  # when the last progress was made, or the last excuse accepted
        self._gained_turn = 0  # when the last progress was made
        self._turn = 0
        self._idle_keys = 0
        self._visits: Counter[tuple[LevelKey, int]] = Counter()
        self._steps_done: set[str] = set()
        self._shake = 0  # random steps left
        self._kicks: list[int] = []  # directions of doors still to be kicked
        self._climbing_from: LevelKey = NOWHERE  # the dead end being left
        self._last_spot: tuple[LevelKey, int] = (NOWHERE, -1)
        self._thrown_turn = -1000  # when the hero was teleported last, within a level
        self.reason = ""
        self.circles = 0
        self.escalations = 0

    def watch(self, world: World) -> None:
        """Take note of the world after a key."""
        stats = world.stats
        known, _, items, points = self._best
        if world.new_squares:
            known = sum(level.known for level in world.levels.values())
        if world.state is not None and (world.turn % PACK_TURNS == 0 or not items):
            items = max(items, len(world.state.pack))
        now = (known, len(world.levels), items, max(points, stats[st.POINTS]))
        if now != self._best:
            self._best = now
            world.brave = min(world.brave, 1)
            self._progress_turn = self._gained_turn = world.turn
            self._steps_done.clear()
            self._visits.clear()
        if world.turn != self._turn:
            self._turn = world.turn
            self._idle_keys = 0
        else:
            self._idle_keys += 1
        here = (world.level.key, world.hero)
        if here != self._last_spot:
            level, cell = self._last_spot
            if level == world.level.key and distance(cell, world.hero) > 1:
                self._thrown_turn = world.turn
            self._last_spot = here
            self._visits[here] += 1

    def quiet_turns(self, world: World) -> int:
        """Return for how many turns there was no progress.

        Whoever comes to be killed where no way leads on is none: a search in vain counts, whatever else happens.
        """
        idle = world.turn - (self._gained_turn if self.is_overdue(world) else self._progress_turn)
        return max(idle, int(VAIN * world.level.vain_turns))

    def is_overdue(self, world: World) -> bool:
        """Return True if there was no progress for so long that nothing is waited for any more, whatever the reason."""
        return world.turn - self._gained_turn >= UNEXCUSED

    def excuse(self, world: World) -> None:
        """The bot waits on purpose: the time does not count as standing still, unless progress is overdue."""
        if not self.is_overdue(world):
            self._progress_turn = world.turn
            self._visits.clear()

    def bid(self, world: World) -> Offer | None:
        """A way out of standing still, if there is reason for one."""
        idle, quiet = world.turn - self._progress_turn, self.quiet_turns(world)
        if quiet < FORGIVE and self._idle_keys < IDLE_KEYS:
            return None
        if idle >= self._patience:
            return self._surrender(GIVE_UP, f"{counted(idle, 'turn')} without a new square, level, thing or experience")
        if self._idle_keys >= DEAF_KEYS:
            return self._surrender(GIVE_UP_IDLE, f"{counted(self._idle_keys, 'key')} without a turn passing")
        if self._idle_keys >= IDLE_KEYS and self._idle_keys % IDLE_KEYS < 4:
            world.forgive()
            return Offer(self._priority, "shake", self._idle_keys, lambda: self._random_steps(world, 6))
        if self._shake:
            return Offer(self._priority, "shake", -2, lambda: self._random_steps(world, self._shake))
        if self._visits and max(self._visits.values()) >= CIRCLE:
            self.circles += 1
            self._visits.clear()
            world.forgive()
            self._shake = WANDER
            return Offer(self._priority, "shake", -2, lambda: self._random_steps(world, self._shake))
        return self._climb(world, quiet)

    def _climb(self, world: World, quiet: int) -> Offer | None:
        """The next step of the ladder that is due."""
        if quiet >= FORGIVE and self._first("forgive"):
            world.forgive()
        if quiet >= TRAPS and self._first("traps"):
            world.brave = 1
            world.stale()
        if quiet >= KICK_ROUND and self.bold and (throw := self._throw(world)) is not None:
            return throw
        if quiet >= KICK_ROUND and self.bold:
            world.brave = max(world.brave, 2)  # from now on what bars a corridor is fought, whatever its answer
        if quiet >= KICK_ROUND and world.level.key[0] != MINES and self._first("kick"):
            world.stale()
            self._kicks = [way for way in range(4) if self._is_shut(world, way)]
        if self._kicks:
            way = self._kicks.pop()
            return Offer(self._priority, "kick", way, lambda: iter((KICK, WAYS[way])))
        if quiet >= SHAKE and self._first("shake"):
            self._shake = WANDER
        if quiet >= STAIRS and world.level.depth > 1 and self._first("stairs"):
            self._climbing_from = world.level.key
        if self._climbing_from == world.level.key:
            target = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.UP))
            if target >= 0:
                return Offer(self._priority, "other stairs", target, lambda: self._up(world, target))
        self._climbing_from = NOWHERE
        if quiet >= (TRAPS if world.level.exhausted else ANYTHING):  # whoever is back in a dead end knows it for one
            if self._first("anything"):
                world.forgive()
                world.dare_doors()
                world.level.exhausted = True
                world.brave = max(world.brave, 2)  # no way leads over a hole otherwise, nor into it
                world.stale()
            return self._hole(world)
        return None

    def _first(self, name: str) -> bool:
        if name in self._steps_done:
            return False
        self._steps_done.add(name)
        self.escalations += 1
        return True

    def _surrender(self, key: int, reason: str) -> Offer:
        self.reason = reason
        return Offer(101, "give up", 0, lambda: iter((key,)))

    def _random_steps(self, world: World, count: int) -> Plan:
        yield ESCAPE
        for left in range(count, 0, -1):
            self._shake = left - 1
            way = self._chance.randrange(8)
            if int(kn.entry_cost(world.memory, world.hero, way, world.turn, world.brave)) < kn.FAR:
                yield world.try_step(way)
        self._shake = 0

    def _throw(self, world: World) -> Offer | None:
        """Throw spare weapons at a monster beside us that must not be touched: a floating eye in a corridor."""
        if world.state is None:
            return None
        for way in range(8):
            target = world.hero + STEP_OF_WAY[way]
            monster = int(world.memory[kn.MONSTER, target]) - 1 if 0 <= target < CELLS else -1
            if monster not in (kn.FLOATING_EYE, kn.BLUE_JELLY, kn.SPOTTED_JELLY):
                continue
            weapons = [(letter, words) for letter, kind, words in world.state.pack if kind == WEAPON_CLASS]
            weapons.sort(key=lambda one: "in hand" in one[1])  # what we wield last
            if weapons:
                keys = (THROW, ord(weapons[0][0]), WAYS[way])
                return Offer(self._priority, "throw", world.turn, partial(iter, keys))
        return None

    def _is_shut(self, world: World, way: int) -> bool:
        """Return True if a door that does not open stands in direction `way`."""
        target = world.hero + STEP_OF_WAY[way]
        return 0 <= target < CELLS and world.memory[kn.TERRAIN, target] in (kn.CLOSED_DOOR, kn.LOCKED_DOOR)

    def _up(self, world: World, target: int) -> Plan:
        level = world.level
        yield from walk(world, target)
        if world.hero == target and world.level is level:
            level.exhausted = True  # a dead end: above, other stairs come first
            yield UP_KEY

    def _hole(self, world: World) -> Offer | None:
        looking = world.turn - self._thrown_turn < LOOK_AROUND  # where the last teleporter led to
        for kind in (kn.HOLE, kn.TRAP_DOOR, LEVEL_TELEPORTER, *(() if looking else (TELEPORTER,))):
            target = int(kn.nearest_of(world.memory, world.paths(), kn.TRAP, kind))
            if target >= 0 and target != world.hero:
                return Offer(self._priority, "fall", target, partial(walk, world, target))
        return None
