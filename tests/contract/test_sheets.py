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
        for line in drawn_lines(room, name):
            if line == sheet.divider or line.startswith((sheet.remark, "+", *heads)):
                continue
            cells = list(line)
            if sheet.form == "walled":
                boxes = [line[at : at + 3] for at in range(1, len(line), 4)]
                cells = [part for box in boxes for part in (box[0], box[1:])]
            assert set(cells) <= signs, (name, line)


def painted(room: Room, name: str) -> str:
    """The text of a shipped level in the form that can be painted on."""
    assert room.levels.sheet is not None
    text = room.levels.text(name)
    return room.levels.write[room.levels.sheet.drawn](text) if room.levels.sheet.drawn else text


def drawn_lines(room: Room, name: str) -> list[str]:
    """The lines of a shipped level among which its map is."""
    assert room.levels.sheet is not None
    lines = painted(room, name).splitlines()
    if (frame := room.levels.sheet.frame) is None:
        return lines
    return lines[lines.index(frame[0]) + 1 : lines.index(frame[1])]


def test_every_entry_of_a_shipped_level_can_be_filled_in(room: Room) -> None:
    sheet = room.levels.sheet
    assert sheet is not None
    known = {entry.key for entry in sheet.entries} | {sheet.sized}
    known |= {"mission"} if sheet.form == "walled" else set()
    joins = sheet.joins.strip()
    for name in room.levels.names():
        lines = [line for line in painted(room, name).splitlines() if not line.startswith(sheet.remark)]
        assert {line.partition(joins)[0] for line in lines if joins in line} <= known, name


def test_what_can_be_painted_on_is_the_same_level(room: Room) -> None:
    assert room.levels.sheet is not None
    if not room.levels.sheet.drawn:
        return
    game = room.rules.game()
    options = room.rules.options()
    for name in room.levels.names():
        once = painted(room, name)
        assert room.levels.write[room.levels.sheet.drawn](once) == once, name
        new, old = (game.start(game.parse(text), options, 1) for text in (once, room.levels.text(name)))
        assert room.view.frame(new) == room.view.frame(old), name


def test_a_showcase_names_a_shipped_level() -> None:
    for name in catalog.BUILT_IN:
        room = catalog.room(name)
        assert not room.view.showcase.level or room.view.showcase.level in room.levels.names()
