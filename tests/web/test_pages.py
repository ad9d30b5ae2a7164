"""What a person sees: gallery, watching, replays, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from gridsage.games import catalog
from web.page_server import Server

READY = "canvas[data-ready=yes]"
WALK = "/watch/stroll?level=short&agents=straight&nodes=100"
MOST_REQUESTS, MOST_BYTES, MOST_SHIFT = 20, 200_000, 0.02
SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifted += entry.value; }))
  .observe({ type: 'layout-shift', buffered: true });"""


def expect_shown(page: Page, t: int) -> None:
    """Wait until the board shows the position after `t` steps."""
    expect(page.locator(READY).first).to_have_attribute("data-t", str(t))


def watched(page: Page) -> Page:
    """The page when its game is over and stands at the end."""
    expect(page.locator(READY).first).to_be_visible()
    expect(page.locator(".verdict").first).to_be_visible()
    return page


def test_gallery_shows_every_game_with_a_moving_picture(new_page: Callable[..., Page]) -> None:
    page = new_page("/")
    for name in catalog.names():
        room = catalog.room(name)
        if room.variant_of is None:
            expect(page.get_by_role("heading", name=room.title, exact=True)).to_be_visible()
    shown_rooms = [name for name in catalog.names() if catalog.room(name).variant_of is None]
    able = [name for name in shown_rooms if catalog.room(name).rules.missing() is None]
    expect(page.locator(f"{READY}[data-moving=true]")).to_have_count(len(able))
    before = page.locator(READY).first.get_attribute("data-t")
    expect(page.locator(READY).first).not_to_have_attribute("data-t", before or "")
    page.get_by_role("link", name="Watch Stroll").click()
    expect(page).to_have_url(re.compile("/watch/stroll"))
    expect(page.locator(READY)).to_be_visible()


def test_the_buttons_of_the_gallery_stand_in_line_and_a_variant_has_its_own(new_page: Callable[..., Page]) -> None:
    page = new_page("/")
    names = [catalog.room(name).title for name in ("ricochet", "loderunner", "delirium")]
    tops = [page.get_by_role("link", name=f"Watch {name}").bounding_box() for name in names]
    assert len({box["y"] for box in tops if box is not None}) == 1
    page.get_by_role("link", name="Play Ricochet Robots, in rounds").click()
    expect(page).to_have_url(re.compile("/play/rounds|/play/ricochet"))


def test_pictures_of_the_gallery_are_kept_on_disk(new_page: Callable[..., Page], server: Server) -> None:
    page = new_page("/")
    first = page.request.get("/api/preview/stroll")
    kept = list((server.home / "pictures").glob("stroll-*.json"))
    assert first.ok and len(kept) == 1 and kept[0].read_bytes() == first.body()
    assert page.request.get("/api/preview/stroll?still=true").body() == first.body()


def test_watching_steps_scrubs_and_jumps_without_asking_the_server(new_page: Callable[..., Page]) -> None:
    page = watched(new_page(WALK, apart=True))
    page.context.set_offline(True)
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator(".time")).to_have_text(re.compile(r"^0 / [1-9]"))
    page.get_by_role("button", name="Step", exact=True).click()
    expect_shown(page, 1)
    page.get_by_role("button", name="Step back").click()
    expect_shown(page, 0)
    page.get_by_label("Timeline").fill("2")
    expect_shown(page, 2)
    page.locator("body").press("End")
    expect(page.locator(".verdict")).to_be_visible()
    page.locator("body").press("Home")
    expect_shown(page, 0)
    page.locator("body").press("ArrowRight")
    expect_shown(page, 1)


def test_a_link_leads_to_a_moment_of_a_game_that_is_watched(new_page: Callable[..., Page]) -> None:
    page = new_page(f"{WALK}&t=2")
    expect(page.locator(".time")).to_have_text(re.compile("^2 /"))
    expect_shown(page, 2)


def test_space_plays_and_pauses_and_brackets_change_the_speed(new_page: Callable[..., Page]) -> None:
    page = watched(new_page(WALK))
    page.locator("body").press("Home")
    page.locator("body").press("[")
    page.locator("body").press("[")
    expect(page.get_by_label("Speed")).to_have_value("1")
    page.locator("body").press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.locator("body").press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_two_agents_play_side_by_side_on_the_same_level(new_page: Callable[..., Page]) -> None:
    page = new_page("/watch/stroll?level=short&agents=straight,drunk&nodes=100")
    expect(page.locator(READY)).to_have_count(2)
    expect(page.locator(".verdict:visible")).to_have_count(2)


def test_a_link_with_unknown_names_says_so_and_shows_the_usual(new_page: Callable[..., Page]) -> None:
    page = new_page("/watch/stroll?level=nowhere&agents=straigt&nodes=10")
    expect(page.get_by_text("Stroll has no level “nowhere”")).to_be_visible()
    expect(page.get_by_text("Stroll has no agent “straigt”")).to_be_visible()
    expect(page.locator(READY)).to_be_visible()


def test_a_wrong_wish_is_answered_with_a_sentence(new_page: Callable[..., Page]) -> None:
    page = new_page("/watch/strol")
    expect(page.get_by_text("did you mean stroll")).to_be_visible()
    page.goto("/replay/0123456789")
    expect(page.locator(".badge.problem")).to_contain_text("no stored game '0123456789'")


def test_every_page_fits_a_phone_without_sideways_scrolling(new_page: Callable[..., Page]) -> None:
    page = new_page("/", width=390, height=844, theme="light")
    for path in ("/", "/watch/ricochet?nodes=10", "/replays", "/watch/loderunner?nodes=10"):
        page.goto(path)
        expect(page.locator("#main *").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path


def test_help_opens_on_question_mark_and_closes_on_escape(new_page: Callable[..., Page]) -> None:
    page = new_page("/replays")
    expect(page.get_by_role("heading", name="Replays")).to_be_visible()
    page.locator("body").press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_light_and_dark_are_chosen_by_the_system_and_by_the_button(new_page: Callable[..., Page]) -> None:
    page = new_page("/replays", theme="light")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Light or dark").click()
    expect(root).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(
    ("path", "width"),
    [
        ("/", 1280),
        ("/play/pushem", 1280),
        ("/watch/loderunner", 1280),
        ("/play/nethack", 1024),
        ("/learn/pushem", 390),
        ("/edit/ricochet", 390),
        ("/edit/delirium", 390),
        ("/edit/nethack", 390),
        ("/play/delirium-bd", 390),
        ("/compare", 1280),
    ],
)
def test_a_first_visit_is_light_and_nothing_jumps(new_page: Callable[..., Page], path: str, width: int) -> None:
    if path.endswith("nethack") and catalog.room("nethack").rules.missing() is not None:
        pytest.skip("nle is not installed")
    page = new_page("/api/traces", apart=True, width=width)  # of our own, and without any of our files
    asked: list[int] = []
    page.on("response", lambda answer: asked.append(int(answer.headers.get("content-length", 0))))
    page.add_init_script(SHIFTS)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    if path not in ("/", "/compare"):
        page.wait_for_selector("canvas[data-ready=yes]")
    if path.startswith("/play/"):
        page.wait_for_selector(".turn[data-turn^=mine]")
    assert len(asked) <= MOST_REQUESTS
    assert sum(asked) < MOST_BYTES
    assert page.evaluate("shifted") < MOST_SHIFT
