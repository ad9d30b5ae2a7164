"""Levels drawn, checked and kept; benches run and compared; and everything open to everyone."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from web.conftest import PATIENCE_MS
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
PAGES = [
    "/",
    "/watch/stroll",
    "/play/stroll",
    "/play/pushem",
    "/edit/loderunner",
    "/edit/ricochet",
    "/replays",
    "/compare",
    "/help",
]


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


def test_a_bench_is_run_shown_with_intervals_and_opened(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=stroll")
    for agent in ("crashing", "deadly", "backwards"):
        page.get_by_role("checkbox", name=agent).uncheck()
    page.get_by_label("Seeds, 1 to").fill("3")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Done.", exact=True).first).to_be_visible()
    line = page.locator("tbody tr", has_text="2000 nodes").filter(has_text="straight")
    expect(line).to_contain_text("100 % [43.9 %, 100 %]")
    line.get_by_role("link", name=re.compile("3 games of straight")).click()
    expect(page.locator("tbody tr")).to_have_count(3)


def test_a_bench_can_be_stopped(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=loderunner")
    page.get_by_label("Seeds, 1 to").fill("500")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped.").first).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, fetched for this test only."""
    if shutil.which("npm") is None:
        pytest.skip("axe-core comes by npm, which is not on this machine")
    folder = tmp_path_factory.mktemp("axe")
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), "axe-core@4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        pytest.skip("axe-core could not be fetched by npm: is this machine offline?")
    return (Path(folder) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_on_any_page(browser: Browser, server: Server, axe: str, theme: str) -> None:
    scheme = "dark" if theme == "dark" else "light"
    size = {"width": 1280, "height": 800} if theme == "dark" else {"width": 390, "height": 844}
    context = browser.new_context(base_url=server.address, bypass_csp=True, color_scheme=scheme, viewport=size)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    found = {}
    for path in PAGES:
        page.goto(path)
        page.wait_for_selector("#main h1")
        page.evaluate(axe)
        violations = page.evaluate(
            "async () => (await axe.run(document)).violations.map((v) => [v.id, v.nodes[0].html])"
        )
        if violations:
            found[path] = violations
    context.close()
    assert found == {}
