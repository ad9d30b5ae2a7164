"""What stands between Rockford and the exit: the costs of ways, magic walls made ready, flies near walls."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridsage.games.delirium.bd.cells import ROCKFORD, SYMBOLS
from gridsage.games.delirium.bd.kernels import outlook
from gridsage.games.delirium.bd.kernels.tick import COLS, NEEDED, RULES_LENGTH, SIZE
from gridsage.games.delirium.bd.state import FACTS_LENGTH, MAGIC, ROCKFORD_AT, SPENT, TIME
from naive.delirium_bd_ways import costs_of_ways


def position(rows: list[str], needed: int = 1):
    """Return cells, facts, rules and ground of a drawn position with an hour on its clock."""
    cells = np.array([SYMBOLS[symbol] for symbol in "".join(rows)], dtype=np.uint8)
    rules = np.zeros(RULES_LENGTH, dtype=np.int64)
    rules[COLS], rules[SIZE], rules[NEEDED] = len(rows[0]), len(cells), needed
    facts = np.zeros(FACTS_LENGTH, dtype=np.int64)
    facts[ROCKFORD_AT], facts[TIME] = int(np.flatnonzero(cells == ROCKFORD)[0]), 3_600_000
    return cells, facts, rules, np.zeros((outlook.GROUND_ROWS, len(cells) + 1), dtype=np.int64)


def prospect(picture: str, needed: int = 1, magic: int = 0) -> tuple[int, int]:
    """Return value and obstacles of a drawn position."""
    cells, facts, rules, ground = position(picture.strip("\n").split("\n"), needed)
    facts[MAGIC] = magic
    value, obstacles = outlook.prospect(cells, facts, rules, ground)
    return int(value), int(obstacles)


@pytest.mark.parametrize("seed", range(20))
def test_costs_of_ways_agree_with_the_plain_twin(seed):
    dice = random.Random(seed)
    rows, cols = dice.randint(4, 12), dice.randint(4, 12)
    inner = ["S" + "".join(dice.choices("  ..ooO#MasHdS1X", k=cols - 2)) + "S" for _ in range(rows - 2)]
    drawn = ["S" * cols, *inner, "S" * cols]
    drawn[1] = "S@" + drawn[1][2:]
    cells, _, rules, ground = position(drawn)
    sources = [(1, 1), (rows - 2, cols - 2)]
    for number, (row, col) in enumerate(sources):
        ground[outlook.QUEUES, number] = row * cols + col
    outlook.spread_costs(cells, rules, ground, len(sources), 3, outlook.FAR)
    ours = ground[outlook.COST, : rows * cols].tolist()
    expected = costs_of_ways(drawn, sources, 3)
    assert ours == [expected.get(divmod(cell, cols), outlook.FAR) for cell in range(rows * cols)]
    outlook.spread_costs(cells, rules, ground, len(sources), 3, 14)
    near = ground[outlook.COST, : rows * cols].tolist()
    assert [cost for cost in near if cost <= 14] == [cost for cost in ours if cost <= 14]
    assert any(cost < outlook.FAR for cost in near) and near.count(outlook.FAR) >= ours.count(outlook.FAR)


def test_nothing_is_in_the_way_where_he_can_walk():
    assert prospect("SSSSSS\nS@.d.S\nS...XS\nSSSSSS")[1] == 0


def test_a_boulder_fewer_in_the_way_is_better():
    two, one = prospect("SSSSSSS\nS@oodXS\nSSSSSSS"), prospect("SSSSSSS\nS@o.dXS\nSSSSSSS")
    assert one[0] < two[0] and one[1] < two[1]


def test_a_diamond_behind_a_wall_is_worse_than_one_behind_a_boulder():
    assert prospect("SSSSSSS\nS@o.dXS\nSSSSSSS")[1] < prospect("SSSSSSS\nS@#.dXS\nSSSSSSS")[1]


def test_only_as_many_diamonds_as_are_needed_count_as_obstacles():
    both = "SSSSSSSSSS\nS#d#@.oodS\nS###.X...S\nSSSSSSSSSS"
    assert prospect(both, needed=1)[1] < prospect(both, needed=2)[1] < outlook.FAR


SHAFT = """
SSSSSSS
S@....S
S..o..S
S.....S
S##M##S
S##?##S
S.....S
S....XS
SSSSSSS
"""


def test_a_magic_wall_with_room_below_is_better_than_one_without():
    assert prospect(SHAFT.replace("?", " "))[0] < prospect(SHAFT.replace("?", "."))[0]


def test_too_few_diamonds_are_far_away_unless_something_can_make_more():
    assert prospect(SHAFT.replace("?", " "), magic=SPENT)[1] == outlook.FAR
    assert prospect(SHAFT.replace("?", "a"), magic=SPENT)[1] < outlook.FAR
    assert prospect(SHAFT.replace("?", "5"), magic=SPENT)[1] < outlook.FAR
    assert prospect(SHAFT.replace("?", "d"), magic=SPENT)[1] < outlook.FAR


def test_a_magic_wall_cannot_make_more_diamonds_than_there_are_boulders_above_it():
    shaft = SHAFT.replace("?", " ")
    assert prospect(shaft, needed=1)[1] < outlook.FAR
    assert prospect(shaft, needed=2)[1] == outlook.FAR
    assert prospect(shaft.replace("@.", "@o"), needed=2)[1] < outlook.FAR
    assert prospect(shaft.replace("....X", ".o..X"), needed=2)[1] == outlook.FAR, "that one is below"


def test_a_blast_makes_nine_diamonds_at_most():
    fly = "SSSSSSS\nS@...5S\nS....XS\nSSSSSSS"
    assert prospect(fly, needed=9)[1] < outlook.FAR
    assert prospect(fly, needed=10)[1] == outlook.FAR


def test_boulders_above_and_room_below_a_magic_wall_are_told_apart():
    def stock(picture: str) -> int:
        cells, _, rules, _ = position(picture.strip("\n").split("\n"))
        return int(outlook.stock(cells, rules))

    shaft = SHAFT.replace("?", " ")
    pictures = [shaft, shaft.replace("..o..", "....."), SHAFT.replace("?", "o"), shaft.replace("@....", "@.o..")]
    assert len({stock(picture) for picture in pictures}) == len(pictures)
    assert stock(shaft) == stock(shaft.replace("....X", ".o..X")), "what lies elsewhere does not count"


def test_room_above_a_second_magic_wall_is_no_room():
    picture = SHAFT.strip("\n").split("\n")
    picture[5] = "S## ##S"
    cells, _, rules, _ = position(picture)
    open_below = outlook.supply(cells, rules)
    picture[6] = "S##M##S"
    cells, _, rules, _ = position(picture)
    assert outlook.supply(cells, rules) < open_below


def breach(picture: str) -> int:
    rows = picture.strip("\n").split("\n")
    cells, _, rules, ground = position(rows)
    return int(outlook.breach_distance(cells, rules, ground, "".join(rows).index("d")))


def test_a_fly_is_the_nearer_to_a_breach_the_fewer_cells_and_dirt_are_between():
    room = "SSSSSSSSS\nS###@...S\nS#d#?...S\nS###....S\nSSSSSSSSS"
    assert breach(room.replace("?", "1")) == 0
    assert breach(room.replace("?...", ".  1")) == 1 + 1 + 1
    assert breach(room.replace("?...", "...1")) == 3 + 3 + 1
    assert breach(room.replace("?", ".")) == outlook.FAR


def test_an_obstacle_is_met_where_the_cheapest_way_leaves_what_can_be_walked():
    rows = ["SSSSSSSSS", "S@..oo.dS", "S#.#####S", "S...####S", "SSSSSSSSS"]
    cells, facts, rules, ground = position(rows)
    start = int(facts[ROCKFORD_AT])
    outlook.flood(cells, rules, start, ground[outlook.WALK, : len(cells)], ground[outlook.WALK + 1])
    assert outlook.first_obstacle(cells, rules, ground, start, 9 + 7) == 9 + 3
    assert outlook.first_obstacle(cells, rules, ground, start, 0) == -1
