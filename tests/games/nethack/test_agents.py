"""Behaviours in the real game on small levels, and the watchdog where there is no way out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import SHOP

from gridsage.core.game import Briefing, Budget
from gridsage.games.nethack import ROOM
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.bot import Bot

CELL = """
MAZE:"cell",' '
GEOMETRY:center,center
MAP
-----
|...|
|...|
-----
ENDMAP
REGION:(1,1,3,2),lit,"ordinary"
BRANCH:(1,1,1,1),(0,0,0,0)
"""
PEACE = """
MAZE:"peace",' '
GEOMETRY:center,center
MAP
-----------
|.........|
|.........|
-----------
ENDMAP
REGION:(1,1,9,2),lit,"ordinary"
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(9,1),down
MONSTER:('@',"watchman"),(5,1),peaceful,asleep
"""
UNDER_A_THING = """
MAZE:"under",' '
GEOMETRY:center,center
MAP
-----------
|.........|
|.........|
-----------
ENDMAP
REGION:(1,1,9,2),lit,"ordinary"
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(9,1),down
OBJECT:('[',"plate mail"),(9,1)
"""


DEAD_END = """
MAZE:"above",' '
GEOMETRY:center,center
MAP
-----
|...|
|...|
-----
ENDMAP
REGION:(1,1,3,2),lit,"ordinary"
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(3,1),down
MAZE:"below",' '
GEOMETRY:center,center
MAP
-----
|...|
|...|
-----
ENDMAP
REGION:(1,1,3,2),lit,"ordinary"
STAIR:(1,1),up
"""


def until_the_level_is_left(start, level: str, bot: Bot, most: int = 900, **options):
    settings = {"spawn_monsters": False, "pet": False} | options
    game, state = start(level, **settings)
    while game.outcome(state) is None and state.stats[st.DUNGEON_LEVEL] == 1 and state.step < most:
        state = game.step(state, bot.decide(state, Budget()).action)
    return game, state


def test_where_there_is_no_way_out_the_watchdog_tries_everything_and_gives_up_with_a_reason(start):
    bot = Bot()
    game, state = until_the_level_is_left(start, CELL, bot, most=5000)
    assert game.outcome(state).reason == "stuck: gave up, no progress"
    assert "turns without a new square" in bot.watchdog.reason
    assert bot.watchdog.escalations >= 5
    assert state.stats[st.TURN] < 1500


def test_from_a_dead_end_the_bot_goes_back_up(start):
    game, state = start(DEAD_END, spawn_monsters=False, pet=False)
    bot = Bot()
    while game.outcome(state) is None and state.step < 3000:
        state = game.step(state, bot.decide(state, Budget()).action)
    above, below = game.report().levels[:2]
    assert (above.depth, below.depth) == (1, 2)
    assert above.visits >= 2, "it searched the cell in vain and climbed"
    assert bot.world.levels[0, 2].exhausted
    assert game.outcome(state).reason.startswith("stuck")


def test_a_peaceful_monster_is_walked_around(start):
    _, state = until_the_level_is_left(start, PEACE, Bot())
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert state.stats[st.POINTS] == 0, "nobody was killed"


def test_a_shop_is_looked_into_and_left_alone(start):
    bot = Bot()
    _, state = until_the_level_is_left(start, SHOP, bot)
    assert state.stats[st.DUNGEON_LEVEL] == 2
    shop = bot.world.levels[0, 1]
    inside = shop.memory[kn.SHUNNED] == 1
    assert inside.sum() >= 12
    assert shop.memory[kn.WALKED][inside].sum() <= 2, "no further than the shopkeeper's greeting"
    assert len(state.pack) == 4


def test_the_street_before_a_shop_is_no_part_of_it(start):
    bot = Bot()
    until_the_level_is_left(start, SHOP.replace("+#####+", "+.....+"), bot)
    memory = bot.world.levels[0, 1].memory
    assert (memory[kn.SHUNNED] == 1).sum() >= 12
    walked = (memory[kn.SHUNNED] == 0) & (memory[kn.WALKED] > 0) & (memory[kn.TERRAIN] == kn.FLOOR)
    assert walked.sum() > 5


def test_stairs_under_a_thing_are_found(start):
    bot = Bot()
    _, state = until_the_level_is_left(start, UNDER_A_THING, bot)
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert state.stats[st.TURN] < 40


def test_stairs_under_a_boulder_are_found_once_searching_has_led_nowhere(start):
    level = UNDER_A_THING.replace("(9,1)", "(7,1)").replace("('[',\"plate mail\")", "('`',\"boulder\")")
    _, state = until_the_level_is_left(start, level, Bot())
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert 60 <= state.stats[st.TURN] < 150


def test_a_diver_goes_down_before_it_has_seen_everything(start):
    game, _ = until_the_level_is_left(start, ROOM.levels.text("06_dark"), Bot("diver"))
    level = game.report().levels[0]
    assert level.left_down and level.squares_seen < level.squares


def test_the_same_seed_gives_the_same_keys(start):
    def keys() -> list[int]:
        bot = Bot()
        bot.begin(Briefing("nethack", None, 0, 7))
        game, state = start(seed=11)
        pressed = []
        while game.outcome(state) is None and state.step < 400:
            pressed.append(bot.decide(state, Budget()).action)
            state = game.step(state, pressed[-1])
        return pressed

    assert keys() == keys()


def test_a_question_nobody_expected_is_left_and_counted(start):
    game, state = start(ROOM.levels.text("01_door"), pet=False, spawn_monsters=False)
    bot = Bot()
    state = game.step(state, ord("C"))  # the game asks what to call
    assert state.prompt != st.NO_PROMPT
    for _ in range(5):
        if state.prompt == st.NO_PROMPT:
            break
        state = game.step(state, bot.decide(state, Budget()).action)
    assert state.prompt == st.NO_PROMPT
    assert bot.prompts.unread >= 1


@pytest.mark.parametrize("character", ["val-dwa", "wiz", "tou", "@"])
def test_any_character_can_be_played(start, character):
    game, state = start(character=character, seed=3)
    bot = Bot()
    while game.outcome(state) is None and state.step < 60:
        state = game.step(state, bot.decide(state, Budget()).action)
    assert state.stats[st.TURN] > 20 or game.outcome(state) is not None
