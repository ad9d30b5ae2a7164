"""Levels drawn, checked, solved, made by chance and kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import msgspec
from playwright.sync_api import Locator, Page, expect

from gridsage.games import catalog
from web.boards import ONE_ROBOT
from web.page_server import Server

SMALL = "WWWWWWW\nWR...XW\nWWWWWWW\n"
CAVE = "name: Cave\ndiamonds: 1\ntime: 50\n#######\n#@....#\n#..d.X#\n#######\n"
SHAFT = "[cave]\nName=Shaft\nSize=6 4\nDiamondsRequired=1\n[map]\nWWWWWW\nWP...W\nW..d.X\nWWWWWW\n[/map]\n[/cave]\n"
POSITION = "........\n" * 3 + "...xo...\n" + "........\n" * 4


def opened(new_page: Callable[..., Page], game: str, text: str, **size: int) -> Page:
    page = new_page(f"/edit/{game}?{urlencode({'text': text})}", **size)
    good(page)
    return page


def good(page: Page) -> None:
    expect(page.locator(".left > .mark.good")).to_be_visible()


def bad(page: Page, words: str) -> None:
    expect(page.locator(".left > .mark.bad")).to_contain_text(words)


def board(page: Page) -> Locator:
    return page.locator(".easel canvas[data-ready=yes]")


def level(page: Page) -> Locator:
    return page.get_by_label("The level as text")


def tile(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).click()


def place(page: Page, row: float, col: float) -> tuple[float, float]:
    """The middle of a cell on the screen; fractions are nearer to its sides."""
    board(page).scroll_into_view_if_needed()
    box = board(page).bounding_box()
    assert box is not None
    rows, cols = page.evaluate("[gridsage.easel.board.h, gridsage.easel.board.w]")
    return box["x"] + box["width"] * (col + 0.5) / cols, box["y"] + box["height"] * (row + 0.5) / rows


def click(page: Page, row: float, col: float, **more: str) -> None:
    page.mouse.click(*place(page, row, col), **more)  # type: ignore[arg-type]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*place(page, *start))
    page.mouse.down()
    page.mouse.move(*place(page, *end), steps=3)
    page.mouse.up()


def test_a_level_is_painted_undone_resized_kept_and_played(new_page: Callable[..., Page], server: Server) -> None:
    page = opened(new_page, "loderunner", SMALL)
    tile(page, "bonus")
    click(page, 1, 3)
    expect(level(page)).to_have_value("WWWWWWW\nWR.B.XW\nWWWWWWW\n")
    tile(page, "runner")
    click(page, 1, 2)
    expect(level(page)).to_have_value("WWWWWWW\nW.RB.XW\nWWWWWWW\n")
    page.get_by_role("button", name="Undo").click()
    expect(level(page)).to_have_value("WWWWWWW\nWR.B.XW\nWWWWWWW\n")
    page.get_by_role("button", name="Redo").click()
    page.get_by_text("Size 7 × 3").click()
    page.get_by_role("button", name="Add a column on the right").click()
    expect(level(page)).to_have_value("WWWWWWWW\nW.RB.X.W\nWWWWWWWW\n")
    page.get_by_role("button", name="Add a row at the top").click()
    page.get_by_role("button", name="Remove a column on the left").click()
    expect(level(page)).to_have_value("WWWWWWW\nW.....W\nWRB.X.W\nWWWWWWW\n")
    good(page)
    page.get_by_label("Name", exact=True).fill("my first")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page).to_have_url(re.compile("own%2Fmy"))
    expect(page.locator(".turn[data-turn='mine-0']")).to_be_visible()
    assert (server.home / "levels" / "loderunner" / "my first.txt").exists()


def test_a_stroke_is_undone_as_a_whole_and_the_right_button_erases(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "loderunner", SMALL)
    tile(page, "bonus")
    drag(page, (1, 2), (1, 4))
    expect(level(page)).to_have_value("WWWWWWW\nWRBBBXW\nWWWWWWW\n")
    click(page, 1, 3, button="right")
    expect(level(page)).to_have_value("WWWWWWW\nWRB.BXW\nWWWWWWW\n")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(level(page)).to_have_value(SMALL)
    page.keyboard.press("Control+Shift+z")
    expect(level(page)).to_have_value("WWWWWWW\nWRBBBXW\nWWWWWWW\n")


def test_rectangles_areas_and_picked_up_tiles(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "delirium", CAVE)
    tile(page, "stone")
    page.keyboard.down("Shift")
    drag(page, (1, 2), (2, 3))
    page.keyboard.up("Shift")
    expect(level(page)).to_have_value(CAVE.replace("@....", "@oo..").replace("..d.X", ".oo.X"))
    page.mouse.move(*place(page, 2, 5))
    page.keyboard.press("p")
    expect(page.get_by_role("radio", name="exit", exact=True)).to_be_checked()
    page.keyboard.press("Control+z")
    tile(page, "empty")
    page.mouse.move(*place(page, 1, 4))
    page.keyboard.press("f")
    expect(level(page)).to_have_value(CAVE.replace("@....", "@    ").replace("..d.X", "  d X"))
    expect(page.locator(".place")).to_have_text("row 1, column 4: empty")


def test_errors_are_told_in_words_and_marked_in_place(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "loderunner", SMALL)
    level(page).fill("WWWWWWW\nWR..?XW\nWWWWWWW\n")
    bad(page, "line 2, column 5")
    expect(board(page)).to_have_attribute("data-faults", "11")
    level(page).fill("WWWWWWW\nWR.R.XW\nWWWWWWW\n")
    bad(page, "2 runners")
    expect(board(page)).to_have_attribute("data-faults", "8 10")
    level(page).fill("WWWWWWW\nWR....W\nWWWWWWW\n")
    bad(page, "no exit")
    expect(page.get_by_role("radio", name="exit: needed, and not there yet")).to_be_visible()
    page.get_by_role("radio", name="exit: needed").click()
    click(page, 1, 5)
    good(page)
    expect(board(page)).to_have_attribute("data-faults", "")


def test_header_lines_galleries_and_doubts_of_a_cave(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "delirium", CAVE)
    page.get_by_label("Diamonds to collect").fill("3")
    page.get_by_label("Ticks").fill("80")
    page.get_by_label("Name of the gallery").fill("Deep")
    page.get_by_label("Name of the gallery").press("Tab")
    expect(level(page)).to_have_value(re.compile("name: Deep\ndiamonds: 3\ntime: 80\n"))
    expect(page.locator(".left > .mark.warn")).to_contain_text("it asks for 3 diamonds, 1 lies in the map")
    page.get_by_label("Ticks").fill("0")
    page.get_by_label("Ticks").press("Tab")
    bad(page, "time is 0")
    expect(page.get_by_label("Ticks")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Ticks").fill("")
    page.get_by_label("Ticks").press("Tab")
    page.get_by_role("button", name="Another gallery").click()
    expect(page.get_by_label("Gallery", exact=True)).to_have_value("1")
    expect(level(page)).to_have_value(re.compile("===\n(.*\n)*#     #\n"))
    bad(page, "no miner")
    page.get_by_role("radio", name="miner: needed").click()
    click(page, 1, 1)
    page.get_by_role("button", name="Remove this gallery").click()
    expect(page.get_by_label("Gallery", exact=True)).to_have_value("0")


def test_a_board_is_painted_with_walls_goals_and_a_mission_and_solved(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "ricochet", ONE_ROBOT)
    tile(page, "green robot")
    click(page, 0, 2)
    expect(level(page)).to_have_value(re.compile(r"\|R       G  \|"))
    tile(page, "wall on a side")
    click(page, 0, 1.4)
    expect(level(page)).to_have_value(re.compile(r"\|R      \|G  \|"))
    click(page, 0, 1.4)
    expect(level(page)).to_have_value(re.compile(r"\|R       G  \|"))
    tile(page, "any robot's vortex goal")
    click(page, 1, 0)
    tile(page, "mission: choose the goal that is meant")
    click(page, 1, 0)
    expect(level(page)).to_have_value(re.compile(r"mission: any robot vortex\n"))
    page.get_by_label("Mission", exact=True).select_option(label="red circle (row 2, column 2)")
    expect(level(page)).to_have_value(re.compile(r"mission: red circle\n"))
    tile(page, "closed cell")
    click(page, 1, 1)
    good(page)
    page.get_by_role("button", name="Can it be won?").click()
    expect(page.locator(".solution .mark.good")).to_contain_text("Yes: 2 moves of 1 robot")
    expect(page.locator(".solution canvas[data-ready=yes]")).to_be_visible()
    expect(page.locator(".solution .time")).to_have_text("2 / 2")
    page.get_by_role("button", name="Back to drawing").click()
    expect(board(page)).to_be_visible()


def test_a_position_in_one_line_becomes_a_drawing(new_page: Callable[..., Page]) -> None:
    page = new_page(f"/edit/ricochet?{urlencode({'text': '3x3.913802c46_R0.0_r2.2c'})}")
    expect(level(page)).to_have_value(ONE_ROBOT)
    expect(board(page)).to_be_visible()


def test_a_level_that_cannot_be_won_is_said_to_be_so(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "loderunner", SMALL)
    tile(page, "wall")
    click(page, 1, 3)
    expect(page.locator(".left > .mark.warn")).to_contain_text("the exit in row 1, column 5 cannot be reached")
    expect(board(page)).to_have_attribute("data-faults", "12")
    page.get_by_role("button", name="Can it be won?").click()
    expect(page.locator(".solution .mark.bad")).to_contain_text("No: the exit in row 1")


def test_the_solver_can_be_stopped(new_page: Callable[..., Page]) -> None:
    page = new_page("/edit/delirium?level=24_the_deep")
    good(page)
    page.get_by_label("Time for it").select_option("60")
    page.get_by_role("button", name="Can it be won?").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".solution .mark")).to_contain_text("Stopped after")
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_a_position_is_set_up_with_pawns_cards_and_the_side_to_move(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "pushem", POSITION)
    tile(page, "frozen pawn of Second")
    click(page, 0, 0)
    tile(page, "abyss")
    click(page, 7, 7)
    page.get_by_label("To move").select_option("second")
    page.get_by_label("Plies played").fill("12")
    page.get_by_label("Plies played").press("Tab")
    hand = page.get_by_role("group", name="Cards of First")
    hand.get_by_label("dealt from the seed").uncheck()
    hand.get_by_label("bomb").check()
    hand.get_by_label("swap").check()
    expect(level(page)).to_have_value(
        "turn: second\nply: 12\nfirst: bomb swap\nO.......\n........\n........\n...xo...\n"
        + "........\n" * 3
        + ".......#\n"
    )
    good(page)
    page.get_by_role("button", name="Try it").click()
    expect(page).to_have_url(re.compile("/play/pushem"))
    expect(page.locator(".stage canvas[data-ready=yes]").first).to_be_visible()
    page.get_by_role("link", name="Back to drawing").click()
    expect(page.get_by_text("Your draft was restored")).to_be_visible()
    expect(level(page)).to_have_value(re.compile("first: bomb swap"))


def test_a_level_can_be_drawn_by_keyboard_alone(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "loderunner", SMALL)
    for key in ["+"] * 4 + ["ArrowRight", "ArrowDown"] + ["ArrowRight"] * 3 + [" "]:
        board(page).press(key)
    expect(level(page)).to_have_value("WWWWWWW\nWR.B.XW\nWWWWWWW\n")
    expect(page.locator("#live-line")).to_have_text("row 1, column 3: bonus")
    for key in ["ArrowLeft", "r", "ArrowRight", "ArrowRight", "r"]:
        board(page).press(key)
    expect(level(page)).to_have_value("WWWWWWW\nWRBBBXW\nWWWWWWW\n")
    board(page).press("Delete")
    expect(level(page)).to_have_value("WWWWWWW\nWRBB.XW\nWWWWWWW\n")
    expect(page.locator(".place")).to_have_text("row 1, column 4: empty")


def test_walls_are_put_by_keyboard(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "ricochet", ONE_ROBOT)
    for key in ["ArrowDown", "ArrowDown", "s", "e"]:
        board(page).press(key)
    expect(level(page)).to_have_value(re.compile(r"\|   \|       \|\n\+---\+   \+   \+\n"))


def test_a_finger_draws_on_a_phone_and_the_page_still_fits(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "loderunner", SMALL, width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("getComputedStyle(document.querySelector('.easel canvas')).touchAction") == "none"
    tile(page, "bonus")
    touch = page.context.new_cdp_session(page)
    points = [place(page, 1, col) for col in (2, 3, 4)]
    for kind, at in [("touchStart", points[0]), ("touchMove", points[1]), ("touchMove", points[2])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.get_by_text("The level as text").first.click()
    expect(level(page)).to_have_value("WWWWWWW\nWRBBBXW\nWWWWWWW\n")


def test_a_draft_outlives_a_reload_and_can_be_discarded(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "loderunner", SMALL)
    tile(page, "bonus")
    click(page, 1, 3)
    expect(level(page)).to_have_value(re.compile("WR.B.XW"))
    page.reload()
    expect(page.get_by_text("Your draft was restored")).to_be_visible()
    expect(level(page)).to_have_value(re.compile("WR.B.XW"))
    page.get_by_role("button", name="Discard it").click()
    expect(level(page)).not_to_have_value(re.compile("WR.B.XW"))
    page.reload()
    good(page)
    expect(page.get_by_text("Your draft was restored")).to_be_hidden()


def test_levels_are_made_by_chance_and_can_be_undone(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "pushem", POSITION)
    page.get_by_text("Generate a level").click()
    page.get_by_label("pawns", exact=True).fill("3")
    page.get_by_role("button", name="Generate").click()
    expect(page.get_by_text("generated-1 is on the board")).to_be_visible()
    rows = level(page).input_value().splitlines()[-8:]
    assert sum(row.count("x") for row in rows) == sum(row.count("o") for row in rows) == 3
    good(page)
    page.get_by_label("holes", exact=True).fill("3")
    page.get_by_role("button", name="Generate").click()
    expect(page.get_by_text("a fair board has an even number")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(level(page)).to_have_value(POSITION)


def test_own_levels_are_renamed_deleted_brought_back_and_not_overwritten_unasked(
    new_page: Callable[..., Page], server: Server
) -> None:
    page = opened(new_page, "loderunner", SMALL)
    name = page.get_by_label("Name", exact=True)
    keep = page.get_by_role("button", name="Save", exact=True)
    name.fill("cellar")
    keep.click()
    expect(page.get_by_label("Level", exact=True)).to_have_value("own/cellar")
    page = opened(new_page, "loderunner", SMALL.replace("R...", "R.B."))
    page.get_by_label("Name", exact=True).fill("cellar")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("You have a level called cellar already")).to_be_visible()
    folder = server.home / "levels" / "loderunner"
    assert (folder / "cellar.txt").read_text() == SMALL
    page.get_by_role("button", name="Replace it").click()
    expect(page.get_by_text("Saved among your own levels")).to_be_visible()
    assert "B" in (folder / "cellar.txt").read_text()
    page.get_by_label("Name", exact=True).fill("attic")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_label("Level", exact=True)).to_have_value("own/attic")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("attic is deleted")).to_be_visible()
    assert not (folder / "attic.txt").exists()
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Level", exact=True)).to_have_value("own/attic")
    assert (folder / "attic.txt").exists() and not (folder / "cellar.txt").exists()


def test_a_file_of_many_levels_is_opened_and_kept_and_every_format_is_written(
    new_page: Callable[..., Page], server: Server, tmp_path: Path
) -> None:
    page = opened(new_page, "ricochet", ONE_ROBOT)
    for form in ("drawing", "line", "jsonl"):
        page.get_by_label("Format").select_option(form)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        assert download.value.suggested_filename == f"ricochet.{form}"
        download.value.save_as(tmp_path / f"one.{form}")
    many = tmp_path / "pack.txt"
    many.write_text((tmp_path / "one.line").read_text() * 2 + (tmp_path / "one.jsonl").read_text(), encoding="utf-8")
    page.locator("#level-file").set_input_files(many)
    chosen = page.get_by_label("pack.txt holds 3 levels")
    chosen.select_option(index=2)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("level-3 is open")).to_be_visible()
    good(page)
    page.get_by_role("button", name="Save all").click()
    expect(page.get_by_text("All 3 are saved")).to_be_visible()
    assert len(list((server.home / "levels" / "ricochet").glob("level-*.txt"))) == 3


def test_a_cave_of_boulder_dash_opened_as_one_of_delirium_can_be_opened_there(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = opened(new_page, "delirium", CAVE)
    pack = tmp_path / "pack.bd"
    pack.write_text(SHAFT + SHAFT.replace("Shaft", "Second"), encoding="utf-8")
    page.locator("#level-file").set_input_files(pack)
    expect(page.locator(".banner")).to_contain_text("pack.bd is made for Boulder Dash, which has its own rules.")
    page.get_by_label("pack.bd holds 2 levels").select_option(index=1)
    page.get_by_role("button", name="Open it there").click()
    page.wait_for_url("**/edit/delirium-bd?text=*")
    expect(level(page)).to_have_value(re.compile("Name=Second"))
    good(page)


def test_nethack_levels_are_written_and_their_errors_named(new_page: Callable[..., Page]) -> None:
    page = new_page("/edit/nethack?level=01_door")
    good(page)
    expect(page.get_by_role("radiogroup")).to_have_count(0)
    level(page).fill("MAZE:\"a_name_that_is_too_long\",' '\n")
    bad(page, "Line 1: level name")
    expect(level(page)).to_have_attribute("aria-invalid", "true")


def test_a_cave_of_boulder_dash_is_painted_its_keys_filled_in_and_its_size_told(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "delirium-bd", SHAFT)
    tile(page, "butterfly, facing up")
    click(page, 1, 3)
    page.get_by_label("Seconds", exact=True).fill("80 70")
    page.get_by_label("Seconds", exact=True).press("Enter")
    page.get_by_text("Size 6 × 4").click()
    page.get_by_role("button", name="Add a column on the right").click()
    expect(level(page)).to_have_value(
        SHAFT.replace("Size=6 4", "Size=7 4").replace("[map]", "CaveTime=80 70\n[map]")
        .replace("WWWWWW", "WWWWWWW").replace("WP...W", "WP.b. W").replace("W..d.X", "W..d. X")
    )  # fmt: skip
    good(page)
    tile(page, "inbox")
    click(page, 2, 1)
    expect(level(page)).to_have_value(re.compile("W .b. W\nWP.d. X"))  # there is only one
    good(page)


def test_a_cave_drawn_by_objects_is_turned_into_a_map(new_page: Callable[..., Page]) -> None:
    page = new_page("/edit/delirium-bd?level=10_the_filler")
    expect(level(page)).to_have_value(re.compile(r"\[map\]\nW+\n"))
    good(page)
    page.get_by_role("button", name="Undo").click()
    expect(level(page)).to_have_value(re.compile("RandomFill="))
    good(page)
    page.wait_for_timeout(300)  # the answer that it is good came: it is not turned again
    expect(level(page)).to_have_value(re.compile("RandomFill="))


def test_every_shipped_level_is_drawn_and_written_back_unchanged(new_page: Callable[..., Page]) -> None:
    page = new_page("/edit/ricochet", modules=True)
    for name in catalog.BUILT_IN:
        room = catalog.room(name)
        if (sheet := room.levels.sheet) is None:
            continue
        texts = [room.levels.text(each) for each in room.levels.names()]
        texts = [room.levels.write[sheet.drawn](text) for text in texts] if sheet.drawn else texts
        found = page.evaluate(
            """async ([sheet, texts]) => {
              const { read } = await import(document.scripts[0].src.replace(/bundle.*/, 'drawing.js'));
              return texts.map((text) => (read(text, sheet).drawable ? read(text, sheet).text : 'not drawable'));
            }""",
            [msgspec.to_builtins(sheet), texts],
        )
        assert found == texts


def test_a_board_grows_and_shrinks_on_every_side_with_its_walls_and_its_mission(new_page: Callable[..., Page]) -> None:
    page = opened(new_page, "ricochet", ONE_ROBOT)
    page.get_by_text("Size 3 × 3").click()
    sides = ("row at the top", "column on the left", "row at the bottom", "column on the right")
    for side in sides:
        page.get_by_role("button", name=f"Add a {side}").click()
    expect(page.get_by_label("Mission", exact=True)).to_have_value(str(3 * 5 + 3))
    good(page)
    expect(page.locator(".menu summary")).to_have_text("Size 5 × 5")
    for side in sides:
        page.get_by_role("button", name=f"Remove a {side}").click()
    expect(level(page)).to_have_value(ONE_ROBOT)


def test_a_variant_is_drawn_with_the_pictures_of_its_game(new_page: Callable[..., Page]) -> None:
    picture = "canvas => canvas.toDataURL()"
    shown = {}
    for game, name in (("loderunner", "floor to dig in"), ("loderunner-classic", "brick")):
        page = new_page(f"/edit/{game}")
        good(page)
        shown[game] = page.get_by_role("radio", name=name, exact=True).locator("canvas").evaluate(picture)
        assert page.evaluate("gridsage.easel.board.game") == "loderunner"
    assert shown["loderunner"] == shown["loderunner-classic"]
