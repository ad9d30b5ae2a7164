"""Healers turn boulders into meat: when, where, and that others do not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, played, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.flesh import FULL_MEAL, LEAST_FED, MEAT, POWER, TRIED, Flesh
from gridsage.games.nethack.agents.living import HUNGRY, NOT_HUNGRY
from gridsage.games.nethack.agents.world import SOKOBAN

HEALER = {"character": "hea-hum-neu-fem"}
BOULDER = ROOM_WITH + "OBJECT:('`',\"boulder\"),(6,2)\n"


def hungry(start, des: str = BOULDER, character: str = "hea-hum-neu-fem"):
    _, bot = played(start, des, 6, character=character)
    bot.body.hero.items, bot.body.hero.fed = (), 100
    with_stats(bot, HUNGER=HUNGRY, POWER=POWER, POWER_MAX=30)
    return bot


def test_a_hungry_healer_walks_to_a_boulder_and_casts_at_it(start):
    bot = hungry(start)
    offer = Flesh(bot.body, 80).bid(bot.world)
    assert offer is not None and offer.name == "flesh"
    assert bot.world.memory[kn.OBJECT, offer.goal] == kn.BOULDER + 1


@pytest.mark.parametrize("stats", [{"HUNGER": NOT_HUNGRY}, {"POWER": POWER - 1}], ids=["fed", "without power"])
def test_nobody_casts_who_is_fed_or_cannot(start, stats):
    bot = hungry(start)
    with_stats(bot, **stats)
    assert Flesh(bot.body, 80).bid(bot.world) is None


def test_only_healers_cast_and_not_in_sokoban_nor_when_too_weak(start):
    assert Flesh((other := hungry(start, character="pri-hum-neu-fem")).body, 80).bid(other.world) is None
    bot = hungry(start)
    bot.body.hero.fed = LEAST_FED - 1
    assert Flesh(bot.body, 80).bid(bot.world) is None
    bot.body.hero.fed = 100
    bot.world.level.key = (SOKOBAN, 1)
    assert Flesh(bot.body, 80).bid(bot.world) is None


def test_a_boulder_that_no_spell_changed_is_left_alone(start):
    bot = hungry(start)
    flesh = Flesh(bot.body, 80)
    offer = flesh.bid(bot.world)
    flesh._tries[bot.world.level.key, offer.goal] = TRIED
    assert flesh.bid(bot.world) is None


def test_boulders_on_other_levels_are_remembered(start):
    bot = hungry(start)
    flesh, world, first = Flesh(bot.body, 80), bot.world, bot.world.level
    assert flesh.goal(world) is None, "one is here"
    world.levels = {(0, 4): first, (0, 3): type(first)((0, 3), 3), (0, 2): type(first)((0, 2), 2)}
    first.key, first.depth = (0, 4), 4
    cell = int((first.memory[kn.OBJECT] == kn.BOULDER + 1).argmax())
    first.memory[kn.OBJECT, cell] = 0
    assert flesh.goal(world) is None
    for depth in (2, 3):
        world.levels[0, depth].memory[kn.OBJECT, cell] = kn.BOULDER + 1
    assert flesh.goal(world) == (0, 3) == bot.journey.flesh.goal(world)
    with_stats(bot, HUNGER=NOT_HUNGRY)
    assert flesh.goal(world) is None


def test_the_spell_is_read_from_the_menu_and_missed_only_once(start):
    bot = hungry(start)
    flesh = Flesh(bot.body, 80)

    class Menu:
        screen = ("a - healing", "c - stone to flesh         3   healing  11%", "(end)")

    assert flesh._choice(Menu()) == "c" and flesh.bid(bot.world) is not None
    Menu.screen = ("a - healing", "(end)")
    assert flesh._choice(Menu()) == "\x1b" and flesh.bid(bot.world) is None


def test_meat_is_walked_to_and_eaten_to_the_end(start):
    _, bot = played(start, ROOM_WITH + "OBJECT:('%',\"huge chunk of meat\"),(6,2)\n", 6, **HEALER)
    flesh, world = Flesh(bot.body, 80), bot.world
    assert flesh.bid(world) is None, "it is not hungry"
    with_stats(bot, HUNGER=HUNGRY)
    offer = flesh.bid(world)
    assert offer is not None and offer.name == "eat meat"
    assert world.memory[kn.OBJECT, offer.goal] == kn.THING + 1 + bot.body.lore.by_name[MEAT]
    world.hero = offer.goal
    command = next(iter(offer.plan()))
    assert command.keys == "e" and ("huge chunk of meat here; eat it", "y") in command.replies
    with_stats(bot, HUNGER=NOT_HUNGRY)
    assert flesh.bid(world) is not None, "somebody interrupted the meal"
    world.turn += FULL_MEAL
    assert flesh.bid(world) is None
