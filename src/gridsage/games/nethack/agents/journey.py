"""Where to be: how deep the hero may go, when it waits, and when it digs down for good."""

from __future__ import annotations

from collections import deque
from functools import partial

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import Descend, Explore, LeaveBranch, Offer, Plan, walk
from gridsage.games.nethack.agents.body import FLED_TURNS, Body, bid_of, key_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.foes import Foe, chance_of_death, expected_loss
from gridsage.games.nethack.agents.gear import worn
from gridsage.games.nethack.agents.hero import SHIELD
from gridsage.games.nethack.agents.living import HUNGER_LASTS, HUNGRY, WEAK, is_foraging, is_ration
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.watchdog import Watchdog
from gridsage.games.nethack.agents.world import MINES, NO_WEIGHTS, SOKOBAN, STEP_OF_WAY, LevelKey, World
from gridsage.games.nethack.level import CELLS

ARMOUR_WORTH = 4  # hit points that a point of armour class is worth
STAY_AWAY = 30  # turns before a level left in danger is entered again
RESTLESS = 500  # turns without growth after which the next level is tried, whatever the hero's strength
RESTLESS_LEVEL, RESTLESS_MOST = 5, 3  # up to which experience level it is tried beyond that level, and how far
EASED = 8  # hit points by which the strength for the Mines sinks each time
DESERTED = 600  # turns without any experience after which nobody is expected to come any more
GROWTH, GROWTH_LEAST = 1.2, 10  # by how much experience must have grown to count
AMBUSHED = 0.3  # chance of dying at the stairs that is not risked
AMBUSH_PATIENCE = 500  # turns without growth after which it is risked all the same
FORAGE = 2  # levels deeper that the hungry may go for food
BRANCH_SEARCH = 250  # turns for which hidden ways to the Mines are searched for on each of these levels
LAST_BRANCH = 4  # the Mines begin on level 2, 3 or 4
HEALTHY = 0.85  # share of hit points with which a dive may begin
STRONG_ROLES = frozenset({"bar", "mon", "sam", "val"})
# A dive brings some 6,000 points, and one hero in six dies within 1,000 turns of growing: 250 points of experience per
# 1,000 turns, worth 4 each, make up for it. The first turns are slow for everybody.
SAMPLE, STALL, WORTH_STAYING, STALL_LEVEL, STALL_TURN = 500, 3000, 750, 5, 6000
FORSAKEN = 5000  # turns for which no prayer is heard after which nobody waits for the next one
HEARD = 0.7  # chance of a prayer with which a dive may begin
HOPE = 0.5  # chance of a prayer below which the weak must still their hunger otherwise
FORAGE_CHANCE = 0.75  # the same for the hungry, by the time that they will be weak
AT_HOME = 0.6  # share of that strength which is enough for those whom gnomes and dwarves greet
MINE_LEVELS = 2  # levels of the Mines that are searched for dwarves; below them lies Minetown with its watch
DEEP_MINES, DEEP_STRENGTH = 5, 80  # the same for those who are strong: hit points, armour counted in
PREY_STEPS, PREY_RISK = 30, 0.12  # how far a peaceful dwarf is followed, and how dangerous it may be
PATROL = 30  # turns without experience after which the camp is moved
# How long the stairs are held after the last foe was seen, how long altogether, and how far from them.
HOLD_TURNS, HOLD_MOST, HOLD_STEPS, HOLD_BOUT = 25, 400, 8, 5
WARD_TRIES = 3  # words written in one pit; one in four is misspelt
PIT_TURNS, DWARVISH_PIT_TURNS = 5, 3  # who is here before the pit is dug is met with a word first
ASIDE = 100  # cost of a way to the next square that can be dug; in a shop each step counts as 30
WET_COST = 20  # steps that one neighbour of water less is worth: each may fill the pit, and again the hole
TO_AND_FRO, TIRED = 40, 400  # turns in which eight flights of stairs are too many, and how long nobody travels then
DASH = 2  # turns to stairs that are taken whoever is near
CROWD, CROWD_DASH = 6, 12  # how many in sight are a crowd, and the same turns there
STAIRS_STEPS = 14  # turns to walk to stairs that a hole would take at least
DWARVISH_STEPS = 8  # the same for dwarves, who dig a hole in eight turns
PURSUERS = 7  # how near foes are who would overtake us on the way to stairs
DIG_TRIES = 60  # commands of digging on one level before stairs are taken instead


