"""People play: a whole round or game of each room, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from gridsage.games import catalog

ONE_ROBOT = """mission: red circle
+---+---+---+
|R          |
+   +   +   +
|           |
+   +   +   +
|         rc|
+---+---+---+
"""
CORRIDOR = "WWWWWWW\nWR.B.XW\nWWWWWWW\n"
MINE = "diamonds: 1\ntime: 50\n######\n#@.dX#\n######\n"
ON_THE_EDGE = "........\n" * 3 + "......xo\n" + "........\n" * 4


def link(game: str, **query: str) -> str:
    return f"/play/{game}?{urlencode(query)}"


def my_move(page: Page, t: int) -> None:
    expect(page.locator(f".turn[data-turn='mine-{t}']")).to_be_visible()


def play_keys(page: Page, keys: list[str]) -> None:
    """Press one key after the other, each when it is the person's turn."""
    for t, key in enumerate(keys):
        my_move(page, t)
        page.locator("body").press(key)


def test_ricochet_is_played_by_keys_with_hint_and_take_back(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", text=ONE_ROBOT))
    my_move(page, 0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint p").first).to_contain_text("2 moves")
    page.locator("body").press("r")
    page.locator("body").press("ArrowDown")
    my_move(page, 1)
    page.get_by_role("button", name="Take back").click()
    my_move(page, 0)
    page.locator("body").press("ArrowRight")
    my_move(page, 1)
    page.locator("body").press("ArrowDown")
    expect(page.locator(".verdict")).to_have_text(re.compile("^solved · 2 steps"))
    expect(page.locator(".turn")).to_have_text("The game is over.")


def test_ricochet_is_played_by_clicks(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", text=ONE_ROBOT))
    my_move(page, 0)
    board = page.locator("canvas[data-ready=yes]")
    box = board.bounding_box()
    assert box is not None
    third = box["width"] / 3
    for t, (col, row) in enumerate([(2, 0), (2, 2)]):
        my_move(page, t)
        board.click(position={"x": third * (col + 0.5), "y": third * (row + 0.5)})
    expect(page.locator(".verdict.good")).to_be_visible()


def test_a_round_with_claims_and_the_hourglass(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet-rounds", text=ONE_ROBOT, agents="human,human", **{"o.rounds": "1"}))
    my_move(page, 0)
    page.get_by_label("Moves", exact=True).fill("3")
    page.get_by_role("button", name="Player 2 claims").click()
    expect(page.locator(".sand")).to_contain_text("seconds left")
    page.get_by_label("Moves", exact=True).fill("2")
    page.get_by_role("button", name="Player 1 claims").click()
    expect(page.locator(".status")).to_contain_text("player 1: 2")
    page.get_by_role("button", name="Nothing to add").click()
    expect(page.locator(".status")).to_contain_text("showing")
    for key in ("r", "ArrowRight"):
        page.locator("body").press(key)
    expect(page.locator(".status")).to_contain_text("1 of 2")
    page.locator("body").press("ArrowDown")
    expect(page.locator(".verdict")).to_contain_text("match over")
    expect(page.locator(".status")).to_contain_text("1 : 0")


def test_lode_runner_is_played_by_keys_to_the_exit(new_page: Callable[..., Page]) -> None:
    page = new_page(link("loderunner", text=CORRIDOR))
    play_keys(page, ["ArrowRight"] * 4)
    expect(page.locator(".verdict.good")).to_be_visible()


def test_delirium_is_played_by_touching_the_pad_on_a_phone(new_page: Callable[..., Page]) -> None:
    page = new_page(link("delirium", text=MINE), width=390, height=844)
    for t in range(3):
        my_move(page, t)
        page.get_by_role("button", name="Right", exact=True).click()
    expect(page.locator(".verdict.good")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_an_agent_takes_over_and_gives_the_game_back(new_page: Callable[..., Page]) -> None:
    page = new_page(link("stroll", level="short"))
    page.get_by_label("Ask").select_option("straight")
    play_keys(page, ["ArrowRight"])
    my_move(page, 1)
    page.get_by_role("button", name="Take over for me").click()
    expect(page.locator(".verdict.good")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    my_move(page, 1)


def test_push_em_all_is_won_by_a_push_over_the_edge(new_page: Callable[..., Page]) -> None:
    page = new_page(link("pushem", text=ON_THE_EDGE, agents="human,random", nodes="10"))
    my_move(page, 0)
    page.locator("body").press("ArrowRight")
    end = page.locator(".verdict").or_(page.get_by_role("button", name="end"))
    expect(end.first).to_be_visible()
    if not page.locator(".verdict").is_visible():
        page.get_by_role("button", name="end").click()
    expect(page.locator(".verdict")).to_contain_text("wins")


def test_push_em_all_shows_the_targets_of_a_card(new_page: Callable[..., Page]) -> None:
    page = new_page(link("pushem", level="start", agents="human,human", **{"o.cards": "shinigami"}))
    my_move(page, 0)
    page.locator("body").press("ArrowUp")
    my_move(page, 1)
    cards = page.locator(".moves .row button").filter(has_not_text="end")
    expect(cards.first).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    my_move(page, 0)


def test_nethack_is_played_and_taken_over(new_page: Callable[..., Page]) -> None:
    if (sentence := catalog.room("nethack").missing()) is not None:
        pytest.skip(sentence)
    page = new_page(link("nethack", seed="3"))
    play_keys(page, ["s", "s"])
    my_move(page, 2)
    page.get_by_role("button", name="Take over for me").click()
    expect(page.locator(".time")).not_to_have_text(re.compile("^2 /"))
    page.get_by_role("button", name="Give me the game back").click()
    expect(page.locator(".turn[data-turn^='mine']")).to_be_visible()


def test_two_people_in_two_browsers_do_not_disturb_each_other(new_page: Callable[..., Page]) -> None:
    one, two = new_page(link("stroll", level="short")), new_page(link("stroll", level="short"))
    play_keys(one, ["ArrowRight", "ArrowRight"])
    my_move(one, 2)
    my_move(two, 0)
    expect(two.locator(".time")).to_have_text(re.compile("^0 /"))


def test_a_person_can_keep_the_game_and_see_it_verified(new_page: Callable[..., Page]) -> None:
    page = new_page(link("stroll", level="short"))
    play_keys(page, ["ArrowRight"])
    my_move(page, 1)
    page.get_by_role("button", name="Keep this game").click()
    page.get_by_role("link", name="Open it").click()
    expect(page.locator(".mark.good")).to_be_visible()
