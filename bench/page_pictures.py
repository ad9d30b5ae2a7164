"""Take the pictures of docs/page.md and of docs/share.md anew: `python bench/page_pictures.py [name ...]`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from web_page import FLAGS, PROGRAM, chromium

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
PATIENCE_MS = 180_000
BENCH = ["bench", "ricochet", "--agents", "dfs,astar,master", "--seeds", "20", "--nodes", "3000"]


def until(page: Page, t: int) -> None:
    """Wait until the moment `t` or a later one is shown."""
    while int(page.locator("canvas[data-ready=yes]").first.get_attribute("data-t") or 0) < t:
        page.wait_for_timeout(100)  # the page's policy forbids a condition that is waited for inside


def gallery(page: Page) -> None:
    page.goto("/")
    expect(page.locator(".picture canvas[data-ready=yes]")).to_have_count(5)
    page.wait_for_load_state("networkidle")  # stills come first, then what moves


def share_daily(page: Page) -> None:
    page.goto("/daily")
    expect(page.locator(".daily-room")).to_have_count(8)


def watch_nethack(page: Page) -> None:
    page.goto("/watch/nethack?seed=2&t=240")
    until(page, 240)


def play_classic(page: Page) -> None:
    page.goto("/play/loderunner-classic")
    page.wait_for_selector(".turn[data-turn^=mine]")
    page.keyboard.press("ArrowRight")
    until(page, 30)
    page.keyboard.press("p")


def play_pushem(page: Page) -> None:
    page.goto("/play/pushem")
    page.wait_for_selector(".turn[data-turn^=mine]")
    page.get_by_role("button", name=re.compile("play on from here")).click()
    until(page, 12)
    page.get_by_role("button", name="Give me the game back").click()
    page.wait_for_selector(".turn[data-turn^=mine]")
    page.locator(".turn").scroll_into_view_if_needed()


def play_nethack(page: Page) -> None:
    page.goto("/play/nethack?seed=3")
    page.wait_for_selector(".turn[data-turn^=mine]")
    page.keyboard.press("F2")
    expect(page.get_by_role("button", name="Characters")).to_be_visible()


def learn_bd(page: Page) -> None:
    page.goto("/learn/delirium-bd")
    page.wait_for_selector(".lesson .turn[data-turn^=mine]")


def compare(page: Page) -> None:
    page.goto("/compare?game=ricochet")
    page.wait_for_load_state("networkidle")


def edit_delirium(page: Page) -> None:
    page.goto("/edit/delirium?level=20_two_visitors")
    expect(page.locator(".mark").first).to_contain_text("Valid level")


TAKEN: dict[str, Callable[[Page], None]] = {
    "gallery": gallery,
    "watch-nethack": watch_nethack,
    "play-classic": play_classic,
    "play-pushem": play_pushem,
    "play-nethack": play_nethack,
    "share-daily": share_daily,
    "learn-bd": learn_bd,
    "compare": compare,
    "edit-delirium": edit_delirium,
}


def take(address: str, names: list[str]) -> None:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)
        for name in names:
            context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 800})
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            TAKEN[name](page)
            page.evaluate("() => new Promise(requestAnimationFrame)")
            page.screenshot(path=PICTURES / f"{name}.png")
            print(f"{name}.png", flush=True)
            context.close()
        browser.close()


def main() -> None:
    """Start a server of its own with some games, take the pictures that are named or all, and end it."""
    names = sys.argv[1:] or list(TAKEN)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "serve.py"
        script.write_text(PROGRAM, encoding="utf-8")
        environment = dict(os.environ) | {"GRIDSAGE_HOME": folder}
        if "compare" in names:
            subprocess.run([sys.executable, "-m", "gridsage", *BENCH], env=environment, check=True, capture_output=True)
        server = subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            take(server.stdout.readline().partition(" at ")[2].split(" ")[0].rstrip("/"), names)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
