"""Perils seen in replays: thieves, wands, blasts and beasts; and the gold that a diver takes along."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.flight import DANCE_TURNS
from gridsage.games.nethack.agents.hero import ARMOUR, CLOAK, TOOL
from gridsage.games.nethack.agents.journey import AMBUSH_PATIENCE, SHORT_PATIENCE
from gridsage.games.nethack.agents.living import Worship
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.stairways import Ascend, Downstairs
from gridsage.games.nethack.agents.wading import SEA
from gridsage.games.nethack.agents.watchdog import ANYTHING

VALKYRIE = {"character": "val-hum-neu-fem"}
NYMPH = "MONSTER:('n',\"wood nymph\"),(4,2),hostile,asleep\n"
ORC = "MONSTER:('o',\"hill orc\"),(6,1),hostile,asleep\n"
SPORE = "MONSTER:('e',\"gas spore\"),(2,2),hostile,asleep\n"


def test_a_nymph_who_sleeps_is_let_sleep_and_one_who_walks_is_fought(start):
    _, bot = played(start, ROOM_WITH + NYMPH, 5, **VALKYRIE)
    nymph = bot.body.foes.hostile[0]
    assert nymph.kind.name == "wood nymph" and nymph.dozes
    nymph.moved = True
    assert not nymph.dozes
    assert nymph.loss > 10  # she takes armour, several pieces at once


@pytest.mark.parametrize(
    ("words", "fire"),
    [
        (("The hill orc zaps an ebony wand!", "The bolt of fire hits you!"), 18.0),
        (("The hill orc zaps a wand of striking!", "The wand misses you."), 10.0),
        (("The hill orc shoots 3 arrows!",), 9.0),
        (("The hill orc zaps himself with a wand!",), 0.0),
    ],
)
def test_who_zaps_or_shoots_is_dangerous_from_afar(start, words, fire):
    _, bot = played(start, ROOM_WITH + ORC, 4, **VALKYRIE)
    world, foes = bot.world, bot.body.foes
    before = foes.hostile[0].loss
    world.messages = words
    foes.update(world)
    orc = foes.hostile[0]
    assert orc.fire == fire and orc.loss == max(before, fire)
    world.turn += 100
    world.messages = ()
    foes.update(world)
    assert foes.hostile[0].fire == 0.0


def test_no_spore_is_burst_beside_the_peaceful(start):
    _, bot = played(start, ROOM_WITH + SPORE, 12, **VALKYRIE)
    world, foes = bot.world, bot.body.foes
    with_stats(bot, HP=80, HP_MAX=80)
    assert bot.tactics._clear_way(world) is not None
    for friends in (foes.peaceful, foes.pets):
        friends.append(foes.hostile[0].cell + 1)
        assert bot.tactics._clear_way(world) is None
        friends.clear()


def test_a_beast_drops_the_pack_that_it_collapses_under(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, body = bot.world, bot.body
    with_stats(bot, LOAD=4)
    assert bot.tactics._shed(world) is None
    body.hero.beast = True
    offer = bot.tactics.bid(world)
    assert offer is not None and offer.name == "shed"
    assert body.dropped == (world.level.key, world.hero)


def test_the_feverish_keep_their_prayer_while_they_are_weak_from_wounds(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    worship = Worship(bot.body, 95)
    bot.body.hero.feverish, bot.world.turn = True, 2000
    with_stats(bot, HP=20, HP_MAX=60)
    assert worship.bid(bot.world) is None
    with_stats(bot, HP=50, HP_MAX=60)
    assert worship.bid(bot.world).name == "pray"


def test_who_drove_us_away_again_is_given_time_again(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, body = bot.world, bot.body
    world.turn = 5000
    dragon = body.lore.kinds[body.lore.kind_of_name["red dragon"]]
    body.ambushes[0, 7] = ((dragon,), 5000 - AMBUSH_PATIENCE - 1)
    assert not bot.journey.is_ambushed(world, (0, 7))
    body.ambushes[0, 7] = ((dragon,), 4990)
    assert bot.journey.is_ambushed(world, (0, 7))
    body.ambushes[0, 7] = ((dragon,), 5000 - SHORT_PATIENCE - 1)
    assert bot.journey.is_ambushed(world, (0, 7))
    bot.journey._short = True  # of food, which lies on other levels
    assert not bot.journey.is_ambushed(world, (0, 7))


def test_a_diver_fetches_gold_near_by_and_then_digs(start):
    _, bot = played(start, ROOM_WITH + "GOLD:100,(7,2)\n", 3, character="arc-dwa")
    world = bot.world
    bot.journey._dived = True
    dig = next(need for need in bot._behaviours if type(need).__name__ == "DigDown")
    assert dig.bid(world).name != "fetch gold"  # on level 1 a pile is not worth its steps
    world.level.depth = 20
    offer = dig.bid(world)
    assert offer is not None and offer.name == "fetch gold"
    bot.body.pit = (world.level.key, world.hero)
    assert dig.bid(world).name != "fetch gold"


def test_at_the_bottom_the_way_leads_up_to_the_gold_of_the_mazes(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, journey, body = bot.world, bot.journey, bot.body
    body.hero.digger = carried("y", TOOL, "pick-axe")
    journey._dived = True
    journey.note(world)
    assert body.diving and not journey.finished
    ordinary = world.level.key
    world.level.key, world.level.depth = (0, 27), 27
    world.levels[0, 27] = world.level
    journey.hard_floors.add((0, 27))
    journey.note(world)
    assert journey.finished and not body.diving
    assert Downstairs(load("survivor"), journey).bid(world) is None
    world.memory[kn.TERRAIN, world.hero + 1] = kn.UP
    world.stale()
    assert Ascend(journey, 67).bid(world).name == "ascend"
    above = world.levels[ordinary]
    world.levels[0, 26] = type(above)((0, 26), 26) if above is world.level else above
    world.levels[0, 26].memory[kn.TERRAIN, :] = 0
    world.levels[0, 26].memory[kn.TERRAIN, : SEA + 1] = kn.WATER
    climbs = Ascend(journey, 67)._is_too_deep(world)
    assert climbs == (world.frontier((0,) * (kn.OBSTACLE + 1), -1) < 0)


def test_no_cloak_is_worn_that_may_keep_a_suit_off_and_none_that_protects_nobody(start):
    _, bot = played(start, ROOM_WITH, 8, character="bar-hum")
    hero = bot.body.hero
    equip = next(need for need in bot._behaviours if type(need).__name__ == "Equip")
    cloaks = tuple(carried(letter, ARMOUR, name) for letter, name in (("x", "elven cloak"), ("y", "dwarvish cloak")))
    hero.items = (*hero.items, *cloaks)
    assert equip._best(CLOAK) is cloaks[0]
    hero.items = tuple(item for item in hero.items if not item.worn)
    assert equip._best(CLOAK) is None


def test_whom_a_hole_cuts_off_falls_through_it_at_last(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world = bot.world
    hole = world.hero + 1
    world.memory[kn.TRAP, hole] = kn.HOLE
    world.stale()
    assert world.paths()[hole] >= kn.FAR
    offer = bot.watchdog._climb(world, ANYTHING)
    while offer is not None and offer.name != "fall":
        offer = bot.watchdog._climb(world, ANYTHING)
    assert offer is not None and offer.goal == hole


def test_nobody_goes_up_and_down_stairs_away_from_what_it_cannot_see(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, tactics = bot.world, bot.tactics
    with_stats(bot, HP=10, HP_MAX=60)
    world.level.depth = 4
    world.memory[kn.TERRAIN, world.hero] = kn.UP
    assert tactics._from_unseen(world).name == "stairs"
    world.turn += 1
    refuge = tactics._from_unseen(world)
    assert refuge is None or refuge.name == "write the word"
    world.turn += DANCE_TURNS
    assert tactics._from_unseen(world).name == "stairs"
