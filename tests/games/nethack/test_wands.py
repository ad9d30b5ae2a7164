"""Unknown wands are picked up, and written with once, so that they are used as what they are."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, said, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.hero import WAND, Item
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.wands import TRIES, Assay
from gridsage.games.nethack.agents.world import BLIND
from gridsage.games.nethack.level import COLS

LOOKS = Item("w", WAND, -1, "forked wand", 1, 0, False, "")


def room_with(wand: str) -> str:
    return ROOM_WITH + f"OBJECT:('/',\"{wand}\"),(3,2),uncursed\n"


@pytest.mark.parametrize(
    ("wand", "power"),
    [
        ("sleep", "sleep"),
        ("death", "sleep"),  # nobody can tell them apart
        ("striking", "striking"),
        ("slow monster", "slow monster"),
        ("magic missile", "magic missile"),
        ("cold", "cold"),
        ("polymorph", "polymorph"),
        ("opening", "nothing"),
        ("probing", "nothing"),
        ("digging", "digging"),
        ("fire", "fire"),
        ("lightning", "lightning"),
        ("create monster", "create monster"),
        ("teleportation", None),
        ("make invisible", None),
    ],
)
def test_a_wand_is_picked_up_and_written_with_once(start, wand, power):
    states, bot = played(start, room_with(wand), 40, character="val-hum-neu-fem")
    found = [item.name for item in bot.body.hero.items if item.kind == WAND]
    assert len(found) == 1 and (found[0] == power if power else found[0].endswith(" wand"))
    # Fingers first: some wands change what is there. Whom lightning blinds writes the word, too.
    assert said(states).count("What do you want to write with?") == (3 if wand == "lightning" else 2)
    assert not bot.dialogue.unexpected


def test_who_finds_a_wand_of_speed_zaps_itself_once(start):
    states, bot = played(start, room_with("speed monster"), 60, character="val-hum-neu-fem")
    assert said(states).count("You speed up.") == 1 and bot.body.hero.speed() == 4 / 3
    assert said(states).count("In what direction?") == 1


def test_the_fast_do_not_zap_themselves(start):
    states, _ = played(start, room_with("speed monster"), 60, character="sam-hum-law-fem")
    assert "bugs on the floor speed up" in said(states) and "In what direction?" not in said(states)


def test_a_wand_of_wishing_is_not_wasted(start):
    states, bot = played(start, room_with("wishing"), 90, character="val-hum-neu-fem")
    assert "gray dragon scale mail" in said(states)
    assert any(item.name == "gray dragon scale mail" and item.worn for item in bot.body.hero.items)


def at_a_wand(start, **options):
    """A hero with an unknown wand, and its bid to write with it."""
    _, bot = played(start, options.pop("level", ROOM_WITH), 8, character="val-hum-neu-fem", **options)
    bot.body.hero.items = (*bot.body.hero.items, LOOKS)
    return bot, Assay(bot.body, load("survivor"))


def test_nobody_writes_with_a_wand_where_it_is_not_safe(start):
    bot, assay = at_a_wand(start)
    world = bot.world
    assert assay.bid(world).name == "try a wand"
    whole = world.stats
    for stats in ({"HP": 8, "HP_MAX": 16}, {"CONDITION": BLIND}, {"CONDITION": arms.LEVITATING}, {"HUNGER": 3}):
        with_stats(bot, **stats)
        assert assay.bid(world) is None, stats
        world.stats = whole
    bot.body.elbereth = (world.level.key, world.hero)
    assert assay.bid(world) is None  # the word is worth more
    bot.body.elbereth = None
    for plane, value in ((kn.SHUNNED, 1), (kn.FEATURE, kn.FOUNTAIN)):
        world.memory[plane, world.hero] = value
        assert assay.bid(world) is None
        world.memory[plane, world.hero] = 0
    bot.body.hero.items = (replace(LOOKS, notes=" (unpaid, 150 zorkmids)"),)
    assert assay.bid(world) is None


def test_nobody_writes_with_a_wand_while_a_foe_is_in_sight(start):
    bot, assay = at_a_wand(start, level=ROOM_WITH + "MONSTER:('r',\"sewer rat\"),(9,3),hostile,asleep\n")
    assert bot.body.foes.hostile and assay.bid(bot.world) is None


def test_a_wand_of_which_nothing_was_heard_is_judged_only_after_it_was_written_with(start):
    bot, assay = at_a_wand(start)
    hero, world = bot.body.hero, bot.world
    plan = assay.bid(world).plan()
    next(plan)
    command = next(plan)  # the x is written, and now the wand is asked for
    world.messages = ()
    assay.note(world, speaking=True)
    assay.note(world, speaking=False)  # somebody came before the game asked what to write
    assert not hero.wand_powers
    plan = assay.bid(world).plan()
    next(plan)
    assert dict(command.replies)["want to"](world.state) == "x\r"
    assay.note(world, speaking=False)
    assert hero.wand_powers == {"forked wand": "nothing"} and assay.bid(world) is None


def test_a_wand_that_cannot_be_written_with_is_left_alone_after_some_tries(start):
    bot, assay = at_a_wand(start)
    for _ in range(TRIES):
        list(assay.bid(bot.world).plan())
    assert assay.bid(bot.world) is None


def test_a_useless_wand_is_not_zapped_in_danger_and_an_unknown_one_is(start):
    long_room = ROOM_WITH.replace("-----------", "-" * 30).replace("|.........|", "|" + "." * 28 + "|")
    bot, _ = at_a_wand(start, level=long_room)
    hero, world = bot.body.hero, bot.world
    target = world.hero + 2
    world.memory[kn.TERRAIN, world.hero + 1 : world.hero + 25] = kn.FLOOR
    assert world.hero // COLS == (world.hero + 25) // COLS
    assert arms.unknown_wand(bot.body, target) is not None
    kind = bot.body.lore.kinds[bot.body.lore.kind_of_name["soldier ant"]]
    assert arms.stunning_wand(bot.body, target, kind) is None
    hero.items = (carried("w", WAND, "nothing"),)
    assert arms.unknown_wand(bot.body, target) is None and arms.stunning_wand(bot.body, target, kind) is None
    hero.items = (carried("w", WAND, "sleep"),)
    assert arms.stunning_wand(bot.body, target, kind) is not None


def test_the_first_bots_write_with_nothing():
    assert [
        name for name in ("digger", "diver", "explorer", "survivor") if load(name).milestones.writes_with_wands
    ] == [
        "digger",
        "survivor",
    ]
