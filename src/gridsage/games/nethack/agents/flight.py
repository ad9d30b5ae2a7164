"""Feet: the way out over stairs, what it costs, and the square to fight from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.body import Body, key_of, stairs_key
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.foes import Foe, chance_of_death, expected_loss
from gridsage.games.nethack.agents.living import lives_on_prey
from gridsage.games.nethack.agents.world import STEP_OF_WAY, LevelKey, World
from gridsage.games.nethack.level import COLS, ROWS

POSITION_STEPS = 4
RETREAT_STEPS = 12  # stairs farther away are no refuge
NEAR_STAIRS = 6  # stairs to which a hero walks that loses against something unseen
LURKING = 6  # steps from the stairs within which a foe left behind waits for us
KITED = 0.5  # the risk that is left of a fight fought from afar against slow foes
SLOW = 8.0  # the speed up to which a foe is slow for somebody of speed 12
STEPS_BACK, STEPPED_BACK = 5, 25  # steps in a row that bring no throw, and for how long none is made then
LINE_WORTH = 4  # open sides that a line to throw along is worth
PASSING, PURSUIT = 3, 8  # steps looked ahead for foes on the way; how near the quick ones are who overtake us
SHOT_AT = 0.4  # share of the turns on the way in which somebody who shoots has us in line
DANCE_TURNS, DANCED = 15, 0.25  # flights over stairs within so many turns cost this much more each: it leads nowhere
AMBUSH_SIDES = 3  # how many of those who wait behind stairs strike at once
PATIENCE = 4  # flights from one level that bring nothing before they cost more, too
PARTING_ROUNDS, PARTING_REACH = 1.6, 2  # rounds in which a fight on stairs may turn, and how near foes take part
LEAVING_WEAK, IN_VAIN, UNWINNABLE = 0.5, 0.2, 0.9  # what a lost fight costs that is left late, or begun at all
USUAL_FLIGHT = 0.06  # the risk of a flight over stairs with nobody behind them
# What a flight costs more from those who drove us away before, as long as more than such a share of hit points is left:
# whoever leaves without a blow comes back to the same foes, who strike first, and heals meanwhile for nothing.
RESOLVE, RESOLVED_ABOVE = 0.3, 0.5
NOWHERE_ELSE = 2.0  # the same for those who have found nothing else to do for long: it is fought out, even if it kills


class Option(NamedTuple):
    """Something to do, and the chance of dying that it leaves."""

    risk: float
    name: str
    goal: int
    command: Phrase


ALLY, ALLY_STEPS = 0.6, 3  # share of its wounds that a fight beside a pet costs, and how near that is


def cells_around(middle: int, radius: int) -> Iterator[int]:
    """Return the squares of the map at most `radius` king's steps from `middle`, itself left out."""
    row, col = divmod(middle, COLS)
    for to_row in range(max(0, row - radius), min(ROWS, row + radius + 1)):
        for to_col in range(max(0, col - radius), min(COLS, col + radius + 1)):
            if (to_row, to_col) != (row, col):
                yield to_row * COLS + to_col


