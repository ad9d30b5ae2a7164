"""Where to be: how deep the hero may go, when it waits, and when it digs down for good."""

from __future__ import annotations

from collections import Counter, deque

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.body import Body
from gridsage.games.nethack.agents.excalibur import Lake
from gridsage.games.nethack.agents.hero import SEEN_HERE
from gridsage.games.nethack.agents.living import (
    FAST_TURNS,
    FORAGE_HOPE,
    HUNGER_LASTS,
    HUNGRY,
    SURE_OF_HELP,
    WEAK,
    hope_of_food,
    is_foraging,
    is_ration,
    provisions,
    runs_short,
)
from gridsage.games.nethack.agents.personality import Personality
from gridsage.games.nethack.agents.shops import Larder
from gridsage.games.nethack.agents.vaults import Plunder
from gridsage.games.nethack.agents.world import MINES, LevelKey, World

ARMOUR_WORTH = 4  # hit points that a point of armour class is worth
STAY_AWAY = 30  # turns before a level left in danger is entered again
BOTTOM = 60  # deeper than any level
# Levels below the deepest allowed one from which nobody who can dig climbs back; and the same for the strong.
OUT_OF_DEPTH, FAR_OUT_OF_DEPTH = 2, 8
RESTLESS = 500  # turns without growth after which the next level is tried, whatever the hero's strength
RESTLESS_LEVEL, RESTLESS_MOST = 5, 3  # up to which experience level it is tried beyond that level, and how far
EASED = 8  # hit points by which the strength for the Mines sinks each time
CORNERED = 900  # turns without any experience after which a pack at the stairs is fought to the end
DESERTED = 600  # turns without any experience after which nobody is expected to come any more
# Turns on levels seen through, since experience came on such a one, after which those found on new ones change nothing.
FORLORN = 900
# Turns of searching in vain for a way on after which the Mines are the only place left to see; and for the doomed.
LOST, LOST_DOOMED = 700, 60
GROWTH, GROWTH_LEAST = 1.2, 10  # by how much experience must have grown to count
AMBUSHED = 0.3  # chance of dying at the stairs that is not risked
AMBUSH_PATIENCE = 500  # turns without growth after which it is risked all the same
SHORT_PATIENCE = 100  # turns after which it is risked by those whose food runs short
CASTLE = 25  # the Castle, whose floor nobody digs through, is on this level or deeper
FORAGE = 2  # levels deeper that the hungry may go for food
# Nutrition left with which a trip to new levels for food begins, and with which it ends; and how many levels above the
# number of their experience level heroes look. Such trips bring a little more than they take.
SHORT, STORED, LARDER_BELOW = 500, 800, 2
ANXIOUS, LARDER_DEEP = 700, 6  # the same beginning, and how deep those look whose next prayer may well fail
FAMINE = 0.75  # chance of a prayer below which they look as deep as it takes: hunger is the surer death
# Turns for which hidden ways to the Mines are searched for on each of these levels, and the same with the walking.
BRANCH_SEARCH, BRANCH_TURNS = 250, 600
LAST_BRANCH = 4  # the Mines begin on level 2, 3 or 4
HEALTHY = 0.85  # share of hit points with which a dive may begin
STURDY = 85  # hit points, armour counted in, with which others grow on like the strong
# A dive brings some 6,000 points, and 0.02 to 0.04 heroes die per 1,000 turns of growing on levels 3 and 4: 40 points
# of experience, worth 4 each, pay for them. Growth quickens: whoever gained 120 in 3,000 turns gains twice as many in
# the next. The first are slow.
SAMPLE, STALL, WORTH_STAYING, STALL_LEVEL, STALL_TURN = 500, 3000, 120, 5, 6000
# Monsters are made for the mean of depth and experience level: soldier ants, elves and unicorns come at 6. Of strong
# heroes at experience levels 6 and 7, 0.013 died per 1,000 turns on level 4, 0.05 on level 5, 0.12 on level 6; their
# experience grew by 165, 169 and 200 points. At levels 8 and more 0.05 died on level 4, 0.03 on 5 and 0.15 below.
# The others have less to gain by growing: they seek a pick-axe, food and armour, and dive. Per 1,000 points of
# experience 1.3 of them died on levels 2 and 3 at experience levels 3 and 4, 2.1 on level 4; at experience levels 5
# and 6 1.4 on levels 2 and 3, 1.5 on level 4, 2.1 below.
GROWN_LEAST, HARDENED = 6, 5
# Hit points, armour counted in, from which whoever has Excalibur grows deeper, and how many levels above the number of
# its experience level.
BLESSED_STRENGTH, BLESSED_BELOW = 100, 2
# Levels less for the grown whom no prayer would save now: one in five died while praying too soon.
UNHEARD, STRONG_UNHEARD = 3, 1
PRAYER_TAKES = 5  # turns until a prayer has shown its effect
HEARD = 0.7  # chance of a prayer with which a dive may begin
FORAGE_CHANCE = 0.75  # chance of a prayer below which the weak, and the hungry who soon will be, go down for food
AT_HOME = 0.3  # share of that strength which is enough for those whom gnomes and dwarves greet
HOME_LEVELS, HOME_STRENGTH = 8, 10  # levels of the Mines that they search, and hit points that each asks for
WORTH_THE_WAY = 2  # the first level whose vault is worth going back to: each holds two hundred coins more
MINE_LEVELS = 2  # levels of the Mines that are searched for dwarves; below them lies Minetown with its watch
DEEP_MINES, DEEP_STRENGTH = 5, 80  # the same for those who have so many hit points, armour counted in


