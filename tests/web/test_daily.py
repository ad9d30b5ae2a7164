"""The puzzle of the day on the page: solved, counted, told to others; and the days themselves."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gridsage.core.errors import LevelError, UnknownName
from gridsage.games import catalog, daily
from gridsage.web import days, levels, messages

MONDAY = datetime.date(2026, 11, 16)
ARROWS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}


def test_every_week_goes_from_easy_to_hard_and_begins_on_a_monday() -> None:
    year = daily.year()
    assert year.first.weekday() == 0
    for puzzles in year.rooms.values():
        assert puzzles and len(puzzles) % 7 == 0
        weeks = [[one.best for one in puzzles[at : at + 7]] for at in range(0, len(puzzles), 7)]
        assert all(week == sorted(week) for week in weeks)


def test_a_day_has_one_puzzle_before_and_after_the_year_too() -> None:
    for game in daily.games():
        length = len(daily.year().rooms[game])
        for day in (MONDAY, MONDAY + datetime.timedelta(days=3)):
            later = day + datetime.timedelta(days=length)
            earlier = day - datetime.timedelta(days=length)
            assert daily.puzzle(game, day) == daily.puzzle(game, later) == daily.puzzle(game, earlier)
    assert daily.puzzle("ricochet", MONDAY) != daily.puzzle("ricochet", MONDAY + datetime.timedelta(days=1))


@pytest.mark.parametrize("game", ["ricochet", "delirium"])
def test_a_sample_of_days_is_made_again_and_won(game: str) -> None:
    room = catalog.ready_room(game)
    for number in (0, 6):
        day = MONDAY + datetime.timedelta(days=number)
        found = daily.level(room, day)
        assert found.name == f"daily/{day}"
        assert room.levels.check is not None
        report = room.levels.check(found.text, catalog.options(room, {}), 20.0)
        assert report.verdict == "won"
        assert len(report.plan) <= daily.puzzle(game, day).best


def test_a_puzzle_that_is_not_the_proved_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = daily.Puzzle(1, 3, "00000000")
    monkeypatch.setattr(daily, "year", lambda: daily.Year(1, MONDAY, {"ricochet": [wrong] * 7}))
    with pytest.raises(LevelError, match="the generator has changed"):
        daily.level(catalog.room("ricochet"), MONDAY)


@pytest.mark.parametrize("name", ["daily/yesterday", "daily/2026-13-01", "daily/", "daily/20261116"])
def test_a_day_that_is_none_is_refused_in_words(name: str) -> None:
    with pytest.raises(LevelError, match="named by its date"):
        levels.daily_of(name)
    assert days.of_room("ricochet", name) is None


def test_a_game_without_puzzles_says_which_have_them() -> None:
    with pytest.raises(UnknownName, match="these have: ricochet"):
        daily.puzzle("ricochet-rounds", MONDAY)


def test_the_calendar_shows_whole_weeks_up_to_today() -> None:
    told = days.told(datetime.date(2026, 11, 18))
    assert told["dates"] == [f"2026-10-{day}" for day in range(26, 32)] + [f"2026-11-{day:02}" for day in range(1, 19)]
    assert told["today"] == "2026-11-18"


def test_a_day_is_played_with_the_same_chance_by_everybody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    room = catalog.room("ricochet")
    level = room.levels.of_seed(5).text if room.levels.of_seed is not None else ""
    puzzle = daily.Puzzle(5, 3, daily.digest(level), chance=77)
    monkeypatch.setattr(daily, "year", lambda: daily.Year(1, MONDAY, {"ricochet": [puzzle] * 7}))
    wish = messages.Play("ricochet", level="daily/2026-11-17", seed=99, agents=["human"])
    episode = levels.episode(room, wish, tmp_path)
    assert (episode.seed, episode.level, episode.level_name) == (77, level, "daily/2026-11-17")


def test_today_is_solved_and_stays_solved_in_this_browser(new_page: Callable[..., Page]) -> None:
    room, today = catalog.ready_room("ricochet"), days.today()
    found = daily.level(room, today)
    assert room.levels.check is not None
    plan = room.levels.check(found.text, catalog.options(room, {}), 20.0).plan
    page = new_page("/daily", width=390, height=844)
    card = page.get_by_role("region", name="Ricochet Robots", exact=True)
    expect(card).to_contain_text("Your streak: 0 days.")
    card.get_by_role("link", name="Play today's").click()
    for t, action in enumerate(plan):
        expect(page.locator(f".turn[data-turn='mine-{t}']")).to_be_visible()
        robot, way = room.rules.game().label(action).split()
        page.locator("body").press(robot[0])
        page.locator("body").press(ARROWS[way])
    line = re.compile(rf"Ricochet Robots {today}: {len(plan)} moves?, best {len(plan)}$")
    expect(page.locator(".ending .daily-result span").first).to_have_text(line)
    page.goto("/daily")
    expect(card).to_contain_text("Your streak: 1 day.")
    expect(card.locator(".calendar a.solved")).to_have_count(1)


def test_the_game_of_the_day_tells_who_got_further(new_page: Callable[..., Page]) -> None:
    if catalog.room("nethack").rules.missing() is not None:
        pytest.skip("needs NetHack")
    page = new_page("/daily", width=390, height=844)
    card = page.get_by_role("region", name="NetHack")
    expect(card.locator("dd")).to_have_text(["not played yet", "not played yet"])
    page.goto(f"/watch/nethack?seed={days.today():%Y%m%d}&agents=survivor")
    expect(page.locator("canvas[data-t]")).to_be_visible()
    page.evaluate("view => view.hear({ m: 'end', reason: 'killed' })", page.evaluate_handle("gridsage.views[0]"))
    page.goto(f"/play/nethack?seed={days.today():%Y%m%d}")
    board = page.locator("canvas[role='application']")
    expect(page.locator(".turn[data-turn^='mine']")).to_be_visible()
    board.focus()
    for key in ("#", "q", "u", "i", "t", "Enter", "y"):
        board.press(key)
    # How deep the survivor came before it was ended depends on the day and on the machine.
    expect(page.locator(".ending .daily-result")).to_contain_text(re.compile(r": level 1, survivor \d"))
    page.goto("/daily")
    expect(card.locator("dd")).to_have_text(["level 1", re.compile(r"^level \d+$")])


def test_today_in_rounds_is_against_the_best_agent(new_page: Callable[..., Page]) -> None:
    page = new_page("/daily")
    card = page.get_by_role("region", name="Ricochet Robots, in rounds")
    expect(card).to_contain_text("Today's game against master is the same for everybody.")
    card.get_by_role("link", name="Play today's").click()
    expect(page.locator("canvas[role='application']")).to_be_visible()
    assert f"seed={days.today():%Y%m%d}" in page.url and "human%2Cmaster" in page.url
