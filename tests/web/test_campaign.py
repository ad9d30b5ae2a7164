"""Level after level: a campaign with lives and best times, and a demonstration that goes on by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from gridsage.games import catalog
from gridsage.games.ricochet import missions
from gridsage.games.ricochet.level import Options, parse
from web.page_server import Server
from web.test_play import my_move

EASY = "name: Easy\ndiamonds: 1\ntime: 60\n######\n#@ dX#\n######\n"
SHORT = "name: Short\ndiamonds: 1\ntime: 4\n######\n#@ dX#\n######\n"


@pytest.fixture
def pack(server: Server) -> Iterator[None]:
    """Two levels of one's own: nobody hurries in the first, time is short in the second."""
    for name, text in (("campaign 1", EASY), ("campaign 2", SHORT)):
        httpx.post(f"{server.address}/api/levels/delirium/keep/{name}", content=text).raise_for_status()
    yield
    for name in ("campaign 1", "campaign 2"):
        httpx.post(f"{server.address}/api/levels/delirium/drop/{name}").raise_for_status()


def play(page: Page, *keys: str) -> None:
    for t, key in enumerate(keys):
        my_move(page, t)
        page.locator("canvas[role=application]").press(key)


def go_on(page: Page, name: str) -> None:
    page.locator(".ending").get_by_role("button", name=name).click()


@pytest.mark.usefixtures("pack")
def test_a_campaign_goes_from_level_to_level_and_losing_costs_a_life(new_page: Callable[..., Page]) -> None:
    page = new_page("/play/delirium?campaign=own")
    words = page.locator(".campaign-words")
    expect(words).to_have_text("Level 1 of 2, 0 points. 5 lives left.")
    expect(page.locator(".advice")).to_be_hidden()  # nobody helps
    play(page, *["ArrowRight"] * 3)
    expect(page.locator(".ending")).to_contain_text("Level 2 of 2, 1,500 points. 5 lives left.")
    go_on(page, "Next level")
    my_move(page, 0)
    expect(page.locator(".campaign-levels li").first).to_contain_text("3 moves")
    page.reload()  # the browser keeps where one was
    play(page, *[" "] * 4)
    expect(page.locator(".ending")).to_contain_text("4 lives left.")
    go_on(page, "Try again")
    play(page, *["ArrowRight"] * 3)
    expect(page.locator(".ending")).to_contain_text("All 2 levels are won, with 2,900 points.")
    go_on(page, "Start again")
    expect(words).to_have_text("Level 1 of 2, 0 points. 5 lives left.")
    page.get_by_role("button", name="Leave the campaign").click()
    expect(page.locator(".advice")).to_be_visible()
    expect(page).not_to_have_url(re.compile("campaign="))


def test_a_campaign_goes_through_a_book(new_page: Callable[..., Page]) -> None:
    page = new_page("/play/ricochet?campaign=book_1")
    expect(page.locator(".campaign-words")).to_have_text("Level 1 of 30, 0 points. 5 lives left.")
    expect(page.locator(".campaign-levels li").first).to_contain_text("book 1-01")
    room = catalog.ready_room("ricochet")
    found = missions.solution(missions.start_of(parse(room.levels.text("book_1-01")), Options()))
    for t, action in enumerate(found.moves):
        my_move(page, t)
        robot, way = room.rules.game().label(action).split()
        page.locator("body").press(robot[0])
        page.locator("body").press(f"Arrow{way.capitalize()}")
    expect(page.locator(".ending")).to_contain_text("Level 2 of 30, 1,500 points.")
    page.goto("/watch/ricochet?level=book_5-30")
    expect(page.get_by_label("Level", exact=True)).to_have_value("book_5-30")


def test_a_demonstration_goes_on_with_the_next_level(new_page: Callable[..., Page]) -> None:
    page = new_page("/watch/delirium?level=01_first_steps&demo=", apart=True)
    page.get_by_label("Speed").select_option("60 per second")
    expect(page).to_have_url(re.compile("level=02_"))
    page.get_by_label("Go on with the next level by itself").uncheck()
    page.reload()
    expect(page.get_by_label("Go on with the next level by itself")).not_to_be_checked()
