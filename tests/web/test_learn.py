"""Learning a game on the page: lessons that are done by playing, rules with pictures, cards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from gridsage.games import catalog

GUIDED = [name for name in catalog.BUILT_IN if catalog.room(name).help.guide() is not None]


def test_a_newcomer_does_the_first_lesson_by_keyboard_and_is_led_to_the_next(new_page: Callable[..., Page]) -> None:
    page = new_page("/learn/pushem")
    expect(page.locator(".turn[data-turn=mine-0]")).to_be_visible()
    page.locator(".lesson [role=application]").press("ArrowLeft")  # the wrong way: nobody falls, and the lesson goes on
    expect(page.locator(".lesson-verdict")).to_be_hidden()
    page.get_by_role("button", name="Try this lesson again").click()
    expect(page.locator(".turn[data-turn=mine-0]")).to_be_visible()
    page.locator(".lesson [role=application]").press("ArrowRight")
    expect(page.locator(".lesson-verdict.good")).to_contain_text("the one in front of them fell")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.locator(".task")).to_contain_text("gapless line")


@pytest.mark.parametrize("game", GUIDED)
def test_a_lesson_of_every_game_can_be_shown_to_its_end(new_page: Callable[..., Page], game: str) -> None:
    page = new_page(f"/learn/{game}")
    guide = catalog.room(game).help.guide()
    assert guide is not None
    expect(page.get_by_text(guide.goal)).to_be_visible()
    shortest = min(guide.lessons, key=lambda lesson: len(lesson.actions))  # the contract suite plays all of them
    for number, lesson in enumerate(guide.lessons, 1):
        page.get_by_role("button", name=f"{number}. {lesson.title}").click()
        expect(page.locator(".task")).to_have_text(lesson.text)
        if lesson == shortest:
            page.get_by_role("button", name="Show me").click()
            expect(page.locator(".lesson-verdict.good")).to_contain_text(lesson.done)
    expect(page.get_by_role("link", name="Play a real game").last).to_be_visible()
    expect(page.locator(".rule canvas[data-ready=yes]")).to_have_count(sum(bool(rule.level) for rule in guide.rules))
    expect(page.locator(".playing-card")).to_have_count(len(guide.cards))


def test_a_game_without_a_guide_says_so(new_page: Callable[..., Page]) -> None:
    page = new_page("/learn/stroll")
    expect(page.get_by_text("nobody has written a guide to Stroll yet")).to_be_visible()
