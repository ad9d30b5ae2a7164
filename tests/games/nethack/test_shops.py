"""Food that is bought: who goes for it, what it costs, and that nobody leaves a shop as a thief."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, SHOP, carried, played, said, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.gear import Loot
from gridsage.games.nethack.agents.hero import FED, FOOD, TOOL
from gridsage.games.nethack.agents.living import HUNGRY, NOT_HUNGRY, SATIATED, WEAK, Dine, provisions
from gridsage.games.nethack.agents.shops import LOOK_AGAIN, NOT_AGAIN, PATIENCE, STOCKED, Larder, affordable

DELICATESSEN = SHOP.replace('lit,"shop"', 'lit,"food shop"').replace("STAIR:(3,3),down\n", "")
VALKYRIE = {"character": "val-hum-neu-fem"}


def shelf(bot, name: str = "food ration") -> int:
    """Lay a thing for sale beside the hero, who has some gold and an empty pack, and return the square."""
    world = bot.world
    bot.body.hero.items = ()
    cell = world.hero + 1
    world.memory[kn.SHUNNED, cell] = 1
    world.memory[kn.OBJECT, cell] = kn.THING + 1 + bot.body.lore.by_name[name]
    world.stale()
    with_stats(bot, GOLD=100, CHARISMA=11)
    return cell


def test_a_healer_fills_the_pack_in_a_delicatessen(start):
    states, bot = played(start, DELICATESSEN, 900, character="hea-hum-neu-fem")
    words, items = said(states), bot.body.hero.items
    assert "You bought" in words and states[-1].stats[st.GOLD] < states[0].stats[st.GOLD]
    assert "thief" not in words and "gets angry" not in words
    assert not any(item.unpaid for item in items)
    assert not bot.world.memory[kn.SHUNNED, bot.world.hero], "it left"


def test_food_in_a_shop_is_wanted_while_little_is_left(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    cell = shelf(bot)
    offer = Larder(bot.body, 72).bid(bot.world)
    assert offer is not None and (offer.name, offer.goal) == ("buy", cell)
    bot.body.hero.items = (*[carried("a", FOOD, "food ration")] * 2,)
    assert provisions(bot.body) > STOCKED and Larder(bot.body, 72).bid(bot.world) is None


@pytest.mark.parametrize(
    ("name", "stats", "wanted"),
    [
        ("food ration", {"GOLD": 45}, False),  # it costs 45, and a coin is kept for what is rounded up
        ("food ration", {"GOLD": 46}, True),
        ("food ration", {"HUNGER": SATIATED}, False),
        ("fortune cookie", {}, False),  # hardly a meal
        ("long sword", {}, False),
    ],
)
def test_only_meals_that_can_be_paid_are_gone_for(start, name, stats, wanted):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    shelf(bot, name)
    with_stats(bot, **stats)
    assert (Larder(bot.body, 72).bid(bot.world) is not None) is wanted


@pytest.mark.parametrize(
    ("hunger", "name", "buys"),
    [(1, "jackal", False), (HUNGRY, "jackal", True), (HUNGRY, "soldier ant", False)],
    ids=["fed", "hungry", "pressed"],
)
def test_the_hungry_go_shopping_in_sight_of_weak_foes(start, hunger, name, buys):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    shelf(bot)
    with_stats(bot, HUNGER=hunger, HP=30, HP_MAX=30)
    kind = bot.body.lore.kinds[bot.body.lore.kind_of_name[name]]
    bot.body.foes.hostile = bot.body.foes.beside(bot.world, [kind])
    assert (Larder(bot.body, 72).bid(bot.world) is not None) is buys


def test_nobody_shops_with_a_pick_axe(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    shelf(bot)
    bot.body.hero.digger = carried("b", TOOL, "pick-axe")
    assert Larder(bot.body, 72).bid(bot.world) is None and Larder(bot.body, 72).goal(bot.world) is None


@pytest.mark.parametrize(
    ("charisma", "role", "price"),
    [
        (5, "val", 91),
        (7, "val", 68),
        (8, "val", 61),
        (11, "val", 46),
        (16, "val", 34),
        (18, "val", 31),
        (11, "tou", 61),
    ],
)
def test_the_price_follows_charisma_and_tourists_pay_more(start, charisma, role, price):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    bot.body.hero.role = role
    with_stats(bot, CHARISMA=charisma)
    assert Larder(bot.body, 72).price(bot.world, 45) == price


def test_what_was_picked_up_is_paid_or_put_back(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, body, larder = bot.world, bot.body, Larder(bot.body, 72)
    body.hero.items = (replace(carried("k", FOOD, "food ration"), notes="(unpaid, 45 zorkmids)"),)
    assert larder.bid(world).name == "pay"  # also where nothing told yet that this is a shop
    world.messages = ("There is no shopkeeper here to receive your payment.",)
    assert larder.bid(world) is None
    world.memory[kn.SHUNNED, world.hero] = 1
    offer = larder.bid(world)
    assert offer.name == "put back" and next(offer.plan()).replies == (("drop", "k"),)


def test_a_keeper_in_the_door_is_waited_for_and_not_for_ever(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, larder = bot.world, Larder(bot.body, 72)
    cell = shelf(bot)
    world.memory[kn.TERRAIN, cell] = kn.WALL  # no way leads there
    world.stale()
    names = []
    for _ in range(PATIENCE + 1):
        offer = larder.bid(world)
        names.append(offer and offer.name)
        world.turn += 1
    assert names == ["wait for the keeper"] * PATIENCE + [None]
    assert larder.bid(world) is None
    world.turn += NOT_AGAIN
    assert larder.bid(world) is not None


def test_a_shop_on_another_level_is_gone_back_to(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, journey = bot.world, bot.journey
    cell = shelf(bot)
    below = type(world.level)((0, 3), 3)
    world.level.key = (0, 2)
    world.levels = {(0, 2): world.level, (0, 3): below}
    world.turn += LOOK_AGAIN
    assert journey.goal(world) is None  # it is here
    world.level = below
    assert journey.goal(world) == (0, 2)
    bot.body.cornered = True  # whoever is besieged for long goes there only when hungry
    assert journey.goal(world) is None
    with_stats(bot, HUNGER=HUNGRY)
    assert journey.goal(world) == (0, 2)
    journey.larder._tried[(0, 2), cell] = world.turn + 1
    assert journey.goal(world) is None


def test_what_is_left_of_the_meals_is_followed(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, hero = bot.world, bot.body.hero
    assert hero.fed == FED + 1 - world.turn
    before = hero.fed
    world.messages = ("You finish eating the jackal corpse.",)
    hero._listen(world)
    assert hero.fed == before + 250
    world.messages = ("This food really hits the spot!  You finish eating the food ration.",)
    hero._listen(world)
    assert hero.fed == before + 1050
    for hunger, most in ((NOT_HUNGRY, 1000), (HUNGRY, 150), (WEAK, 50)):
        with_stats(bot, HUNGER=hunger)
        hero._digest(world)
        assert hero.fed == most
    world.messages = ("Your stomach feels content.",)
    hero._listen(world)
    assert hero.fed == FED
    with_stats(bot, HUNGER=NOT_HUNGRY)
    world.turn += FED
    hero._digest(world)
    assert hero.fed == 150, "hungry is not said yet"


@pytest.mark.parametrize(
    ("words", "gold", "number"),
    [
        ("You see here a food ration (for sale, 45 zorkmids).", 45, 1),
        ("You see here a food ration (for sale, 45 zorkmids).", 44, 0),
        ("You see here 3 food rations (for sale, 180 zorkmids).", 130, 2),
        ("You see here 2 cram rations (for sale, 70 zorkmids).", 1000, 2),
        ("There are several objects here.", 1000, 0),
    ],
)
def test_as_many_are_picked_up_as_can_be_paid(words, gold, number):
    assert affordable(words, gold) == number


def test_unpaid_food_is_not_eaten(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    with_stats(bot, HUNGER=WEAK)
    for name in ("food ration", "tin"):
        meal = carried("k", FOOD, name)
        bot.body.hero.items = (meal,)
        assert Dine(bot.body, 80).bid(bot.world).name == "eat"
        bot.body.hero.items = (replace(meal, notes="(unpaid, 45 zorkmids)"),)
        assert Dine(bot.body, 80).bid(bot.world) is None and provisions(bot.body) == bot.body.hero.fed


def test_who_cannot_pay_puts_it_back(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, larder = bot.world, Larder(bot.body, 80)
    world.memory[kn.SHUNNED, world.hero] = 1
    bot.body.hero.items = (replace(carried("k", FOOD, "food ration"), notes="(unpaid, 45 zorkmids)"),)
    world.messages = ("You don't have enough money to buy the item you picked.",)
    assert larder.bid(world).name == "put back"


def test_goods_in_a_shop_are_no_loot(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    loot = Loot(bot.body, 72)
    assert loot._is_wanted_words("2 food rations")
    assert not loot._is_wanted_words("2 food rations (for sale, 90 zorkmids)")


@pytest.mark.parametrize(
    ("greeting", "is_shop"),
    [
        ('"Hello, Agent! Welcome again to Upernavik\'s general store!"', True),
        ('Annootok senses your presence.  "Invisible customers are not welcome!"', True),
        ('"So, Agent, you dare return to Annootok\'s delicatessen?!"', True),
        ('"Welcome to NetHack!"', False),
    ],
)
def test_a_room_whose_keeper_greets_us_or_turns_us_away_is_no_place_to_explore(start, greeting, is_shop):
    _, bot = played(start, ROOM_WITH, 4, **VALKYRIE)
    bot.world.messages = (greeting,)
    bot.world._read_messages()
    assert bool(bot.world.memory[kn.SHUNNED, bot.world.hero + 2]) is is_shop
