"""The compiled ticks do what the plain twin does, and what people recorded."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridsage.games.loderunner.classic import ROOM, layout
from gridsage.games.loderunner.classic.kernels import ticks
from gridsage.games.loderunner.classic.level import SIGNS, Options, parse
from gridsage.games.loderunner.classic.recordings import read_recordings
from gridsage.games.loderunner.classic.rules import NOTHING_FED, first_row
from naive.loderunner_classic_twin import Twin

DOES = {
    layout.NONE: "none",
    layout.UP: "up",
    layout.DOWN: "down",
    layout.LEFT: "left",
    layout.RIGHT: "right",
    layout.DIG_LEFT: "dig-left",
    layout.DIG_RIGHT: "dig-right",
    layout.FALL: "fall",
    layout.FALL_TO_BAR: "bar",
    layout.IN_HOLE: "hole",
    layout.CLIMB_OUT: "climb",
    layout.REBORN: "reborn",
}
CHANCES = 400


def place(cell):
    row, col = divmod(layout.unframed(int(cell)), layout.COLS)
    return col, row


def layers(row):
    cells = range(layout.ROWS * layout.COLS)
    made = "".join(SIGNS[row[layout.framed(cell)]] for cell in cells)
    return made, "".join(SIGNS[row[layout.WHO + layout.framed(cell)]] for cell in cells)


def twin_layers(twin):
    places = [(x, y) for y in range(layout.ROWS) for x in range(layout.COLS)]
    return "".join(twin.made[at] for at in places), "".join(twin.who[at] for at in places)


def guards_of(row):
    found = []
    for number in range(row[layout.GUARDS]):
        cell, dx, dy, does, gold, _, wait = row[layout.FIRST_GUARD + 7 * number : layout.FIRST_GUARD + 7 * number + 7]
        found.append((place(cell), int(dx), int(dy), DOES[int(does)], int(gold), int(wait)))
    return found


def agree(row, twin, what):
    assert layers(row) == twin_layers(twin), what
    assert (place(row[layout.RUNNER_CELL]), row[layout.RUNNER_DX], row[layout.RUNNER_DY]) == (
        twin.runner.place,
        twin.runner.dx,
        twin.runner.dy,
    ), what
    assert guards_of(row) == [(g.place, g.dx, g.dy, g.does, g.gold, g.wait) for g in twin.guards], what
    assert row[layout.GOLD_LEFT] == twin.gold and bool(row[layout.IS_COMPLETE]) == twin.complete, what


def play_both(text, seed, wanted, ai=4):
    """Play both with the same keys and chances until the game ends; return the ends met."""
    dice, level = random.Random(seed), parse(text)
    row = first_row(level, Options(ai=ai, tick_cap=30_000), seed)
    twin = Twin.of(level.rows, ai)
    carries = [dice.randint(12, 37) for _ in range(CHANCES)]
    births = [(dice.randrange(layout.COLS), 1) for _ in range(CHANCES)]
    fed = np.array([carries, [layout.framed(y * layout.COLS + x) for x, y in births]], np.int16)
    twin.carries, twin.births = carries, births
    key = 0
    for tick in range(wanted):
        if tick % 4 == 0:
            key = dice.choices(range(7), (1, 3, 3, 4, 4, 2, 2))[0]
        status = ticks.play_tick(row, key, fed)
        assert layout.REASONS[status] == twin.play(layout.KEY_LABELS[key]), (seed, tick)
        agree(row, twin, (seed, tick))
        if status:
            return layout.REASONS[status]
    return ""


@pytest.mark.parametrize("name", ROOM.levels.names())
def test_random_games_are_those_of_the_twin(name):
    for seed in range(1, 4):
        play_both(ROOM.levels.text(name), seed, 300, ai=3 + seed % 2)


def test_levels_of_the_original_are_played_as_by_the_twin(shared_data):
    paths = sorted((shared_data / "loderunner" / "classic").glob("*.txt"))
    ends = {play_both(path.read_text(), number, 250) for number, path in enumerate(paths[::5])}
    assert "caught" in ends


def recordings(shared_data):
    folder = shared_data / "loderunner"
    text = (folder / "recordings.jsonl").read_text()
    for recording in read_recordings(text, "recordings"):
        path = folder / "classic" / f"classic_{recording.level:03d}.txt"
        yield recording, parse(path.read_text())


def test_every_recording_ends_at_exactly_its_tick(shared_data):
    late = []
    for recording, level in recordings(shared_data):
        row = first_row(level, Options(ai=recording.ai, tick_cap=30_000), 1)
        fed = np.full((2, 200), -1, np.int16)
        fed[0, : len(recording.carries)], fed[1, : len(recording.births)] = recording.carries, recording.births
        played = ticks.play_recording(row, np.array(recording.presses, np.int64), recording.time + 400, fed)
        if row[layout.STATUS] != layout.WON or played != recording.time:
            late.append(recording.level)
    assert not late


def test_the_twin_wins_a_recording_at_its_tick(shared_data):
    recording, level = next(iter(recordings(shared_data)))
    twin = Twin.of(level.rows, recording.ai)
    twin.carries = list(recording.carries)
    twin.births = [place(cell) for cell in recording.births]
    presses, key, tick = dict(recording.presses), 0, 0
    while not twin.status:
        key = presses.get(tick, key)
        free = twin.dig is None
        twin.play(layout.KEY_LABELS[key])
        if key >= layout.DIG_LEFT and free:
            key = 0
        tick += 1
    assert (twin.status, tick) == ("won", recording.time)


def test_random_play_counts_ends_and_starts_again():
    row = first_row(parse(ROOM.levels.text(ROOM.levels.names()[1])), Options(), 1)
    counts = np.zeros(len(layout.REASONS), np.int64)
    before = row.copy()
    ticks.random_ticks(row, 20_000, 5, counts)
    assert counts.sum() > 0 and np.array_equal(row, before)


def test_drawn_numbers_fill_their_span():
    row = first_row(parse(ROOM.levels.text(ROOM.levels.names()[0])), Options(), 9)
    drawn = [ticks.drawn(row, 26) for _ in range(2000)]
    assert set(drawn) == set(range(26))


def test_a_buried_guard_comes_back_in_the_second_row():
    row = first_row(parse(ROOM.levels.text(ROOM.levels.names()[1])), Options(), 1)
    guard = layout.FIRST_GUARD
    hole = layout.framed(14 * layout.COLS + 5)
    row[layout.WHO + row[guard + layout.CELL]] = layout.EMPTY
    row[guard + layout.CELL], row[guard + layout.ACTION], row[guard + layout.TIMER] = hole, layout.IN_HOLE, 50
    row[layout.WHO + hole] = layout.GUARD
    row[layout.HOLES], row[layout.FIRST_HOLE], row[layout.FIRST_HOLE + 1] = 1, hole, 1
    ticks.play_tick(row, layout.NONE, NOTHING_FED)
    assert row[guard + layout.ACTION] == layout.REBORN
    assert place(row[guard + layout.CELL])[1] == 1
    assert row[layout.HOLES] == 0 and row[layout.WHO + hole] == layout.BRICK
