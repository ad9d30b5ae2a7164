"""A game written as one HTML file plays from disk, asks nobody for anything, and runs no script of anybody else."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

import gridsage
from gridsage.core.trace import AgentSpec, Trace
from gridsage.web import single_file
from web import firefox

EVIL = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 2'>\"'\u2028<!--"
MOST_BYTES = 400_000
Opened = Callable[[str], Page]
COLOURS = """
    const board = document.querySelector('canvas[data-t]');
    const data = new Uint32Array(board.getContext('2d').getImageData(0, 0, board.width, board.height).data.buffer);
    return new Set(data).size;"""
SIZES = """async () => {
    const sizes = [];
    for (let frame = 0; frame < 15; frame += 1) {
      await new Promise(requestAnimationFrame);
      const board = document.querySelector('canvas[data-t]');
      sizes.push(`${board.width} x ${board.height}`);
    }
    return sizes;
  }"""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Opened:
    """Open a document from disk in a browser that is offline, and note what it asks for and complains about."""

    def open_(document: str, name: str = "game.html") -> Page:
        path = tmp_path / name
        path.write_text(document, "utf-8")
        page = browser.new_context(offline=True, viewport={"width": 1280, "height": 800}).new_page()
        page.asked = []  # type: ignore[attr-defined]
        page.on("request", lambda request: page.asked.append(request.url))  # type: ignore[attr-defined]
        page.on("console", lambda message: page.asked.append(message.text))  # type: ignore[attr-defined]
        page.on("pageerror", lambda error: page.asked.append(str(error)))  # type: ignore[attr-defined]
        page.goto(path.as_uri())
        return page

    return open_


def played(game: str, agent: str | None, steps: int, nodes: int = 20) -> Trace:
    return gridsage.play(game, agent, seed=1, nodes=nodes, max_steps=steps).trace


def test_a_file_plays_from_disk_and_asks_for_nothing(opened: Opened) -> None:
    recorded = played("pushem", "random", 40)
    page = opened(single_file.document(gridsage.room("pushem"), recorded, start=3))
    expect(page.locator("canvas[data-t='3']")).to_be_visible()
    expect(page.locator("output.time")).to_have_text(f"3 / {len(recorded.actions)}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("canvas[data-t='4']")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".verdict")).to_contain_text(recorded.outcome.reason)
    assert page.asked == [page.url]  # type: ignore[attr-defined]
    page.context.close()


@pytest.mark.skipif(firefox.COMMAND is None, reason="Firefox is not installed: `bash .ci/browsers` installs Debian's")
def test_files_of_every_kind_play_from_disk_in_firefox(tmp_path: Path) -> None:
    games = [name for name in gridsage.game_names() if gridsage.room(name).rules.missing() is None]
    with firefox.Firefox(tmp_path) as browser:
        for game in games:
            path = tmp_path / f"{game}.html"
            path.write_text(single_file.document(gridsage.room(game), played(game, None, 6, 2000), start=1), "utf-8")
            browser.open(path)
            browser.wait_for("document.querySelector('canvas[data-t=\"1\"][data-ready=yes]')")
            browser.press(firefox.RIGHT)
            browser.wait_for("document.querySelector('canvas[data-t=\"2\"]')")
            colours = browser.run(COLOURS)
            assert isinstance(colours, int) and colours > 3, f"the board of {game} is not drawn"
            assert browser.run("return performance.getEntriesByType('resource').length") == 0


@pytest.mark.parametrize("look", ["letters", "pictures"])
def test_a_board_with_lines_of_text_finds_a_size_and_keeps_it_in_windows_of_any_height(
    opened: Opened, look: str
) -> None:
    if gridsage.room("nethack").rules.missing() is not None:
        pytest.skip("needs NetHack")
    page = opened(single_file.document(gridsage.room("nethack"), played("nethack", "explorer", 10), start=3))
    if look == "pictures":
        page.locator("button.tiles").click()
    for height in range(640, 860, 29):
        page.set_viewport_size({"width": 1280, "height": height})
        sizes = page.evaluate(SIZES)
        assert len(set(sizes[5:])) == 1, f"{height}: {sizes}"
        for name in (".stage", ".screen"):
            whole, seen = page.locator(name).evaluate("box => [box.scrollHeight, box.clientHeight]")
            assert whole <= seen + 1, f"{height}: of {name} {seen} pixels of {whole} are seen"
    page.context.close()


def test_a_game_begins_by_itself_where_no_step_is_named(opened: Opened) -> None:
    page = opened(single_file.document(gridsage.room("loderunner"), played("loderunner", "random", 10)))
    expect(page.locator("canvas[data-t]:not([data-t='0'])")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize(("game", "agent"), [("nethack", "explorer"), ("delirium", "baseline")])
def test_five_hundred_steps_are_a_small_file(game: str, agent: str) -> None:
    if gridsage.room(game).rules.missing() is not None:
        pytest.skip("needs NetHack")
    recorded = played(game, agent, 500)
    assert len(single_file.document(gridsage.room(game), recorded).encode()) <= MOST_BYTES


def test_no_script_of_a_level_an_agent_or_a_name_runs(opened: Opened) -> None:
    recorded = played("loderunner", "random", 5)
    claimed = msgspec.structs.replace(recorded, level_name=EVIL, agents=(AgentSpec(EVIL),))
    text = single_file.document(gridsage.room("loderunner"), claimed, start=1)
    assert len(re.findall("<script", text, re.IGNORECASE)) == len(re.findall("</script>", text, re.IGNORECASE)) == 2
    page = opened(text)
    expect(page.locator("canvas[data-t='1']")).to_be_visible()
    assert EVIL in page.locator("dl.about").inner_text()
    assert page.evaluate("window.evil") is None
    assert page.title() == f"Lode Runner: {EVIL}, {EVIL}"
    page.context.close()


def test_the_policy_allows_the_script_of_the_file_and_no_other(opened: Opened) -> None:
    text = single_file.document(gridsage.room("loderunner"), played("loderunner", "random", 5), start=1)
    policy = html.unescape(re.search('Content-Security-Policy" content="([^"]*)"', text)[1])  # type: ignore[index]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy and "http" not in policy
    page = opened(text.replace("</body>", "<script>window.evil = 1</script></body>"))
    expect(page.locator("canvas[data-t='1']")).to_be_visible()
    assert page.evaluate("window.evil") is None
    page.context.close()


def test_a_game_that_differs_from_its_record_is_shown_until_there() -> None:
    recorded = played("pushem", "random", 40)
    broken = msgspec.structs.replace(recorded, hashes=((0, recorded.hashes[0][1]), (10, "0" * 16)))
    *frames, last = single_file.recorded_messages(gridsage.room("pushem"), broken)
    assert last["verified"] is False and last["mismatch"]
    assert len(frames) < len(recorded.actions) + 2
    assert single_file.recorded_messages(gridsage.room("pushem"), recorded)[-1]["verified"] is True
