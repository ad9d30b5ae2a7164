"""A server in a child process on a free port, and Debian's Chromium to look at it."""

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
        if catalog.room(name).rules.missing() is None:
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
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")  # without windows it is much faster
    if found is None:
        pytest.skip("Chromium is not installed: `bash .ci/browsers` installs Debian's")
    launched = playwright.chromium.launch(executable_path=found, headless=True, args=FLAGS)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def bare_page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of the server on which a test may import single modules, which the policy of pages forbids."""
    context = browser.new_context(base_url=server.address, bypass_csp=True)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/help")
    yield page
    context.close()


@pytest.fixture(scope="session")
def everyday(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The profile of most tests: what it has loaded once it need not load again."""
    context = browser.new_context(base_url=server.address)
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@pytest.fixture
def new_page(browser: Browser, server: Server, everyday: BrowserContext) -> Iterator[Callable[..., Page]]:
    """Opens pages; the second one of a test is in another browser. An error in the page's scripts fails the test.

    `apart` asks for a profile of its own: for tests that change clocks, permissions or the network. `modules` lets the
    test import single modules of the page, which its policy forbids.
    """
    contexts: list[BrowserContext] = []
    pages: list[Page] = []
    complaints: list[str] = []

    def note(message: str) -> None:
        complaints.append(message)

    def open_page(
        path: str = "/",
        *,
        width: int = 1280,
        height: int = 800,
        theme: str = "dark",
        apart: bool = False,
        modules: bool = False,
    ) -> Page:
        context = everyday
        if apart or modules or pages:
            context = browser.new_context(base_url=server.address, bypass_csp=modules)
            context.set_default_timeout(PATIENCE_MS)
            contexts.append(context)
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="light" if theme == "light" else "dark")
        page.on("pageerror", lambda error: note(str(error)))
        page.on("request", lambda request: _own(request.url, server, note))
        page.goto(path)
        return page

    expect.set_options(timeout=PATIENCE_MS)
    yield open_page
    for page in pages:
        if page.context == everyday and not page.is_closed():
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
            page.close()
    for context in contexts:
        context.close()
    assert complaints == []


def _own(url: str, server: Server, note: Callable[[str], None]) -> None:
    own = (server.address, server.address.replace("http", "ws"), "data:", "blob:")
    if not url.startswith(own):
        note(f"the page asked another host: {url}")
