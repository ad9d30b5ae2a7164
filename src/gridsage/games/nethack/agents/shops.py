"""Shops: food that is bought, and the way out of one whose keeper stands before the door."""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.behaviours import SEARCH, Offer, Plan, walk
from gridsage.games.nethack.agents.body import Body, Spot, bid_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.living import HUNGRY, RATIONS, SATIATED, is_pressed, provisions
from gridsage.games.nethack.agents.world import STEP_OF_WAY, LevelKey, World
from gridsage.games.nethack.level import CELLS

PAY_AGAIN = 20  # turns between two offers to pay
WAITED, AWAY = 60, 60  # turns of waiting near the keeper, and then at the other end: a gas spore may bar the door
STRAIGHT_WAYS = 4  # the ways along rows and columns come first
IN_LINE = 3  # steps from the keeper within which a square in line with him is looked for

STOCKED = 1500  # turns that food should last for
FILLING = 200  # what a meal must nourish to be worth its price
# What a keeper asks for, in shares of the price, by charisma up to these numbers (shk.c).
CHARMS, MARKUPS = (5, 7, 10, 15, 17, 99), (2.0, 1.5, 4 / 3, 1.0, 0.75, 2 / 3)
DUPED = 4 / 3  # what tourists pay more, as long as they are below experience level 15
PAYING = Phrase("p", (("temized", "n"), ("Pay", "y")))
POOR = "have enough money"  # what is said to whoever cannot pay
ABSENT = "no shopkeeper here"  # what is said where nobody takes the money
FOR_SALE = re.compile(r"You see here (?:an? |the |(\d+) )?.*\(for sale, (\d+) zorkmids?\)")
LOOK_AGAIN = 100  # turns after which the known shops are looked through again for food
NOT_AGAIN = 3000  # turns for which a thing is left alone that was gone for once
PATIENCE = 30  # turns of waiting before a shop until its keeper makes room


class Larder:
    """Buy food that was seen in a shop, where little is left to eat and there is gold for it.

    Keepers let nobody in who carries a pick-axe.
    """

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._tried: dict[Spot, int] = {}  # what was gone for, and until when it is left alone
        self._seen: dict[LevelKey, list[int]] = {}  # where food was seen that could be paid
        self._looked_turn = -1000
        self._waits = 0  # turns before the door in which the keeper stands

    def bid(self, world: World) -> Offer | None:
        body = self._body
        inside = bool(world.memory[kn.SHUNNED, world.hero])
        if (unpaid := next((item for item in body.hero.items if item.unpaid), None)) is not None:
            said = " ".join(world.messages)
            if POOR in said:
                body.muted["pay"] = world.turn + PAY_AGAIN  # long enough to put it back
            elif ABSENT in said:
                body.muted["pay"] = world.turn + NOT_AGAIN
            if not body.is_muted("pay"):  # a shop may not have been known as one before something was picked up
                return bid_of(self._priority, "pay", world.turn, PAYING)
            if inside:
                return bid_of(self._priority, "put back", world.turn, Phrase("d", (("drop", unpaid.letter),)))
        hungry = world.stats[st.HUNGER] >= HUNGRY
        if not self._may_shop(world) or not world.sees or (is_pressed(body) if hungry else not body.is_quiet()):
            return None
        cells = self.food(world).get(world.level.key, [])
        if not cells:
            return None
        dist = world.paths()
        best = min(cells, key=lambda cell: int(dist[cell]))
        if dist[best] >= kn.FAR and best != world.hero:
            return self._wait_outside(world, cells)
        self._waits = 0
        return Offer(self._priority, "buy", best, partial(self._plan, world, best))

    def goal(self, world: World) -> LevelKey | None:
        """Return the level of a shop that has food, if that is worth a journey now."""
        return min(self.food(world), default=None) if self._may_shop(world) else None

    def _may_shop(self, world: World) -> bool:
        """Return True if food runs short and keepers let us in."""
        hero = self._body.hero
        if self._body.diving or world.stats[st.HUNGER] == SATIATED or hero.beast or hero.digger is not None:
            return False
        return bool(world.stats[st.GOLD]) and provisions(self._body) < STOCKED

    def food(self, world: World) -> dict[LevelKey, list[int]]:
        """Return where in shops food lies that the hero can pay, by level."""
        if world.turn - self._looked_turn >= LOOK_AGAIN or self._looked_turn > world.turn:
            self._looked_turn = world.turn
            self._seen = {key: self._goods(world, key) for key in world.levels if key[0] == 0}
        self._seen = {
            key: left
            for key, cells in self._seen.items()
            if (left := [cell for cell in cells if self._tried.get((key, cell), 0) <= world.turn])
        }
        return self._seen

    def _goods(self, world: World, key: LevelKey) -> list[int]:
        memory = world.levels[key].memory
        things = np.flatnonzero((memory[kn.SHUNNED] == 1) & (memory[kn.OBJECT] > kn.THING))
        return [cell for cell in things.tolist() if self._is_affordable(world, int(memory[kn.OBJECT, cell]))]

    def _is_affordable(self, world: World, entry: int) -> bool:
        number = entry - 1 - kn.THING
        if not 0 <= number < len(self._body.lore.objects):
            return False
        row = self._body.lore.objects[number]
        if row.name not in RATIONS or row.nutrition < FILLING:
            return False
        return self.price(world, row.cost) <= world.stats[st.GOLD]

    def price(self, world: World, cost: int) -> int:
        """Return what a keeper asks us for a thing of this cost."""
        charisma = world.stats[st.CHARISMA]
        share = next(share for most, share in zip(CHARMS, MARKUPS, strict=True) if charisma <= most)
        duped = self._body.hero.role == "tou" and world.stats[st.EXPERIENCE] < 15
        return int(cost * share * (DUPED if duped else 1.0)) + 1

    def _wait_outside(self, world: World, cells: list[int]) -> Offer | None:
        """Stand in the door until the keeper, who lets customers in, has stepped aside."""
        dist, memory = world.paths(), world.memory
        shop = set(np.flatnonzero(memory[kn.SHUNNED] == 1).tolist())
        doors = [cell + step for cell in shop for step in STEP_OF_WAY[:4] if 0 <= cell + step < CELLS]
        doors = [cell for cell in doors if cell not in shop and (dist[cell] < kn.FAR or cell == world.hero)]
        door = min(doors, key=lambda cell: int(dist[cell]), default=-1)
        self._waits += door == world.hero
        if door < 0 or self._waits > PATIENCE:
            self._waits = 0
            self._tried.update({(world.level.key, cell): world.turn + NOT_AGAIN for cell in cells})
            return None
        if door == world.hero:
            return bid_of(self._priority, "wait for the keeper", world.turn, Phrase(chr(SEARCH)))
        return Offer(self._priority, "to the shop", door, partial(walk, world, door))

    def _plan(self, world: World, cell: int) -> Plan:
        yield from walk(world, cell)
        if world.hero == cell:
            self._tried[world.level.key, cell] = world.turn + NOT_AGAIN
            if number := affordable(" ".join(world.messages), world.stats[st.GOLD]):
                yield Phrase(f"{number},", (("MENU", "\x1b"), ("Pick up", "y"), ("Continue", "n")))


