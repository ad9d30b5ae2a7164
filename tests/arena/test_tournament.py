"""What a bench and a match add up to, by hand."""

from __future__ import annotations

import pytest
from toys import nim, stroll

from gridsage.arena import executors, stats, tournament
from gridsage.arena.match import play
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
