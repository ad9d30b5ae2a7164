"""Hostile dogs, cats and horses are fed, not fought."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import ROOM_WITH, carried, played, with_stats

from gridsage.games.nethack.agents.hero import FOOD
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.taming import treat

ANIMAL = "MONSTER:('{}',\"{}\"),(4,1),hostile\n"


@pytest.mark.parametrize(
    ("letter", "name", "character"),
    [("d", "little dog", "tou-hum-neu-fem"), ("f", "housecat", "tou-hum-neu-mal"), ("u", "pony", "hea-hum-neu-mal")],
)
def test_a_hostile_animal_is_fed_and_becomes_a_friend(start, letter, name, character):
    states, bot = played(start, ROOM_WITH + ANIMAL.format(letter, name), 90, character=character)
    assert not bot.body.foes.hostile
    assert bot.body.foes.pets or bot.body.foes.peaceful
    assert not any(f"You kill the {name}" in message for state in states for message in state.messages)


def beside(bot, name):
    """Let the bot believe that such an animal stands beside it, and return the animal."""
    lore = knowledge()
    bot.body.foes.hostile = bot.body.foes.beside(bot.world, [lore.kinds[lore.kind_of_name[name]]])
    return bot.body.foes.hostile[0]


@pytest.mark.parametrize(("name", "chosen"), [("little dog", "tin"), ("pony", "apple"), ("kitten", "tin")])
def test_animals_get_what_they_like_and_the_hero_misses_least(start, name, chosen):
    _, bot = played(start, ROOM_WITH, 4, character="val-hum-neu-fem")
    larder = {"b": "egg", "c": "food ration", "d": "tin", "e": "apple", "f": "melon"}
    bot.body.hero.items = tuple(carried(letter, FOOD, food) for letter, food in larder.items())
    assert treat(bot.body, beside(bot, name)).name == chosen


def test_nobody_feeds_an_animal_that_is_no_danger(start):
    _, bot = played(start, ROOM_WITH, 4, character="val-hum-neu-fem")
    for most, name in ((90, "fight"), (8, "feed")):
        with_stats(bot, HP=most, HP_MAX=most)
        beside(bot, "large dog" if name == "feed" else "kitten")
        assert bot.tactics.bid(bot.world).name == name
