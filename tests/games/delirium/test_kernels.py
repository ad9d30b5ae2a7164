"""The compiled tick against its plain twin, on caves and play nobody designed."""

from __future__ import annotations

import copy
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from gridsage.core.room import parse_options
from gridsage.games.delirium import state
from gridsage.games.delirium.kernels import tick as kernels
from gridsage.games.delirium.level import cells as codes
from gridsage.games.delirium.level import parse
from gridsage.games.delirium.level.cells import Gallery, Options
from gridsage.games.delirium.rules import arrays, journal_length

sys.path.insert(0, str(Path(__file__).parents[2] / "naive"))
from delirium_twin import Twin

COUNTED = "#########\n#@.o.d..#\n#..o....#\n#...r ..#\n#.s.  .X#\n#########"
FILLS = (
    # void, clay, diamond, stone, wall, sturdy, magic, exit, monsters
    (30, 30, 10, 20, 2, 3, 1, 1, 3),
    (60, 0, 10, 20, 2, 3, 1, 0, 6),
    (50, 5, 15, 25, 0, 5, 0, 0, 1),
    (10, 60, 8, 20, 0, 1, 0, 1, 1),
    (40, 10, 5, 10, 1, 10, 3, 1, 20),
)


def random_gallery(rng: random.Random) -> Gallery:
    rows, cols = rng.randint(3, 14), rng.randint(3, 18)
    fill = rng.choice(FILLS)
    kinds = (codes.VOID, codes.CLAY, codes.DIAMOND, codes.STONE, codes.WALL, codes.STURDY, codes.MAGIC, codes.EXIT, -1)
    cells = bytearray([codes.BORDER]) * (rows * cols)
    for row in range(1, rows - 1):
        for col in range(1, cols - 1):
            kind = rng.choices(kinds, fill)[0]
            if kind < 0:
                kind = rng.choice(codes.MONSTERS)
            if kind == codes.STURDY:
                kind |= rng.randrange(4) << codes.STRENGTH_SHIFT
            cells[row * cols + col] = kind
    cells[rng.randint(1, rows - 2) * cols + rng.randint(1, cols - 2)] = codes.MINER
    return Gallery("random", rows, cols, bytes(cells), rng.randint(0, 4), rng.choice((-1, -1, 7, 60)))


def random_options(rng: random.Random) -> Options:
    pairs = {
        "blue_rests": rng.random() < 0.5,
        "others_move": rng.choice(("each tick", "every second tick", "never")),
        "roll_first": rng.choice(("left", "right")),
        "crush_on_arrival": rng.random() < 0.7,
        "passing_under": rng.random() < 0.7,
        "magic_wall": rng.choice(("inert", "turns")),
        "push_up": rng.random() < 0.7,
        "push_rows": rng.random() < 0.7,
        "explosion_ticks": rng.choice((0, 1, 3, 4)),
        "explode_on_arrival": rng.random() < 0.7,
    }
    return parse_options(Options, pairs, "delirium")


def status_of(twin: Twin) -> int:
    words = {"playing": 0, "won": 1, "stone": 2, "diamond": 3, "explosion": 4, "time": 5}
    return words[twin.status] if twin.status in words else int(twin.status.split()[1])


def assert_same(twin: Twin, cells: np.ndarray, facts: np.ndarray, monsters: int) -> None:
    assert status_of(twin) == facts[state.STATUS]
    assert twin.cell_bytes() == cells.tobytes()
    seen = [facts[i] for i in (state.TICKS, state.MINER_AT, state.DIAMONDS, state.TIME, state.KILLS)]
    assert seen == [twin.ticks, twin.miner, twin.diamonds, twin.time, twin.kills]
    assert twin.pushes == facts[state.PUSHES]
    alive = [
        (int(packed) >> 3, None if int(packed) & 7 == state.NOT_MOVED else int(packed) & 7)
        for packed in facts[state.FIRST_MONSTER :][:monsters]
        if packed >= 0
    ]
    assert alive == [(monster.cell, monster.heading) for monster in twin.monsters]


def play_both(seed: int, ticks: int) -> int:
    rng = random.Random(seed)
    gallery, options = random_gallery(rng), random_options(rng)
    twin = Twin(gallery, options)
    cells, facts, rules = arrays(gallery, options)
    journal = np.zeros(journal_length(rules), dtype=np.int64)
    for played in range(ticks):
        action = rng.randrange(10)
        before = cells.copy()
        kernels.tick(cells, facts, rules, journal, action)
        twin.tick(action)
        assert_same(twin, cells, facts, rules[state.MONSTER_COUNT])
        for packed in journal[1 : journal[0] + 1].tolist():
            assert before[packed >> 16] == packed >> 8 & 255, "the journal tells each change in order"
            before[packed >> 16] = packed & 255
        assert (before == cells).all()
        if facts[state.STATUS]:
            return played + 1
    return ticks


@pytest.mark.parametrize("block", range(4))
def test_the_compiled_tick_equals_its_plain_twin_on_random_caves(block: int) -> None:
    assert sum(play_both(seed, 60) for seed in range(block * 100, block * 100 + 100)) > 1000


def test_the_plain_twin_counts_the_same_positions() -> None:
    gallery = parse("diamonds: 1\n" + COUNTED + "\n").galleries[0]
    layer = {"": Twin(gallery, Options())}
    counts = []
    for _ in range(5):
        following = {}
        for world in layer.values():
            if world.status != "playing":
                continue
            for action in range(9):
                new = copy.deepcopy(world)
                new.tick(action)
                headings = tuple(monster.heading for monster in new.monsters)
                following[new.cell_bytes(), headings, new.diamonds, new.pushes, new.status] = new
        layer = following
        counts.append(len(layer))
    assert counts == [5, 14, 34, 78, 159]
