"""Games that go on by themselves: a clock that starts with the first key, keys that latch or are held, a fire key."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from web.conftest import PATIENCE_MS
from web.test_play import link, my_move

GROUND = "############################"
EMPTY = "............................"
WALK = "\n".join([*[EMPTY] * 13, "....&........$..............", GROUND, GROUND]) + "\n"
CAVE = """[cave]
Name=A corner
Size=8 4
DiamondsRequired=1
CaveTime=60
CaveScheduling=milliseconds
FrameTime=60
[map]
WWWWWWWW
WP.....W
W.....dX
WWWWWWWW
[/map]
[/cave]
"""


def words(page: Page, name: str) -> Locator:
    return page.locator(".view-panel .status dt", has_text=name).locator("xpath=following-sibling::dd[1]")


def steps(page: Page) -> int:
    return int(page.evaluate("gridsage.view.recording.length - 1"))


def wait_until(page: Page, truth: str) -> None:
    """Wait for something that no element shows; the page's policy forbids Playwright to wait inside of it."""
    until = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(truth):
        assert time.monotonic() < until, truth
        page.wait_for_timeout(20)


def test_a_runner_runs_on_after_one_key_as_in_1983(new_page: Callable[..., Page]) -> None:
    page = new_page(link("loderunner-classic", text=WALK))
    my_move(page, 0)
    expect(page.locator(".clock-words")).to_have_text("Time starts with your first key.")
    page.keyboard.press("ArrowRight")
    expect(words(page, "gold")).to_have_text("1/1")
    assert steps(page) >= 45  # nine cells of five ticks: time did not jump


def test_keys_count_while_they_are_held_where_somebody_wants_it_so(new_page: Callable[..., Page]) -> None:
    page = new_page(link("loderunner-classic", text=WALK))
    my_move(page, 0)
    page.get_by_label("A direction counts until the next key").uncheck()
    page.locator("canvas[role=application]").focus()
    page.keyboard.press("ArrowRight")
    wait_until(page, "gridsage.view.recording.length > 20")
    places = page.evaluate(
        "gridsage.view.recording.frames.map((frame) => frame.e.at(-1)[2] + (frame.e.at(-1)[6] ?? 0))"
    )
    assert places[0] < places[-1] < 6  # a tap moves by a part of a cell or by one, and no further
    page.keyboard.press("p")
    expect(page.locator(".clock-words")).to_contain_text("Paused")
    before = steps(page)
    page.keyboard.down("ArrowRight")
    expect(words(page, "gold")).to_have_text("1/1")
    page.keyboard.up("ArrowRight")
    assert steps(page) > before


@pytest.mark.parametrize("pace", ["as the game runs", "turn by turn"])
def test_rockford_reaches_out_without_a_step(new_page: Callable[..., Page], pace: str) -> None:
    page = new_page(link("delirium-bd", text=CAVE))
    my_move(page, 0)
    page.get_by_label("Pace").select_option(pace)
    page.locator("canvas[role=application]").focus()
    if pace == "turn by turn":
        for t in range(26):
            my_move(page, t)
            page.keyboard.press(".")
        my_move(page, 26)
        page.keyboard.press("d")
    else:
        page.keyboard.down("Shift")
        page.keyboard.down("ArrowRight")
        wait_until(page, "gridsage.view.recording.frames.some(({ a, t }) => a === 'snap right' && t > 26)")
        page.keyboard.up("ArrowRight")
        page.keyboard.up("Shift")
    wait_until(page, "gridsage.view.recording.tiles[gridsage.view.board.cells[10]] === 'void'")
    assert page.evaluate("gridsage.view.recording.frames.at(-1).e.find(([id]) => id === 'rockford').slice(2, 4)") == [
        1,
        1,
    ]


def test_a_game_with_a_pace_of_its_own_is_watched_at_that_pace(new_page: Callable[..., Page]) -> None:
    page = new_page("/watch/loderunner-classic?level=01_first_gold")
    expect(page.get_by_label("Speed")).to_have_value("23")
    expect(page.locator("canvas[data-ready=yes]")).to_be_visible()
    page.get_by_label("Speed").select_option("60 per second")
    page.reload()
    expect(page.get_by_label("Speed")).to_have_value("60")
    page.goto("/watch/loderunner")
    expect(page.get_by_label("Speed")).to_have_value("4")
