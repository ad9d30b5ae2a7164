"""Levels drawn, checked, solved and kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from web.page_server import Server

SMALL = "WWWWWWW\nWR...XW\nWWWWWWW\n"
MISSION = """mission: red circle
+---+---+---+
|R          |
+   +   +   +
|           |
+   +   +   +
|         rc|
+---+---+---+
"""


def good(page: Page) -> None:
    expect(page.locator(".left > .mark.good")).to_be_visible()


def paint(page: Page, tile: str, row: int, col: int, rows: int, cols: int) -> None:
    page.get_by_role("radio", name=tile, exact=True).click()
    board = page.locator("canvas[data-ready=yes]").first
    box = board.bounding_box()
    assert box is not None
    board.click(position={"x": box["width"] * (col + 0.5) / cols, "y": box["height"] * (row + 0.5) / rows})


def test_a_level_is_painted_undone_resized_kept_and_played(new_page: Callable[..., Page], server: Server) -> None:
    page = new_page(f"/edit/loderunner?{urlencode({'text': SMALL})}")
    good(page)
    area = page.get_by_label("The level as text")
    paint(page, "bonus", 1, 3, 3, 7)
    expect(area).to_have_value("WWWWWWW\nWR.B.XW\nWWWWWWW\n")
    paint(page, "runner", 1, 2, 3, 7)
    expect(area).to_have_value("WWWWWWW\nW.RB.XW\nWWWWWWW\n")
    page.get_by_role("button", name="Take back").click()
    expect(area).to_have_value("WWWWWWW\nWR.B.XW\nWWWWWWW\n")
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="+ column").click()
    expect(area).to_have_value("WWWWWWWW\nW.RB.X.W\nWWWWWWWW\n")
    good(page)
    page.get_by_label("Name", exact=True).fill("my first")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page).to_have_url(re.compile("own%2Fmy"))
    expect(page.locator(".turn[data-turn='mine-0']")).to_be_visible()
    assert (server.home / "levels" / "loderunner" / "my first.txt").exists()


def test_a_wrong_level_is_told_while_it_is_drawn(new_page: Callable[..., Page]) -> None:
    page = new_page(f"/edit/loderunner?{urlencode({'text': SMALL})}")
    good(page)
    page.get_by_label("The level as text").fill("WWWWWWW\nWR..?XW\nWWWWWWW\n")
    expect(page.locator(".left > .mark.bad")).to_contain_text("line 2")


def test_a_board_is_painted_with_walls_and_solved(new_page: Callable[..., Page]) -> None:
    page = new_page(f"/edit/ricochet?{urlencode({'text': MISSION})}")
    good(page)
    paint(page, "robot green", 0, 2, 3, 3)
    expect(page.get_by_label("The level as text")).to_have_value(re.compile(r"\|R       G  \|"))
    good(page)
    page.get_by_role("button", name="Can it be won?").click()
    expect(page.get_by_role("heading", name="A solution")).to_be_visible()
    expect(page.locator("canvas[data-ready=yes]")).to_have_count(2)


def test_a_level_can_be_drawn_by_keyboard_alone(new_page: Callable[..., Page]) -> None:
    page = new_page(f"/edit/loderunner?{urlencode({'text': SMALL})}")
    good(page)
    board = page.locator("canvas[data-ready=yes]").first
    for key in ["+"] * 5 + ["ArrowRight", "ArrowDown"] + ["ArrowRight"] * 3 + [" "]:
        board.press(key)
    expect(page.get_by_label("The level as text")).to_have_value("WWWWWWW\nWR.BBXW\nWWWWWWW\n".replace("BB", "B."))
