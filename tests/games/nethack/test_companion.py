"""The pet: who fights badly waits for it on the stairs, and nobody waits for ever."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, played, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.companion import GROWN_UP, PATIENCE, STRAYED, Companion
from gridsage.games.nethack.agents.flight import ALLY, ALLY_STEPS, fight_loss
from gridsage.games.nethack.agents.living import HUNGRY, WEAK
from gridsage.games.nethack.level import COLS

TOURIST = {"character": "tou-hum-neu-fem"}
FAR = 5  # squares between hero and pet


def awaited(start, distance: int, **options: str):
    """Return the world of a hero in a room, and the companion of whom a pet was seen so many steps away."""
    _, bot = played(start, ROOM_WITH, 12, **(TOURIST | options))
    bot.body.foes.pets = [bot.world.hero + distance]
    bot.body.foes.hostile = []
    companion = Companion(bot.body, 68)
    companion.note(bot.world)
    return bot, companion


def test_a_pet_in_sight_is_waited_for_until_it_stands_beside_the_hero(start):
    bot, companion = awaited(start, FAR)
    assert companion.bid(bot.world) is None  # no stairs are wanted
    assert companion.is_missed(bot.world)
    companion.call(bot.world)
    offer = companion.bid(bot.world)
    assert offer is not None and offer.name == "await the pet"
    bot.body.foes.pets = [bot.world.hero + COLS + 1]
    assert not companion.is_missed(bot.world) and companion.bid(bot.world) is None


@pytest.mark.parametrize(
    ("name", "value", "missed"),
    [
        ("EXPERIENCE", GROWN_UP - 1, True),
        ("EXPERIENCE", GROWN_UP, False),
        ("HUNGER", HUNGRY, True),
        ("HUNGER", WEAK, False),
    ],
    ids=["young", "grown up", "hungry", "weak"],
)
def test_who_is_grown_or_starving_does_not_wait(start, name, value, missed):
    bot, companion = awaited(start, FAR)
    with_stats(bot, **{name: value})
    assert companion.is_missed(bot.world) is missed


@pytest.mark.parametrize("character", ["val-hum-neu-fem", "wiz-hum-neu-fem"])
def test_those_who_live_as_long_without_do_not_wait(start, character):
    bot, companion = awaited(start, FAR, character=character)
    assert not companion.is_missed(bot.world)


def test_a_fight_beside_the_pet_costs_less(start):
    _, bot = played(start, ROOM_WITH + "MONSTER:('r',\"giant rat\"),(2,2),hostile,asleep\n", 12, **TOURIST)
    threats = bot.body.foes.hostile
    assert threats
    alone = fight_loss(bot.body, threats)
    bot.body.foes.pets = [bot.world.hero + ALLY_STEPS]
    assert fight_loss(bot.body, threats) == pytest.approx(ALLY * alone)
    bot.body.foes.pets = [bot.world.hero + ALLY_STEPS + 1]
    assert fight_loss(bot.body, threats) == alone > 0


def test_a_pet_that_strayed_and_one_that_does_not_come_are_given_up(start):
    bot, companion = awaited(start, FAR)
    for _ in range(PATIENCE):
        companion.call(bot.world)
        assert companion.bid(bot.world) is not None
    assert not companion.is_missed(bot.world)

    bot, companion = awaited(start, FAR)
    bot.body.foes.pets = []
    bot.world.turn += STRAYED
    assert companion.is_missed(bot.world)
    bot.world.turn += 1
    assert not companion.is_missed(bot.world)


def test_nobody_waits_in_sight_of_a_foe_or_on_the_way_down_for_good(start):
    bot, companion = awaited(start, FAR)
    bot.body.diving = True
    assert not companion.is_missed(bot.world)
    _, bot = played(start, ROOM_WITH + "MONSTER:('r',\"giant rat\"),(4,2),hostile\n", 12, **TOURIST)
    bot.body.foes.pets = [bot.world.hero + FAR]
    companion = Companion(bot.body, 68)
    companion.note(bot.world)
    assert bot.body.foes.hostile and not companion.is_missed(bot.world)


@pytest.mark.parametrize(("bid", "waits"), [("descend", True), ("travel", True), ("stairs", False)])
def test_stairs_taken_by_choice_wait_for_the_pet_and_those_of_a_flight_do_not(start, bid, waits):
    bot, _ = awaited(start, FAR)
    bot.companion.note(bot.world)
    bot._bid = (bid, 0)
    assert bot.world.state is not None
    key = bot._checked(ord(">"), bot.world.state)
    assert (key == ord("s")) is waits and (bot.companion.bid(bot.world) is not None) is waits


def test_a_personality_without_the_need_never_waits(start):
    bot, _ = awaited(start, FAR)
    companion = Companion(bot.body, 0)
    companion.note(bot.world)
    assert not companion.is_missed(bot.world)


def test_the_pet_comes_along_in_a_real_game(start):
    states, _ = played(start, "", 1500, seed=3, pet=True, spawn_monsters=True, **TOURIST)
    assert came_along(states)


def came_along(states) -> bool:
    """Return True if a pet stands beside the hero who sees level 2 for the first time."""
    below = next(state for state in states if state.stats[st.DEPTH] == 2)
    steps = (-COLS - 1, -COLS, 1 - COLS, -1, 1, COLS - 1, COLS, COLS + 1)
    return any(kn.PET <= int(below.glyphs[below.cell + step]) < kn.INVISIBLE for step in steps)
