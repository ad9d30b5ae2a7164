"""A lawful hero dips its long sword into fountains until it is Excalibur, and nobody else does."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, said, with_stats

from gridsage.core.game import Briefing, Budget
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.excalibur import PATIENCE
from gridsage.games.nethack.agents.gear import Equip
from gridsage.games.nethack.agents.hero import EXCALIBUR, WEAPON
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.survivor import Survivor
from gridsage.games.nethack.agents.world import MINES, LevelMemory
from gridsage.games.nethack.level import COLS

FOUNTAINS = ROOM_WITH + "".join(f"FOUNTAIN:({col},2)\n" for col in (3, 5, 7, 9))
GROWING = FOUNTAINS + "OBJECT:('!',\"gain level\"),(1,1),blessed,quantity:6\n"
GROWN = {"EXPERIENCE": 5, "HP": 50, "HP_MAX": 50}


@pytest.fixture
def dipper(start):
    """Makes a hero, grown up if not told otherwise, who has seen four fountains and may pray."""

    def maker(character="val-dwa-law-fem", level=FOUNTAINS, keys=8, **stats):
        _, bot = played(start, level, keys, character=character)
        bot.world.turn = 500
        with_stats(bot, **{**GROWN, **stats})
        return bot

    return maker


def test_features_are_remembered_and_walked_over_as_floor(start):
    level = ROOM_WITH + "FOUNTAIN:(3,2)\nSINK:(5,2)\nALTAR:(7,2),law,altar\n"
    _, bot = played(start, level, 3, character="val-dwa-law-fem")
    world = bot.world
    found = np.flatnonzero(world.memory[kn.FEATURE])
    assert world.memory[kn.FEATURE, found].tolist() == [kn.FOUNTAIN, kn.SINK, kn.ALTAR]
    assert all(world.memory[kn.TERRAIN, found] == kn.FLOOR)
    assert [int(kn.ground_cost(world.memory, int(cell), 1, 0)) for cell in found] == [1, 1, 1]


def test_a_fountain_underfoot_is_remembered_until_it_dries_up(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-dwa-law-fem")
    world = bot.world
    for words, feature in (("There is a fountain here.", kn.FOUNTAIN), ("The fountain dries up!", 0)):
        record = np.frombuffer(world.state.data, st.RECORD).copy()
        record["message"] = words.encode()
        world.update(st.State(record.tobytes(), 1))
        assert world.memory[kn.FEATURE, world.hero] == feature


def test_nobody_writes_on_a_fountain_or_an_altar(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-dwa-law-fem")
    assert arms.can_write(bot.body)
    for feature in (kn.FOUNTAIN, kn.ALTAR, kn.GRAVE):
        bot.world.memory[kn.FEATURE, bot.world.hero] = feature
        assert not arms.can_write(bot.body)


@pytest.mark.parametrize(("character", "seed"), [("val-dwa-law-fem", 1), ("kni-hum-law-mal", 3)])
def test_a_grown_lawful_hero_dips_its_sword_until_it_is_excalibur_and_wields_it(start, character, seed):
    game, state = start(GROWING, seed, character=character, pet=False, spawn_monsters=False)

    def send(keys):
        nonlocal state
        for key in keys:
            state = game.step(state, ord(key))

    send(",y" if "kni" in character else ",")  # knights carry much
    potion = next(letter for letter, _, words in state.pack if "potion" in words)
    send(f"q{potion}" * 5)
    bot, states = Survivor(), [state]
    bot.begin(Briefing(0, 1, ("survivor",), 7))
    while len(states) < 400 and game.outcome(state) is None and "bless the sword" not in said(states):
        state = game.step(state, bot.decide(state, Budget()).action)
        states.append(state)
    bot.decide(state, Budget())
    sword = bot.body.hero.weapon
    assert sword.title == EXCALIBUR and sword.name == "long sword" and sword.erosion == 0
    assert bot.journey.lake.over and bot.journey.lake.bid(bot.world) is None
    assert bot.body.hero.has_excalibur and bot.journey.is_strong(bot.world)


def test_who_is_fit_goes_to_the_nearest_fountain(dipper):
    bot = dipper()
    offer = bot.journey.lake.bid(bot.world)
    assert offer.name == "dip" and bot.world.memory[kn.FEATURE, offer.goal] == kn.FOUNTAIN
    assert bot.world.paths()[offer.goal] == min(
        bot.world.paths()[cell] for cell in np.flatnonzero(bot.world.memory[kn.FEATURE])
    )


@pytest.mark.parametrize(
    "stats",
    [
        {"EXPERIENCE": 4},
        {"ALIGNMENT": 0},
        {"ALIGNMENT": -1},
        {"HP": 39},
        {"HP": 29, "HP_MAX": 29},
        {"HUNGER": 3},
        {"CONDITION": 32},
        {"CONDITION": arms.LEVITATING},
    ],
)
def test_nobody_dips_who_is_not_fit_for_it(dipper, stats):
    bot = dipper(**stats)
    assert bot.journey.lake.bid(bot.world) is None


def test_nobody_dips_who_could_not_pray(dipper):
    bot = dipper()
    bot.body.hero.prayed = 400
    assert bot.journey.lake.bid(bot.world) is None and bot.journey.lake.goal(bot.world) is None


def test_nobody_dips_while_a_foe_is_in_sight(dipper):
    bot = dipper(level=FOUNTAINS + "MONSTER:('r',\"sewer rat\"),(9,3),hostile,asleep\n")
    assert bot.body.foes.hostile and bot.journey.lake.bid(bot.world) is None


def test_a_heretic_dips_nothing_and_neither_does_who_has_no_long_sword(dipper):
    bot = dipper(character="val-hum-neu-fem")
    assert bot.journey.lake.goal(bot.world) is None
    bot = dipper()
    bot.body.hero.items = tuple(item for item in bot.body.hero.items if item.name != "long sword")
    assert bot.journey.lake.bid(bot.world) is None
    bot.body.hero.items = (replace(carried("x", WEAPON, "long sword"), count=2),)
    assert bot.journey.lake.bid(bot.world) is None  # two are never blessed
    bot.body.hero.items = (carried("x", WEAPON, "long sword"),)
    bot.world.turn += 1
    assert bot.journey.lake.bid(bot.world) is not None  # it need not be in hand


def test_an_interrupted_dip_is_escaped_and_an_unknown_question_too(start):
    _, bot = played(start, FOUNTAINS, 8, character="val-dwa-law-fem")
    bot.world.turn = 500
    with_stats(bot, **GROWN)
    offer = bot.journey.lake.bid(bot.world)
    bot.world.hero = offer.goal
    command = next(offer.plan())
    asked = {words for words, _ in command.replies}
    assert not any(words in "What do you want to dip it into? [ef or ?*] " for words in asked)
    assert any(words in "What do you want to dip? [abcde or ?*] " for words in asked)


def test_a_knight_begins_only_where_it_knows_two_fountains(dipper):
    bot = dipper(character="kni-hum-law-mal", level=ROOM_WITH + "FOUNTAIN:(3,2)\n")
    world, lake = bot.world, bot.journey.lake
    assert lake.goal(world) is None  # one of them rather rusts the blade than blesses it
    world.levels[0, 3] = LevelMemory((0, 3), 3)
    world.levels[0, 3].memory[kn.FEATURE, 5 * COLS + 20] = kn.FOUNTAIN
    world.turn += 1
    assert lake.goal(world) == world.level.key
    offer = lake.bid(world)
    bot.world.hero = offer.goal
    command = next(offer.plan())
    assert dict(command.replies)["into the fountain"](world.state) == "y"
    world.memory[kn.FEATURE, offer.goal] = 0
    world.turn += 1
    assert lake.goal(world) == (0, 3)  # whoever has begun goes on
    bot = dipper(level=ROOM_WITH + "FOUNTAIN:(3,2)\n")
    assert bot.journey.lake.goal(bot.world) == bot.world.level.key  # Valkyries begin with one


def test_a_fountain_that_is_not_there_is_forgotten(dipper):
    bot = dipper()
    offer = bot.journey.lake.bid(bot.world)
    bot.world.hero = offer.goal
    assert len(list(offer.plan())) == 1  # the game did not ask whether to dip into it
    assert not bot.world.memory[kn.FEATURE, offer.goal]


def test_the_journey_leads_to_fountains_seen_on_other_levels_and_not_to_those_of_minetown(dipper):
    bot = dipper(level=ROOM_WITH)
    world, lake = bot.world, bot.journey.lake
    for key in ((0, 2), (0, 4), (0, 5), (MINES, 5)):
        world.levels[key] = LevelMemory(key, key[1])
        world.levels[key].memory[kn.FEATURE, 5 * COLS + 20] = kn.FOUNTAIN
    assert lake.goal(world) == (0, 2) == bot.journey.goal(world)
    del world.levels[0, 2]
    world.turn += 1
    assert lake.goal(world) == (0, 4)
    del world.levels[0, 4]
    world.turn += 1
    assert lake.goal(world) is None  # level 5 lies deeper than is gone for it


def test_a_fountain_that_no_way_leads_to_is_given_up(dipper):
    bot = dipper(level=ROOM_WITH)
    world, journey = bot.world, bot.journey
    world.levels[0, 3] = LevelMemory((0, 3), 3)
    world.levels[0, 3].memory[kn.FEATURE, 5 * COLS + 20] = kn.FOUNTAIN
    journey.note(world)
    assert journey.lake.goal(world) == (0, 3)
    world.turn += PATIENCE + 1
    journey.note(world)
    world.turn += 1
    assert journey.lake.goal(world) is None


def test_only_the_survivor_dips(dipper):
    assert load("survivor").priorities.dip and not any(
        load(name).priorities.dip for name in ("digger", "diver", "explorer")
    )


@pytest.mark.parametrize(
    ("words", "erosion", "title"),
    [
        ("a rusty +1 long sword (weapon in hand)", 1, ""),
        ("an uncursed very rusty +1 long sword (weapon in hand)", 2, ""),
        ("a cursed thoroughly rusty very corroded +1 long sword", 3, ""),
        ("a rustproof +1 long sword named Excalibur (weapon in hand)", 0, EXCALIBUR),
        ("the blessed rustproof +1 Excalibur (weapon in hand)", 0, EXCALIBUR),
    ],
)
def test_the_blows_of_a_sword_follow_its_rust_and_its_blessing(start, words, erosion, title):
    _, bot = played(start, ROOM_WITH, 4, character="kni-hum-law-mal")
    hero = bot.body.hero
    found, plain = hero.item_of("a", words), hero.item_of("a", "a +1 long sword")
    found, plain = replace(found, kind=WEAPON), replace(plain, kind=WEAPON)
    assert (found.name, found.erosion, found.title) == ("long sword", erosion, title)
    gain = 5.5 if title else -erosion
    assert hero.blow(found)[1] == hero.blow(plain)[1] + gain
    assert hero.blow(found)[0] == hero.blow(plain)[0] + (3 if title else 0)


@pytest.mark.parametrize(
    ("character", "taken"), [("sam-hum-law-mal", True), ("bar-hum-neu-mal", False), ("pri-hum-law-mal", False)]
)
def test_lawful_heroes_who_can_use_it_pick_up_a_long_sword(start, character, taken):
    level = ROOM_WITH + "OBJECT:(')',\"long sword\"),(4,2),uncursed\n"
    _, bot = played(start, level, 30, character=character)
    assert any(item.name == "long sword" for item in bot.body.hero.items) is taken


def test_excalibur_is_wielded_and_neither_dropped_nor_thrown(start):
    _, bot = played(start, ROOM_WITH, 8, character="kni-hum-law-mal")
    sword = replace(carried("x", WEAPON, "long sword"), title=EXCALIBUR)
    better = replace(carried("a", WEAPON, "long sword"), plus=2, notes=" (weapon in hand)")
    hero, equip = bot.body.hero, Equip(bot.body, 78)
    hero.items, hero.weapon = (sword, better), better
    assert equip.change(bot.world).goal == ord("x")
    bot.body.walled_in = True
    assert sword not in arms.spare_things(bot.body)
    with_stats(bot, LOAD=1, ALIGNMENT=0)
    hero.items = (sword, better)
    assert equip.change(bot.world) is None


def test_whoever_stands_on_a_fountain_steps_off_it_to_write_before_a_demon(start):
    level = ROOM_WITH + "FOUNTAIN:(1,1)\nMONSTER:('&',\"water demon\"),(2,2),hostile,asleep\n"
    _, bot = played(start, level, 4, character="val-hum-neu-fem")
    world = bot.world
    world.memory[kn.FEATURE, world.hero] = kn.FOUNTAIN
    with_stats(bot, HP=30, HP_MAX=40)
    offer = bot.tactics.bid(world)
    assert offer.name == "step off" and world.memory[kn.FEATURE, offer.goal] == 0
    world.memory[kn.FEATURE, world.hero] = 0
    assert bot.tactics.bid(world).name.endswith("the word")


@pytest.mark.parametrize(("level", "without", "blessed"), [(5, 4, 4), (6, 4, 4), (7, 4, 5), (8, 4, 6), (12, 4, 6)])
def test_whoever_has_excalibur_grows_deeper_as_its_experience_grows(start, level, without, blessed):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-law-fem")
    with_stats(bot, HP=90, HP_MAX=90, ARMOUR=4, EXPERIENCE=level)
    assert bot.journey.deepest(bot.world) == without
    bot.body.hero.has_excalibur = True
    assert bot.journey.deepest(bot.world) == blessed
    with_stats(bot, HP=60, HP_MAX=60, ARMOUR=3)
    assert bot.journey.deepest(bot.world) == without  # the sword does not make up for few hit points


def test_whoever_cannot_leave_over_the_stairs_steps_off_them_to_write(start):
    level = ROOM_WITH + "MONSTER:('&',\"water demon\"),(2,2),hostile,asleep\n"
    _, bot = played(start, level, 4, character="val-hum-neu-fem")
    world = bot.world
    assert all(foe.beside and foe.kind.follows for foe in bot.body.foes.hostile)
    world.memory[kn.TERRAIN, world.hero] = kn.DOWN
    with_stats(bot, HP=30, HP_MAX=40)
    offer = bot.tactics.bid(world)
    assert offer.name == "step off" and bot.body.is_muted("to the stairs")  # it does not step back at once
    with_stats(bot, HP=900, HP_MAX=1000)
    bot.body.muted.clear()
    assert bot.tactics.bid(world).name == "fight"  # a fight that can be won is fought on the stairs