class Journey:
    """The hero's plan in the large."""

    def __init__(self, body: Body, mind: Personality) -> None:
        self._body, self._mind = body, mind
        self._points, self._points_turn = -1, 0
        self._growth, self._growth_turn = 0, 0  # the experience by which growth is judged, and when it was reached
        self._history: deque[tuple[int, int]] = deque([(0, 0)], STALL // SAMPLE)  # turn and experience, now and then
        self.hard_floors: set[LevelKey] = set()
        self.hard_squares: set[tuple[LevelKey, int]] = set()
        self._dived = False
        self.barred: set[tuple[LevelKey, int]] = set()  # stairs that no way was found to
        self.explored: set[LevelKey] = set()  # levels where nothing was left to see without searching
        self.mines_searched = 0  # levels of the Mines that were seen through, with or without a pick-axe

    def note(self, world: World) -> None:
        """Follow experience: a level where nothing comes any more is left."""
        if world.stats[st.POINTS] != self._points or self._points_turn > world.turn:
            self._points, self._points_turn = world.stats[st.POINTS], world.turn
        if world.stats[st.POINTS] > GROWTH * self._growth + GROWTH_LEAST:
            self._growth, self._growth_turn = world.stats[st.POINTS], world.turn
        if world.turn >= self._history[-1][0] + SAMPLE:
            self._history.append((world.turn, world.stats[st.POINTS]))
        digs = self._body.hero.digger is not None and self.diving(world)
        self._body.diving = digs and self.goal(world) is None
        said = " ".join(world.messages)
        if "(for sale, " in said:  # what lies over a hole falls through it, and its keeper comes after us
            self.hard_squares.add((world.level.key, world.hero))
        if "too hard to dig" in said or "cannot dig" in said:
            if "here is too hard" in said:
                self.hard_floors.add(world.level.key)
            else:  # only this square: stairs that we stood on from the first, an altar, a throne
                self.hard_squares.add((world.level.key, world.hero))

    def is_stalled(self, world: World) -> bool:
        """Return True if the last few thousand turns brought less than the risk of living on costs."""
        _, points = self._history[0]
        return world.turn >= STALL_TURN and world.stats[st.POINTS] - points < WORTH_STAYING

    def idle_turns(self, world: World) -> int:
        """Return for how many turns no experience came."""
        return max(0, world.turn - self._points_turn)

    def is_ambushed(self, world: World, level: LevelKey) -> bool:
        """Return True if a pack that once drove us away waits on that level, and there is still reason for patience."""
        waited = world.turn - self._growth_turn
        return self._body.ambush_risk(level) > AMBUSHED and waited <= AMBUSH_PATIENCE

    def deepest(self, world: World) -> int:
        """Return the depth down to which the hero may walk now."""
        if self.diving(world):
            return 60
        milestones = self._mind.milestones
        allowed = max(2, int(1 + self.strength(world) / milestones.strength_per_level))
        allowed += self._restlessness(world)
        level = world.stats[st.EXPERIENCE]
        allowed = max(2, min(allowed, level + 1)) + FORAGE * is_foraging(self._body)
        if level <= RESTLESS_LEVEL:  # beginners starve where nobody comes; the others live well
            allowed += min(RESTLESS_MOST, self._restlessness(world))
        if self.idle_turns(world) > DESERTED:
            allowed = max(allowed, world.level.depth + 1)
        fled, turn = self._body.fled
        if world.turn - turn < STAY_AWAY and fled in world.levels and world.levels[fled].depth > world.level.depth:
            return min(allowed, world.levels[fled].depth - 1)  # who fled downwards does not go back into the pack
        return allowed

    def _restlessness(self, world: World) -> int:
        """Return how many times the hero has waited in vain to grow: nobody comes, and its food is eaten meanwhile."""
        return max(0, world.turn - self._growth_turn) // RESTLESS

    def strength(self, world: World) -> int:
        """Return the hit points of the healthy hero, with what its armour is worth."""
        return world.stats[st.HP_MAX] + ARMOUR_WORTH * (10 - world.stats[st.ARMOUR])

    def wants_mines(self, world: World) -> bool:
        """Return True while a pick-axe is worth a trip to the Mines: strong enough, and none carried."""
        hero, milestones = self._body.hero, self._mind.milestones
        if hero.digger is not None or self.mines_searched >= self.mine_levels(world):
            return False
        if world.level.key[0] != MINES and (mines := self._mines(world)) is not None and self.is_ambushed(world, mines):
            return False
        needed = milestones.mines_strength * (AT_HOME if hero.race in ("dwarf", "gnome") else 1.0)
        needed -= EASED * self._restlessness(world)
        return self.strength(world) >= needed and not self.diving(world)

    def mine_levels(self, world: World) -> int:
        """Return how many levels of the Mines are worth searching: the strong go on below Minetown."""
        return DEEP_MINES if self.strength(world) >= DEEP_STRENGTH else MINE_LEVELS

    def is_seeking(self, world: World) -> bool:
        """Return True where every corner is worth seeing: the way to the Mines, or dwarves, may be there."""
        if not self.wants_mines(world):
            return False
        branch, level = world.level.key
        return branch == MINES or (branch == 0 and 2 <= level <= LAST_BRANCH and self._mines(world) is None)

    def goal(self, world: World) -> LevelKey | None:
        """Return the level to travel to, if it is another one."""
        here = world.level.key
        belongings = self._body.belongings()
        if belongings is not None and belongings[0] != here and not self._body.hero.beast and not self._dived:
            return belongings[0]
        if here[0] == MINES:
            if self.wants_mines(world):
                return None
            return next((key for key in world.levels if key[0] == 0 and key[1] >= 2), None)
        if here[0] == 0 and self.wants_mines(world):
            return self._mines(world) or self.untried(world)[0] or self._unexplored(world) or self._unsearched(world)
        return None

    def _unsearched(self, world: World) -> LevelKey | None:
        """Return a level, another one, whose hidden ways were hardly searched for and may lead to the Mines."""
        levels = [(0, depth) for depth in range(LAST_BRANCH, 1, -1)]
        if self.is_searching(world) or not self.explored.issuperset(levels):
            return None
        return next((key for key in levels if world.levels[key].searched_turns < BRANCH_SEARCH), None)

    def is_searching(self, world: World) -> bool:
        """Return True where the way to the Mines must be hidden, here or on the level above or below."""
        branch, level = world.level.key
        if branch != 0 or not 2 <= level <= LAST_BRANCH or world.level.searched_turns >= BRANCH_SEARCH:
            return False
        if not self.wants_mines(world) or self._mines(world) is not None or self.untried(world)[0] is not None:
            return False
        return self.explored.issuperset((0, depth) for depth in range(2, LAST_BRANCH + 1))

    def _unexplored(self, world: World) -> LevelKey | None:
        """Return a level that the hero fell through, where the way to the Mines may be."""
        levels = [(0, depth) for depth in range(2, LAST_BRANCH + 1) if (0, depth) in world.levels]
        if world.level.key in levels and world.level.key not in self.explored:
            return None  # one after the other
        return next((key for key in levels if key not in self.explored and key != world.level.key), None)

    def untried(self, world: World) -> tuple[LevelKey | None, int]:
        """Return a level of the upper dungeon with stairs down that were never taken, and those stairs."""
        for key, level in world.levels.items():
            if key[0] != 0 or not 2 <= key[1] <= LAST_BRANCH:
                continue
            for cell in np.flatnonzero(level.memory[kn.TERRAIN] == kn.DOWN).tolist():
                if cell not in level.leads_to and len(level.leads_to) > 1 and (key, cell) not in self.barred:
                    return key, cell
        return None, -1

    def _mines(self, world: World) -> LevelKey | None:
        return min((key for key in world.levels if key[0] == MINES), default=None)

    def diving(self, world: World) -> bool:
        """Return True if it is time to go down as far as possible."""
        milestones = self._mind.milestones
        if self._is_starving(world):
            return True  # the end is near, and other levels may have food
        if self._body.hero.digger is None:
            return world.turn >= milestones.last_turn
        if self._dived:
            return True
        born = milestones.born_dive and self._body.hero.role == "arc"
        strong = self._body.hero.role in STRONG_ROLES
        enough = milestones.strong_dive_level if strong else milestones.dive_level
        last = milestones.strong_dive_turn if strong else milestones.dive_turn
        level = world.stats[st.EXPERIENCE]
        grown = level >= enough or born or (strong and level >= STALL_LEVEL and self.is_stalled(world))
        forsaken = self._body.hero.shunned_until > world.turn + FORSAKEN
        if not grown and not forsaken and world.turn < last:
            return False
        # A dive begins in good health and with a prayer in hand.
        healthy = world.stats[st.HP] >= HEALTHY * world.stats[st.HP_MAX]
        heard = self._body.hero.prayer_chance(world.turn) >= HEARD or world.stats[st.HUNGER] >= WEAK
        self._dived = healthy and (heard or forsaken or world.turn >= last)
        return self._dived

    def _is_starving(self, world: World) -> bool:
        """Return True if no food is left and a prayer will hardly help: other levels may have food."""
        hero, hunger = self._body.hero, world.stats[st.HUNGER]
        if hunger < HUNGRY or any(is_ration(item) for item in hero.items):
            return False
        if hero.digger is not None:
            return True  # while the prayer is still to be said, half the way down can be dug
        if hunger == HUNGRY:
            return hero.prayer_chance(world.turn + HUNGER_LASTS) < FORAGE_CHANCE
        return hero.prayer_chance(world.turn) < HOPE


class Downstairs(Descend):
    """Take the stairs down, as deep as the journey allows."""

    def __init__(self, personality: Personality, journey: Journey) -> None:
        super().__init__(personality)
        self._journey = journey

    def bid(self, world: World) -> Offer | None:
        journey = self._journey
        if journey.is_seeking(world) and world.frontier(NO_WEIGHTS, -1) >= 0:
            return None
        journey.explored.add(world.level.key)
        if journey.is_searching(world):
            return None
        if world.level.key[0] == MINES and journey.wants_mines(world):
            seen = len([key for key in world.levels if key[0] == MINES])
            if seen >= journey.mine_levels(world):
                journey.mines_searched = seen
                return None
        elif world.level.depth + 1 > journey.deepest(world) or self._leads_astray(world):
            return None
        return super().bid(world)

    def _leads_astray(self, world: World) -> bool:
        """Return True in the Mines when the journey leads elsewhere and the way up may still be found."""
        in_mines = world.level.key[0] == MINES
        return in_mines and self._journey.goal(world) is not None and not world.level.exhausted


class Outlook(Explore):
    """See what is new, unless the way leads down for good and is known."""

    def __init__(self, personality: Personality, journey: Journey) -> None:
        super().__init__(personality)
        self._journey = journey

    def bid(self, world: World) -> Offer | None:
        if world.level.key[0] == 0 and self._journey.diving(world):
            down = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.DOWN))
            if down >= 0 and world.level.leads_to.get(down, (0, 0))[0] == 0:
                return None
        return super().bid(world)


