"""What a bench and a match add up to, by hand."""

from __future__ import annotations

import msgspec
import pytest
from toys import nim, stroll

from gridsage.arena import executors, stats, tournament
from gridsage.arena.match import play
from gridsage.arena.standings import Standings
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec

HEAP = NamedLevel("heap", "9")
MODULO, ANYHOW = AgentSpec("modulo"), AgentSpec("anyhow")


@pytest.fixture(scope="module")
def results():
    """Ten pairs of games; who knows the trick wins most of them, from either seat."""
    todo = tournament.match_episodes(nim.ROOM, HEAP, MODULO, ANYHOW, 10, {}, Budget(nodes=1))
    return executors.run(todo)


def test_a_match_swaps_the_seats_on_each_seed(results):
    seats = [[agent.name for agent in result.trace.agents] for result in results]
    assert seats == [["modulo", "anyhow"], ["anyhow", "modulo"]] * 10
    assert [result.trace.seed for result in results] == [seed for seed in range(1, 11) for _ in range(2)]


def test_the_summary_counts_wins_of_the_agent_and_not_of_the_seat(results):
    winners = [result.trace.agents[result.trace.outcome.winner].name for result in results]
    summary = tournament.match_summary(results, MODULO, ANYHOW)
    assert (summary.first, summary.second, summary.games) == ("modulo", "anyhow", 20)
    assert (summary.wins, summary.draws, summary.losses) == (winners.count("modulo"), 0, winners.count("anyhow"))
    assert summary.wins > 15, "the test says nothing if both win equally often"
    assert summary.score == stats.win_rate(summary.wins, 20)


def test_the_first_seat_has_an_account_of_its_own(results):
    summary = tournament.match_summary(results, MODULO, ANYHOW)
    moved_first = sum(result.trace.outcome.winner == 0 for result in results)
    assert summary.first_seat == stats.win_rate(moved_first, 20)
    assert moved_first != summary.wins


def test_elo_and_sprt_are_those_of_the_pairs(results):
    won = [float(result.trace.agents[result.trace.outcome.winner].name == "modulo") for result in results]
    pairs = [(won[game] + won[game + 1]) / 2 for game in range(0, 20, 2)]
    summary = tournament.match_summary(results, MODULO, ANYHOW, elo1=25.0)
    assert summary.elo == stats.elo(pairs)
    assert summary.sprt == stats.sprt(pairs, 0.0, 25.0)


def test_a_game_without_winner_is_a_draw():
    (spec, _) = tournament.match_episodes(nim.ROOM, HEAP, MODULO, ANYHOW, 1, {}, Budget())
    drawn = play(spec, watch=lambda steps, state, decision, events: steps < 2)
    summary = tournament.match_summary([drawn, drawn], MODULO, ANYHOW)
    assert (summary.wins, summary.draws, summary.losses, summary.score.value) == (0, 2, 0, 0.5)


def test_the_table_of_a_bench_has_a_line_per_agent_and_compares_on_equal_seeds():
    todo = tournament.bench_episodes(
        stroll.ROOM, None, [AgentSpec("drunk"), AgentSpec("straight")], range(1, 9), {"patience": 8}, Budget(nodes=5)
    )
    played = executors.run(todo)
    drunk, straight = tournament.bench_table(played)
    assert (drunk.agent, straight.agent) == ("drunk", "straight")
    assert (straight.episodes, straight.wins, straight.outcomes) == (8, 8, {"arrived": 8})
    won = [result.trace.outcome.winner == 0 for result in played[:8]]
    assert drunk.wins == sum(won) < 8
    pair = tournament.pairings(played)["drunk", "straight"]
    assert (pair.pairs, pair.both, pair.only_first, pair.only_second) == (8, sum(won), 0, 8 - sum(won))


def test_the_same_game_is_not_wanted_twice():
    twice = [AgentSpec("straight"), AgentSpec("straight")]
    assert len(tournament.bench_episodes(stroll.ROOM, None, twice, [1, 2], {}, Budget())) == 2


def test_a_bench_makes_its_episodes_when_they_are_asked_for_and_in_parts():
    levels = [NamedLevel("a", "S..X"), NamedLevel("b", "S.X"), NamedLevel("a", "S..X")]
    specs = [AgentSpec("drunk"), AgentSpec("straight")]
    todo = tournament.bench_episodes(stroll.ROOM, levels, specs, [3, 1, 3], {}, Budget(nodes=5))
    told = [(str(each.agents[0]), each.seed, each.level_name, each.level) for each in todo]
    seeds_and_levels = [(seed, *level) for seed in (3, 1) for level in (("a", "S..X"), ("b", "S.X"))]
    assert told == [(str(spec), *each) for spec in specs for each in seeds_and_levels]
    assert [each.id for each in todo[1::3]] == [each.id for each in list(todo)[1::3]]
    assert [each.id for each in todo[1::3][1:]] == [todo[4].id, todo[7].id] and todo[-1].id == todo[7].id
    assert [str(each.agents[0]) for each in todo[6:].kinds] == ["drunk", "straight"]
    by_hand = tournament.episode(stroll.ROOM, levels[1], [specs[1]], 3, {}, Budget(nodes=5))
    assert todo[5] == by_hand, "an episode is the same however it was made"
    endless = tournament.bench_episodes(stroll.ROOM, None, specs, range(10**12), {}, Budget(nodes=5))
    assert len(endless) == 2 * 10**12 and endless[-1].seed == 10**12 - 1


def test_the_table_does_not_depend_on_the_order_in_which_results_come():
    specs = [AgentSpec("drunk"), AgentSpec("straight")]
    todo = tournament.bench_episodes(stroll.ROOM, None, specs, range(1, 9), {"patience": 8}, Budget(nodes=5))
    played = executors.run(todo)
    odd = [msgspec.structs.replace(each, figures={"extra": 1.0, **each.figures}) for each in played[:1]]
    tables, pairs = [], []
    for order in ([*odd, *played[1:]], [*played[:0:-1], *odd]):
        standings = Standings(["drunk", "straight", "nobody"])
        for result in order:
            standings.take(result)
        tables.append([(line, list(line.figures)) for line in standings.table()])
        pairs.append(standings.pairings())
    assert tables[0] == tables[1] and pairs[0] == pairs[1]
    assert [line.agent for line, _ in tables[0]] == ["drunk", "straight"]


def test_games_of_different_salts_are_no_pairs():
    specs = [AgentSpec("drunk"), AgentSpec("straight")]
    plain, salted = (
        executors.run(tournament.bench_episodes(stroll.ROOM, None, specs, range(1, 5), {}, Budget(nodes=5), salt))
        for salt in (None, 7)
    )
    assert {result.trace.salt for result in salted} == {7}
    drunk, straight = plain[:4], salted[4:]
    assert tournament.pairings([*drunk, *straight])["drunk", "straight"].pairs == 0
    assert tournament.pairings([*drunk, *straight, *plain[6:]])["drunk", "straight"].pairs == 2
