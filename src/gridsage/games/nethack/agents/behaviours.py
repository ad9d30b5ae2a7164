"""Behaviours that bid for the next keys. Each looks at the world and offers a priority and a plan, or nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.world import (
    BLIND,
    CONFUSED,
    HALLUCINATING,
    MINES,
    SOKOBAN,
    STEP_OF_WAY,
    STUNNED,
    WAYS,
    LevelKey,
    World,
)
from gridsage.games.nethack.level import CELLS

KICK, ESCAPE, FIGHT, SEARCH, PRAY, EAT, DROP = 4, 27, ord("F"), ord("s"), 0xF0, ord("e"), ord("d")
UP_KEY, DOWN_KEY, THROW = ord("<"), ord(">"), ord("t")
FOOD_CLASS = 7
HUNGRY, WEAK = 2, 3
SAFE_PRAYER_TURN, PRAYER_GAP = 300, 1000
RECOVER_TURNS = 120  # how long blindness and the like are waited out before the bot gropes on
RECOVER_BOUT = 5
LOOK_AGAIN = 100  # turns of searching in vain after which monsters out of sight are no longer where they were seen
BELOW_BOULDERS = 60  # turns of searching on a level after which boulders are pushed aside: stairs may lie below them

FRESH, UNWANTED, DEAD_END = range(3)  # stairs, the best first

Plan = Iterator[int | Phrase]  # yields keys and commands; between two of them the world is updated


class Offer(NamedTuple):
    """An offer to act: how much it matters, what it aims at, and how it would go about it."""

    priority: int
    name: str
    goal: int  # the square aimed at, or another number that stays while the plan stays the same
    plan: Callable[[], Plan]


class Behaviour(Protocol):
    """Something the bot can want."""

    def bid(self, world: World) -> Offer | None: ...


def digits(count: int, key: int) -> Plan:
    """A command with a count before it."""
    yield from map(ord, str(count))
    yield key


def step(world: World, way: int) -> Plan:
    """One step in direction `way`, with whatever the square there asks for: a push, a kick, a blow."""
    target = world.hero + STEP_OF_WAY[way]
    memory = world.memory
    if memory[kn.TERRAIN, target] == kn.LOCKED_DOOR and not memory[kn.MONSTER, target]:
        memory[kn.TRIES, target] += 1
        yield KICK
        yield WAYS[way]
        return
    if memory[kn.MONSTER, target] == kn.INVISIBLE + 1:
        yield FIGHT
    elif memory[kn.TERRAIN, target] == kn.CLOSED_DOOR:
        memory[kn.TRIES, target] += 1
    yield world.try_step(way)


def walk(world: World, target: int) -> Plan:
    """Steps towards `target` until there or until no way is left."""
    while world.hero != target:
        way = world.way_to(target)
        if way < 0:
            return
        yield from step(world, way)


class Fight:
    """Strike at a hostile monster beside the hero."""

    def __init__(self, personality: Personality) -> None:
        self._priority = personality.priorities.fight

    def bid(self, world: World) -> Offer | None:
        if world.swallowed:
            return Offer(self._priority, "fight", -1, lambda: iter((FIGHT, WAYS[0])))
        # A blind hero strikes at what it felt; one that sees leaves old marks of unseen monsters alone.
        way = int(kn.adjacent_foe(world.memory, world.hero, world.turn, not world.sees))
        return Offer(self._priority, "fight", way, lambda: self._plan(world, way)) if way >= 0 else None

    def _plan(self, world: World, way: int) -> Plan:
        if world.memory[kn.MONSTER, world.hero + STEP_OF_WAY[way]] == kn.INVISIBLE + 1:
            yield FIGHT
        yield world.try_step(way)


class Pray:
    """Ask for help when hit points are nearly gone or hunger weakens, and not too often."""

    def __init__(self, personality: Personality) -> None:
        self._priority = personality.priorities.pray

    def bid(self, world: World) -> Offer | None:
        stats = world.stats
        low = stats[st.HP] < 6 or stats[st.HP] * 7 < stats[st.HP_MAX]
        if not low and stats[st.HUNGER] < WEAK:
            return None
        waited = (
            world.turn - world.last_prayer if world.last_prayer >= 0 else world.turn - SAFE_PRAYER_TURN + PRAYER_GAP
        )
        return Offer(self._priority, "pray", 0, lambda: self._plan(world)) if waited >= PRAYER_GAP else None

    def _plan(self, world: World) -> Plan:
        world.last_prayer = world.turn
        yield PRAY
        yield ord("y")


class Eat:
    """Eat what is carried when hungry."""

    def __init__(self, personality: Personality) -> None:
        self._priority = personality.priorities.eat
        self._tried_turn = -100

    def bid(self, world: World) -> Offer | None:
        if world.stats[st.HUNGER] < HUNGRY or world.turn < self._tried_turn + 20 or world.state is None:
            return None
        for letter, kind, words in world.state.pack:
            if kind == FOOD_CLASS and not any(bad in words for bad in ("corpse", "tin", "egg")):
                return Offer(self._priority, "eat", ord(letter), partial(self._plan, world, ord(letter)))
        return None

    def _plan(self, world: World, letter: int) -> Plan:
        self._tried_turn = world.turn
        yield EAT
        while world.state is not None and world.state.prompt:
            if "here" in " ".join(world.messages):
                yield ord("n")
            else:
                yield letter
                return


class Obey:
    """Drop the gold when a vault guard says so, and wait for the way out that it digs."""

    PATIENCE = 30  # turns to wait for the guard's corridor

    def __init__(self, personality: Personality) -> None:
        self._priority = personality.priorities.obey

    def bid(self, world: World) -> Offer | None:
        if world.turn - world.guard_turn > self.PATIENCE:
            return None
        if world.stats[st.GOLD]:
            return Offer(self._priority, "obey", 0, lambda: iter((DROP, ord("$"))))
        dist = world.paths()
        if any(dist[cell] < kn.FAR and kn.is_frontier(world.memory, cell) for cell in range(CELLS)):
            return None
        return Offer(self._priority, "obey", 1, lambda: iter((SEARCH,)))


class Recover:
    """Wait while blind, stunned, confused or hallucinating, but not for ever."""

    def __init__(self, personality: Personality) -> None:
        self._priority = personality.priorities.recover
        self._since = -1

    def bid(self, world: World) -> Offer | None:
        if not world.stats[st.CONDITION] & (BLIND | STUNNED | CONFUSED | HALLUCINATING):
            self._since = -1
            return None
        if self._since < 0:
            self._since = world.turn
        if world.turn - self._since > RECOVER_TURNS:
            return None
        return Offer(self._priority, "recover", 0, lambda: digits(RECOVER_BOUT, SEARCH))


class Rest:
    """Search on the spot while hit points are low and nothing hostile is beside."""

    LONGEST = 300  # turns of one rest

    def __init__(self, personality: Personality) -> None:
        self._priority, self._below = personality.priorities.rest, personality.rest_below
        self._since = -1

    def bid(self, world: World) -> Offer | None:
        if world.stats[st.HP] >= self._below * world.stats[st.HP_MAX] or world.stats[st.HUNGER] >= WEAK:
            self._since = -1
            return None
        if self._since < 0:
            self._since = world.turn
        if world.turn - self._since > self.LONGEST:
            return None
        return Offer(self._priority, "rest", 0, lambda: digits(kn.BOUT, SEARCH))


class Explore:
    """Go to the nearest square that would show something new."""

    def __init__(self, personality: Personality) -> None:
        self._priority = personality.priorities.explore
        weights = personality.weights
        self._weights = np.zeros(kn.OBSTACLE + 1, np.int32)
        self._weights[kn.FLOOR], self._weights[kn.CORRIDOR] = weights.floor, weights.corridor
        self._weights[[kn.DOORWAY, kn.OPEN_DOOR]] = weights.doorway
        self._weights[kn.CLOSED_DOOR], self._weights[kn.LOCKED_DOOR] = weights.closed_door, weights.locked_door
        self._target = -1

    def bid(self, world: World) -> Offer | None:
        target = self._target = world.frontier(self._weights, self._target)
        return Offer(self._priority, "explore", target, lambda: walk(world, target)) if target >= 0 else None


class Descend:
    """Walk to known stairs down and take them; into the Mines only if the personality likes them or all else failed."""

    def __init__(self, personality: Personality) -> None:
        self._priority, self._personality = personality.priorities.descend, personality

    def bid(self, world: World) -> Offer | None:
        target = self.stairs(world)
        return Offer(self._priority, "descend", target, lambda: self._plan(world, target)) if target >= 0 else None

    def stairs(self, world: World) -> int:
        """The stairs down to take, or -1: fresh ones, then unwanted branches, then dead ends; the nearest of each."""
        dist = world.paths()
        best, best_rank = -1, (DEAD_END + 1, 0)
        cells = np.flatnonzero(world.memory[kn.TERRAIN] == kn.DOWN).tolist()
        ranks = {cell: self._rank(world, cell) for cell in cells if dist[cell] < kn.FAR}
        desperate = world.level.exhausted or DEAD_END in ranks.values()
        for cell, rank in ranks.items():
            if (rank != UNWANTED or desperate) and (rank, int(dist[cell])) < best_rank:
                best, best_rank = cell, (rank, int(dist[cell]))
        return best

    def _rank(self, world: World, cell: int) -> int:
        leads = world.level.leads_to.get(cell)
        if leads is None:
            return FRESH
        if leads[0] == MINES != world.level.key[0] and not self._personality.mines:
            return UNWANTED
        return DEAD_END if world.levels[leads].exhausted else FRESH

    def _plan(self, world: World, target: int) -> Plan:
        yield from walk(world, target)
        if world.hero == target:
            yield DOWN_KEY


class Peek:
    """Look under things and monsters for stairs when none are known; after a long search under boulders as well."""

    def __init__(self, personality: Personality) -> None:
        self._priority = personality.priorities.peek

    def bid(self, world: World) -> Offer | None:
        target = int(kn.nearest_covered(world.memory, world.paths(), False))
        if target < 0 and world.level.searched_turns >= BELOW_BOULDERS:
            target = int(kn.nearest_covered(world.memory, world.paths(), True))
        return Offer(self._priority, "peek", target, lambda: walk(world, target)) if target >= 0 else None


class LeaveBranch:
    """Go back up from a branch that the personality does not want: the Mines, Sokoban."""

    def __init__(self, personality: Personality) -> None:
        self._priority, self._personality = personality.priorities.leave_branch, personality

    def bid(self, world: World) -> Offer | None:
        branch = world.level.key[0]
        if branch not in (MINES, SOKOBAN) or (branch == MINES and self._personality.mines):
            return None
        if branch == SOKOBAN:
            kind, key = kn.DOWN, DOWN_KEY
        else:
            kind, key = kn.UP, UP_KEY
            above = {leads for cell, leads in world.level.leads_to.items()}
            if any(world.levels[name].exhausted for name in above if name in world.levels):
                return None
        target = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kind))
        return Offer(self._priority, "leave", target, lambda: self._plan(world, target, key)) if target >= 0 else None

    def _plan(self, world: World, target: int, key: int) -> Plan:
        yield from walk(world, target)
        if world.hero == target:
            yield key


class Search:
    """Search for hidden ways from the square that promises most per turn; the odds sink with each bout."""

    def __init__(self, personality: Personality) -> None:
        self._priority, self._limit = personality.priorities.search, personality.search_turns
        self._odds = np.zeros(CELLS)
        self._target = -1
        self._level: LevelKey = (-1, -1)
        self._bout: tuple[LevelKey, int, int] | None = None  # level, square and turn of a bout not yet noted

    def bid(self, world: World) -> Offer | None:
        self._note_bout(world)
        dist = world.paths()
        target = self._target
        if target < 0 or dist[target] >= kn.FAR or self._level != world.level.key:
            kn.secret_odds(world.memory, self._odds)
            target = int(kn.best_search(world.memory, dist, self._odds))
            self._target, self._level = target, world.level.key
        return Offer(self._priority, "search", target, lambda: self._plan(world, target)) if target >= 0 else None

    def _plan(self, world: World, target: int) -> Plan:
        yield from walk(world, target)
        self._target = -1
        if world.hero == target:
            self._bout = (world.level.key, target, world.turn)
            yield from digits(kn.BOUT, SEARCH)

    def _note_bout(self, world: World) -> None:
        """A bout may be cut short, and others may act after it: what it did is noted at the next bid."""
        if self._bout is None:
            return
        (name, cell, began), self._bout = self._bout, None
        turns = max(1, min(world.turn - began, kn.BOUT))
        level = world.levels[name]
        kn.note_search(level.memory, cell, turns)
        level.searched_turns += turns
        if level is world.level:
            level.vain_turns += turns
            if level.vain_turns % LOOK_AGAIN < turns:  # an eye that barred the only way moves a step in twelve turns
                world.forget_monsters()
                world.stale()
        if level.searched_turns > self._limit:
            level.exhausted = True


class LastResort:
    """When nothing else bids: a random step, so that the watchdog has something to watch."""

    def __init__(self, personality: Personality, chance: random.Random) -> None:
        self._priority, self._chance = personality.priorities.last_resort, chance

    def bid(self, world: World) -> Offer | None:
        return Offer(self._priority, "wander", -1, lambda: iter((world.try_step(self._chance.randrange(8)),)))
