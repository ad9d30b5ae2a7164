"""What was found by reading how heroes die: bows as clubs, doors that stand open, packs, thieves and lost meals."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, played, said, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.body import CLAD, ROBBED, ROBBERS_WAIT, SLEEP_TURNS
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.flight import Option
from gridsage.games.nethack.agents.foes import LEAST_LEFT, LURK_REACH, LURKS, _Known
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import Worship
from gridsage.games.nethack.level import CELLS, COLS

RANGER = {"character": "ran-hum-neu-mal"}
SAMURAI = {"character": "sam-hum-law-mal"}
NEWT, DART = 320, kn.THING + 7
BESIDE = "MONSTER:('o',\"hill orc\"),(2,2),hostile,asleep\n"


@pytest.mark.parametrize("seen", [NEWT, DART, kn.PET + NEWT], ids=["newt", "dart", "pet"])
@pytest.mark.parametrize("door", [kn.CLOSED_DOOR, kn.LOCKED_DOOR])
def test_a_door_in_which_something_is_seen_is_open(door, seen):
    memory, before = np.zeros((kn.PLANES, CELLS), np.int32), np.full(CELLS, kn.MAP, np.int16)
    hero = 10 * COLS + 40
    memory[kn.TERRAIN, hero + 2] = door
    glyphs = before.copy()
    kn.look(glyphs, before, memory, hero, True)
    assert memory[kn.TERRAIN, hero + 2] == door
    glyphs = before.copy()
    glyphs[hero + 2] = seen
    kn.look(glyphs, before, memory, hero, True)
    assert memory[kn.TERRAIN, hero + 2] == kn.OPEN_DOOR


def test_what_is_felt_in_the_dark_opens_no_door():
    memory, before = np.zeros((kn.PLANES, CELLS), np.int32), np.full(CELLS, kn.MAP, np.int16)
    hero = 10 * COLS + 40
    memory[kn.TERRAIN, hero + 2] = kn.CLOSED_DOOR
    glyphs = before.copy()
    glyphs[hero + 2] = kn.INVISIBLE
    kn.look(glyphs, before, memory, hero, True)
    assert memory[kn.TERRAIN, hero + 2] == kn.CLOSED_DOOR


def test_who_cannot_shoot_takes_a_dagger_instead_of_beating_with_the_bow(start, monkeypatch):
    _, bot = played(start, ROOM_WITH, 12, **RANGER)
    weapon = bot.body.hero.weapon
    assert weapon is not None and weapon.name == "bow" and arms.missiles(bot.body)
    lore = knowledge()
    threats = bot.body.foes.beside(bot.world, [lore.kinds[lore.kind_of_name["jackal"]]])
    assert bot.tactics._arm(threats) is None
    monkeypatch.setattr(arms, "best_shot", lambda *_: None)
    taken = bot.tactics._arm(threats)
    assert taken is not None and taken.name == "arm"


def test_a_foe_put_to_sleep_is_gone_to_and_not_waited_for(start):
    _, bot = played(start, ROOM_WITH + BESIDE.replace("(2,2)", "(3,1)"), 4, character="val-hum-neu-fem")
    world, body = bot.world, bot.body
    (orc,) = body.foes.hostile
    assert orc.distance == 2 and not orc.sleeps
    world.turn += 1 if world.turn % 7 == 0 else 0
    assert bot.tactics.bid(world).name in ("await", "shoot")
    world.messages = ("The sleep ray hits the hill orc.",)
    body.update()
    world.messages = ()
    world.turn += 35
    body.foes.update(world)
    assert body.foes.hostile[0].sleeps and body.foes.hostile[0].loss == 0
    body.hero.missiles = []
    assert bot.tactics.bid(world).name == "approach"
    world.turn += SLEEP_TURNS - 35
    body.foes.update(world)
    assert not body.foes.hostile[0].sleeps


def test_nobody_leaves_the_word_for_a_newt_while_rothes_stand_behind_it(start):
    newt = "MONSTER:(':',\"newt\"),(2,1),hostile,asleep\n"
    rothes = "".join(f"MONSTER:('q',\"rothe\"),(3,{row}),hostile,asleep\n" for row in (1, 2, 3))
    for level, name in ((ROOM_WITH + newt, "fight"), (ROOM_WITH + newt + rothes, "rest on the word")):
        _, bot = played(start, level, 4, character="val-hum-neu-fem")
        bot.body.elbereth, bot.body.elbereth_turn = (bot.world.level.key, bot.world.hero), bot.world.turn
        bot.body.hero.piety = 20
        with_stats(bot, HP=50, HP_MAX=50)
        bot.body.foes.update(bot.world)
        assert bot.tactics.bid(bot.world).name == name


def test_werecreatures_heal_as_fast_as_the_weak_wound_them_and_call_a_pack(start):
    lore = knowledge()
    were, jackal = (lore.kinds[lore.kind_of_name[name]] for name in ("werejackal", "jackal"))
    _, bot = played(start, ROOM_WITH, 4, character="hea-hum-neu-mal")
    (beast,), (dog,) = (bot.body.foes.beside(bot.world, [kind]) for kind in (were, jackal))
    assert beast.blows / were.hp > 2 * dog.blows / jackal.hp
    assert beast.loss > 8 > 5.5 == were.hits[0][0]  # its bite alone costs less: those count who come when it calls


def struck(bot, words: str) -> None:
    """Let the game say these words while everybody stands where they stood."""
    bot.world.messages = (words,)
    bot.body.foes.update(bot.world)


def test_whoever_was_struck_is_sooner_killed_but_never_believed_dead(start):
    _, bot = played(start, ROOM_WITH + BESIDE.replace("'o',\"hill orc", "'O',\"ogre"), 4, **SAMURAI)
    bot.body.foes.update(bot.world)
    whole = bot.body.foes.hostile[0].blows
    struck(bot, "You miss the ogre.")
    assert bot.body.foes.hostile[0].blows == whole
    struck(bot, "The ya misses the ogre.  You hit the jackal!")
    assert bot.body.foes.hostile[0].blows == whole
    struck(bot, "You hit the ogre.")
    assert LEAST_LEFT * whole < bot.body.foes.hostile[0].blows < whole
    struck(bot, "The ya hits the ogre!  You hit the ogre!  The ya hits the ogre.  You hit the ogre.")
    assert LEAST_LEFT * whole == pytest.approx(bot.body.foes.hostile[0].blows)


def hunter(bot, name: str, away: int, gone: int) -> None:
    """Let somebody of that kind have gone out of sight so many turns ago, so many steps away."""
    world = bot.world
    kind, turn = knowledge().kind_of_name[name], world.turn - gone
    bot.body.foes._known = {world.hero + away: _Known(kind, False, turn, turn, moved=True)}
    world.messages = ()
    bot.body.foes.update(world)


@pytest.mark.parametrize(
    ("name", "away", "gone", "feared"),
    [
        ("soldier ant", 3, 5, True),
        ("soldier ant", 3, 0, False),  # it would be seen
        ("soldier ant", 3, LURKS + 1, False),
        ("soldier ant", LURK_REACH + 7, 5, True),  # it runs
        ("dwarf", LURK_REACH + 7, 5, False),
        ("newt", 3, 5, False),
        ("floating eye", 3, 5, False),
    ],
)
def test_those_out_of_sight_are_feared_who_are_strong_quick_and_not_long_gone(start, name, away, gone, feared):
    _, bot = played(start, ROOM_WITH, 4, **SAMURAI)
    bot.world.turn += 100
    hunter(bot, name, away, gone)
    assert bot.body.is_hunted() == feared


def test_nobody_fears_those_just_killed_or_the_peaceful(start):
    _, bot = played(start, ROOM_WITH, 4, **SAMURAI)
    bot.world.turn += 100
    hunter(bot, "soldier ant", 3, 5)
    struck(bot, "You kill the soldier ant!")
    assert not bot.body.is_hunted()
    hunter(bot, "soldier ant", 3, 5)
    next(iter(bot.body.foes._known.values())).peaceful = True
    struck(bot, "")
    assert not bot.body.is_hunted()


def test_a_word_that_drove_somebody_out_of_sight_is_read_and_rested_on(start):
    _, bot = played(start, ROOM_WITH, 4, **SAMURAI)
    bot.world.turn += 100
    word, here = bot.tactics._word, (bot.world.level.key, bot.world.hero)
    word._at = bot.world.hero
    word.note_writing(bot.world)
    assert bot.tactics.bid(bot.world) is None  # nobody is near
    hunter(bot, "soldier ant", 3, 5)
    assert bot.tactics.bid(bot.world).name == "read the word"
    assert bot.tactics.bid(bot.world) is None  # it was misspelt
    bot.body.elbereth = here
    assert bot.tactics.bid(bot.world) is None  # nobody has to rest
    with_stats(bot, HP=7, HP_MAX=15)
    assert bot.tactics.bid(bot.world).name == "rest on the word"
    bot.world.turn += 1
    assert bot.tactics.bid(bot.world).name == "read the word"
    bot.body.diving = True
    assert bot.tactics.bid(bot.world) is None


def test_a_cloak_without_any_armour_is_worn_over_a_suit_and_nowhere_else(start):
    level = ROOM_WITH + "OBJECT:('[',\"dwarvish cloak\"),(6,2)\n"
    states, _ = played(start, level, 150, **SAMURAI)
    assert "You are now wearing a hooded cloak" in said(states) or "wearing a dwarvish cloak" in said(states)
    states, _ = played(start, level, 150, character="val-hum-neu-fem")
    assert "You are now wearing" not in said(states)


def test_those_who_wear_armour_carry_scrolls_for_the_nymphs(start):
    level = ROOM_WITH + "OBJECT:('?',\"light\"),(6,2)\n"
    states, bot = played(start, level, 150, **SAMURAI)
    assert any("scroll" in words for _, _, words in states[-1].pack)
    states, bot = played(start, level, 150, character="tou-hum-neu-mal")
    before = [words for _, _, words in states[0].pack if "scroll" in words]
    assert bot.world.stats[st.ARMOUR] > CLAD
    assert [words for _, _, words in states[-1].pack if "scroll" in words] == before


def test_a_nymph_beside_the_stairs_is_left_behind_as_long_as_there_is_armour_to_lose(start):
    nymph = "MONSTER:('n',\"wood nymph\"),(2,2),hostile,asleep\n"
    _, bot = played(start, ROOM_WITH + nymph, 5, character="val-hum-neu-fem")
    world, body = bot.world, bot.body
    body.foes.hostile[0].moved = True
    with_stats(bot, HP=200, HP_MAX=200, ARMOUR=CLAD)
    assert bot.tactics.bid(world).name == "fight"
    world.memory[kn.TERRAIN, world.hero] = kn.DOWN
    assert bot.tactics.bid(world).name == "stairs"
    here = world.level.key
    assert body.ambush_risk(here) == ROBBED
    with_stats(bot, ARMOUR=CLAD + 1)
    assert body.ambush_risk(here) < ROBBED and bot.tactics.bid(world).name == "fight"
    with_stats(bot, ARMOUR=CLAD)
    world.turn += ROBBERS_WAIT + 1
    assert body.ambush_risk(here) == 0.0


def test_the_corpse_under_the_daggers_that_killed_is_eaten(start):
    jackals = "".join(f"MONSTER:('d',\"jackal\"),({col},1),hostile,asleep\n" for col in (5, 7, 9))
    states, _ = played(start, ROOM_WITH + jackals, 300, character="rog-hum-cha-mal")
    assert "dagger hits the jackal" in said(states) and "You finish eating the jackal corpse" in said(states)


def test_rays_out_of_the_dark_are_fire_also_beside_a_mold_and_the_nearly_dead_pray(start):
    mold = "MONSTER:('F',\"brown mold\"),(4,1),hostile,asleep\n"
    for level, unseen in ((ROOM_WITH + mold, True), (ROOM_WITH + BESIDE, False)):
        _, bot = played(start, level, 4, character="val-hum-neu-fem")
        world, body = bot.world, bot.body
        assert body.foes.hostile and not body.was_shot() and not body.is_under_fire()
        world.messages = ("You hear a nearby zap.  The wand hits you!",)
        with_stats(bot, HP=6, HP_MAX=60)
        body.hero.prayed = world.turn - 200  # half of such prayers are heard
        assert Worship(body, 95).bid(world) is None
        body.update()
        body.hurt_turn = world.turn
        assert body.was_shot() and body.is_under_fire() == unseen
        prayer = Worship(body, 95).bid(world)
        assert prayer is not None and prayer.name == "pray"


def test_a_retreat_to_stairs_is_not_broken_off_to_throw(start, monkeypatch):
    _, bot = played(start, ROOM_WITH + BESIDE, 4, character="val-hum-neu-fem")
    tactics, away = bot.tactics, Option(0.5, "to the stairs", 0, Phrase("h"))
    back = Option(0.1, "step back", 0, Phrase("l"))
    monkeypatch.setattr(tactics, "_options", lambda *_: [away, back])
    assert tactics.bid(bot.world).name == "step back"
    monkeypatch.setattr(tactics, "_options", lambda *_: [away])
    assert tactics.bid(bot.world).name == "to the stairs"
    monkeypatch.setattr(tactics, "_options", lambda *_: [away, back])
    bot.world.turn += 2
    assert tactics.bid(bot.world).name == "to the stairs"
    bot.world.turn += 3
    assert tactics.bid(bot.world).name == "step back"
