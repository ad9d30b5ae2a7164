"""What a page is told about a room before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridsage.games import catalog
from gridsage.web import describe

KNOWN = [name for name in catalog.BUILT_IN if name != "nethack"]


@pytest.mark.parametrize("game", KNOWN)
def test_the_size_of_every_shipped_board_is_known_before_it_is_played(game: str) -> None:
    room = catalog.room(game)
    rules = room.rules.game()
    for level in room.levels.names():
        state = rules.start(rules.parse(room.levels.text(level)), catalog.options(room, {}), 1)
        frame = room.view.frame(state)
        assert describe.size(game, level, "") == (frame.cols, frame.rows), level


def test_a_level_that_comes_with_the_link_has_its_own_size() -> None:
    assert describe.size("loderunner", "", "WWWWW\nWR.XW\nWWWWW\n") == (5, 3)
    assert describe.size("delirium", "", "diamonds: 1\ntime: 50\n######\n#@.dX#\n######\n") == (6, 3)
    assert describe.size("ricochet", "", "mission: red circle\n+---+---+\n|R    rc|\n+---+---+\n") == (2, 1)


@pytest.mark.parametrize("game", ["ricochet", "ricochet-rounds"])
def test_where_seeds_make_levels_the_usual_board_is_one_of_a_seed(game: str) -> None:
    assert describe.size(game, "", "") == (16, 16)
    assert describe.size(game, "01_first_slide", "") == (6, 6)


def test_a_board_that_cannot_be_read_has_no_size_and_is_no_fault() -> None:
    assert describe.size("ricochet-rounds", "", "no board at all") is None


def test_nobody_can_tell_the_size_of_a_board_that_cannot_be_drawn() -> None:
    assert describe.size("nethack", "", "") is None


def test_cards_come_with_the_signs_of_the_guide(tmp_path: Path) -> None:
    guide = catalog.room("pushem").help.guide()
    assert guide is not None
    assert {card["name"]: card["sign"] for card in describe.whole("pushem", tmp_path)["cards"]} == {
        card.name: card.sign for card in guide.cards
    }
