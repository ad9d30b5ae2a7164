"""People play: a whole round or game of each room, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from gridsage.arena import match, tournament
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog
from web.boards import ONE_ROBOT

CORRIDOR = "WWWWWWW\nWR.B.XW\nWWWWWWW\n"
MINE = "diamonds: 1\ntime: 50\n######\n#@.dX#\n######\n"
ON_THE_EDGE = "........\n" * 3 + "......xo\n" + "........\n" * 4


def link(game: str, **query: str) -> str:
    return f"/play/{game}?{urlencode(query)}"


def my_move(page: Page, t: int) -> None:
    expect(page.locator(f".turn[data-turn='mine-{t}']")).to_be_visible()


def canvas(page: Page) -> Locator:
    return page.locator("canvas[data-ready=yes]").first


def click_cell(page: Page, cell: int, rows: int, cols: int) -> None:
    board = canvas(page)
    box = board.bounding_box()
    assert box is not None
    row, col = divmod(cell, cols)
    board.click(position={"x": box["width"] * (col + 0.5) / cols, "y": box["height"] * (row + 0.5) / rows})


def winning_labels(game: str, level: str) -> list[str]:
    """The moves that win a shipped level, as the room's own solver finds them."""
    room = catalog.room(game)
    assert room.levels.check is not None
    report = room.levels.check(room.levels.text(level), catalog.options(room, {}), 10.0)
    assert report.verdict == "won"
    return [room.rules.game().label(action) for action in report.plan]


def play_keys(page: Page, keys: list[str]) -> None:
    """Press one key after the other, each when it is the person's turn."""
    for t, key in enumerate(keys):
        my_move(page, t)
        page.locator("body").press(key)


