"""The end of the food: who goes down for it, when, and what it no longer waits for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.digging import DigDown
from gridsage.games.nethack.agents.hero import FOR_EVER, TOOL
from gridsage.games.nethack.agents.hunting import Hunt
from gridsage.games.nethack.agents.journey import FAMINE
from gridsage.games.nethack.agents.living import (
    FAINTING,
    FAST_TURNS,
    FED_LAST,
    FULL,
    HUNGRY,
    SATIATED,
    SURE_OF_HELP,
    WEAK,
    Dine,
    Worship,
    fasts,
    hope_of_food,
    lives_on_prey,
)
from gridsage.games.nethack.agents.resting import Convalesce
from gridsage.games.nethack.agents.word import SIEGE_STARVING
from gridsage.games.nethack.agents.world import MINES, STEP_OF_WAY

CROWD = "".join(f"MONSTER:('Z',\"human zombie\"),({col},{row}),hostile,asleep\n" for col in (2, 3) for row in (1, 2, 3))


def famished(start, prayed: int, hunger: int = HUNGRY, extra: str = "", character: str = "val-hum-neu-fem"):
    """A hero without food on turn 5,000 who prayed on that turn."""
    _, bot = played(start, ROOM_WITH + extra, 4, character=character)
    bot.body.hero.items, bot.body.hero.prayed, bot.world.turn = (), prayed, 5000
    bot.journey._points_turn = bot.journey._noted_turn = 5000  # somebody was killed just now
    with_stats(bot, HUNGER=hunger)
    return bot


@pytest.mark.parametrize(("prayed", "tool", "down"), [(4400, True, True), (4400, False, False), (3000, True, False)])
def test_the_strong_who_can_dig_start_while_they_are_hungry_if_the_prayer_may_fail(start, prayed, tool, down):
    bot = famished(start, prayed)
    bot.body.hero.digger = carried("y", TOOL, "pick-axe") if tool else None
    assert (bot.body.hero.prayer_chance(5100) < SURE_OF_HELP) == (prayed == 4400)
    assert (bot.journey.deepest(bot.world) > 20) is down


@pytest.mark.parametrize(("prayed", "unbounded"), [(4900, True), (4000, False)])
def test_those_whose_next_prayer_will_fail_look_for_food_as_deep_as_it_takes(start, prayed, unbounded):
    bot = famished(start, prayed, hunger=1)
    journey, world = bot.journey, bot.world
    bot.body.hero.fed = 200
    journey.explored.update((0, depth) for depth in range(1, 9))
    journey.note(world)
    assert (hope_of_food(bot.body) < FAMINE) is unbounded
    assert (journey.deepest(world) == 9) is unbounded


@pytest.mark.parametrize(
    ("hunger", "risk", "waits"),
    [(1, 0.5, True), (HUNGRY, 0.5, False), (HUNGRY, 0.6, True), (WEAK, 0.7, False), (WEAK, 0.8, True)],
)
def test_hunger_is_weighed_against_the_pack_at_the_stairs(start, monkeypatch, hunger, risk, waits):
    bot = famished(start, 4990, hunger)  # 44 % of prayers are heard after 110 turns, and 24 % after 10
    bot.body.ambushes[0, 7] = ((), 4990)
    monkeypatch.setattr(bot.body, "ambush_risk", lambda level: risk)
    assert bot.journey.is_ambushed(bot.world, (0, 7)) is waits


def test_the_starving_leave_the_word_after_a_few_rests(start):
    bot = famished(start, 4990, WEAK, CROWD)
    body, world = bot.body, bot.world
    body.hero.piety = 9  # a bout would be a sin
    body.elbereth = (world.level.key, world.hero)
    with_stats(bot, HP=25, HP_MAX=60)
    body.foes.update(world)
    names = []
    for _ in range(SIEGE_STARVING + 1):
        body.elbereth_turn = world.turn
        names.append(bot.tactics.bid(world).name)
    assert set(names[:-1]) == {"rest on the word"} and names[-1] == "fight"


@pytest.mark.parametrize(("hunger", "name"), [(HUNGRY, "fetch gold"), (WEAK, "dig down")])
def test_the_weak_have_no_time_for_gold(start, hunger, name):
    bot = famished(start, 4990, hunger, "GOLD:50,(6,1)\n", "arc-hum-neu-mal")
    bot.body.hero.digger, bot.journey._dived = carried("y", TOOL, "pick-axe"), True
    bot.world.level.depth = 12
    assert DigDown(bot.body, bot.journey, 74).bid(bot.world).name == name


@pytest.mark.parametrize(
    ("intelligence", "hunger", "casts"),
    [(18, WEAK, True), (18, FAINTING, False), (14, WEAK, False), (14, HUNGRY, True)],
)
def test_the_hungry_cast_and_the_weak_only_what_costs_next_to_no_food(start, intelligence, hunger, casts):
    bot = famished(start, 4990, hunger, CROWD, "wiz-hum-neu-mal")
    with_stats(bot, INTELLIGENCE=intelligence, POWER=20)
    bot.body.hero.fed = {1: 500, HUNGRY: 100, WEAK: 30, FAINTING: -5}[hunger]
    bot.body.foes.update(bot.world)
    shot = arms.best_shot(bot.body, bot.body.foes.hostile, 0.5)
    assert (shot is not None and shot[1].keys == "Z") is casts


def test_a_blow_costs_as_much_food_as_a_turn_and_the_status_line_corrects_the_count(start):
    bot = famished(start, 4990, 1)
    hero, world = bot.body.hero, bot.world
    bot.body.update()
    hero.fed = 400
    world.turn += 3
    world.messages = ("You miss the newt.  The newt bites!", "You kill the newt!")
    bot.body.update()
    assert hero.fed == 395
    for hunger, fed in ((HUNGRY, 150), (WEAK, 50), (FAINTING, 0)):
        world.messages, hero.fed = (), -150
        with_stats(bot, HUNGER=hunger)
        bot.body.update()
        assert hero.fed == fed  # however wrong the count was
    hero.fed = -20
    bot.body.update()
    assert hero.fed == -20
    with_stats(bot, HUNGER=SATIATED)
    world.messages = ("You're having a hard time getting all of it down.",)
    bot.body.update()
    assert hero.fed > FULL, "the game warns, however wrong the count was: nothing is eaten for a while"
    world.messages = ("You're finally finished.",)
    bot.body.update()
    assert hero.fed == 2000, "whoever eats on now chokes"


DOG = "MONSTER:('d',\"jackal\"),(2,1),hostile,asleep\n"


@pytest.mark.parametrize(
    ("prayed", "hp", "hunts"), [(4990, 60, True), (4990, 25, False), (3000, 60, False)], ids=["fit", "hurt", "heard"]
)
def test_whoever_comes_is_a_meal_for_the_starving_diver_and_no_word_drives_it_away(start, prayed, hp, hunts):
    bot = famished(start, prayed, WEAK, DOG)
    body, world = bot.body, bot.world
    body.hero.digger, bot.journey._dived = carried("y", TOOL, "pick-axe"), True
    with_stats(bot, HP=hp, HP_MAX=60)
    body.foes.update(world)
    body.diving = True
    body.pit = (world.level.key, world.hero)
    assert lives_on_prey(body) is hunts
    assert (bot.tactics.bid(world).name == "fight") is hunts
    assert (DigDown(body, bot.journey, 74)._ward(world) is None) is hunts


def free_square(bot) -> int:
    """A square of floor beside the hero where nobody stands."""
    taken = {foe.cell for foe in bot.body.foes.hostile}
    beside = [bot.world.hero + step for step in STEP_OF_WAY]
    return next(cell for cell in beside if bot.world.memory[kn.TERRAIN, cell] == kn.FLOOR and cell not in taken)


@pytest.mark.parametrize(("prayed", "flees"), [(4990, False), (3000, True)], ids=["prey", "heard"])
def test_whoever_drives_others_away_is_a_meal_for_the_starving(start, prayed, flees):
    bot = famished(start, prayed, WEAK, CROWD)
    body, world = bot.body, bot.world
    with_stats(bot, HP=40, HP_MAX=60)
    body.foes.update(world)
    flight = bot.tactics._flight
    world.memory[kn.TERRAIN, free_square(bot)] = kn.DOWN
    world.stale()
    assert (flight.to_stairs(world, body.foes.hostile) is not None) is flees
    world.memory[kn.TERRAIN, world.hero] = kn.DOWN
    assert (flight.stairs(world, body.foes.hostile) is not None) is flees


@pytest.mark.parametrize(
    ("gap", "fed", "waits"),
    [(110, FED_LAST, True), (110, FED_LAST + 1, False), (110, -FAST_TURNS, False), (500, FED_LAST, False)],
    ids=["not heard yet", "food for a while", "too long", "heard"],
)
def test_the_starving_lie_still_on_the_word_until_their_god_may_hear_them(start, gap, fed, waits):
    bot = famished(start, 5000 - gap, WEAK)
    body, world = bot.body, bot.world
    body.hero.fed = fed
    rest, worship = Convalesce(body, bot.watchdog, 60, bot._personality), Worship(body, 95)
    assert fasts(body) is waits
    offers = [offer.name for _ in range(3) if (offer := rest.bid(world)) is not None]
    assert offers == (["write the word", "read the word", "write the word"] if waits else [])
    body.elbereth = (world.level.key, world.hero)
    assert (waits and rest.bid(world).name == "fast") is waits
    with_stats(bot, HUNGER=FAINTING)
    assert (worship.bid(world) is None) is waits


@pytest.mark.parametrize(
    ("hunger", "name", "warded", "prays"),
    [
        (WEAK, "jackal", False, False),
        (WEAK, "soldier ant", False, True),
        (WEAK, "soldier ant", True, False),
        (FAINTING, "jackal", False, True),
        (FAINTING, "jackal", True, False),
    ],
    ids=["prey", "pressed", "on the word", "may faint in the fight", "faints on the word"],
)
def test_the_starving_pray_before_their_time_only_if_foes_press_them(start, hunger, name, warded, prays):
    bot = famished(start, 4800, hunger)
    body, world = bot.body, bot.world
    with_stats(bot, HP=30, HP_MAX=30)
    body.hero.fed = FED_LAST if hunger == WEAK else -10
    body.foes.hostile = body.foes.beside(world, [body.lore.kinds[body.lore.kind_of_name[name]]])
    body.elbereth = (world.level.key, world.hero) if warded else None
    assert (Worship(body, 95).bid(world) is not None) is prays


@pytest.mark.parametrize(("hunger", "known", "digs"), [(HUNGRY, False, True), (HUNGRY, True, False), (1, False, False)])
def test_the_hungry_dig_on_in_the_mines_if_no_way_up_is_known(start, hunger, known, digs):
    bot = famished(start, 4400, hunger)
    world = bot.world
    if known:
        world.memory[kn.TERRAIN, world.hero + 3] = kn.UP
    bot.body.hero.digger, bot.journey._dived = carried("y", TOOL, "pick-axe"), True
    world.levels[0, 3] = world.levels[MINES, 1] = world.level
    world.level.key = (MINES, 1)
    assert bot.journey.goal(world) == (0, 3)
    offer = DigDown(bot.body, bot.journey, 74).bid(world)
    assert (offer is not None) is digs


@pytest.mark.parametrize(("hunger", "fed", "eaten"), [(1, 900, True), (SATIATED, 1200, True), (SATIATED, 1210, False)])
def test_the_satiated_eat_on_as_long_as_nobody_can_choke(start, hunger, fed, eaten):
    bot = famished(start, 4990, hunger)
    body, world = bot.body, bot.world
    body.hero.fed = fed
    body.corpses[world.level.key, world.hero] = (body.lore.kind_of_name["dwarf"], world.turn)
    assert (Dine(body, 80).bid(world) is not None) is eaten


@pytest.mark.parametrize(
    ("forsaken", "hunger", "hunts"), [(True, WEAK, True), (True, 1, False), (False, WEAK, False)], ids=str
)
def test_the_starving_whom_no_god_hears_attack_the_peaceful(start, forsaken, hunger, hunts):
    gnome = ROOM_WITH + "MONSTER:('G',\"gnome\"),(2,3),peaceful\n"
    _, bot = played(start, gnome, 30, character="val-dwa", seed=2)
    body, world = bot.body, bot.world
    body.hero.digger, body.hero.items, body.hero.prayed = carried("y", TOOL, "pick-axe"), (), 1
    body.hero.shunned_until, world.turn = FOR_EVER if forsaken else 0, 5000
    with_stats(bot, HUNGER=hunger, HP=40, HP_MAX=60)
    assert body.foes.peaceful
    assert (Hunt(body, 73).bid(world) is not None) is hunts


@pytest.mark.parametrize(("hunger", "eaten"), [(HUNGRY, False), (WEAK, True)])
def test_the_starving_eat_what_only_makes_them_see_colours(start, hunger, eaten):
    bot = famished(start, 4990, hunger)
    body, world = bot.body, bot.world
    with_stats(bot, HUNGER=hunger, HP=40, HP_MAX=60)
    body.corpses[world.level.key, world.hero] = (body.lore.kind_of_name["violet fungus"], world.turn)
    assert (Dine(body, 80).bid(world) is not None) is eaten


def test_those_who_were_struck_while_they_had_fainted_pray_even_on_the_word(start, monkeypatch):
    bot = famished(start, 4550, hunger=FAINTING)
    body, world = bot.body, bot.world
    body.hero.fed = -20
    monkeypatch.setattr(type(body), "is_on_word", property(lambda self: True))
    body.hurt_turn = world.turn - 50
    assert fasts(body) and Worship(body, 95).bid(world) is None
    body.hurt_turn = world.turn
    assert not fasts(body) and Worship(body, 95).bid(world).name == "pray"
