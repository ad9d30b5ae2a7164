"""The page and Python paint the same picture of a position, from the same data."""

from __future__ import annotations

import base64
import io

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

import gridsage
from gridsage.core.frame import Frame
from gridsage.core.room import Room
from gridsage.games import catalog
from gridsage.pictures import raster, sprites, svg
from gridsage.pictures.mosaic import Mosaic
from gridsage.web import feed
from gridsage.web.games.screen import looks

CELL = 32
STEPS = 12  # into a game: things have moved and look somewhere
# A board of its own beside the page, large enough for cells of 32 pixels, that shows one position without moving.
SHOW = """async ([hello, frame, cell, theme]) => {
  const { Board } = await import('/static/any/board.js');
  const { Recording } = await import('/static/any/recording.js');
  const [stage, holder, canvas] = ['div', 'div', 'canvas'].map((tag) => document.createElement(tag));
  stage.append(holder);
  holder.append(canvas);
  document.body.append(stage);
  Object.assign(holder.style, { position: 'fixed', left: 0, top: 0, width: '4000px', height: '3000px' });
  const board = new Board(canvas, { theme, most: cell });
  board.still = true;
  const recording = new Recording();
  recording.greet(hello);
  recording.add(frame);
  board.setup(hello);
  board.apply(recording.at(0), false);
  board.draw();
  const picture = canvas.toDataURL('image/png');
  board.destroy();
  stage.remove();
  return picture;
}"""
# Both smooth edges and letters in their own way. Of 255 steps: over all pixels, and over the cell that differs most.
MOST_MEAN, MOST_OF_A_CELL = 0.8, 24.0


def position(name: str) -> Frame:
    """A position some steps into a game of the weakest agent."""
    game = gridsage.play(name, gridsage.agent_names(name)[0], seed=3, nodes=10, max_steps=STEPS)
    return game.room.view.frame(game.state)


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8], plan: svg.Layout) -> tuple[float, float]:
    """The mean difference of two pictures, and that of the cell that differs most."""
    apart = np.abs(one.astype(np.int16) - other)
    cells = apart.reshape(plan.rows, plan.tall, plan.cols, plan.wide, 3).mean(axis=(1, 3, 4))
    return float(apart.mean()), float(cells.max())


def in_browser(page: Page, room: Room, frame: Frame, theme: str) -> NDArray[np.uint8]:
    feeder = feed.Feed()
    hello, first = feeder.hello(room.name, frame, **looks(room)), feeder.frame(0, frame)
    told = page.evaluate(SHOW, [msgspec.to_builtins(hello), msgspec.to_builtins(first), CELL, theme])
    with Image.open(io.BytesIO(base64.b64decode(told.partition(",")[2]))) as image:
        return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("theme", list(sprites.data().palettes))
@pytest.mark.parametrize("name", catalog.names())
def test_the_page_and_python_paint_the_same_picture(bare_page: Page, name: str, theme: str) -> None:
    room = gridsage.room(name)
    frame = position(name)
    style = svg.Style(room.folder, room.view.glyphs, theme, CELL, lines=False)
    vectors = raster.pixels(svg.draw(frame, style))[..., :3]
    seen = in_browser(bare_page, room, frame, theme)
    assert vectors.shape == seen.shape
    for painted in (vectors, Mosaic(frame, style).picture(frame)):
        mean, worst = difference(painted, seen, svg.layout(frame, style))
        assert mean <= MOST_MEAN
        assert worst <= MOST_OF_A_CELL
