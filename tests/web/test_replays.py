"""Kept games: listed in pages, replayed, checked again, brought in from files."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from gridsage.core.game import Outcome
from gridsage.core.trace import CUT_OFF, Trace, encode, state_hash
from gridsage.games import catalog
from gridsage.store import VERIFIED, Check, Store
from web.kept_games import keep_bench
from web.page_server import Server
from web.test_pages import WALK, expect_shown, watched

MB = 2**20


def rows(page: Page) -> Locator:
    return page.locator("tbody tr")


def forged(trace: Trace) -> Trace:
    """The same game with another last state than it has."""
    (last, _), *others = reversed(trace.hashes)
    return msgspec.structs.replace(trace, hashes=(*reversed(others), (last, "0" * 16)))


def wandering(trace: Trace, steps: int) -> Trace:
    """A game on the same level that takes a while to be played again: right and left, until it is cut off."""
    room = catalog.room("stroll")
    game, options = room.rules.game(), {"patience": steps + 1}
    state = game.start(game.parse(trace.level), catalog.options(room, options), trace.seed)
    hashes = [(0, state_hash(game, state))]
    for action in (actions := (1, 0) * (steps // 2)):
        state = game.step(state, action)
    hashes.append((len(actions), state_hash(game, state)))
    outcome = Outcome(CUT_OFF, (0.0,))
    return msgspec.structs.replace(trace, actions=actions, options=options, hashes=tuple(hashes), outcome=outcome)


def test_a_kept_game_is_listed_replayed_and_verified(new_page: Callable[..., Page]) -> None:
    page = watched(new_page(WALK))
    page.get_by_role("button", name="Save this game").click()
    page.get_by_role("link", name="Open it").click()
    expect(page.locator(".mark")).to_contain_text("Verified")
    expect(page.get_by_role("heading", name="Replay: Stroll")).to_be_visible()
    page.goto("/replays?game=stroll")
    page.locator("tbody a").first.click()
    expect(page.locator(".mark.good")).to_be_visible()


# A moment


@pytest.mark.parametrize(
    ("moment", "shown_at"),
    [("2", "2"), ("0", "0"), ("-5", "0"), ("nonsense", "0"), ("1e99", "4"), ("999999", "4"), ("2.7", "2"), ("", "0")],
)
def test_a_link_to_a_moment_opens_there_or_at_the_nearest_one(
    new_page: Callable[..., Page], server: Server, moment: str, shown_at: str
) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [1], 1930, ["short"])
    name = Store(server.home).find(result.trace.episode)
    page = new_page(f"/replay/{name}?t={moment}")
    expect(page.locator(".mark.good")).to_be_visible()
    expect(page.locator(".time")).to_have_text(f"{shown_at} / 4")
    expect_shown(page, int(shown_at))
    told = page.get_by_text("is beyond the end: the game has 4.")
    expect(told).to_have_count(1 if shown_at == "4" else 0)


def test_a_replay_tells_about_its_game_and_leads_on_from_it(new_page: Callable[..., Page], server: Server) -> None:
    (result,) = keep_bench(server, "stroll", "straight:stop_at=900", [7], 1931, ["short"], patience=20)
    page = new_page(f"/replay/{result.trace.episode}")
    about = page.get_by_role("region", name="About this game")
    for words in ("straight:stop_at=900", "short", "7", "1,931 nodes", "patience=20", "arrived"):
        expect(about).to_contain_text(words)
    expect(about.get_by_role("link", name="Play this level")).to_have_attribute(
        "href", re.compile(r"/play/stroll\?level=short&seed=7&o.patience=20")
    )
    about.get_by_label("The same game with").select_option("drunk")
    about.get_by_role("link", name="Watch again").click()
    expect(page).to_have_url(re.compile("/watch/stroll.*level=short.*agents=drunk.*nodes=1931.*patience=20"))
    watched(page)


def test_a_replay_that_is_not_there_says_so(new_page: Callable[..., Page]) -> None:
    page = new_page("/replay/ffffffff?t=3&beside=zzzz")
    expect(page.locator(".badge.problem")).to_contain_text("no stored game 'ffffffff'")


# The list


def test_every_game_is_on_exactly_one_page_of_the_list(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "drunk", range(1, 231), 1932)
    page = new_page("/replays?game=stroll&budget=1932+nodes&order=seed")
    expect(page.get_by_text("Games 1 to 100 of 230")).to_be_visible()
    seeds: list[str] = []
    for number in (1, 2, 3):
        expect(page.get_by_text(f"Page {number} of 3")).to_be_visible()
        seeds += page.locator("tbody tr td:nth-child(3)").all_inner_texts()
        if number < 3:
            page.get_by_role("button", name="Next page").click()
    assert seeds == [str(seed) for seed in range(1, 231)]
    expect(page).to_have_url(re.compile("page=3"))
    page.reload()
    expect(rows(page)).to_have_count(30)
    page.goto("/replays?game=stroll&budget=1932+nodes&page=99999")
    expect(page.get_by_text("Page 3 of 3")).to_be_visible()


def test_filters_and_order_stay_in_the_address(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight,drunk", range(1, 6), 1933, ["short", "trap"])
    page = new_page("/replays?budget=1933+nodes")
    expect(rows(page)).to_have_count(20)
    page.get_by_label("Agent", exact=True).fill("straight")
    page.get_by_label("Agent", exact=True).press("Enter")
    expect(rows(page)).to_have_count(10)
    page.get_by_label("Level", exact=True).fill("short")
    page.get_by_label("Level", exact=True).press("Enter")
    expect(rows(page)).to_have_count(5)
    page.get_by_label("Seed, or 3-9").fill("2-4")
    page.get_by_label("Seed, or 3-9").press("Enter")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Seed").click()
    expect(rows(page).first.locator("td").nth(2)).to_have_text("2")
    page.get_by_role("button", name="Seed").click()
    expect(rows(page).first.locator("td").nth(2)).to_have_text("4")
    page.reload()
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first.locator("td").nth(2)).to_have_text("4")
    page.get_by_label("Outcome").fill("nothing like this")
    page.get_by_label("Outcome").press("Enter")
    expect(page.get_by_text("No saved game matches these filters.")).to_be_visible()
    page.get_by_label("Seed, or 3-9").fill("ten")
    page.get_by_label("Seed, or 3-9").press("Enter")
    expect(page.get_by_text("seeds 'ten': expected a number like 7 or a range like 3-9")).to_be_visible()


def test_a_condition_from_the_compare_page_can_be_taken_away(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight,drunk", [1], 1934, ["short"])
    page = new_page("/replays?game=stroll&agents=straight&budget=1934+nodes")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name=re.compile("^agents: straight")).click()
    expect(rows(page)).to_have_count(2)


def test_the_list_fits_a_phone(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight,drunk", [1, 2], 1935, ["short"])
    page = new_page("/replays?budget=1935+nodes", width=390, height=844, theme="light")
    expect(rows(page)).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


# Checked again


def test_games_are_checked_by_playing_them_again_and_that_is_remembered(
    new_page: Callable[..., Page], server: Server
) -> None:
    results = keep_bench(server, "stroll", "drunk", range(1, 7), 1936)
    store = Store(server.home)
    store.put(msgspec.structs.replace(results[0], trace=forged(results[0].trace)), replace=True)
    page = new_page("/replays?budget=1936+nodes&order=seed")
    expect(page.locator(".row-mark", has_text="not checked")).to_have_count(6)
    page.get_by_role("button", name="Check these games").click()
    expect(page.get_by_text("1 of 6 could not be confirmed: see the marks.")).to_be_visible()
    expect(page.locator(".row-mark.good", has_text="verified")).to_have_count(5)
    bad = rows(page).first.locator(".row-mark.bad")
    expect(bad).to_contain_text("differs")
    expect(bad).to_have_attribute("title", re.compile("the state differs from the recorded one"))
    again = new_page("/replays?budget=1936+nodes&verdict=differs")
    expect(rows(again)).to_have_count(1)
    page.get_by_role("button", name="Check these games").click()
    expect(page.get_by_text("6 had been checked before with this code.")).to_be_visible()


def test_what_was_found_with_other_code_counts_as_not_checked(new_page: Callable[..., Page], server: Server) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [1], 1937, ["short"])
    store = Store(server.home)
    store.put_check(Check(store.find(result.trace.episode), 1.0, 1, "the code of last year", VERIFIED))
    page = new_page("/replays?budget=1937+nodes")
    mark = page.locator(".row-mark")
    expect(mark).to_contain_text("not checked")
    expect(mark).to_have_attribute("title", "verified with earlier code")


def test_a_game_is_marked_when_it_was_opened(new_page: Callable[..., Page], server: Server) -> None:
    _, bad = keep_bench(server, "stroll", "drunk", [1, 2], 1938)
    Store(server.home).put(msgspec.structs.replace(bad, trace=forged(bad.trace)), replace=True)
    page = new_page("/replays?budget=1938+nodes&order=seed")
    rows(page).nth(0).get_by_role("link").click()
    expect(page.locator(".mark.good")).to_contain_text("✓ Verified")
    page.go_back()
    rows(page).nth(1).get_by_role("link").click()
    expect(page.locator(".mark.bad")).to_contain_text("✗ Not verified")
    page.go_back()
    expect(page.locator(".row-mark.good")).to_have_text("✓ verified")
    expect(page.locator(".row-mark.bad")).to_contain_text("✗ differs")


def test_checking_can_be_stopped_and_what_was_checked_stays(new_page: Callable[..., Page], server: Server) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [1], 1939, ["short"])
    store, trace = Store(server.home), wandering(result.trace, 40_000)
    for seed in range(2, 100):
        copied = msgspec.structs.replace(trace, seed=seed, episode=f"{seed:032x}")
        store.put(msgspec.structs.replace(result, trace=copied))
    page = new_page("/replays?budget=1939+nodes")
    page.get_by_role("button", name="Check these games").click()
    expect(page.locator(".row-mark.good").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped. What was checked so far is remembered.")).to_be_visible()
    verdicts = store.checks([row.trace for row in store.rows(game="stroll") if row.budgets[0]["nodes"] == 1939])
    assert 0 < len(verdicts) < 99
    page.reload()
    expect(page.locator(".row-mark.good").first).to_be_visible()


def test_a_game_that_is_not_installed_is_listed_and_cannot_be_checked(
    new_page: Callable[..., Page], server: Server
) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [1], 1940, ["short"])
    lost = msgspec.structs.replace(result.trace, game="hopscotch", episode="0" * 32)
    Store(server.home).put(msgspec.structs.replace(result, trace=lost))
    page = new_page("/replays?game=hopscotch")
    page.get_by_role("button", name="Check these games").click()
    expect(page.locator(".row-mark.bad")).to_contain_text("cannot be checked")
    rows(page).get_by_role("link").click()
    expect(page.locator(".badge.problem")).to_contain_text("a game of 'hopscotch', which is not installed here")


# Files


def test_an_uploaded_trace_is_checked_first(new_page: Callable[..., Page], server: Server, tmp_path: Path) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [1], 1941, ["short"])
    page = new_page("/replays")
    (tmp_path / "good.trace").write_bytes(encode(result.trace))
    page.locator("#trace-file").set_input_files(tmp_path / "good.trace")
    expect(page.locator(".mark.good")).to_be_visible()
    page.goto("/replays")
    (tmp_path / "bad.trace").write_bytes(encode(result.trace)[:-20])
    page.locator("#trace-file").set_input_files(tmp_path / "bad.trace")
    expect(page.get_by_role("list", name="Imported files")).to_contain_text("✗ bad.trace: damaged compression")


def test_several_files_are_brought_in_and_each_is_told_about(
    new_page: Callable[..., Page], server: Server, tmp_path: Path
) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [3], 1942, ["short"])
    brought = msgspec.structs.replace(result.trace, level_name="brought-from-afar")
    files = {
        "good.trace": encode(brought),
        "plain.json": gzip.decompress(encode(msgspec.structs.replace(brought, level_name="brought-plain"))),
        "forged.trace": encode(forged(brought)),
        "elsewhere.trace": encode(msgspec.structs.replace(brought, game="hopscotch")),
        "picture.trace": b"\x89PNG and so on",
        "empty.trace": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    page = new_page("/replays?level=brought-from-afar")
    expect(page.get_by_text("No saved game matches these filters.")).to_be_visible()
    page.locator("#trace-file").set_input_files([tmp_path / name for name in files])
    told = page.get_by_role("list", name="Imported files").get_by_role("listitem")
    expect(told.nth(0)).to_contain_text("✓ good.trace: verified, 4 steps.")
    expect(told.nth(1)).to_contain_text("✓ plain.json: verified, 4 steps.")
    expect(told.nth(2)).to_contain_text("✗ forged.trace: step 4: the state differs")
    expect(told.nth(3)).to_contain_text("a game of 'hopscotch', which is not installed here")
    expect(told.nth(4)).to_contain_text("picture.trace is not a gridsage trace")
    expect(told.nth(5)).to_contain_text("empty.trace is not a gridsage trace")
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".row-mark.good")).to_be_visible()


def test_files_can_be_dropped_on_the_page(new_page: Callable[..., Page], server: Server) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [4], 1943, ["short"])
    page = new_page("/replays")
    expect(page.locator("#trace-file")).to_be_attached()
    page.evaluate(
        """bytes => {
            const carried = new DataTransfer();
            carried.items.add(new File([new Uint8Array(bytes)], 'dropped.trace'));
            const more = { dataTransfer: carried, bubbles: true, cancelable: true };
            for (const kind of ['dragover', 'drop'])
                document.querySelector('main').dispatchEvent(new DragEvent(kind, more));
        }""",
        list(encode(result.trace)),
    )
    expect(page).to_have_url(re.compile("/replay/"))
    expect(page.locator(".mark.good")).to_be_visible()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": 2**70}, "its seed"),
        ({"seed": -1}, "its seed -1 is not between 0"),
        ({"actions": (10**30,)}, "cannot"),
        ({"agents": ()}, "need names"),
        ({"level_name": "x" * 9_000}, "need names of at most 200 letters"),
        ({"rules_version": 99}, "was recorded with stroll rules v99"),
        ({"options": {"patience": "lots"}}, "patience"),
        ({"level": "???"}, "is no cell"),
        ({"hashes": ()}, "there is nothing to compare with"),
    ],
)
def test_a_trace_that_lies_is_refused_with_a_sentence(server: Server, change: dict[str, object], sentence: str) -> None:
    (result,) = keep_bench(server, "stroll", "straight", [5], 1944, ["short"])
    lie = encode(msgspec.structs.replace(result.trace, **change))
    answer = httpx.post(f"{server.address}/api/traces", content=lie, timeout=60, headers={"x-file-name": "lie.trace"})
    assert answer.status_code == 400
    assert answer.json()["text"].startswith("lie.trace") and sentence in answer.json()["text"]


def test_a_bomb_is_not_unpacked_wherever_it_hides(server: Server) -> None:
    bombs = [gzip.compress(b"\0" * (80 * MB)), gzip.compress(b"{") + gzip.compress(b" " * (80 * MB))]
    for bomb in bombs:
        answer = httpx.post(f"{server.address}/api/traces", content=bomb, timeout=60)
        assert answer.status_code == 400
        assert "unpacks to something larger than 64 MB" in answer.json()["text"]
