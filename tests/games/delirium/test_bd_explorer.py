"""The explorer of Boulder Dash caves: its ways lead out, and the same dice give the same way."""

from __future__ import annotations

import numpy as np
import pytest

from gridsage.core.game import Budget
from gridsage.games import catalog
from gridsage.games.delirium.agents.planner import new_meter
from gridsage.games.delirium.bd.agents.explorer import FEWEST_KEPT, MOST_WAITED, Explorer, run_length
from gridsage.games.delirium.bd.agents.master import Master
from gridsage.games.delirium.bd.agents.planner import Planner
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.cells import DIRT, KIND_MASK, ROCKFORD, SPACE, SYMBOLS
from gridsage.games.delirium.bd.kernels import aims, archive, boards, books, plan, walks
from gridsage.games.delirium.bd.kernels.tick import COLS, RULES_LENGTH, SIZE
from gridsage.games.delirium.bd.level import Options
from gridsage.games.delirium.bd.rules import STAY, BoulderDash, position_arrays
from gridsage.games.delirium.bd.state import DIAMONDS, FACTS_LENGTH, KILLS, MADE, PLAYING, ROCKFORD_AT, STATUS, WON

ROOM = catalog.room("delirium-bd")


def born(text: str):
    """Return a planner of a cave, and the position in which Rockford is born."""
    game = BoulderDash()
    cells, facts, rules = position_arrays(game.observe(game.start(parse(text), Options(), 1), 0))
    planner = Planner(rules, len(cells), pool_bytes=1)
    while facts[ROCKFORD_AT] < 0:
        planner.tick(cells, facts, STAY)
    return planner, cells, facts


def explored(planner, cells, facts, nodes: int, kept: int = 20_000) -> list[int] | None:
    return Explorer(planner.rules, len(cells), kept).start(cells, facts).think(new_meter(Budget(nodes=nodes)))


@pytest.mark.parametrize("name", ["01_first_dig", "02_pushes_may_fail", "04_the_patrol"])
def test_a_way_that_is_found_leads_out(name):
    planner, cells, facts = born(ROOM.levels.text(name))
    line = explored(planner, cells, facts, 400_000)
    assert line
    after_cells, after = cells.copy(), facts.copy()
    planner.follow(after_cells, after, line)
    assert after[STATUS] == WON
    planner.follow(cells, facts, line[:-1])
    assert facts[STATUS] != WON, "a way ends at the exit"


def test_the_same_position_gives_the_same_way():
    planner, cells, facts = born(ROOM.levels.text("01_first_dig"))
    assert explored(planner, cells, facts, 400_000) == explored(planner, cells, facts, 400_000)


def test_an_old_plan_is_walked_again_at_first_and_later_than_it_was_made_for():
    planner, cells, facts = born(ROOM.levels.text("04_the_patrol"))
    line = explored(planner, cells, facts, 400_000)
    assert line
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts, line)
    assert explorer.think(new_meter(Budget(nodes=1))) == line
    later = []
    for _ in range(MOST_WAITED):
        planner.follow(cells, facts, [STAY])
        found = explorer.start(cells, facts, line).think(new_meter(Budget(nodes=4 * len(line))))
        if found and len(found) > len(line):
            later.append(found[-len(line) :])
    assert later and all(end == line for end in later)


def test_a_plan_that_leads_nowhere_any_more_leaves_its_way_in_the_archive():
    planner, cells, facts = born(ROOM.levels.text("01_first_dig"))
    line = explored(planner, cells, facts, 400_000)
    assert line
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts, line[:-1])
    assert explorer.think(new_meter(Budget(nodes=1))) is None
    count = int(explorer.books[books.COUNT])
    assert count > len(line) // 8
    assert explorer.facts[:count, DIAMONDS].max() > facts[DIAMONDS]
    for row in range(count):
        after_cells, after = cells.copy(), facts.copy()
        planner.follow(after_cells, after, explorer.line_to(row))
        assert np.array_equal(after_cells & KIND_MASK, explorer.kept[row] & KIND_MASK)


