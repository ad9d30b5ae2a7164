"""Whole games played by keyboard from the position in words alone, as somebody does who cannot see the board."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from gridsage.games import catalog
from web.boards import ONE_ROBOT

CORRIDOR = "WWWWWWW\nWR.B.XW\nWWWWWWW\n"
MINE = "diamonds: 1\ntime: 50\n######\n#@.dX#\n######\n"
ON_THE_EDGE = "........\n" * 3 + "......xo\n" + "........\n" * 4
ROOF = "\n".join(["....S.......................", "..&$S.......................", "#" * 28, *["." * 28] * 13]) + "\n"
CAVE = """[cave]
Name=A corner
Size=6 3
DiamondsRequired=1
CaveTime=60
[map]
WWWWWW
WP.dXW
WWWWWW
[/map]
[/cave]
"""
CHAMBER = """MAZE:"lesson",' '
GEOMETRY:center,center
MAP
-------
|.....|
|.....|
|.....|
-------
ENDMAP
REGION:(1,1,5,3),lit,"ordinary"
BRANCH:(2,2,2,2),(0,0,0,0)
STAIR:(5,2),down
"""
MOST_MOVES = 60


def square(words: str, what: str) -> tuple[int, int] | None:
    """Return the row and the column of the first thing of that name, or None if there is none."""
    found = re.search(rf", {what}: row (\d+) columns? (\d+)", words)
    return None if found is None else (int(found[1]), int(found[2]))


def towards(here: tuple[int, int], there: tuple[int, int]) -> str:
    if there[0] != here[0]:
        return "ArrowDown" if there[0] > here[0] else "ArrowUp"
    return "ArrowRight" if there[1] > here[1] else "ArrowLeft"


def ricochet(words: str) -> list[str]:
    here, there = square(words, "robot red"), square(words, "target red circle")
    assert here is not None and there is not None
    return ["r", towards(here, there)]


def collector(who: str, wanted: str, door: str) -> Callable[[str], list[str]]:
    """Return a player that walks to what is wanted, and to the door when nothing is left."""

    def play(words: str) -> list[str]:
        here, there = square(words, who), square(words, wanted) or square(words, door)
        assert here is not None and there is not None
        return [towards(here, there)]

    return play


def pushem(words: str) -> list[str]:
    if "choose: a card" in words:
        return ["Enter"]
    own, enemy = (re.search(rf"On the board, {side}: ([a-h])([1-8])", words) for side in ("first", "second"))
    assert own is not None and enemy is not None and own[2] == enemy[2]
    return ["ArrowRight" if enemy[1] > own[1] else "ArrowLeft"]


def rounds() -> Callable[[str], list[str]]:
    """Return a player that claims two moves, lets the sand run, and shows them."""
    said = iter(["2", "w", "t"])

    def play(words: str) -> list[str]:
        return ricochet(words) if "phase: showing" in words else [next(said)]

    return play


def cave(words: str) -> list[str]:
    if square(words, "Rockford") is None:
        return ["."]  # he is not born yet
    return collector("Rockford", "diamond", "(?:open )?exit")(words)


def classic(words: str) -> list[str]:
    here, ladder = square(words, "runner"), square(words, "ladder")  # it appears with the last piece of gold
    assert here is not None
    return ["ArrowUp" if ladder and here[1] == ladder[1] else "ArrowRight"]


def nethack(words: str) -> list[str]:
    here, stairs = square(words, r"white @"), square(words, r"grey >")
    assert here is not None
    return [towards(here, stairs)] if stairs else [">"]  # whoever stands on the stairs hides them


# A level, a player, and what the last words or the end say.
PLAYERS: dict[str, tuple[str, Callable[[str], list[str]], str]] = {
    "ricochet": (ONE_ROBOT, ricochet, "You won!"),
    "ricochet-rounds": (ONE_ROBOT, rounds(), "Match over"),
    "loderunner": (CORRIDOR, collector("runner", "bonus", "(?:open )?exit"), "You won!"),
    "loderunner-classic": (ROOF, classic, "You won!"),
    "delirium": (MINE, collector("miner", "diamond", "(?:open )?exit"), "You won!"),
    "delirium-bd": (CAVE, cave, "You won!"),
    "pushem": (ON_THE_EDGE, pushem, "You won!"),
    "nethack": (CHAMBER, nethack, "level: 2"),
}
QUERIES = {
    "pushem": {"agents": "human,random", "nodes": "1"},
    "ricochet-rounds": {"agents": "human", "o.players": "1", "o.rounds": "1"},
}


@pytest.mark.parametrize("game", list(PLAYERS))
def test_a_game_is_won_by_keyboard_from_its_words_alone(new_page: Callable[..., Page], game: str) -> None:
    if (lacking := catalog.room(game).rules.missing()) is not None:
        pytest.skip(lacking)
    level, player, end = PLAYERS[game]
    page = new_page(f"/play/{game}?{urlencode({'text': level} | QUERIES.get(game, {}))}")
    expect(page.locator(".turn[data-turn=mine-0]")).to_be_visible()
    if catalog.room(game).view.real_time is not None:
        page.get_by_label("Pace").select_option("turn by turn")
    place = page.locator("canvas[role=application]")
    place.press("F4")
    for t in range(MOST_MOVES):
        told = page.locator(f".description .words[data-t='{t}']")
        expect(told).to_be_visible()
        expect(page.locator("#live-line")).to_contain_text("The board has")
        words = told.inner_text()
        if end in words:
            return
        for key in player(words):
            place.press(key)
        expect(page.locator(f".turn[data-turn=mine-{t + 1}], .turn[data-turn=over]")).to_be_visible()
        if page.locator(".turn[data-turn=over]").is_visible():
            break
    expect(page.locator(".ending")).to_contain_text(end)


def test_the_words_say_no_more_than_the_player_sees_and_close_again(new_page: Callable[..., Page]) -> None:
    page = new_page("/play/stroll")
    expect(page.locator(".turn[data-turn=mine-0]")).to_be_visible()
    page.locator("body").press("F4")
    expect(page.locator(".description .words")).to_contain_text("The board has")
    page.locator("body").press("F4")
    expect(page.locator(".description")).to_be_hidden()


def test_after_a_game_its_mistakes_are_listed_with_a_better_line(new_page: Callable[..., Page]) -> None:
    page = new_page(f"/play/ricochet?{urlencode({'text': ONE_ROBOT})}")
    for t, key in enumerate(["ArrowRight", "ArrowLeft", "ArrowRight", "ArrowDown"]):
        expect(page.locator(f".turn[data-turn=mine-{t}]")).to_be_visible()
        page.locator("body").press("r")
        page.locator("body").press(key)
    page.get_by_role("button", name="Your mistakes").click()
    expect(page.locator(".mistakes .note").first).to_contain_text("would have done better")
    expect(page.locator(".mistake-words").first).to_contain_text("Move 2: red left. Better: red down")
    expect(page.locator(".history-list .step.mistake")).to_have_count(page.locator(".mistake-words").count())
    page.locator(".mistake-words").first.click()
    expect(page.locator("canvas[data-ready=yes]").first).to_have_attribute("data-t", "1")
    page.locator(".mistakes .line .step").first.click()
    expect(page.locator("canvas[data-ready=yes]").first).to_have_attribute("data-line", "1")
