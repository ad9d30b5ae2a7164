"""Hunting: attacks on the peaceful: on dwarves, who may carry a pick-axe, and by the starving on whoever is edible."""

from __future__ import annotations

from functools import partial

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer, Plan, walk
from gridsage.games.nethack.agents.body import Body, key_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.foes import chance_of_death, expected_loss
from gridsage.games.nethack.agents.hero import Item
from gridsage.games.nethack.agents.journey import HEALTHY
from gridsage.games.nethack.agents.living import is_bearable, is_godless, lives_on_prey
from gridsage.games.nethack.agents.world import MINES, STEP_OF_WAY, LevelKey, World
from gridsage.games.nethack.level import CELLS

PREY_STEPS = 30  # how far a peaceful dwarf is followed
PREY_RISK = 0.3  # the danger up to which one is attacked: what it may carry is worth more than all that comes otherwise
SLEEPING, BOLTED = 0.2, 0.4  # what is left of that danger if it is put to sleep, or struck by spells first
ZAP_STEPS, ZAP_AGAIN = 3, 20  # how near it must be, and how long it is then believed to sleep
TOWNS = (3, 4)  # levels of the Mines one of which is Minetown, with its watch
WATCH = ("watchman", "watch captain")
# Peaceful ones who are never struck at: they kill, or whole towns avenge them.
SACRED = frozenset({"shopkeeper", "guard", *WATCH, "aligned priest", "high priest", "Oracle"})


class Hunt:
    """Attack a peaceful dwarf for its pick-axe: the first blow costs a little favour, and it is a foe from then on.

    Those who starve and whom no god hears any more have no favour to lose: they attack whoever is a meal.
    """

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._watched: set[LevelKey] = set()  # levels on which the watch was seen
        self._slept: tuple[LevelKey, int, int] = ((-1, -1), -1, -1000)  # the dwarf put to sleep last, and when

    def bid(self, world: World) -> Offer | None:
        body, stats = self._body, world.stats
        if not body.foes.peaceful or not body.is_quiet():
            return None
        starving = is_godless(body) and lives_on_prey(body)
        if not starving and (body.hero.digger is not None or 1 < body.hero.guilt(world) > body.hero.piety):
            return None  # there is no need, or the next prayer would fail; the Mines need not be searched first
        is_fit = starving or stats[st.HP] >= HEALTHY * stats[st.HP_MAX]
        if not is_fit or self._is_watched(world):
            return None
        prey = [cell for cell in body.foes.peaceful if self._is_worth_it(world, cell, starving)]
        for cell in prey:
            if (spell := self._from_afar(world, cell)) is not None:
                return spell
        for cell in prey:
            if arms.distance(cell, world.hero) == 1:
                way = body.way_towards(cell)
                return Offer(self._priority, "hunt", cell, partial(self._strike, world, cell, way))
        near = [cell + step for cell in prey for step in STEP_OF_WAY if 0 <= cell + step < CELLS]
        dist = world.paths()
        best = min(near, key=lambda cell: int(dist[cell]), default=-1)
        if best < 0 or dist[best] > PREY_STEPS or best == world.hero:
            return None
        return Offer(self._priority, "hunt", best, partial(walk, world, best))

    def _is_watched(self, world: World) -> bool:
        """Return True in Minetown, whose watch does not forgive an attack on the peaceful."""
        branch, level = key = world.level.key
        if branch != MINES or level not in TOWNS:
            return False
        if any(self._name(world, cell) in WATCH for cell in self._body.foes.peaceful):
            self._watched.add(key)
        return key in self._watched

    def _name(self, world: World, cell: int) -> str:
        assert world.state is not None
        return self._body.lore.kinds[int(world.state.glyphs[cell])].name

    def _is_worth_it(self, world: World, cell: int, starving: bool) -> bool:
        assert world.state is not None
        kind = self._body.lore.kinds[int(world.state.glyphs[cell])]
        is_meal = starving and kind.name not in SACRED and is_bearable(kind)
        if not kind.name.startswith("dwarf") and not is_meal:
            return False
        risk = chance_of_death(expected_loss(self._body.foes.beside(world, [kind]), 1), world.stats[st.HP])
        if self._sleeper() is not None:
            risk *= SLEEPING
        elif self._body.hero.role == "wiz" and world.stats[st.POWER] >= 2 * arms.BOLT_POWER:
            risk *= BOLTED
        return risk < PREY_RISK

    def _sleeper(self) -> Item | None:
        """Return a wand of sleep that is not empty."""
        wand = self._body.hero.find("sleep")
        return None if wand is None or wand.letter in self._body.empty or ":0)" in wand.notes else wand

    def _from_afar(self, world: World, cell: int) -> Offer | None:
        """Return a ray of sleep at a dwarf.

        No bolt of force: one that kills somebody who is still peaceful costs luck, and no prayer is heard then. The
        first blow makes a foe of it, and foes are met with bolts.
        """
        body, way = self._body, self._body.way_towards(cell)
        if way < 0 or arms.distance(cell, world.hero) > ZAP_STEPS or not body.line_is_clear(cell, way, 4, prey=cell):
            return None
        level, at, turn = self._slept
        asleep = (level, at) == (world.level.key, cell) and world.turn - turn < ZAP_AGAIN
        wand = self._sleeper()
        if wand is not None and not asleep and arms.is_safe_ray(body, way, "sleep") and not body.is_muted("hunt"):
            return Offer(self._priority, "hunt", cell, partial(self._zap, world, cell, arms.zap(wand, way)))
        return None

    def _zap(self, world: World, cell: int, command: Phrase) -> Plan:
        self._slept = (world.level.key, cell, world.turn)
        yield command

    def _strike(self, world: World, cell: int, way: int) -> Plan:
        self._body.foes.provoke(world, cell)
        yield Phrase("F" + key_of(way), (("Really attack", "y"),))
