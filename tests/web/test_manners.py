"""Languages, looks and sounds as visitors meet them: chosen, remembered, and never in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from gridsage.pictures import sprites
from gridsage.web import assets, texts
from web.boards import ONE_ROBOT
from web.conftest import PATIENCE_MS
from web.page_server import Server

PHONE = {"width": 390, "height": 844}
PAGES = [
    "/",
    "/play/pushem",
    "/play/ricochet-rounds",
    "/edit/ricochet",
    "/learn/pushem",
    "/compare",
    "/replays",
    "/daily",
]
MISSION = f"/play/ricochet?{urlencode({'text': ONE_ROBOT})}"
# Everything that is wider than its place, or than the screen, and cannot be scrolled to.
TOO_WIDE = """() => {
  for (const box of document.querySelectorAll('details')) box.open = true;
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`page ${document.documentElement.scrollWidth}`);
  for (const element of document.querySelectorAll('main *, header *')) {
    const { overflowX, display } = getComputedStyle(element);
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const silent = element.matches('.only-heard, option, textarea, pre');
    if (!own || silent || display === 'none' || !element.clientWidth) continue;
    const scrolls = element.closest('.table-box, pre, textarea') || ['auto', 'scroll'].includes(overflowX);
    const wide = element.scrollWidth > element.clientWidth + 1;
    if (!scrolls && wide) found.push(`${element.className}: ${element.textContent}`);
  }
  return found;
}"""
# All texts of a language, as a notice, a note and a button: the longest words decide.
EVERY_TEXT = """(words) => {
  const box = document.createElement('div');
  box.className = 'panel';
  document.querySelector('main').append(box);
  const found = [];
  for (const text of words)
    for (const [tag, kind] of [['div', 'notice'], ['p', 'note'], ['button', 'button small'], ['h1', 'small']]) {
      const element = document.createElement(tag);
      element.className = kind;
      element.textContent = text;
      box.replaceChildren(element);
      const { right } = element.getBoundingClientRect();
      if (element.scrollWidth > element.clientWidth + 1 || right > innerWidth) found.push(`${tag}: ${text}`);
    }
  box.remove();
  return found;
}"""
COUNT_SPEAKERS = """() => {
  const Real = window.AudioContext;
  window.speakers = 0;
  window.tones = 0;
  window.AudioContext = class extends Real {
    constructor() { super(); window.speakers += 1; }
    createOscillator() { window.tones += 1; return super.createOscillator(); }
  };
}"""


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Opens pages as somebody with a browser of their own; an error in the page's scripts fails the test."""
    with contexts(browser, server) as open_page:
        yield open_page


@contextmanager
def contexts(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    opened = []
    complaints: list[str] = []

    def open_page(path: str, *, script: str = "", **more: object) -> Page:
        context = browser.new_context(base_url=server.address, **more)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        opened.append(context)
        page = context.new_page()
        if script:
            page.add_init_script(f"({script})()")
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    expect.set_options(timeout=PATIENCE_MS)
    yield open_page
    for context in opened:
        context.close()
    assert complaints == []


def test_no_page_is_too_wide_for_a_phone_in_french(visitor: Callable[..., Page]) -> None:
    page = visitor("/help", locale="fr-FR", viewport=PHONE)
    found = {"all": page.evaluate(EVERY_TEXT, sorted(texts.of_page("fr").values(), key=len, reverse=True))}
    for path in PAGES:
        page.goto(path)
        page.wait_for_selector("#main h1")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        found[path] = page.evaluate(TOO_WIDE)
    assert {path: wide for path, wide in found.items() if wide} == {}


def test_the_browser_chooses_a_language_and_the_visitor_another(visitor: Callable[..., Page]) -> None:
    page = visitor("/", locale="fr-CA")
    expect(page.get_by_role("link", name="Comparer")).to_be_visible()
    page.get_by_role("button", name="Réglages").click()
    page.get_by_label("Langue").select_option("English")
    expect(page.get_by_role("link", name="Compare")).to_be_visible()
    page.goto("/learn/ricochet")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".goal")).to_contain_text("Slide the robots")


