"""Whom hunger will reach without a prayer goes down for good, and whoever gains nothing for long stops waiting."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.body import WALLED_TURNS
from gridsage.games.nethack.agents.camping import Camp
from gridsage.games.nethack.agents.companion import Companion
from gridsage.games.nethack.agents.digging import DigDown
from gridsage.games.nethack.agents.flight import RETREAT_STEPS
from gridsage.games.nethack.agents.hero import FOR_EVER, TOOL, WEAPON
from gridsage.games.nethack.agents.journey import ANXIOUS, BOTTOM, DESERTED, LOST, LOST_DOOMED
from gridsage.games.nethack.agents.living import FAST_TURNS, FED_LAST, HUNGRY, WEAK, Worship, fasts
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.resting import Convalesce
from gridsage.games.nethack.agents.stairways import Downstairs, UnwantedBranch
from gridsage.games.nethack.agents.watchdog import FORGIVE, LOOK_AROUND, TELEPORTER, UNEXCUSED
from gridsage.games.nethack.agents.word import SIEGE_STARVING
from gridsage.games.nethack.agents.world import CONFUSED, MINES, STEP_OF_WAY, LevelMemory

ZOMBIE = "MONSTER:('Z',\"human zombie\"),(4,1),hostile,asleep\n"


def hero_of(start, extra: str = "", character: str = "val-hum-neu-fem"):
    """A hero without food on turn 5,000 whose god would listen."""
    _, bot = played(start, ROOM_WITH + extra, 4, character=character)
    bot.body.hero.items, bot.body.hero.prayed, bot.world.turn = (), 3000, 5000
    bot.journey._points_turn = bot.journey._noted_turn = 5000  # somebody was killed just now
    bot.watchdog._gained_turn = bot.watchdog._progress_turn = 5000
    with_stats(bot, HP=20, HP_MAX=60)
    return bot


def doom(bot) -> None:
    """Let hunger come soon, and the last prayer have failed."""
    bot.body.hero.shunned_until, bot.body.hero.fed = FOR_EVER, ANXIOUS - 1
    bot.journey.note(bot.world)
    assert bot.body.doomed


@pytest.mark.parametrize(
    ("shunned", "fed", "doomed"),
    [
        (FOR_EVER, ANXIOUS - 1, True),
        (FOR_EVER, ANXIOUS, False),
        (7000, 200, True),
        (5200 + FAST_TURNS, 200, False),
    ],
    ids=["forsaken", "still fed", "unlucky for long", "heard after a fast"],
)
def test_those_whom_hunger_will_reach_without_a_prayer_go_down_for_good(start, shunned, fed, doomed):
    bot = hero_of(start)
    hero, journey, world = bot.body.hero, bot.journey, bot.world
    hero.fed, hero.shunned_until = fed, shunned
    journey.note(world)
    assert bot.body.doomed is doomed
    assert (journey.deepest(world) == BOTTOM) is doomed


def test_where_nobody_comes_they_fast_instead_but_those_on_their_way_go_on(start):
    bot = hero_of(start)
    journey, world = bot.journey, bot.world
    bot.body.hero.shunned_until, bot.body.hero.fed = FOR_EVER, ANXIOUS - 1
    world.turn += DESERTED + 1
    journey.note(world)
    assert not bot.body.doomed
    world.turn -= 1
    journey.note(world)
    assert bot.body.doomed
    world.turn += 1
    journey.note(world)
    assert bot.body.doomed


@pytest.mark.parametrize(("shunned", "stays"), [(FOR_EVER, True), (7000, False)])
def test_whom_no_god_will_hear_again_does_not_turn_back_for_a_meal(start, shunned, stays):
    bot = hero_of(start)
    hero, journey = bot.body.hero, bot.journey
    hero.fed, hero.shunned_until = 200, shunned
    journey.note(bot.world)
    assert bot.body.doomed
    hero.fed = 1000
    journey.note(bot.world)
    assert bot.body.doomed is stays


def test_the_doomed_do_not_rest(start):
    bot = hero_of(start)
    rest = Convalesce(bot.body, bot.watchdog, 76, load("survivor"))
    assert rest.bid(bot.world) is not None
    doom(bot)
    assert rest.bid(bot.world) is None


def test_the_doomed_flee_only_downwards(start):
    bot = hero_of(start, ZOMBIE)
    body, world, flight = bot.body, bot.world, bot.tactics._flight
    body.foes.update(world)
    world.level.depth = 5
    beside = next(world.hero + step for step in STEP_OF_WAY if world.memory[kn.TERRAIN, world.hero + step] == kn.FLOOR)
    for doomed in (False, True):
        if doomed:
            doom(bot)
        for kind in (kn.UP, kn.DOWN):
            flees = kind == kn.DOWN or not doomed
            world.memory[kn.TERRAIN, world.hero] = kind
            assert (flight.stairs(world, body.foes.hostile) is not None) is flees
            world.memory[kn.TERRAIN, world.hero] = kn.FLOOR
            world.memory[kn.TERRAIN, beside] = kind
            world.stale()
            assert (flight._refuge(world)[1] <= RETREAT_STEPS) is flees
            world.memory[kn.TERRAIN, beside] = kn.FLOOR


def test_the_doomed_take_stairs_though_they_were_just_driven_away_and_no_pet_is_near(start):
    bot = hero_of(start, character="tou-hum-neu-fem")
    body, world = bot.body, bot.world
    body.fled, body.foes.pets, body.foes.hostile = ((0, 4), 4990), [world.hero + 5], []
    companion = Companion(body, 68)
    companion.note(world)
    assert body.is_shaken() and companion.is_missed(world)
    doom(bot)
    assert not body.is_shaken() and not companion.is_missed(world)


def test_the_doomed_go_back_for_nothing_and_down_the_mines_if_they_are_there(start):
    bot = hero_of(start)
    body, journey, world = bot.body, bot.journey, bot.world
    world.levels[0, 3] = world.levels[MINES, 1] = world.level
    body.dropped, body.dropped_turn = ((0, 3), 5), 4990
    journey.larder.goal = lambda world: (0, 2)
    assert journey.goal(world) == (0, 3)
    body.dropped = None
    assert journey.goal(world) == (0, 2)
    world.level.key = (MINES, 1)
    world.memory[kn.TERRAIN, world.hero + 1] = kn.UP
    world.memory[kn.TERRAIN, world.hero + 2] = kn.DOWN
    world.stale()
    unwanted, down = UnwantedBranch(load("survivor"), journey), Downstairs(load("survivor"), journey)
    assert unwanted.bid(world) is not None and down.bid(world) is None
    body.dropped = ((0, 3), 5)
    doom(bot)
    assert journey.goal(world) is None
    assert unwanted.bid(world) is None and down.bid(world).goal == world.hero + 2
    body.hero.race = "gnome"  # whom nobody attacks there
    assert journey.goal(world) == (0, 3) and unwanted.bid(world) is not None
    body.hero.race, body.hero.digger = "human", carried("y", TOOL, "pick-axe")  # the Mines end soon
    assert journey.goal(world) == (0, 3) and unwanted.bid(world) is not None
    world.level.key, body.hero.digger = (0, 3), None
    assert journey.goal(world) is None


def test_the_doomed_soon_look_for_another_way_down(start):
    bot = hero_of(start)
    journey, world = bot.journey, bot.world
    world.levels[MINES, 1] = world.level
    doom(bot)
    world.level.vain_turns = LOST_DOOMED - 1
    journey.note(world)
    assert not journey.wants_mines(world)
    world.level.vain_turns = LOST_DOOMED
    journey.note(world)
    assert LOST_DOOMED < LOST and journey.goal(world) == (MINES, 1)


@pytest.mark.parametrize(("hunger", "hurries"), [(1, False), (HUNGRY, True)])
def test_the_doomed_and_hungry_dig_on_in_the_pit_unless_somebody_is_near(start, hunger, hurries):
    bot = hero_of(start)
    body, world = bot.body, bot.world
    doom(bot)
    with_stats(bot, HUNGER=hunger)
    body.hero.digger, body.pit, body.foes.hostile = carried("y", TOOL, "pick-axe"), (world.level.key, world.hero), []
    assert (DigDown(body, bot.journey, 74)._ward(world) is None) is hurries


def test_the_doomed_leave_the_word_after_a_few_rests(start):
    bot = hero_of(start, ZOMBIE)
    body, world = bot.body, bot.world
    doom(bot)
    body.hero.piety = 9  # a bout would be a sin
    body.elbereth = (world.level.key, world.hero)
    with_stats(bot, HP=12, HP_MAX=60)
    body.foes.hostile = body.foes.beside(world, [body.lore.kinds[body.lore.kind_of_name["human zombie"]]] * 3)
    body.elbereth_turn = world.turn
    names = [getattr(bot.tactics._word.option(world, body.foes.hostile, 0.65), "name", "") for _ in range(12)]
    assert names.index("") == SIEGE_STARVING and set(names[:SIEGE_STARVING]) == {"rest on the word"}


@pytest.mark.parametrize("reason", ["doomed", "overdue"])
def test_those_without_time_do_not_stay_on_the_word_when_its_foes_are_gone(start, reason):
    bot = hero_of(start)
    body, world = bot.body, bot.world
    body.elbereth = (world.level.key, world.hero)
    assert bot.tactics._word.linger(world) is not None
    setattr(body, reason, True)
    assert bot.tactics._word.linger(world) is None


def test_the_doomed_have_no_time_for_practice(start):
    bot = hero_of(start, "MONSTER:('F',\"brown mold\"),(4,1),hostile\n")
    body, world = bot.body, bot.world
    body.foes.update(world)
    body.hero.missiles, body.hurt_turn = [carried("y", WEAPON, "dagger")], 0
    assert bot.tactics._practice(world).name == "shoot"
    doom(bot)
    assert bot.tactics._practice(world) is None


def test_after_long_without_progress_no_rest_excuses_it_any_more(start):
    bot = hero_of(start)
    world, watchdog = bot.world, bot.watchdog
    rest = Convalesce(bot.body, watchdog, 76, load("survivor"))
    world.turn += UNEXCUSED - 1
    watchdog.excuse(world)
    bot._take_in(world.state)
    world.turn = 5000 + UNEXCUSED - 1
    assert watchdog.quiet_turns(world) == 0 and rest.bid(world) is not None
    world.turn += 1
    watchdog.excuse(world)
    assert watchdog.quiet_turns(world) == UNEXCUSED > FORGIVE
    bot.body.overdue = watchdog.is_overdue(world)
    assert bot.body.overdue and rest.bid(world) is None


def test_whoever_gains_nothing_for_long_neither_fasts_nor_fears_stairs(start, monkeypatch):
    bot = hero_of(start)
    body, world = bot.body, bot.world
    body.hero.prayed, body.hero.fed = 4890, FED_LAST
    body.fled, body.ambushes[0, 7] = ((0, 7), 4990), ((), 4990)
    monkeypatch.setattr(body, "ambush_risk", lambda level: 0.5)
    assert body.is_shaken() and bot.journey.is_ambushed(world, (0, 7))
    with_stats(bot, HUNGER=WEAK)
    assert fasts(body)
    body.overdue = True
    assert not fasts(body) and not body.is_shaken() and not bot.journey.is_ambushed(world, (0, 7))


@pytest.mark.parametrize(
    ("vain", "gap", "tool", "prays"),
    [
        (WALLED_TURNS, False, False, True),
        (WALLED_TURNS - 1, False, False, False),
        (WALLED_TURNS, True, False, False),
        (WALLED_TURNS, False, True, False),
    ],
    ids=["walled in", "not yet", "a way out", "can dig"],
)
def test_whoever_is_walled_in_by_rock_prays(start, vain, gap, tool, prays):
    bot = hero_of(start)
    body, world = bot.body, bot.world
    around = world.hero + np.array(STEP_OF_WAY)
    world.memory[kn.TERRAIN, around] = kn.STONE
    world.memory[kn.TERRAIN, around[0]] = kn.FLOOR  # a boulder lies on it
    world.memory[kn.OBJECT, around[0]] = 0 if gap else kn.BOULDER + 1
    world.level.vain_turns = vain
    body.hero.digger = carried("y", TOOL, "pick-axe") if tool else None
    with_stats(bot, HP=60, HP_MAX=60)
    assert world.stats[st.HUNGER] < HUNGRY
    assert (Worship(body, 95).bid(world) is not None) is prays


@pytest.mark.parametrize(
    ("words", "condition", "closed"),
    [("It's solid stone.", 0, True), ("You cannot pass that way.", 0, False), ("It's solid stone.", CONFUSED, False)],
    ids=["closed", "a narrow gap", "a step astray"],
)
def test_a_corridor_that_closed_again_is_rock(start, words, condition, closed):
    bot = hero_of(start)
    world = bot.world
    target = world.hero + STEP_OF_WAY[2]
    world.memory[kn.TERRAIN, target] = kn.CORRIDOR
    with_stats(bot, CONDITION=condition)
    world.attempt, world.attempt_turn, world.messages = (world.hero, 2), world.turn, (words,)
    world._judge_attempt(False)
    assert bool(world.memory[kn.TERRAIN, target] == kn.STONE) is closed


def test_after_a_teleporter_the_place_that_it_led_to_is_looked_at_first(start):
    bot = hero_of(start)
    world, watchdog = bot.world, bot.watchdog
    world.memory[kn.TRAP, world.hero + 1] = TELEPORTER
    world.brave = 2
    world.stale()
    watchdog.watch(world)
    assert watchdog._hole(world).goal == world.hero + 1
    world.hero += 2  # two steps at once
    watchdog.watch(world)
    assert watchdog._hole(world) is None
    world.turn += LOOK_AROUND - 1
    assert watchdog._hole(world) is None
    world.memory[kn.TRAP, world.hero + 1] = kn.TRAP_DOOR
    world.stale()
    assert watchdog._hole(world).goal == world.hero + 1, "a way down is taken at any time"
    world.memory[kn.TRAP, world.hero + 1] = 0
    world.turn += 1
    world.stale()
    assert watchdog._hole(world).goal == world.hero - 1


def test_whoever_gains_nothing_for_long_neither_camps_nor_keeps_away_from_the_level_below(start):
    bot = hero_of(start)
    body, journey, world = bot.body, bot.journey, bot.world
    camp = Camp(body, journey, bot.watchdog, 48)
    world.memory[kn.TERRAIN, world.hero] = kn.UP
    world.level.depth, world.levels[0, 2] = 1, LevelMemory((0, 2), 2)
    body.fled = ((0, 2), world.turn)
    allowed = journey.deepest(world)
    assert allowed == 1 and camp.bid(world) is not None
    body.overdue = True
    assert journey.deepest(world) > allowed
    world.level.depth = journey.deepest(world)
    assert camp.bid(world) is None
