"""The room around the classic game: players, checker, generator, view, stored wins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.loderunner.classic.boards import GAME, held, level_of, start
from gridsage.core.budget import Meter
from gridsage.core.errors import OptionError
from gridsage.core.game import Budget
from gridsage.core.trace import decode, verify
from gridsage.games.loderunner.classic import ROOM, layout
from gridsage.games.loderunner.classic.agents.master import Master
from gridsage.games.loderunner.classic.features import HOLE, ClassicFeatures
from gridsage.games.loderunner.classic.kernels import ticks
from gridsage.games.loderunner.classic.kernels.archive import FOUND_WIN, NEAR_BRICKS, WIN_TICKS
from gridsage.games.loderunner.classic.level import Options, parse
from gridsage.games.loderunner.classic.rules import NOTHING_FED, array_of, first_row
from gridsage.games.loderunner.classic.solver import ArchiveSearch, guide, keys_of, solve, won_by
from gridsage.games.loderunner.classic.state import row_of, seen_in
from gridsage.games.loderunner.classic.tally import ClassicTally
from gridsage.games.loderunner.classic.view import frame

FOLDER = Path(__file__).resolve().parents[3] / "golden" / "loderunner_classic"
CHANCES = [layout.CHANCE_LOW, layout.CHANCE_HIGH]
GUARDED = ROOM.levels.text("02_one_guard")


def test_there_are_at_least_fifteen_levels():
    assert len(ROOM.levels.names()) >= 15


@pytest.mark.parametrize("name", ROOM.levels.names())
def test_the_stored_win_of_a_shipped_level_replays(name):
    trace = decode((FOLDER / f"{name}.trace").read_bytes(), name)
    assert trace.level == ROOM.levels.text(name)
    assert trace.outcome.winner == 0
    assert verify(trace, ROOM.rules.game(), Options()) == len(trace.actions)


def test_an_observation_holds_all_that_decides_but_chance():
    state = GAME.start(parse(ROOM.levels.text("12_the_bank")), Options(), 3)
    hidden = [
        layout.LASTING_KEY,
        layout.CARRIES,
        layout.BIRTHS,
        layout.CHANCE_LOW,
        layout.CHANCE_HIGH,
        layout.DIG_TICKS,
    ]
    for tick in range(400):
        if GAME.outcome(state) is not None:
            break
        state = GAME.step(state, (4, 5, 4, 6, 1, 3)[tick // 9 % 6])
        mine, real = np.array(row_of(seen_in(state))), array_of(state)
        mine[hidden] = real[hidden] = 0
        for guard in range(layout.FIRST_GUARD, layout.GUARDS_END, layout.GUARD_FIELDS):
            real[guard + layout.CARRIED] = min(real[guard + layout.CARRIED], 1)
        assert np.array_equal(mine, real), tick


def test_a_plan_is_found_made_shorter_and_the_same_every_time():
    level = parse(GUARDED)
    begin = first_row(level, Options(), 1)
    long = solve(begin, guide(level), Meter(Budget(300_000)))
    short, again = (solve(begin, guide(level), Meter(Budget(300_000)), patience=60_000) for _ in range(2))
    assert won_by(begin, long.keys) and won_by(begin, short.keys)
    assert len(short.keys) <= len(long.keys)
    assert short == again and short.nodes <= 310_000


def length(macros):
    return sum(ticks_held for _, ticks_held in macros)


def test_a_plan_that_dawdles_comes_sooner_to_its_own_places():
    level = parse(ROOM.levels.text("01_first_gold"))
    begin = first_row(level, Options(), 1)
    quick = solve(begin, guide(level), Meter(Budget(300_000))).macros
    plan = quick[:3] + [(layout.NONE, 5)] * 20 + quick[3:]
    assert won_by(begin, keys_of(plan))
    search = ArchiveSearch()
    for seed in range(1, 30):
        search.begin_along(begin, guide(level), seed, NEAR_BRICKS, plan)
        if search.grow(20_000) != FOUND_WIN:
            continue
        sooner = search.win()
        assert won_by(begin, keys_of(sooner))
        assert length(sooner) == search.meters[WIN_TICKS] < length(plan)
        plan = sooner
    assert length(plan) <= length(quick)


def test_no_plan_is_found_with_nothing_to_spend():
    level = parse(GUARDED)
    assert solve(first_row(level, Options(), 1), guide(level), Meter(Budget(0))).macros == []


def test_the_master_wins_live_games_with_chances_it_cannot_see():
    level = parse(ROOM.levels.text("12_the_bank"))
    for seed in (11, 12):
        state, master = GAME.start(level, Options(), seed), Master(prepare_nodes=100_000)
        while GAME.outcome(state) is None:
            state = GAME.step(state, master.decide(GAME.observe(state, 0), Budget(nodes=10_000)).action)
        assert GAME.outcome(state).reason == "won", seed


def test_the_master_plans_again_when_gold_lies_elsewhere():
    level = parse(ROOM.levels.text("12_the_bank"))
    state, master = GAME.start(level, Options(), 11), Master(prepare_nodes=100_000)
    for _ in range(60):
        state = GAME.step(state, master.decide(GAME.observe(state, 0), Budget(nodes=5_000)).action)
    row = array_of(state)
    row[layout.framed(3 * layout.COLS + 27)] = layout.GOLD
    row[layout.GOLD_LEFT] += 1
    state = type(state)(state.level, state.options, row.tobytes())
    assert "looking" in master.decide(GAME.observe(state, 0), Budget(nodes=0)).thoughts.text


DEAD_END = """
    @@@@@@H............H
    @@@@@@H@@@@@@@@@@@@H
    @$....H&..0........H
    @@@@@@@@@@@@@@@@@@@@@@@@@@@$
