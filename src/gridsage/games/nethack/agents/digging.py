"""Digging down: the word, the pit and the hole, one level after the other."""

from __future__ import annotations

from functools import partial

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Offer, Plan, walk
from gridsage.games.nethack.agents.body import FLED_TURNS, Body, Spot, bid_of, key_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.foes import Foe
from gridsage.games.nethack.agents.gear import worn
from gridsage.games.nethack.agents.hero import SHIELD, Item
from gridsage.games.nethack.agents.journey import Journey
from gridsage.games.nethack.agents.living import HUNGRY, RATIONS, WEAK, is_ration, lives_on_prey
from gridsage.games.nethack.agents.wading import is_sea, way_to_dig
from gridsage.games.nethack.agents.world import MINES, SOKOBAN, STEP_OF_WAY, LevelKey, World
from gridsage.games.nethack.level import CELLS, COLS, ROWS

WARD_TRIES = 3  # words written in one pit; one in four is misspelt
PIT_TURNS, DWARVISH_PIT_TURNS = 5, 3  # who is here before the pit is dug is met with a word first
ASIDE = 100  # cost of a way to the next square that can be dug; in a shop each step counts as 30
WET_COST = 20  # steps that one neighbour of water less is worth: each may fill the pit, and again the hole
DASH = 2  # turns to stairs that are taken whoever is near
CROWD, CROWD_DASH = 6, 12  # how many in sight are a crowd, and the same turns there
STAIRS_STEPS = 14  # turns to walk to stairs that a hole would take at least
DWARVISH_STEPS = 8  # the same for dwarves, who dig a hole in eight turns
PURSUERS = 7  # how near foes are who would overtake us on the way to stairs
STROKES = 12  # commands of digging at one gap before it is left as it is
DIG_TRIES = 60  # commands of digging on one level before stairs are taken instead
VAULT, SHUT_IN = 4, 20  # squares of a vault, which has no door; turns in one before it is left through the floor
# Gold on the way: a pile holds some eight coins per level of depth, and a turn costs a diver some fourteen points.
GOLD, GOLD_SHARE, GOLD_WALKS = "gold piece", 0.5, 20  # steps per level of depth; turns spent on it on one level
FOOD_STEPS, FOOD_TURNS = 15, 30  # how far the hungry go for food on the way down, and turns spent so on one level


def is_inside(cell: int) -> bool:
    """Return True for squares that can be dug: the edge of the map cannot."""
    row, col = divmod(cell, COLS)
    return 1 < row < ROWS - 1 and 2 < col < COLS - 2


def is_rock(world: World, cell: int) -> bool:
    """Return True for rock, a wall or a boulder that can be dug away."""
    if not is_inside(cell):
        return False
    return bool(world.memory[kn.TERRAIN, cell] <= kn.WALL or world.memory[kn.OBJECT, cell] == kn.BOULDER + 1)


def is_here_within(foe: Foe, turns: int) -> bool:
    """Return True if a foe can walk up to us in so many turns."""
    return (foe.distance - 1) * 12 <= turns * foe.kind.row.speed