def test_walls_in_preparation_and_walls_in_use_are_drawn_apart():
    facts = np.zeros(FACTS_LENGTH, dtype=np.int64)
    facts[DIAMONDS], facts[MADE] = 3, 4
    assert archive.level_of(facts) == 7
    facts[MADE] = 1000
    assert archive.level_of(facts) == books.LEVELS - 1


# The last diamonds lie behind steel: the search never ends.
ROWS = "\n".join(["W" * 32, "WP" + "r d." * 6 + "..XWdW", *["W" + "..r " * 7 + "WdW"] * 12, "W" * 32])
ENDLESS = f"[cave]\nSize=32 15\nDiamondsRequired=10\n[map]\n{ROWS}\n[/map]\n[/cave]\n"


def test_a_full_archive_begins_anew_at_the_same_position():
    planner, cells, facts = born(ENDLESS)
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    assert explorer.think(new_meter(Budget(nodes=100_000))) is None
    assert explorer.runs > 1
    assert np.array_equal(explorer.kept[0], cells)


def test_what_stays_in_a_thinned_archive_is_still_reached_by_its_actions():
    planner, cells, facts = born(ENDLESS)
    explorer = Explorer(planner.rules, len(cells), 4000).start(cells, facts)
    before = 0
    while int(explorer.books[books.COUNT]) >= before:
        before = int(explorer.books[books.COUNT])
        assert explorer.think(new_meter(Budget(nodes=1_000))) is None
    assert explorer.runs == 1, "it has not begun anew"
    count = int(explorer.books[books.COUNT])
    assert len(set(explorer.facts[:count, DIAMONDS].tolist())) > 2, "positions with few diamonds stay too"
    for row in range(0, count, 7):
        after_cells, after = cells.copy(), facts.copy()
        planner.follow(after_cells, after, explorer.line_to(row))
        assert np.array_equal(after_cells & KIND_MASK, explorer.kept[row] & KIND_MASK)
        assert after[DIAMONDS] == explorer.facts[row, DIAMONDS]


def test_walks_that_come_to_nothing_use_up_the_budget_too():
    rows = "WWWWWWWWW\nWwwwwwwwW\nWwPww.d.W\nWwwwww.XW\nWWWWWWWWW"
    planner, cells, facts = born(f"[cave]\nSize=9 5\nDiamondsRequired=1\n[map]\n{rows}\n[/map]\n[/cave]\n")
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    for _ in range(50):
        explorer._grow(1)
    assert explorer.notes[:, archive.TRIES].sum() == 50, "he is shut in, and many walks end before the first tick"


def key(rows: str, pace: int = boards.AT_LEISURE) -> int:
    cells = np.array([SYMBOLS[symbol] for symbol in rows.replace("\n", "")], dtype=np.uint8)
    rules, facts = np.zeros(RULES_LENGTH, dtype=np.int64), np.zeros(FACTS_LENGTH, dtype=np.int64)
    rules[COLS], rules[SIZE] = rows.index("\n"), len(cells)
    facts[ROCKFORD_AT] = int(np.flatnonzero(cells == ROCKFORD)[0])
    ground = boards.new_ground(int(rules[COLS]), len(cells))
    ground.pace[0] = pace
    return int(archive.key_of(cells, facts, rules, ground, 0, archive.diamonds_left(cells, rules, ground)))


def test_a_fly_nearby_makes_another_position_and_one_far_away_does_not():
    near, far, none = (f"SSSSSSSSSS\nS@{way}S\nSSSSSSSSSS" for way in ("  1.....", "   .1...", "   ....."))
    assert key(near) != key(none)
    assert key(far) == key(none)


def test_dirt_dug_away_below_what_bears_a_boulder_makes_another_position():
    under, aside, none = (f"SSSSSS\nS.o..S\nS@...S\nS{way}S\nSSSSSS" for way in (". ..", ".. .", "...."))
    assert key(under) != key(none)
    assert key(aside) == key(none)