class UnwantedBranch(LeaveBranch):
    """Leave the Mines and Sokoban, unless the journey leads there."""

    def __init__(self, personality: Personality, journey: Journey) -> None:
        super().__init__(personality)
        self._journey = journey

    def bid(self, world: World) -> Offer | None:
        if world.level.key[0] == MINES and self._journey.wants_mines(world):
            return None
        return super().bid(world)


class Travel:
    """Go to another level over stairs that were taken before."""

    def __init__(self, journey: Journey, priority: int) -> None:
        self._journey, self._priority = journey, priority
        self._taken: list[int] = []  # turns in which stairs were taken, the last few
        self._tired_until = 0

    def bid(self, world: World) -> Offer | None:
        goal = self._journey.goal(world)
        if goal is None or world.turn < self._tired_until:
            return None
        self._taken = [turn for turn in self._taken if world.turn - turn < TO_AND_FRO]
        if len(self._taken) > TO_AND_FRO // 5:
            self._tired_until = world.turn + TIRED
            return None
        cell = self._journey.untried(world)[1] if goal == world.level.key else first_stairs(world, goal)
        if cell < 0 and goal[0] == world.level.key[0] and goal[1] < world.level.key[1]:
            cell = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.UP))
        if cell < 0 or (cell != world.hero and world.paths()[cell] >= kn.FAR):
            if goal == world.level.key:
                self._journey.barred.add((goal, cell))
            return None
        return Offer(self._priority, "travel", cell, partial(self._plan, world, cell))

    def _plan(self, world: World, cell: int) -> Plan:
        yield from walk(world, cell)
        if world.hero == cell:
            self._taken.append(world.turn)
            yield ord("<") if world.memory[kn.TERRAIN, cell] == kn.UP else ord(">")


