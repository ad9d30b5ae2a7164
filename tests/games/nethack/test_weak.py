"""What saves the weak: no way back into a pack, and no waste of potions and time."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, with_stats

from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.camping import Camp
from gridsage.games.nethack.agents.digging import DigDown
from gridsage.games.nethack.agents.gear import Loot, suits, take_all
from gridsage.games.nethack.agents.hero import FOOD, POTION, TOOL
from gridsage.games.nethack.agents.journey import BRANCH_SEARCH, RESTLESS, RESTLESS_MOST
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import FAINTING, HUNGRY, WEAK, Dine
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.stairways import Ascend, Downstairs
from gridsage.games.nethack.agents.word import SIEGE, SIEGE_GAP
from gridsage.games.nethack.agents.world import MINES


def test_who_fled_downwards_stays_there_and_who_fled_upwards_does_not_go_down(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    with_stats(bot, EXPERIENCE=5, HP_MAX=80)
    world.level.key, world.level.depth = (0, 3), 3
    for depth in (2, 4):
        world.levels[0, depth] = type(world.level)((0, depth), depth)
    allowed = journey.deepest(world)
    bot.body.fled = ((0, 2), world.turn)
    assert journey.deepest(world) == allowed > 3 and Ascend(journey, 67).bid(world) is None
    bot.body.fled = ((0, 4), world.turn)
    assert journey.deepest(world) == 3


def test_a_healer_wears_no_shield_because_it_spoils_the_spells(start):
    lore = knowledge()
    shield, helmet = (lore.object(lore.by_name[name]) for name in ("small shield", "orcish helm"))
    for character, worn in (("hea-hum-neu-mal", False), ("pri-hum-neu-mal", True)):
        _, bot = played(start, ROOM_WITH, 4, character=character)
        assert suits(bot.body, shield) is worn and suits(bot.body, helmet)


def test_potions_are_kept_until_half_of_the_hit_points_are_lost(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    bot.body.hero.items = (carried("p", POTION, "healing"),)
    with_stats(bot, HP=9, HP_MAX=16)
    assert list(arms.remedies(bot.body)) == []
    with_stats(bot, HP=8)
    assert [name for _, _, name in arms.remedies(bot.body)] == ["quaff"]


def test_nobody_eats_where_things_fly_out_of_the_dark(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    body, world = bot.body, bot.world
    body.hero.items = (carried("b", FOOD, "food ration"), carried("c", FOOD, "food ration"))
    with_stats(bot, HUNGER=HUNGRY)
    dine = Dine(body, 80)
    body.shot, body.hurt_turn = (world.level.key, world.turn), world.turn
    assert dine.bid(world) is None
    body.shot = (world.level.key, world.turn - 100)
    assert dine.bid(world).name == "eat"


def test_waiting_in_vain_leads_deeper_and_to_the_mines(start):
    _, bot = played(start, ROOM_WITH, 8, character="hea-hum-neu-mal")
    journey, world = bot.journey, bot.world
    with_stats(bot, HP_MAX=40, ARMOUR=10, EXPERIENCE=2)
    assert journey.deepest(world) == 3 and not journey.wants_mines(world)
    world.turn = 2 * RESTLESS
    journey.note(world)  # nothing grew
    assert journey.deepest(world) == 5 and journey.wants_mines(world)
    world.turn = 50 * RESTLESS
    assert journey.deepest(world) == 3 + RESTLESS_MOST


def test_hidden_ways_to_the_mines_are_searched_for_on_every_level_that_may_have_them(start):
    _, bot = played(start, ROOM_WITH, 8, character="pri-hum-neu-fem")
    journey, world = bot.journey, bot.world
    with_stats(bot, HP_MAX=60, EXPERIENCE=4)
    first = world.level
    first.key, first.depth = (0, 4), 4
    world.levels = {(0, 4): first, **{(0, depth): type(first)((0, depth), depth) for depth in (2, 3)}}
    journey.explored = {(0, 2), (0, 3)}
    assert not journey.is_searching(world)  # first everything is seen
    journey.explored.add((0, 4))
    assert journey.is_searching(world) and journey.goal(world) is None
    assert Downstairs(load("survivor"), journey).bid(world) is None
    assert Camp(bot.body, journey, bot.watchdog, 48).bid(world) is None
    first.searched_turns = BRANCH_SEARCH
    assert not journey.is_searching(world) and journey.goal(world) == (0, 3)
    journey._short = True  # of food: nobody searches there then, and who went would come back at once
    assert journey.goal(world) is None
    journey._short = False
    for level in world.levels.values():
        level.searched_turns = BRANCH_SEARCH
    assert journey.goal(world) is None


class Menu:
    """A screen of things underfoot."""

    screen = ("a - a long sword", "b - a ring mail (for sale, 133 zorkmids)", "c - a helmet", "(end)")


def test_what_a_beast_dropped_in_a_shop_is_taken_back_without_the_goods():
    assert take_all(Menu()) == "ac\r"


def test_who_is_walled_in_for_long_digs_out_of_the_mines_too(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    dig = DigDown(bot.body, bot.journey, 74)
    bot.body.hero.digger = carried("y", TOOL, "pick-axe")
    bot.world.levels[0, 2] = type(bot.world.level)((0, 2), 2)
    bot.world.level.key = (MINES, 1)
    bot.journey._dived = True
    bot.body.walled_in = True
    assert dig.bid(bot.world) is None  # first the watchdog tries traps
    bot.body.desperate = True
    assert dig.bid(bot.world).name == "dig down"


def test_a_healer_heals_on_the_word_and_not_for_a_scratch(start):
    _, bot = played(start, ROOM_WITH, 8, character="hea-hum-neu-mal")
    with_stats(bot, HP=8, HP_MAX=18, POWER=5)
    spell = arms.care(bot.body)
    assert spell is not None and spell.keys == "Z"
    for worse in ({"HP": 9}, {"POWER": 4}, {"HUNGER": WEAK}):
        with_stats(bot, **{"HP": 8, "POWER": 5, "HUNGER": 1, **worse})
        assert arms.care(bot.body) is None, worse


PACK = "".join(f"MONSTER:('d',\"jackal\"),({col},{row}),hostile,asleep\n" for col, row in ((2, 1), (2, 2), (3, 3)))
FAR = "".join(f"MONSTER:('Z',\"human zombie\"),({col},{row}),hostile,asleep\n" for col in (4, 5) for row in (1, 2, 3))


def besieged(start, **options):
    """A hero on the word, with two jackals beside it and a crowd that comes."""
    _, bot = played(start, ROOM_WITH + PACK + FAR, 4, character="val-hum-neu-fem", **options)
    bot.body.elbereth, bot.body.elbereth_turn = (bot.world.level.key, bot.world.hero), bot.world.turn
    bot.body.hero.piety = 20
    with_stats(bot, HP=60, HP_MAX=60)
    bot.body.foes.update(bot.world)
    return bot


def test_the_healthy_leave_the_word_for_a_bout_against_the_weak_beside_them(start):
    bot = besieged(start)
    assert bot.tactics.bid(bot.world).name == "fight"
    bot.body.elbereth = None  # the blow wiped it out
    bot.world.turn += 3
    with_stats(bot, HP=32)
    assert bot.tactics.bid(bot.world).name == "fight"
    with_stats(bot, HP=29)
    assert bot.tactics.bid(bot.world).name == "write the word"
    with_stats(bot, HP=34)
    assert bot.tactics.bid(bot.world).name in ("write the word", "read the word")  # the bout is over


def test_nobody_sins_on_the_word_whose_god_has_little_patience_or_who_is_wounded(start):
    bot = besieged(start)
    bot.body.hero.piety = 9
    assert bot.tactics.bid(bot.world).name == "rest on the word"
    bot.body.hero.piety = 20
    with_stats(bot, HP=47)
    assert bot.tactics.bid(bot.world).name == "rest on the word"


def test_a_siege_is_not_sat_out_for_ever_and_the_next_one_begins_anew(start):
    bot = besieged(start)
    bot.body.hero.piety = 9  # a bout would be a sin
    names = []
    for _ in range(SIEGE + 1):
        bot.body.elbereth_turn = bot.world.turn
        names.append(bot.tactics.bid(bot.world).name)
    assert set(names[:SIEGE]) == {"rest on the word"} and names[SIEGE] == "fight"
    bot.world.turn += SIEGE_GAP + 1
    bot.body.elbereth_turn = bot.world.turn
    assert bot.tactics.bid(bot.world).name == "rest on the word"


def test_who_starves_does_not_rest_on_the_word(start):
    bot = besieged(start)
    bot.body.hero.items = ()
    with_stats(bot, HP=35, HUNGER=HUNGRY)
    assert bot.tactics.bid(bot.world).name == "rest on the word"
    with_stats(bot, HUNGER=WEAK)
    assert bot.tactics.bid(bot.world).name == "fight"


PLACES = ((4, 3), (5, 3), (6, 3), (7, 3), (5, 2), (7, 2))
ZOMBIES = [f"MONSTER:('Z',\"gnome zombie\"),({col},{row}),hostile,asleep\n" for col, row in PLACES]


def test_a_diver_runs_to_stairs_through_a_slow_crowd_and_digs_where_few_or_quick_ones_are(start):
    bats = "".join(f"MONSTER:('B',\"giant bat\"),({col},2),hostile,asleep\n" for col in (3, 4))
    for crowd, name in ((ZOMBIES, "descend"), (ZOMBIES[:5], "dig down"), ([*ZOMBIES, bats], "dig down")):
        _, bot = played(start, ROOM_WITH + "STAIR:(9,1),down\n" + "".join(crowd), 4, character="arc-hum-neu-mal")
        bot.body.hero.race, bot.journey._dived = "human", True
        bot.body.muted["write the word"] = 1 << 30
        assert DigDown(bot.body, bot.journey, 74).bid(bot.world).name == name, name


def test_who_faints_collects_food_and_neither_weapons_nor_gold(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    lore, loot = knowledge(), Loot(bot.body, 72)
    for hunger, collects in ((WEAK, True), (FAINTING, False)):
        with_stats(bot, HUNGER=hunger)
        loot.bid(bot.world)
        for name, wanted in (("dagger", collects), ("gold piece", collects), ("food ration", True), ("pick-axe", True)):
            assert loot._is_wanted(lore.by_name[name], lore.objects[lore.by_name[name]]) == wanted, name


def test_samurai_know_food_and_weapons_by_their_japanese_names(start):
    _, bot = played(start, ROOM_WITH, 8, character="sam-hum")
    hero = bot.body.hero
    assert hero.find("short sword") is not None  # the game calls it a wakizashi
    for words, name in (("a gunyoki", "food ration"), ("3 uncursed gunyoki", "food ration"), ("2 shito", "knife")):
        assert hero.item_of("?", words).name == name
    assert Loot(bot.body, 72)._is_wanted_words("a gunyoki")
