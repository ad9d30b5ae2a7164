"""Filters, order, counts: what SQL answers is what looking at every game would."""

from __future__ import annotations

import itertools
import sqlite3

import msgspec
import pytest

from gridsage.core.errors import UnknownName
from gridsage.core.game import Budget
from gridsage.store import DIFFERS, VERIFIED, Check, Store, Wanted, aliases, queries, schema
from gridsage.store.lines import summaries
from store.games import duels, many, results

FILTERS = {
    "game": ["stroll", "nim", "nothing"],
    "agent": ["drunk", "modulo", "nobody"],
    "opponent": ["anyhow"],
    "level": ["short", "seed-2", "nowhere"],
    "outcome": ["arrived", "agent crashed"],
    "won": [True, False],
    "seeds": [range(2, 3), [1, 3], range(0), range(10**6)],
    "imported": [True, False],
}


@pytest.fixture
def store(home):
    store = Store(home)
    store.put_many([*results("drunk"), *results("straight", nodes=20), *results("crashing"), *duels()])
    store.put(results("drunk", patience="9")[0])
    store.add_foreign(results("drunk", seeds=[7])[0].trace)
    return store


def fits(row, wanted):
    """The plain twin of the filters."""
    return (
        (wanted.game is None or row.game == wanted.game)
        and (wanted.agent is None or wanted.agent in row.agents)
        and (wanted.opponent is None or wanted.opponent in row.agents)
        and (wanted.level is None or row.level == wanted.level)
        and (wanted.outcome is None or row.outcome == wanted.outcome)
        and (wanted.won is None or row.won == wanted.won)
        and (wanted.seeds is None or row.seed in wanted.seeds)
        and (wanted.imported is None or row.imported == wanted.imported)
    )


def wishes():
    for one, two in itertools.combinations(FILTERS, 2):
        for first, second in itertools.product([None, *FILTERS[one]], [None, *FILTERS[two]]):
            yield Wanted(**{one: first, two: second})


@pytest.mark.parametrize(("few_seeds", "few_of_kinds"), [(20_000, 100_000), (1, 100_000), (1, 0)])
def test_every_filter_and_every_two_of_them_mean_the_same_as_looking_at_all_games(
    store, monkeypatch, few_seeds, few_of_kinds
):
    monkeypatch.setattr(queries, "FEW_SEEDS", few_seeds)
    monkeypatch.setattr(queries, "FEW_OF_KINDS", few_of_kinds)
    everything = store.rows()
    assert len(everything) == 17
    for wanted in wishes():
        right = [row for row in everything if fits(row, wanted)]
        assert store.rows(wanted, limit=100) == right, wanted
        assert store.rows(wanted, limit=3, offset=1) == right[1:4], wanted
        assert store.rows(wanted, limit=3, order="stored") == right[::-1][:3], wanted
        assert store.rows(wanted) == right, wanted
        with store.selected(wanted) as found:
            assert found.total() == len(right), wanted
            assert {row.id for row in found.each()} == {row.id for row in right}, wanted


def test_games_of_many_seeds_are_found_in_whatever_spans_they_lie(home, monkeypatch):
    four_games = schema.TABLES.replace(f">> {schema.SPAN_BITS}", ">> 2")
    monkeypatch.setattr(schema, "TABLES", four_games)
    monkeypatch.setattr(queries, "FEW_SEEDS", 1)
    store = Store(home)
    games = many(40)
    for game in [*games[20:], *games[:20], *games[5:6], *games[20:25]]:  # the later ones stand for the earlier
        store.put(game, replace=True)
    everything = store.rows()
    for seeds in (range(20), range(3, 9), range(20, 40), range(18, 22), [39, 5, 24], range(90, 99)):
        right = [row for row in everything if row.seed in seeds]
        for limit, offset in ((50, 0), (2, 0), (3, 2)):
            assert store.rows(Wanted(seeds=seeds), limit=limit, offset=offset) == right[offset : offset + limit], seeds
            turned = store.rows(Wanted(seeds=seeds), limit=limit, offset=offset, order="stored")
            assert turned == right[::-1][offset : offset + limit], seeds


@pytest.mark.parametrize("order", [sign + name for name in queries.ORDERS for sign in ("", "-")])
def test_pages_in_any_order_lose_and_repeat_nothing(store, order):
    pages = [store.rows(Wanted(), order=order, limit=5, offset=offset) for offset in range(0, 20, 5)]
    listed = [row.id for page in pages for row in page]
    assert sorted(listed) == sorted(row.id for row in store.rows())
    assert listed == [row.id for row in store.rows(order=order)]


