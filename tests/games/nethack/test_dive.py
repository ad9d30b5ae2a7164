"""The dive: what stops a hole, and when the word is of no use."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, said, with_stats

from gridsage.core.game import Briefing, Budget
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.arms import can_write
from gridsage.games.nethack.agents.digging import FOOD_TURNS, DigDown
from gridsage.games.nethack.agents.gear import Loot
from gridsage.games.nethack.agents.hero import FOOD, FORSAKEN, TOOL, WAND, Item
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import HUNGRY, is_ration
from gridsage.games.nethack.agents.survivor import Survivor
from gridsage.games.nethack.agents.tactics import BELOW, LED_ASTRAY
from gridsage.games.nethack.agents.word import IGNORED
from gridsage.games.nethack.agents.world import MINES, STEP_OF_WAY, WAY_OF_KEY

TIGER = "MONSTER:('f',\"tiger\"),(2,2),hostile,asleep\n"


def test_a_dwarf_who_sees_nobody_digs_on_without_the_word(start):
    states, _ = played(start, ROOM_WITH, 300, agent="digger", character="arc-dwa")
    above = [state for state in states if state.stats[st.DEPTH] == 1]
    assert "You dig a pit" in said(above) and "write in the dust" not in said(above)
    assert states[-1].stats[st.DEPTH] > 1


def test_a_diver_steps_off_stairs_up_to_write(start):
    _, bot = played(start, ROOM_WITH + TIGER, 4, character="val-hum-neu-fem")
    world, body = bot.world, bot.body
    body.diving, body.hero.weapon = True, None
    world.memory[kn.TERRAIN, world.hero], world.level.depth = kn.UP, 5
    offer = bot.tactics.bid(world)
    assert offer is not None and offer.name == "step off"
    way = WAY_OF_KEY[ord(next(offer.plan()).keys)]
    assert world.hero + STEP_OF_WAY[way] == offer.goal
    assert world.memory[kn.TERRAIN, offer.goal] == kn.FLOOR and offer.goal not in {
        foe.cell for foe in body.foes.hostile
    }


def diver_with_wand(start, level: str) -> Survivor:
    """Return somebody who dives with a pick-axe and a wand of digging."""
    _, bot = played(start, level, 4, character="val-hum-neu-fem")
    tool = carried("x", TOOL, "pick-axe")
    bot.body.hero.digger, bot.body.hero.items = tool, (tool, carried("w", WAND, "digging"))
    bot.journey._dived = True
    return bot


def test_a_wand_of_digging_is_kept_for_those_who_come(start):
    for level, name in ((ROOM_WITH + TIGER, "zap down"), (ROOM_WITH, "dig down")):
        bot = diver_with_wand(start, level)
        assert DigDown(bot.body, bot.journey, 74).bid(bot.world).name == name


def test_an_empty_wand_of_digging_is_zapped_once(start):
    bot = diver_with_wand(start, ROOM_WITH + TIGER)
    digger = DigDown(bot.body, bot.journey, 74)
    next(digger.bid(bot.world).plan())
    bot.world.messages = ("Nothing happens.",)
    bot.body._listen()
    assert digger.bid(bot.world).name != "zap down"


def test_a_hole_in_the_mines_is_a_last_resort(start):
    _, bot = played(start, ROOM_WITH + TIGER, 4, character="val-hum-neu-fem")
    world, body = bot.world, bot.body
    body.hero.items = (carried("w", WAND, "digging"),)
    foes = body.foes.hostile
    for branch, risk in ((0, BELOW), (MINES, LED_ASTRAY)):
        world.level.key = (branch, 3)
        options = bot.tactics._defences(world, foes, foes, 0.9)
        assert [option.risk for option in options if option.name == "zap down"] == [risk]


def test_nobody_writes_whose_hands_a_cursed_mattock_binds(start):
    _, bot = played(start, ROOM_WITH, 4, character="val-hum-neu-fem")
    for name, cursed, writes in (
        ("dwarvish mattock", True, False),
        ("dwarvish mattock", False, True),
        ("pick-axe", True, True),
    ):
        bot.body.hero.weapon = dataclasses.replace(carried("x", TOOL, name), cursed=cursed)
        assert can_write(bot.body) is writes, name


def test_a_word_that_somebody_ignores_is_given_up(start):
    _, bot = played(start, ROOM_WITH + TIGER, 4, character="val-hum-neu-fem")
    world, body = bot.world, bot.body
    body.diving, body.hero.weapon = True, None
    body.elbereth = (world.level.key, world.hero)
    names = []
    for _ in range(IGNORED + 1):
        offer = bot.tactics.bid(world)
        names.append(offer.name if offer else "")
        world.turn += 1
        body.hurt_turn, world.messages = world.turn, ("The tiger bites!",)
    assert names[:IGNORED] == ["read the word"] * IGNORED
    assert names[IGNORED] not in ("read the word", "write the word", "")


def test_a_hungry_diver_fetches_food_in_sight_first(start):
    _, bot = played(start, ROOM_WITH + "OBJECT:('%',\"food ration\"),(8,2)\n", 12, character="arc-dwa")
    world, body = bot.world, bot.body
    dig, world.turn = DigDown(body, bot.journey, 74), 500  # from then on a prayer helps, and the dive begins
    with_stats(bot, HUNGER=HUNGRY - 1)
    body.hero.items = tuple(item for item in body.hero.items if not is_ration(item))
    assert dig.bid(world) is not None
    with_stats(bot, HUNGER=HUNGRY)
    assert [dig.bid(world) is None for _ in range(FOOD_TURNS + 1)] == [True] * FOOD_TURNS + [False]
    again = DigDown(body, bot.journey, 74)
    body.hero.items += (Item("z", FOOD, knowledge().by_name["apple"], "apple", 1, 0, False, ""),)
    assert again.bid(world) is not None


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        (("You see here 2 oranges.",), True),
        (("There is a doorway here.  You see here an apple.",), True),
        (("Things that are here:", "a runed dagger", "a food ration"), True),
        (("You see here a food ration (for sale, 60 zorkmids).",), False),
        (("You see here a lizard.",), False),
        (("You see no objects here.",), False),
    ],
)
def test_a_diver_takes_up_food_that_it_fell_onto(start, words, taken):
    _, bot = played(start, ROOM_WITH, 12, character="arc-dwa")
    world, body = bot.world, bot.body
    dig, world.turn = DigDown(body, bot.journey, 74), 500
    world.messages = words
    bot.journey.note(world)
    assert ((world.level.key, world.hero) in body.piles) is taken
    assert (dig.bid(world) is None) is taken
    if taken:
        assert Loot(body, 70).bid(world).goal == world.hero


class Everything(dict):
    """Mutes every bid for ever."""

    def get(self, name, default=None):
        return 1 << 30


def test_time_passes_where_every_bid_is_refused(start):
    game, state = start(ROOM_WITH, pet=False, spawn_monsters=False, character="val-hum-neu-fem")
    bot = Survivor("survivor")
    bot.begin(Briefing(0, 1, ("survivor",), 7))
    bot.body.muted = Everything()
    for _ in range(40):
        state = game.step(state, bot.decide(state, Budget()).action)
    assert state.stats[st.TURN] > 10


def test_whom_no_god_will_hear_again_dives_without_waiting_for_a_prayer(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world, hero = bot.world, bot.body.hero
    hero.digger = Item("y", TOOL, knowledge().by_name["pick-axe"], "pick-axe", 1, 0, False, "")
    assert not bot.journey.diving(world)
    hero.shunned_until = world.turn + FORSAKEN  # it will pass
    assert not bot.journey.diving(world)
    hero.shunned_until += 1
    with_stats(bot, HP=1, HP_MAX=16)
    assert not bot.journey.diving(world)  # first it rests
    with_stats(bot, HP=16)
    assert bot.journey.diving(world)


def test_a_diver_throws_nothing_at_an_eye_that_bars_no_way_through_the_floor(start):
    eye = ROOM_WITH + "MONSTER:('e',\"floating eye\"),(3,1),hostile\n"
    _, bot = played(start, eye, 12, character="rog-hum-cha-fem")
    assert bot.tactics._practice(bot.world) is not None
    bot.body.diving = True
    assert bot.tactics._practice(bot.world) is None
    bot.body.desperate = True
    assert bot.tactics._practice(bot.world) is not None
