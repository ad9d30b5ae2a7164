from xml.etree import ElementTree

import numpy as np
import pytest

import gridsage
from gridsage.core.frame import Entity, Frame
from gridsage.games import catalog
from gridsage.pictures import raster, svg
from gridsage.pictures.svg import Stamp, Style

XML = "{http://www.w3.org/2000/svg}"


def board(*rows: str, **more: object) -> Frame:
    """A board of characters, one letter per cell."""
    cells = tuple(f"text:{letter}:white" for row in rows for letter in row)
    return Frame(len(rows), len(rows[0]), cells, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", catalog.names())
def test_the_first_position_of_every_room_is_a_document_of_its_own(name: str) -> None:
    game = gridsage.play(name, gridsage.agent_names(name)[0], nodes=1, max_steps=1)
    frame = game.room.view.frame(game.state)
    document = svg.draw(frame, Style(game.room.folder, game.room.view.glyphs))
    root = ElementTree.fromstring(document)
    known = {symbol.get("id") for symbol in root.iter(f"{XML}symbol")}
    used = {(use.get("href") or "")[1:] for use in root.iter(f"{XML}use")}
    assert used == known
    assert "http" not in document.replace("http://www.w3.org/2000/svg", "")


def test_names_and_words_are_text_and_nothing_else() -> None:
    evil = "</title><script>alert(1)</script>"
    frame = Frame(1, 3, ("<", f"text:<:{evil}", "text:&:red"), text=evil + "\x00", above=(evil,))
    document = svg.draw(frame, Style())
    assert "<script" not in document
    assert ElementTree.fromstring(document).find(f"{XML}title").text == evil + "�"  # type: ignore[union-attr]
    assert "<script" not in svg.draw(board("ab", above=(evil,), below=(evil,)), Style())


def test_two_pictures_in_one_page_share_no_name() -> None:
    one, two = (svg.draw(board(text), Style()) for text in ("ab", "cd"))
    names = [{symbol.get("id") for symbol in ElementTree.fromstring(each).iter(f"{XML}symbol")} for each in (one, two)]
    assert not names[0] & names[1]


def test_a_terminal_has_its_lines_above_and_below_as_rows() -> None:
    frame = svg.with_lines(board("ab", "cd", above=("x", "y"), below=("q",), focus=2))
    drawn = "".join(name[5] for name in frame.cells)
    assert (frame.rows, drawn, frame.focus) == (4, "x abcdq ", 4)
    assert svg.with_lines(board("ab", below=("q", "r")), below=1).rows == 3
    assert svg.prepared(board("ab", above=("x",)), Style(lines=False)).rows == 1


def test_walls_lie_on_the_sides_that_bits_name_and_each_once() -> None:
    frame = Frame(1, 2, ("floor", "floor"), edges=(2 + 1, 8 + 4))
    drawn = svg.overlay(frame, svg.layout(frame, Style(cell=10)), Style(cell=10))
    path = ElementTree.fromstring(drawn).get("d") or ""
    assert sorted(path.split("M")[1:]) == ["0 0L10 0", "10 0L10 10", "10 10L20 10"]


def test_cells_have_names_only_where_they_can_be_read() -> None:
    frame = Frame(1, 1, ("floor",), coordinates=("a", "1"))
    assert svg.draw(frame, Style(cell=24)).count("<text") == 2
    assert svg.draw(frame, Style(cell=23)).count("<text") == 0


def test_what_moves_looks_where_it_goes_and_stands_between_cells() -> None:
    entity = Entity("hero", "runner", 0, 1, drow=0, dcol=-3, col_part=0.5)
    assert svg.stamp_of(entity) == Stamp("runner", 0, -1, 0, moving=True)
    root = ElementTree.fromstring(svg.draw(Frame(1, 3, ("floor",) * 3, (entity,)), Style(cell=10)))
    assert [use.get("x") for use in root.iter(f"{XML}use")] == ["0", "10", "20", "15"]


def test_a_game_asks_without_a_cursor() -> None:
    from gridsage.core.frame import Question

    assert svg.CURSOR in svg.draw(board("a@", focus=1), Style())
    assert svg.CURSOR not in svg.draw(board("a@", focus=1, question=Question("key", "Really?")), Style())


def test_a_picture_has_the_colours_of_its_theme() -> None:
    frame = Frame(1, 1, ("space",))
    for theme, colour in (("dark", (0x14, 0x1A, 0x26)), ("light", (0xE9, 0xE6, 0xDD))):
        seen = raster.pixels(svg.draw(frame, Style(theme=theme, cell=8)))
        assert np.array_equal(np.unique(seen[..., :3].reshape(-1, 3), axis=0), [colour])
