"""How a growing hero stays alive: food before prayers, the right target, fights left in time, and blindness."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, said, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents import flight as fl
from gridsage.games.nethack.agents import tactics as ta
from gridsage.games.nethack.agents.bot import ESCAPE, Prompts
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.foes import Foe
from gridsage.games.nethack.agents.hero import FOOD, FOR_EVER, FORSAKEN, SCROLL, Item
from gridsage.games.nethack.agents.journey import CORNERED, HARDENED, STRONG_UNHEARD, UNHEARD
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import FEVER_FED, HUNGRY, WEAK, Dine, Worship, is_ration, smells_safe
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.resting import WATCHED, Clear, Convalesce
from gridsage.games.nethack.agents.world import BLIND, STUNNED, World
from gridsage.games.nethack.state import State

VALKYRIE = {"character": "val-hum-neu-fem"}


def foe(name: str, away: int, loss: float, blows: float) -> Foe:
    lore = knowledge()
    return Foe(0, lore.kinds[lore.kind_of_name[name]], away, loss, blows, 0.0)


def test_the_hungry_eat_what_they_carry_and_keep_their_prayer(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    bot.world.turn, bot.body.hero.prayed = 5000, None
    with_stats(bot, HUNGER=HUNGRY)
    for name, count, eaten in (
        ("cram ration", 2, True),
        ("egg", 1, False),
        ("tin", 1, True),
        ("cram ration", 1, False),
    ):
        bot.body.hero.items = (Item("d", FOOD, knowledge().by_name[name], name, count, 0, False, ""),)
        assert (Dine(bot.body, 80).bid(bot.world) is not None) is eaten, name
    bot.body.hero.prayed = 4100  # what is left is for the time when no prayer is sure to help
    assert Dine(bot.body, 80).bid(bot.world) is not None
    bot.body.hero.prayed = 3900
    assert Dine(bot.body, 80).bid(bot.world) is None
    bot.body.hero.prayed, bot.body.hero.role = None, "pri"  # whose prayers are for wounds
    assert Dine(bot.body, 80).bid(bot.world) is not None


def test_who_hurts_most_and_falls_soonest_is_struck_first():
    cloud, rothe, far = foe("fog cloud", 1, 0.2, 9.6), foe("rothe", 1, 4.5, 3.2), foe("soldier ant", 3, 9.0, 2.0)
    assert sorted([cloud, far, rothe], key=arms.urgency) == [rothe, cloud, far]


@pytest.mark.parametrize(
    ("hp", "to_the_end", "fought"),
    [(50, 0.6, True), (40, 0.6, True), (20, 0.8, False), (50, 0.95, False), (20, 0.1, True)],
)
def test_a_fight_on_stairs_is_left_before_the_hero_is_weak_and_a_hopeless_one_at_once(start, hp, to_the_end, fought):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    with_stats(bot, HP=hp, HP_MAX=50)
    bot.tactics._flight.stairs = lambda world, threats: fl.Option(fl.USUAL_FLIGHT, "stairs", 0, Phrase("<"))
    ant = foe("giant ant", 1, 3.0, 12.0)
    assert (bot.tactics._flight.parting_risk(bot.world, [ant], to_the_end) < ta.STAND) is fought


@pytest.mark.parametrize(
    ("fled_here", "hp", "extra"),
    [(True, 60, fl.RESOLVE), (True, 30, 0.0), (False, 60, 0.0)],
    ids=["fit", "hurt", "new"],
)
def test_who_comes_back_to_foes_does_not_leave_them_again_without_a_blow(start, fled_here, hp, extra):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, flight = bot.world, bot.tactics._flight
    with_stats(bot, HP=hp, HP_MAX=60)
    world.memory[kn.TERRAIN, world.hero] = kn.DOWN
    rats = [foe("giant rat", 1, 2.0, 2.0) for _ in range(4)]
    usual, parting = flight.stairs(world, rats), flight.parting_risk(world, rats, 0.5)
    bot.body.fled = (world.level.key if fled_here else (0, 3), world.turn - 100)
    assert flight.stairs(world, rats).risk == pytest.approx(usual.risk + extra)
    assert flight.parting_risk(world, rats, 0.5) == pytest.approx(parting)  # the fight itself is no more dangerous
    bot.journey._points_turn, world.turn = 100, 100 + CORNERED + 1
    bot.journey.note(world)  # nothing else is left to do
    assert (flight.stairs(world, rats).risk > 2.0) is fled_here  # even if it kills


def test_whoever_goes_up_to_a_foe_and_back_unhurt_makes_up_its_mind(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, tactics = bot.world, bot.tactics
    towards, away = (fl.Option(0.1, name, 0, Phrase("h")) for name in ("approach", "to the stairs"))
    world.turn += ta.UNHURT + 1
    for _ in range(2 * ta.DITHERED):  # a long way to the stairs, each square left once
        tactics._note_dithering(world, away)
        world.hero += 1
    assert not bot.body.is_muted("to the stairs")
    for _ in range(ta.DITHERED - 1):
        tactics._note_dithering(world, away)
        tactics._note_dithering(world, towards)
    bot.body.hurt_turn = world.turn  # a wound is a reason to go back
    tactics._note_dithering(world, away)
    assert not bot.body.is_muted("to the stairs")
    world.turn += ta.UNHURT + 1
    for _ in range(ta.DITHERED):
        tactics._note_dithering(world, away)
    assert bot.body.is_muted("to the stairs") and bot.body.is_muted("take position")
    assert not bot.body.is_muted("approach")


@pytest.mark.parametrize("cornered", [False, True])
def test_something_unseen_is_fought_to_the_end_when_nothing_else_is_left(start, monkeypatch, cornered):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, body = bot.world, bot.body
    with_stats(bot, HP=20, HP_MAX=60)
    world.memory[kn.TERRAIN, world.hero] = kn.DOWN
    body.unseen_turn, body.cornered, body.foes.unseen = world.turn, cornered, (world.hero + 1,)
    monkeypatch.setattr(bot.tactics._flight, "may_leave_unseen", lambda world: True)
    assert bot.tactics._against_unseen(world).name == ("fight" if cornered else "stairs")


def test_nobody_steps_back_again_and_again_without_a_throw(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    back, shot = (fl.Option(0.1, name, 0, Phrase("h")) for name in ("step back", "shoot"))
    for option in (*[back] * (fl.STEPS_BACK - 1), shot, *[back] * (fl.STEPS_BACK - 1)):
        bot.tactics._flight.note_step(bot.world, option)
    assert not bot.body.is_muted("step back")
    bot.tactics._flight.note_step(bot.world, back)
    assert bot.body.is_muted("step back")


def test_the_blind_write_the_word_once_and_wait_on_it(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    clear = Clear(bot.body, 85)
    with_stats(bot, CONDITION=BLIND)
    names = [clear.bid(bot.world).name for _ in range(2)]
    assert names == ["write the word", "recover"]
    bot.body.elbereth = None  # a wound told that it does not hold
    assert clear.bid(bot.world).name == "write the word"
    bot.body.unseen_turn = bot.world.turn  # the blind do not roam, whoever is near
    assert clear.bid(bot.world).name == "recover"


@pytest.mark.parametrize(("hunger", "diving", "waits"), [(1, True, True), (HUNGRY, True, False), (HUNGRY, False, True)])
def test_hungry_divers_do_not_wait_until_they_reel_no_more(start, hunger, diving, waits):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    bot.body.diving = diving
    with_stats(bot, CONDITION=STUNNED, HUNGER=hunger)
    assert (Clear(bot.body, 85).bid(bot.world) is not None) is waits


def test_a_blow_struck_blindly_wipes_out_the_word(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    with_stats(bot, CONDITION=BLIND)
    body.elbereth = (world.level.key, world.hero)
    body.foes.hostile, body.foes.unseen, body.unseen_turn = [], [world.hero + 1], world.turn
    offer = bot.tactics.bid(world)
    assert offer is not None and offer.name == "fight" and body.elbereth is None


@pytest.mark.parametrize(
    ("words", "key"),
    [('"You did 400 zorkmids worth of damage!"  Pay? [yn] (n)', ord("y")), ("Really step into that pit?", ESCAPE)],
)
def test_damage_in_a_shop_is_paid_for(words, key):
    record = bytearray(st.RECORD.itemsize)
    record[st.OFFSETS["message"] : st.OFFSETS["message"] + len(words)] = words.encode()
    record[1] = st.YES_NO
    assert Prompts().answer(World(), State(bytes(record), 0)) == key


def test_the_angry_watch_counts_as_a_foe_and_a_floating_eye_is_left_alone():
    kinds = knowledge()
    for name, forbidden in (("watchman", False), ("shopkeeper", False), ("floating eye", True), ("blue jelly", True)):
        assert kinds.kinds[kinds.kind_of_name[name]].forbidden is forbidden, name


def test_a_beast_has_the_humans_lives_and_does_not_pray_for_its_own(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    hero, world = bot.body.hero, bot.world
    hero.human_hp, hero.prayed, world.turn, bot.body.hurt_turn = 40, 1500, 2000, 2000
    with_stats(bot, HP=3, HP_MAX=9)
    assert bot.tactics._lives(world) == 3
    assert Worship(bot.body, 95).bid(world) is not None
    hero.beast, hero.prayed = True, 1800
    assert bot.tactics._lives(world) == 43
    assert Worship(bot.body, 95).bid(world) is None and bot.tactics._prayer_bid(world) is None


def test_the_human_is_remembered_while_it_is_a_beast(start):
    states, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    hp = bot.world.stats[st.HP]
    assert bot.body.hero.human_hp == hp
    bot.body.hero.beast = True
    with_stats(bot, HP=2)
    bot.body.hero.update(bot.world, states[-1])
    assert bot.body.hero.human_hp == hp


def test_the_nearly_dead_rest_before_they_look_through_piles(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    rest = Convalesce(body, bot.watchdog, 76, load("survivor"))
    body.piles.add((world.level.key, world.hero + 1))
    with_stats(bot, HP=20, HP_MAX=50)
    body.seen_turn = world.turn
    assert rest._has_prize(world)
    with_stats(bot, HP=10, HP_MAX=50)
    assert not rest._has_prize(world)
    body.seen_turn = world.turn - 100
    assert rest._has_prize(world)


def test_growing_heroes_go_no_deeper_than_their_experience(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    with_stats(bot, EXPERIENCE=2, HP_MAX=120, ARMOUR=0)
    assert bot.journey.deepest(bot.world) == 3
    with_stats(bot, EXPERIENCE=1, HP_MAX=16, ARMOUR=6)
    assert bot.journey.deepest(bot.world) == 2
    with_stats(bot, EXPERIENCE=12, HP_MAX=160, ARMOUR=0)
    assert bot.journey.deepest(bot.world) == 4 == load("survivor").milestones.growth_depth
    bot.body.hero.prayed = bot.world.turn - 10
    assert bot.journey.deepest(bot.world) == 4 - STRONG_UNHEARD


def test_those_who_fight_badly_grow_where_their_milestone_says(start):
    for agent, deepest in (("survivor", 4), ("digger", 8)):
        _, bot = played(start, ROOM_WITH, 8, agent, character="tou-hum-neu-fem")
        with_stats(bot, EXPERIENCE=9, HP_MAX=80, ARMOUR=9)
        assert bot.journey.deepest(bot.world) == deepest == load(agent).milestones.weak_depth
        with_stats(bot, EXPERIENCE=HARDENED - 1, HP_MAX=80, ARMOUR=9)
        assert bot.journey.deepest(bot.world) == min(HARDENED, deepest - 1)
        with_stats(bot, EXPERIENCE=9, HP_MAX=80, ARMOUR=9)
        bot.body.hero.prayed = bot.world.turn - 10
        assert bot.journey.deepest(bot.world) == max(2, deepest - UNHEARD)


def test_a_rothe_is_shot_rather_than_a_fog_cloud(start):
    level = ROOM_WITH + "MONSTER:('v',\"fog cloud\"),(4,2),hostile\nMONSTER:('q',\"rothe\"),(2,2),hostile\n"
    states, _ = played(start, level, 60, character="tou-hum-neu-fem")
    words = said(states) + "hits the fog cloud"
    assert "the rothe" in words
    assert words.index("the rothe") < words.index("hits the fog cloud")


def test_who_reels_does_not_strike_while_somebody_peaceful_is_beside(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    jackal = foe("jackal", 1, 1.0, 1.0)
    bot.body.foes.peaceful = [bot.world.hero + 1]
    for condition, name in ((0, "fight"), (STUNNED, "await")):
        with_stats(bot, CONDITION=condition)
        assert bot.tactics._attack(bot.world, [jackal], 0.1).name == name


@pytest.mark.parametrize(
    ("hunger", "age", "eaten"), [(1, 39, True), (1, 40, False), (HUNGRY, 55, True), (HUNGRY, 56, False)]
)
def test_the_hungry_eat_older_corpses(start, hunger, age, eaten):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    jackal = knowledge().kind_of_name["jackal"]
    body.corpses[world.level.key, world.hero] = (jackal, world.turn)
    world.turn += age
    with_stats(bot, HUNGER=hunger)
    body.hero.items = ()
    assert (Dine(body, 80).bid(world) is not None) is eaten


def test_whoever_falls_in_a_shop_is_eaten_by_the_starving_only(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    body.corpses[world.level.key, world.hero] = (knowledge().kind_of_name["jackal"], world.turn)
    body.hero.items, body.hero.prayed = (), world.turn
    with_stats(bot, HP=40, HP_MAX=40)
    for shop, hunger, eaten in ((0, HUNGRY, True), (1, HUNGRY, False), (1, WEAK, True)):
        world.memory[kn.SHUNNED, world.hero] = shop
        with_stats(bot, HUNGER=hunger)
        assert (Dine(body, 80).bid(world) is not None) is eaten


def test_a_meal_that_was_broken_off_is_gone_on_with_at_once(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    spot = (world.level.key, world.hero)
    body.corpses[spot] = (knowledge().kind_of_name["jackal"], world.turn)
    body.hero.items = ()
    dine = Dine(body, 80)
    for said_then, again in (("", False), ("You stop eating the jackal corpse.", True)):
        next(dine.bid(world).plan())
        world.turn += 2
        assert body.unfinished is None and dine.bid(world) is None, "the game may have refused it"
        world.messages = (said_then,)
        body.update()
        assert (dine.bid(world) is not None) is again
        world.turn += 20 * (not again)
    world.turn += 20  # it is older than fresh corpses may be, and was good when the meal began
    assert dine.bid(world) is not None
    body.hero.items = (carried("d", FOOD, "food ration"),)
    with_stats(bot, HUNGER=HUNGRY)
    next(dine.bid(world).plan())
    assert body.unfinished is None, "whoever eats something else begins a corpse anew"


def test_who_does_not_move_for_long_is_believed_to_sleep_until_we_are_near_or_hurt(start):
    level = ROOM_WITH + "MONSTER:('Z',\"ettin zombie\"),(8,2),hostile,asleep\n"
    _, bot = played(start, level, 12, **VALKYRIE)
    body, world = bot.body, bot.world
    for _ in range(8):
        world.turn += 1
        body.foes.update(world)
    zombie = body.foes.hostile[0]
    assert zombie.idle >= 6 and zombie.distance > 2 and zombie.dozes
    assert not bot.tactics._matters(zombie) and body.is_quiet()
    body.hurt_turn = world.turn
    assert bot.tactics._matters(zombie)
    zombie.distance = 2
    assert not zombie.dozes
    world.turn += 3  # out of sight it may have walked
    body.foes.update(world)
    assert body.foes.hostile[0].idle == 0


def test_a_rest_between_two_foes_is_moved_to_other_stairs(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    rest = Convalesce(body, bot.watchdog, 76, load("survivor"))
    here, other = world.hero, world.hero + 1
    world.level.depth = 5
    world.memory[kn.TERRAIN, here], world.memory[kn.TERRAIN, other] = kn.UP, kn.DOWN
    world.level.leads_to = {here: (0, 4), other: (0, 6)}
    world.stale()
    assert rest._refuge(world) == -1
    body.ambushes[0, 4] = ((knowledge().kinds[knowledge().kind_of_name["cockatrice"]],) * 5, world.turn)
    assert rest._refuge(world) == other
    body.ambushes[0, 6] = body.ambushes[0, 4]
    assert rest._refuge(world) == -1


def test_a_word_that_is_rested_on_is_read_before_each_bout(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    rest = Convalesce(body, bot.watchdog, 76, load("survivor"))
    world.memory[kn.TERRAIN][world.memory[kn.TERRAIN] == kn.UP] = kn.FLOOR
    world.stale()
    with_stats(bot, HP=5, HP_MAX=50)
    body.elbereth = (world.level.key, world.hero)
    assert [rest.bid(world).name for _ in range(2)] == ["read the word", "rest"]
    world.turn += 20
    assert rest.bid(world).name == "read the word"
    body.elbereth = None  # it was not there any more
    assert rest.bid(world).name == "write the word"


def test_what_bursts_is_reckoned_once_and_blindness_as_a_wound(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    lore, foes = bot.body.lore, bot.body.foes
    light, sphere, ant = foes.beside(
        bot.world, [lore.kinds[lore.kind_of_name[name]] for name in ("yellow light", "flaming sphere", "fire ant")]
    )
    assert light.blows <= 1.0 >= sphere.blows and ant.blows > 1.0
    assert light.loss > 2 * ant.loss


@pytest.mark.parametrize(("words", "unseen"), [("Something casts a spell at you!", True), ("It is hit.", False)])
def test_spells_cast_by_nobody_in_sight_are_attacks(start, words, unseen):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    bot.world.messages = (words,)
    bot.body.update()
    assert bot.body.is_quiet() is not unseen


def test_blows_from_the_word_and_at_the_helpless_cost_favour(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    hero, world = bot.body.hero, bot.world
    hero.piety = 10
    for words, left in (("You caitiff!  You caitiff!", 8), ("You feel like a hypocrite.", 3), ("You hit it.", 3)):
        world.messages = (words,)
        hero._listen(world)
        assert hero.piety == left, words


@pytest.mark.parametrize(("after", "words", "asked"), [(2, "", False), (6, "", True), (6, "peaceful", False)])
def test_who_comes_after_a_while_is_not_taken_for_the_foe_that_fell(start, after, words, asked):
    _, bot = played(start, ROOM_WITH, 8, character="val-dwa-law-fem")
    foes, world = bot.body.foes, bot.world
    dwarf = knowledge().kinds[knowledge().kind_of_name["dwarf"]]
    world.messages = (words,)
    foes.learn(world, world.hero + 3, dwarf.number)
    world.turn += after
    assert (foes._entry(world, world.hero + 4, dwarf) is None) is asked


@pytest.mark.parametrize("between", ["  ", "\n"])  # the game may ask on the same line or on the next
@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("It smells like newts.", "y"),
        ("It smells like cockatrices.", "n"),
        ("It smells like werejackals.", "n"),
        ("It smells like dwarves.", "n"),
    ],
)
def test_a_tin_is_eaten_unless_it_kills(words, key, between):
    record = bytearray(st.RECORD.itemsize)
    text = f"{words}{between}Eat it? [yn] (n)".encode()
    record[st.OFFSETS["message"] : st.OFFSETS["message"] + len(text)] = text
    assert smells_safe(State(bytes(record), 0)) == key


def test_those_who_resist_poison_eat_what_is_poisonous(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    dine, kinds = Dine(bot.body, 80), knowledge().kind_of_name
    with_stats(bot, HUNGER=1)
    for race, kobold, blob in (("human", False, False), ("orc", True, False)):
        bot.body.hero.race = race
        assert dine._is_good(bot.world, kinds["large kobold"]) is kobold
        assert dine._is_good(bot.world, kinds["acid blob"]) is blob
        assert dine._is_good(bot.world, kinds["jackal"])


def test_nobody_eats_its_own_kind_unless_no_god_is_left_to_mind(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    hero, dine, kinds = bot.body.hero, Dine(bot.body, 80), knowledge().kind_of_name
    with_stats(bot, HUNGER=2, HP=50, HP_MAX=50)
    assert dine._is_good(bot.world, kinds["giant rat"])
    hero.feverish = True  # those who turn into rats are cannibals if they eat them
    assert not dine._is_good(bot.world, kinds["giant rat"]) and dine._is_good(bot.world, kinds["newt"])
    hero.shunned_until = bot.world.turn + FORSAKEN + 1
    assert dine._is_good(bot.world, kinds["giant rat"])
    assert dine._is_good(bot.world, kinds["large kobold"])  # poisonous, and better than hunger
    with_stats(bot, HUNGER=1)
    assert not dine._is_good(bot.world, kinds["giant rat"])


@pytest.mark.parametrize(
    ("words", "turns"),
    [
        ("You hear the rumble of distant thunder...", 600),
        ("You cannibal!  You will regret this!", 2400),
        ("You kill the gray unicorn!  You feel guilty...", 3000),
        ("Watch out!  Bad things can happen on Friday the 13th.", FOR_EVER),
    ],
)
def test_no_prayer_is_said_while_luck_is_bad(start, words, turns):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    bot.world.messages, hero = (words,), bot.body.hero
    hero._listen(bot.world)
    assert hero.shunned_until == bot.world.turn + turns


def test_a_meal_that_was_broken_off_counts_as_half(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, hero = bot.world, bot.body.hero
    fed = hero.fed = 200
    for words, more in (
        ("You stop eating the food ration.", 400),
        ("You finish eating the food ration.", 400),
        ("You finish eating the food ration.", 800),
    ):
        world.messages = (words,)
        hero._listen(world)
        fed += more
        assert hero.fed == fed
    whole = hero.item_of("z", "2 food rations")
    assert hero.nourishment(whole) == 1600
    assert hero.nourishment(hero.item_of("z", "a partly eaten food ration")) == 400


def test_a_beast_stays_with_its_belongings_and_the_human_takes_them_whoever_is_near(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world = bot.body, bot.world
    rest = Convalesce(body, bot.watchdog, 76, load("survivor"))
    body.hero.beast = True
    body.dropped, body.dropped_turn = (world.level.key, world.hero), world.turn
    assert rest.bid(world).name == "rest"
    body.dropped_turn -= WATCHED + 1
    assert rest.bid(world) is None  # it may be a beast for longer than there is food
    rest = Convalesce(body, bot.watchdog, 76, load("survivor"))
    world.turn += WATCHED
    for ago, stays in ((WATCHED, True), (WATCHED // 2, True), (WATCHED // 2 - 1, False)):
        body.dropped_turn = world.turn - ago  # the third time it stays a third as long
        assert (rest.bid(world) is not None) is stays
    rest = Convalesce(body, bot.watchdog, 76, load("survivor"))
    body.dropped_turn, body.desperate = world.turn, True
    assert rest.bid(world) is None
    body.desperate = False
    body.dropped = (world.level.key, world.hero + 1)
    assert rest.bid(world).name == "to belongings"
    body.hero.beast = False
    assert rest.bid(world).name == "to belongings"
    body.dropped = ((0, 7), world.hero)
    assert bot.journey.goal(world) == (0, 7)
    world.turn += 1500
    assert bot.journey.goal(world) is None
    body.dropped, body.hero.weapon = (world.level.key, world.hero), None
    offer = bot.tactics.bid(world)
    assert offer is not None and offer.name == "take back"


def test_stairs_with_a_fight_behind_them_that_is_lost_are_no_way_out(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    body, world, flight = bot.body, bot.world, bot.tactics._flight
    lore = body.lore
    world.memory[kn.TERRAIN, world.hero], world.level.depth = kn.UP, 5
    world.level.leads_to[world.hero] = (0, 4)
    threats = [foe("rothe", 2, 4.0, 3.0)]
    free = flight.stairs(world, threats).risk
    body.ambushes[0, 4] = ((lore.kinds[lore.kind_of_name["rothe"]],) * 3, world.turn)
    assert free < 0.1 and flight.stairs(world, threats).risk > 0.9


def test_the_feverish_who_will_soon_be_weak_keep_their_prayer(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    hero, world = bot.body.hero, bot.world
    hero.feverish, hero.prayed, world.turn, hero.fed = True, None, 2000, FEVER_FED - 1
    assert any(is_ration(item) for item in hero.items)
    assert Worship(bot.body, 95).bid(world) is not None
    hero.items = ()
    assert Worship(bot.body, 95).bid(world) is None
    hero.beast = True
    assert Worship(bot.body, 95).bid(world) is None
    hero.fed = FEVER_FED
    assert Worship(bot.body, 95).bid(world) is not None
    hero.beast = False
    assert Worship(bot.body, 95).bid(world) is not None


@pytest.mark.parametrize(("gap", "prays"), [(850, False), (960, True)])
@pytest.mark.parametrize("beast", [False, True])
def test_a_prayer_against_lycanthropy_waits_until_the_god_surely_hears_it(start, beast, gap, prays):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    hero, world = bot.body.hero, bot.world
    world.turn = 5000
    hero.feverish, hero.beast, hero.prayed, hero.fed = True, beast, world.turn - gap, FEVER_FED
    assert (Worship(bot.body, 95).bid(world) is not None) is prays


@pytest.mark.parametrize("word", ["displeased", "bummed"])
def test_an_angry_god_hears_no_prayer_also_in_a_dream(start, word):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    bot.world.turn, bot.world.messages = 5000, (f"You feel that Huhetotl is {word}.",)
    bot.body.update()
    assert bot.body.hero.is_forsaken(5000) and bot.body.hero.prayer_chance(5000) < 0.1


def test_who_struck_a_moment_ago_still_counts_when_it_is_out_of_sight(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, body = bot.world, bot.body
    with_stats(bot, HP=40, HP_MAX=60)
    seen, behind = foe("soldier ant", 1, 12.0, 2.5), foe("soldier ant", 1, 12.0, 2.5)
    seen.cell = behind.cell = world.hero + 1

    def risk(gone: int) -> float:
        behind.gone = gone
        return next(option.risk for option in bot.tactics._options(world, [seen]) if option.name == "fight")

    alone = risk(ta.BEHIND)
    body.foes.lurking = [behind]
    assert risk(ta.BEHIND) > 2 * alone
    assert risk(ta.BEHIND + 1) == alone
    behind.distance = ta.BEHIND_STEPS + 1
    assert risk(ta.BEHIND) == alone


def test_a_known_scroll_of_teleportation_is_a_way_out(start):
    _, bot = played(start, ROOM_WITH, 8, **VALKYRIE)
    world, body = bot.world, bot.body
    with_stats(bot, HP=9, HP_MAX=60)
    body.hero.prayed = world.turn
    ant = foe("soldier ant", 1, 12.0, 2.5)
    ant.cell = world.hero + 1

    def best() -> str:
        return min(bot.tactics._options(world, [ant]), key=lambda option: option.risk).name

    assert best() != "read"
    body.hero.items += (carried("z", SCROLL, "teleportation"),)
    assert best() == "read"
    assert arms.escape_scroll(body).replies == (("want to read", "z"),)
    with_stats(bot, CONDITION=BLIND)
    assert arms.escape_scroll(body) is None
