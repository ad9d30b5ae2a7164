"""The page is open to everyone: axe-core finds nothing to complain about."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from web.conftest import PATIENCE_MS
from web.page_server import Server

PROJECT = Path(__file__).resolve().parents[2]
PAGES = [
    "/",
    "/learn/pushem",
    "/learn/ricochet",
    "/watch/stroll",
    "/watch/pushem",
    "/play/stroll",
    "/play/pushem",
    "/watch/nethack",
    "/play/nethack",
    "/edit/loderunner",
    "/edit/ricochet",
    "/edit/pushem",
    "/edit/delirium?level=25_three_galleries",
    "/daily",
    "/replays",
    "/compare",
    "/help",
]


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, which comes with the tools that check the browser code."""
    source = PROJECT / "node_modules" / "axe-core" / "axe.min.js"
    if not source.is_file():
        pytest.skip("axe-core is not here: .ci/node fetches it by npm, as `make test` does")
    return source.read_text(encoding="utf-8")


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
