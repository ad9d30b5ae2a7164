"""A server in a child process on a free port, and Debian's chromium to look at it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from gridsage.games import catalog
from web.page_server import Server, start_server

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 40_000  # a first start compiles kernels, on a machine that does other things too


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    for name in catalog.BUILT_IN:  # the tests wait for pages, not for the compiler
        if catalog.room(name).missing() is None:
            catalog.ready_room(name)
    running = start_server(tmp_path_factory.mktemp("server"))
    yield running
    running.end()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed: `bash .ci/chromium` installs Debian's")
    launched = playwright.chromium.launch(executable_path=found, headless=True, args=FLAGS)
    yield launched
    launched.close()


@pytest.fixture
def new_page(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Opens pages in profiles of their own; an error in the page's scripts fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def note(message: str) -> None:
        complaints.append(message)

    def open_page(path: str = "/", *, width: int = 1280, height: int = 800, theme: str = "dark") -> Page:
        context = browser.new_context(
            base_url=server.address,
            viewport={"width": width, "height": height},
            color_scheme="light" if theme == "light" else "dark",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: note(str(error)))
        page.on("request", lambda request: _own(request.url, server, note))
        page.goto(path)
        return page

    expect.set_options(timeout=PATIENCE_MS)
    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _own(url: str, server: Server, note: Callable[[str], None]) -> None:
    own = (server.address, server.address.replace("http", "ws"), "data:", "blob:")
    if not url.startswith(own):
        note(f"the page asked another host: {url}")
