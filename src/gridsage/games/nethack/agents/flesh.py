"""Meat from stone: a spell that every healer knows turns a boulder into food for two thousand turns."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.behaviours import Offer, Plan, walk
from gridsage.games.nethack.agents.body import Body, key_of
from gridsage.games.nethack.agents.dialogue import ESCAPE, Phrase, menu_lines
from gridsage.games.nethack.agents.living import HUNGRY, NOT_HUNGRY, is_pressed
from gridsage.games.nethack.agents.world import CONFUSED, SOKOBAN, STEP_OF_WAY, STUNNED, WAY_OF_STEP, LevelKey, World
from gridsage.games.nethack.level import CELLS
from gridsage.games.nethack.state import State

MEAT = "huge chunk of meat"
SPELL = "stone to flesh"
POWER = 15  # that the spell takes
LEAST_FED = 12  # with less nobody can cast it
FULL_MEAL = 60  # turns in which the twenty bites of such a meal are taken, whoever interrupts them
TRIED = 8  # spells cast in vain at one boulder before it is left alone


class Flesh:
    """Turn a boulder into meat when hungry, and eat it."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._knows = True  # the spell, as far as it was not missed in the menu
        self._bitten = -1000  # when the meal was begun
        self._tries: dict[tuple[LevelKey, int], int] = {}

    def bid(self, world: World) -> Offer | None:
        body, hunger = self._body, world.stats[st.HUNGER]
        if body.hero.role != "hea" or body.hero.beast or body.diving or is_pressed(body) or not world.sees:
            return None
        begun = hunger == NOT_HUNGRY and world.turn - self._bitten < FULL_MEAL
        if hunger < HUNGRY and not begun:
            return None
        if (meal := self._meal(world)) is not None:
            return meal
        return None if begun else self._spell(world)

    def goal(self, world: World) -> LevelKey | None:
        """Return the nearest level of the main dungeon where a boulder was seen, if one is needed and none is here."""
        if self._body.hero.role != "hea" or world.stats[st.HUNGER] < HUNGRY or not self._may_cast(world):
            return None
        levels = [key for key, level in world.levels.items() if key[0] == 0 and self._boulders(key, level.memory)]
        here = world.level.key
        return min(levels, key=lambda key: abs(key[1] - here[1]), default=None) if here not in levels else None

    def _may_cast(self, world: World) -> bool:
        stats = world.stats
        dazed = stats[st.CONDITION] & (CONFUSED | STUNNED)
        fit = self._knows and not dazed and not self._body.is_muted("flesh") and not self._body.hero.beast
        return fit and stats[st.POWER] >= POWER and self._body.hero.fed >= LEAST_FED

    def _meal(self, world: World) -> Offer | None:
        """Return the way to meat on this level."""
        entry = kn.THING + 1 + self._body.lore.by_name[MEAT]
        dist = world.paths()
        meals = [cell for cell in np.flatnonzero(world.memory[kn.OBJECT] == entry).tolist() if dist[cell] < kn.FAR]
        meals = [cell for cell in meals if not world.memory[kn.SHUNNED, cell]]
        best = min(meals, key=lambda cell: int(dist[cell]), default=-1)
        if best < 0 or self._body.is_muted("eat meat"):
            return None
        return Offer(self._priority, "eat meat", best, partial(self._eat, world, best))

    def _eat(self, world: World, cell: int) -> Plan:
        yield from walk(world, cell)
        if world.hero == cell:
            self._bitten = world.turn
            yield Phrase("e", ((f"{MEAT} here; eat it", "y"), ("eat it", "n"), ("Continue eating", "n")))

    def _boulders(self, key: LevelKey, memory: NDArray[np.int32]) -> list[int]:
        found = np.flatnonzero(memory[kn.OBJECT] == kn.BOULDER + 1).tolist()
        return [cell for cell in found if self._tries.get((key, cell), 0) < TRIED]

    def _spell(self, world: World) -> Offer | None:
        """Return the way to a boulder, or the spell where one lies beside us."""
        if world.level.key[0] == SOKOBAN or not self._may_cast(world):
            return None  # there it would bring bad luck
        dist = world.paths()
        best, target, steps = -1, -1, kn.FAR
        for boulder in self._boulders(world.level.key, world.memory):
            for step in STEP_OF_WAY:
                stand = boulder - step
                if not 0 <= stand < CELLS or world.memory[kn.OBJECT, stand] == kn.BOULDER + 1:
                    continue
                way = 0 if stand == world.hero else int(dist[stand])
                if way < steps:
                    best, target, steps = boulder, stand, way
        if best < 0:
            return None
        return Offer(self._priority, "flesh", best, partial(self._cast, world, target, best))

    def _cast(self, world: World, stand: int, boulder: int) -> Plan:
        yield from walk(world, stand)
        if world.hero == stand:
            key = (world.level.key, boulder)
            self._tries[key] = self._tries.get(key, 0) + 1
            direction = key_of(WAY_OF_STEP[boulder - stand])
            yield Phrase("Z", (("Choose which spell", self._choice), ("direction", direction)))

    def _choice(self, state: State) -> str:
        """Return the letter of the spell in the menu of those that are known."""
        letters = [letter for letter, words in menu_lines(state) if words.startswith(SPELL)]
        self._knows = bool(letters)
        return letters[0] if letters else chr(ESCAPE)
