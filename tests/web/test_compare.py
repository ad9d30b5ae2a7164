"""Benches run, stopped and compared."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


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