def test_orders_mean_what_they_say(store):
    assert [row.stored for row in store.rows(order="stored")] == sorted(row.stored for row in store.rows())
    assert [row.steps for row in store.rows(order="-steps")] == sorted(
        (row.steps for row in store.rows()), reverse=True
    )
    with pytest.raises(UnknownName, match="no order 'height'"):
        store.rows(order="height")


def test_levels_are_sorted_by_their_numbers(home):
    store = Store(home)
    for number, name in enumerate(["level-10", "level-9", "level-100"]):
        (game,) = many(1, level_name=name)
        store.put(msgspec.structs.replace(game, trace=_as_episode(game.trace, number)))
    assert [row.level for row in store.rows(order="level")] == ["level-9", "level-10", "level-100"]


def _as_episode(trace, number):
    return msgspec.structs.replace(trace, episode=f"{number:032x}")


def test_games_are_listed_newest_first_also_across_kinds(store):
    for wanted in (Wanted(game="stroll"), Wanted(agent="drunk"), Wanted()):
        stored = [row.stored for row in store.rows(wanted, limit=100)]
        assert stored == sorted(stored, reverse=True)


def test_the_verdict_that_counts_was_found_with_todays_code(store):
    first, second, third = [row.trace for row in store.rows(game="stroll", limit=3)]
    for name, code, verdict in ((first, "today", VERIFIED), (second, "old", VERIFIED), (third, "today", DIFFERS)):
        store.put_check(Check(name, 1.0, 1, code, verdict))

    def named(verdict):
        return {row.trace for row in store.rows(Wanted(game="stroll", verdict=verdict, codes={"stroll": "today"}))}

    assert named(VERIFIED) == {first} and named(DIFFERS) == {third}
    assert second in named("") and not {first, third} & named("")
    store.put_check(Check(first, 2.0, 1, "today", DIFFERS))
    assert named(DIFFERS) == {first, third} and named(VERIFIED) == set()


def test_a_verdict_outlives_the_game_being_kept_again(store):
    (game,) = results("drunk", seeds=[3])
    name = store.put(game)
    store.put_check(Check(name, 1.0, 1, "today", DIFFERS))
    store.put(game, replace=True)
    wanted = Wanted(verdict=DIFFERS, codes={"stroll": "today"})
    assert [row.trace for row in store.rows(wanted)] == [name]


def test_games_before_a_moment(store):
    middle = store.rows(limit=1, offset=8)[0]
    earlier = store.rows(Wanted(before=middle.stored))
    assert [row.id for row in earlier] == [row.id for row in store.rows()[9:]]


def test_a_bad_value_is_named_and_skipped(store):
    store.close()
    with sqlite3.connect(store.home / "index.sqlite") as index:
        index.execute("UPDATE games SET figures = '{broken' WHERE id = 1")
        index.execute("UPDATE games SET seconds = 'soon' WHERE id = 2")
        index.execute("UPDATE games SET scores = '[\"a\"]' WHERE id = 3")
    index.close()
    assert len(store.rows()) == 14
    assert len(store.warnings) == 3 and all("has a bad value in the index" in text for text in store.warnings)
    with store.selected(Wanted()) as found:
        lines = summaries(found, store.line_names(), lambda game: ["lefts"])
        assert sum(line.games for line in lines) == 16, "a time in words is no number"
        told = [line.figures for line in lines if "drunk" in line.name.players]
    assert any(told) and any("{broken" in text for text in store.warnings)


def test_lines_never_mix_options_budgets_code_or_imported_games(store):
    (game,) = results("drunk", seeds=[2])
    edited = msgspec.structs.replace(game, code="fedcba9876543210")
    store.put(msgspec.structs.replace(edited, trace=_as_episode(edited.trace, 5)))
    with store.selected(Wanted(game="stroll", agent="drunk")) as found:
        lines = {line.name.rules: line for line in summaries(found, store.line_names("stroll"))}
    assert set(lines) == {"standard", f"standard, code {game.code[:8]}", "patience=9", "standard, imported"}
    assert lines["standard"].games == 1, "the newest code goes unnamed"
    assert lines[f"standard, code {game.code[:8]}"].games == 3
    assert lines["standard, imported"].games == 1


