"""What stands between Rockford and the exit: the costs of ways, magic walls made ready, flies near walls."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from gridsage.games.delirium.bd.cells import KIND_MASK, MAGIC_WALL, ROCKFORD, SYMBOLS
from gridsage.games.delirium.bd.kernels import boards, lures, outlook, plan
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
    return cells, facts, rules, boards.new_ground(len(rows[0]), len(cells))


def prospect(picture: str, needed: int = 1, magic: int = 0, pace: int = boards.AT_LEISURE) -> tuple[int, int]:
    """Return value and obstacles of a drawn position."""
    cells, facts, rules, ground = position(picture.strip("\n").split("\n"), needed)
    facts[MAGIC], ground.pace[0] = magic, pace
    value, obstacles = outlook.prospect(cells, facts, rules, ground)
    return int(value), int(obstacles)


def random_cave(seed: int) -> list[str]:
    """Return a drawn cave of random size, also wider than a word of bits, with Rockford in its first row."""
    dice = random.Random(seed)
    rows, cols = dice.randint(4, 14), dice.choice([dice.randint(5, 30), 40, 63, 64, 65, dice.randint(66, 140)])
    inner = ["S" + "".join(dice.choices("   ...ooO#MasHdDS15Xi", k=cols - 2)) + "S" for _ in range(rows - 2)]
    inner[0] = "S@" + inner[0][2:]
    return ["S" * cols, *inner, "S" * cols]


def cells_of(board, cols: int, size: int) -> set[tuple[int, int]]:
    """Return the places in a set of cells."""
    return {divmod(cell, cols) for cell in range(size) if boards.has_cell(board, cols, cell)}


# The first caves are those on which the twin is slowest: all thirty take more than a minute.
SLOW_CAVES = [pytest.param(seed, marks=pytest.mark.long) for seed in range(22)]


@pytest.mark.parametrize("seed", [*SLOW_CAVES, *range(22, 30)])
def test_costs_of_ways_agree_with_the_plain_twin(seed):
    drawn = random_cave(seed)
    rows, cols = len(drawn), len(drawn[0])
    cells, facts, rules, ground = position(drawn)
    boards.draw(cells, rules, ground)
    places = {(row, col) for row in range(rows) for col in range(cols)}
    sources = [(1, 1), (rows - 2, cols - 2)]
    for dirt_price, limit, is_barred in ((3, boards.FAR, False), (1, 14, False), (1, boards.FAR, True)):
        ground.boards[boards.FRONT] = 0
        for row, col in sources:
            boards.add_cell(ground.boards[boards.FRONT], cols, row * cols + col)
        ground.boards[boards.TARGETS] = np.uint64(2**64 - 1)
        boards.set_out(ground.boards, ground.due)
        ours = dict.fromkeys(sources, 0)
        search = (ground.boards, ground.due, cols, dirt_price, limit, is_barred)
        while (cost := boards.advance(*search)) != boards.FAR:
            ours |= dict.fromkeys(cells_of(ground.boards[boards.HITS], cols, rows * cols), cost)
        expected = costs_of_ways(drawn, sources, dirt_price, is_barred)
        assert ours == {place: cost for place, cost in expected.items() if cost <= limit}
    goal = max(places, key=lambda place: costs_of_ways(drawn, [(1, 1)], 1).get(place, -1))
    outlook.costs_from(cells, rules, ground, int(facts[ROCKFORD_AT]), goal[0] * cols + goal[1], 1)
    expected = costs_of_ways(drawn, [(1, 1)], 1)
    assert ground.cost[: rows * cols].tolist() == [
        expected.get(divmod(cell, cols), boards.FAR) for cell in range(rows * cols)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_tunnels_from_butterflies_to_amoeba_agree_with_the_plain_twin(seed):
    drawn = random_cave(seed)
    rows, cols = len(drawn), len(drawn[0])
    if seed % 5 == 0:
        drawn = [row.replace("5", " ") for row in drawn]
    cells, _, rules, ground = position(drawn)
    boards.draw(cells, rules, ground)
    open_rows = [re.sub("[^S#MasHoO.]", " ", row) for row in drawn]
    flies = [(row, col) for row in range(rows) for col in range(cols) if drawn[row][col] == "5"]
    amoeba = {(row, col) for row in range(rows) for col in range(cols) if drawn[row][col] == "a"}
    beside = {(row + down, col + right) for row, col in amoeba for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    goals = {(row, col) for row, col in beside if open_rows[row][col] in " ."}
    shut = [re.sub("[#MasHoO.]", "S", row) for row in drawn]
    room = costs_of_ways(shut, flies, 1)
    costs = costs_of_ways(open_rows, list(room), lures.DIRT_OF_A_TUNNEL)
    expected = min((costs[goal] for goal in goals if goal in costs), default=lures.MOST_FOR_A_TUNNEL)
    assert lures.tunnel_distance(cells, rules, ground) == min(expected, lures.MOST_FOR_A_TUNNEL)


@pytest.mark.parametrize("seed", range(30))
def test_what_can_be_walked_to_agrees_with_the_flood(seed):
    drawn = random_cave(seed)
    cols, size = len(drawn[0]), len(drawn) * len(drawn[0])
    cells, facts, rules, ground = position(drawn)
    boards.draw(cells, rules, ground)
    distance, queue = np.zeros(size, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    plan.flood(cells, rules, int(facts[ROCKFORD_AT]), distance, queue)
    text = "".join(drawn)
    for to_exit, symbols in ((False, "dDi"), (True, "X")):
        steps = boards.reach(ground.boards, cols, int(facts[ROCKFORD_AT]), to_exit)
        reached = [boards.has_cell(ground.boards[boards.REACHED], cols, cell) for cell in range(size)]
        assert reached == [way >= 0 for way in distance]
        ways = [distance[cell] for cell in range(size) if text[cell] in symbols and distance[cell] > 0]
        assert steps == min(ways, default=-1)


def test_a_flood_to_a_goal_fills_in_all_that_is_nearer():
    drawn = ["S" * 12, "S@........#S", *["S...o..#...S"] * 6, "S" * 12]
    size = len(drawn) * len(drawn[0])
    cells, facts, rules, _ = position(drawn)
    start = int(facts[ROCKFORD_AT])
    whole, part, queue = (np.zeros(size + 1, dtype=np.int64) for _ in range(3))
    reached = plan.flood(cells, rules, start, whole, queue)
    goal = int(queue[reached // 2])
    assert plan.flood(cells, rules, start, part, queue, goal) < reached
    near = (whole >= 0) & (whole <= whole[goal])
    assert near.sum() > 10 and (part[near] == whole[near]).all()


def test_a_flood_of_so_many_cells_begins_like_that_of_all():
    drawn = ["S" * 12, "S@........#S", *["S...o..#...S"] * 6, "S" * 12]
    size = len(drawn) * len(drawn[0])
    cells, facts, rules, _ = position(drawn)
    start = int(facts[ROCKFORD_AT])
    distance, queue, some = (np.zeros(size + 1, dtype=np.int64) for _ in range(3))
    reached = plan.flood(cells, rules, start, distance, queue)
    for most in (5, 20, reached - 1):
        first = plan.flood(cells, rules, start, distance, some, -1, most)
        assert most <= first < min(most + 4, reached + 1)
        assert (some[:first] == queue[:first]).all()
    assert plan.flood(cells, rules, start, distance, some, -1, reached + 1) == reached


def test_a_square_of_bits_is_turned_over_its_diagonal():
    dice = random.Random(5)
    for _ in range(50):
        square = dice.getrandbits(64)
        turned = int(boards.turned(np.uint64(square)))
        assert all(turned >> 8 * i + k & 1 == square >> 8 * k + i & 1 for i in range(8) for k in range(8))


@pytest.mark.parametrize("seed", range(12))
def test_a_picture_drawn_over_another_one_is_the_same_as_on_its_own(seed):
    dice = random.Random(seed)
    drawn = random_cave(seed)
    cells, _, rules, ground = position(drawn)
    for changes in (0, 1, 7, 40):
        for _ in range(changes):
            cells[dice.randrange(len(cells))] = SYMBOLS[dice.choice(" .oMdSX#@1")] | dice.choice((0, 64, 128))
        boards.draw(cells, rules, ground)
        fresh = boards.new_ground(len(drawn[0]), len(cells))
        boards.draw(cells, rules, fresh)
        assert (ground.boards[: boards.CLASSES] == fresh.boards[: boards.CLASSES]).all()
        walls = np.flatnonzero(cells & KIND_MASK == MAGIC_WALL).tolist()
        assert ground.walls[: len(walls) + 1].tolist() == [len(walls), *walls]


@pytest.mark.parametrize("seed", range(12))
def test_what_makes_diamonds_is_counted(seed):
    text = "".join(random_cave(seed)).replace("1", "5")
    if seed % 3 == 0:
        text = text.replace("M", "#")
    cells, _, rules, _ = position([text])
    above = text[: text.rindex("M")] if "M" in text else ""
    boulders = above.count("o") + above.count("O")
    assert outlook.makers(cells, rules) == (text.count("a"), text.count("5"), boulders)


def test_sets_are_counted_and_their_first_cell_found():
    ground = boards.new_ground(70, 700)
    board = ground.boards[boards.HITS]
    assert (boards.size_of(board), boards.first_of(board, 70)) == (0, -1)
    for number, cell in enumerate((699, 128, 127, 64, 63)):
        boards.add_cell(board, 70, cell)
        assert (boards.size_of(board), boards.first_of(board, 70)) == (number + 1, cell)


def test_nobody_goes_down_through_a_boulder_and_who_is_shut_in_is_worse_off():
    below, above = "SSSSS\nSd@dS\nS#o#S\nS..XS\nSSSSS", "SSSSS\nS..XS\nS#o#S\nSd@dS\nSSSSS"
    through_it = outlook.NO_WAY_OUT + (boards.BOULDER_PRICE + 2) // 2
    assert prospect(above)[1] == through_it
    assert prospect(below)[1] == outlook.NO_WAY_OUT + (boards.WALL_PRICE + 2) // 2 + outlook.SHUT_IN
    assert prospect(below, pace=boards.IN_HASTE)[1] == through_it, "where magic walls hurry nothing else is in use"


def test_nothing_is_in_the_way_where_he_can_walk():
    assert prospect("SSSSSS\nS@.d.S\nS...XS\nSSSSSS")[1] == 0


def test_a_boulder_fewer_in_the_way_is_better():
    two, one = prospect("SSSSSSS\nS@oodXS\nSSSSSSS"), prospect("SSSSSSS\nS@o.dXS\nSSSSSSS")
    assert one[0] < two[0] and one[1] < two[1]


def test_a_diamond_behind_a_wall_is_worse_than_one_behind_a_boulder():
    assert prospect("SSSSSSS\nS@o.dXS\nSSSSSSS")[1] < prospect("SSSSSSS\nS@#.dXS\nSSSSSSS")[1]


def test_dirt_dug_between_butterflies_and_amoeba_is_work_done():
    def obstacles(lane: str) -> int:
        return prospect(f"SSSSSSSSSSSS\nS@........XS\nS5{lane}.aS\nSSSSSSSSSSSS", needed=3)[1]

    dug = [obstacles(" " * free + "." * (7 - free)) for free in range(8)]
    assert dug == sorted(dug, reverse=True) and dug[0] - dug[7] == 7 * lures.DIRT_OF_A_TUNNEL
    assert obstacles("ddd    ") < dug[3], "with enough diamonds no tunnel is wanted"


def test_only_as_many_diamonds_as_are_needed_count_as_obstacles():
    both = "SSSSSSSSSS\nS#d#@.oodS\nS###.X...S\nSSSSSSSSSS"
    assert prospect(both, needed=1)[1] < prospect(both, needed=2)[1] < boards.FAR


TWO_ROOMS = ["SSSSSSSSSSSSS", "S@....#d#d#.S", "S.1...#######", "S??????????XS", "SSSSSSSSSSSSS"]


def test_each_closed_room_wants_a_fly_of_its_own():
    def obstacles(flies: str, needed: int) -> int:
        return prospect("\n".join(TWO_ROOMS).replace("??????????", flies.ljust(10, ".")), needed)[1]

    assert obstacles("", 2) == obstacles("1", 2) + outlook.NO_FLY_LEFT, "one fly for two rooms"
    assert obstacles("1", 2) == obstacles("11", 2), "a third fly is of no use"
    assert obstacles("", 1) == obstacles("1", 1), "one room is enough"


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
    assert prospect(SHAFT.replace("?", " "), magic=SPENT)[1] == boards.FAR
    assert prospect(SHAFT.replace("?", "a"), magic=SPENT)[1] < boards.FAR
    assert prospect(SHAFT.replace("?", "5"), magic=SPENT)[1] < boards.FAR
    assert prospect(SHAFT.replace("?", "d"), magic=SPENT)[1] < boards.FAR


def test_a_magic_wall_cannot_make_more_diamonds_than_there_are_boulders_above_it():
    shaft = SHAFT.replace("?", " ")
    assert prospect(shaft, needed=1)[1] < boards.FAR
    assert prospect(shaft, needed=2)[1] == boards.FAR
    assert prospect(shaft.replace("@.", "@o"), needed=2)[1] < boards.FAR
    assert prospect(shaft.replace("....X", ".o..X"), needed=2)[1] == boards.FAR, "that one is below"


def test_a_blast_makes_nine_diamonds_at_most():
    fly = "SSSSSSS\nS@...5S\nS....XS\nSSSSSSS"
    assert prospect(fly, needed=9)[1] < boards.FAR
    assert prospect(fly, needed=10)[1] == boards.FAR


def test_boulders_above_and_room_below_a_magic_wall_are_told_apart():
    def stock(picture: str) -> int:
        cells, _, rules, ground = position(picture.strip("\n").split("\n"))
        boards.draw(cells, rules, ground)
        return int(outlook.stock(cells, rules, ground.walls))

    shaft = SHAFT.replace("?", " ")
    pictures = [shaft, shaft.replace("..o..", "....."), SHAFT.replace("?", "o"), shaft.replace("@....", "@.o..")]
    assert len({stock(picture) for picture in pictures}) == len(pictures)
    assert stock(shaft) == stock(shaft.replace("....X", ".o..X")), "what lies elsewhere does not count"


def test_room_above_a_second_magic_wall_is_no_room():
    def supply(picture: list[str]) -> int:
        cells, _, rules, ground = position(picture)
        boards.draw(cells, rules, ground)
        return int(outlook.supply(cells, rules, ground.walls))

    picture = SHAFT.strip("\n").split("\n")
    picture[5] = "S## ##S"
    open_below = supply(picture)
    picture[6] = "S##M##S"
    assert supply(picture) < open_below


def breach(picture: str) -> int:
    rows = picture.strip("\n").split("\n")
    cells, _, rules, ground = position(rows)
    boards.draw(cells, rules, ground)
    return int(outlook.breach_distance(ground, len(rows[0]), len(cells), "".join(rows).index("d")))


def test_a_fly_is_the_nearer_to_a_breach_the_fewer_cells_and_dirt_are_between():
    room = "SSSSSSSSS\nS###@...S\nS#d#?...S\nS###....S\nSSSSSSSSS"
    assert breach(room.replace("?", "1")) == 0
    assert breach(room.replace("?...", ".  1")) == 1 + 1 + 1
    assert breach(room.replace("?...", "...1")) == 3 + 3 + 1
    assert breach(room.replace("?", ".")) == boards.FAR


def test_an_obstacle_is_met_where_the_cheapest_way_leaves_what_can_be_walked():
    rows = ["SSSSSSSSS", "S@..oo.dS", "S#.#####S", "S...####S", "SSSSSSSSS"]
    cells, facts, rules, ground = position(rows)
    start = int(facts[ROCKFORD_AT])
    plan.flood(cells, rules, start, ground.walk[: len(cells)], ground.queue)
    assert outlook.first_obstacle(cells, rules, ground, start, 9 + 7) == 9 + 3
    assert outlook.first_obstacle(cells, rules, ground, start, 0) == -1


BOXES = """
SSSSSSSSSSSSSSS
S@.o.oo.......S
S..o.oo....o..S
S.#MM#.#MM#...S
S.#..#.#..#...S
S.#?.#.#..#...S
S.####.####...S
S............1S
S............XS
SSSSSSSSSSSSSSS
"""


def shut_rooms(picture: str) -> int:
    """Return how many rooms below magic walls only a blast opens."""
    cells, facts, rules, ground = position(picture.strip("\n").split("\n"), 4)
    outlook.prospect(cells, facts, rules, ground)
    return int(outlook.rooms_to_open(cells, facts, rules, ground))


def test_rooms_below_magic_walls_are_shut_until_a_wall_is_gone():
    open_box = BOXES.replace("S.#?.", "S..?.")
    assert shut_rooms(BOXES.replace("?", ".")) == 2
    assert shut_rooms(open_box.replace("?", ".")) == 1
    assert shut_rooms(open_box.replace("?", "o")) == 1, "a boulder can be moved"
    assert shut_rooms(BOXES.replace("?", ".").replace("@.o.", "@ddd").replace("1", "d")) == 0, "there are enough"
    difference = prospect(BOXES.replace("?", "."), 4)[1] - prospect(open_box.replace("?", "."), 4)[1]
    assert difference >= outlook.SHUT_ROOM


LANE = """
SSSSSSSSSSS
S@.oo.....S
S.....o...S
S.#MM#....S
S.#..#....S
S.####B...S
S..D..C..XS
S.....1...S
SSSSSSSSSSS
"""


def test_a_lane_for_a_fly_to_where_a_boulder_opens_a_room_is_worth_digging():
    def obstacles(dug: str) -> int:
        return prospect("".join(" " if c in dug else "." if c in "BCD" else c for c in LANE), 2)[1]

    assert obstacles("BC") < obstacles("C") < obstacles("")
    assert obstacles("D") == obstacles(""), "that way leads nowhere"


@pytest.mark.parametrize("seed", range(20))
def test_places_below_boulders_agree_with_a_plain_look_upwards(seed):
    drawn = random_cave(seed)
    rows, cols = len(drawn), len(drawn[0])
    cells, _, rules, ground = position(drawn)
    boards.draw(cells, rules, ground)
    front, size = ground.boards[boards.FRONT], rows * cols
    front[:] = 0
    for cell in range(size):
        boards.add_cell(front, cols, cell)
    boards.keep_below_boulders(ground.boards, cols)
    found = cells_of(front, cols, size)
    for row in range(2, rows):
        for col in range(cols):
            top = row
            while top > 0 and drawn[top][col] not in "oO#MasHS":
                top -= 1
            is_below = row > top + 1 and drawn[top][col] in "oO" and drawn[top + 1][col] == "."
            is_near = row - (top + 1) <= boards.FALLS
            assert ((row, col) in found) == (is_below and is_near)
