"""Excalibur: a lawful hero dips a long sword into fountains until a hand reaches up to bless it."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.arms import LEVITATING
from gridsage.games.nethack.agents.behaviours import WEAK, Offer, Plan, walk
from gridsage.games.nethack.agents.body import Body
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.hero import EXCALIBUR, LONG_SWORD, WISH, Item
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.world import BLIND, CONFUSED, HALLUCINATING, STUNNED, LevelKey, World
from gridsage.games.nethack.state import State

# One dip in six gives the sword, one in thirty each calls a demon, snakes or a nymph, and two in seven dry the fountain
# up (fountain.c). So the hero is healthy, and a prayer would be heard, whenever it dips.
HEALTHY, STURDY, HEARD = 0.8, 30, 0.7
UNFIT = BLIND | STUNNED | CONFUSED | HALLUCINATING | LEVITATING
# One fountain gives the sword with a chance of some 0.4, and rusts the blade otherwise. Twelve Knights who dipped in
# vain had 4,613 points on average, 8,814 on the same seeds without dipping; twelve Valkyries lost nothing.
WORTH_RUST = 2  # fountains that those must know who do not fight well, before they begin
PATIENCE = 600  # turns that the fountains of one level may take, the way there included
DIP = chr(0xE4)
GIVEN, REFUSED = "a hand reaches up to bless the sword", "A freezing mist rises"


class Lake:
    """Go to a fountain that was seen, and dip the sword."""

    def __init__(self, body: Body, mind: Personality) -> None:
        self._body, self._priority = body, mind.priorities.dip
        self._level, self._depth = mind.milestones.excalibur_level, mind.milestones.excalibur_depth
        self.over = False  # the sword was made, or the fountains mind our faith
        self._turns: Counter[LevelKey] = Counter()  # spent on the fountains of a level
        self._noted_turn = 0
        self._found: dict[LevelKey, list[int]] = {}
        self._goal: LevelKey | None = None
        self._goal_at: tuple[int, LevelKey] = (-1, (-1, -1))  # turn and level for which both hold
        self._begun = False  # the blade is rusty by now
        self._asked = False  # the game asked whether to dip into the fountain: there is one

    def note(self, world: World) -> None:
        """Listen for the hand, and count the turns that a level's fountains take."""
        said = " ".join(world.messages)
        if GIVEN in said or REFUSED in said or self._body.hero.has_excalibur:
            self.over = True
        if world.turn != self._noted_turn:
            goal = self.goal(world)
            if goal is not None:
                self._turns[goal] += max(0, world.turn - self._noted_turn)
            self._noted_turn = world.turn

    def goal(self, world: World) -> LevelKey | None:
        """Return the nearest level with a fountain that is worth a journey now, this one perhaps."""
        now = (world.turn, world.level.key)
        if self._goal_at != now:  # it is asked for several times in every turn
            self._goal_at, self._goal = now, self._nearest(world)
        return self._goal

    def _nearest(self, world: World) -> LevelKey | None:
        if self._priority == 0 or world.level.key[0] != 0 or self._sword(world) is None:
            return None
        if world.stats[st.HUNGER] >= WEAK or self._body.hero.prayer_chance(world.turn) < HEARD:
            return None
        here = world.level.key[1]
        self._found = self._fountains(world)
        needed = 1 if self._begun or self._body.hero.fights_well else WORTH_RUST
        if sum(map(len, self._found.values())) < needed:
            return None
        return min(self._found, key=lambda key: abs(key[1] - here), default=None)

    def _carried(self) -> Item | None:
        """Return the long sword that would be dipped: only a single one is ever blessed."""
        swords = [item for item in self._body.hero.items if item.name == LONG_SWORD and item.count == 1]
        return next((item for item in swords if not item.unpaid and item.title != EXCALIBUR), None)

    def _sword(self, world: World) -> Item | None:
        """Return the sword to dip now, or None if this hero would not get it, or could not bear what comes instead."""
        stats = world.stats
        if self.over or stats[st.EXPERIENCE] < self._level or stats[st.ALIGNMENT] <= 0 or stats[st.HP_MAX] < STURDY:
            return None
        return None if self._body.hero.beast or self._body.diving else self._carried()

    def _fountains(self, world: World) -> dict[LevelKey, list[int]]:
        """Return the fountains that were seen on the upper levels, not those of Minetown, which its watch guards."""
        return {
            key: cells
            for key, level in world.levels.items()
            if key[0] == 0 and key[1] <= self._depth and self._turns[key] <= PATIENCE
            if (cells := np.flatnonzero(level.memory[kn.FEATURE] == kn.FOUNTAIN).tolist())
        }

    def bid(self, world: World) -> Offer | None:
        body, stats = self._body, world.stats
        if self.goal(world) != world.level.key or stats[st.CONDITION] & UNFIT or not body.is_quiet():
            return None
        if stats[st.HP] < HEALTHY * stats[st.HP_MAX] or body.foes.hostile or body.is_under_fire():
            return None
        cells = [cell for cell in self._found[world.level.key] if world.memory[kn.FEATURE, cell] == kn.FOUNTAIN]
        if not cells:
            return None  # it dried up in this very turn
        dist = world.paths()
        best = min(cells, key=lambda cell: int(dist[cell]))
        if dist[best] >= kn.FAR and best != world.hero:
            return None
        return Offer(self._priority, "dip", best, partial(self._plan, world, best))

    def _plan(self, world: World, cell: int) -> Plan:
        yield from walk(world, cell)
        sword = self._sword(world)
        if world.hero != cell or sword is None:
            return
        self._asked = False
        # One demon in six is grateful, and grants a wish.
        yield Phrase(DIP, (("into the fountain", self._agree), ("to dip? ", sword.letter), ("do you wish", WISH)))
        if not self._asked:
            world.memory[kn.FEATURE, cell] = 0  # it dried up unseen

    def _agree(self, state: State) -> str:
        self._asked = self._begun = True
        return "y"
