"""The rules, drawn: a position before, actions, the position after."""

from __future__ import annotations

import pytest

from gridsage.core.errors import IllegalAction
from gridsage.games.delirium.level import parse
from gridsage.games.delirium.level.cells import KIND_MASK, Options
from gridsage.games.delirium.level.text import DRAWN
from gridsage.games.delirium.rules import DIG_DOWN, DIG_RIGHT, DOWN, LEFT, RIGHT, STAY, UP, WIDEN, Delirium

BLAST = "*"


def started(picture: str, needed: int = 0, time: int = -1, **options):
    text = f"diamonds: {needed}\ntime: {time}\n{picture.strip(chr(10))}\n"
    return Delirium().start(parse(text), Options(**options), 1)


def drawn(state) -> str:
    symbols = [DRAWN.get(byte & KIND_MASK, BLAST) for byte in state.cells.tolist()]
    return "\n".join("".join(symbols[row * state.cols : (row + 1) * state.cols]) for row in range(state.rows))


def after(picture: str, *actions: int, needed: int = 0, time: int = -1, **options):
    game = Delirium()
    state = started(picture, needed, time, **options)
    for action in actions:
        state = game.step(state, action)
    return state


def same(state, picture: str) -> bool:
    assert drawn(state) == picture.strip("\n")
    return True


def test_walking_through_clay_eats_it_and_a_diamond_is_collected():
    state = after("#####\n#@.d#\n#####", RIGHT, RIGHT)
    assert same(state, "#####\n#  @#\n#####")
    assert state.diamonds == 1


def test_walls_stop_the_miner():
    assert same(after("#####\n#@s #\n#####", RIGHT), "#####\n#@s #\n#####")


def test_a_whole_row_of_stones_is_pushed():
    state = after("########\n#@ooo  #\n########", RIGHT)
    assert same(state, "########\n# @ooo #\n########")
    assert state.pushes == 1


def test_a_row_against_a_wall_does_not_move():
    assert same(after("######\n#@ooo#\n######", RIGHT), "######\n#@ooo#\n######")


def test_only_one_stone_moves_where_rows_are_not_pushed():
    assert same(after("########\n#@oo   #\n########", RIGHT, push_rows=False), "########\n#@oo   #\n########")


def test_a_stone_is_pushed_up_but_never_down():
    assert same(after("###\n# #\n#o#\n#@#\n###", UP), "###\n#o#\n#@#\n# #\n###")
    assert same(after("###\n#@#\n#o#\n#.#\n###", DOWN), "###\n#@#\n#o#\n#.#\n###")


def test_digging_clears_clay_without_a_step():
    state = after("#####\n#@d.#\n#.###\n#####", DIG_RIGHT, DIG_DOWN)
    assert same(state, "#####\n#@ .#\n# ###\n#####")
    assert state.diamonds == 1


def test_the_cell_the_miner_leaves_is_blocked_until_the_tick_ends():
    picture = "####\n#o #\n#@ #\n####"
    assert same(after(picture, RIGHT), "####\n#o #\n# @#\n####")
    assert same(after(picture, RIGHT, STAY), "####\n#  #\n#o@#\n####")


def test_a_stone_at_rest_on_the_miner_does_not_hurt():
    assert after("####\n#o #\n#@ #\n####", STAY, STAY).status == 0


def test_a_falling_stone_kills_the_miner_who_stays_below():
    state = after("###\n#o#\n# #\n# #\n#@#\n###", STAY, STAY)
    assert Delirium().outcome(state).reason == "crushed by a stone"


def test_a_falling_stone_spares_a_miner_who_steps_under_it_in_this_very_tick():
    picture = "####\n#o.#\n# .#\n# @#\n####"
    assert after(picture, STAY, LEFT, crush_on_arrival=False).status == 0
    state = after(picture, STAY, LEFT, crush_on_arrival=False, passing_under=False)
    assert Delirium().outcome(state).reason == "crushed by a stone"


def test_a_column_falls_one_after_another():
    assert same(after("####\n#o@#\n#o.#\n# .#\n####", STAY), "####\n#o@#\n# .#\n#o.#\n####")


def test_of_two_that_want_a_cell_the_lower_one_rolls_in_before_the_upper_one_falls():
    picture = "######\n#.o..#\n#. o.#\n#. s.#\n#...@#\n######"
    assert same(after(picture, STAY), "######\n#.o..#\n#.o .#\n#. s.#\n#...@#\n######")


def test_of_two_that_roll_into_the_same_cell_the_left_one_is_first():
    picture = "#######\n#.o o.#\n#.s s.#\n#....@#\n#######"
    assert same(after(picture, STAY), "#######\n#. oo.#\n#.s s.#\n#....@#\n#######")