def affordable(said: str, gold: int) -> int:
    """Return how many of the things underfoot, of which the game told number and price, can be paid."""
    found = FOR_SALE.search(said)
    if found is None:
        return 0  # a pile: its things are not told apart
    count, price = int(found[1] or 1), int(found[2])
    return min(count, gold * count // max(1, price))


class LeaveShop:
    """Pay, and stand in line with a keeper who bars the only way out: he makes room for those who owe nothing.

    He does so for whoever stands in his row, column or diagonal, but not right beside him in his row or column.
    """

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._paid_turn = -1000
        self._waited = 0  # turns spent beside the keeper
        self._away_until = -1

    def bid(self, world: World) -> Offer | None:
        keeper = self._keeper(world)
        if keeper < 0 or not world.memory[kn.SHUNNED, world.hero] or is_way_out(world):
            self._waited = 0
            return None
        if world.turn < self._away_until:
            return self._stand_back(world, keeper)
        dist = world.paths()
        spots = [cell for cell in waiting_spots(keeper) if dist[cell] < kn.FAR]
        if world.hero in spots:
            self._waited += 1
            if self._waited > WAITED:
                self._waited, self._away_until = 0, world.turn + AWAY
            if world.turn - self._paid_turn < PAY_AGAIN:
                return bid_of(self._priority, "wait for the keeper", world.turn, Phrase(chr(SEARCH)))
            self._paid_turn = world.turn
            return bid_of(self._priority, "pay", world.turn, PAYING)
        best = min(spots, key=lambda cell: int(dist[cell]), default=-1)
        if best < 0 or self._body.is_muted("to the keeper"):
            return None
        return Offer(self._priority, "to the keeper", best, partial(walk, world, best))

    def _stand_back(self, world: World, keeper: int) -> Offer:
        """Walk to the other end of the shop and wait there: who bars the door comes after us."""
        dist = world.paths()
        inside = np.flatnonzero((dist < kn.FAR) & (world.memory[kn.SHUNNED] != 0)).tolist()
        target = max(inside, key=lambda cell: arms.distance(cell, keeper), default=world.hero)
        if arms.distance(world.hero, keeper) >= arms.distance(target, keeper):
            return bid_of(self._priority, "stand back", world.turn, Phrase(chr(SEARCH)))
        return Offer(self._priority, "stand back", target, partial(walk, world, target))

    def _keeper(self, world: World) -> int:
        """Return the square of a peaceful shopkeeper in sight, or -1."""
        assert world.state is not None
        kinds, glyphs = self._body.lore.kinds, world.state.glyphs
        return next((cell for cell in self._body.foes.peaceful if kinds[int(glyphs[cell])].name == "shopkeeper"), -1)


def waiting_spots(keeper: int) -> list[int]:
    """Return the squares from which a shopkeeper makes room: shk_move of shk.c does nothing one step along a row."""
    spots = []
    for way, step in enumerate(STEP_OF_WAY):
        nearest = 2 if way < STRAIGHT_WAYS else 1
        spots += [keeper + count * step for count in range(nearest, IN_LINE + 1)]
    return [cell for cell in spots if 0 <= cell < CELLS]


def is_way_out(world: World) -> bool:
    """Return True if some ground that no shop stands on can be reached."""
    reached = world.paths() < kn.FAR
    return bool(np.any(reached & (world.memory[kn.SHUNNED] == 0)))
