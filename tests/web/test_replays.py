"""Kept games: listed, replayed, verified, brought in from a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from gridsage.core.trace import encode
from gridsage.store import Store
from web.page_server import Server
from web.test_pages import WALK, shown, watched


def test_a_kept_game_is_listed_replayed_and_verified(new_page: Callable[..., Page]) -> None:
    page = watched(new_page(WALK))
    page.get_by_role("button", name="Keep this game").click()
    page.get_by_role("link", name="Open it").click()
    expect(page.locator(".mark")).to_contain_text("Verified")
    expect(page.get_by_role("heading", name="Replay: Stroll")).to_be_visible()
    page.goto("/replays?game=stroll")
    page.locator("tbody a").first.click()
    expect(page.locator(".mark.good")).to_be_visible()


def test_a_link_to_a_moment_opens_there(new_page: Callable[..., Page]) -> None:
    page = watched(new_page(WALK))
    page.get_by_role("button", name="Keep this game").click()
    href = page.get_by_role("link", name="Open it").get_attribute("href")
    page.goto(f"{href}?t=2")
    expect(page.locator(".time")).to_have_text(re.compile("^2 / "))
    assert shown(page) == "2"


def test_an_uploaded_trace_is_checked_first(new_page: Callable[..., Page], server: Server, tmp_path: Path) -> None:
    page = watched(new_page(WALK))
    page.get_by_role("button", name="Keep this game").click()
    expect(page.get_by_role("link", name="Open it")).to_be_visible()
    store = Store(server.home)
    good = store.load(store.rows(game="stroll")[0].trace)
    page.goto("/replays")
    (tmp_path / "good.trace").write_bytes(encode(good))
    page.locator("#trace-file").set_input_files(tmp_path / "good.trace")
    expect(page.locator(".mark.good")).to_be_visible()
    page.goto("/replays")
    (tmp_path / "bad.trace").write_bytes(encode(good)[:-20])
    page.locator("#trace-file").set_input_files(tmp_path / "bad.trace")
    expect(page.get_by_text("bad.trace: damaged compression")).to_be_visible()