def test_a_stone_rolls_off_one_that_falls_away_in_the_same_tick():
    picture = "#####\n# o.#\n# o.#\n#. .#\n#..@#\n#####"
    assert same(after(picture, STAY), "#####\n#o .#\n#  .#\n#.o.#\n#..@#\n#####")


def test_what_was_pushed_up_rests_in_that_tick():
    picture = "#####\n#. .#\n# o.#\n# o.#\n#.@.#\n#####"
    assert same(after(picture, UP), "#####\n#.o.#\n# o.#\n# @.#\n#. .#\n#####")
    picture = "#####\n#. .#\n#. .#\n#.o.#\n#.@.#\n#####"
    pushed = after(picture, UP, DOWN)
    assert same(pushed, "#####\n#. .#\n#.o.#\n#. .#\n#.@.#\n#####")


def test_a_stone_rolls_left_first_off_a_stone():
    assert same(after("#####\n# o #\n# o #\n#..@#\n#####", STAY), "#####\n#o  #\n# o #\n#..@#\n#####")
    rolled = after("#####\n# o #\n# o #\n#..@#\n#####", STAY, roll_first="right")
    assert same(rolled, "#####\n#  o#\n# o #\n#..@#\n#####")


def test_nothing_rolls_off_clay_or_an_indestructible_wall():
    assert same(after("#####\n# o #\n# . #\n#..@#\n#####", STAY), "#####\n# o #\n# . #\n#..@#\n#####")
    assert same(after("#####\n# o #\n# # #\n#..@#\n#####", STAY), "#####\n# o #\n# # #\n#..@#\n#####")


def test_a_monster_keeps_to_its_left_and_starts_upwards():
    picture = "#####\n#   #\n# r #\n#   #\n#####\n#@..#\n#####"
    assert same(after(picture, STAY), "#####\n# r #\n#   #\n#   #\n#####\n#@..#\n#####")
    assert same(after(picture, STAY, STAY), "#####\n#r  #\n#   #\n#   #\n#####\n#@..#\n#####")
    assert same(after(picture, STAY, STAY, STAY), "#####\n#   #\n#r  #\n#   #\n#####\n#@..#\n#####")


def test_blue_rests_every_second_tick_unless_the_old_engine_is_asked_for():
    picture = "######\n#   b#\n######\n#@...#\n######"
    assert drawn(after(picture, STAY, STAY)) == "######\n#  b #\n######\n#@...#\n######"
    assert drawn(after(picture, STAY, STAY, blue_rests=False)) == "######\n# b  #\n######\n#@...#\n######"


def test_a_monster_beside_the_miner_kills_and_one_at_a_corner_does_not():
    assert Delirium().outcome(after("####\n#r@#\n####", STAY)).reason == "caught by a red monster"
    assert after("####\n#r##\n##@#\n####", STAY).status == 0


# The monster steps up, the stone comes down: it now stands just above the monster, and the blast is at once.
SHAFT = """
#######
#..o..#
#.. ..#
#.. ..#
#..?..#
#....@#
#######
"""


def test_what_falls_on_a_blue_monster_leaves_nine_diamonds_after_the_blast():
    picture = SHAFT.replace("?", "b")
    blast = "#######\n#.. ..#\n#.***.#\n#.***.#\n#.***.#\n#....@#\n#######"
    assert same(after(picture, STAY), blast)
    assert same(after(picture, STAY, STAY, STAY), blast)
    state = after(picture, STAY, STAY, STAY, STAY)
    assert same(state, blast.replace("*", "d"))
    assert state.kills == 1


@pytest.mark.parametrize(("monster", "left"), [("b", "d"), ("g", "o"), ("r", " "), ("y", " "), ("p", " "), ("k", " ")])
def test_each_monster_leaves_what_it_leaves(monster, left):
    state = after(SHAFT.replace("?", monster), STAY, explosion_ticks=0)
    assert drawn(state).splitlines()[3] == f"#.{left * 3}.#"


def test_the_miner_cannot_enter_a_blast_that_burns():
    picture = SHAFT.replace("?", "r").replace("@#", "@#")
    state = after(picture, STAY, LEFT, UP)
    assert drawn(state).splitlines()[5] == "#...@ #"


def test_a_blast_takes_one_strength_and_leaves_exits_and_walls():
    picture = "#######\n#..o..#\n#.. ..#\n#.2 #.#\n#.sr..#\n#.X..@#\n#######"
    state = after(picture, STAY, explosion_ticks=0)
    assert same(state, "#######\n#.. ..#\n#.   .#\n#.s #.#\n#.   .#\n#.X..@#\n#######")


