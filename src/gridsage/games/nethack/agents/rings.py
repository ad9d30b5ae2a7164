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
# much again as life itself, which pays while it saves long rests.
WORTHY = (
    "slow digestion", "protection", "regeneration", "increase damage", "free action", "invisibility",
    "increase accuracy", "stealth", "poison resistance",
)  # fmt: skip
CHARGED = frozenset({"protection", "increase damage", "increase accuracy"})
FINGERS = 2  # one ring on each hand
TRY_AGAIN = 500  # turns before a ring that could not be put on is tried again


class Adorn:
    """Put on the rings that help."""

    def __init__(self, body: Body, priority: int) -> None:
        self._body, self._priority = body, priority
        self._tried: dict[str, int] = {}

    def bid(self, world: World) -> Offer | None:
        body = self._body
        if body.hero.beast or not body.is_quiet() or world.stats[st.HUNGER] >= HUNGRY:
            return None
        best = min(
            (item for item in body.hero.items if self._helps(world, item)),
            key=lambda item: WORTHY.index(item.name),
            default=None,
        )
        if best is None or sum(item.worn for item in body.hero.items if item.kind == RING) >= FINGERS:
            return None
        return Offer(self._priority, "put on", ord(best.letter), partial(self._put_on, world, best))

    def _helps(self, world: World, item: Item) -> bool:
        if item.kind != RING or item.name not in WORTHY or item.cursed or item.unpaid or item.worn:
            return False
        if world.turn - self._tried.get(item.letter, -TRY_AGAIN) < TRY_AGAIN:
            return False
        return item.plus > 0 or item.name not in CHARGED

    def _put_on(self, world: World, ring: Item) -> Plan:
        self._tried[ring.letter] = world.turn
        yield Phrase("P", (("put on", ring.letter), ("ring-finger", "l")))
