"""Shut in behind boulders that cannot be pushed: whoever carries nothing squeezes past."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import carried, played, said, with_stats

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.hero import TOOL
from gridsage.games.nethack.agents.squeezing import Squeeze
from gridsage.games.nethack.agents.world import STEP_OF_WAY

# Three boulders in the only way out: the first cannot be pushed.
SHUT_IN = """
MAZE:"shut",' '
GEOMETRY:center,center
MAP
-------------
|...|  |....|
|...----....|
|...........|
|...----....|
|...|  |....|
-------------
ENDMAP
REGION:(1,1,3,5),lit,"ordinary"
REGION:(8,1,11,5),lit,"ordinary"
NON_DIGGABLE:(0,0,12,6)
OBJECT:('`',"boulder"),(4,3)
OBJECT:('`',"boulder"),(5,3)
OBJECT:('`',"boulder"),(6,3)
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(11,5),down
"""


def test_a_hero_shut_in_leaves_everything_and_squeezes_past_the_boulder(start):
    states, bot = played(start, SHUT_IN, 900, character="wiz-gno-neu-fem")
    above = [state for state in states if state.stats[st.DEPTH] == 1]
    assert "However, you can squeeze" in said(above) and states[-1].stats[st.DEPTH] > 1
    assert not any(item.worn or item.wielded for item in bot.body.hero.items)
    searched = next(at for at, state in enumerate(above) if "You drop" in said([state]))
    assert above[searched].stats[st.TURN] > 300  # hidden ways come first


# A boulder in a corridor that goes on as a hidden piece: it does not budge, and the way is found from its square only.
GOES_ON = """
MAZE:"goeson",' '
GEOMETRY:center,center
MAP
-----         -----
|....#########|...|
|...|         |...|
|...|         |...|
-----         -----
ENDMAP
REGION:(1,1,3,3),lit,"ordinary"
REGION:(15,1,17,3),lit,"ordinary"
NON_DIGGABLE:(0,0,18,4)
OBJECT:('`',"boulder"),(9,1)
TERRAIN:(10,1),'H'
TERRAIN:(14,1),'.'
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(17,3),down
"""


def test_beside_the_boulder_the_hidden_piece_of_the_corridor_is_searched_for(start):
    states, _ = played(start, GOES_ON, 900, character="wiz-gno-neu-fem")
    assert "However, you can squeeze" in said(states) and states[-1].stats[st.DEPTH] > 1


def jammed(start):
    """Return somebody who has long stood before a boulder pushed at in vain, and the behaviour."""
    _, bot = played(start, SHUT_IN, 40, character="wiz-gno-neu-fem")
    world, body = bot.world, bot.body
    boulder = next(cell for cell in range(len(world.memory[0])) if world.memory[kn.OBJECT, cell] == kn.BOULDER + 1)
    assert world.jammed == (world.level.key, boulder)
    body.desperate = True
    return bot, Squeeze(body, 70)


def test_only_the_desperate_who_cannot_dig_leave_everything(start):
    bot, squeeze = jammed(start)
    assert squeeze.bid(bot.world).name == "squeeze"
    bot.body.desperate = False
    assert squeeze.bid(bot.world) is None
    bot.body.desperate, bot.body.hero.digger = True, carried("x", TOOL, "pick-axe")
    assert squeeze.bid(bot.world) is None


def test_the_boulder_is_pushed_along_its_row_and_not_past_its_corners(start):
    bot, squeeze = jammed(start)
    world, boulder = bot.world, bot.world.jammed[1]
    world.hero = boulder + STEP_OF_WAY[6]  # southwest of it
    world.stale()
    plan = squeeze.bid(world).plan()
    next(plan)
    assert world.attempt == (world.hero, 0)  # a step north first


def test_nobody_undresses_whom_a_cursed_cloak_would_hold_back(start):
    bot, squeeze = jammed(start)
    hero = bot.body.hero
    cloak = next(item for item in hero.items if "cloak" in item.name)
    hero.items = (dataclasses.replace(cloak, cursed=True),)
    assert squeeze.bid(bot.world) is None
    with_stats(bot, STRENGTH=18, CONSTITUTION=18)  # who can carry 950 may keep 100
    assert squeeze.bid(bot.world).name == "squeeze"
