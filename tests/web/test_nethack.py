"""NetHack on the page: the bot with its mind beside the screen, a person's keys, and both in turn."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from gridsage.games import catalog

pytestmark = pytest.mark.skipif(catalog.room("nethack").rules.missing() is not None, reason="nle is not installed")

CELLAR = """MAZE:"cellar",' '
GEOMETRY:center,center
MAP
--------
|......|
|......|
--------
ENDMAP
REGION:(1,1,6,2),lit,"ordinary"
BRANCH:(2,1,2,1),(0,0,0,0)
STAIR:(4,1),down
"""
COLS, ROWS = 40, 24
RUNNER = (25, 20)  # column, row


def hall() -> str:
    """A Lode Runner level of 40 by 24 cells: too many for a phone."""
    wall, floor, air = "W" * COLS, f"W{'F' * (COLS - 2)}W", f"W{'.' * (COLS - 2)}W"
    lines = [wall, *[air, floor] * 9, air, air, wall, wall, wall]
    col, row = RUNNER
    lines[row] = f"W{'.' * (col - 1)}R{'.' * (COLS - col - 4)}BXW"
    return "\n".join(lines) + "\n"


def link(page: str, game: str = "nethack", **query: str) -> str:
    return f"/{page}/{game}?{urlencode(query)}"


def my_move(page: Page, t: int) -> None:
    expect(page.locator(f".turn[data-turn='mine-{t}']")).to_be_visible()


def above(page: Page) -> Locator:
    return page.locator(".term.above")


def question(page: Page) -> Locator:
    return page.locator(".asked")


def css_cell(page: Page) -> float:
    """How tall a cell is on the screen."""
    return float(page.evaluate("() => { const { board } = gridsage.view; return board.tall / devicePixelRatio; }"))


def test_needs_bids_and_memory_are_seen_while_the_bot_plays(new_page: Callable[..., Page]) -> None:
    # It ends before the stairs: on a new level nothing was walked yet, whenever the end is looked at.
    page = new_page(link("watch", level="01_door", seed="1", agents="explorer", **{"o.max_turns": "12"}))
    acting = page.locator(".need[aria-current=true]")
    expect(acting).to_have_count(1)
    expect(acting).to_contain_text(re.compile(r"explore.*acts: see what is beyond row \d+, column \d+"))
    expect(page.locator(".need")).to_have_count(12)
    expect(page.locator(".places li").first).to_contain_text("Dungeons of Doom 1 (here)")
    page.get_by_role("button", name="To the beginning").click()
    map_now = page.locator(".memory-map")
    expect(map_now).to_have_attribute("aria-label", re.compile("edge of the unknown"))
    first = map_now.get_attribute("aria-label")
    assert first is not None
    expect(page.locator("output.time").first).to_have_text(re.compile(r"/ 1\d"))  # enough to have walked
    page.get_by_role("button", name="To the end").click()
    expect(map_now).not_to_have_attribute("aria-label", first)
    expect(map_now).to_have_attribute("aria-label", re.compile(r"walked ([2-9]|\d\d)"))
    page.get_by_role("button", name="To the beginning").click()
    expect(map_now).to_have_attribute("aria-label", first)  # scrubbing shows what was known then


def test_a_kept_game_shows_needs_and_memory_again(new_page: Callable[..., Page]) -> None:
    page = new_page(link("watch", level="01_door", seed="1", **{"o.max_turns": "60"}))
    page.get_by_role("button", name="Save this game").click()
    page.get_by_role("link", name="Open it").click()
    expect(page.locator(".mark.good")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="Step back").click()
    expect(page.locator(".need[aria-current=true]")).to_contain_text("acts:")
    expect(page.locator(".memory-map")).to_have_attribute("aria-label", re.compile(r"walked \d"))


def test_the_screen_is_that_of_a_terminal_in_its_colours(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", level="01_door", seed="1", **{"o.pet": "false"}))
    my_move(page, 0)
    expect(page.locator(".term.below")).to_contain_text("Dlvl:1")
    brown = """() => {
      const canvas = document.querySelector('.stage canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let found = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i] === 0xc0 && data[i + 1] === 0x8a && data[i + 2] === 0x4e) found++;
      }
      return found;
    }"""
    assert page.evaluate(brown) > 0  # the door


def test_a_person_answers_questions_and_types_text(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", seed="3"))
    my_move(page, 0)
    page.keyboard.press("d")
    expect(question(page)).to_contain_text("What do you want to drop?")
    page.get_by_role("button", name="food ration").click()
    expect(above(page)).to_contain_text("You drop")
    page.keyboard.press("Alt+p")
    expect(question(page)).to_contain_text("Are you sure you want to pray?")
    page.keyboard.press("n")
    expect(question(page)).to_be_hidden()
    page.keyboard.press("Control+d")
    expect(question(page)).to_contain_text("In what direction?")
    page.keyboard.press("Escape")
    expect(question(page)).to_be_hidden()
    page.keyboard.type("E-")  # typed ahead: one key goes after the other
    expect(question(page)).to_contain_text("What do you want to write in the dust here?")
    page.keyboard.type("Elbbereth?")
    expect(above(page)).to_contain_text("Elbbereth?")
    for _ in range(len("bereth?")):
        page.keyboard.press("Backspace")
    page.keyboard.type("ereth")
    expect(above(page)).to_contain_text(re.compile("here\\? Elbereth$"))
    page.keyboard.press("Enter")
    expect(question(page)).to_be_hidden()
    page.keyboard.press(":")
    expect(above(page)).to_contain_text(re.compile("Elbereth|Something is written here"))


def test_the_games_own_help_opens_on_the_board_and_the_pages_on_its_button(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", seed="3"))
    my_move(page, 0)
    page.keyboard.press("?")
    expect(question(page)).to_contain_text("A menu is open")
    expect(question(page)).to_contain_text("List of game commands.")
    expect(page.locator("dialog.help:not(.settings)")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(question(page)).to_be_hidden()
    page.get_by_role("button", name="Keys", exact=True).click()
    expect(page.locator("dialog.help:not(.settings)")).to_be_visible()


def test_the_bot_takes_over_in_the_middle_of_a_question_and_gives_back(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", seed="3"))
    my_move(page, 0)
    page.keyboard.press("d")
    expect(question(page)).to_be_visible()
    page.get_by_role("button", name=re.compile("play on from here")).click()
    expect(page.locator(".turn")).to_have_text("survivor plays for you.")
    expect(question(page)).to_be_hidden()
    expect(page.locator(".need[aria-current=true]")).to_contain_text("acts:")
    page.get_by_role("button", name="Give me the game back").click()
    expect(page.locator(".turn[data-turn^='mine']")).to_be_visible()
    turn = page.locator(".turn").get_attribute("data-turn")
    assert turn is not None
    t = int(turn.removeprefix("mine-"))
    assert t > 1
    expect(page.locator("canvas[data-ready=yes]")).to_have_attribute("data-t", str(t))  # what happened is shown
    page.keyboard.press("Escape")
    my_move(page, t + 1)
    page.get_by_role("button", name=re.compile("play on from here")).click()
    expect(page.locator(".turn")).to_have_text("survivor plays for you.")
    page.get_by_role("button", name="Give me the game back").click()
    expect(page.locator(".turn[data-turn^='mine']")).to_be_visible()


def test_a_person_goes_down_the_stairs_of_an_own_level_and_quits(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", text=CELLAR, seed="1", **{"o.pet": "false", "o.spawn_monsters": "false"}))
    my_move(page, 0)
    page.keyboard.type("ll>")
    expect(page.locator(".term.below")).to_contain_text("Dlvl:2")
    page.keyboard.type("#quit")
    page.keyboard.press("Enter")
    expect(question(page)).to_contain_text("Really quit?")
    page.get_by_role("group", name="Really quit?").get_by_role("button", name="yes").click()
    expect(page.locator(".turn")).to_have_text("The game is over.")
    expect(page.locator(".verdict")).to_contain_text("quit")


def test_on_a_phone_the_hero_is_in_sight_in_readable_cells(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", seed="3"), width=390, height=844)
    my_move(page, 0)
    assert css_cell(page) >= 16
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    east = page.get_by_role("button", name="east", exact=True)
    south = page.get_by_role("button", name="south", exact=True)
    expect(south).to_be_in_viewport()  # with the board, without scrolling
    expect(page.locator(".stage canvas")).to_be_in_viewport(ratio=1)
    for t, way in enumerate((south, east)):
        my_move(page, t)
        way.click()
    my_move(page, 2)
    page.get_by_role("button", name="Show the whole board").click()
    assert css_cell(page) < 11
    page.get_by_role("button", name="Follow").click()
    assert css_cell(page) >= 16


def test_a_click_on_a_part_of_a_large_board_hits_the_cell_seen_there(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", "loderunner", text=hall()), width=390, height=844)
    my_move(page, 0)
    expect(page.get_by_role("button", name="Show the whole board")).to_be_visible()
    canvas = page.locator(".stage canvas")
    corner = "() => [gridsage.view.board.at.x, gridsage.view.board.at.y].map((at) => at / devicePixelRatio)"
    for t, (step, word) in enumerate([(1, "right"), (-1, "left"), (-1, "left")]):
        my_move(page, t)
        col = RUNNER[0] + (0, 1, 0)[t] + step
        left, top = page.evaluate(corner)
        assert left > 0  # the board is moved
        size = css_cell(page)
        canvas.click(position={"x": (col + 0.5) * size - left, "y": (RUNNER[1] + 0.5) * size - top})
        my_move(page, t + 1)
        expect(page.locator(".figures")).to_contain_text(re.compile(f"last move{word}"))


def test_f2_shows_pictures_instead_of_characters_and_that_is_remembered(new_page: Callable[..., Page]) -> None:
    page = new_page(link("play", text=CELLAR), apart=True)
    my_move(page, 0)
    drawn = "document.querySelector('canvas[role=application]').toDataURL()"
    characters = page.evaluate(drawn)
    page.keyboard.press("F2")
    expect(page.get_by_role("button", name="Characters")).to_be_visible()
    assert page.evaluate("gridsage.view.board.wide === gridsage.view.board.tall")  # a picture is square
    assert page.evaluate(drawn) != characters
    page.reload()
    my_move(page, 0)
    expect(page.get_by_role("button", name="Characters")).to_be_visible()
    page.keyboard.press("F2")
    expect(page.get_by_role("button", name="Pictures")).to_be_visible()
    assert page.evaluate("gridsage.view.board.wide < gridsage.view.board.tall")
