"""The compiled tick of a cave against its plain twin, and both against recorded games where they are at hand."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from gridsage.games.delirium.bd.cells import SYMBOLS, picture
from gridsage.games.delirium.bd.kernels.chance import stream_of
from gridsage.games.delirium.bd.kernels.tick import tick
from gridsage.games.delirium.bd.level import Cave
from gridsage.games.delirium.bd.rules import arrays, journal_of
from gridsage.games.delirium.bd.state import DIAMONDS, POINTS, STATUS, TIME, WON

sys.path.insert(0, str(Path(__file__).parents[2] / "naive"))
sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
from delirium_bd_twin import Twin

import delirium_bd_proof

FILLS = (
    # space, dirt, boulder, diamond, brick, magic wall, amoeba, slime, growing wall, firefly, butterfly, exit
    (30, 30, 15, 8, 5, 2, 0, 0, 0, 3, 3, 1),
    (50, 5, 20, 10, 5, 5, 2, 2, 0, 2, 2, 1),
    (20, 50, 15, 5, 2, 2, 2, 2, 1, 3, 3, 1),
    (70, 0, 15, 5, 2, 0, 0, 0, 0, 6, 6, 1),
)


def random_cave(rng: random.Random) -> tuple[Cave, list[str]]:
    rows, cols, fill = rng.randint(4, 14), rng.randint(4, 18), rng.choice(FILLS)
    grid = [["S"] * cols for _ in range(rows)]
    for row in range(1, rows - 1):
        for col in range(1, cols - 1):
            symbol = rng.choices(" .od#MasHFBX", fill)[0]
            grid[row][col] = rng.choice({"F": "1234", "B": "5678", "o": "oooO", "d": "dddD"}.get(symbol, symbol))
    grid[rng.randint(1, rows - 2)][rng.randint(1, cols - 2)] = rng.choice("@@I")
    lines = ["".join(row) for row in grid]
    cave = Cave(
        "random",
        rows,
        cols,
        bytes(SYMBOLS[symbol] for line in lines for symbol in line),
        needed=rng.randint(0, 3),
        value=10,
        extra_value=15,
        time=rng.choice((5_000, 100_000)),
        hatch=rng.choice((0, 300)),
        hatch_ticks=rng.choice((0, 3)),
        pace=rng.choice(("milliseconds", "bd1", "bd2")),
        delay=rng.randint(0, 12),
        is_intermission=rng.random() < 0.5,
        magic_time=rng.choice((500, 5_000)),
        amoeba_time=rng.choice((500, 50_000)),
        amoeba_max=rng.choice((6, 200)),
        amoeba_slow=300_000,
        amoeba_fast=600_000,
        amoeba_at_once=rng.random() < 0.5,
        slime_predictable=rng.random() < 0.5,
        slime_mask=rng.choice((0, 3, 7)),
        slime_chance=rng.choice((0, 300_000, 1_000_000)),
        slime_state=(rng.randrange(256), rng.randrange(256)),
    )
    return cave, lines


def play_both(seed: int, ticks: int) -> int:
    rng = random.Random(seed)
    cave, lines = random_cave(rng)
    twin = Twin(cave, lines, 500_000, seed)
    cells, facts, rules = arrays(cave, 0.5)
    stream, journal = stream_of(seed), journal_of(cave)
    for played in range(ticks):
        action = rng.randrange(9)
        before = (cells & 63).copy()
        tick(cells, facts, rules, stream, journal, action)
        twin.tick(action)
        assert picture(cells.tobytes(), cave.cols, cave.size) == twin.picture(), f"seed {seed}, tick {played + 1}"
        assert [facts[TIME], facts[DIAMONDS], facts[POINTS]] == [twin.time, twin.diamonds, twin.points]
        assert (facts[STATUS] == WON) == twin.won
        for packed in journal[1 : journal[0] + 1].tolist():
            assert before[packed >> 16] == packed >> 8 & 255, "the journal tells each change in order"
            before[packed >> 16] = packed & 255
        assert (before == cells & 63).all() and not (cells & 64).any()
        if facts[STATUS]:
            return played + 1
    return ticks


@pytest.mark.parametrize("block", range(4))
def test_the_compiled_tick_equals_its_plain_twin_on_random_caves(block: int) -> None:
    assert sum(play_both(seed, 60) for seed in range(block * 100, block * 100 + 100)) > 1500


def test_every_recording_is_replayed_exactly_by_the_kernel(shared_data):
    records = delirium_bd_proof.records_of(shared_data / "delirium" / "bd_recordings.jsonl")
    assert len(records) >= 96
    for record in records:
        assert delirium_bd_proof.difference(record, delirium_bd_proof.kernel_ticks) == (0, ""), record["id"]


def test_recordings_are_replayed_exactly_by_the_twin(shared_data):
    records = delirium_bd_proof.records_of(shared_data / "delirium" / "bd_recordings.jsonl")
    for record in records[::24]:
        assert delirium_bd_proof.difference(record, delirium_bd_proof.twin_ticks) == (0, ""), record["id"]


def test_a_recording_that_was_tampered_with_is_named_with_its_tick(shared_data):
    record = delirium_bd_proof.records_of(shared_data / "delirium" / "bd_recordings.jsonl")[0]
    crc = record["crc"]
    wrong = {**record, "crc": crc[:40] + f"{int(crc[40:44], 16) ^ 1:04x}" + crc[44:]}
    assert delirium_bd_proof.difference(wrong, delirium_bd_proof.kernel_ticks) == (11, "another picture")
    tick_number, words = delirium_bd_proof.difference({**record, "score": 1}, delirium_bd_proof.kernel_ticks)
    assert tick_number == record["ticks"] and "recorded" in words
