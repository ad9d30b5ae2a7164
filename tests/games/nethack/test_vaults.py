"""Vaults: where they can be, and how their gold is taken."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
import pytest
from playing import ROOM_WITH, played, with_stats

from gridsage.core.game import Briefing, Budget
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.survivor import Survivor
from gridsage.games.nethack.agents.vaults import COLS_FREE, PATIENCE, ROWS_FREE, _Hunt, outline, places
from gridsage.games.nethack.level import COLS, ROWS

HIGH, ROOM, DOOR_ROW = 17, 54, 8


def drawn() -> str:
    """Return a level with a large room, a corridor from it that ends in the rock, and a vault there."""
    wall, floor = "-" * ROOM + " " * 20, "|" + "." * (ROOM - 2) + "|" + " " * 20
    rows = [list(row) for row in (wall, *[floor] * HIGH, wall)]
    rows[DOOR_ROW][ROOM - 1 : ROOM + 2] = "+##"
    for row, line in enumerate(("----", "|..|", "|..|", "----")):
        rows[3 + row][64:68] = line
    return "\n".join("".join(row) for row in rows)


VAULT = f"""
MAZE:"vault",' '
GEOMETRY:center,center
MAP
{drawn()}
ENDMAP
REGION:(1,1,{ROOM - 2},{HIGH}),lit,"ordinary"
REGION:(65,4,66,5),lit,"vault"
DOOR:open,({ROOM - 1},{DOOR_ROW})
BRANCH:(40,8,40,8),(0,0,0,0)
OBJECT:('(',"pick-axe"),(40,8)
"""


def test_the_gold_of_a_vault_that_was_heard_is_dug_for(start):
    game, state = start(VAULT, character="val-dwa", pet=False, spawn_monsters=False)
    bot = Survivor("survivor")
    bot.begin(Briefing(0, 1, ("survivor",), 7))
    before = state.stats[st.GOLD]
    for _ in range(1500):
        state = game.step(state, bot.decide(state, Budget()).action)
        plunder = bot.journey.plunder
        if bot.body.hero.digger is not None:  # the guard is heard by chance: here the hero knows
            plunder.heard.add(bot.world.level.key)
            bot.journey.explored.add(bot.world.level.key)
        if bot.world.level.key in plunder.done:
            break
    hunt = plunder._hunts[bot.world.level.key]
    assert hunt.vault is not None and not hunt.left
    assert state.stats[st.GOLD] >= before + 4 * 51  # the least that four piles hold on level 1
    assert plunder.bid(bot.world) is None and not bot.body.tunnelling


@pytest.mark.parametrize(
    ("words", "heard"), [("You hear the footsteps of a guard on patrol.", True), ("You hear it.", False)]
)
def test_a_vault_is_dug_for_once_it_was_heard_and_the_level_is_known(start, words, heard):
    _, bot = played(start, ROOM_WITH, 8, character="arc-dwa")
    world, plunder, key = bot.world, bot.journey.plunder, bot.world.level.key
    bot.journey.explored.clear()
    world.messages = (words,)
    plunder.note(world)
    assert plunder.pending() == []  # nobody has seen the level through
    bot.journey.explored.add(key)
    assert plunder.pending() == ([key] if heard else [])
    world.messages = ("You hear someone searching.",)  # the guard looks for gold that is gone
    plunder.note(world)
    assert plunder.pending() == []


def test_who_digs_for_too_long_gives_up(start):
    _, bot = played(start, ROOM_WITH, 8, character="arc-dwa")
    world, plunder, key = bot.world, bot.journey.plunder, bot.world.level.key
    plunder.heard.add(key)
    bot.journey.explored.add(key)
    plunder._hunts[key] = _Hunt(np.zeros((ROWS, COLS), np.bool_), turns=PATIENCE)
    bot.body.tunnelling, world.messages = True, ()
    plunder.note(world)
    assert plunder.pending() == [key]
    world.turn += 1
    plunder.note(world)
    assert plunder.pending() == []


def test_a_dive_waits_for_a_vault_unless_hunger_presses(start):
    _, bot = played(start, ROOM_WITH, 8, character="arc-hum")
    world, journey = bot.world, bot.journey
    journey._dived, world.turn = False, 2000  # a prayer would be heard
    journey.plunder.heard.add(world.level.key)
    journey.explored.add(world.level.key)
    assert not journey.diving(world)
    with_stats(bot, HUNGER=2)
    assert journey.diving(world)


def test_deeper_vaults_are_gone_to_first_and_the_first_level_is_not_worth_the_way(start):
    _, bot = played(start, ROOM_WITH, 8, character="arc-hum")
    world, journey = bot.world, bot.journey
    journey._dived = False
    levels = [(0, 1), (0, 2), (0, 3), (0, 40)]
    journey.explored.update(levels)
    journey.plunder.heard.update(levels)
    with_stats(bot, HP_MAX=90, EXPERIENCE=8)
    world.level.key = (0, 4)
    assert journey._vaults(world) == [(0, 2), (0, 3)] and journey.goal(world) == (0, 3)
    world.level.key = (0, 1)
    assert journey.goal(world) is None  # here is one, and it comes first


def test_a_vault_keeps_its_distance_from_rooms_and_tunnels():
    nothing, rooms = np.zeros((ROWS, COLS), np.bool_), np.zeros((ROWS, COLS), np.bool_)
    rooms[10, 40] = True
    found = places(nothing, rooms)
    for row, col, free in (
        (10 + ROWS_FREE, 40, False),
        (10 + ROWS_FREE + 1, 40, True),
        (10, 40 + COLS_FREE, False),
        (10, 40 + COLS_FREE + 1, True),
        (10 - ROWS_FREE - 1, 40, False),
        (10 - ROWS_FREE - 2, 40, True),
        (10, 40 - COLS_FREE - 1, False),
        (10, 40 - COLS_FREE - 2, True),
    ):
        assert found[row, col] == free, (row, col)
    dug = nothing.copy()
    dug[5, 20] = True  # a square of rock that was dug is no part of a vault, nor of its walls
    found = places(dug, nothing)
    assert not found[3:7, 18:22].any() and found[7, 20] and found[2, 20] and found[5, 22] and found[5, 17]
    inside, walls = outline(5 * COLS + 20)
    assert len(inside) == 4 and len(walls) == 12 and not inside & walls


def test_a_room_that_comes_into_sight_is_no_vault(start):
    _, bot = played(start, ROOM_WITH, 8, character="arc-dwa")
    world, plunder = bot.world, bot.journey.plunder
    hunt = _Hunt((world.memory[kn.TERRAIN] > kn.STONE).reshape(ROWS, COLS))
    opening = 5 * COLS + 60
    hunt.opened.add(opening)
    world.memory[kn.TERRAIN, opening] = kn.DOORWAY
    for cell in range(opening + 1, opening + 4):  # three squares in a row: too long
        world.memory[kn.TERRAIN, cell] = kn.FLOOR
    plunder._look(world, hunt)
    assert hunt.vault is None and hunt.rooms[5, 62] and not hunt.opened
    hunt = _Hunt(np.zeros((ROWS, COLS), np.bool_))
    hunt.rooms[...] = (world.memory[kn.TERRAIN] > kn.STONE).reshape(ROWS, COLS)
    opening = 15 * COLS + 60
    hunt.opened.add(opening)
    world.memory[kn.TERRAIN, opening] = kn.DOORWAY
    for cell in (opening + 1, opening + 2, opening + COLS + 1, opening + COLS + 2):
        world.memory[kn.TERRAIN, cell] = kn.FLOOR
    plunder._look(world, hunt)
    assert hunt.vault == opening + 1 and hunt.left == outline(opening + 1)[0]
