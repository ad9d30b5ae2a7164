"""Frames as plain text."""

from __future__ import annotations

from gridsage.core.frame import Entity, Frame, Question
from gridsage.core.picture import EAST, NORTH, SOUTH, WEST, board, glyph, has_edge, words

GLYPHS = {"floor": (".", "dim"), "wall": ("#", ""), "robot-red": ("R", "red")}


def test_a_board_without_walls_has_a_character_per_cell():
    frame = Frame(2, 3, ("floor",) * 5 + ("wall",), (Entity("R", "robot-red", 0, 1),), status={"moves": "3"})
    assert board(frame, GLYPHS) == ".R.\n..#\nmoves 3\n"


def test_walls_stand_between_cells_whoever_carries_them():
    edges = (NORTH | WEST | EAST, NORTH | EAST, WEST | SOUTH, EAST | SOUTH)
    frame = Frame(2, 2, ("floor",) * 4, (Entity("R", "robot-red", 1, 1),), edges)
    assert board(frame, GLYPHS) == "·───·───·\n│ . │ . │\n·   ·   ·\n│ .   R │\n·───·───·\n\n"


def test_lines_above_and_below_and_coordinates_are_part_of_the_board():
    frame = Frame(1, 2, ("floor",) * 2, coordinates=("ab", "1"), above=("It speaks.",), below=("Dlvl:1",))
    assert board(frame, GLYPHS) == "It speaks.\n1 ..\n  ab\nDlvl:1\n\n"


def test_words_name_pieces_runs_of_squares_and_walls():
    frame = Frame(
        2,
        3,
        ("floor", "wall", "wall", "wall", "floor", "floor"),
        (Entity("R", "robot-red", 1, 2),),
        (NORTH | EAST, 0, EAST, SOUTH, 0, 0),
        status={"moves": "3"},
        text="Red is near.",
        question=Question("key", "Really?", (("y", "yes"), ("n", "no"))),
    )
    assert words(frame, lambda sprite: sprite.replace("-", " ")) == (
        "Red is near.\n"
        "The board has 2 rows and 3 columns, counted from 0 at the top left. Squares that are not named are floor.\n"
        "On the board, robot red: row 1 column 2.\n"
        "Ground, wall: row 0 columns 1 to 2; row 1 column 0.\n"
        "Walls on the north side of: row 0 column 0.\n"
        "Walls on the west side of: row 0 column 1.\n"
        "Walls on the south side of: row 1 column 0.\n"
        "Walls on the east side of: row 0 column 2.\n"
        "moves: 3\n"
        "Question: Really? y: yes; n: no\n"
    )


def test_squares_with_names_are_called_by_them():
    frame = Frame(2, 2, ("floor", "floor", "floor", "wall"), coordinates=("ab", "21"), text="Go.")
    assert "Ground, wall: b1.\n" in words(frame, str)


def test_a_colon_is_a_character_like_any_other():
    assert glyph("text:::#ffffff", {}) == (":", "#ffffff")
    assert glyph("unheard-of", {}) == ("u", "")


def test_a_wall_is_found_from_both_of_the_cells_it_parts_and_from_no_other():
    """Each wall is written on one cell of the middle of a board and looked for everywhere."""
    beyond = {NORTH: (0, 1, SOUTH), SOUTH: (2, 1, NORTH), WEST: (1, 0, EAST), EAST: (1, 2, WEST)}
    for side, other in beyond.items():
        frame = Frame(3, 3, ("floor",) * 9, (), (0,) * 4 + (side,) + (0,) * 4)
        places = [(row, col, each) for row in range(3) for col in range(3) for each in beyond]
        assert {place for place in places if has_edge(frame, *place)} == {(1, 1, side), other}
