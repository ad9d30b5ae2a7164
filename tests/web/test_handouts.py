"""Kept games for people elsewhere: files from the page, and a frame on another site that reaches nothing of ours."""

from __future__ import annotations

import multiprocessing
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from gridsage.core.errors import OptionError
from gridsage.store import Store
from gridsage.web import messages
from gridsage.web.games import export
from gridsage.web.games.session import SESSION_ID, Session
from gridsage.web.handouts import embed_address, embed_key
from web.kept_games import keep_bench
from web.page_server import Server
from web.test_guard import TOKEN, ask

STARTS = {"html": b"<!doctype html>", "gif": b"GIF89a", "png": b"\x89PNG", "svg": b"<svg"}


@pytest.fixture(scope="module")
def kept(server: Server) -> str:
    """The id of a short game."""
    keep_bench(server, "stroll", "straight", [1], 4_321, ["short"])
    return next(row.trace for row in Store(server.home).rows() if row.game == "stroll")


@pytest.mark.parametrize("form", list(STARTS))
def test_a_kept_game_is_taken_along_as_a_file(server: Server, kept: str, form: str) -> None:
    answer = httpx.get(f"{server.address}/api/traces/{kept}/file/{form}", timeout=60)
    assert answer.status_code == 200, answer.text
    assert answer.content.startswith(STARTS[form])
    assert answer.headers["content-disposition"] == f'attachment; filename="stroll-{kept[:12]}.{form}"'
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_picture_is_of_the_step_that_is_asked_for(server: Server, kept: str) -> None:
    address = f"{server.address}/api/traces/{kept}/file/svg"
    first, last, beyond = (httpx.get(f"{address}?step={step}", timeout=60).text for step in (0, 4, 99))
    assert first != last == beyond == httpx.get(address, timeout=60).text


def test_what_is_no_file_is_refused_in_words(server: Server, kept: str) -> None:
    for path, status, words in (
        (f"{kept}/file/exe", 404, "`form`: 'exe' is unknown"),
        (f"{kept}/file/png?step=-1", 404, "`step`: expected 0 or more"),
        (f"{kept}/file/png?step=x", 404, "`step`: expected a whole number"),
        (f"{kept}/file/png?theme=pink", 404, "`theme`: 'pink' is unknown"),
        ("ffffffff/file/png", 400, "no "),
    ):
        answer = httpx.get(f"{server.address}/api/traces/{path}", timeout=60)
        assert answer.status_code == status
        assert words in answer.json()["text"]


def test_a_game_that_is_too_long_is_left_to_the_command_line(
    server: Server, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MOST_STEPS", {"gif": 3})
    ours, theirs = multiprocessing.Pipe()
    session = Session(theirs, threading.Lock(), 1, Path(server.home))
    with pytest.raises(OptionError, match=f"4 steps, and the page writes 3: use `gridsage replay {kept} --gif"):
        export.export(session, messages.Export(kept, "gif"))
    export.export(session, messages.Export(kept, "svg"))
    assert msgspec.json.decode(ours.recv_bytes()[SESSION_ID.size :])["m"] == "file"
    ours.close()
    theirs.close()


@pytest.fixture
def foreign_site(server: Server, kept: str) -> Iterator[str]:
    """The address of another site on this machine, whose one page shows the game in a frame."""
    page = f"<iframe src='{server.address}{embed_address(None, kept)}' width=900 height=600></iframe>".encode()

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def test_a_frame_of_another_site_plays_the_game_and_reaches_nothing(browser: Browser, foreign_site: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(foreign_site)
    expect(page.frame_locator("iframe").locator("canvas[data-ready=yes]")).to_be_visible()
    frame = page.frames[1]
    assert frame.evaluate("origin") == "null"
    for action in (
        "fetch('/api/running')",
        "fetch('/api/tables', {method: 'POST', body: '{}'})",
        "new Promise((open, shut) => { const s = new WebSocket(location.href.replace(/^http/, 'ws').replace(/embed.*/, "
        "'ws')); s.onopen = open; s.onerror = shut; })",
    ):
        assert frame.evaluate(f"() => {action}.then(() => 'reached', () => 'refused')") == "refused"
    context.close()


def test_only_the_page_for_frames_may_be_framed(server: Server, kept: str) -> None:
    policies = {
        path: httpx.get(f"{server.address}{path}", timeout=60).headers["content-security-policy"]
        for path in ("/", f"/replay/{kept}", "/api/running", f"/embed/{kept}", "/embed/ffffffff")
    }
    assert [path for path, policy in policies.items() if "frame-ancestors 'none'" not in policy] == [f"/embed/{kept}"]
    assert "frame-ancestors *" in policies[f"/embed/{kept}"] and "sandbox allow-scripts" in policies[f"/embed/{kept}"]
    assert "connect-src" not in policies[f"/embed/{kept}"]


def test_the_key_of_a_frame_opens_one_game_and_nothing_else() -> None:
    key = f"key={embed_key(TOKEN, 'abc')}"
    assert embed_address(TOKEN, "abc") == f"/embed/abc?{key}"
    assert ask("/embed/abc", key)[0] == 200
    assert ask("/embed/abc", "key=")[0] == ask("/embed/abc")[0] == 403
    assert ask("/embed/abd", key)[0] == 403
    assert ask("/replay/abc", key)[0] == ask("/api/running", key)[0] == 403
    assert ask("/embed/abc", key, method="POST")[0] == 403


def test_the_replay_page_offers_the_files(kept: str, new_page: Callable[..., Page]) -> None:
    page = new_page(f"/replay/{kept}?t=2", width=390, height=844)
    expect(page.locator("canvas[data-ready=yes]")).to_have_attribute("data-t", "2")
    with page.expect_download() as loading:
        page.get_by_role("link", name="Picture (PNG)").click()
    assert loading.value.suggested_filename.endswith(".png")
    assert loading.value.url.endswith("step=2")
    page.get_by_role("button", name="For another site").click()
    expect(page.locator(".notice")).to_contain_text(re.compile("clipboard|iframe"))