class DigDown:
    """Dig from level to level with a pick-axe, one hole after the other."""

    def __init__(self, body: Body, journey: Journey, priority: int) -> None:
        self._body, self._journey, self._priority = body, journey, priority
        self._level: LevelKey = (-1, -1)
        self._tries = 0
        self._gold_turns, self._food_turns = 0, 0  # spent on gold and on food on this level
        self._warded: tuple[LevelKey, int, bool] = ((-1, -1), -1, False)  # the square, or its pit, of the two below
        self._ward_tries = 0
        self._unread = False  # the word was written and not read yet
        self._gap: tuple[LevelKey, int, int] = ((-1, -1), -1, 0)  # the gap widened last
        self._strokes = 0
        self._burrowed: Spot = ((-1, -1), -1)  # the rock dug at last where no way led on
        self._hard_walls: set[Spot] = set()
        self._shut_in: tuple[LevelKey, int] = ((-1, -1), 0)  # where no way leads out, and since when

    def bid(self, world: World) -> Offer | None:
        tool = self._body.hero.digger
        if tool is None:
            return None
        if (wider := self._widen(world, tool)) is not None:
            return wider
        if world.level.key in self._journey.hard_floors:
            return self._burrow(world, tool)
        digs = self._journey.diving(world) and not self._journey.finished
        if not digs and not self._body.walled_in and not self._is_shut_in(world):
            return None
        if world.level.key[0] == SOKOBAN:
            return None
        if world.level.key[0] == MINES and self._journey.goal(world) is not None and not self._is_cut_off(world):
            return None  # the Mines end soon: the way down leads through the main dungeon
        if world.level.key != self._level:
            self._level, self._tries, self._gold_turns, self._food_turns = world.level.key, 0, 0, 0
        if self._tries > DIG_TRIES:
            self._journey.hard_floors.add(world.level.key)
            return None
        if self._sees_food(world):
            return None  # it is taken up first
        if (gold := self._near_gold(world)) is not None:
            return gold
        if (stairs := self._near_stairs(world)) is not None:
            return stairs
        if (bare := self._free_hands(world, tool)) is not None:
            return bare
        if not self._can_dig_at(world, world.hero) or self._wet(world, world.hero):
            aside = self._aside(world)
            if aside is not None or not self._can_dig_at(world, world.hero):
                return aside
        if any(is_here_within(foe, PIT_TURNS) for foe in self._body.foes.hostile if not foe.kind.still):
            hole = arms.escape_hole(self._body)  # the charges of a wand are kept for those who come
            if hole is not None:
                return Offer(self._priority, "zap down", world.turn, partial(self._zap, hole))
        return self._ward(world) or Offer(self._priority, "dig down", world.turn, partial(self._dig, tool.letter))

    def _is_cut_off(self, world: World) -> bool:
        """Return True if nothing has led on for long, or for the hungry who know no way to the stairs up."""
        hungry = world.stats[st.HUNGER] >= HUNGRY
        return self._body.desperate or (
            hungry and int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.UP)) < 0
        )

    def _is_shut_in(self, world: World) -> bool:
        """Return True in a vault: its guards, who come and go, look like progress, and no other way leads out."""
        roomy = self._body.open_sides(world.hero) >= VAULT
        cells = [] if roomy else np.flatnonzero(world.paths() < kn.FAR).tolist()
        if roomy or len(cells) > VAULT or not world.sees or any(kn.is_frontier(world.memory, cell) for cell in cells):
            self._shut_in = ((-1, -1), 0)
            return False
        if self._shut_in[0] != world.level.key:
            self._shut_in = (world.level.key, world.turn)
        return world.turn - self._shut_in[1] >= SHUT_IN

    def _free_hands(self, world: World, tool: Item) -> Offer | None:
        """Return the laying off of a shield that a tool for two hands does not go with."""
        shield = worn(self._body, SHIELD)
        if shield is None or shield.cursed or not self._body.lore.object(tool.number).two_handed:
            return None
        self._tries += 1
        return bid_of(self._priority, "lay off the shield", world.turn, Phrase("T", (("take off", shield.letter),)))

    def _widen(self, world: World, tool: Item) -> Offer | None:
        """Return a stroke at the rock beside a gap that is too tight, or at a boulder: it may be the only way."""
        if not world.is_at_gap() or not self._body.is_quiet() or self._body.is_muted("widen"):
            return None
        target = world.hero + STEP_OF_WAY[world.tight[2]]
        row, col = divmod(world.hero, COLS)
        to_row, to_col = divmod(target, COLS)
        boulder = world.memory[kn.OBJECT, target] == kn.BOULDER + 1
        beside = [target] if boulder else [row * COLS + to_col, to_row * COLS + col]
        beside = [cell for cell in beside if boulder or is_inside(cell)]
        opened = not boulder and any(world.memory[kn.TERRAIN, cell] > kn.WALL for cell in beside)
        self._strokes = self._strokes + 1 if self._gap == world.tight else 1
        self._gap = world.tight
        if opened or not beside or self._strokes > STROKES:
            world.tight = ((-1, -1), -1, 0)
            return None
        if (bare := self._free_hands(world, tool)) is not None:
            return bare
        way = self._body.way_towards(beside[0])
        return bid_of(self._priority, "widen", world.turn, arms.digging(tool.letter, key_of(way)))

    def _burrow(self, world: World, tool: Item) -> Offer | None:
        """Return a stroke at the rock around us, where the floor is too hard and no way leads on, as at the Castle."""
        if not self._body.walled_in or not self._body.is_quiet() or self._body.is_muted("burrow"):
            return None
        if "too hard to dig" in " ".join(world.messages):
            self._hard_walls.add(self._burrowed)  # the Castle's walls; its boulders are not
        around = [(world.level.key, world.hero + step) for step in STEP_OF_WAY[:4]]
        target = next((spot for spot in around if is_rock(world, spot[1]) and spot not in self._hard_walls), None)
        if target is None:
            return None
        if (bare := self._free_hands(world, tool)) is not None:
            return bare
        self._burrowed = target
        way = key_of(self._body.way_towards(target[1]))
        return bid_of(self._priority, "burrow", world.turn, arms.digging(tool.letter, way))

    def _sees_food(self, world: World) -> bool:
        """Return True if food lies underfoot, or a hungry hero without any sees some near by, nobody being in sight."""
        body = self._body
        if not body.is_quiet() or not world.sees or self._food_turns >= FOOD_TURNS:
            return False
        if (world.level.key, world.hero) in body.piles:
            self._food_turns += 1
            return True  # a pick in passing
        if world.stats[st.HUNGER] < HUNGRY or any(is_ration(item) for item in body.hero.items):
            return False
        numbers = [body.lore.by_name[name] for name in RATIONS if name in body.lore.by_name]
        things = np.isin(world.memory[kn.OBJECT], np.array(numbers) + kn.THING + 1) & (world.memory[kn.SHUNNED] == 0)
        if not (things & (world.paths() <= FOOD_STEPS)).any():
            return False
        self._food_turns += 1
        return True

    def _near_gold(self, world: World) -> Offer | None:
        """Return the way to gold near by, which counts as points, where nobody is in sight and no pit is begun."""
        if not self._body.is_quiet() or self._body.foes.hostile or not world.sees or self._gold_turns >= GOLD_WALKS:
            return None
        if self._body.pit == (world.level.key, world.hero) or world.stats[st.HUNGER] >= WEAK:
            return None
        number = self._body.lore.by_name.get(GOLD, -1)
        cell = int(kn.nearest_of(world.memory, world.paths(), kn.OBJECT, kn.THING + number + 1))
        if cell < 0 or cell == world.hero or world.memory[kn.SHUNNED, cell]:
            return None
        if world.paths()[cell] > GOLD_SHARE * world.level.depth:
            return None
        self._gold_turns += 1
        return Offer(self._priority, "fetch gold", cell, partial(walk, world, cell))

    def _near_stairs(self, world: World) -> Offer | None:
        """Return the way over stairs down near by: quicker than a hole, unless a pit is dug already."""
        if self._body.pit == (world.level.key, world.hero) or world.level.key[0] != 0:
            return None
        down = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.DOWN))
        leads = world.level.leads_to.get(down, (0, 0))
        steps = DWARVISH_STEPS if self._body.hero.race == "dwarf" else STAIRS_STEPS
        if down < 0 or world.paths()[down] > steps or leads[0] == MINES:
            return None
        fled, turn = self._body.fled
        if leads == fled and world.turn - turn < FLED_TURNS:
            return None  # who drove us away waits below; a hole leads elsewhere
        if world.paths()[down] > self._dash() and any(self._hunts(foe) for foe in self._body.foes.hostile):
            return None  # they would be faster: better a word, and a hole on it
        self._tries += 1
        return Offer(self._priority, "descend", down, partial(self._take_stairs, world, down))

    def _dash(self) -> int:
        """Return the turns to stairs that are taken whoever is near: more in a crowd, before which no word lasts."""
        walking = [foe for foe in self._body.foes.hostile if not foe.kind.still and not foe.kind.forbidden]
        pace = 12 * self._body.hero.speed()
        quick = sum(foe.kind.row.speed > pace for foe in walking if self._hunts(foe))
        return CROWD_DASH if len(walking) >= CROWD and quick <= 1 else DASH

    def _hunts(self, foe: Foe) -> bool:
        return foe.distance <= PURSUERS and not foe.kind.still and not foe.kind.forbidden and foe.kind.respects

    def _take_stairs(self, world: World, target: int) -> Plan:
        yield from walk(world, target)
        if world.hero == target:
            yield ord(">")

    def _ward(self, world: World) -> Offer | None:
        """Write Elbereth in the pit, and read it: a bite stops the digging, and most who bite respect the word.

        Digging the pit wipes out what was written before, so that comes first unless somebody is near already.
        """
        body, here = self._body, (world.level.key, world.hero)
        in_pit = body.pit == here
        if self._warded != (*here, in_pit):
            self._warded, self._ward_tries, self._unread = (*here, in_pit), 0, False
        dwarvish = body.hero.race == "dwarf"
        hurried = dwarvish or (body.doomed and world.stats[st.HUNGER] >= HUNGRY)
        if not in_pit and not any(self._comes_soon(foe, dwarvish) for foe in body.foes.hostile):
            return None
        if in_pit and hurried and not body.foes.hostile and world.sees:
            return None  # the rest of the hole is dug in less time than most take to come
        if lives_on_prey(body):
            return None  # the next faint comes soon, and whoever comes is a meal
        if body.elbereth == here or body.is_muted("write the word") or not arms.can_write(body):
            return None
        if self._unread and world.sees:
            self._unread = False
            return bid_of(self._priority, "read the word", world.turn, Phrase(":"))
        if self._ward_tries >= (WARD_TRIES if in_pit and world.sees else 2):
            return None
        self._ward_tries += 1
        self._unread = True
        return bid_of(self._priority, "write the word", world.turn * 8 + self._ward_tries, arms.engraving("Elbereth"))

    def _comes_soon(self, foe: Foe, dwarvish: bool) -> bool:
        """Return True if a foe that respects the word can be here before a pit is dug."""
        return foe.kind.respects and is_here_within(foe, DWARVISH_PIT_TURNS if dwarvish else PIT_TURNS)

    def _zap(self, command: Phrase) -> Plan:
        self._body.zapped = str(command.replies[0][1])  # if nothing happens it is known to be empty
        yield command

    def _dig(self, letter: str) -> Plan:
        self._tries += 1
        self._body.begin_stroke()
        yield arms.digging(letter, ">")

    def _can_dig_at(self, world: World, cell: int) -> bool:
        if (world.level.key, cell) in self._journey.hard_squares:
            return False
        kind = int(world.memory[kn.TERRAIN, cell])
        if world.memory[kn.SHUNNED, cell] and world.memory[kn.OBJECT, cell]:
            return False
        if kind in (kn.UNKNOWN, kn.COVERED) and cell == world.hero and not world.sees:
            return True  # the blind do not see the floor that they stand on
        return kind in (kn.FLOOR, kn.CORRIDOR, kn.DOORWAY)  # in shops too: what is wielded is not grabbed

    def _wet(self, world: World, cell: int) -> int:
        """Return how many neighbours of a square are water, which may fill a hole dug there."""
        near = [cell + step for step in STEP_OF_WAY if 0 <= cell + step < CELLS]
        return sum(int(world.memory[kn.TERRAIN, at]) == kn.WATER for at in near)

    def _aside(self, world: World) -> Offer | None:
        """Return a step to where a hole is sooner through than here, or to where the floor can be dug at all."""
        if self._body.pit == (world.level.key, world.hero) and self._can_dig_at(world, world.hero):
            return None  # half of it is done, and dry so far
        if not world.sees or not is_sea(world):
            return self._step_aside(world)
        diggable = np.array([self._can_dig_at(world, cell) for cell in range(CELLS)])
        way = way_to_dig(world, diggable)
        if way is None:
            return self._step_aside(world)
        if way < 0:
            return None
        self._tries += 1
        return Offer(self._priority, "wade", world.hero + STEP_OF_WAY[way], lambda: iter((world.try_step(way),)))

    def _step_aside(self, world: World) -> Offer | None:
        """Walk to the nearest square that can be dug, a dry one if possible."""
        dist = world.paths()
        near = [cell for cell in np.flatnonzero(dist < ASIDE).tolist() if self._can_dig_at(world, cell)]
        target = min(near, key=lambda cell: int(dist[cell]) + WET_COST * self._wet(world, cell), default=-1)
        if target < 0 or target == world.hero:
            return None
        self._tries += 1
        return Offer(self._priority, "step aside", target, partial(walk, world, target))
