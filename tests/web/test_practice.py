"""Puzzles with ratings: proved, in order, served near one's own rating, which is kept in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gridsage.arena import executors
from gridsage.core.errors import LevelError, UnknownName
from gridsage.games import catalog, daily, rated
from gridsage.web import days, levels, messages

ARROWS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
COUNT = 200


@pytest.mark.parametrize("game", ["ricochet", "loderunner", "delirium", "pushem"])
def test_a_room_has_200_different_puzzles_from_easy_to_hard(game: str) -> None:
    found = rated.of_game(game)
    assert len(found) == len({one.digest for one in found}) == COUNT
    ratings = [one.rating for one in found]
    assert ratings == sorted(ratings)
    assert ratings[0] == rated.LOWEST and ratings[-1] > rated.HIGHEST - 100


def test_equal_difficulties_have_equal_ratings() -> None:
    assert rated.rated([1.0, 2.0, 2.0, 4.0]) == [600, 1200, 1200, 2400]
    assert rated.rated([5.0]) == [600]


@pytest.mark.parametrize(("game", "number"), [("ricochet", 1), ("ricochet", COUNT), ("loderunner", 3), ("delirium", 2)])
def test_a_sample_of_puzzles_is_made_again_and_won(game: str, number: int) -> None:
    room = catalog.ready_room(game)
    level = rated.level(room, number)
    assert level.name == f"puzzle/{number}"
    assert room.levels.check is not None
    report = room.levels.check(level.text, catalog.options(room, {}), 20.0)
    assert report.verdict == "won"


def test_a_puzzle_of_push_em_all_is_won_against_the_master(tmp_path: Path) -> None:
    room = catalog.ready_room("pushem")
    wish = messages.Play("pushem", level="puzzle/2", agents=["master", "master"], nodes=300_000)
    (result,) = executors.run([levels.episode(room, wish, tmp_path)])
    trace, game = result.trace, room.rules.game()
    assert trace.outcome.winner == 0
    states = [game.start(game.parse(trace.level), catalog.options(room, {}), trace.seed)]
    for action in trace.actions:
        states.append(game.step(states[-1], action))
    seats = [game.seat(state) for state in states[:-1]]
    turns = sum(seat == 0 and before != 0 for before, seat in zip([1, *seats], seats, strict=False))
    assert turns <= rated.puzzle("pushem", 2).best


@pytest.mark.parametrize("name", ["puzzle/", "puzzle/x", "puzzle/-1", "puzzle/1e3", "puzzle/٣", "puzzle/99999"])
def test_a_puzzle_that_is_none_is_refused_in_words(name: str) -> None:
    with pytest.raises(LevelError, match="named by its number"):
        levels.puzzle_of(name)
    assert days.practice("ricochet", name) is None


def test_numbers_and_games_without_a_puzzle_say_which_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (0, COUNT + 1):
        with pytest.raises(LevelError, match=f"numbered 1 to {COUNT}, not {number}"):
            rated.puzzle("ricochet", number)
    with pytest.raises(UnknownName, match="nethack has no puzzles; these have: "):
        rated.puzzle("nethack", 1)
    monkeypatch.setattr(daily, "digest", lambda text: "00000000")
    with pytest.raises(LevelError, match="the generator has changed"):
        rated.level(catalog.room("ricochet"), 1)


def test_a_puzzle_is_played_with_the_same_chance_by_everybody(tmp_path: Path) -> None:
    room, puzzle = catalog.room("delirium"), rated.puzzle("delirium", 1)
    wish = messages.Play("delirium", level="puzzle/1", seed=99, agents=["human"])
    episode = levels.episode(room, wish, tmp_path)
    assert episode.seed == puzzle.chance and daily.digest(episode.level) == puzzle.digest


def test_a_solved_puzzle_raises_ones_rating_and_another_one_is_next(new_page: Callable[..., Page]) -> None:
    room = catalog.ready_room("ricochet")
    page = new_page("/daily", width=390, height=844)
    card = page.get_by_role("region", name="Ricochet Robots", exact=True)
    expect(card).to_contain_text("Your rating: 1000. Solved: 0 of 200 puzzles.")
    card.get_by_role("link", name="Play a puzzle near your rating").click()
    page.wait_for_url(re.compile("puzzle"))
    number = int(re.findall(r"puzzle(?:/|%2F)(\d+)", page.url)[0])
    assert abs(rated.puzzle("ricochet", number).rating - 1000) < 30
    assert room.levels.check is not None
    plan = room.levels.check(rated.level(room, number).text, catalog.options(room, {}), 20.0).plan
    for t, action in enumerate(plan):
        expect(page.locator(f".turn[data-turn='mine-{t}']")).to_be_visible()
        robot, way = room.rules.game().label(action).split()
        page.locator("body").press(robot[0])
        page.locator("body").press(ARROWS[way])
    ending = page.locator(".ending")
    expect(ending).to_contain_text(
        re.compile(rf"Puzzle {number}, rated \d+, is solved. Your rating is 10\d\d \(\+2\d\)")
    )
    following = ending.get_by_role("link", name="Next puzzle").get_attribute("href") or ""
    assert f"%2F{number}" not in following and "puzzle%2F" in following
    page.goto("/daily")
    expect(card).to_contain_text("Solved: 1 of 200 puzzles.")