def test_monsters_in_a_blast_explode_in_a_chain():
    picture = "#########\n#...o...#\n#... ...#\n#..y ...#\n#.y.r...#\n#......@#\n#########"
    state = after(picture, STAY, explosion_ticks=0, others_move="never")
    assert state.kills == 3
    assert same(state, "#########\n#... ...#\n#.    ..#\n#     ..#\n#     ..#\n#   ...@#\n#########")


def test_a_miner_inside_a_blast_dies():
    state = after("#######\n#..o..#\n#.. ..#\n#.. ..#\n#@.r..#\n#######", RIGHT)
    assert Delirium().outcome(state).reason == "died in an explosion"


def test_the_exit_opens_with_enough_diamonds_and_wins_at_once():
    game = Delirium()
    assert same(after("#####\n#@Xd#\n#####", RIGHT, needed=1), "#####\n#@Xd#\n#####")
    outcome = game.outcome(after("#####\n#@dX#\n#####", RIGHT, RIGHT, needed=1))
    assert outcome.winner == 0 and outcome.reason == "won"


def test_the_last_tick_of_the_time_may_still_win():
    game = Delirium()
    assert game.outcome(after("#####\n#@ X#\n#####", RIGHT, RIGHT, time=2)).winner == 0
    assert game.outcome(after("#####\n#@  #\n#..X#\n#####", RIGHT, RIGHT, time=2)).reason == "out of time"


def test_a_magic_wall_is_inert_unless_it_turns():
    picture = "###\n#o#\n# #\n#m#\n# #\n# #\n#@#\n###"
    assert drawn(after(picture, STAY, STAY, STAY)).splitlines()[2] == "#o#"
    state = after(picture, STAY, STAY, magic_wall="turns", crush_on_arrival=False)
    assert drawn(state).splitlines()[4] == "#d#"


def test_a_scenario_goes_on_in_the_next_gallery_and_keeps_the_totals():
    game = Delirium()
    level = parse("diamonds: 1\n#####\n#@dX#\n#####\n===\nname: second\ndiamonds: 0\n####\n#@X#\n####\n")
    state = game.start(level, Options(), 1)
    for action in (RIGHT, RIGHT):
        state = game.step(state, action)
    assert (state.number, state.totals.diamonds, game.outcome(state)) == (1, 1, None)
    state = game.step(state, RIGHT)
    assert game.outcome(state).scores == (1001.0,)


def test_a_finished_game_takes_no_more_actions():
    state = after("####\n#@X#\n####", RIGHT)
    with pytest.raises(IllegalAction, match="over: won"):
        Delirium().step(state, STAY)


# How many different positions there are after n ticks of any play: numbers that must not change.
COUNTED = "#########\n#@.o.d..#\n#..o....#\n#...r ..#\n#.s.  .X#\n#########"


@pytest.mark.parametrize(("depth", "positions"), [(1, 5), (2, 14), (3, 34), (5, 159)])
def test_the_number_of_reachable_positions(depth, positions):
    """The plain twin counts the same: see test_kernels."""
    game = Delirium()
    layer = {game.key(state): state for state in [started(COUNTED, needed=1)]}
    for _ in range(depth):
        following = {}
        for state in layer.values():
            if game.outcome(state) is None:
                for action in game.legal(state):
                    new = game.step(state, action)
                    following[game.key(new)] = new
        layer = following
    assert len(layer) == positions


def test_nothing_outside_the_view_can_reach_the_agent():
    game = Delirium()
    near = ["#########", "#.......#", "#..@....#", "#.......#", "#.......#", "#########"]
    far = list(near)
    far[4] = "#d.or.bX#"
    seen = []
    for rows in (near, far):
        text = "diamonds: 0\n" + "\n".join(rows) + "\n"
        state = game.start(parse(text), Options(view_rows=1, view_cols=1), 1)
        observation = game.observe(state, 0)
        fields = [getattr(observation, name) for name in observation.__slots__ if name not in ("cells", "options")]
        seen.append((observation.cells.tobytes(), fields))
        assert not hasattr(observation, "level") and not hasattr(observation, "facts")
    assert seen[0] == seen[1]


def test_widening_shows_one_more_ring_and_ends_at_the_widest():
    game = Delirium()
    state = started("#########\n#.......#\n#...@...#\n#.......#\n#########", view_rows=1, view_cols=1, widest_view=2)
    assert (game.observe(state, 0).cells != 30).sum() == 9
    state = game.step(state, WIDEN)
    assert (game.observe(state, 0).cells != 30).sum() == 25
    with pytest.raises(IllegalAction, match="widen"):
        game.step(state, WIDEN)


def test_pictures_do_not_tell_headings_or_what_is_falling():
    game = Delirium()
    state = after("####\n#o.#\n# .#\n# .#\n# @#\n####", STAY)
    assert int(game.observe(state, 0).cells.max()) < 128
