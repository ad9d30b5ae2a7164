"""What the survivor does and what it must never do, in the real game on small levels."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import CORRIDOR_WITH, ROOM_WITH, played, said, with_stats

from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.body import AMBUSH_TURNS
from gridsage.games.nethack.agents.foes import Foe, chance_of_death, distance, expected_loss
from gridsage.games.nethack.agents.gear import IN_VAIN, Loot, lift
from gridsage.games.nethack.agents.hero import Hero, is_low
from gridsage.games.nethack.agents.hunting import Hunt
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.survivor import DESPERATE, WALLED_IN
from gridsage.games.nethack.agents.watchdog import VAIN
from gridsage.games.nethack.agents.world import MINES
from gridsage.games.nethack.level import COLS
from gridsage.games.nethack.session.referee import progression
from gridsage.games.nethack.state import State


def test_a_floating_eye_in_the_way_is_struck_by_hand_only_before_giving_up(start):
    level = CORRIDOR_WITH + "MONSTER:('e',\"floating eye\"),(5,1),hostile,asleep\n"
    states, _ = played(start, level, 400, character="mon-hum-neu-mal")
    told = [(state.stats[st.TURN], " ".join(state.messages)) for state in states]
    blows = [turn for turn, words in told if re.search(r"You \w+ the floating eye|frozen by", words)]
    assert min(blows, default=DESPERATE) >= DESPERATE / VAIN
    thrown = [turn for turn, words in told if re.search(r"(hits|misses) the floating eye", words)]
    assert WALLED_IN / VAIN <= min(thrown) < DESPERATE / VAIN, "first everything that can be spared is thrown"


def test_a_floating_eye_is_killed_from_afar_where_daggers_are_carried(start):
    level = CORRIDOR_WITH + "MONSTER:('e',\"floating eye\"),(5,1),hostile,asleep\n"
    states, _ = played(start, level, 400, seed=4, character="rog-hum-cha-mal")
    assert "You kill the floating eye" in said(states) and "frozen by" not in said(states)


def test_the_peaceful_are_looked_at_and_spared(start):
    level = ROOM_WITH + "MONSTER:('G',\"gnome\"),(3,1),peaceful,asleep\n"
    states, _ = played(start, level, 200, character="val-dwa-law-fem")
    assert "peaceful gnome" in said(states)
    assert "You kill" not in said(states) and "You hit" not in said(states)


def test_a_fresh_safe_corpse_is_eaten_and_a_kobold_is_not(start):
    jackals = "".join(f"MONSTER:('d',\"jackal\"),({col},2),hostile,asleep\n" for col in (4, 6, 8))
    states, _ = played(start, ROOM_WITH + jackals, 250, character="sam-hum-law-mal")
    assert "You finish eating the jackal corpse" in said(states)
    kobolds = jackals.replace("'d',\"jackal\"", "'k',\"kobold\"")
    states, _ = played(start, ROOM_WITH + kobolds, 250, character="sam-hum-law-mal")
    assert "You kill the kobold" in said(states) and "eating" not in said(states)


def test_better_armour_on_the_floor_is_worn(start):
    level = ROOM_WITH + "OBJECT:('[',\"dwarvish iron helm\"),(6,2)\n"
    states, _ = played(start, level, 150, character="sam-hum-law-mal")
    assert states[-1].stats[st.ARMOUR] < states[0].stats[st.ARMOUR]


def test_who_is_nearly_dead_prays_or_writes_and_does_not_just_fight(start):
    ants = "".join(f"MONSTER:('a',\"soldier ant\"),({col},2),hostile\n" for col in (5, 6))
    states, bot = played(start, ROOM_WITH + ants, 400, character="wiz-hum-neu-mal")
    assert "Elbereth" in said(states) or "You begin praying" in said(states)
    assert bot.tactics.weighed


def test_an_archeologist_digs_through_the_floor(start):
    states, _ = played(start, ROOM_WITH, 300, agent="digger", character="arc-hum-neu-mal")
    assert states[-1].stats[st.DEPTH] > 1 and "hole through the floor" in said(states)


def test_the_hero_knows_its_race_from_the_page_of_attributes(start):
    _, bot = played(start, ROOM_WITH, 8, character="wiz-elf-cha-fem")
    assert (bot.body.hero.role, bot.body.hero.race) == ("wiz", "elf")


@pytest.mark.parametrize("seed", [11, 12])
def test_whole_games_go_on_without_a_fault(start, seed):
    states, bot = played(start, "", 2500, seed=seed, character="@", pet=True, spawn_monsters=True)
    assert states[-1].stats[st.TURN] > 300 or states[-1].status >= st.KILLED
    assert not [words for words, count in bot.dialogue.unexpected.items() if count > 25]


def test_the_same_seed_plays_the_same_game(start):
    first, _ = played(start, "", 400, seed=5, character="val-hum-neu-fem", pet=True, spawn_monsters=True)
    again, _ = played(start, "", 400, seed=5, character="val-hum-neu-fem", pet=True, spawn_monsters=True)
    assert [state.data for state in first] == [state.data for state in again]


def foe(name: str, away: int = 1, loss: float = 3.0, blows: float = 2.0) -> Foe:
    lore = knowledge()
    return Foe(0, lore.kinds[lore.kind_of_name[name]], away, loss, blows, 0.0)


def test_danger_grows_with_foes_and_falls_with_hit_points_and_in_corridors():
    one, many = [foe("jackal")], [foe("jackal") for _ in range(4)]
    assert expected_loss(many, 8) > 4 * expected_loss(one, 8)
    assert expected_loss(many, 1) < expected_loss(many, 8)
    assert chance_of_death(10, 40) < 0.05 < chance_of_death(10, 10) < chance_of_death(20, 10)


@pytest.mark.parametrize(("blows", "strikes"), [(0.6, 0.3), (1.0, 0.5), (2.0, 1.25), (5.0, 4.25)])
def test_the_last_blow_is_not_answered(blows, strikes):
    assert expected_loss([foe("jackal", loss=4.0, blows=blows)], 1) == pytest.approx(4.0 * strikes)


def test_prayer_is_for_great_trouble_and_not_too_often():
    hero = Hero(knowledge())
    assert hero.prayer_chance(50) < 0.1 < 0.85 < hero.prayer_chance(150)
    hero.prayed = 1000
    assert hero.prayer_chance(1100) < 0.5 < 0.9 < hero.prayer_chance(2000)
    hero.shunned_until = 5000
    assert hero.prayer_chance(4000) < 0.1

    def stats(hp: int, most: int, level: int) -> tuple[int, ...]:
        values = [0] * st.STATS
        values[st.HP], values[st.HP_MAX], values[st.EXPERIENCE] = hp, most, level
        return tuple(values)

    assert is_low(stats(5, 12, 1)) and is_low(stats(8, 43, 4)) and is_low(stats(7, 43, 8))
    assert not is_low(stats(9, 43, 5)) and not is_low(stats(8, 43, 8))


def test_the_pack_is_read_word_by_word():
    hero = Hero(knowledge())
    item = hero.item_of("b", "2 blessed rusty +1 orcish daggers (alternate weapon; not wielded)")
    assert (item.name, item.count, item.plus, item.cursed, item.wielded) == ("orcish dagger", 2, 1, False, False)
    shoes = hero.item_of("c", "a cursed -1 pair of hard shoes (being worn)")
    assert (shoes.name, shoes.plus, shoes.cursed, shoes.worn) == ("iron shoes", -1, True, True)
    assert hero.item_of("d", "a +0 long sword named Foo (weapon in hand)").wielded


def test_progression_is_the_better_of_depth_and_experience():
    assert progression(12, 1, 0) == 0.2061
    assert progression(4, 10, 0) == 0.1791
    assert progression(4, 10, 1) == 0.366
    assert progression(99, 1, 0) == 0.8068


def test_a_diver_writes_the_word_in_the_pit_and_reads_it_before_it_digs_on(start):
    states, _ = played(start, ROOM_WITH, 1500, agent="digger", character="arc-hum")
    messages = [message for state in states for message in state.messages]
    pit = next(at for at, words in enumerate(messages) if "You dig a pit" in words)
    hole = next(at for at, words in enumerate(messages) if "You dig a hole through" in words)
    asked = [at for at, words in enumerate(messages) if words.startswith("What do you want to write in the dust")]
    assert asked and pit < min(asked)  # digging the pit would have wiped it out
    assert any(pit < at < hole and 'You read: "Elbereth"' in words for at, words in enumerate(messages))
    assert states[-1].stats[st.DEPTH] > 1


def test_a_hole_is_dug_away_from_water(start):
    pond = ROOM_WITH.replace("|.........|\n|.........|\n-", "|}}}......|\n|}}}......|\n-", 1)
    states, _ = played(start, pond, 1500, agent="digger", character="arc-hum")
    before = next(state for state in states if any("You dig a pit" in words for words in state.messages))
    row, col = divmod(before.cell, COLS)
    near = [before.chars[at_row * COLS + at_col] for at_row in (row - 1, row, row + 1) for at_col in (col - 1, col + 1)]
    assert ord("}") not in near
    assert "fills with water" not in said(states)


def test_a_fallen_dwarf_is_searched_for_its_pick_axe(start):
    dwarf = ROOM_WITH + "MONSTER:('h',\"dwarf\"),(4,2),hostile,asleep {\nOBJECT:('(',\"pick-axe\")\n}\n"
    states, bot = played(start, dwarf, 400, character="val-hum", seed=4)
    assert "kill the dwarf" in said(states)
    assert bot.body.hero.digger is not None


def is_dwarf(bot, cell: int) -> bool:
    return knowledge().kinds[int(bot.world.state.glyphs[cell])].name == "dwarf"


def test_a_peaceful_dwarf_is_attacked_for_its_pick_axe_by_those_who_can_afford_the_sin(start):
    both = ROOM_WITH + "MONSTER:('h',\"dwarf\"),(4,2),peaceful\nMONSTER:('G',\"gnome\"),(2,3),peaceful\n"
    _, bot = played(start, both, 30, character="val-dwa", seed=2)
    hunt, hero = Hunt(bot.body, 73), bot.body.hero
    dwarf = next(cell for cell in bot.body.foes.peaceful if is_dwarf(bot, cell))
    assert len(bot.body.foes.peaceful) == 2 and hero.guilt(bot.world) == 13
    hero.piety = 12
    assert hunt.bid(bot.world) is None
    hero.piety = 13
    offer = hunt.bid(bot.world)
    assert offer is not None and distance(offer.goal, dwarf) <= 1
    bot.journey.mines_searched = 9  # dwarves are met elsewhere, too
    assert hunt.bid(bot.world) is not None
    hero.digger = hero.weapon
    assert hunt.bid(bot.world) is None
    hero.piety = -1
    assert hero.prayer_chance(5000) < 0.1


def test_who_drove_us_over_the_stairs_is_believed_to_wait_there(start):
    _, bot = played(start, ROOM_WITH, 30, character="val-hum")
    body, lore = bot.body, knowledge()
    rothes = (lore.kinds[lore.kind_of_name["rothe"]],) * 4
    assert body.ambush_risk((0, 2)) == 0.0
    body.ambushes[0, 2] = (rothes, bot.world.turn)
    assert body.ambush_risk((0, 2)) > 0.9
    body.ambushes[0, 2] = (rothes, bot.world.turn - AMBUSH_TURNS - 1)
    assert body.ambush_risk((0, 2)) == 0.0


def asking(words: str) -> State:
    record = np.zeros((), st.RECORD)
    record["prompt"], record["message"] = st.YES_NO, words.encode()
    return State(record.tobytes(), 0)


def test_only_what_digs_is_worth_a_burden():
    assert lift(asking("You have a little trouble lifting a dwarvish mattock.  Continue? [ynq] (q)")) == "y"
    assert lift(asking("You have a little trouble lifting a plate mail.  Continue? [ynq] (q)")) == "n"


def test_what_was_too_heavy_once_is_not_walked_to_again_and_again(start):
    _, bot = played(start, ROOM_WITH, 4)
    loot, mail, tool = Loot(bot.body, 72), ((0, 1), 500, 7), ((0, 1), 501, 8)
    assert loot._lift(mail, 100, asking("You have trouble lifting a plate mail.  Continue? [ynq] (q)")) == "n"
    assert loot._lift(tool, 100, asking("You have trouble lifting a pick-axe.  Continue? [ynq] (q)")) == "y"
    assert loot._again == {mail: 100 + IN_VAIN}


def test_who_gets_nowhere_for_long_neither_loots_nor_goes_to_the_mines(start):
    _, bot = played(start, ROOM_WITH + "OBJECT:('%',\"food ration\"),(7,2)\n", 4, character="val-hum-neu-fem")
    body, world, journey = bot.body, bot.world, bot.journey
    with_stats(bot, HP=90, HP_MAX=90, EXPERIENCE=9)
    assert Loot(body, 72).bid(world) is not None and journey.wants_mines(world)
    body.desperate = True
    assert Loot(body, 72).bid(world) is None and not journey.wants_mines(world)
    world.level.key = (MINES, 3)
    assert journey.wants_mines(world)
