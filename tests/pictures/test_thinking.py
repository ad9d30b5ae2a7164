"""What an agent thought is drawn over a picture: where it goes, and where it is dangerous."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageSequence

import gridsage
from gridsage.core.frame import Frame
from gridsage.core.game import Thoughts
from gridsage.pictures import film, raster, recorded, svg, thinking
from gridsage.pictures.mosaic import Mosaic
from gridsage.pictures.svg import Style

PLAN = svg.layout(Frame(2, 3, ("ground",) * 6), Style(cell=20))


def test_a_path_goes_from_cell_to_cell_and_ends_with_a_disc() -> None:
    drawn = thinking.drawn(Thoughts(path=(0, 1, 2, 5)), PLAN)
    assert 'd="M10 10L30 10L50 10L50 30"' in drawn
    assert '<circle cx="50" cy="30"' in drawn


def test_a_path_that_jumps_is_not_drawn_through_walls() -> None:
    assert 'd="M10 10M30 30"' in thinking.drawn(Thoughts(path=(0, 4)), PLAN)


def test_danger_is_a_veil_and_hatching_over_its_cells_only() -> None:
    drawn = thinking.drawn(Thoughts(heat=(0, 255, 8, 0, 0, 51)), PLAN)
    assert drawn.count("<rect") == drawn.count("<path") == 2
    assert '<rect x="20" y="0"' in drawn and 'opacity="0.50"' in drawn
    assert '<rect x="40" y="20"' in drawn and 'opacity="0.18"' in drawn


def test_lines_above_a_terminal_move_what_is_thought_down() -> None:
    assert 'd="M10 30"' in thinking.drawn(Thoughts(path=(0,)), PLAN, rows_above=1)
    assert thinking.drawn(Thoughts(), PLAN) == ""


def test_a_film_shows_the_thoughts_of_each_step_where_there_are_any() -> None:
    frames = [Frame(2, 3, ("ground",) * 6), Frame(2, 3, ("ground",) * 5 + ("wall",))]
    with Image.open(io.BytesIO(film.gif(frames, Style(cell=20), 4, {1: Thoughts(path=(0, 1, 2))}))) as shown:
        first, second = (np.asarray(each.convert("RGB")).astype(np.int16) for each in ImageSequence.Iterator(shown))
    apart = np.abs(first - second).reshape(2, 20, 3, 20, 3).mean(axis=(1, 3, 4))
    assert (apart > 5).tolist() == [[True, True, True], [False, False, True]]


def test_cells_with_the_same_thought_are_drawn_once() -> None:
    frame = Frame(2, 3, ("text:.:white",) * 6)
    mosaic = Mosaic(frame, Style(cell=20))
    numbers = mosaic.numbers(frame, Thoughts(heat=(0, 200, 200, 0, 200, 90)))
    assert len(mosaic.tiles) == 3
    assert numbers.tolist() == [[0, 1, 1], [0, 1, 2]]


def test_a_picture_with_thoughts_shows_them() -> None:
    room = gridsage.room("loderunner")
    game = room.rules.game()
    frame = room.view.frame(game.start(game.parse(room.levels.text(room.levels.names()[0])), room.rules.options(), 1))
    plain, told = (recorded.still("svg", room, frame, one).decode() for one in (None, Thoughts(path=(30, 31, 32))))
    assert np.any(raster.pixels(plain) != raster.pixels(told))
