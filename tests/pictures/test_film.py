import io
import struct
import time

import numpy as np
import pytest
from PIL import Image, ImageSequence

from gridsage.core.errors import OptionError
from gridsage.core.frame import Entity, Frame
from gridsage.pictures import film, raster, svg
from gridsage.pictures.mosaic import Mosaic
from gridsage.pictures.svg import Style

STYLE = Style(cell=16)


def walk(steps: int, rows: int = 3, cols: int = 12) -> list[Frame]:
    """A runner who goes right by half cells over bricks, with a hole that opens behind."""
    frames = []
    for step in range(steps):
        cells = ["space"] * cols * rows
        cells[-cols:] = ["brick"] * cols
        if step > 3:
            cells[-cols] = "hole-3"
        hero = Entity("hero", "runner", rows - 2, step // 2, dcol=1, col_part=step % 2 / 2)
        frames.append(Frame(rows, cols, tuple(cells), (hero,), edges=(0,) * (cols * rows - 1) + (2,)))
    return frames


def test_a_mosaic_shows_what_the_vectors_show() -> None:
    mosaic = Mosaic(walk(1)[0], STYLE)
    for frame in walk(8):
        vectors = raster.pixels(svg.draw(frame, STYLE))[..., :3].astype(np.int16)
        assert np.abs(mosaic.picture(frame) - vectors).mean() < 0.5


def test_a_cell_that_looks_as_before_is_not_drawn_again() -> None:
    frames = walk(2)
    mosaic = Mosaic(frames[0], STYLE)
    mosaic.numbers(frames[0])
    drawn = len(mosaic.tiles)
    mosaic.numbers(frames[1])
    assert len(mosaic.tiles) - drawn == 2  # between two cells, the runner is seen in both


def test_every_frame_of_a_film_is_whole_again_when_it_is_shown() -> None:
    frames = walk(9)
    mosaic = Mosaic(frames[0], STYLE)
    with Image.open(io.BytesIO(film.gif(frames, STYLE, 10))) as shown:
        pictures = [np.asarray(each.convert("RGB")).astype(np.int16) for each in ImageSequence.Iterator(shown)]
        assert shown.info["loop"] == 0
    assert len(pictures) == 9
    for frame, picture in zip(frames, pictures, strict=True):
        assert np.abs(mosaic.picture(frame) - picture).max() <= 24  # 255 colours are fewer than there were


def test_frames_last_as_they_say_or_as_is_asked_and_the_end_longer() -> None:
    frames = walk(3)
    still = Frame(frames[1].rows, frames[1].cols, frames[1].cells, frames[1].entities, frames[1].edges, lasts=70.0)
    with Image.open(io.BytesIO(film.gif([frames[0], still, still, frames[2]], STYLE, 8))) as shown:
        lengths = [each.info["duration"] for each in ImageSequence.Iterator(shown)]
    assert lengths == [120, 140, film.LAST_MS]


def test_a_film_without_frames_is_refused() -> None:
    with pytest.raises(OptionError, match="a film needs a frame"):
        film.gif([], STYLE, 4)


def test_a_step_costs_only_the_cells_that_change() -> None:
    few, many = (len(film.gif(walk(steps, 24, 40), STYLE, 10)) for steps in (10, 60))
    assert (many - few) / 50 < few / 8
    width, height = struct.unpack("<HH", film.gif(walk(1, 24, 40), STYLE, 10)[6:10])
    assert (width, height) == (640, 384)


def test_a_film_of_300_steps_on_40_by_24_cells_stays_small_and_quick() -> None:
    dice = np.random.default_rng(5)
    names = np.array(["clay", "stone", "diamond", "empty", "wall"])
    ground = dice.integers(0, len(names), 40 * 24)
    frames = []
    for step in range(301):
        ground[dice.integers(0, 40 * 24, 12)] = dice.integers(0, len(names), 12)  # a dozen cells change at every step
        hero = Entity("miner", "miner", 1 + step % 22, 1 + step % 38, dcol=1)
        frames.append(Frame(24, 40, tuple(names[ground]), (hero,)))
    began = time.process_time()
    made = film.gif(frames, Style("delirium", cell=24), 4)
    assert time.process_time() - began < 5.0
    assert len(made) < 2_000_000