def test_ricochet_is_played_by_keys_with_hint_and_take_back(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", text=ONE_ROBOT))
    my_move(page, 0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint p")).to_have_text(["It takes 2 moves."])
    page.get_by_role("button", name="Tell me more").click()
    expect(page.locator(".hint p")).to_have_text(["It takes 2 moves.", "Only red has to move."])
    page.locator("body").press("r")
    page.locator("body").press("ArrowDown")
    my_move(page, 1)
    page.get_by_role("button", name="Undo").click()
    my_move(page, 0)
    page.locator("body").press("ArrowRight")
    my_move(page, 1)
    page.locator("body").press("ArrowDown")
    expect(page.locator(".verdict")).to_have_text(re.compile("^solved · 2 steps"))
    expect(page.locator(".turn")).to_have_text("The game is over.")


def test_ricochet_is_played_by_clicks(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", text=ONE_ROBOT))
    for t, cell in enumerate([2, 8]):
        my_move(page, t)
        click_cell(page, cell, 3, 3)
    expect(page.locator(".verdict.good")).to_be_visible()


def test_ricochet_is_played_by_swipes(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", text=ONE_ROBOT), width=390, height=844)
    my_move(page, 0)
    box = canvas(page).bounding_box()
    assert box is not None
    third = box["width"] / 3
    for t, (start, end) in enumerate([((0.5, 0.5), (1.5, 0.5)), ((2.5, 0.5), (2.5, 1.5))]):
        my_move(page, t)
        page.mouse.move(box["x"] + third * start[0], box["y"] + third * start[1])
        page.mouse.down()
        page.mouse.move(box["x"] + third * end[0], box["y"] + third * end[1], steps=3)
        page.mouse.up()
    expect(page.locator(".verdict.good")).to_be_visible()


def test_all_best_solutions_are_shown_after_the_mission(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", text=ONE_ROBOT))
    my_move(page, 0)
    expect(page.get_by_role("button", name="Show the best solutions")).to_be_hidden()
    page.get_by_role("button", name="give up").click()
    page.get_by_role("button", name="Show the best solutions").click()
    expect(page.locator(".hint")).to_contain_text("There are 2 best solutions, of 2 moves each.")
    expect(page.get_by_role("group", name=re.compile("^Solution "))).to_have_count(2)
    page.get_by_role("group", name="Solution 2").get_by_role("button").last.click()
    expect(canvas(page)).to_have_attribute("data-line", "2")
    expect(page.get_by_text("Looking ahead: 2 of 2")).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    expect(page.get_by_text("Looking ahead")).to_be_hidden()


def test_a_link_leads_to_the_position_that_is_shown(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", text=ONE_ROBOT), apart=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    my_move(page, 0)
    page.locator("body").press("r")
    page.locator("body").press("ArrowRight")
    my_move(page, 1)
    page.get_by_role("button", name="Link to this position").click()
    expect(page.get_by_text("The link is in the clipboard.")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    my_move(page, 0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint p")).to_have_text("It takes 1 move.")


def test_the_mission_of_the_day_is_the_same_for_all(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", level="", seed="7"))
    my_move(page, 0)
    page.get_by_role("button", name="Game of the day").click()
    expect(page).to_have_url(re.compile(r"level=daily%2F20\d\d-\d\d-\d\d"))
    my_move(page, 0)


def test_a_round_with_claims_and_the_hourglass(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet-rounds", text=ONE_ROBOT, agents="human,human", **{"o.rounds": "1"}))
    my_move(page, 0)
    page.get_by_label("Moves", exact=True).fill("3")
    page.get_by_role("button", name="Player 2 claims").click()
    expect(page.locator(".sand")).to_contain_text("seconds left")
    page.get_by_label("Moves", exact=True).fill("2")
    page.get_by_role("button", name="Player 1 claims").click()
    expect(page.locator(".status")).to_contain_text("player 1: 2")
    page.get_by_role("button", name="Nothing to add").click()
    expect(page.locator(".status")).to_contain_text("showing")
    for key in ("r", "ArrowRight"):
        page.locator("body").press(key)
    expect(page.locator(".status")).to_contain_text("1 of 2")
    page.get_by_role("button", name="reset").click()
    expect(page.locator(".status")).to_contain_text("0 of 2")
    for key in ("r", "ArrowDown"):
        page.locator("body").press(key)
    expect(page.locator(".status")).to_contain_text("1 of 2")
    page.locator("body").press("ArrowRight")
    expect(page.locator(".verdict")).to_contain_text("match over")
    expect(page.locator(".status")).to_contain_text("1 : 0")
    page.get_by_role("button", name="Show the best solutions of round 1").click()
    expect(page.locator(".hint")).to_contain_text("There are 2 best solutions")


def test_an_opponent_speaks_when_its_time_has_come_and_the_sand_ends_the_round(new_page: Callable[..., Page]) -> None:
    page = new_page("/replays", apart=True)
    page.clock.install()
    page.goto(link("ricochet-rounds", text=ONE_ROBOT, agents="human,master", nodes="1000", **{"o.rounds": "1"}))
    my_move(page, 0)
    expect(page.locator(".sand")).to_contain_text("Opponents think: 30 seconds left")
    page.clock.run_for(31_000)
    expect(page.locator(".status")).to_contain_text("player 2: 2")
    expect(page.locator(".sand")).to_have_text(re.compile(r"^\d+ seconds left"))
    page.clock.run_for(61_000)
    expect(page.locator(".turn")).to_have_text("The game is over.")
    page.clock.run_for(3_000)
    expect(page.locator(".status")).to_contain_text("0 : 1")


@pytest.mark.parametrize(("game", "level"), [("loderunner", 0), ("delirium", 0)])
def test_a_whole_shipped_level_is_played_by_keys(new_page: Callable[..., Page], game: str, level: int) -> None:
    room = catalog.room(game)
    name = room.levels.names()[level]
    arrows = {way.removeprefix("Arrow").lower(): way for way in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")}
    keys = {label: arrows.get(key, key) for key, label in room.view.keys.items() if len(key) == 1 or key in arrows}
    keys |= {label: key for key, label in room.view.keys.items() if key.startswith("Arrow")}
    page = new_page(link(game, level=name))
    play_keys(page, [keys[label] for label in winning_labels(game, name)])
    expect(page.locator(".verdict.good")).to_be_visible()
    page.get_by_role("button", name="Save this game").click()
    replay = page.get_by_role("link", name="Open it").get_attribute("href")
    page.get_by_role("button", name="Next level").click()
    expect(page).to_have_url(re.compile(f"level={room.levels.names()[level + 1]}"))
    my_move(page, 0)
    page.goto(str(replay))
    expect(page.locator(".mark.good")).to_contain_text("Verified")


def test_delirium_is_played_by_touching_the_pad_on_a_phone(new_page: Callable[..., Page]) -> None:
    page = new_page(link("delirium", text=MINE), width=390, height=844)
    for t in range(3):
        my_move(page, t)
        page.get_by_role("button", name="Right", exact=True).click()
    expect(page.locator(".verdict.good")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(("game", "text"), [("loderunner", CORRIDOR), ("delirium", MINE)])
def test_time_runs_at_a_chosen_pace_and_a_held_key_goes_on(new_page: Callable[..., Page], game: str, text: str) -> None:
    page = new_page(link(game, text=text))
    my_move(page, 0)
    page.get_by_label("Pace").select_option("12 per second")
    expect(page.locator(".time")).not_to_have_text(re.compile("^0 /"))  # nobody moves, and time passes
    page.keyboard.down("ArrowRight")
    expect(page.locator(".verdict.good")).to_be_visible()
    page.keyboard.up("ArrowRight")


def test_master_tells_what_it_would_do_and_plays_on_from_here(new_page: Callable[..., Page]) -> None:
    page = new_page(link("loderunner", text=CORRIDOR))
    my_move(page, 0)
    page.get_by_role("button", name="What would master do?").click()
    expect(page.locator(".hint")).to_contain_text("master would play: right")
    steps = page.get_by_role("group", name="Expected line").locator(".step")
    expect(steps).to_have_text(["right"] * 4)
    steps.nth(2).click()
    expect(canvas(page)).to_have_attribute("data-line", "3")
    page.locator("body").press("Escape")
    expect(canvas(page)).not_to_have_attribute("data-line", "3")
    play_keys(page, ["ArrowRight"])
    my_move(page, 1)
    page.get_by_role("button", name="Let master play on from here").click()
    expect(page.locator(".verdict.good")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    my_move(page, 1)
    page.get_by_role("button", name="Restart", exact=True).click()
    my_move(page, 0)


def test_the_game_is_given_back_at_the_moment_that_is_seen(new_page: Callable[..., Page]) -> None:
    page = new_page(link("loderunner", level=catalog.room("loderunner").levels.names()[0]))
    my_move(page, 0)
    page.get_by_role("button", name="Let master play on from here").click()
    # Its game is over, what is seen is not.
    expect(page.locator(".time")).to_have_text(re.compile(r"^([2-9]|[1-4]\d) / 52"))
    expect(page.locator(".turn")).to_have_text("master plays for you.")
    page.get_by_role("button", name="Pause").click()
    seen = int(page.locator(".time").inner_text().split(" ")[0])
    page.get_by_role("button", name="Give me the game back").click()
    my_move(page, seen)


def test_an_arrow_alone_asks_for_a_robot_and_a_letter_always_chooses_one(new_page: Callable[..., Page]) -> None:
    page = new_page(link("ricochet", seed="4"))
    my_move(page, 0)
    expect(page.locator(".turn")).to_have_text("Your move. Goal: red circle.")
    page.locator("body").press("ArrowRight")
    expect(page.locator(".turn")).to_have_text("Pick a robot first: R, G, B, Y.")
    for key in ("r", "r"):  # twice r is not "red right"
        page.locator("body").press(key)
    expect(page.get_by_role("button", name="R", exact=True)).to_have_attribute("aria-pressed", "true")
    page.locator("body").press("ArrowRight")
    my_move(page, 1)


def test_an_agent_takes_over_and_gives_the_game_back(new_page: Callable[..., Page]) -> None:
    page = new_page(link("stroll", level="short"))
    page.get_by_label("Who is asked").select_option("straight")
    play_keys(page, ["ArrowRight"])
    my_move(page, 1)
    page.get_by_role("button", name="Let straight play on from here").click()
    expect(page.locator(".verdict.good")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    my_move(page, 1)


def test_push_em_all_is_won_by_a_push_over_the_edge(new_page: Callable[..., Page]) -> None:
    page = new_page(link("pushem", text=ON_THE_EDGE, agents="human,random", nodes="10"))
    my_move(page, 0)
    page.locator("body").press("ArrowRight")
    end = page.locator(".verdict").or_(page.get_by_role("button", name="end", exact=True))
    expect(end.first).to_be_visible()
    if not page.locator(".verdict").is_visible():
        page.get_by_role("button", name="end", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("wins")


def test_a_whole_game_of_push_em_all_by_mouse_at_one_screen(new_page: Callable[..., Page]) -> None:
    """The moves are those of two agents; here two people point at them: directions, cards, cells, rows."""
    room = catalog.ready_room("pushem")
    seats = [AgentSpec("aggressive"), AgentSpec("random")]
    start = NamedLevel("01_start", room.levels.text("01_start"))
    played = match.play(tournament.episode(room, start, seats, 7, {"cards": 10}, Budget(nodes=300))).trace
    page = new_page(link("pushem", level="01_start", seed="7", agents="human,human", **{"o.cards": "10"}))
    game = room.rules.game()
    state = game.start(game.parse(start.text), catalog.options(room, {"cards": 10}), 7)
    ways = {"U": "Up", "R": "Right", "D": "Down", "L": "Left"}
    assert room.view.point is not None and room.view.area is not None
    kinds = set()
    for t, action in enumerate(played.actions):
        my_move(page, t)
        label, cell = game.label(action), room.view.point(state, action)
        if cell >= 0:
            click_cell(page, cell, 8, 8)
        elif label in ways:
            page.get_by_role("button", name=ways[label], exact=True).click()
        elif area := room.view.area(state, action):
            click_cell(page, area[3], 8, 8)
            through = [other for other in game.legal(state) if area[3] in (room.view.area(state, other) or ())]
            if len(through) > 1:  # a row and a column: both are offered
                page.get_by_role("button", name=label, exact=True).click()
        else:
            page.locator(".moves-panel").get_by_role("button", name=re.compile(f"^{label}", re.IGNORECASE)).locator(
                "visible=true"
            ).and_(page.locator(":enabled")).first.click()
        kinds.add("cell" if cell >= 0 else "way" if label in ways else "line" if area else label)
        state = game.step(state, action)
    assert {"cell", "way", "line", "end", "bomb", "freeze", "jump", "replay", "swap"} <= kinds
    expect(page.locator(".verdict")).to_contain_text(played.outcome.reason)


def test_the_targets_of_a_card_are_chosen_by_keyboard_alone(new_page: Callable[..., Page]) -> None:
    page = new_page(link("pushem", level="01_start", agents="human,human", **{"o.deal": "swap+bomb"}))
    my_move(page, 0)
    page.locator("body").press("ArrowUp")
    my_move(page, 1)
    page.locator("body").press("2")  # the second card of the hand
    my_move(page, 2)
    expect(page.locator(".turn")).to_have_text("Player 1 to move: choose one of your pawns.")
    page.locator("body").press("ArrowDown")
    page.locator("body").press("Enter")
    my_move(page, 3)
    expect(page.locator(".turn")).to_have_text("Player 1 to move: choose an enemy pawn.")
    page.get_by_role("button", name="Undo").click()
    my_move(page, 2)


def test_an_analysis_follows_the_position_and_shows_its_principal_line(new_page: Callable[..., Page]) -> None:
    page = new_page(link("pushem", text=ON_THE_EDGE, agents="human,human", **{"o.cards": "0"}))
    my_move(page, 0)
    page.get_by_label("Analyse every position shown").check()
    expect(page.get_by_role("img", name="First wins")).to_be_visible()
    expect(page.locator(".hint")).to_contain_text("master would play: R")
    page.get_by_role("group", name="Expected line").locator(".step").first.click()
    expect(page.get_by_text("Looking ahead: 1 of 1")).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    page.locator("body").press("ArrowUp")
    my_move(page, 1)
    expect(page.locator(".hint")).to_contain_text("master would play")


def test_a_principal_line_tells_several_turns(new_page: Callable[..., Page]) -> None:
    page = new_page(link("pushem", level="01_start", agents="human,human", **{"o.cards": "0"}))
    my_move(page, 0)
    page.get_by_role("button", name="What would master do?").click()
    steps = page.get_by_role("group", name="Expected line").locator(".step")
    expect(steps.nth(5)).to_be_visible()
    steps.nth(5).click()
    expect(canvas(page)).to_have_attribute("data-line", "6")


def test_two_people_in_two_browsers_do_not_disturb_each_other(new_page: Callable[..., Page]) -> None:
    one, two = new_page(link("stroll", level="short")), new_page(link("stroll", level="short"))
    play_keys(one, ["ArrowRight", "ArrowRight"])
    my_move(one, 2)
    my_move(two, 0)
    expect(two.locator(".time")).to_have_text(re.compile("^0 /"))


def test_a_person_can_keep_the_game_and_see_it_verified(new_page: Callable[..., Page]) -> None:
    page = new_page(link("stroll", level="short"))
    play_keys(page, ["ArrowRight"])
    my_move(page, 1)
    page.get_by_role("button", name="Save this game").click()
    page.get_by_role("link", name="Open it").click()
    expect(page.locator(".mark.good")).to_be_visible()


def test_the_bar_beside_the_board_says_who_is_ahead(new_page: Callable[..., Page]) -> None:
    lost = "........\n" * 3 + "......xo\n" + "........\n" * 3 + "xxx.....\n"
    page = new_page(link("pushem", text=lost, agents="human,random", nodes="1"))
    my_move(page, 0)
    bar = page.locator(".evaluation")
    expect(bar).to_have_attribute("aria-label", "Nobody has judged this position yet.")
    page.get_by_label("Analyse every position shown").check()
    expect(bar).to_have_attribute("aria-label", re.compile("First"))
    play_keys(page, ["ArrowRight"])
    expect(bar).to_have_attribute("aria-label", "First wins")  # the last pawn of Second has fallen
    assert bar.evaluate("(bar) => bar.style.getPropertyValue('--first')") == "100%"
