"""What once kept heroes on one level for thousands of turns, and what made divers stop half-way."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import CORRIDOR_WITH, ROOM_WITH, carried, played, said, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.arms import distance
from gridsage.games.nethack.agents.behaviours import ESCAPE, LOOK_AGAIN, Search
from gridsage.games.nethack.agents.dialogue import Phrase
from gridsage.games.nethack.agents.digging import SHUT_IN, STROKES, DigDown, is_inside
from gridsage.games.nethack.agents.eyes import BOUT, PATIENCE, Eyes
from gridsage.games.nethack.agents.gear import Equip
from gridsage.games.nethack.agents.hero import FOOD, TOOL, WAND, WEAPON
from gridsage.games.nethack.agents.hunting import Hunt
from gridsage.games.nethack.agents.journey import BRANCH_TURNS, OUT_OF_DEPTH
from gridsage.games.nethack.agents.living import FAINTING, FED_LAST, WEAK, Worship
from gridsage.games.nethack.agents.personality import load
from gridsage.games.nethack.agents.shops import AWAY, PAY_AGAIN, WAITED, LeaveShop
from gridsage.games.nethack.agents.survivor import DARING, Survivor
from gridsage.games.nethack.agents.tactics import BREAK_PEACE
from gridsage.games.nethack.agents.watchdog import ANYTHING, SHAKE, VAIN
from gridsage.games.nethack.agents.world import (
    BLIND,
    CONFUSED,
    MINES,
    SHUNNED_DOOR,
    STEP_OF_WAY,
    STUNNED,
    WAY_OF_KEY,
)
from gridsage.games.nethack.level import CELLS, COLS

DWARF = ROOM_WITH + "MONSTER:('h',\"dwarf\"),(4,1),peaceful,asleep\n"
WATCHED = DWARF + "MONSTER:('@',\"watchman\"),(8,3),peaceful\n"


@pytest.mark.parametrize(("des", "level", "hunted"), [(DWARF, 2, 1), (DWARF, 4, 1), (WATCHED, 4, 0), (WATCHED, 5, 1)])
def test_dwarves_are_hunted_on_all_levels_of_the_mines_unless_the_watch_was_seen(start, des, level, hunted):
    _, bot = played(start, des, 30, character="val-dwa", seed=2)
    assert len(bot.body.foes.peaceful) == des.count("MONSTER") and not bot.body.foes.hostile
    bot.body.hero.piety = 50
    with_stats(bot, HP=60, HP_MAX=60)
    bot.world.level.key = (MINES, level)
    assert (Hunt(bot.body, 73).bid(bot.world) is not None) == bool(hunted)


def test_a_healer_puts_a_dwarf_to_sleep_once_and_strikes_then(start):
    _, bot = played(start, DWARF, 12, character="hea-gno", seed=2)
    hunt, hero, world = Hunt(bot.body, 73), bot.body.hero, bot.world
    dwarf = bot.body.foes.peaceful[0]
    world.hero = dwarf - 2
    with_stats(bot, HP=11, HP_MAX=11)
    hero.items = ()
    assert hunt.bid(world) is None  # too weak for a fight
    hero.items = (carried("d", WAND, "sleep"),)
    bot.body.free_run = lambda way: 20  # the ray does not come back
    command = next(hunt.bid(world).plan())
    assert command.keys == "z" and ("direction", "l") in command.replies
    assert hunt.bid(world).goal == dwarf - 1  # it sleeps: the way to it
    bot.body.free_run = lambda way: 3
    assert Hunt(bot.body, 73).bid(world).goal == dwarf - 1


def test_those_at_home_in_the_mines_go_there_soon_and_search_more_of_them(start):
    for character, levels in (("wiz-gno", 5), ("wiz-hum", 2)):
        _, bot = played(start, ROOM_WITH, 8, character=character)
        with_stats(bot, HP_MAX=18, ARMOUR=8)
        assert bot.journey.wants_mines(bot.world) == (character == "wiz-gno")
        with_stats(bot, HP_MAX=42)
        assert bot.journey.mine_levels(bot.world) == levels


def test_under_a_boulder_another_square_is_dug(start):
    _, bot = played(start, ROOM_WITH, 8, character="arc-dwa")
    bot.world.messages = ("There isn't enough room to dig in here.",)
    bot.journey.note(bot.world)
    assert (bot.world.level.key, bot.world.hero) in bot.journey.hard_squares


def at_gap(bot, words: str = "You are carrying too much to get through.", step: int = COLS + 1) -> None:
    """Let the world say that a step, to the southeast, was refused because of our load."""
    world = bot.world
    world.attempt, world.attempt_turn = (world.hero, STEP_OF_WAY.index(step)), world.turn
    world.messages = (words,)
    world._judge_attempt(False)


def test_a_gap_that_is_too_tight_is_dug_wider(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world = bot.world
    dig = DigDown(bot.body, bot.journey, 74)
    bot.body.hero.digger = carried("y", TOOL, "pick-axe")
    world.memory[kn.TERRAIN, [world.hero + 1, world.hero + COLS]] = kn.WALL
    at_gap(bot)
    offer = dig.bid(world)
    assert offer.name == "widen" and ("direction", "l") in next(offer.plan()).replies
    for _ in range(STROKES):
        offer = dig.bid(world)
    assert offer is None  # it is too hard
    at_gap(bot)
    dig = DigDown(bot.body, bot.journey, 74)
    assert dig.bid(world) is not None
    world.memory[kn.TERRAIN, world.hero + 1] = kn.CORRIDOR
    assert dig.bid(world) is None and not world.is_at_gap()
    at_gap(bot, "However hard you push.  Perhaps that's why you cannot move past it.", 1)
    world.memory[kn.OBJECT, world.hero + 1] = kn.BOULDER + 1
    assert ("direction", "l") in next(dig.bid(world).plan()).replies
    world.memory[kn.OBJECT, world.hero + 1] = 0
    assert dig.bid(world) is None


def test_before_a_gap_ballast_is_dropped_and_the_step_tried_again(start):
    _, bot = played(start, ROOM_WITH, 40, character="val-hum-neu-fem")
    world, hero = bot.world, bot.body.hero
    spear = carried("x", WEAPON, "lance")
    hero.items = (*hero.items, spear)
    at_gap(bot)
    offer = Equip(bot.body, 78).change(world)
    assert offer.name == "drop" and offer.goal == ord("x")
    assert not world.is_at_gap() and not world.memory[kn.BLOCKED, world.hero]


def test_before_a_gap_that_nothing_else_leads_past_what_can_be_spared_is_dropped(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    sword, daggers, ration = (
        carried("a", WEAPON, "long sword"),
        carried("d", WEAPON, "dagger"),
        carried("f", FOOD, "food ration"),
    )
    held = replace(sword, notes=" (weapon in hand)")
    bot.body.hero.items, bot.body.hero.missiles = (held, replace(daggers, count=3), ration), (daggers,)
    equip = Equip(bot.body, 78)
    at_gap(bot)
    offer = equip.change(bot.world)
    assert offer is None or offer.name != "drop"
    bot.body.walled_in = True
    assert (offer := equip.change(bot.world)).name == "drop" and chr(offer.goal) == "d"


def test_the_desperate_before_a_gap_drop_their_food_and_what_nobody_knows(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    ration, scroll = carried("f", FOOD, "food ration"), replace(carried("s", WAND, "sleep"), number=-1)
    bot.body.hero.items = (ration, scroll)
    equip, bot.body.walled_in = Equip(bot.body, 78), True
    at_gap(bot)
    offer = equip.change(bot.world)
    assert offer is None or offer.name != "drop"
    bot.body.desperate = True
    for thing in (ration, scroll):  # the heavier first
        at_gap(bot)
        offer = equip.change(bot.world)
        assert (offer.name, offer.goal) == ("drop", ord(thing.letter))
        bot.body.hero.items = tuple(item for item in bot.body.hero.items if item is not thing)


def test_ways_lead_over_traps_where_searching_found_no_other(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    assert bot.world.brave == 0
    bot.world.level.searched_turns = DARING
    bot._take_in(bot.world.state)
    assert bot.world.brave == 1


def test_walking_counts_as_searching_for_the_mines(start):
    _, bot = played(start, ROOM_WITH, 8, character="pri-hum-neu-fem")
    journey, world = bot.journey, bot.world
    with_stats(bot, HP_MAX=60, EXPERIENCE=4)
    world.level.key, world.level.depth = (0, 4), 4
    world.levels = {(0, 4): world.level, **{(0, at): type(world.level)((0, at), at) for at in (2, 3)}}
    journey.explored = {(0, 2), (0, 3), (0, 4)}
    journey.note(world)
    assert journey.is_searching(world)
    world.turn += BRANCH_TURNS
    journey.note(world)
    assert not journey.is_searching(world) and journey.goal(world) == (0, 3)


@pytest.mark.parametrize(
    ("role", "deeper", "dives"),
    [("ran-hum", OUT_OF_DEPTH, False), ("ran-hum", OUT_OF_DEPTH + 1, True), ("sam-hum", OUT_OF_DEPTH + 1, False)],
)
def test_who_can_dig_and_is_far_too_deep_dives_for_good_unless_strong(start, role, deeper, dives):
    _, bot = played(start, ROOM_WITH, 8, character=role)
    journey, world = bot.journey, bot.world
    with_stats(bot, EXPERIENCE=5, HP_MAX=60, HP=20)
    bot.body.hero.digger = carried("y", TOOL, "pick-axe")
    depth = journey.deepest(world) + deeper
    world.level.key, world.level.depth = (0, depth), depth
    assert journey.diving(world) == dives == journey._dived


def test_the_weak_wait_with_their_prayer_while_they_fight(start):
    _, bot = played(start, ROOM_WITH + "MONSTER:('d',\"jackal\"),(3,1),hostile\n", 6, character="val-hum-neu-fem")
    world, worship = bot.world, Worship(bot.body, 95)
    world.turn, bot.body.hero.fed = 2000, FED_LAST + 1
    with_stats(bot, HUNGER=WEAK)
    assert not bot.body.is_quiet() and worship.bid(world) is None
    bot.body.hero.fed = FED_LAST
    assert worship.bid(world).name == "pray"
    bot.body.hero.fed = FED_LAST + 1  # something was eaten
    assert worship.bid(world) is None
    with_stats(bot, HUNGER=FAINTING)
    assert worship.bid(world).name == "pray"


def test_holy_water_burns_the_chaotic_and_cures_once(start):
    _, bot = played(start, ROOM_WITH, 8, character="pri-elf-cha")
    hero, worship = bot.body.hero, Worship(bot.body, 95)
    hero.feverish = True
    hero.prayed = bot.world.turn
    assert any("holy water" in item.name for item in hero.items)
    with_stats(bot, ALIGNMENT=0)
    assert worship.bid(bot.world).name == "cure"
    with_stats(bot, ALIGNMENT=-1)
    sprig = any(item.name == "sprig of wolfsbane" for item in hero.items)
    assert (worship.bid(bot.world) is not None) == sprig
    bot.world.messages = ("This burns like acid!  Your affinity to wererats disappears!",)
    hero._listen(bot.world)
    assert not hero.feverish


def test_the_maps_edge_is_never_dug():
    inside = np.array([is_inside(cell) for cell in range(21 * COLS)]).reshape(21, COLS)
    assert not inside[:2].any() and not inside[20].any() and not inside[:, :3].any() and not inside[:, -2:].any()
    assert inside[2, 3] and inside[19, COLS - 3]


@pytest.mark.parametrize(
    ("kind", "effort", "hp", "digs"),
    [
        (("M", "dwarf mummy"), 244, 20, True),
        (("M", "dwarf mummy"), 60, 20, False),
        (("M", "dwarf mummy"), 230, 200, False),
        (("@", "Grey-elf"), 244, 20, False),
    ],
    ids=["nearly through", "far from it", "a fight that is won", "one who strikes in every turn lets nobody dig"],
)
def test_a_hole_that_is_nearly_through_is_finished_where_foes_leave_the_time(start, kind, effort, hp, digs):
    letter, name = kind
    foe = f"MONSTER:('{letter}',\"{name}\"),(2,1),hostile,asleep\n"
    _, bot = played(start, ROOM_WITH + foe, 4, character="arc-hum-neu-mal")
    body, world = bot.body, bot.world
    body.hero.race, bot.journey._dived, body.diving = "human", True, True
    body.hero.role = "kni"  # of common speed
    body.muted["write the word"] = 1 << 30
    body.pit = (world.level.key, world.hero)
    with_stats(bot, HP=hp, HP_MAX=max(20, hp))
    body.foes.update(world)
    body.begin_stroke()
    body.effort = effort
    assert (bot.tactics.bid(world).name == "dig on") == bool(digs)


def test_the_effort_of_digging_is_followed(start):
    _, bot = played(start, ROOM_WITH, 4, character="arc-hum-neu-mal")
    body, world = bot.body, bot.world
    whole = body.turns_to_hole()
    assert 12 < whole < 20  # Archeologists are fast
    body.begin_stroke()
    world.turn += 3
    body.update()
    assert body.turns_to_hole() == pytest.approx(whole - 2.25, abs=0.5)  # of four moves one only began to dig
    body.begin_stroke()
    world.turn += 1
    left = body.turns_to_hole()
    body.update()  # somebody struck before the first stroke
    assert body.turns_to_hole() == left
    left = body.turns_to_hole()
    world.turn += 4
    body.update()  # nothing is dug meanwhile
    assert body.turns_to_hole() == left
    world.hero += 1
    assert body.turns_to_hole() == whole


def test_a_pit_is_an_end_and_the_hole_in_it_is_begun_anew(start):
    _, bot = played(start, ROOM_WITH, 4, character="arc-hum-neu-mal")
    body, world = bot.body, bot.world
    whole = body.turns_to_hole()
    body.begin_stroke()
    world.turn += 4
    world.messages = ("You start digging downward.", "You dig a pit in the floor.")
    body.update()
    assert body.turns_to_hole() == whole


def test_the_effort_of_dwarves_doubles_with_each_stroke(start):
    _, bot = played(start, ROOM_WITH, 4, character="arc-dwa")
    bot.body.hero.race = "dwarf"
    assert bot.body.turns_to_hole() == pytest.approx(4 / bot.body.hero.speed())


def test_a_shopkeeper_before_the_door_is_paid_and_waited_for(start, monkeypatch):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world, leave = bot.world, LeaveShop(bot.body, 70)
    assert leave.bid(world) is None
    world.memory[kn.SHUNNED, world.paths() < kn.FAR] = 1
    world.stale()
    assert leave.bid(world) is None  # nobody is in sight
    monkeypatch.setattr(leave, "_keeper", lambda world: world.hero + 4)
    assert leave.bid(world).goal == world.hero + 1  # three steps from him in his row
    monkeypatch.setattr(leave, "_keeper", lambda world: world.hero + 1)
    offer = leave.bid(world)  # one step from him in his row nothing moves him
    assert offer.name == "to the keeper" and distance(offer.goal, world.hero) == 1
    monkeypatch.setattr(leave, "_keeper", lambda world: world.hero + 2)
    assert [leave.bid(world).name for _ in range(2)] == ["pay", "wait for the keeper"]
    world.turn += PAY_AGAIN
    assert leave.bid(world).name == "pay"
    names = []
    for _ in range(WAITED + 3):
        world.turn += 1
        names.append(leave.bid(world).name)
    assert names[-1] == "stand back"  # something may bar the door, and comes after us
    world.turn += AWAY
    world.memory[kn.SHUNNED, world.hero + 2] = 0  # the way out is free
    assert leave.bid(world) is None


def test_an_eye_in_the_only_way_is_driven_along_with_the_word(start):
    eye = CORRIDOR_WITH + "MONSTER:('e',\"floating eye\"),(2,1),hostile\n"
    _, bot = played(start, eye, 4, character="val-hum-neu-fem")
    body, world = bot.body, bot.world
    eyes = Eyes(body, 93)
    assert eyes.drive(world) is None  # there may be other ways
    body.walled_in = True
    assert eyes.drive(world) is None  # the dagger is thrown first
    body.hero.items, body.hero.missiles = (), []
    assert eyes.drive(world).name == "write the word"
    assert eyes.drive(world).name == "read the word"
    assert eyes.drive(world).name == "write the word"  # misspelt
    body.elbereth = (world.level.key, world.hero)
    assert eyes.drive(world).name == "drive away"
    world.turn += BOUT
    assert eyes.drive(world).name == "read the word"
    world.turn += PATIENCE
    assert eyes.drive(world) is None
    body.foes.hostile[0].distance, body.foes.hostile[0].cell = 2, world.hero + 2
    world.memory[kn.MONSTER] = 0
    assert eyes.drive(world).name == "follow"


def test_where_the_floor_is_too_hard_and_no_way_leads_on_the_walls_are_dug(start):
    _, bot = played(start, ROOM_WITH, 8, character="arc-hum-neu-mal")
    world, dig = bot.world, DigDown(bot.body, bot.journey, 74)
    bot.journey.hard_floors.add(world.level.key)
    assert dig.bid(world) is None
    bot.body.walled_in = True
    ways = []
    while (offer := dig.bid(world)) is not None:
        ways.append(dict(next(offer.plan()).replies)["direction"])
        world.messages = ("This wall is too hard to dig into.",)
    assert 1 <= len(ways) == len(set(ways))  # each wall once
    world.messages = ()
    world.memory[kn.OBJECT, world.hero + 1] = kn.BOULDER + 1
    assert dig.bid(world).name == "burrow"


def test_who_can_dig_leaves_a_vault_through_the_floor(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world, dig = bot.world, DigDown(bot.body, bot.journey, 74)
    bot.body.hero.digger = carried("y", TOOL, "pick-axe")
    vault = [world.hero, world.hero + 1, world.hero + COLS, world.hero + COLS + 1]
    world.memory[kn.TERRAIN] = kn.WALL
    world.memory[kn.TERRAIN, vault] = kn.FLOOR
    world.stale()
    assert dig.bid(world) is None  # its gold comes first
    world.turn += SHUT_IN
    assert dig.bid(world).name == "dig down"
    world.memory[kn.TERRAIN, world.hero + 2] = kn.DOORWAY
    world.stale()
    assert dig.bid(world) is None


def test_the_desperate_throw_what_they_have_at_an_eye_before_they_strike_it(start):
    eye = CORRIDOR_WITH + "MONSTER:('e',\"floating eye\"),(2,1),hostile\n"
    _, bot = played(start, eye, 4, character="val-hum-neu-fem")
    body, world = bot.body, bot.world
    body.walled_in = body.desperate = True
    assert bot.tactics._clear_way(world).name == "shoot"
    body.hero.items, body.hero.missiles = (), []
    body.muted["write the word"] = 1 << 30
    world.turn += PATIENCE
    bot.tactics._eyes.drive(world)
    world.turn += PATIENCE + 1
    assert bot.tactics._clear_way(world).name == "fight"


def test_a_cursor_left_open_is_closed(start):
    states, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    assert bot._next_key(states[-1]) != ESCAPE
    words = "Unknown direction: 's' (use 'h', 'j', 'k', 'l' or '.')."
    assert bot._next_key(SimpleNamespace(prompt=0, messages=(words,))) == ESCAPE


def test_whoever_is_about_to_give_up_strikes_at_the_peaceful_in_the_way(start):
    blob = CORRIDOR_WITH + "MONSTER:('b',\"acid blob\"),(2,1),peaceful,asleep\n"
    _, bot = played(start, blob, 8, character="val-hum-neu-fem")
    tactics, world = bot.tactics, bot.world
    assert bot.body.foes.peaceful == [world.hero + 1] and tactics.bid(world) is None
    bot.body.desperate = True
    offer = tactics.bid(world)
    assert offer is not None and (offer.name, offer.goal) == (BREAK_PEACE, world.hero + 1)
    assert next(offer.plan()) == Phrase("Fl", (("Really attack", "y"),))
    bot.body.muted[BREAK_PEACE] = world.turn + 1
    assert tactics.bid(world) is None


def test_nobody_ever_strikes_at_a_watchman(start):
    watchman = CORRIDOR_WITH + "MONSTER:('@',\"watchman\"),(2,1),peaceful,asleep\n"
    _, bot = played(start, watchman, 8, character="val-hum-neu-fem")
    bot.body.desperate = True
    assert bot.body.foes.peaceful == [bot.world.hero + 1] and bot.tactics.bid(bot.world) is None


def test_a_peaceful_monster_in_the_only_way_is_passed_in_the_end(start, monkeypatch):
    blob = CORRIDOR_WITH + "MONSTER:('b',\"acid blob\"),(2,1),peaceful,asleep\n"
    survivor = sys.modules[Survivor.__module__]
    monkeypatch.setattr(survivor, "DESPERATE", 30)
    states, _ = played(start, blob, 500, character="val-hum-neu-fem")
    assert "You kill the acid blob" in said(states) and "You descend the stairs" in said(states)


def test_whoever_is_about_to_give_up_does_not_run_to_stairs(start):
    rothe = ROOM_WITH + "STAIR:(9,3),down\nMONSTER:('q',\"rothe\"),(4,2),hostile,asleep\n"
    _, bot = played(start, rothe, 8, character="val-hum-neu-fem")
    flight, world = bot.tactics._flight, bot.world
    foes = bot.body.foes.hostile
    assert foes and flight.to_stairs(world, foes).name == "to the stairs"
    bot.body.desperate = True
    assert flight.to_stairs(world, foes) is None


@pytest.mark.parametrize(("cell", "key"), [(CELLS - 20, "j"), (20, "k")])
def test_a_step_over_the_edge_of_the_map_is_not_tried_again(start, cell, key):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world, way = bot.world, WAY_OF_KEY[ord(key)]
    world.hero, world.attempt, world.attempt_turn = cell, (cell, way), world.turn
    world._judge_attempt(moved=False)
    assert world.memory[kn.BLOCKED, cell] & 1 << way


def test_a_search_in_vain_is_no_progress_whoever_comes_to_be_killed(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world, watchdog = bot.world, bot.watchdog
    world.level.vain_turns = 0
    for searched in (100, 100, 100):
        world.level.vain_turns += searched
        with_stats(bot, POINTS=world.stats[st.POINTS] + 20)
        watchdog.watch(world)
    assert world.turn - watchdog._progress_turn == 0
    assert watchdog.quiet_turns(world) == 300 * VAIN
    world.update(world.state)  # nothing new to see
    assert watchdog.quiet_turns(world) == 300 * VAIN
    world.level.before[:] = kn.MAP  # as if all were new
    world.memory[kn.TERRAIN] = kn.UNKNOWN
    world.update(world.state)
    assert world.new_squares and watchdog.quiet_turns(world) == 0


def test_an_eye_out_of_sight_bars_no_way_for_ever(start):
    _, bot = played(start, CORRIDOR_WITH, 4, character="val-hum-neu-fem")
    world, search = bot.world, Search(load("survivor"))
    assert world.paths()[world.hero + 3] < kn.FAR
    world.memory[kn.MONSTER, world.hero + 1] = kn.FLOATING_EYE + 1
    world.stale()
    bouts = 0
    while world.paths()[world.hero + 3] >= kn.FAR:
        search._bout = (world.level.key, world.hero, world.turn)
        world.turn += kn.BOUT
        search.bid(world)
        bouts += 1
    assert bouts * kn.BOUT == pytest.approx(LOOK_AGAIN, abs=kn.BOUT)


def test_the_door_of_a_closed_shop_is_dared_last_of_all(start):
    _, bot = played(start, ROOM_WITH, 8, character="val-hum-neu-fem")
    world, watchdog, door = bot.world, bot.watchdog, bot.world.hero + 1
    world.memory[kn.TERRAIN, door] = kn.LOCKED_DOOR
    world.messages = ('Something is written here in the dust.  You read: "?c".',)
    world._read_messages()
    assert world.memory[kn.SHUNNED, door] == SHUNNED_DOOR
    for quiet, shunned in ((SHAKE, True), (ANYTHING, False)):
        watchdog._progress_turn = world.turn - quiet
        watchdog._climb(world, quiet)
        assert bool(world.memory[kn.SHUNNED, door] == SHUNNED_DOOR) is shunned


def test_who_reels_beside_the_peaceful_takes_no_step(start):
    _, bot = played(start, DWARF, 30, character="val-dwa", seed=2)
    state, world = bot.world.state, bot.world
    world.hero = bot.body.foes.peaceful[0] - 1
    step = ord("h")  # away from the dwarf
    assert bot._checked(step, state) == step
    for condition, waits in ((STUNNED, True), (CONFUSED, True), (BLIND, False)):
        with_stats(bot, CONDITION=condition)
        reeling = SimpleNamespace(stats=world.stats, prompt=state.prompt, glyphs=state.glyphs, messages=())
        assert (bot._checked(step, reeling) == ord("s")) is waits
    world.hero -= 1  # two steps away
    with_stats(bot, CONDITION=STUNNED)
    reeling = SimpleNamespace(stats=world.stats, prompt=state.prompt, glyphs=state.glyphs, messages=())
    assert bot._checked(step, reeling) == step


@pytest.mark.parametrize(("exhausted", "quiet", "falls"), [(True, 300, True), (False, 300, False), (False, 1000, True)])
def test_whoever_is_back_in_a_dead_end_soon_takes_the_hole(start, exhausted, quiet, falls):
    _, bot = played(start, ROOM_WITH, 4, character="val-hum-neu-fem")
    world, watchdog = bot.world, bot.watchdog
    world.memory[kn.TRAP, world.hero + 2] = kn.HOLE
    world.level.exhausted, watchdog._progress_turn = exhausted, world.turn - quiet
    watchdog._steps_done.update(("shake", "stairs", "kick"))
    offer = watchdog.bid(world)
    assert (offer is not None and offer.name == "fall") is falls
