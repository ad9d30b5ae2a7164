"""How the survivor uses weapons, missiles, stairs and its feet, in the real game on small levels."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import CORRIDOR_WITH, ROOM_WITH, played, said

from gridsage.core.game import Budget
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.arms import missiles, volley
from gridsage.games.nethack.agents.flight import in_line
from gridsage.games.nethack.agents.foes import harm_bonus, hit_bonus
from gridsage.games.nethack.agents.hero import EMPTY_HANDS, FISTS, WEAPON, Hero, Item
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.living import is_bearable
from gridsage.games.nethack.agents.survivor import Survivor
from gridsage.games.nethack.agents.world import is_closed_shop
from gridsage.games.nethack.level import COLS

WIDE = """
MAZE:"wide",' '
GEOMETRY:center,center
MAP
-------------------------
|.......................|
|.......................|
|.......................|
|.......................|
|.......................|
-------------------------
ENDMAP
REGION:(1,1,23,5),lit,"ordinary"
BRANCH:(12,3,12,3),(0,0,0,0)
"""


def stats_of(**given: int) -> tuple[int, ...]:
    values = [0] * st.STATS
    common = {"STRENGTH": 12, "STRENGTH_SHARE": 12, "DEXTERITY": 12, "EXPERIENCE": 5}
    for name, value in (common | given).items():
        values[getattr(st, name)] = value
    return tuple(values)


def thing(name: str, count: int = 1, plus: int = 0) -> Item:
    return Item("x", WEAPON, knowledge().by_name[name], name, count, plus, False, "")


def test_a_tourist_throws_its_darts_even_at_whoever_stands_beside_it(start):
    level = ROOM_WITH + "MONSTER:('F',\"lichen\"),(2,1),hostile\n"
    states, bot = played(start, level, 60, character="tou-hum-neu-mal")
    assert "The dart" in said(states) or "darts" in said(states)
    assert "bare hands" not in said(states)
    assert bot.body.hero.trained == {0, 24}


def test_a_weapon_whose_skill_was_never_trained_is_worth_less_than_bare_hands_or_an_old_friend():
    hero = Hero(knowledge())
    hero.role, hero.trained = "rog", {0, 1, 5}
    assert hero.blow(thing("long sword"))[0] == -4 and hero.blow(thing("short sword"))[0] == 0
    assert hero.damage(thing("short sword")) > hero.damage(thing("long sword"))
    assert hero.blow(None) == EMPTY_HANDS
    hero.trained.add(7)
    assert hero.damage(thing("long sword")) > hero.damage(thing("short sword"))
    assert hero.damage(thing("bow")) < hero.damage(None) > hero.damage(thing("dart"))


def test_priests_do_not_take_what_cuts_and_monks_need_no_weapon():
    hero = Hero(knowledge())
    hero.role, hero.trained = "pri", {0, 7, 12}
    assert hero.damage(thing("mace")) > 2 > hero.damage(thing("long sword"))
    hero.role = "mon"
    assert hero.blow(None) == FISTS


@pytest.mark.parametrize(
    ("given", "hit"),
    [
        ({}, 0),
        ({"DEXTERITY": 18}, 4),
        ({"DEXTERITY": 5}, -2),
        ({"STRENGTH": 18, "STRENGTH_SHARE": 68}, 1),
        ({"STRENGTH": 19, "STRENGTH_SHARE": 69}, 2),
        ({"STRENGTH": 7}, -1),
        ({"EXPERIENCE": 2}, 1),
        ({"LOAD": 2}, -3),
    ],
)
def test_strength_dexterity_and_burden_change_the_chance_to_hit(given, hit):
    assert hit_bonus(stats_of(**given)) == hit


def test_strength_adds_to_damage():
    shares = [(5, 5), (15, 15), (16, 16), (18, 18), (19, 90), (21, 100)]
    assert [harm_bonus(stats_of(STRENGTH=one, STRENGTH_SHARE=two)) for one, two in shares] == [-1, 0, 1, 2, 3, 4]


def test_a_stack_of_daggers_is_a_rogues_best_weapon(start):
    _, bot = played(start, ROOM_WITH, 12, character="rog-hum-cha-mal")
    best = missiles(bot.body)[0]
    assert best.name == "dagger"
    assert volley(bot.body, best) > bot.body.hero.damage(bot.body.hero.weapon)


def test_a_ranger_shoots_also_at_the_weak_beside_it(start):
    level = ROOM_WITH + "MONSTER:(':',\"newt\"),(9,1),hostile,asleep\n"
    states, _ = played(start, level, 60, character="ran-hum-neu-mal")
    assert "arrow" in said(states) and "You kill the newt" in said(states)
    assert "begin bashing" not in said(states)


def test_a_slow_foe_is_fought_by_stepping_back_and_throwing(start):
    level = WIDE + "MONSTER:('Z',\"ettin zombie\"),(14,3),hostile\n"
    states, _ = played(start, level, 60, seed=3, character="rog-hum-cha-mal")
    assert "dagger" in said(states)
    assert len({state.cell for state in states}) > 4, "it did not stand still"
    assert "You begin praying" not in said(states)


def test_a_pick_axe_underfoot_is_grabbed_although_a_foe_is_near(start):
    level = CORRIDOR_WITH + "OBJECT:('(',\"pick-axe\"),(2,1)\nMONSTER:('F',\"lichen\"),(3,1),hostile\n"
    states, bot = played(start, level, 80, character="val-hum")
    assert bot.body.hero.digger is not None
    taken = next(at for at, state in enumerate(states) if any("pick-axe" in words for _, _, words in state.pack))
    assert "You kill the lichen" not in said(states[: taken + 1])


def test_nobody_shoots_at_a_gas_spore_beside_it(start):
    level = CORRIDOR_WITH + "MONSTER:('e',\"gas spore\"),(2,1),hostile,asleep\n"
    states, _ = played(start, level, 120, character="tou-hum-neu-mal")
    before = said(states[:20])
    assert "explodes" not in before and "gas spore" not in before


def test_a_monk_takes_something_in_hand_against_a_cockatrice(start):
    level = ROOM_WITH + "OBJECT:(')',\"club\"),(1,1)\nMONSTER:('c',\"chickatrice\"),(9,3),hostile\n"
    states, _ = played(start, level, 200, seed=5, character="mon-hum-neu-mal")
    words = said(states)
    assert "You kill the chickatrice" not in words or "club" in words
    assert "statue" not in words.split("touch")[-1]


def test_what_only_hurts_is_bearable_for_the_starving_and_what_kills_is_not():
    lore = knowledge()
    kinds = {name: lore.kinds[lore.kind_of_name[name]] for name in ("kobold", "cockatrice", "kobold zombie", "wererat")}
    assert [is_bearable(kind) for kind in kinds.values()] == [True, False, False, False]


def test_lines_to_throw_along_are_straight():
    here = 5 * COLS + 20
    assert in_line(here, here + 3) and in_line(here, here + 2 * COLS) and in_line(here, here + 2 * COLS - 2)
    assert not in_line(here, here + COLS + 2)


def test_a_samurai_wears_its_heavy_mail_again_after_it_was_taken_off(start):
    game, state = start(ROOM_WITH, character="sam-hum-law-mal", pet=False, spawn_monsters=False)
    for key in "Te":  # the mail is the only armour: the game may not ask which
        if key == "T" or state.prompt:
            state = game.step(state, ord(key))
    for _ in range(3):
        state = game.step(state, 27)
    bare = state.stats[st.ARMOUR]
    bot = Survivor()
    for _ in range(60):
        state = game.step(state, bot.decide(state, Budget()).action)
    assert state.stats[st.ARMOUR] <= bare - 6


@pytest.mark.parametrize(
    ("words", "closed"),
    [
        ("Closed for inventory", True),
        ("Close| for inventory", True),
        ("C?osed f r inv ntoiy", True),
        ("?c", True),
        ("Elbereth", False),
        ("E|bexe?h", False),
        ("Vlad wa? her", False),
        ("?|   w   hcr", False),
        ("They say that shopkeepers", False),
    ],
)
def test_worn_words_before_a_closed_shop_are_understood(words, closed):
    assert is_closed_shop(f'Something is written here in the dust. You read: "{words}".') == closed
