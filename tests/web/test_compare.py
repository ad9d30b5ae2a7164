"""Kept games compared: tables, plots, pairs, matches; benches run, stopped, continued."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import psutil
import pytest
from playwright.sync_api import Locator, Page, expect
from toys import nim, stroll

from gridsage.arena import executors, tournament
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, content_hash
from gridsage.store import Store
from gridsage.web import compare, messages
from web.kept_games import keep_bench, keep_match
from web.page_server import Server

PHONE = {"width": 390, "height": 844}


def bench_form(page: Page, *agents: str) -> Locator:
    """The open form with only `agents` ticked."""
    form = page.locator(".bench-box")
    expect(page.locator("#main > [role=status]")).not_to_be_empty()  # without games the form opens by itself
    if form.get_attribute("open") is None:
        form.locator("summary").first.click()
    for box in form.locator(".checks input").all():
        box.set_checked(box.get_attribute("value") in agents)
    return form


def run_bench(form: Locator, first: int, last: int, nodes: int) -> None:
    form.get_by_label("Seeds from").fill(str(first))
    form.get_by_label("to", exact=True).fill(str(last))
    form.get_by_label("Limit per move").fill(str(nodes))
    form.get_by_role("button", name=re.compile("^(Run|Go on)$")).click()


def lines(page: Page, *words: str) -> Locator:
    found = page.locator("table.lines tbody tr")
    for word in words:
        found = found.filter(has_text=word)
    return found


# Benches


def test_a_bench_is_run_shown_with_intervals_and_opened(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=stroll")
    form = bench_form(page, "straight", "drunk")
    run_bench(form, 1, 3, 1901)
    expect(form.get_by_role("status")).to_have_text("Done: 6 games.")
    expect(form.locator("tbody tr").filter(has_text="straight")).to_contain_text("100 %")
    line = lines(page, "1901 nodes", "straight")
    expect(line).to_contain_text("[43.9 %, 100 %]")
    line.get_by_role("link", name=re.compile("3 games of straight")).click()
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page).to_have_url(re.compile("budget=1901"))


def test_a_bench_can_be_stopped_and_goes_on_where_it_was(new_page: Callable[..., Page], server: Server) -> None:
    page = new_page("/compare?game=loderunner")
    form = bench_form(page, "master")
    run_bench(form, 1, 400, 41)
    expect(form.get_by_role("status")).to_contain_text("Last: master")
    form.get_by_role("button", name="Stop", exact=True).click()
    expect(form.get_by_role("status")).to_have_text(
        re.compile(r"^Stopped: [\d,]+ of [\d,]+ games are played and saved")
    )
    kept = len([row for row in Store(server.home).rows(game="loderunner") if row.budgets[0]["nodes"] == 41])
    assert kept > 0
    form.get_by_role("button", name="Go on").click()
    saved = re.compile(r"(One|[\d,]+) of them (was|were) saved already")
    expect(form.get_by_role("status")).to_contain_text(saved)
    found = saved.search(form.get_by_role("status").inner_text())
    assert found is not None and (1 if found[1] == "One" else int(found[1].replace(",", ""))) >= kept
    form.get_by_role("button", name="Stop", exact=True).click()
    expect(form.get_by_role("button", name="Go on")).to_be_enabled()


def test_games_that_are_kept_are_not_played_again(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight", range(1, 5), 1902)
    before = {row.trace: row.stored for row in Store(server.home).rows(game="stroll")}
    page = new_page("/compare?game=stroll")
    form = bench_form(page, "straight")
    run_bench(form, 1, 6, 1902)
    expect(form.get_by_role("status")).to_have_text("Done: 6 games. 4 of them were saved already.")
    after = {row.trace: row.stored for row in Store(server.home).rows(game="stroll")}
    assert {name: after[name] for name in before} == before


def test_two_benches_at_once_do_not_mix(new_page: Callable[..., Page]) -> None:
    one, two = new_page("/compare?game=stroll"), new_page("/compare?game=stroll")
    first, second = bench_form(one, "straight"), bench_form(two, "drunk")
    run_bench(first, 1, 120, 1903)
    run_bench(second, 1, 80, 1904)
    expect(first.get_by_role("status")).to_have_text("Done: 120 games.")
    expect(second.get_by_role("status")).to_have_text("Done: 80 games.")
    expect(first.locator("tbody tr")).to_have_count(1)
    expect(first.locator("tbody tr")).to_contain_text("straight120")
    expect(second.locator("tbody tr")).to_contain_text("drunk80")


def test_closing_the_tab_ends_its_bench(new_page: Callable[..., Page], server: Server) -> None:
    before = set(server.workers)
    page = new_page("/compare?game=loderunner")
    form = bench_form(page, "master")
    run_bench(form, 1, 400, 43)
    expect(form.get_by_role("status")).to_contain_text("Last: master")
    # The players are children of a worker; the worker itself may stay for other tabs.
    players = [one for one in set(server.workers) - before if one.ppid() != server.process.pid]
    assert len(players) == 2
    page.close()
    _, alive = psutil.wait_procs(players, timeout=20)
    assert alive == []


def test_an_agent_that_kills_its_process_ends_only_its_own_games(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=stroll")
    form = bench_form(page, "deadly", "straight")
    run_bench(form, 1, 2, 1905)
    expect(form.get_by_role("status")).to_have_text("Done: 4 games.")
    expect(lines(page, "1905 nodes", "deadly")).to_contain_text("agent died 2")
    expect(lines(page, "1905 nodes", "straight")).to_contain_text("arrived 2")


def test_agents_are_typed_with_their_settings_and_some_levels_chosen(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=stroll")
    form = bench_form(page)
    form.get_by_label("More agents").fill("straight:stop_at=1, straight")
    form.get_by_label("Levels", exact=True).select_option("some")
    form.get_by_label("Which levels").select_option(["short"])
    run_bench(form, 1, 1, 1906)
    expect(form.get_by_role("status")).to_have_text("Done: 2 games.")
    expect(lines(page, "1906 nodes", "straight:stop_at=1")).to_contain_text("out of patience 1")
    form.locator("summary", has_text="Rules").click()
    form.get_by_label("patience").fill("2")
    run_bench(form, 1, 1, 1906)
    expect(lines(page, "1906 nodes", "patience=2").first).to_be_visible()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"Seeds from": "9", "to": "3"}, "Seeds 9 to 3: the last one is before the first."),
        ({"to": "99999999999999999999"}, "Seeds are whole numbers from 0 to 9007199254740991."),
        ({"Seeds from": "-4"}, "Seeds are whole numbers"),
        ({"Seeds from": ""}, "Seeds are whole numbers"),
        ({"Limit per move": "2.5"}, "A budget in nodes is a whole number"),
        ({"Limit per move": "9e99"}, "A budget in nodes is a whole number"),
        ({"to": "9000000"}, "the page plays at most 20,000 in a bench"),
        ({"More agents": "drnk"}, "no agent of stroll 'drnk'; did you mean drunk?"),
        ({"More agents": "straight:stop=1"}, "no setting of agent straight 'stop'"),
        ({"More agents": "straight:stop_at=-1"}, "must not be negative"),
        ({"More agents": "human"}, "people do not play in benches"),
        ({"More agents": "/etc/passwd:Agent"}, "no agent of stroll '/etc/passwd:Agent'"),
    ],
)
def test_wrong_input_is_answered_with_a_sentence(
    new_page: Callable[..., Page], fields: dict[str, str], sentence: str
) -> None:
    page = new_page("/compare?game=stroll")
    form = bench_form(page, "straight")
    for name, value in fields.items():
        form.get_by_label(name, exact=True).fill(value)
    form.get_by_role("button", name="Run", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text(sentence)
    expect(form.get_by_role("button", name="Run", exact=True)).to_be_enabled()


def test_a_bench_of_nobody_is_refused(new_page: Callable[..., Page]) -> None:
    form = bench_form(new_page("/compare?game=stroll"))
    form.get_by_role("button", name="Run", exact=True).click()
    expect(form.get_by_role("alert")).to_have_text("Choose at least one agent.")


def test_ricochet_is_benched_from_the_page(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=ricochet")
    form = bench_form(page, "bfs", "master")
    run_bench(form, 1, 3, 2000)
    expect(form.get_by_role("status")).to_contain_text("Done: 6 games.")
    expect(lines(page, "2000 nodes", "master")).to_contain_text("solved 3")


def test_a_match_of_push_em_all_gives_elo_and_a_crosstable(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=pushem")
    form = bench_form(page, "random", "aggressive")
    run_bench(form, 1, 2, 200)
    expect(form.get_by_role("status")).to_contain_text("Done: 4 games.")
    expect(form.locator("tbody tr")).to_contain_text("aggressive – random")
    row = page.get_by_role("region", name="Matches").locator("tbody tr").filter(has_text="200 nodes")
    expect(row).to_contain_text("from 2 pairs")
    page.get_by_role("link", name="aggressive against random").first.click()
    expect(page.locator("tbody tr")).to_have_count(4)


# Tables and plots


def test_matches_are_summed_up_with_elo_from_swapped_seats(new_page: Callable[..., Page], server: Server) -> None:
    results = keep_match(server, "nim", "modulo", "anyhow", 12, 1910)
    won = sum(str(result.trace.agents[result.trace.outcome.winner or 0]) == "modulo" for result in results)
    page = new_page("/compare?game=nim&budget=1910+nodes")
    row = page.get_by_role("region", name="Matches").locator("tbody tr")
    expect(row).to_contain_text("anyhow – modulo")
    expect(row).to_contain_text(f"{24 - won} / 0 / {won}")
    expect(row).to_contain_text("from 12 pairs")
    cell = page.get_by_role("link", name=f"{won}/24, modulo against anyhow")
    cell.click()
    expect(page.get_by_text("24 games")).to_be_visible()


def test_the_table_is_sorted_filtered_and_kept_in_the_address(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight,drunk,backwards", range(1, 4), 1911, ["short", "trap"])
    page = new_page("/compare?game=stroll&budget=1911+nodes")
    expect(lines(page)).to_have_count(3)
    page.get_by_role("button", name="Agents").click()
    expect(lines(page).first).to_contain_text("backwards")
    page.get_by_role("button", name="Agents").click()
    expect(lines(page).first).to_contain_text("straight")
    page.get_by_label("Level", exact=True).select_option("short")
    expect(lines(page, "straight").get_by_role("link").first).to_have_text("3")
    page.reload()
    expect(lines(page).first).to_contain_text("straight")
    expect(lines(page, "straight").get_by_role("link").first).to_have_text("3")
    page.get_by_label("Agent", exact=True).select_option("drunk")
    expect(lines(page)).to_have_count(1)


def test_plots_tell_their_values_by_keyboard_and_open_games(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight,drunk", range(1, 5), 1912)
    page = new_page("/compare?game=stroll&budget=1912+nodes")
    plot = page.locator("figure").filter(has=page.get_by_role("heading", name="Won, with intervals"))
    plot.locator(".plot-area").focus()
    page.keyboard.press("End")
    expect(plot.locator(".readout")).to_contain_text("drunk, 1912 nodes")
    page.keyboard.press("ArrowUp")
    expect(plot.locator(".readout")).to_have_text(re.compile("straight, 1912 nodes: 100 % won, between .* and 100 %"))
    plot.get_by_text("The numbers").click()
    expect(plot.get_by_role("row").filter(has_text="straight")).to_contain_text("100 %")
    strips = page.locator("figure").filter(has=page.get_by_role("heading", name="Steps of every game"))
    expect(strips).to_contain_text("On the 4 levels and seeds that all of these have played.")
    expect(strips.locator("circle.dot")).to_have_count(8)
    expect(strips.locator("circle.dot.won")).not_to_have_count(0)
    strips.locator(".plot-area").focus()
    page.keyboard.press("ArrowRight")
    expect(strips.locator(".readout")).to_contain_text("seed")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/replay/"))


def test_the_same_games_only_are_drawn_unless_all_are_wanted(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight", range(1, 8), 1913)
    keep_bench(server, "stroll", "drunk", range(5, 10), 1913)
    page = new_page("/compare?game=stroll&budget=1913+nodes")
    expect(page.locator("circle.dot")).to_have_count(2 * 3)
    page.get_by_label("same games only").uncheck()
    expect(page.locator("circle.dot")).to_have_count(7 + 5)
    page.get_by_role("checkbox", name="Draw drunk").uncheck()
    expect(page.locator("circle.dot")).to_have_count(7)


def test_several_budgets_of_one_agent_are_a_curve(new_page: Callable[..., Page], server: Server) -> None:
    for nodes in (1914, 19140, 191400):
        keep_bench(server, "stroll", "drunk", range(1, 4), nodes, ["short"], patience=29)
    page = new_page("/compare?game=stroll&rules=patience%3D29")
    plot = page.locator("figure").filter(has=page.get_by_role("heading", name="Wins by nodes"))
    expect(plot.locator(".marker")).to_have_count(3 + 1)  # and the one of the legend
    expect(plot.locator(".plot-area")).to_have_attribute("aria-label", re.compile("191,400 nodes"))


def test_a_cell_of_the_level_table_opens_its_games(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight,drunk", range(1, 4), 1915, ["short", "trap"])
    page = new_page("/compare?game=stroll&budget=1915+nodes")
    table = page.get_by_role("region", name="Level by level")
    expect(table.get_by_role("link", name="100 % 3/3 won, straight on short")).to_have_text("100 % 3/3")
    expect(table.get_by_role("link", name="0 % 0/3 won, straight on trap")).to_have_text("0 % 0/3")
    table.get_by_role("link", name="straight on trap").click()
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.locator("tbody tr").first).to_contain_text("fell into the trap")


def test_two_lines_are_compared_on_the_same_games(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight", range(1, 7), 1916, ["short"])
    keep_bench(server, "stroll", "straight:stop_at=1", range(1, 9), 1916, ["short"])
    page = new_page("/compare?game=stroll&budget=1916+nodes")
    pair = page.locator(".pair-box")
    expect(pair).to_contain_text("only straight won: 6")
    expect(pair).to_contain_text("straight wins more often")
    expect(pair).to_contain_text("+100 points, between +44.8 points and +100 points")
    expect(pair).to_contain_text("0.0313")  # two of sixty-four ways a fair coin falls six times
    expect(pair.locator("tbody tr")).to_have_count(6)
    pair.get_by_role("link", name="Side by side: short, seed 1").click()
    expect(page.locator("canvas[data-ready=yes]")).to_have_count(2)
    expect(page.locator(".mark.good")).to_have_count(2)


def test_lines_without_a_common_game_say_so(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight", [1], 1917, ["short"])
    keep_bench(server, "stroll", "drunk", [2], 1917, ["short"])
    page = new_page("/compare?game=stroll&budget=1917+nodes")
    expect(page.locator(".pair-box")).to_contain_text("no level and seed in common")


def test_long_names_do_not_push_the_table_off_the_page(new_page: Callable[..., Page], server: Server) -> None:
    keep_bench(server, "stroll", "straight:stop_at=999999999999999999999999999999999999999", [1], 1918, patience=27)
    keep_bench(server, "stroll", "straight,drunk", range(1, 4), 1918)
    page = new_page("/compare?game=stroll&budget=1918+nodes")
    expect(lines(page)).to_have_count(3)
    box = page.get_by_role("region", name="Compare")
    widths = box.evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert widths[0] <= widths[1], widths
    for theme in ("light", "dark"):
        phone = new_page("/compare?game=stroll&budget=1918+nodes", **PHONE, theme=theme)
        expect(lines(phone)).to_have_count(3)
        expect(phone.locator("figure svg").first).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_nonsense_in_the_address_is_survived(new_page: Callable[..., Page]) -> None:
    page = new_page("/compare?game=%3Cscript%3E&sort=x&pair=1,2,3&metric=y&levels=%00")
    expect(page.get_by_role("alert")).to_contain_text("There is no game “<script>” here.")
    expect(page.get_by_label("Game", exact=True)).to_have_value("ricochet")
    page.goto("/compare?game=stroll&level=nowhere&sort=-nothing&pair=zz,yy")
    expect(page.get_by_text("No saved game matches these filters.")).to_be_visible()


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("/api/compare?game=nothing", 200),
        ("/api/compare?game=" + "x" * 5000, 400),
        ("/api/compare?game=stroll&seeds=9-3", 400),
        ("/api/paired?game=stroll&first=a&second=b", 404),
        ("/api/paired", 404),
        ("/api/traces?limit=abc&offset=-1&order=stored", 200),
        ("/api/traces?limit=99999999999999999999&offset=999999999999", 200),
        ("/api/traces?order=;drop", 404),
        ("/api/traces?seeds=99999999999999999999999", 400),
        ("/api/traces?verdict=maybe", 404),
    ],
)
def test_questions_by_http_are_answered_whatever_they_say(server: Server, question: str, status: int) -> None:
    answer = httpx.get(f"{server.address}{question}", timeout=30)
    assert answer.status_code == status, answer.text
    assert status == 200 or answer.json()["text"]


# Without a browser


def test_games_of_different_salts_are_no_pairs_though_level_and_seed_are_the_same(home) -> None:
    store, found = Store(home), []
    for agent, salts in (("drunk", (1, 2)), ("straight", (2, 3))):
        for salt in salts:
            specs = [AgentSpec(agent)]
            todo = tournament.bench_episodes(stroll.ROOM, None, specs, range(1, 4), {}, Budget(nodes=10), salt)
            found += executors.run(todo, sink=store)
    drunk, straight = (compare.line_id(name) for _, name in sorted(store.line_names("stroll").items()))
    answer = compare.paired(store, messages.Audit(game="stroll"), drunk, straight)
    assert answer["paired"]["pairs"] == 3
    names = {result.trace.episode: content_hash(result.trace) for result in found if result.trace.salt == 2}
    told = {game[side]["trace"] for game in answer["games"] for side in ("first", "second")}
    assert told == set(names.values())


def test_a_match_of_another_salt_does_not_complete_a_pair(home) -> None:
    store = Store(home)
    level = NamedLevel("heap", "9")
    one, two = AgentSpec("modulo"), AgentSpec("anyhow")
    games = tournament.match_episodes(nim.ROOM, level, one, two, 3, {}, Budget(nodes=10))
    executors.run(games[:2], sink=store)
    executors.run([games[2], *tournament.salted(games[3:4], 7)], sink=store)
    (match,) = compare.summary(store, messages.Audit(game="nim"))["matches"]
    assert (match["games"], match["pairs"]) == (4, 1)
