"""Every sprite a room can show is drawn by a tile of its own, and tiles are told apart without colour."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from gridsage.games import catalog

# Sprites are rendered as the board renders them: a moving thing above the room's ground. The answer is, for every pair
# of sprites, the greatest difference of grey between two pixels that lie at the same place, from 0 to 255.
COMPARE = """async ([game, ground, names, size, theme]) => {
  const { painter, PALETTES } = await import('/static/any/tiles.js');
  const bare = names.filter((name) => !painter(name, false, game) || !painter(name, true, game));
  const look = { variant: 0, dx: 0, dy: 0, pal: PALETTES[theme] };
  const greys = names.map((name) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    const pen = canvas.getContext('2d');
    pen.scale(size, size);
    painter(ground, false, game)(pen, look);
    painter(name, true, game)?.(pen, look);
    const { data } = pen.getImageData(0, 0, size, size);
    const grey = (i) => 0.3 * data[i] + 0.59 * data[i + 1] + 0.11 * data[i + 2];
    return Array.from({ length: size * size }, (_, i) => grey(4 * i));
  });
  let least = { pair: '', difference: 256 };
  names.forEach((name, a) => names.slice(0, a).forEach((other, b) => {
    const difference = Math.max(...greys[a].map((grey, i) => Math.abs(grey - greys[b][i])));
    if (difference < least.difference) least = { pair: `${name} and ${other}`, difference };
  }));
  return { bare, least };
}"""
GROUNDS = {"ricochet": "floor", "loderunner": "path", "delirium": "void", "pushem": "ground"}
TOLD_APART = 40  # of 255 steps of grey, somewhere in the tile


def compared(page: Page, game: str, size: int, theme: str) -> Any:
    names = [name for name in catalog.room(game).view.glyphs if not name.startswith("text:")]
    return page.evaluate(COMPARE, [game, GROUNDS[game], names, size, theme])


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_sprite_has_a_tile_that_differs_in_grey_from_all_others(bare_page: Page, theme: str) -> None:
    page = bare_page
    for game in GROUNDS:
        found = compared(page, game, 24, theme)
        assert found["bare"] == []
        assert found["least"]["difference"] >= TOLD_APART, (game, found["least"])


def test_every_colour_of_nethack_is_one_of_its_own(bare_page: Page) -> None:
    page = bare_page
    sprites = [name for name in catalog.room("nethack").view.glyphs if name.startswith("text:@:")]
    colours = page.evaluate(
        "async (names) => { const { glyph } = await import('/static/any/tiles.js');"
        " return names.map((name) => glyph(name).colour); }",
        sprites,
    )
    assert len(sprites) == 16
    assert len(set(colours)) == 16
