"""Treats: food thrown to a hostile dog, cat or horse, which ends the fight without a blow."""

from __future__ import annotations

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.body import Body, key_of
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.flight import Option, fight_loss
from gridsage.games.nethack.agents.foes import Foe, chance_of_death
from gridsage.games.nethack.agents.hero import FOOD, Item
from gridsage.games.nethack.agents.knowledge import M2_DOMESTIC
from gridsage.games.nethack.agents.world import HALLUCINATING

# Any food makes them peaceful, without having to hit; what they like makes pets of them (dog.c).
SPLASHING = ("egg", "cream pie", "lump of royal jelly")  # these only hit, and dogs do not care for the last
GREENS = frozenset({"apple", "carrot", "orange", "pear", "melon", "banana", "slime mold", "kelp frond"})
LETTER_HORSE = 21
REACH = 4  # squares that anything edible flies
SOOTHED = 0.03  # the risk that is left of an animal that is fed: somebody else may catch what was thrown


def treat(body: Body, foe: Foe) -> Item | None:
    """Return what is best thrown to an animal: what it likes, and of that what nourishes us least."""
    carried = [item for item in body.hero.items if item.kind == FOOD and not item.unpaid]
    carried = [item for item in carried if not item.name.startswith(SPLASHING)]
    horse = foe.kind.row.letter == LETTER_HORSE
    return min(
        carried,
        key=lambda item: ((item.name in GREENS) is not horse, body.hero.nourishment(item) // max(1, item.count)),
        default=None,
    )


def feeding(body: Body, threats: list[Foe]) -> Option | None:
    """Return the throw of a treat to a hostile dog, cat or horse, with the risk that the others leave."""
    world = body.world
    if world.stats[st.CONDITION] & HALLUCINATING or body.is_muted("feed"):
        return None
    for foe in threats:
        way = body.way_towards(foe.cell)
        if not foe.kind.row.flags2 & M2_DOMESTIC or way < 0 or foe.distance > REACH:
            continue
        food = treat(body, foe)
        if food is None or not body.line_is_clear(foe.cell, way, 1):
            continue
        others = [other for other in threats if other is not foe]
        left = chance_of_death(fight_loss(body, others), world.stats[st.HP]) if others else 0.0
        throw = Phrase("t", (("throw", food.letter), ("direction", key_of(way))))
        return Option(left + SOOTHED, "feed", foe.cell, throw)
    return None
