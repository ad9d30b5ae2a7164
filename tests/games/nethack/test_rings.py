"""Known rings that help are put on, and no others."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, with_stats

from gridsage.games.nethack.agents import arms
from gridsage.games.nethack.agents.hero import RING
from gridsage.games.nethack.agents.living import HUNGRY
from gridsage.games.nethack.agents.rings import Adorn


def test_wizards_put_on_the_rings_that_they_know(start):
    _, bot = played(start, ROOM_WITH, 40, seed=15, character="wiz-hum-neu-mal")
    rings = {item.name: item for item in bot.body.hero.items if item.kind == RING}
    assert rings["protection"].plus > 0 and rings["protection"].worn


@pytest.mark.parametrize(
    ("name", "changes", "chosen"),
    [
        ("protection", {"plus": 2}, True),
        ("protection", {"plus": -1}, False),
        ("regeneration", {"cursed": True}, False),
        ("regeneration", {}, False),
        ("hunger", {}, False),
        ("slow digestion", {"notes": " (on left hand)"}, False),
        ("slow digestion", {"notes": " (unpaid, 150 zorkmids)"}, False),
    ],
)
def test_a_ring_is_put_on_if_it_helps(start, name, changes, chosen):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    bot.body.hero.items = (replace(carried("r", RING, name), **changes),)
    offer = Adorn(bot.body, 78).bid(bot.world)
    assert (offer is not None) is chosen
    with_stats(bot, HUNGER=HUNGRY)
    assert Adorn(bot.body, 78).bid(bot.world) is None  # every ring takes food


def test_there_are_two_hands_for_rings_and_the_better_ring_goes_first(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    stealth, digestion = carried("r", RING, "stealth"), carried("s", RING, "slow digestion")
    bot.body.hero.items = (stealth, digestion)
    assert chr(Adorn(bot.body, 78).bid(bot.world).goal) == "s"
    hands = [
        replace(carried(letter, RING, "free action"), notes=f" (on {side} hand)")
        for letter, side in (("x", "left"), ("y", "right"))
    ]
    bot.body.hero.items = (stealth, *hands)
    assert Adorn(bot.body, 78).bid(bot.world) is None
    bot.body.walled_in = True
    assert arms.spare_things(bot.body) == [stealth]  # what is on a finger cannot be thrown


@pytest.mark.parametrize(
    ("share", "hunger", "worn", "does"),
    [
        (0.5, 1, False, "put on"),
        (0.8, 1, False, None),
        (0.8, 1, True, None),
        (1.0, 1, True, "take off"),
        (0.5, HUNGRY, True, "take off"),
        (0.5, HUNGRY, False, None),
    ],
)
def test_a_ring_of_regeneration_is_worn_only_while_it_heals(start, share, hunger, worn, does):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    with_stats(bot, HP=int(60 * share), HP_MAX=60, HUNGER=hunger)
    bot.body.hero.items = (replace(carried("r", RING, "regeneration"), notes=" (on left hand)" if worn else ""),)
    offer = Adorn(bot.body, 78).bid(bot.world)
    assert (offer.name if offer else None) == does