def test_summaries_have_the_numbers_of_their_games(store):
    with store.selected(Wanted(game="stroll", agent="straight")) as found:
        (line,) = summaries(found, store.line_names("stroll"), lambda game: ["lefts", "nothing"])
    rows = store.rows(game="stroll", agent="straight")
    assert line.games == line.wins == 3 and line.outcomes == {"arrived": 3}
    assert sorted(line.numbers["steps"]) == sorted(row.steps for row in rows)
    assert sorted(line.numbers["score"]) == sorted(row.scores[0] for row in rows)
    assert line.name.budget == "20 nodes" and line.name.players == "straight"
    assert line.figures == {"lefts": sum(row.figures["lefts"] for row in rows) / 3}


def test_an_option_typed_and_one_chosen_on_the_page_are_the_same_line(home):
    store = Store(home)
    store.put(results(patience="9")[0])
    store.put(results(patience=9)[1])
    with store.selected(Wanted()) as found:
        assert [line.games for line in summaries(found, store.line_names())] == [2]


def test_games_of_different_salts_are_counted_together(home):
    store = Store(home)
    (game,) = results(seeds=[1])
    for salt in (1, 2):
        salted = msgspec.structs.replace(game.trace, salt=salt, episode=f"{salt:032x}")
        store.put(msgspec.structs.replace(game, trace=salted))
    with store.selected(Wanted()) as found:
        assert [line.games for line in summaries(found, store.line_names())] == [2]


def test_two_seats_with_different_budgets_are_named_both(home):
    store = Store(home)
    game = duels(1)[0]
    uneven = msgspec.structs.replace(game.trace, budgets=(Budget(nodes=5), Budget(seconds=0.1)))
    store.put(msgspec.structs.replace(game, trace=uneven))
    assert [name.budget for name in store.line_names().values()] == ["5 nodes - 0.1 seconds"]


def test_a_large_budget_is_named_in_full_and_a_single_second_is_one(home):
    store = Store(home)
    game = duels(1)[0]
    uneven = msgspec.structs.replace(game.trace, budgets=(Budget(nodes=1_000_000), Budget(seconds=1.0)))
    store.put(msgspec.structs.replace(game, trace=uneven))
    assert [name.budget for name in store.line_names().values()] == ["1000000 nodes - 1 second"]


def test_a_choice_of_lines_narrows_what_is_counted_and_listed(store):
    with store.selected(Wanted()) as every:
        lines = [number for number, line in every.lines.items() if line.game == "nim"]
        narrow = every.of_lines(lines)
        assert 0 < narrow.total() < every.total()
        assert sum(games for _, games in narrow.counts()) == narrow.total() == len(store.rows(game="nim"))
        condition, values = narrow.whole()
        (found,) = narrow.connection.execute(f"SELECT COUNT(*) FROM games WHERE {condition}", values).fetchone()
        assert found == narrow.total()


def test_agents_of_a_game_that_is_not_here_or_cannot_be_loaded_keep_their_names(monkeypatch):
    assert aliases.current("nothing", "report:depth=2") == "report:depth=2"

    def broken(name):
        raise ImportError("anybody's code")

    monkeypatch.setattr(aliases.catalog, "names", lambda: ["broken"])
    monkeypatch.setattr(aliases.catalog, "room", broken)
    assert aliases.current("broken", "report") == "report"


def test_the_numbers_that_a_writer_remembers_are_bounded(home, monkeypatch):
    monkeypatch.setattr(schema, "MOST_NUMBERS", 2)
    kept = []
    number = schema.Writer._number

    def counted(self, *given):
        found = number(self, *given)
        kept.append(len(self._numbers))
        return found

    monkeypatch.setattr(schema.Writer, "_number", counted)
    Store(home).put_many([*results("drunk"), *results("straight", nodes=20), *duels()])
    assert max(kept) == 2


@pytest.mark.parametrize("rare", [Wanted(level="rare"), Wanted(agent="straight")])
def test_a_few_old_games_among_many_are_found_without_going_through_the_many(home, rare):
    store = Store(home)
    old = many(6)
    store.put_many([*many(3, level_name="rare"), *results("straight")])
    copies = enumerate(old * 500, start=100)
    store.put_many([msgspec.structs.replace(game, trace=_as_episode(game.trace, number)) for number, game in copies])
    with store.selected(rare) as found:
        steps = []
        found.connection.set_progress_handler(lambda: steps.append(0) and None, 1)
        assert len(found.newest(2)) == 2
        found.connection.set_progress_handler(None, 1)
    assert len(steps) < 3_000, "one step of SQLite per game, at the least, is what going through them would take"