"""


def test_the_safest_way_leads_into_no_dead_end_with_a_guard_behind():
    level = level_of(DEAD_END)
    first = first_row(level, Options(), 1)
    search = ArchiveSearch()
    search.begin(first, guide(level), 1)
    search.grow(40_000)
    ends = {}
    for name, macros in (("best", search.best()), ("bold", search.safest(0)), ("safe", search.safest(150))):
        ends[name] = first.copy()
        ticks.play_keys(ends[name], keys_of(macros), NOTHING_FED)
        assert ends[name][layout.STATUS] == layout.ALIVE, name
    assert ends["best"][layout.GOLD_LEFT] == ends["bold"][layout.GOLD_LEFT] == 1
    assert ends["safe"][layout.GOLD_LEFT] == 2 and ends["safe"][layout.TICK] >= 150


def test_the_master_leaves_gold_in_a_dead_end_where_a_guard_would_catch_him():
    state, master = start(DEAD_END), Master()
    for tick in range(300):
        state = GAME.step(state, master.decide(GAME.observe(state, 0), Budget(nodes=1_500)).action)
        assert GAME.outcome(state) is None, tick


def test_where_nobody_lives_on_the_longest_life_is_the_safest():
    level = level_of("@....&.0@\n@@@@@@@@@")
    search = ArchiveSearch()
    search.begin(first_row(level, Options(), 1), guide(level), 1)
    search.grow(20_000)
    lengths = [len(keys_of(search.safest(life))) for life in (10_000, 20_000)]
    assert lengths[0] == lengths[1] >= 40


def test_what_can_never_be_reached_is_doubted_and_not_searched_for():
    text = level_of("$@..\n@@&.\n####").text
    assert "row 13, column 0 cannot be reached" in ROOM.levels.doubts(text)[0]
    assert ROOM.levels.check(text, None, 1.0).verdict == "impossible"
    assert ROOM.levels.doubts(GUARDED) == []


def test_a_check_says_what_it_spent_where_no_win_is_found():
    text = level_of("&.#$\n@@@@").text
    report = ROOM.levels.check(text, None, nodes=20_000)
    assert report.verdict == "not found within budget" and report.figures["nodes"] >= 20_000


def test_generated_levels_repeat_and_are_won():
    made = ROOM.levels.generate(seed=5, floors=2, guards=1, gold=3)
    assert made == ROOM.levels.generate(seed=5, floors=2, guards=1, gold=3)
    assert made.text.count("$") == 3 and made.text.count("0") == 1
    report = ROOM.levels.check(made.text, None, nodes=500_000)
    row = first_row(parse(made.text), Options(), report.seed)
    ticks.play_keys(row, np.array(report.plan, np.int8), NOTHING_FED)
    assert row[layout.STATUS] == layout.WON
    with pytest.raises(OptionError, match="2 to 5 floors"):
        ROOM.levels.generate(floors=9)


def test_a_picture_has_fractions_of_cells_and_words():
    state = held(start("&....0\n######"), ("right", 2))
    picture = frame(state)
    runner = next(each for each in picture.entities if each.id == "runner")
    assert (runner.row, runner.col, runner.row_part, runner.col_part) == (14, 0, 0.0, 0.4)
    assert "1 guard, the nearest" in picture.text and picture.status["tick"] == "2"


def test_holes_are_drawn_and_told_to_learning_programs():
    state = held(start("&....\n#####"), ("dig-right", 1), ("none", 11))
    assert frame(state).cells[15 * 28 + 1] == "hole"
    arrays = ClassicFeatures().encode(GAME.observe(state, 0))
    assert arrays["cells"][15, 1] == HOLE and arrays["waits"][15, 1] == 186
    late = held(state, ("none", 170))
    assert frame(late).cells[15 * 28 + 1] == "closing-hole"


def test_the_tally_counts_what_happens():
    tally, state = ClassicTally(GAME), start("&$....\n######")
    for key in ("right",) * 5 + ("dig-right",):
        after = GAME.step(state, GAME.action(key))
        tally.add(state, 0, after)
        state = after
    assert tally.figures()["gold"] == 1 and tally.figures()["digs"] == 1 and tally.figures()["gold_share"] == 1
