"""Rings: those whose power is known and worth the food that every ring takes are put on."""

from __future__ import annotations

from functools import partial

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.behaviours import Offer, Plan
from gridsage.games.nethack.agents.body import Body
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.hero import RING, Item
from gridsage.games.nethack.agents.living import HUNGRY
from gridsage.games.nethack.agents.world import World

# Worth their food, the best first. Every ring takes some nutrition in twenty turns; that of regeneration takes half as
# much again as life itself: a newborn wizard who wore it from the first turn on was weak with hunger on turn 530.
WORTHY = (
    "slow digestion", "protection", "regeneration", "increase damage", "free action", "invisibility",
    "increase accuracy", "stealth", "poison resistance",
)  # fmt: skip
CHARGED = frozenset({"protection", "increase damage", "increase accuracy"})
HEALING = "regeneration"  # worn only while it saves a rest
WOUNDED, HEALED = 0.6, 0.95  # the shares of hit points below which it is put on, and from which on it is taken off
FINGERS = 2  # one ring on each hand
TRY_AGAIN = 100  # turns before a ring that could not be put on, or taken off, is tried again


class Adorn:
    """Put on the rings that help, and take off the one that has healed."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._tried: dict[str, int] = {}  # command and letter, and the turn

    def bid(self, world: World) -> Offer | None:
        body = self._body
        if body.hero.beast or not body.is_quiet():
            return None
        if (worn := self._needless(world)) is not None:
            return Offer(self._priority, "take off", ord(worn.letter), partial(self._take_off, world, worn))
        if world.stats[st.HUNGER] >= HUNGRY or (world.level.key, world.hero) in body.abandoned:
            return None
        best = min(
            (item for item in body.hero.items if self._helps(world, item)),
            key=lambda item: WORTHY.index(item.name),
            default=None,
        )
        if best is None or sum(item.worn for item in body.hero.items if item.kind == RING) >= FINGERS:
            return None
        return Offer(self._priority, "put on", ord(best.letter), partial(self._put_on, world, best))

    def _needless(self, world: World) -> Item | None:
        """Return the worn ring of regeneration of a hero who is whole again, or hungry."""
        if world.stats[st.HP] < HEALED * world.stats[st.HP_MAX] and world.stats[st.HUNGER] < HUNGRY:
            return None
        worn = (item for item in self._body.hero.items if item.kind == RING and item.name == HEALING and item.worn)
        return next((item for item in worn if not item.cursed and self._is_untried(world, "R" + item.letter)), None)

    def _is_untried(self, world: World, keys: str) -> bool:
        return world.turn - self._tried.get(keys, -TRY_AGAIN) >= TRY_AGAIN

    def _helps(self, world: World, item: Item) -> bool:
        if item.kind != RING or item.name not in WORTHY or item.cursed or item.unpaid or item.worn:
            return False
        if not self._is_untried(world, "P" + item.letter):
            return False
        if item.name == HEALING and world.stats[st.HP] >= WOUNDED * world.stats[st.HP_MAX]:
            return False
        return item.plus > 0 or item.name not in CHARGED

    def _put_on(self, world: World, ring: Item) -> Plan:
        self._tried["P" + ring.letter] = world.turn
        yield Phrase("P", (("put on", ring.letter), ("ring-finger", "l")))

    def _take_off(self, world: World, ring: Item) -> Plan:
        self._tried["R" + ring.letter] = world.turn
        yield Phrase("R", (("remove", ring.letter),))
