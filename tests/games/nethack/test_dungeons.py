"""The report's test dungeons, each with a known answer, played by the bot in the real game."""

from __future__ import annotations

import pytest

from gridsage.core.errors import LevelError
from gridsage.core.game import Budget
from gridsage.games.nethack import ROOM
from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.baseline import Baseline
from gridsage.games.nethack.agents.bot import Bot

MOST_KEYS = 1500


def explored(start, name: str, bot=None, seed: int = 1):
    """The bot, the state and the referee's count of the first level when the bot has left it."""
    bot = bot or Bot()
    game, state = start(ROOM.levels.text(name), seed=seed, spawn_monsters=False, pet=False)
    while game.outcome(state) is None and state.stats[st.DUNGEON_LEVEL] == 1 and state.step < MOST_KEYS:
        state = game.step(state, bot.decide(state, Budget()).action)
    return bot, state, game.report()


def test_facing_a_door_the_bot_opens_one_and_breaks_the_locked_one(start):
    _, state, report = explored(start, "01_door")
    level = report.levels[0]
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert (level.closed_doors, level.closed_doors_opened, level.doors_seen) == (2, 2, 2)
    assert not level.secret_needed


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hidden_door_is_found(start, seed):
    _, state, report = explored(start, "02_hidden", seed=seed)
    level = report.levels[0]
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert level.secret_needed and (level.secret_doors, level.secret_doors_found) == (1, 1)
    assert (level.open_squares, level.squares) == (15, 38)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_secret_door_of_a_row_of_rooms_is_found(start, seed):
    _, state, report = explored(start, "05_secrets", seed=seed)
    level = report.levels[0]
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert (level.secret_doors, level.secret_doors_found) == (4, 4)


def test_a_dark_room_is_walked_until_every_square_was_seen(start):
    _, state, report = explored(start, "06_dark")
    level = report.levels[0]
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert (level.squares, level.squares_seen) == (140, 140)


def test_a_maze_is_explored_to_its_last_dead_end(start):
    _, state, report = explored(start, "07_maze")
    level = report.levels[0]
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert (level.squares, level.squares_seen) == (179, 179)


def test_a_boulder_in_the_only_corridor_is_pushed_out_of_the_way(start):
    _, state, report = explored(start, "08_boulder")
    assert state.stats[st.DUNGEON_LEVEL] == 2
    assert report.levels[0].squares_seen == report.levels[0].squares == 41


def test_the_way_between_two_rooms_is_the_shortest(start):
    bot, _, report = explored(start, "04_ways")
    level = bot.world.levels[0, 1]
    up = int((level.memory[kn.TERRAIN] == kn.UP).argmax())
    down = int((level.memory[kn.TERRAIN] == kn.DOWN).argmax())
    bot.world.level, bot.world.hero, bot.world.brave = level, up, 0
    bot.world.stale()
    # Eighteen columns to the east on the same row; by the northern corridor it would be 24.
    assert bot.world.paths()[down] == 18
    assert report.levels[0].squares_seen == report.levels[0].squares


def test_a_fall_never_makes_a_level_twice(start):
    """The report's open problem: fall, climb the stairs, and the level above is the one we know."""
    game, state = start(ROOM.levels.text("03_falls"), seed=1, spawn_monsters=False, pet=False)
    bot = Bot()
    while state.stats[st.DUNGEON_LEVEL] == 1:
        state = game.step(state, bot.decide(state, Budget()).action)
    world = bot.world
    world.update(state)
    first, fallen_to = (0, 1), world.level.key
    assert set(world.levels) == {first, fallen_to}
    known = world.levels[first].known
    for _ in range(MOST_KEYS):  # climb until we are back on the first level
        if world.level.key == first or game.outcome(state) is not None:
            break
        up = int(kn.nearest_of(world.memory, world.paths(), kn.TERRAIN, kn.UP))
        if up == world.hero:
            key = ord("<")
        elif up >= 0:
            key = world.try_step(world.way_to(up))
        else:
            key = bot.decide(state, Budget()).action
        world.left_by(key)
        state = game.step(state, key)
        world.update(state)
    assert world.level.key == first
    assert world.levels[first].known >= known
    depths = [level.depth for level in world.levels.values()]
    assert len(set(depths)) == len(depths), "every depth was met once"
    assert len(game.report().levels) == len(world.levels)


def test_the_reports_bot_leaves_the_open_levels_too(start):
    for name in ("01_door", "04_ways"):
        _, state, _ = explored(start, name, Baseline())
        assert state.stats[st.DUNGEON_LEVEL] == 2, name


def test_a_des_file_that_does_not_compile_is_refused_in_the_compilers_words(start):
    with pytest.raises(LevelError, match="does not compile"):
        start("MAZE:\"bad\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\nNONSENSE:(1,1)\n")


def test_levels_and_names_of_a_des_file_are_checked_before_the_game_starts(start):
    with pytest.raises(LevelError, match=r"line 1.*at most 8"):
        start("MAZE:\"muchtoolong\",' '\n")
    with pytest.raises(LevelError, match="used before"):
        start("MAZE:\"one\",' '\nMAZE:\"one\",' '\n")
