"""What a room tells about painting its levels holds for the levels it ships."""

from __future__ import annotations

import pytest

from gridsage.core.room import Room
from gridsage.games import catalog

PAINTED = [name for name in catalog.BUILT_IN if catalog.room(name).levels.sheet is not None]


@pytest.fixture(params=PAINTED)
def room(request: pytest.FixtureRequest) -> Room:
    found: Room = catalog.room(request.param)
    return found


def test_every_tile_has_a_sign_and_a_name_of_its_own_and_a_glyph(room: Room) -> None:
    assert room.levels.sheet is not None
    tiles = room.levels.sheet.tiles
    signs = [sign for tile in tiles for sign in (tile.sign, *tile.also)]
    assert len(set(signs)) == len(signs)
    assert len({tile.name for tile in tiles}) == len(tiles)
    assert {tile.sprite for tile in tiles} - set(room.view.glyphs) <= {
        "wall"
    }  # a wall on a side of a cell is no sprite


def test_every_sign_of_a_shipped_level_can_be_painted(room: Room) -> None:
    assert room.levels.sheet is not None
    sheet = room.levels.sheet
    signs = {sign for tile in sheet.tiles for sign in (tile.sign, *tile.also)}
    if sheet.form == "walled":
        signs |= {"", "  ", " "}
    heads = tuple(f"{entry.key}:" for entry in sheet.entries) or ("mission:",)
    for name in room.levels.names():
        for line in room.levels.text(name).splitlines():
            if line == sheet.divider or line.startswith((sheet.remark, "+", *heads)):
                continue
            cells = list(line)
            if sheet.form == "walled":
                boxes = [line[at : at + 3] for at in range(1, len(line), 4)]
                cells = [part for box in boxes for part in (box[0], box[1:])]
            assert set(cells) <= signs, (name, line)


def test_every_entry_of_a_shipped_level_can_be_filled_in(room: Room) -> None:
    assert room.levels.sheet is not None
    known = {entry.key for entry in room.levels.sheet.entries} | (
        {"mission"} if room.levels.sheet.form == "walled" else set()
    )
    for name in room.levels.names():
        lines = [line for line in room.levels.text(name).splitlines() if not line.startswith(room.levels.sheet.remark)]
        assert {line.partition(":")[0] for line in lines if ":" in line} <= known


def test_a_showcase_names_a_shipped_level() -> None:
    for name in catalog.BUILT_IN:
        room = catalog.room(name)
        assert not room.view.showcase.level or room.view.showcase.level in room.levels.names()