def test_a_game_is_played_in_french_to_its_end(visitor: Callable[..., Page]) -> None:
    page = visitor(MISSION, locale="fr-FR")
    expect(page.locator(".turn[data-turn=mine-0]")).to_have_text("À vous de jouer. But\u00a0: cercle rouge.")
    page.locator("body").press("r")
    page.locator("body").press("ArrowUp")
    expect(page.locator(".notices")).to_be_empty()
    for t, key in enumerate(["ArrowRight", "ArrowDown"], 1):
        page.locator("body").press("r")
        page.locator("body").press(key)
        expect(page.locator(f".turn[data-turn=mine-{t}], .turn[data-turn=over]")).to_be_visible()
    expect(page.locator(".ending")).to_contain_text("Vous avez gagné\u00a0!")
    expect(page.locator(".ending")).to_contain_text("Résolu, après 2 pas.")
    expect(page.locator(".history-list")).to_contain_text("1 rouge à droite")


def test_an_error_of_the_server_is_told_in_french_and_marked_in_place(visitor: Callable[..., Page]) -> None:
    page = visitor("/edit/loderunner", locale="fr-FR")
    expect(page.locator(".mark.good")).to_contain_text("Niveau valide")
    area = page.get_by_label("Le niveau en texte")
    area.fill("WWWW\nWRXW\nWWW\n")
    expect(page.locator(".mark.bad")).to_contain_text("la ligne 3 a 3 cases, on en attend 4")
    expect(area).to_have_attribute("aria-invalid", "true")


def test_nothing_can_make_a_sound_until_somebody_wants_it(visitor: Callable[..., Page]) -> None:
    page = visitor(MISSION, script=COUNT_SPEAKERS)
    move(page, 0, "ArrowRight")
    assert page.evaluate("window.speakers") == 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").check()
    assert page.evaluate("window.speakers") == 1
    page.get_by_role("button", name="Close").click()
    heard = page.evaluate("window.tones")
    move(page, 1, "ArrowLeft")
    page.wait_for_function("before => window.tones > before", arg=heard)
    page.reload()
    assert page.evaluate("window.speakers") == 0  # remembered, and made when it is needed
    move(page, 0, "ArrowRight")
    page.wait_for_function("window.speakers === 1")


def test_less_motion_is_less_sound_unless_it_is_wanted_there(visitor: Callable[..., Page]) -> None:
    page = visitor(MISSION, script=COUNT_SPEAKERS, reduced_motion="reduce")
    page.evaluate("localStorage.setItem('gridsage-sounds', 'on')")
    page.reload()
    move(page, 0, "ArrowRight")
    assert page.evaluate("window.speakers") == 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").check()
    assert page.evaluate("window.speakers") == 1


def move(page: Page, t: int, key: str) -> None:
    expect(page.locator(f".turn[data-turn=mine-{t}]")).to_be_visible()
    page.locator("body").press("r")
    page.locator("body").press(key)
    expect(page.locator(f".turn[data-turn=mine-{t + 1}]")).to_be_visible()


def test_boards_look_as_chosen_and_stay_so(visitor: Callable[..., Page]) -> None:
    page = visitor(MISSION)
    expect(page.locator(".turn[data-turn=mine-0]")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    for words, name in (("old terminal", "terminal"), ("ink on paper", "paper")):
        page.get_by_label("Look of the boards").select_option(words)
        page.wait_for_function(HAS_COLOUR, arg=sprites.data().palettes[name]["floor"])
    page.reload()
    page.wait_for_function(HAS_COLOUR, arg=sprites.data().palettes["paper"]["floor"])


HAS_COLOUR = """(colour) => {
  const canvas = document.querySelector('.stage canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  for (let i = 0; i < data.length; i += 4) if (wanted.every((part, at) => data[i + at] === part)) return true;
  return false;
}"""


def test_the_settings_offer_every_palette_and_all_have_the_same_colours() -> None:
    palettes = sprites.data().palettes
    script = (assets.STATIC / "settings.js").read_text(encoding="utf-8")
    offered = msgspec.json.decode(script.partition("BOARDS = ")[2].partition(";")[0].replace("'", '"'))
    assert ["dark", "light", *offered] == list(palettes)
    assert all(list(palette) == list(palettes["dark"]) for palette in palettes.values())
    assert {f"board_{name}" for name in offered} <= set(texts.of_page(texts.FIRST))