def first_stairs(world: World, goal: LevelKey) -> int:
    """Return the stairs to take first on the shortest known way to the level `goal`, or -1."""
    waiting = deque([(cell, key) for cell, key in world.level.leads_to.items()])
    seen = {world.level.key}
    while waiting:
        cell, key = waiting.popleft()
        if key == goal:
            return cell
        if key not in seen and key in world.levels:
            seen.add(key)
            waiting.extend((cell, further) for further in world.levels[key].leads_to.values())
    return -1


class Hunt:
    """Attack a peaceful dwarf for its pick-axe: the first blow costs a little favour, and it is a foe from then on."""

    def __init__(self, body: Body, journey: Journey, priority: int) -> None:
        self._body, self._journey, self._priority = body, journey, priority

    def bid(self, world: World) -> Offer | None:
        body, stats = self._body, world.stats
        if not body.foes.peaceful or body.hero.digger is not None or not body.is_quiet():
            return None  # a dwarf met anywhere may carry one, also when the Mines were searched in vain
        if 1 < body.hero.guilt(world) > body.hero.piety:
            return None  # the next prayer would fail
        branch, level = world.level.key
        if stats[st.HP] < HEALTHY * stats[st.HP_MAX] or (branch == MINES and level > MINE_LEVELS):
            return None
        prey = [cell for cell in body.foes.peaceful if self._is_worth_it(world, cell)]
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

    def _is_worth_it(self, world: World, cell: int) -> bool:
        assert world.state is not None
        kind = self._body.lore.kinds[int(world.state.glyphs[cell])]
        if not kind.name.startswith("dwarf"):
            return False
        risk = chance_of_death(expected_loss(self._body.foes.beside(world, [kind]), 1), world.stats[st.HP])
        return risk < PREY_RISK

    def _strike(self, world: World, cell: int, way: int) -> Plan:
        self._body.foes.provoke(world, cell)
        yield Phrase("F" + key_of(way), (("Really attack", "y"),))


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
    """Wait for monsters on the stairs of the deepest level that the hero is strong enough for."""

    def __init__(self, body: Body, journey: Journey, watchdog: Watchdog, priority: int) -> None:
        self._body, self._journey, self._watchdog, self._priority = body, journey, watchdog, priority

    def bid(self, world: World) -> Offer | None:
        if world.level.depth + 1 <= self._journey.deepest(world) or world.stats[st.HUNGER] >= WEAK:
            return None
        if self._journey.is_searching(world):
            return None
        if world.level.key[0] == MINES and self._journey.wants_mines(world):
            return None  # whoever seeks goes on: the watchdog leads over traps and through hidden ways
        target = self._place(world)
        if target < 0:
            return None  # a trap or a boulder bars the way: the watchdog leads out
        self._watchdog.excuse(world)
        if target == world.hero:
            return bid_of(self._priority, "camp", world.turn, Phrase("20s"))
        return Offer(self._priority, "go camping", target, partial(walk, world, target))

    def _place(self, world: World) -> int:
        """Return the stairs to wait on; where nothing comes for long, those at the other end of the level; or -1."""
        dist = world.paths()
        kinds = [kn.UP, kn.DOWN] if world.level.depth > 1 else [kn.DOWN, kn.UP]
        if self._journey.idle_turns(world) // PATROL % 2:
            kinds.reverse()
        for kind in kinds:
            cell = int(kn.nearest_of(world.memory, dist, kn.TERRAIN, kind))
            if cell >= 0:
                return cell
        return -1