class Journey:
    """The hero's plan in the large."""

    def __init__(self, body: Body, mind: Personality) -> None:
        self._body, self._mind = body, mind
        self.larder = Larder(body, mind.priorities.eat)
        self.lake = Lake(body, mind)
        self.explored: set[LevelKey] = set()  # levels where nothing was left to see without searching
        self.plunder = Plunder(body, mind.priorities.plunder, self.explored)
        self._points, self._points_turn = -1, 0
        self._growth, self._growth_turn = 0, 0  # the experience by which growth is judged, and when it was reached
        self._history: deque[tuple[int, int]] = deque([(0, 0)], STALL // SAMPLE)  # turn and experience, now and then
        self.hard_floors: set[LevelKey] = set()
        self.hard_squares: set[tuple[LevelKey, int]] = set()
        self._dived = False
        self.finished = False  # the bottom was reached: what is left is gold, on the levels above
        self.barred: dict[tuple[LevelKey, int], int] = {}  # stairs that no way was found to, and until when they rest
        self._branch_turns: Counter[LevelKey] = Counter()  # turns spent so far on hidden ways to the Mines
        self._noted_turn = 0
        self._vain_turns = 0  # on levels seen through, since experience was gained on one of them
        self._lost = False  # no way on was found: the Mines are left to see
        self._short = False  # of food: new levels are looked through for it
        self.mines_searched = 0  # levels of the Mines that were seen through, with or without a pick-axe

    def note(self, world: World) -> None:
        """Follow experience: a level where nothing comes any more is left."""
        if world.stats[st.POINTS] != self._points or self._points_turn > world.turn:
            self._points, self._points_turn = world.stats[st.POINTS], world.turn
            if world.level.key in self.explored:
                self._vain_turns = 0
        if world.stats[st.POINTS] > GROWTH * self._growth + GROWTH_LEAST:
            self._growth, self._growth_turn = world.stats[st.POINTS], world.turn
        if world.turn >= self._history[-1][0] + SAMPLE:
            self._history.append((world.turn, world.stats[st.POINTS]))
        if world.turn != self._noted_turn:
            passed = max(0, world.turn - self._noted_turn)
            if self.is_searching(world):
                self._branch_turns[world.level.key] += passed
            if world.level.key in self.explored:
                self._vain_turns += passed
            self._noted_turn = world.turn
        self.plunder.note(world)
        self.lake.note(world)
        anxious = hope_of_food(self._body) < FORAGE_HOPE
        self._short = runs_short(self._body, STORED if self._short else ANXIOUS if anxious else SHORT)
        branch, depth = world.level.key
        if world.level.vain_turns >= (LOST_DOOMED if self._body.doomed else LOST):
            self._lost = branch == 0  # and back from there, where no way leads on either
        if branch == 0 and depth >= CASTLE and world.level.key in self.hard_floors:
            self.finished = True
        self._body.doomed = self._is_doomed(world)
        digs = self._body.hero.digger is not None and self.diving(world) and not self.finished
        self._body.diving = digs and self.goal(world) is None
        self._body.cornered = self.idle_turns(world) > CORNERED
        said = " ".join(world.messages)
        if ("You see here" in said or "hings that are here" in said) and self._is_meal_underfoot(world):
            self._body.piles.add((world.level.key, world.hero))  # whoever fell or climbed there never saw it
        if "(for sale, " in said:  # what lies over a hole falls through it, and its keeper comes after us
            self.hard_squares.add((world.level.key, world.hero))
        if "isn't enough room to dig" in said:  # a giant's boulder lies on this square
            self.hard_squares.add((world.level.key, world.hero))
        if "too hard to dig" in said or "cannot dig" in said:
            if "here is too hard" in said and "wall here" not in said:
                self.hard_floors.add(world.level.key)
            else:  # only this square: stairs that we stood on from the first, an altar, a throne
                self.hard_squares.add((world.level.key, world.hero))

    def _is_meal_underfoot(self, world: World) -> bool:
        """Return True if food that is safe at any age, and nobody's, is named among what lies here."""
        single = SEEN_HERE.search(" ".join(world.messages))
        named = (single[1],) if single is not None else world.messages
        return any(is_ration(self._body.hero.item_of("?", words)) for words in named if "for sale" not in words)

    def is_stalled(self, world: World) -> bool:
        """Return True if the last few thousand turns brought less than the risk of living on costs."""
        _, points = self._history[0]
        return world.turn >= STALL_TURN and world.stats[st.POINTS] - points < WORTH_STAYING

    def idle_turns(self, world: World) -> int:
        """Return for how many turns no experience came."""
        return max(0, world.turn - self._points_turn)

    def is_deserted(self, world: World) -> bool:
        """Return True if nobody is expected to come any more where the hero has been.

        Whoever is met on a new level does not change that: in a dungeon where no monsters are made nobody ever comes.
        """
        return self.idle_turns(world) > DESERTED or self._vain_turns > FORLORN

    def is_ambushed(self, world: World, level: LevelKey) -> bool:
        """Return True if a pack that once drove us away waits on that level, and there is still reason for patience."""
        if self._body.overdue:
            return False
        _, since = self._body.ambushes.get(level, ((), 0))
        waited = world.turn - (since if self._short else max(self._growth_turn, since))
        patience = SHORT_PATIENCE if self._short else AMBUSH_PATIENCE
        return self._body.ambush_risk(level) > max(AMBUSHED, self._famine_risk(world)) and waited <= patience

    def _famine_risk(self, world: World) -> float:
        """Return the chance that the hungry, who carry no food, will starve unless they find some."""
        if world.stats[st.HUNGER] < HUNGRY or any(is_ration(item) for item in self._body.hero.items):
            return 0.0
        left = HUNGER_LASTS if world.stats[st.HUNGER] == HUNGRY else 0
        return 1.0 - self._body.hero.prayer_chance(world.turn + left)

    def deepest(self, world: World) -> int:
        """Return the depth down to which the hero may walk now."""
        return BOTTOM if self.diving(world) else self._allowed(world)

    def _allowed(self, world: World) -> int:
        """Return the depth down to which the hero may walk now if it does not dive."""
        milestones = self._mind.milestones
        allowed = max(2, int(1 + self.strength(world) / milestones.strength_per_level))
        allowed += self._restlessness(world)
        level = world.stats[st.EXPERIENCE]
        grown, strong = level > RESTLESS_LEVEL, self.is_strong(world)
        allowed = min(allowed, max(GROWN_LEAST, level - 1) if grown else level + 1)
        weak_depth = milestones.weak_depth - (level < HARDENED)
        allowed = min(allowed, self._growth_depth(world) if strong else weak_depth)
        if grown and self._body.hero.prayed is not None and self._body.hero.prayer_chance(world.turn) < HEARD:
            allowed -= STRONG_UNHEARD if strong else UNHEARD
        allowed = max(2, allowed) + FORAGE * is_foraging(self._body)
        if not grown:  # beginners starve where nobody comes; the others live well
            allowed += min(RESTLESS_MOST, self._restlessness(world))
        if self._short:
            allowed = max(allowed, self._larder_depth(world, allowed))
        if self.is_deserted(world):
            seen = max((level for branch, level in self.explored if branch == 0), default=0)
            allowed = max(allowed, seen + 1, world.level.depth + 1)  # all of them are as empty as this one
        fled, turn = self._body.fled
        recent = world.turn - turn < STAY_AWAY and not self._body.overdue
        if recent and fled in world.levels and world.levels[fled].depth > world.level.depth:
            return min(allowed, world.levels[fled].depth - 1)  # who fled downwards does not go back into the pack
        return allowed

    def _growth_depth(self, world: World) -> int:
        """Return the deepest level on which those who fight well grow: with Excalibur they fight better than most."""
        depth = self._mind.milestones.growth_depth
        if not self._body.hero.has_excalibur or self.strength(world) < BLESSED_STRENGTH:
            return depth
        deeper = max(depth, world.stats[st.EXPERIENCE] - BLESSED_BELOW)
        return min(deeper, depth + self._mind.milestones.excalibur_deeper)

    def _larder_depth(self, world: World, allowed: int) -> int:
        """Return the depth of the next level that may hold food: the first below that was not looked through yet."""
        unseen = next(depth for depth in range(allowed, BOTTOM) if (0, depth) not in self.explored)
        hope = hope_of_food(self._body)
        if hope < FAMINE:
            return unseen
        level = world.stats[st.EXPERIENCE]
        most = max(allowed + 1, level - LARDER_BELOW)
        if hope < FORAGE_HOPE:
            most = max(most, min(LARDER_DEEP, level + 1))
        return min(unseen, most)

    def _restlessness(self, world: World) -> int:
        """Return how many times the hero has waited in vain to grow: nobody comes, and its food is eaten meanwhile."""
        return max(0, world.turn - self._growth_turn) // RESTLESS

    def strength(self, world: World) -> int:
        """Return the hit points of the healthy hero, with what its armour is worth."""
        return world.stats[st.HP_MAX] + ARMOUR_WORTH * (10 - world.stats[st.ARMOUR])

    def slack(self, world: World) -> int:
        """Return how many levels too deep are borne: none below those on which heroes grow."""
        milestones = self._mind.milestones
        growth = self._growth_depth(world) if self.is_strong(world) else milestones.weak_depth
        return int(world.level.depth <= growth)

    def wants_mines(self, world: World) -> bool:
        """Return True while a pick-axe is worth a trip to the Mines: strong enough, and none carried."""
        hero, milestones = self._body.hero, self._mind.milestones
        if hero.digger is not None or self.mines_searched >= self.mine_levels(world):
            return False
        if self._lost:
            return True
        if self._body.doomed:
            return False
        if world.level.key[0] != MINES and self._avoids_mines(world):
            return False
        if hero.fights_well and world.stats[st.EXPERIENCE] < milestones.strong_mines_level:
            return False
        needed = milestones.mines_strength * (AT_HOME if hero.race in ("dwarf", "gnome") else 1.0)
        needed -= EASED * self._restlessness(world)
        return self.strength(world) >= needed and not self.diving(world)

    def _avoids_mines(self, world: World) -> bool:
        """Return True if going there would be going to and fro, or a pack waits at their stairs."""
        if self._body.desperate:
            return True
        mines = self._mines(world)
        return mines is not None and (self.idle_turns(world) > DESERTED or self.is_ambushed(world, mines))

    def mine_levels(self, world: World) -> int:
        """Return how many levels of the Mines are worth searching: some go on below Minetown."""
        if self._lost:
            return HOME_LEVELS
        if self._body.hero.fights_well and self.strength(world) >= DEEP_STRENGTH:
            return self._mind.milestones.deep_mines
        if self._body.hero.race in ("dwarf", "gnome"):
            return max(MINE_LEVELS, min(HOME_LEVELS, self.strength(world) // HOME_STRENGTH))
        return DEEP_MINES if self.strength(world) >= DEEP_STRENGTH else MINE_LEVELS

    def is_seeking(self, world: World) -> bool:
        """Return True where every corner is worth seeing: the way to the Mines, or dwarves, may be there."""
        if not self.wants_mines(world):
            return False
        branch, level = world.level.key
        return branch == MINES or (branch == 0 and 2 <= level <= LAST_BRANCH and self._mines(world) is None)

    def goal(self, world: World) -> LevelKey | None:
        """Return the level to travel to, if it is another one."""
        here, doomed = world.level.key, self._body.doomed
        belongings = None if doomed else self._body.belongings()
        if belongings is not None and belongings[0] != here and not self._body.hero.beast and not self._dived:
            return belongings[0]
        if here[0] == MINES:
            if self.wants_mines(world) or self.stays_in_mines(world):
                return None
            return next((key for key in world.levels if key[0] == 0 and key[1] >= 2), None)
        besieged = self._body.cornered and world.stats[st.HUNGER] < HUNGRY  # it is fought out, not walked away from
        if here[0] == 0 and not besieged and not doomed and (shop := self.larder.goal(world)) is not None:
            return None if shop == here else shop
        if here[0] == 0 and (vaults := self._vaults(world)):
            return None if here in vaults else vaults[-1]
        if here[0] == 0 and not besieged and not self._dived and (lake := self.lake.goal(world)) is not None:
            return None if lake == here else lake
        if here[0] == 0 and self.wants_mines(world):
            return self._mines(world) or self.untried(world)[0] or self._unexplored(world) or self._unsearched(world)
        return None

    def stays_in_mines(self, world: World) -> bool:
        """Return True in the Mines if there is no time to look for another way down.

        Those at home there meet neither foes nor meals.
        """
        hero = self._body.hero
        hurried = self._body.doomed and hero.digger is None and hero.race not in ("dwarf", "gnome")
        return hurried and world.level.key[0] == MINES

    def _vaults(self, world: World) -> list[LevelKey]:
        """Return the levels whose vault is worth a tunnel now."""
        if self._dived or self._short or world.stats[st.HUNGER] >= HUNGRY or not (vaults := self.plunder.pending()):
            return []
        here, allowed = world.level.key, self._allowed(world)
        return [key for key in vaults if key == here or WORTH_THE_WAY <= key[1] <= allowed]

    def _unsearched(self, world: World) -> LevelKey | None:
        """Return a level, another one, whose hidden ways were hardly searched for and may lead to the Mines."""
        levels = [(0, depth) for depth in range(LAST_BRANCH, 1, -1)]
        if self._short or self.is_searching(world) or not self.explored.issuperset(levels):
            return None  # those whose food runs short do not search there
        return next((key for key in levels if not self._is_searched(world, key)), None)

    def _is_searched(self, world: World, key: LevelKey) -> bool:
        """Return True if hidden ways on that level were searched for long enough."""
        return world.levels[key].searched_turns >= BRANCH_SEARCH or self._branch_turns[key] >= BRANCH_TURNS

    def is_searching(self, world: World) -> bool:
        """Return True where the way to the Mines must be hidden, here or on the level above or below."""
        branch, level = world.level.key
        if branch != 0 or not 2 <= level <= LAST_BRANCH or self._is_searched(world, world.level.key) or self._short:
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
            stairs = np.flatnonzero(level.memory[kn.TERRAIN] == kn.DOWN).tolist()
            for cell in stairs:
                barred = self.barred.get((key, cell), 0) > world.turn
                if cell not in level.leads_to and (len(level.leads_to) > 1 or len(stairs) > 1) and not barred:
                    return key, cell
        return None, -1

    def _mines(self, world: World) -> LevelKey | None:
        return min((key for key in world.levels if key[0] == MINES), default=None)

    def diving(self, world: World) -> bool:
        """Return True if it is time to go down as far as possible."""
        milestones = self._mind.milestones
        if not self._dived and self._is_out_of_depth(world):
            self._dived = True
        if self._is_starving(world):
            for_good = self._body.doomed or self.is_strong(world)
            self._dived = self._dived or (self._body.hero.digger is not None and for_good)
            return True  # the end is near, and other levels may have food
        if self._body.hero.digger is None:
            return world.turn >= milestones.last_turn
        if self._dived:
            return True
        born = milestones.born_dive and self._body.hero.role == "arc"
        strong = self.is_strong(world)
        enough = milestones.strong_dive_level if strong else milestones.dive_level
        last = milestones.strong_dive_turn if strong else milestones.dive_turn
        level = world.stats[st.EXPERIENCE]
        grown = level >= enough or born or (strong and level >= STALL_LEVEL and self.is_stalled(world))
        forsaken = self._body.hero.is_forsaken(world.turn)
        if (not grown and not forsaken and world.turn < last) or self._vaults(world):
            return False
        # A dive begins in good health and with a prayer in hand.
        healthy = world.stats[st.HP] >= HEALTHY * world.stats[st.HP_MAX]
        heard = self._body.hero.prayer_chance(world.turn) >= HEARD or world.stats[st.HUNGER] >= WEAK
        self._dived = healthy and (heard or forsaken or world.turn >= last)
        return self._dived

    def is_strong(self, world: World) -> bool:
        """Return True for those who gain more by growing than by a dive."""
        return self._body.hero.fights_well or self.strength(world) >= STURDY

    def _is_out_of_depth(self, world: World) -> bool:
        """Return True if somebody who can dig is too deep to live there, after a fall or a dive for hunger."""
        branch, depth = world.level.key
        if self._body.hero.digger is None or branch != 0:
            return False
        return depth > self._allowed(world) + (FAR_OUT_OF_DEPTH if self.is_strong(world) else OUT_OF_DEPTH)

    def _is_doomed(self, world: World) -> bool:
        """Return True if the food will soon be gone, and no prayer will be heard even at the end of a fast.

        Nothing is waited for then: deeper levels may hold food, and whoever falls there is worth more than whoever
        faints above. Those whom no god will hear again never turn back, however much they find. Where nobody comes
        a fast is safe, and levels without a way down are what ends games.
        """
        body, hero = self._body, self._body.hero
        if body.doomed and hero.is_forsaken(world.turn):
            return True
        if self.is_deserted(world) and not body.doomed:
            return False
        left = provisions(body)
        return left < ANXIOUS and hero.prayer_chance(world.turn + max(0, left) + FAST_TURNS) < FAMINE

    def _is_starving(self, world: World) -> bool:
        """Return True if no food is left and a prayer will hardly help: other levels may have food.

        Whom no prayer will help goes down before it is hungry, seeing more on the way: the end is near.
        """
        hero, hunger = self._body.hero, world.stats[st.HUNGER]
        if self._body.doomed:
            return True
        if hunger < HUNGRY or any(is_ration(item) for item in hero.items):
            return False
        if hero.prayed is not None and world.turn - hero.prayed <= PRAYER_TAKES:
            return False  # the prayer being said may still it
        if hero.digger is not None and not self.is_strong(world):
            return True  # while the prayer is still to be said, half the way down can be dug
        # Who can dig waits for no better chance until it is weak or faints: a dive takes longer than hunger leaves.
        needed = FORAGE_CHANCE if hero.digger is None else SURE_OF_HELP
        if hunger == HUNGRY:
            return hero.prayer_chance(world.turn + HUNGER_LASTS) < needed
        return hero.prayer_chance(world.turn) < needed