def test_where_diamonds_are_left_tells_positions_apart_but_not_where_they_have_to_be_made():
    rows = [f"SSSSSSSSSSSSSS\nS@...........S\nS{way}S\nSSSSSSSSSSSSSS" for way in ("......d.....", "...........d")]
    assert key(rows[0]) != key(rows[1])
    assert key(rows[0]) == key(rows[0].replace(".d..", "..d.")), "it is in the same block of cells"
    assert key(rows[0], boards.IN_HASTE) == key(rows[1], boards.IN_HASTE)


FORK = "\n".join(["W" * 24, "W" + "." * 22 + "W", "Wd.........P..........dW", "W" + "." * 21 + "XW", "W" * 24])


def test_walks_begin_wherever_other_diamonds_are_left():
    planner, cells, facts = born(f"[cave]\nSize=24 5\nDiamondsRequired=2\n[map]\n{FORK}\n[/map]\n[/cave]\n")
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts, [3] * 10)
    explorer.think(new_meter(Budget(nodes=1)))
    explorer.old_plan, explorer.waited = np.array([1] * 11, dtype=np.int64), 0
    explorer.think(new_meter(Budget(nodes=1)))
    count = int(explorer.books[books.COUNT])
    one = np.flatnonzero(explorer.facts[:count, DIAMONDS] == 1)
    assert len(set(explorer.notes[one, archive.LEFT].tolist())) == 2
    worst = explorer.notes[one, archive.LEFT] == explorer.notes[one[-1], archive.LEFT]
    explorer.notes[one[worst], archive.VALUE] += 10_000
    drawn = {int(archive.chosen(explorer.notes, explorer.ground, explorer.books)) for _ in range(400)}
    assert drawn & set(one[worst].tolist()) and drawn & set(one[~worst].tolist())


def test_a_walk_does_something_else_where_the_next_step_is_deadly():
    planner, cells, facts = born(AMBUSH.replace("????????", "." * 8).replace("?", "."))
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    at, before = len(explorer.kept) - 1, len(explorer.kept) - 4
    search = (explorer.kept, explorer.facts, planner.rules, explorer.stream, explorer.journal, explorer.books)
    walker_cells, walker, deaths = cells.copy(), facts.copy(), 0
    for _ in range(60):
        action = 4 if walker[ROCKFORD_AT] < 40 else 1  # down, and right along the lane of the fly
        explorer.kept[before], explorer.facts[before] = walker_cells, walker
        explorer.kept[at], explorer.facts[at] = walker_cells, walker
        planner.tick(explorer.kept[at], explorer.facts[at], action)
        if explorer.facts[at, STATUS] != PLAYING:
            deaths += 1
            other, status = walks.swerved(*search, action)
            assert status == PLAYING and other != action
            action = int(other)
        planner.tick(walker_cells, walker, action)
        assert walker[STATUS] == PLAYING
        assert np.array_equal(walker_cells & KIND_MASK, explorer.kept[at] & KIND_MASK)
    assert deaths > 0 and explorer.books[books.SWERVED] == deaths


