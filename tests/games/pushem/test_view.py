"""Frames of Push'em All."""

from __future__ import annotations

from gridsage.games.pushem.level import Options, parse
from gridsage.games.pushem.rules import GAME, parse_turn
from gridsage.games.pushem.view import frame

BOARD = """
ply: 30
x.......
........
........
..xO....
...#....
........
........
........
"""


def test_a_frame_names_ground_abyss_cracks_and_pawns() -> None:
    shown = frame(GAME.start(parse(BOARD), Options(cards=0), 1))
    assert shown.cells[0] == "cracking", "a pawn still holds this cell of the broken ring"
    assert shown.cells[1] == "abyss"
    assert shown.cells[9] == "ground"
    assert [(pawn.id, pawn.sprite, pawn.row, pawn.col) for pawn in shown.entities] == [
        ("p1", "first", 0, 0),
        ("p2", "first", 3, 2),
        ("p3", "second_frozen", 3, 3),
    ]
    assert shown.status["next ring cracks"] == "after ply 50"


def test_a_pawn_keeps_its_id_when_it_is_pushed() -> None:
    state = GAME.start(parse(BOARD), Options(cards=0), 1)
    for action in parse_turn("R", state):
        state = GAME.step(state, action)
    assert {pawn.id: (pawn.row, pawn.col) for pawn in frame(state).entities} == {"p2": (3, 3), "p3": (3, 4)}


def test_the_status_tells_how_far_a_turn_is_chosen() -> None:
    state = GAME.start(parse(BOARD), Options(deal="swap"), 1)
    for action, words in ((1, "R"), (14, "R+swap"), (16 + 27, "R+swap@d5")):
        state = GAME.step(state, action)
        assert frame(state).status["this turn"] == words
    assert frame(state).status["choose"] == "an enemy pawn"


def test_a_screen_is_told_what_a_turn_consists_of_so_far() -> None:
    state = GAME.start(parse(BOARD), Options(deal="swap"), 1)
    assert (frame(state).begun, frame(state).chosen) == ((), ())
    seen = []
    for action in (1, 14, 16 + 27):
        state = GAME.step(state, action)
        seen.append((frame(state).begun, frame(state).chosen))
    assert seen == [(("R",), ()), (("R", "swap"), ()), (("R", "swap", "d5"), (27,))]