def in_line(one: int, other: int) -> bool:
    """Return True if something thrown from one square can hit the other."""
    rows, cols = abs(one // COLS - other // COLS), abs(one % COLS - other % COLS)
    return rows == 0 or cols == 0 or rows == cols


def fight_loss(body: Body, threats: list[Foe]) -> float:
    """Return the hit points that it costs to fight `threats` to the end where the hero stands."""
    hero = body.world.hero
    helped = any(arms.distance(cell, hero) <= ALLY_STEPS for cell in body.foes.pets)
    loss = expected_loss(threats, body.open_sides(hero) if len(threats) > 1 else 1)
    return ALLY * loss if helped else loss


class Flight:
    """Weighs the ways out of a fight, and the places to fight it."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._in_vain: Counter[LevelKey] = Counter()  # flights from a level since experience was gained last
        self._points = -1
        self._flights: list[int] = []  # turns in which we fled over stairs, the last few
        self._steps_back = 0  # steps away from slow foes since something was thrown

    def note(self, world: World, threats: list[Foe]) -> None:
        """Remember who stays beside the stairs: a level that nobody is on stands still."""
        body = self._body
        body.fled = (world.level.key, world.turn)
        self._flights.append(world.turn)
        self._in_vain[world.level.key] += 1
        staying = [foe.kind for foe in threats if foe.distance <= LURKING and not (foe.beside and foe.kind.follows)]
        body.ambushes[world.level.key] = (tuple(staying), world.turn)

    def is_in_pit(self, world: World) -> bool:
        return self._body.pit == (world.level.key, world.hero)

    def to_near_stairs(self, world: World) -> int:
        """Return the direction of stairs near by, -1 if there are none, if we are there, or if the way is barred."""
        best, steps, _ = self._refuge(world)
        if best < 0 or best == world.hero or steps > NEAR_STAIRS or self.is_in_pit(world) or self._body.is_held:
            return -1
        way = world.way_to(best)
        return -1 if way < 0 or world.hero + STEP_OF_WAY[way] in self._body.foes.unseen else way

    def may_leave_unseen(self, world: World) -> bool:
        """Return True if stairs are a way out from something unseen: we did not come over them a moment ago."""
        return not self._body.is_muted("stairs") and all(world.turn - turn >= DANCE_TURNS for turn in self._flights)

    def parting_risk(self, world: World, threats: list[Foe], to_the_end: float) -> float:
        """Return the chance of dying in a fight that is left over the stairs underfoot as soon as it goes badly.

        What was done to those who stay behind stays done, because their level stands still meanwhile. But whoever
        leaves late leaves weak, and a fight that cannot be won is not worth its wounds.
        """
        if self._body.diving or (stairs := self.stairs(world, threats)) is None:
            return 1.0
        stats = world.stats
        rounds = PARTING_ROUNDS * sum(foe.loss for foe in threats if foe.distance <= PARTING_REACH)
        wounds = LEAVING_WEAK * to_the_end * (1 - stats[st.HP] / max(1, stats[st.HP_MAX]))
        wounds += IN_VAIN if to_the_end > UNWINNABLE else 0.0
        leaving = max(0.0, stairs.risk - self._resolve(world) - USUAL_FLIGHT)
        return chance_of_death(rounds, stats[st.HP]) + leaving + wounds

    def stairs(self, world: World, threats: list[Foe]) -> Option | None:
        """Return the way out over the stairs underfoot: only those beside us that stalk come along."""
        key = stairs_key(world, world.hero)
        if not key or self._body.is_held or lives_on_prey(self._body) or (self._body.doomed and key == "<"):
            return None
        leads = world.level.leads_to.get(world.hero)
        waiting = self._waiting(world, leads)
        followers = [foe for foe in threats if foe.beside and foe.kind.follows]
        if len(followers) == len(threats):
            return None
        left = chance_of_death(expected_loss(followers, 2), world.stats[st.HP]) if followers else 0.0
        left += waiting + self._dance(world) + self._resolve(world)
        return Option(left + (0.03 if key == "<" else 0.06), "stairs", 0, Phrase(key))

    def _resolve(self, world: World) -> float:
        """Return what it costs more to leave a level to which we came back, though somebody had driven us away."""
        level, turn = self._body.fled
        if level != world.level.key or turn >= world.turn:
            return 0.0
        fit = world.stats[st.HP] > RESOLVED_ABOVE * world.stats[st.HP_MAX]
        return NOWHERE_ELSE if self._body.cornered else RESOLVE if fit else 0.0

    def _waiting(self, world: World, leads: LevelKey | None) -> float:
        """Return the risk of those who wait behind stairs: who cannot stay here has to fight them to the end there."""
        if leads is None or not (risk := self._body.ambush_risk(leads)):
            return 0.0
        waiting = self._body.foes.beside(world, self._body.ambushes[leads][0])
        return max(risk, chance_of_death(expected_loss(waiting, AMBUSH_SIDES), world.stats[st.HP]))

    def _dance(self, world: World) -> float:
        """Return what fleeing over stairs costs more because we did so again and again: foes wait at both ends."""
        self._flights = [turn for turn in self._flights if world.turn - turn < DANCE_TURNS]
        if world.stats[st.POINTS] != self._points:
            self._points = world.stats[st.POINTS]
            self._in_vain.clear()
        in_vain = max(0, self._in_vain[world.level.key] - PATIENCE)
        return DANCED * (max(0, len(self._flights) - 1) + in_vain)

    def to_stairs(self, world: World, threats: list[Foe]) -> Option | None:
        """Return a step of the retreat to stairs near by, paid for by what can keep up with us."""
        if self.is_in_pit(world) or self._body.is_held or self._body.desperate or lives_on_prey(self._body):
            return None  # who has walked to and fro for so long has to fight it out
        best, steps, waiting = self._refuge(world)
        if best < 0 or best == world.hero:
            return None
        way = world.way_to(best)
        if way < 0 or world.hero + STEP_OF_WAY[way] in [foe.cell for foe in self._body.foes.hostile]:
            return None
        cost = sum(foe.loss * self._strikes(world, foe, steps) + SHOT_AT * foe.fire * steps for foe in threats)
        left = chance_of_death(cost, world.stats[st.HP]) + waiting + self._dance(world)
        return Option(left + 0.05, "to the stairs", best, Phrase(key_of(way)))

    def _strikes(self, world: World, foe: Foe, steps: int) -> float:
        """Return how many turns a foe strikes at us on the way: who has to walk cannot, unless it is faster."""
        passed = sum(arms.distance(cell, foe.cell) <= 1 for cell in world.ahead(PASSING))
        faster = max(0.0, foe.kind.row.speed / (12 * self._body.hero.speed()) - 1.0)
        return passed + (faster * steps if foe.distance <= PURSUIT else 0.0)

    def _refuge(self, world: World) -> tuple[int, int, float]:
        """Return the stairs to flee to, how far they are, and the risk of those who wait behind them."""
        dist = world.paths()
        best, steps, least = -1, RETREAT_STEPS + 1, 1.0
        for kind in (kn.DOWN,) if self._body.diving or self._body.doomed else (kn.UP, kn.DOWN):
            cell = int(kn.nearest_of(world.memory, dist, kn.TERRAIN, kind))
            if cell < 0 or int(dist[cell]) > RETREAT_STEPS or not stairs_key(world, cell):
                continue
            leads = world.level.leads_to.get(cell)
            waiting = self._waiting(world, leads)
            if (round(waiting, 1), int(dist[cell])) < (round(least, 1), steps):
                best, steps, least = cell, int(dist[cell]), waiting
        return best, steps, least

    def position(self, world: World, threats: list[Foe], risk: float) -> Option | None:
        """Return a step towards a square near by where fewer can strike at once, if we are there before them."""
        here = self._body.open_sides(world.hero)
        if here <= 2 or sum(foe.beside for foe in threats) > 1 or self.is_in_pit(world) or self._body.is_held:
            return None
        dist = world.paths()
        best, best_sides = -1, here
        for cell in cells_around(world.hero, POSITION_STEPS):
            steps = int(dist[cell])
            if steps > POSITION_STEPS or any(arms.distance(cell, foe.cell) <= steps for foe in threats):
                continue
            sides = self._body.open_sides(cell)
            if sides < best_sides or (sides == best_sides and best >= 0 and steps < dist[best]):
                best, best_sides = cell, sides
        if best < 0 or best_sides > max(2, here - 3):
            return None
        there = chance_of_death(expected_loss(threats, best_sides), world.stats[st.HP])
        way = world.way_to(best)
        if way < 0 or there > 0.8 * risk:
            return None
        return Option(there + 0.01, "take position", best, Phrase(key_of(way)))

    def step_back(self, world: World, threats: list[Foe], risk: float) -> Option | None:
        """Return a step away from slow foes: whoever had to walk cannot strike, and we throw while it comes."""
        body = self._body
        slow = SLOW * body.hero.speed()
        if not any(foe.beside for foe in threats) or any(foe.kind.row.speed > slow for foe in threats):
            return None
        if body.is_held or self.is_in_pit(world) or world.stats[st.LOAD] or not arms.missiles(body):
            return None
        best, best_value = -1, 0
        for way in range(8):
            cell = world.hero + STEP_OF_WAY[way]
            if int(kn.entry_cost(world.memory, world.hero, way, world.turn, 0)) != 1:
                continue
            if any(arms.distance(cell, foe.cell) <= 1 for foe in threats):
                continue
            value = body.open_sides(cell) + sum(LINE_WORTH for foe in threats if foe.beside and in_line(cell, foe.cell))
            if value > best_value:
                best, best_value = way, value
        if best < 0:
            return None
        return Option(risk * KITED, "step back", world.hero + STEP_OF_WAY[best], Phrase(key_of(best)))

    def note_step(self, world: World, best: Option) -> None:
        """Step back only to throw: in the dark the foe is out of sight then, and it comes again and again."""
        if best.name == "shoot":
            self._steps_back = 0
        elif best.name == "step back":
            self._steps_back += 1
            if self._steps_back >= STEPS_BACK:
                self._steps_back = 0
                self._body.muted["step back"] = world.turn + STEPPED_BACK
