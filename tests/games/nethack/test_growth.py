"""What keeps a hero alive while it grows: armour, burdens, stairs, food, and the way down when it is time."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, said, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.digging import DigDown
from gridsage.games.nethack.agents.gear import GUARD_TURNS, Equip, Loot
from gridsage.games.nethack.agents.hero import ARMOUR, FOOD, TOOL, Hero, Item
from gridsage.games.nethack.agents.journey import (
    ANXIOUS,
    BOTTOM,
    DESERTED,
    FORLORN,
    LOST,
    PRAYER_TAKES,
    SHORT,
    STORED,
    Journey,
)
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import FED_LAST, HUNGRY, WEAK, Worship, is_ration, runs_short, urgent_meal
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.resting import Convalesce
from gridsage.games.nethack.agents.stairways import BARRED, TIRED, TO_AND_FRO, Ascend, Travel, UnwantedBranch, stairs_up
from gridsage.games.nethack.agents.world import BLIND, MINES, QUEST, SOKOBAN, WAYS, LevelMemory, World
from gridsage.games.nethack.state import State


def test_a_better_suit_is_worn_under_the_cloak_and_the_cloak_over_it(start):
    level = ROOM_WITH + "OBJECT:('[',\"dwarvish mithril-coat\"),(4,2),uncursed\n"
    states, bot = played(start, level, 150, character="pri-hum-neu-mal")
    worn = {item.name for item in bot.body.hero.items if item.worn}
    assert {"dwarvish mithril-coat", "robe"} <= worn
    assert said(states).count("You are now wearing a robe") == 1


def test_of_two_suits_the_better_one_stays_on(start):
    level = ROOM_WITH + "OBJECT:('[',\"plate mail\"),(4,2),uncursed\nOBJECT:('[',\"ring mail\"),(5,2),uncursed\n"
    states, bot = played(start, level, 200, character="kni-hum-law-mal")
    assert "You are now wearing" not in said(states).split("ring mail")[-1]
    assert [item.name for item in bot.body.hero.items if item.worn and "mail" in item.name] == ["ring mail"]


def test_the_burdened_drop_what_they_do_not_use_and_keep_what_digs(start):
    _, bot = played(start, ROOM_WITH, 20, character="sam-hum-law-mal")
    equip = Equip(bot.body, 78)
    bot.body.hero.items += (carried("y", TOOL, "pick-axe"), carried("z", ARMOUR, "ring mail"))
    bot.body.hero.digger = bot.body.hero.items[-2]
    with_stats(bot, LOAD=0)
    assert equip.bid(bot.world) is None
    with_stats(bot, LOAD=1)
    offer = equip.bid(bot.world)
    assert offer is not None and (offer.name, chr(offer.goal)) == ("drop", "z")
    while (offer := equip.bid(bot.world)) is not None:  # what was tried once is left alone for a while
        assert chr(offer.goal) not in "yz"


@pytest.mark.parametrize(
    ("words", "welded"),
    [
        ("a cursed +2 bullwhip (weapon in hand)", True),
        ("a +2 bullwhip (weapon in hand)", False),
        ("a cursed +0 pick-axe (weapon in hand)", False),
    ],
)
def test_nobody_digs_whose_hand_a_cursed_weapon_sticks_to(start, monkeypatch, words, welded):
    _, bot = played(start, ROOM_WITH, 8, character="arc-dwa")
    hero = bot.body.hero
    item, real = hero._item, hero.digger
    monkeypatch.setattr(hero, "_item", lambda letter, kind, told: item(letter, kind, words if letter == "a" else told))
    hero._raw = b""
    hero.update(bot.world, bot.world.state)
    assert real is not None and (hero.digger is None) is welded


def test_a_ray_that_comes_back_must_be_bearable(start):
    _, bot = played(start, ROOM_WITH, 2, character="val-hum-neu-fem")
    north, east = WAYS.index(ord("k")), WAYS.index(ord("l"))
    assert bot.body.free_run(north) < arms.RAY_RUN <= bot.body.free_run(east)
    with_stats(bot, HP=20)
    assert arms.is_safe_ray(bot.body, north, "magic missile")
    assert not arms.is_safe_ray(bot.body, north, "fire") and not arms.is_safe_ray(bot.body, north, "sleep")
    with_stats(bot, HP=60)
    assert arms.is_safe_ray(bot.body, north, "fire") and not arms.is_safe_ray(bot.body, north, "sleep")
    assert arms.is_safe_ray(bot.body, east, "sleep")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("2 sprigs of wolfsbane", "sprig of wolfsbane"),
        ("3 cloves of garlic", "clove of garlic"),
        ("2 eucalyptus leaves", "eucalyptus leaf"),
        ("4 potions of extra healing", "extra healing"),
        ("5 food rations", "food ration"),
    ],
)
def test_several_of_a_kind_are_known_by_name(words, name):
    assert Hero(knowledge()).item_of("a", words).name == name


def test_the_blind_notice_that_they_were_engulfed_and_that_they_are_out_again(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    for words, inside in (
        ("You miss it.  It engulfs you!", True),
        ("You hit it.", True),
        ("You get expelled!", False),
        ("The dust vortex engulfs you!  You get expelled!", False),
    ):
        bot.world.messages = (words,)
        bot.body.update()
        assert bot.body.engulfed is inside, words


def test_a_pick_axe_in_a_dwarfs_hands_does_not_lie_here(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    bot.world.messages = ("You see here an apple.  The dwarf swings his pick-axe.  The dwarf hits!",)
    bot.body.update()
    assert bot.body.tool_spot is None
    bot.world.messages = ("You see here a pick-axe.  The dwarf swings his mattock.",)
    bot.body.update()
    assert bot.body.tool_spot == (bot.world.level.key, bot.world.hero)


@pytest.mark.parametrize(("personality", "levels"), [("survivor", 2), ("digger", 5)])
def test_the_strong_search_more_of_the_mines_where_a_dive_is_all_they_want(start, personality, levels):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey = Journey(bot.body, load(personality))
    with_stats(bot, HP_MAX=60, ARMOUR=6)
    assert journey.mine_levels(bot.world) == 2
    with_stats(bot, HP_MAX=90)
    assert journey.mine_levels(bot.world) == levels


def test_a_prayer_for_food_sends_nobody_down_before_it_is_answered(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    hero, journey, world = bot.body.hero, bot.journey, bot.world
    hero.items, hero.digger, world.turn = (), carried("y", TOOL, "pick-axe"), 5000
    with_stats(bot, HUNGER=WEAK)
    hero.prayed = world.turn - 3
    assert not journey.diving(world) and not journey._dived
    hero.prayed = world.turn - PRAYER_TAKES - 1
    assert journey.diving(world) and journey._dived


def test_who_is_hungry_without_food_goes_down_if_it_can_dig_or_can_hardly_pray(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    hero, journey, world = bot.body.hero, bot.journey, bot.world
    hero.items, world.turn = (), 5000
    assert not journey.diving(world)
    with_stats(bot, HUNGER=HUNGRY)
    assert not journey.diving(world)  # a prayer will be heard
    hero.prayed = 4990
    assert journey.diving(world)
    hero.prayed, hero.digger = None, carried("y", TOOL, "pick-axe")
    assert not journey.diving(world)  # the strong pray, and grow on
    hero.role = "kni"
    assert journey.diving(world)


@pytest.mark.parametrize(
    ("fed", "prayed", "ration", "short"),
    [
        (SHORT - 1, 400, False, True),
        (SHORT, 400, False, False),
        (SHORT - 1, 400, True, False),
        (SHORT - 1, 700, False, False),  # by the time of hunger the god will listen
    ],
)
def test_food_runs_short_before_the_next_prayer_is_sure_to_be_heard(start, fed, prayed, ration, short):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    hero, world = bot.body.hero, bot.world
    hero.fed, world.turn, hero.prayed = fed, 5000, 5000 - prayed
    number = knowledge().by_name["apple"]
    hero.items = (Item("d", FOOD, number, "apple", 1, 0, False, ""),) if ration else ()
    assert runs_short(bot.body, SHORT) is short


def test_who_can_hardly_hope_for_the_next_prayer_looks_for_food_sooner(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    hero, journey, world = bot.body.hero, bot.journey, bot.world
    with_stats(bot, HP=90, HP_MAX=90, EXPERIENCE=7)
    journey.explored.update((0, depth) for depth in range(1, 5))
    hero.items, hero.fed, world.turn, hero.prayed = (), ANXIOUS - 1, 5000, 4700
    journey.note(world)
    assert not journey._short
    hero.prayed = 4990
    journey.note(world)
    assert journey._short


@pytest.mark.parametrize(
    ("character", "intelligence", "cost"),
    [("hea-hum", 18, 10), ("wiz-hum", 14, 10), ("wiz-hum", 15, 5), ("wiz-hum", 17, 0)],
)
def test_spells_make_hungry_and_clever_wizards_less_so(start, character, intelligence, cost):
    _, bot = played(start, ROOM_WITH, 8, character=character)
    with_stats(bot, INTELLIGENCE=intelligence)
    fed = bot.body.hero.fed
    bot._sent(ord("Z"))
    assert fed - bot.body.hero.fed == cost


def test_whose_food_runs_short_looks_through_the_next_level_and_comes_back(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    hero, journey, world = bot.body.hero, bot.journey, bot.world
    with_stats(bot, HP=90, HP_MAX=90, EXPERIENCE=7)
    hero.items, hero.fed, world.turn, hero.prayed = (), SHORT - 1, 5000, 4600
    journey._noted_turn = world.turn
    journey._points_turn = world.turn  # somebody was killed just now
    journey.explored.update((0, depth) for depth in range(1, 5))
    camp = journey.deepest(world)
    journey.note(world)
    assert (camp, journey.deepest(world)) == (4, 5)
    journey.explored.add((0, 5))
    assert journey.deepest(world) == 5
    with_stats(bot, EXPERIENCE=9)
    assert journey.deepest(world) == 6
    with_stats(bot, EXPERIENCE=7)
    hero.prayed = 4800  # the next prayer may well fail
    assert journey.deepest(world) == 6
    journey._growth_turn = world.turn
    with_stats(bot, EXPERIENCE=4)
    assert journey.deepest(world) == 5
    with_stats(bot, EXPERIENCE=7)
    journey.explored.add((0, 6))
    assert journey.deepest(world) == 6
    hero.piety = -1  # no prayer would be heard
    assert journey.deepest(world) == 7
    hero.piety, hero.shunned_until = 10, 10**9  # who can never pray again has nothing to lose
    journey.note(world)
    assert journey.deepest(world) == BOTTOM
    hero.prayed = 4600
    hero.shunned_until, hero.fed = 0, 700
    journey.note(world)
    assert journey.deepest(world) == 5  # not yet enough
    hero.fed = STORED
    journey.note(world)
    assert journey.deepest(world) == 4


def test_the_weak_wait_with_a_prayer_that_may_fail_until_they_nearly_faint(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    hero, world, worship = bot.body.hero, bot.world, Worship(bot.body, 95)
    hero.items, world.turn, hero.prayed, hero.fed = (), 5000, 4150, FED_LAST + 1
    with_stats(bot, HUNGER=WEAK)
    assert worship.bid(world) is None
    hero.fed = FED_LAST
    assert worship.bid(world) is not None
    for gap in (200, 50):  # it lies still until the god may hear it
        hero.prayed = world.turn - gap
        assert worship.bid(world) is None
    hero.prayed = 3800
    assert Worship(bot.body, 95).bid(world) is not None


def test_stairs_that_no_way_leads_to_are_not_travelled_to_for_ever(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    world.levels[0, 2] = world.level
    world.level.key = (0, 2)
    world.level.leads_to.update({100: (0, 1), 101: (0, 3)})
    world.memory[kn.TERRAIN, 102] = kn.DOWN
    assert journey.untried(world) == ((0, 2), 102)
    travel = Travel(journey, 66)
    journey.goal = lambda world: (0, 2)
    assert travel.bid(world) is None  # no way leads there now
    assert journey.untried(world) == (None, -1)
    world.turn += BARRED
    assert journey.untried(world) == ((0, 2), 102)


def test_of_two_stairs_down_one_leads_to_the_mines(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    world.levels[0, 2] = world.level
    world.level.key = (0, 2)
    world.level.leads_to = {100: (0, 1)}
    world.memory[kn.TERRAIN, 102] = kn.DOWN
    assert journey.untried(world) == (None, -1)  # they lead on in the main dungeon
    world.memory[kn.TERRAIN, 104] = kn.DOWN
    assert journey.untried(world) == ((0, 2), 102)


def test_levels_where_the_mines_may_begin_are_explored_one_after_the_other(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    with_stats(bot, HP_MAX=60, EXPERIENCE=8)
    first, third = world.level, type(world.level)((0, 3), 3)
    first.key = (0, 2)
    world.levels = {(0, 2): first, (0, 3): third}
    assert journey.goal(world) is None
    world.level = third
    assert journey.goal(world) is None
    journey.explored.add((0, 3))
    assert journey.goal(world) == (0, 2)


def test_nobody_travels_to_and_fro_for_ever(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    travel, world = Travel(bot.journey, 66), bot.world
    with_stats(bot, HP_MAX=60, EXPERIENCE=8)
    world.level.key = (0, 3)
    world.level.leads_to[world.hero] = (0, 2)
    world.levels = {(0, 3): world.level, (0, 2): type(world.level)((0, 2), 2)}
    bot.journey.explored.add((0, 3))
    steps = 0
    while (offer := travel.bid(world)) is not None:
        assert list(offer.plan()) == [ord(">")]
        steps += 1
        world.turn += 1
    assert 5 < steps < TO_AND_FRO
    world.turn += TIRED
    assert travel.bid(world) is not None


def test_no_gold_is_picked_up_before_the_eyes_of_a_guard(start):
    level = ROOM_WITH + "GOLD:50,(4,2)\n"
    _, bot = played(start, level, 2, character="val-hum-neu-fem")
    loot = Loot(bot.body, 72)
    assert loot.bid(bot.world) is not None
    bot.world.guard_turn = bot.world.turn
    assert loot.bid(bot.world) is None
    bot.world.guard_turn = bot.world.turn - GUARD_TURNS
    assert Loot(bot.body, 72).bid(bot.world) is not None  # the other one leaves it alone for a while


def test_a_beast_prays_for_its_human_form_and_takes_its_things_back(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    hero, world = bot.body.hero, bot.world
    hero.prayed, world.turn = 600, 900
    worship, equip = Worship(bot.body, 95), Equip(bot.body, 78)
    world.messages = ("You feel feverish.  You turn into a werejackal!",)
    bot.body.update()
    assert hero.beast and worship.bid(world) is None  # it passes, and a god angered stays angry
    hero.prayed = -100
    assert worship.bid(world) is not None
    assert equip.change(world) is None or equip.change(world).name != "take back"
    world.messages = ("You return to human form!",)
    bot.body.update()
    assert not hero.beast and hero.feverish
    offer = equip.change(world)
    assert offer is not None and offer.name == "take back"
    again = equip.change(world)
    assert again is None or again.name != "take back"


def test_the_weak_eat_whoever_is_near(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    bot.body.hero.items = (carried("S", FOOD, "food ration"), carried("b", FOOD, "apple"), carried("c", FOOD, "tin"))
    assert [is_ration(item) for item in bot.body.hero.items] == [True, True, False]
    with_stats(bot, HUNGER=HUNGRY)
    assert urgent_meal(bot.body) is None
    with_stats(bot, HUNGER=WEAK)
    assert urgent_meal(bot.body) == bot.body.hero.items[1]


def test_a_diver_takes_the_stairs_underfoot_unless_it_fled_over_them_or_they_lead_to_the_mines(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    body, world = bot.body, bot.world
    world.memory[kn.TERRAIN, world.hero] = kn.DOWN
    assert bot.tactics.bid(world) is None
    body.diving = True
    for leads, fled, taken in (((0, 2), (0, 5), True), ((0, 2), (0, 2), False), ((MINES, 2), (0, 5), False)):
        world.level.leads_to[world.hero], body.fled = leads, (fled, world.turn)
        offer = bot.tactics.bid(world)
        assert (offer is not None and offer.name == "stairs") is taken, leads


def test_the_blind_write_on_ground_that_they_do_not_see(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    bot.world.memory[kn.TERRAIN, bot.world.hero] = kn.UNKNOWN
    assert not arms.can_write(bot.body, blindly=True)
    with_stats(bot, CONDITION=BLIND)
    assert arms.can_write(bot.body, blindly=True) and not arms.can_write(bot.body)


def test_a_diver_meets_a_tiger_with_the_word_before_it_looks_for_a_weapon(start):
    level = ROOM_WITH + "MONSTER:('f',\"tiger\"),(2,2),hostile,asleep\n"
    _, bot = played(start, level, 4, character="val-hum-neu-fem")
    assert [foe.kind.name for foe in bot.body.foes.hostile if foe.beside] == ["tiger"]
    bot.body.diving, bot.body.hero.weapon = True, None
    offer = bot.tactics.bid(bot.world)
    assert offer is not None and offer.name == "write the word"


def test_a_long_rest_begins_with_the_word_and_a_short_one_does_not(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    here = (bot.world.level.key, bot.world.hero)
    rest = Convalesce(bot.body, bot.watchdog, 76, load("survivor"))
    with_stats(bot, HP=10, HP_MAX=16)
    assert rest.bid(bot.world).name == "rest"
    with_stats(bot, HP=8)
    assert [rest.bid(bot.world).name for _ in range(2)] == ["write the word", "read the word"]
    bot.body.elbereth = here
    assert rest.bid(bot.world).name == "rest"


def test_who_is_walled_in_digs_out_through_the_floor(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    dig = DigDown(bot.body, bot.journey, 74)
    bot.body.hero.digger = carried("y", TOOL, "pick-axe")
    assert dig.bid(bot.world) is None  # it still grows
    bot.body.walled_in = True
    assert dig.bid(bot.world).name == "dig down"


@pytest.mark.parametrize("words", ["A cloud of gas puts you to sleep!", "A little dart shoots out at you!"])
def test_a_trap_that_things_hide_is_remembered_from_what_it_did(start, words):
    _, state = start(ROOM_WITH)
    world = World()
    world.update(state)
    assert not world.memory[kn.TRAP, world.hero]
    record = np.frombuffer(state.data, st.RECORD).copy()
    record["message"] = words.encode()
    world.update(State(record.tobytes(), 1))
    assert world.memory[kn.TRAP, world.hero]


def test_a_level_to_which_nobody_comes_is_left_however_deep_it_is(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    world.level.depth = 9
    world.turn += DESERTED - journey.idle_turns(world)
    assert journey.deepest(world) < 9
    world.turn += 1
    assert journey.deepest(world) == 10


@pytest.mark.parametrize(("role", "strong"), [("cav", True), ("sam", True), ("kni", False), ("ran", False)])
def test_who_gains_more_by_growing_does_not_dive_with_the_first_pick_axe(start, role, strong):
    _, bot = played(start, ROOM_WITH, 8, character="cav-hum-law-fem")
    bot.body.hero.role = role
    bot.body.hero.digger = carried("p", TOOL, "pick-axe")
    bot.world.turn = 2000
    with_stats(bot, EXPERIENCE=5, HP=40, HP_MAX=40, ARMOUR=9)
    assert bot.journey.is_strong(bot.world) is strong
    assert bot.journey.diving(bot.world) is not strong


def test_the_strong_seek_no_pick_axe_before_they_have_grown(start):
    for agent, before in (("survivor", False), ("digger", True)):
        _, bot = played(start, ROOM_WITH, 8, agent, character="val-hum-neu-fem")
        with_stats(bot, HP_MAX=80, EXPERIENCE=load("survivor").milestones.strong_mines_level - 1)
        assert bot.journey.wants_mines(bot.world) is before
        with_stats(bot, HP_MAX=80, EXPERIENCE=load("survivor").milestones.strong_mines_level)
        assert bot.journey.wants_mines(bot.world)


def test_others_seek_one_as_soon_as_they_are_strong_enough(start):
    _, bot = played(start, ROOM_WITH, 8, character="pri-hum-neu-fem")
    with_stats(bot, HP_MAX=60, EXPERIENCE=4)
    assert bot.journey.wants_mines(bot.world)


def test_nobody_stays_below_the_level_to_grow_on(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    with_stats(bot, EXPERIENCE=7, HP_MAX=70, ARMOUR=0)
    world.memory[kn.TERRAIN, world.hero] = kn.UP
    world.level.key, world.level.depth = (0, 5), 5
    assert journey.deepest(world) == 4 and Ascend(journey, 67).bid(world).name == "ascend"
    world.level.key, world.level.depth = (0, 4), 4
    bot.body.hero.prayed = world.turn - 10
    assert journey.deepest(world) == 3 and Ascend(journey, 67).bid(world) is None  # one level is borne above


def test_nobody_goes_up_by_the_stairs_to_sokoban(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world = bot.world
    near, far = world.hero + 2, world.hero + 4
    world.memory[kn.TERRAIN, world.memory[kn.TERRAIN] == kn.UP] = kn.FLOOR
    world.memory[kn.TERRAIN, [near, far]] = kn.UP
    world.stale()
    assert stairs_up(world) == near
    world.level.leads_to[near] = (SOKOBAN, 4)
    assert stairs_up(world) == far
    world.level.leads_to[far] = (SOKOBAN, 4)
    assert stairs_up(world) == -1


def test_where_nobody_comes_the_way_leads_below_all_levels_that_were_explored(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    world.levels[MINES, 2] = LevelMemory((MINES, 2), 5)
    journey.explored.update(((0, 2), (0, 9), (MINES, 12)))
    journey.note(world)
    assert journey.deepest(world) < 9
    world.turn += DESERTED + 1
    assert journey.deepest(world) == 10
    journey._body.hero.digger, journey.mines_searched = None, 0
    with_stats(bot, HP_MAX=300, EXPERIENCE=9)
    assert not journey.wants_mines(world)
    world.turn -= DESERTED
    assert journey.wants_mines(world)


def test_a_dungeon_in_which_nobody_comes_is_not_judged_by_those_on_new_levels(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    journey, world = bot.journey, bot.world
    journey.explored.add(world.level.key)
    for points in (20, 21):
        with_stats(bot, POINTS=points)
        journey.note(world)
        assert not journey.is_deserted(world)  # somebody was killed where all had been seen
        for _ in range(2):
            world.turn += FORLORN // 2 + 1
            journey.note(world)
        journey.explored.clear()
        with_stats(bot, POINTS=points + 100)  # and here on a new level
        journey.note(world)
        assert journey.idle_turns(world) == 0 and journey.is_deserted(world)
        journey.explored.add(world.level.key)


def test_where_no_way_on_is_found_the_mines_are_left_to_see(start):
    _, bot = played(start, ROOM_WITH, 8, character="wiz-hum-neu-fem")
    journey, world = bot.journey, bot.world
    with_stats(bot, HP=9, HP_MAX=9, EXPERIENCE=1)
    for level in ((0, 2), (MINES, 3)):
        world.levels[level] = LevelMemory(level, level[1])
    world.level.vain_turns = LOST - 1
    journey.note(world)
    assert not journey.wants_mines(world)
    world.level.vain_turns = LOST
    journey.note(world)
    bot.body.desperate = True
    assert journey.goal(world) == (MINES, 3)
    world.level = world.levels[MINES, 3]
    world.level.vain_turns = LOST
    journey.note(world)  # nor does a way lead on there
    assert journey.goal(world) == (0, 2)


def test_from_the_quest_the_way_leads_back_through_the_portal(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world, unwanted = bot.world, UnwantedBranch(load("survivor"), bot.journey)
    portal = next(cell for cell in (world.hero + 2, world.hero - 2) if world.paths()[cell] < kn.FAR)
    world.memory[kn.TRAP, portal] = kn.PORTAL
    assert unwanted.bid(world) is None
    world.level.key = (QUEST, 1)
    world.stale()
    assert unwanted.bid(world).goal == portal
