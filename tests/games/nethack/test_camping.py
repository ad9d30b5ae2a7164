"""The rounds of a hero that grows: over both stairs and far corners, never into a shop."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import played

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.camping import APART, POSTS, Camp, planned_round
from gridsage.games.nethack.level import COLS

HALL = """
MAZE:"hall",' '
GEOMETRY:center,center
MAP
------------------------------------------------------------
|..........................................................|
|..........................................................|
------------------------------------------------------------
ENDMAP
REGION:(1,1,58,2),lit,"ordinary"
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(40,1),down
"""


def camper(start):
    """Return a hero who walked everywhere in a long hall, on stairs up, with stairs down 39 squares away."""
    _, bot = played(start, HALL, 3, character="val-hum-neu-fem")
    world = bot.world
    world.memory[kn.TERRAIN, world.hero] = kn.UP
    world.memory[kn.WALKED] = world.memory[kn.TERRAIN] > kn.WALL
    world.stale()
    return bot, Camp(bot.body, bot.journey, bot.watchdog, 48)


def test_a_round_leads_over_both_stairs_and_to_places_far_from_them(start):
    bot, _ = camper(start)
    world = bot.world
    posts = planned_round(world)
    down = int(np.flatnonzero(world.memory[kn.TERRAIN] == kn.DOWN)[0])
    assert posts[0] == world.hero and down in posts and 2 < len(posts) <= POSTS
    between = [abs(one % COLS - other % COLS) for one in posts for other in posts if one < other]
    assert min(between) >= APART


def test_no_post_lies_in_a_shop_or_where_nobody_walked(start):
    bot, _ = camper(start)
    world = bot.world
    hero_col = world.hero % COLS
    cols = np.arange(world.memory.shape[1]) % COLS
    world.memory[kn.SHUNNED] = cols > hero_col + 45
    world.memory[kn.WALKED] *= (cols < hero_col + 10) | (cols > hero_col + 25)
    world.stale()
    others = [post % COLS - hero_col for post in planned_round(world)][1:]
    assert others and all(25 < col <= 45 for col in others)


def test_a_camper_waits_on_stairs_and_goes_on(start):
    bot, camp = camper(start)
    world = bot.world
    bot.journey.deepest = lambda _: 1
    first, second = camp.bid(world), camp.bid(world)
    assert first is not None and first.name == "camp"
    assert second is not None and second.name == "go camping" and second.goal != world.hero
    world.memory[kn.TERRAIN, world.hero] = kn.FLOOR
    camp._posts, camp._next = [world.hero, second.goal], 0
    passing = camp.bid(world)
    assert passing is not None and passing.goal == second.goal  # only stairs are waited on


def test_without_stairs_there_is_no_round(start):
    bot, camp = camper(start)
    world = bot.world
    world.memory[kn.TERRAIN, world.memory[kn.TERRAIN] == kn.DOWN] = kn.FLOOR
    world.memory[kn.TERRAIN, world.hero] = kn.FLOOR
    world.stale()
    bot.journey.deepest = lambda _: 1
    assert planned_round(world) == [] and camp.bid(world) is None


def test_nobody_commutes_to_the_only_post_that_can_be_reached(start):
    bot, camp = camper(start)
    world = bot.world
    bot.journey.deepest = lambda _: 1
    camp.bid(world)
    world.memory[kn.TERRAIN, world.hero] = kn.FLOOR
    camp._posts = [world.hero + 1]
    assert camp.bid(world) is None
    world.memory[kn.TERRAIN, world.hero + 1] = kn.UP  # stairs are worth waiting on
    assert camp.bid(world) is not None