def test_ways_keep_away_from_the_space_of_flies():
    rows = ["SSSSSSSSSSSS", "S@.........S", "S....1 ....S", "S..........S", "S.1        S", "SSSSSSSSSSSS"]
    cells = np.array([SYMBOLS[symbol] for symbol in "".join(rows)], dtype=np.uint8)
    rules = np.zeros(RULES_LENGTH, dtype=np.int64)
    rules[COLS], rules[SIZE] = 12, len(cells)
    ground = boards.new_ground(12, len(cells))
    aims.shun_flies(cells, rules, ground, 13, 14)
    steel = SYMBOLS["S"]
    shut = {(cell // 12, cell % 12) for cell in np.flatnonzero((ground.shunned == steel) & (cells != steel)).tolist()}
    first = {(2, 5), (2, 6), (1, 5), (1, 6), (2, 4), (2, 7), (3, 5), (3, 6)}
    second = {(4, column) for column in range(1, 11)} | {(3, column) for column in range(2, 10)}
    assert shut == first | second, "the space around the second fly is larger than what is looked at"


@pytest.mark.parametrize(("floor", "needed", "hurries"), [("wwM", 2, True), ("wwM", 1, False), ("www", 1, False)])
def test_only_magic_walls_that_are_needed_are_prepared_in_haste(floor, needed, hurries):
    rows = f"WWWWW\nWP.rW\nW.d.W\nW{floor}W\nW..XW\nWWWWW"
    planner, cells, facts = born(f"[cave]\nSize=5 6\nDiamondsRequired={needed}\n[map]\n{rows}\n[/map]\n[/cave]\n")
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    assert explorer.ground.pace[0] == (boards.IN_HASTE if hurries else boards.AT_LEISURE)


def undermined(rows: str, place: tuple[int, int]) -> set[tuple[int, int, int]]:
    """Return row, column and action of all the work by which a boulder beside a place may be undermined."""
    cols, cells = rows.index("\n"), np.array([SYMBOLS[symbol] for symbol in rows.replace("\n", "")], dtype=np.uint8)
    rules = np.zeros(RULES_LENGTH, dtype=np.int64)
    rules[COLS], rules[SIZE] = cols, len(cells)
    ground = boards.new_ground(cols, len(cells))
    ground.walk[: len(cells)] = np.where(np.isin(cells, [SPACE, DIRT]), 1, -1)
    dice = np.zeros(books.BOOKS, dtype=np.int64)
    dice[books.DICE] = 88172645463325252
    cell = place[0] * cols + place[1]
    found = {int(aims.undermining(cells, rules, ground, dice, cell)) for _ in range(50)}
    return {(work // 16 // cols, work // 16 % cols, work % 16) for work in found - {-1}}


def test_a_boulder_is_undermined_from_beside_and_the_lower_dirt_goes_first():
    shaft = "SSSSSSS\nSS.o.SS\nS.....S\nSS.?..S\nSSS.SSS\nSSSSSSS"
    right, left = aims.AT_ONCE + aims.SNAP_RIGHT, aims.AT_ONCE + aims.SNAP_LEFT
    assert undermined(shaft.replace("?", "."), (2, 3)) == {(3, 2, right), (3, 4, left)}
    assert undermined(shaft.replace("?", " "), (2, 3)) == {(2, 2, right), (2, 4, left)}
    assert undermined(shaft.replace("?", ".").replace("o", "."), (2, 3)) == set(), "there is no boulder"


def test_a_boulder_low_in_a_pile_is_let_roll_off_and_the_dirt_at_its_foot_goes_first():
    right, left = aims.AT_ONCE + aims.SNAP_RIGHT, aims.AT_ONCE + aims.SNAP_LEFT
    pile = ["SSSSSSSS", "S...o#.S", "S..?o#.S", "S..!##.S", "S......S", "SSSSSSSS"]
    for beside, foot, work in (
        (".", ".", {(2, 2, right), (3, 2, right)}),
        (".", "#", {(2, 2, right)}),
        (".", " ", {(2, 2, right)}),
        (" ", " ", {(1, 2, right)}),
        ("#", ".", set()),
    ):
        rows = "\n".join(pile).replace("?", beside).replace("!", foot)
        assert undermined(rows, (1, 3)) == work
    mirrored = "\n".join(row[::-1] for row in pile).replace("?", ".").replace("!", ".")
    assert undermined(mirrored, (1, 4)) == {(2, 5, left), (3, 5, left)}


def test_a_position_in_which_the_diamonds_cannot_suffice_is_not_kept():
    planner, cells, facts = born(ENDLESS.replace("Required=10", "Required=50"))
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    assert explorer.think(new_meter(Budget(nodes=2_000))) is None
    assert explorer.books[books.COUNT] == 1


LURE = """[cave]
Size=28 16
DiamondsRequired=18
CaveTime=140
[map]
WWWWWWWWWWWWWWWWWWWWWWWWWWWW
WP.............w...aaaaa...W
W..C C C ......w...........W
W.. .... ......w...........W
W.. .... ......w...........W
W..C C C ......w...........W
W..............w...........W
W..............w...........W
W..............w...........W
W..............w...........W
W..............w...........W
W..............w...........W
W..............w...........W
W..........................W
WX.........................W
WWWWWWWWWWWWWWWWWWWWWWWWWWWW
[/map]
[/cave]
"""


def test_butterflies_are_led_to_amoeba_where_diamonds_are_lacking():
    planner, cells, facts = born(LURE)
    for dice in (1_000_003, 2_000_006, 3_000_009):  # without digging for them two of the three take longer
        explorer = Explorer(planner.rules, len(cells), 20_000, dice=dice).start(cells, facts)
        line = explorer.think(new_meter(Budget(nodes=25_000)))
        assert line
        after_cells, after = cells.copy(), facts.copy()
        planner.follow(after_cells, after, explorer.lure())
        assert after[MADE] > 0 and after[STATUS] == PLAYING
        planner.follow(cells.copy(), ends := facts.copy(), line)
        assert ends[STATUS] == WON


def test_the_master_leads_them_there_before_the_whole_way_out_is_known():
    game = BoulderDash()
    state = game.start(parse(LURE.replace("Required=18", "Required=50")), Options(), 1)
    player, text = Master(patience=0), ""
    while not text.startswith("leading butterflies to amoeba"):
        assert state.ticks < 300
        decision = player.decide(game.observe(state, 0), Budget(nodes=4_000))
        text = decision.thoughts.text
        state = game.step(state, decision.action)
    assert not player.is_final and len(player.plan) > 20, "the way is gone as far as amoeba lets him"


def tunnels(text: str) -> set[tuple[int, int]]:
    """Return the places where a tunnel from a butterfly to amoeba would be dug next."""
    planner, cells, facts = born(text)
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    ground, size = explorer.ground, int(planner.rules[SIZE])
    plan.flood(cells, planner.rules, int(facts[ROCKFORD_AT]), ground.walk[:size], ground.queue)
    dug = {int(aims.tunnel_work(cells, planner.rules, ground, explorer.books)) for _ in range(40)}
    return {divmod(cell >> 4, 28) for cell in dug if cell >= 0}


def test_a_tunnel_is_dug_on_the_way_of_a_butterfly_to_amoeba():
    assert tunnels(LURE) and all(row in range(2, 15) and col in range(3, 25) for row, col in tunnels(LURE))
    assert tunnels(LURE.replace("C", "Q")) == set(), "a firefly makes no diamonds"
    assert tunnels(LURE.replace("aaaaa", ".....")) == set(), "there is no amoeba"


def test_runs_are_short_and_at_times_long():
    assert [run_length(run) for run in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_a_run_that_finds_nothing_is_followed_by_another(monkeypatch):
    monkeypatch.setattr("gridsage.games.delirium.bd.agents.explorer.RUN_TICKS", 20)
    planner, cells, facts = born(ENDLESS)
    explorer = Explorer(planner.rules, len(cells), 20_000).start(cells, facts)
    assert explorer.think(new_meter(Budget(nodes=60_000))) is None
    assert explorer.run == explorer.runs > 3
    assert np.array_equal(explorer.kept[0], cells)
    explorer.start(cells, facts)
    assert explorer.run == 1, "at a new root the runs are short again"


FUNNEL = """
SSSSSSSSS
S..o....S
S.#...#.S
S..#.#..S
S...M...S
S.......S
S.......S
S.......S
S.......S
S.......S
S......@S
SSSSSSSSS
"""


def test_work_at_a_magic_wall_is_below_it_and_on_the_ways_down_to_it():
    rows = FUNNEL.strip().split("\n")
    cols = len(rows[0])
    cells = np.array([SYMBOLS[symbol] for symbol in "".join(rows)], dtype=np.uint8)
    rules = np.zeros(RULES_LENGTH, dtype=np.int64)
    rules[COLS], rules[SIZE] = cols, len(cells)
    ground = boards.new_ground(int(rules[COLS]), len(cells))
    ground.walk[:] = 1
    dice = np.zeros(books.BOOKS, dtype=np.int64)
    dice[books.DICE] = 88172645463325252
    wall = 4 * cols + 4
    below = {wall + down * cols for down in range(1, aims.WORK_BELOW + 1)}
    above = {wall - up * cols for up in range(1, 4)}
    over_bricks = {cell - cols for cell in (3 * cols + 3, 3 * cols + 5)}
    found = {int(aims.wall_work(cells, rules, ground, dice)) >> 4 for _ in range(2_000)}
    assert below | above | over_bricks <= found
    assert 4 * cols + 2 not in found and 3 * cols + 1 not in found, "nothing comes down there"
    assert 9 * cols + 4 not in found, "that is deep enough"


AMBUSH = """[cave]
Size=10 8
DiamondsRequired=1
CaveTime=99
[map]
WWWWWWWWWW
WP.r....XW
W........W
W.. .....W
WQ      .W
W????????W
Ww?wwwwwwW
WWWWWWWWWW
[/map]
[/cave]
"""


def lurking(floor: str, treasure: str, fly: str = "Q"):
    """Return an explorer of a lane in which a fly passes below a boulder, and where an ambush would be laid."""
    planner, cells, facts = born(AMBUSH.replace("????????", floor).replace("?", treasure).replace("Q", fly))
    while any(cells[row * 10 + 3] & KIND_MASK != SPACE for row in (3, 4)):  # the fly is in the very way of the boulder
        planner.tick(cells, facts, STAY)
    explorer = Explorer(planner.rules, len(cells), FEWEST_KEPT).start(cells, facts)
    ground, size = explorer.ground, int(planner.rules[SIZE])
    plan.flood(cells, planner.rules, int(facts[ROCKFORD_AT]), ground.walk[:size], ground.queue)
    return planner, explorer, {int(aims.ambush(cells, facts, planner.rules, ground, explorer.books)) for _ in range(20)}


def test_an_ambush_is_laid_beside_what_bears_a_boulder():
    beside = {(2 * 10 + 2) << 4 | aims.SNAP_RIGHT, (2 * 10 + 4) << 4 | aims.SNAP_LEFT}
    assert lurking("wwwwwwww", "d")[2] == beside
    assert lurking("wwwwwwww", "w")[2] == {-1}, "there is nothing behind the wall"
    assert lurking("WWWWWWWW", "d")[2] == {-1}, "a blast opens no steel"
    assert lurking("wMwwwwww", ".")[2] == beside, "diamonds may come to be below a magic wall"
    assert lurking("wMwwwwww", "w")[2] == {-1}, "but not without room"


def test_a_butterfly_is_worth_an_ambush_where_diamonds_are_lacking():
    beside = {(2 * 10 + 2) << 4 | aims.SNAP_RIGHT, (2 * 10 + 4) << 4 | aims.SNAP_LEFT}
    assert lurking("WWWWWWWW", "w", fly="C")[2] == beside
    assert lurking("WWWWWWWW", "w")[2] == {-1}, "a firefly makes none"
    assert lurking("WWWWWWWW", "d", fly="C")[2] == {-1}, "there is one already"
    assert lurking("WWWWWWWW", "a", fly="C")[2] == {-1}, "amoeba blows butterflies up by itself"


@pytest.mark.parametrize(("floor", "is_of_use"), [("wwwwwwww", True), ("WWWWWWWW", False)])
def test_a_boulder_is_dropped_when_it_hits_a_fly_and_that_opens_a_wall(floor, is_of_use):
    planner, explorer, _ = lurking(floor, "d")
    at = len(explorer.kept) - 1
    cells, facts = explorer.kept[0].copy(), explorer.facts[0].copy()
    planner.follow(cells, facts, [4, 1, 0, 0])
    assert facts[ROCKFORD_AT] == 22
    hits = 0
    for _ in range(40):
        explorer.kept[at], explorer.facts[at] = cells, facts
        search = (explorer.kept, explorer.facts, planner.rules, explorer.stream, explorer.journal, explorer.ground)
        ticks = int(walks.ticks_to_a_hit(*search, explorer.books, aims.SNAP_RIGHT))
        if ticks > 0:
            hits += 1
            after_cells, after = cells.copy(), facts.copy()
            planner.follow(after_cells, after, [aims.SNAP_RIGHT] + [STAY] * (ticks - 2))
            assert after[KILLS] == 0
            planner.tick(after_cells, after, STAY)
            assert after[KILLS] == 1
        planner.tick(cells, facts, STAY)
    assert (hits > 0) == is_of_use
