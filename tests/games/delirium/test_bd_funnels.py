"""How magic walls are prepared: ways down to them, room below, and what they would make if they were opened now."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridsage.games.delirium.bd.agents.explorer import FEWEST_KEPT, Explorer
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.cells import ROCKFORD, SYMBOLS, picture
from gridsage.games.delirium.bd.kernels import archive, boards, books, funnels
from gridsage.games.delirium.bd.kernels.tick import COLS, FRAME, NEEDED, RULES_LENGTH, SIZE, frame_milliseconds
from gridsage.games.delirium.bd.rules import arrays
from gridsage.games.delirium.bd.state import AWAKE, FACTS_LENGTH, MAGIC, MAGIC_LEFT, ROCKFORD_AT
from naive import delirium_bd_funnels as twin

FUNNEL = """
WWWWWWWWW
W.P.....W
W.r...r.W
W.w...w.W
W.rw.wr.W
W...r...W
W...M...W
W..   ..W
W..   ..W
W......XW
WWWWWWWWW
"""


def text_of(rows: list[str]) -> str:
    """Return a cave of BDCFF with a map of these rows."""
    head = f"[cave]\nSize={len(rows[0])} {len(rows)}\nDiamondsRequired=1\nMagicWallTime=20\n[map]\n"
    return head + "\n".join(rows) + "\n[/map]\n[/cave]\n"


def position(picture: str):
    """Return cells, facts, rules and a drawn ground of a picture in the letters of BDCFF."""
    rows = picture.strip("\n").split("\n")
    cells, facts, rules = arrays(parse(text_of(rows)).caves[0], 1.0)
    inbox = "".join(rows).index("P")
    cells[inbox] = ROCKFORD
    facts[ROCKFORD_AT] = inbox
    ground = boards.new_ground(len(rows[0]), len(rows) * len(rows[0]))
    boards.draw(cells, rules, ground)
    return cells, facts, rules, ground


def digs(picture: str) -> dict[tuple[int, int], int]:
    """Return the cells of dirt below each cell of a picture from which a boulder can come down."""
    cells, _, rules, ground = position(picture)
    funnels.ways_down(cells, rules, ground.walls, ground.cost)
    cols, size = len(picture.split()[0]), len("".join(picture.split()))
    return {divmod(cell, cols): int(ground.cost[cell]) for cell in range(size) if ground.cost[cell] != boards.FAR}


def harvest(picture: str, magic_left: int | None = None) -> int:
    cells, facts, rules, ground = position(picture)
    if magic_left is not None:
        facts[MAGIC], facts[MAGIC_LEFT] = AWAKE, magic_left
    stream, journal = np.array([1], dtype=np.int64), np.zeros(16 * len(cells) + 64, dtype=np.int64)
    return int(funnels.harvest(cells, facts, rules, stream, journal, ground.walls)[0])


SHAFT = FUNNEL.replace("W...r...W", "W.......W")


def test_dirt_on_the_way_down_is_counted_and_bricks_are_rolled_off():
    found = digs(SHAFT)
    assert found[5, 4] == 1
    assert found[4, 4] == 2
    assert found[3, 4] == 3
    assert found[3, 3] == 4, "over the brick below it, through the dirt beside it"
    assert (4, 2) not in found, "it lies outside"


def test_nothing_comes_down_where_a_boulder_rests_on_the_wall():
    assert (4, 4) not in digs(FUNNEL)


def test_there_is_no_way_to_a_wall_whose_diamonds_fall_on_another_one():
    rows = SHAFT.strip("\n").split("\n")
    rows[9] = "W...M..XW"
    assert digs("\n".join(rows)) == {}


def test_room_below_a_wall_is_where_things_fall_and_roll():
    cells, _, rules, ground = position(SHAFT)
    assert funnels.room_for(cells, rules, ground.walls, ground.cost, 99) == 4
    assert funnels.room_for(cells, rules, ground.walls, ground.cost, 3) == 3


STACK = """
WWWWWWW
WP.r..W
W..r..W
W.....W
W..M..W
W.. ..W
W.. ..W
W....XW
WWWWWWW
"""


def test_a_harvest_is_what_comes_down_when_the_plug_is_taken_away():
    assert harvest(STACK) == 2
    assert harvest(STACK.replace("W.....W\nW..M", "W.....W\nW.....W\nW.....W\nW..M")) == 0, "too much dirt below"


def test_what_finds_no_room_is_lost():
    assert harvest(STACK.replace("W.. ..W\nW.. ..W", "W.. ..W\nW.....W")) == 1


def test_a_wall_that_works_no_longer_makes_nothing_more():
    open_stack = STACK.replace("W.....W\nW..M", "W.. ..W\nW..M")
    assert harvest(open_stack, magic_left=100_000) == 2
    assert harvest(open_stack, magic_left=1) < 2


MORE = STACK.replace("WP.r..W", "WPrrr.W")  # boulders that do not come down by themselves


@pytest.mark.parametrize(
    ("picture", "needed", "ticks", "kept"),
    [
        (STACK, 2, 12, True),
        (STACK.replace("W.. ..W\nW.. ..W", "W.. ..W\nW.....W"), 2, 12, False),
        (MORE, 3, 200, True),
        (MORE, 4, 200, False),
    ],
)
def test_a_position_is_dropped_where_the_walls_work_and_too_little_comes_of_it(picture, needed, ticks, kept):
    cells, facts, rules, _ = position(picture.replace("W.....W\nW..M", "W.. ..W\nW..M"))
    rules[NEEDED] = needed
    explorer = Explorer(rules, len(cells), FEWEST_KEPT).start(cells, facts)
    row = int(explorer.books[books.COUNT])
    explorer.kept[row], explorer.facts[row] = cells, facts
    explorer.facts[row, MAGIC] = AWAKE
    explorer.facts[row, MAGIC_LEFT] = ticks * frame_milliseconds(facts, rules)
    found = archive.keep(
        explorer.kept,
        explorer.facts,
        explorer.notes,
        explorer.keys,
        explorer.rules,
        explorer.stream,
        explorer.journal,
        explorer.ground,
        explorer.books,
        0,
    )
    assert bool(found) is kept


def random_cave(seed: int) -> list[str]:
    """Return a drawn cave with magic walls, bricks to roll off, dirt and boulders."""
    dice = random.Random(seed)
    rows, cols = dice.randint(5, 10), dice.randint(5, 12)
    symbols = "   ...ooO##d@D" + "M" * dice.randint(1, 3)
    return ["S" * cols, *("S" + "".join(dice.choices(symbols, k=cols - 2)) + "S" for _ in range(rows)), "S" * cols]


@pytest.mark.parametrize("seed", range(60))
def test_magic_walls_are_looked_at_as_by_the_plain_twin(seed):
    rows = random_cave(seed)
    cols, size = len(rows[0]), len(rows) * len(rows[0])
    cells = np.array([SYMBOLS[symbol] for symbol in "".join(rows)], dtype=np.uint8)
    rules, facts = np.zeros(RULES_LENGTH, dtype=np.int64), np.zeros(FACTS_LENGTH, dtype=np.int64)
    rules[COLS], rules[SIZE] = cols, size
    ground = boards.new_ground(cols, size)
    places = np.flatnonzero(cells == SYMBOLS["M"])
    ground.walls[0], ground.walls[1 : len(places) + 1] = len(places), places
    funnels.ways_down(cells, rules, ground.walls, ground.cost)
    found = {divmod(cell, cols): int(ground.cost[cell]) for cell in range(size) if ground.cost[cell] != boards.FAR}
    assert found == twin.digs(rows)
    for most in (3, 999):
        assert funnels.room_for(cells, rules, ground.walls, ground.cost, most) == min(most, twin.room(rows))
    for wanted in (1, 4):
        assert funnels.boulders_ready(cells, facts, rules, ground.walls, ground.cost, wanted) == twin.ready(
            rows, wanted, int(boards.FAR)
        )
    rules[FRAME], facts[MAGIC], facts[MAGIC_LEFT] = 100, AWAKE, 1000 + 100 * (seed % 20)
    assert funnels.boulders_ready(cells, facts, rules, ground.walls, ground.cost, 2) == twin.ready(
        rows, 2, 10 + seed % 20
    )
    assert funnels.diamonds_in(cells, rules) == sum(row.count("d") + row.count("D") for row in rows)


@pytest.mark.parametrize("seed", range(60))
def test_a_harvest_is_the_same_as_by_the_plain_twin(seed):
    dice = random.Random(seed)
    rows, cols = dice.randint(5, 12), dice.randint(5, 14)
    letters = "   ...rrr" + "w" * dice.randint(0, 2) + "d" + "M" * dice.randint(1, 2)
    inner = ["W" + "".join(dice.choices(letters, k=cols - 2)) + "W" for _ in range(rows)]
    inner[0] = "WP" + inner[0][2:]
    drawn = ["W" * cols, *inner, "W" * cols]
    magic_left = dice.choice([None, 100_000, dice.randint(1, 2_000)])
    cells, facts, rules, ground = position("\n".join(drawn))
    before = picture(cells.tobytes(), cols, len(drawn) * cols)
    if magic_left is not None:
        facts[MAGIC], facts[MAGIC_LEFT] = AWAKE, magic_left
    stream, journal = np.array([1], dtype=np.int64), np.zeros(16 * len(cells) + 64, dtype=np.int64)
    made, ticks = funnels.harvest(cells, facts, rules, stream, journal, ground.walls)
    cave = parse(text_of(drawn)).caves[0]
    assert (made, ticks, picture(cells.tobytes(), cols, len(drawn) * cols)) == twin.harvest(cave, before, magic_left)