class Ascend:
    """Go back up from a level that is too deep for the hero: after a fall, or after armour was lost."""

    def __init__(self, journey: Journey, priority: int) -> None:
        self._journey, self._priority = journey, priority

    def bid(self, world: World) -> Offer | None:
        if world.level.key[0] != 0 or world.level.depth <= self._journey.deepest(world) + 1:
            return None
        target = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.UP))
        if target < 0:
            return None
        return Offer(self._priority, "ascend", target, partial(self._plan, world, target))

    def _plan(self, world: World, target: int) -> Plan:
        yield from walk(world, target)
        if world.hero == target:
            yield ord("<")


class DigDown:
    """Dig from level to level with a pick-axe, one hole after the other."""

    def __init__(self, body: Body, journey: Journey, priority: int) -> None:
        self._body, self._journey, self._priority = body, journey, priority
        self._level: LevelKey = (-1, -1)
        self._tries = 0
        self._warded: tuple[LevelKey, int, bool] = ((-1, -1), -1, False)  # the square, or its pit, of the two below
        self._ward_tries = 0
        self._unread = False  # the word was written and not read yet

    def bid(self, world: World) -> Offer | None:
        tool = self._body.hero.digger
        if tool is None or world.level.key in self._journey.hard_floors:
            return None
        if not self._journey.diving(world) and not self._body.walled_in:
            return None
        if world.level.key[0] == SOKOBAN:
            return None
        if world.level.key[0] == MINES and self._journey.goal(world) is not None and not self._body.desperate:
            return None  # the Mines end soon: the way down leads through the main dungeon
        if world.level.key != self._level:
            self._level, self._tries = world.level.key, 0
        if self._tries > DIG_TRIES:
            self._journey.hard_floors.add(world.level.key)
            return None
        if (stairs := self._near_stairs(world)) is not None:
            return stairs
        shield = worn(self._body, SHIELD)
        if shield is not None and not shield.cursed and self._body.lore.object(tool.number).two_handed:
            self._tries += 1
            return bid_of(self._priority, "lay off the shield", world.turn, Phrase("T", (("take off", shield.letter),)))
        if not self._can_dig_at(world, world.hero) or (self._wet(world, world.hero)):
            aside = self._step_aside(world)
            if aside is not None or not self._can_dig_at(world, world.hero):
                return aside
        return self._ward(world) or Offer(self._priority, "dig down", world.turn, partial(self._dig, tool.letter))

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
        if not in_pit and not any(self._comes_soon(foe, dwarvish) for foe in body.foes.hostile):
            return None
        if in_pit and dwarvish and not body.foes.hostile and world.sees:
            return None  # the rest of the hole is dug in less time than most take to come
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
        turns = DWARVISH_PIT_TURNS if dwarvish else PIT_TURNS
        return foe.kind.respects and (foe.distance - 1) * 12 <= turns * foe.kind.row.speed

    def _dig(self, letter: str) -> Plan:
        self._tries += 1
        yield Phrase("a", (("use or apply", letter), ("apply", letter), ("direction", ">"), ("continue", "y")))

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

    def _step_aside(self, world: World) -> Offer | None:
        """Walk to the nearest square that can be dug, a dry one if possible."""
        dist = world.paths()
        near = [cell for cell in np.flatnonzero(dist < ASIDE).tolist() if self._can_dig_at(world, cell)]
        target = min(near, key=lambda cell: int(dist[cell]) + WET_COST * self._wet(world, cell), default=-1)
        if target < 0 or target == world.hero:
            return None
        self._tries += 1
        return Offer(self._priority, "step aside", target, partial(walk, world, target))
