from __future__ import annotations

import time

import pytest

from gridsage.core.errors import LevelError, OptionError
from gridsage.core.game import Budget
from gridsage.core.progress import heard_by
from gridsage.games import daily
from gridsage.games.loderunner import ROOM
from gridsage.games.loderunner.checker import out_of_reach, played_by_master
from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner
from gridsage.games.loderunner.state import WON

GAME = LodeRunner()


def test_a_generated_level_is_what_was_asked_for_and_the_same_every_time():
    first = ROOM.levels.generate(seed=10, rows=9, cols=16, floors=2, enemies=1, bonuses=2)
    assert first == ROOM.levels.generate(seed=10, rows=9, cols=16, floors=2, enemies=1, bonuses=2)
    level = parse(first.text)
    assert (level.rows, level.cols, len(level.enemies), len(level.bonuses)) == (9, 16, 1, 2)
    assert first.text != ROOM.levels.generate(seed=4, rows=9, cols=16, floors=2, enemies=1, bonuses=2).text


def test_a_generated_level_can_be_won():
    level = ROOM.levels.generate(seed=5, rows=9, cols=16, floors=2, enemies=2, bonuses=3)
    report = ROOM.levels.check(level.text, Options(), 20.0)
    assert report.verdict == "won"
    state = GAME.start(parse(level.text), Options(), report.seed)
    for action in report.plan:
        state = GAME.step(state, action)
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.winner == 0


def test_a_generated_level_was_won_with_ten_seeds():
    told: list[str] = []
    with heard_by(told.append):
        level = parse(ROOM.levels.generate(seed=5, rows=9, cols=16, floors=2, enemies=2, bonuses=3).text)
    assert told[0] == "draft 1, won with 0 of 10 seeds"
    assert told[-1].endswith(", won with 9 of 10 seeds")
    ends = [played_by_master(level, Options(), seed, Budget(nodes=20_000))[0].status for seed in range(1, 11)]
    assert ends == [WON] * 10


def test_nothing_is_told_where_nobody_listens():
    told: list[str] = []
    with heard_by(told.append):
        pass
    ROOM.levels.generate(seed=5, rows=9, cols=16, floors=2, enemies=0, bonuses=1, proofs=1)
    assert told == []


def test_the_generator_answers_in_time_and_says_why_not():
    began = time.process_time()
    with pytest.raises(OptionError, match=r"in 0.3 seconds with \d+ tried \(the best one with \d\): ask"):
        ROOM.levels.generate(seed=1, rows=14, cols=14, floors=4, enemies=12, bonuses=6, seconds=0.3)
    assert time.process_time() - began < 3


@pytest.mark.parametrize("number", [0, 8])
def test_puzzles_of_the_day_stay_what_they_were(number):
    puzzle = daily.year().rooms["loderunner"][number]
    assert daily.digest(daily.candidate(ROOM, puzzle.seed).text) == puzzle.digest


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"rows": 5}, "rows=5 is outside"),
        ({"enemies": -1}, "enemies=-1 is outside"),
        ({"proofs": 0}, "proofs=0 is outside"),
        ({"bonuses": 1000}, "bonuses=1000 is outside"),
        ({"rows": 9, "floors": 4}, "floors=4 needs at least 14 rows"),
        ({"rows": 8, "cols": 10, "floors": 1, "enemies": 15, "bonuses": 3}, "fewer enemies, more room or more time"),
    ],
)
def test_wishes_that_cannot_be_met_are_refused(wishes, words):
    with pytest.raises(OptionError, match=words):
        ROOM.levels.generate(**wishes)


def test_a_walled_in_bonus_makes_a_level_impossible():
    text = "WWWWWWWWW\nWR...XW.W\nWFFFFFWBW\nWWWWWWWWW\n"
    report = ROOM.levels.check(text, Options(), 1.0)
    assert report.verdict == "impossible"
    assert "a bonus in row 2, column 7" in report.text


