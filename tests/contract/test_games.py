"""Every game keeps the same promises. One file, all rooms."""

from __future__ import annotations

import re
import time
from collections import Counter

import pytest

from gridsage import testing
from gridsage.core.game import Closing
from gridsage.core.rng import generator
from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.games.levels import find_level

STEPS = 40


@pytest.fixture(params=catalog.names())
def room(request: pytest.FixtureRequest) -> Room:
    found = catalog.room(request.param)
    if (sentence := found.rules.missing()) is not None:
        pytest.skip(sentence)
    return catalog.ready_room(request.param)


@pytest.fixture
def game(room: Room):
    made = room.rules.game()
    yield made
    if isinstance(made, Closing):
        made.close()


@pytest.mark.parametrize("check", testing.GAME_CHECKS, ids=lambda check: check.__name__)
def test_a_game_keeps_its_promise(room, check):
    check(room)


def observations(room: Room, game, seed: int):
    """What the player sees in a game played at random."""
    random = generator(seed, "contract")
    state = game.start(game.parse(find_level(room, 1).text), room.rules.options(), seed)
    for _ in range(STEPS):
        yield game.observe(state, game.seat(state))
        if game.outcome(state) is not None:
            return
        state = game.step(state, random.choice(list(game.legal(state))))


def test_the_words_of_a_picture_name_every_square(room, game):
    for seen in observations(room, game, 6):
        frame = room.view.seen_frame(seen)
        said = read_words(room.view.words(seen), frame)
        expected = Counter(
            (kind, cell, room.view.called(sprite))
            for kind, cell, sprite in (
                *(("Ground", cell, sprite) for cell, sprite in enumerate(frame.cells)),
                *(("On the board", e.row * frame.cols + e.col, e.sprite) for e in frame.entities),
            )
        )
        assert said == expected


def read_words(text, frame):
    """What somebody who cannot see the board knows of it after reading the words."""
    usual = re.search(r"Squares that are not named are (.+)\.", text)[1]
    said, named = Counter(), set()
    for kind, name, squares in re.findall(r"^(Ground|On the board), (.+?): ([a-h0-9].*|row .*)\.$", text, re.M):
        for cell in read_squares(squares, frame):
            said[kind, cell, name] += 1
            if kind == "Ground":
                named.add(cell)
    said.update(("Ground", cell, usual) for cell in range(len(frame.cells)) if cell not in named)
    return said


def read_squares(text, frame):
    if frame.coordinates[0]:
        return [
            frame.coordinates[1].index(n[1]) * frame.cols + frame.coordinates[0].index(n[0]) for n in text.split(", ")
        ]
    cells = []
    for row, first, last in re.findall(r"row (\d+) columns? (\d+)(?: to (\d+))?", text):
        cells += [int(row) * frame.cols + col for col in range(int(first), int(last or first) + 1)]
    return cells


def test_a_board_has_a_line_for_every_row(room, game):
    seen = next(observations(room, game, 1))
    frame = room.view.seen_frame(seen)
    board = room.view.board(seen)
    lines = board.splitlines()
    rows = frame.rows * 2 + 1 if frame.edges else frame.rows
    assert len(lines) == len(frame.above) + rows + bool(frame.coordinates[0]) + len(frame.below) + 1
    for entity in frame.entities:
        at = len(frame.above) + (2 * entity.row + 1 if frame.edges else entity.row)
        col = 4 * entity.col + 2 if frame.edges else entity.col + 2 * bool(frame.coordinates[1])
        assert lines[at][col] == room.view.glyphs[entity.sprite][0]


def test_importing_a_room_is_quick_enough_to_list_games(room):
    began = time.perf_counter()
    catalog.room(room.name)
    assert time.perf_counter() - began < 1.0
