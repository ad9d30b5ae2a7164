"""The table of Boulder Dash's rules, row by row: a picture before, actions, the picture after."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gridsage.games.delirium.bd.cells import SYMBOLS, picture
from gridsage.games.delirium.bd.kernels.chance import number_below, stream_of
from gridsage.games.delirium.bd.kernels.tick import tick
from gridsage.games.delirium.bd.level import Cave, Options, time_points
from gridsage.games.delirium.bd.rules import BoulderDash, arrays, journal_of
from gridsage.games.delirium.bd.state import AMOEBA_CHANCE, DIAMONDS, HATCH, POINTS, STATUS, TIME, WON

sys.path.insert(0, str(Path(__file__).parents[2] / "naive"))
from delirium_bd_twin import Draws

STAY, RIGHT, UP, LEFT, DOWN, SNAP_RIGHT, SNAP_UP, SNAP_LEFT, SNAP_DOWN = range(9)


class Played:
    """A cave after some ticks."""

    def __init__(self, rows: str, actions=(), push: float = 1.0, seed: int = 1, **cave):
        lines = rows.strip("\n").split("\n")
        kinds = bytes(SYMBOLS[symbol] for line in lines for symbol in line)
        self.cave = Cave("test", len(lines), len(lines[0]), kinds, **{"needed": 99, "hatch_ticks": 0, **cave})
        cells, self.facts, rules = arrays(self.cave, push)
        stream, journal = stream_of(seed), journal_of(self.cave)
        for action in actions:
            tick(cells, self.facts, rules, stream, journal, action)
        self.rows = picture(cells.tobytes(), self.cave.cols, self.cave.size)

    def shows(self, rows: str) -> bool:
        assert self.rows == rows.strip("\n").split("\n")
        return True


def after(rows: str, *actions: int, **cave) -> Played:
    return Played(rows, actions, **cave)


def test_everything_acts_in_one_scan_left_to_right_and_rockford_takes_his_turn_in_it():
    # The boulder to the left has come to rest before Rockford is scanned and can be pushed; the one below has not.
    assert after("SSSSS\nS O@S\nS ..S\nSSSSS", LEFT).rows[1] == "So@ S"
    assert after("SSSSS\nS@O S\nS...S\nSSSSS", RIGHT).rows[1] == "S@o S"


def test_a_boulder_falls_at_once_and_comes_to_rest_one_tick_after_it_landed():
    rows = "SSS\nSoS\nS S\nS S\nSSS"
    assert after(rows, STAY).shows("SSS\nS S\nSOS\nS S\nSSS")
    assert after(rows, STAY, STAY).shows("SSS\nS S\nS S\nSOS\nSSS")
    assert after(rows, STAY, STAY, STAY).shows("SSS\nS S\nS S\nSoS\nSSS")


def test_a_moved_boulder_is_not_scanned_again_and_a_column_falls_one_after_another():
    assert after("SSS\nSoS\nSoS\nS S\nS S\nSSS", STAY).shows("SSS\nSoS\nS S\nSOS\nS S\nSSS")


def test_things_roll_left_first_off_boulders_diamonds_and_brick_but_not_off_dirt():
    for below in "od#":
        assert after(f"SSSSS\nS o S\nS {below} S\nS...S\nSSSSS", STAY).rows[1] == "SO  S"
        assert after(f"SSSSS\nS.d S\nS {below} S\nS...S\nSSSSS", STAY).rows[1] == "S. DS"
    assert after("SSSSS\nS o S\nS . S\nS...S\nSSSSS", STAY).rows[1] == "S o S"


def test_a_falling_thing_crushes_rockford_and_a_resting_one_does_not():
    assert after("SSSSS\nS.O.S\nS.@.S\nS...S\nSSSSS", STAY).shows("SSSSS\nSeeeS\nSeeeS\nSeeeS\nSSSSS")
    assert after("SSSSS\nS.o.S\nS.@.S\nS...S\nSSSSS", STAY).rows[2] == "S.@.S"


def test_a_rockford_who_has_just_stepped_there_is_not_crushed():
    # He steps up below a boulder that the scan has passed already: it looks at him in the next tick only.
    rows = "SSS\nSOS\nS S\nS@S\nSSS"
    assert after(rows, UP).rows == ["SSS", "S S", "SOS", "S@S", "SSS"]
    assert after("SSSSS\nS O S\nS...S\nS.@.S\nSSSSS", UP).rows[1:3] == ["S o S", "S.@.S"]


def test_rockford_walks_digs_and_takes_diamonds():
    played = after("SSSSS\nS@.dS\nSSSSS", RIGHT, RIGHT, value=10)
    assert played.shows("SSSSS\nS  @S\nSSSSS")
    assert (played.facts[DIAMONDS], played.facts[POINTS]) == (1, 10)


def test_fire_takes_and_digs_without_a_step():
    played = after("SSSSS\nSd@.S\nSS.SS\nSSSSS", SNAP_LEFT, SNAP_RIGHT, SNAP_DOWN)
    assert played.shows("SSSSS\nS @ S\nSS SS\nSSSSS")
    assert played.facts[DIAMONDS] == 1


def test_one_boulder_is_pushed_sideways_only_and_fire_pushes_without_a_step():
    assert after("SSSSSS\nS@o  S\nSSSSSS", RIGHT).shows("SSSSSS\nS @o S\nSSSSSS")
    assert after("SSSSSS\nS@o  S\nSSSSSS", SNAP_RIGHT).shows("SSSSSS\nS@ o S\nSSSSSS")
    assert after("SSSSSS\nS@oo S\nSSSSSS", RIGHT).shows("SSSSSS\nS@oo S\nSSSSSS")
    assert after("SSS\nS S\nSoS\nS@S\nSSS", UP).rows[3] == "S@S"


def test_a_push_succeeds_with_its_chance_as_the_stream_has_it():
    draws = Draws(5)
    expected = next(tries for tries in range(1, 100) if draws.chance(250_000))
    rows = "SSSSS\nS@o S\nSSSSS"
    assert after(rows, *[RIGHT] * (expected - 1), push=0.25, seed=5).rows[1] == "S@o S"
    assert after(rows, *[RIGHT] * expected, push=0.25, seed=5).rows[1] == "S @oS"


def test_a_falling_boulder_is_never_pushed():
    assert after("SSSSSS\nS .. S\nS@O  S\nS .. S\nSSSSSS", RIGHT).rows[2][1] == "@"


def test_a_firefly_keeps_to_its_left_and_a_butterfly_to_its_right():
    assert after("SSSSS\nS   S\nS 2 S\nS   S\nSSSSS", STAY).shows("SSSSS\nS   S\nS1  S\nS   S\nSSSSS")
    assert after("SSSSS\nS   S\nS 6 S\nS   S\nSSSSS", STAY).shows("SSSSS\nS   S\nS  7S\nS   S\nSSSSS")


def test_a_fly_goes_straight_where_its_hand_is_blocked_and_else_turns_away_in_place():
    assert after("SSSS\nS1.S\nS..S\nSSSS", STAY).rows[1] == "S2.S"
    assert after("SSSSS\nS 1.S\nS...S\nSSSSS", STAY).rows[1] == "S1 .S"


def test_a_fly_beside_rockford_or_amoeba_explodes():
    assert after("SSSSS\nS1 .S\nS@..S\nS...S\nSSSSS", STAY).rows[1] == "See.S"
    assert after("SSSSS\nS5 .S\nSa..S\nS...S\nSSSSS", STAY).rows[2] == "Sii.S"
    assert after("SSSSSS\nS1   S\nS.@  S\nSSSSSS", STAY).facts[STATUS] == 0  # a corner is not beside


def test_an_explosion_takes_all_but_steel_and_burns_for_four_ticks():
    rows = "SSSSSSS\nS..O..S\nS.#1X.S\nS.Sa..S\nSSSSSSS"
    assert after(rows, STAY).shows("SSSSSSS\nS.eee.S\nS.eee.S\nS.See.S\nSSSSSSS")
    assert after(rows, *[STAY] * 4).rows[2] == "S.hhh.S"
    assert after(rows, *[STAY] * 5).shows("SSSSSSS\nS.   .S\nS.   .S\nS.S  .S\nSSSSSSS")


def test_a_butterfly_leaves_diamonds_and_there_is_no_chain():
    rows = "SSSSSSSS\nS..O...S\nS.#5 1.S\nS......S\nSSSSSSSS"
    assert "e" not in "".join(after(rows, *[STAY] * 3).rows)
    played = after(rows.replace(" 1", ".."), *[STAY] * 5)
    assert played.shows("SSSSSSSS\nS.ddd..S\nS.ddd..S\nS.ddd..S\nSSSSSSSS")


MAGIC = "SSS\nSOS\nSMS\nS S\nS.S\nSSS"


def test_a_magic_wall_turns_boulders_into_diamonds_and_back_while_its_clock_runs():
    assert after(MAGIC, STAY).shows("SSS\nS S\nSMS\nSDS\nS.S\nSSS")
    assert after(MAGIC.replace("O", "D"), STAY).rows[3] == "SOS"


def test_a_spent_or_blocked_magic_wall_swallows_what_falls_on_it():
    assert after(MAGIC.replace("S S", "S.S"), STAY).shows("SSS\nS S\nSMS\nS.S\nS.S\nSSS")
    rows = "SSS\nSOS\nS.S\nSMS\nS S\nS S\nS S\nSSS"
    tall = "SSSSS\nSO .S\nSM.oS\nS . S\nS . S\nS . S\nS.. S\nSS MS\nSSSSS"
    assert after(rows, STAY).rows[1] == "SoS"
    assert "d" not in "".join(after(tall, *[STAY] * 20, magic_time=1).rows[8:])


def test_amoeba_that_cannot_grow_becomes_diamonds_in_the_next_scan_once_it_was_awake():
    rows = "SSSSSS\nS#a@.S\nSSSSSS"
    assert after(rows, STAY, STAY).rows[1] == "S#a@.S"  # it never was awake
    rows = "SSSSSS\nSa @.S\nSSSSSS"
    assert after(rows, LEFT, STAY, STAY, amoeba_slow=0).rows[1] == "Sd@ .S"


def test_amoeba_of_too_many_cells_becomes_boulders():
    assert after("SSSSSS\nSaa. S\nSSSSSS", STAY, STAY, amoeba_max=2, amoeba_slow=0).rows[1] == "Soo. S"


def test_amoeba_grows_into_space_and_dirt_as_the_stream_has_it():
    played = after("SSSSS\nS   S\nS a S\nS   S\nSSSSS", STAY, amoeba_slow=1_000_000, seed=3)
    draws = Draws(3)
    draws.below(1_000_000)
    row, col = ((1, 2), (3, 2), (2, 1), (2, 3))[draws.below(4)]
    assert played.rows[row][col] == "a" and "".join(played.rows).count("a") == 2


def test_amoeba_grows_fast_after_its_time():
    played = after("SSSS\nSa.S\nSSSS", STAY, amoeba_slow=0, amoeba_fast=7, amoeba_time=100, frame_ms=150)
    assert played.facts[AMOEBA_CHANCE] == 7


def test_the_exit_opens_with_the_needed_diamonds_and_further_ones_have_another_value():
    played = after("SSSSSS\nS@ddXS\nSSSSSS", RIGHT, needed=1, value=10, extra_value=3)
    assert played.rows[1] == "S @dYS"
    played = after("SSSSSS\nS@ddXS\nSSSSSS", RIGHT, RIGHT, RIGHT, needed=1, value=10, extra_value=3)
    assert (played.facts[STATUS], played.facts[POINTS]) == (WON, 13)


def test_the_clock_runs_by_the_frame_and_at_zero_the_game_is_lost():
    assert after("SSS\nS@S\nSSS", STAY, STAY, time=1000, frame_ms=150).facts[TIME] == 700
    played = after("SSS\nS@S\nSSS", *[STAY] * 7, time=1000, frame_ms=150)
    assert played.facts[STATUS] not in (0, WON)


@pytest.mark.parametrize(
    ("rows", "cave", "expected"),
    [
        ("SSSS\nS@.S\nSSSS", {"pace": "bd1", "delay": 12}, 88 + 43),
        ("SSSS\nS@.S\nSSSS", {"pace": "bd1", "delay": 12, "is_intermission": True}, 60 + 43),
        ("SSSSSSSSSS\nS@oooooooS\nSSSSSSSSSS", {"pace": "bd1"}, 88 + 1),
        ("SSSSS\nS@.1S\nSSSSS", {"pace": "bd1"}, 88 + 3),
        ("SSSSS\nS@.aS\nSSSSS", {"pace": "bd1", "amoeba_slow": 0}, 88 + 5),
        ("SSSSS\nS@.OS\nS..1S\nS...S\nSSSSS", {"pace": "bd1"}, 88 + 3),
        ("SSSS\nS@.S\nSSSS", {"pace": "bd2", "delay": 6}, 120),
        ("SSSSSSSSSS\nS@sssssssS\nSSSSSSSSSS", {"pace": "bd2"}, 60 + 1),
        ("SSSSSSSSSS\nS@HHHHHHHS\nSSSSSSSSSS", {"pace": "bd2"}, 60),
    ],
)
def test_a_frame_lasts_as_long_as_the_machine_of_1984_takes(rows, cave, expected):
    played = after(rows, STAY, time=100_000, hatch=0, **cave)
    assert 100_000 - played.facts[TIME] == expected


def test_rockford_is_born_in_three_stages_at_an_even_tick_after_the_hatch():
    rows = "SSS\nSIS\nSSS"
    pictures = [after(rows, *[STAY] * ticks, hatch_ticks=4).rows[1][1] for ticks in range(10)]
    assert "".join(pictures) == "IIIIIIxyz@"
    assert after(rows, *[STAY] * 4, hatch_ticks=4).facts[HATCH] == 0


def test_slime_lets_things_at_rest_through_by_its_generator_or_by_chance():
    rows = "SSS\nSoS\nSsS\nS S\nS S\nSSS"
    assert after(rows, STAY, slime_mask=0).rows[3] == "SOS"
    assert after(rows, STAY, slime_mask=255, slime_state=(0, 30)).rows[1] == "SoS"
    assert after(rows, STAY, slime_predictable=False, slime_chance=0).rows[1] == "SoS"
    assert after(rows, STAY, slime_predictable=False).rows[3] == "SOS"
    pushed = "SSSSS\nS o@S\nSs..S\nS ..S\nSSSSS"  # what was pushed there in this tick does not rest yet
    assert after(pushed, LEFT, slime_mask=0).rows[1:4] == ["So@ S", "Ss..S", "S ..S"]
    assert after(pushed, LEFT, STAY, slime_mask=0).rows[1:4] == ["S @ S", "Ss..S", "SO..S"]


def test_a_growing_wall_takes_the_left_else_the_right():
    assert after("SSSSS\nS H S\nSSSSS", STAY).rows[1] == "SHH S"
    assert after("SSSSS\nS H S\nSSSSS", STAY, STAY).rows[1] == "SHHHS"


def test_the_random_stream_is_that_of_glib():
    stream, draws = stream_of(12345), Draws(12345)
    for bound in (2, 4, 1000, 1_000_000, 2**32 - 5, 3_000_000_000):
        assert [number_below(stream, bound) for _ in range(300)] == [draws.below(bound) for _ in range(300)]


def test_points_for_time_are_counted_by_nine_above_a_minute():
    cave = Cave("test", 3, 3, bytes(9), second=1000, second_value=2)
    assert time_points(cave, 5000) == 10
    assert time_points(cave, 62_500) == 2 * (9 + 54)
    assert time_points(cave, 0) == 0


def seen_in_a_cave(row: str, actions, seconds: int = 99) -> list[tuple[str, int]]:
    """The events of some ticks in a cave of one row, told with their cells."""
    game, found = BoulderDash(), []
    text = f"[cave]\nSize={len(row)} 3\nDiamondsRequired=1\nCaveTime={seconds}\n"
    state = game.start(
        game.parse(f"{text}[map]\n{'W' * len(row)}\n{row}\n{'W' * len(row)}\n[/map]\n[/cave]\n"), Options(), 1
    )
    for action in actions:
        if game.outcome(state) is not None:
            break
        after = game.step(state, action)
        found += [(event.kind, event.cell) for event in game.events(state, action, after)]
        state = after
    return found


def test_a_person_sees_birth_steps_diamonds_the_open_exit_and_the_end():
    born, *found = seen_in_a_cave("WPd.XW", [STAY] * 40 + [RIGHT] * 3)
    assert born == ("born", 7)
    assert found == [
        ("moved", 7), ("collected", 8), ("exit opened", 8), ("moved", 8), ("moved", 9), ("won", 10)
    ]  # fmt: skip
    assert seen_in_a_cave("WPd.XW", [STAY] * 400, seconds=1)[-1] == ("died", 7)