def test_an_exit_out_of_reach_makes_a_level_impossible():
    report = ROOM.levels.check("WWWWWW\nW.X..W\nWWWWWW\nWR...W\nWFFFFW\nWWWWWW\n", Options(), 1.0)
    assert report.verdict == "impossible" and "the exit" in report.text


def test_what_is_only_reached_by_digging_is_in_reach():
    assert out_of_reach(parse("WWWWWW\nWR..XW\nWFFFFW\nW.B..W\nWFFFFW\nWWWWWW\n")) == []


def verdict(rows: str, **options: int) -> tuple[str, str]:
    report = ROOM.levels.check("\n".join(rows.split()) + "\n", Options(**options), 0.5)
    return report.verdict, report.text


def test_a_bonus_in_the_air_makes_a_level_impossible():
    found, text = verdict("WWWWWWWW WL..B..W WL.....W WLR...XW WFFFFFFW WWWWWWWW")
    assert found == "impossible" and "no order of the bonuses" in text
    assert verdict("WWWWWWWW WL.....W WL..B..W WLR...XW WFFFFFFW WWWWWWWW")[0] == "impossible"
    assert verdict("WWWWWWWW WL.....W WLB....W WLR...XW WFFFFFFW WWWWWWWW")[0] == "won"  # he steps off beside it


def test_drops_in_the_wrong_order_make_a_level_impossible():
    one_way = "WWWWWWWW WB..R.XW WFFFFFFW W......W W....B.W WFFFFFFW WWWWWWWW"
    assert verdict(one_way)[0] == "impossible"  # nothing leads up again
    assert verdict(one_way.replace("XW", ".W").replace("..B.W", ".BX.W"))[0] == "won"


def test_an_enemy_who_never_moves_can_make_a_level_impossible():
    stands = "WWWWWWWWW WX.E...RW WFFWFFFFW WWWWWWWWW"
    found, text = verdict(stands)
    assert found == "impossible" and "enemies who can never move" in text
    assert verdict(stands.replace("FFWFFFF", "FFFFFFF"), turn_cap=30)[0] == "won"  # this one can be drawn and trapped
    assert verdict(stands.replace("X.E...R", "..E.X.R"))[0] == "won"  # what is behind it is not needed


def test_a_row_of_enemies_is_still_if_its_first_one_is():
    waiting = "WWWWWWWWWW WX.EE...RW WFFWFFFFFW WWWWWWWWWW"
    assert verdict(waiting, turn_cap=30)[0] == "impossible"
    drawn = "WWWWWWWWWW WX.E.E..RW WFFWFFFFFW WWWWWWWWWW"
    assert verdict(drawn)[0] == "impossible"  # one comes, the other stays for good


def test_a_closing_hole_may_throw_the_runner_where_no_way_leads():
    # He digs above the ladder, climbs into the hole from below, and reappears on any floor, perhaps beside the bonus.
    rows = ("W..R.....W", "WFFFFFFFFW", "W..L.....W", "W..L.....W", "WFFFFFFFFW", "W" * 10, "WB.....X.W", "WFFFFFFFFW")
    thrown = "\n".join(["W" * 10, *rows, "W" * 10])
    assert "no way is known to the bonus in row 7, column 1" in verdict(thrown, turn_cap=20)[1]
    assert verdict(thrown.replace("L", "."), turn_cap=20)[0] == "impossible"


def test_a_level_that_is_not_won_in_time_is_not_called_impossible():
    text = "WWWWWWWWW WX..E..RW WFFFFFFFW WFFFFFFFW WWWWWWWWW"
    assert verdict(text, turn_cap=3)[0] == "not found within budget"
    assert verdict(text)[0] == "won"


def test_a_bad_level_is_refused_by_the_check():
    with pytest.raises(LevelError):
        ROOM.levels.check("WWW\nW?W\nWWW\n", Options(), 1.0)
