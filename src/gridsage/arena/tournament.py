"""Benches and matches: which episodes to play, and the table that sums them up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET

from gridsage.arena import schedule, stats
from gridsage.arena.schedule import Schedule
from gridsage.arena.standings import AgentLine, Standings, in_order
from gridsage.core.game import Budget, Outcome
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import AgentSpec, Episode, Result
from gridsage.games import catalog


class MatchSummary(msgspec.Struct, frozen=True):
    """Two agents over pairs of games with swapped seats, from the first agent's side."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    score: stats.Interval
    elo: stats.Interval
    sprt: stats.Sprt
    first_seat: stats.Interval  # score of whoever moved first
    outcomes: dict[str, int]


def episode(
    room: Room,
    level: NamedLevel,
    agents: Sequence[AgentSpec],
    seed: int,
    options: Mapping[str, object],
    budget: Budget,
    max_steps: int | None = None,
) -> Episode:
    """Return the spec of one game, with the digest of the code that will play it."""
    agents = tuple(catalog.current_name(room, spec) for spec in agents)
    return Episode(
        game=room.name,
        level_name=level.name,
        level=level.text,
        seed=seed,
        agents=agents,
        options=dict(options),
        budgets=(budget,) * len(agents),
        code=catalog.code_digest(room, agents),
        max_steps=room.rules.max_steps if max_steps is None else max_steps,
    )


def salted(episodes: Sequence[Episode], salt: int | None) -> list[Episode]:
    """Return the same games with a salt in their chance; without one they stay as they are."""
    if salt is None:
        return list(episodes)
    return [msgspec.structs.replace(episode, salt=salt) for episode in episodes]


def bench_episodes(
    room: Room,
    levels: Sequence[NamedLevel] | None,
    agents: Sequence[AgentSpec],
    seeds: Iterable[int],
    options: Mapping[str, object],
    budget: Budget,
    salt: int | None = None,
) -> Schedule:
    """Return every agent on every level and seed; without levels, on the level that each seed makes.

    In games for two each agent plays against itself. The same game twice proves nothing more, and is there once.
    """
    seats = room.rules.seats_with(catalog.options(room, dict(options)))
    made = [episode(room, NamedLevel("", ""), (spec,) * seats, 0, options, budget) for spec in agents]
    salted = [msgspec.structs.replace(pattern, salt=UNSET if salt is None else salt) for pattern in made]
    patterns = list({pattern.id: pattern for pattern in salted}.values())
    turns = seeds if isinstance(seeds, range) else list(dict.fromkeys(seeds))
    if levels is not None:
        return schedule.on_levels(patterns, turns, list(dict.fromkeys(levels)))
    assert room.levels.of_seed is not None
    return schedule.of_seeds(patterns, turns, room.levels.of_seed)


def match_episodes(
    room: Room,
    level: NamedLevel,
    first: AgentSpec,
    second: AgentSpec,
    pairs: int,
    options: Mapping[str, object],
    budget: Budget,
    first_seed: int = 1,
) -> list[Episode]:
    """Return pairs of games on the same seed with the seats swapped."""
    return [
        episode(room, level, seats, seed, options, budget)
        for seed in range(first_seed, first_seed + pairs)
        for seats in ((first, second), (second, first))
    ]


def bench_table(results: Iterable[Result]) -> list[AgentLine]:
    """Return one line per agent, in the order in which agents first appear."""
    return _summed_up(results).table()


def pairings(results: Iterable[Result]) -> dict[tuple[str, str], stats.Paired]:
    """Compare each agent with each later one in the table, on the levels, seeds and salts that both played."""
    return _summed_up(results).pairings()


def _summed_up(results: Iterable[Result]) -> Standings:
    standings = Standings()
    for result in results:
        standings.take(result)
    return standings


def match_summary(results: Sequence[Result], first: AgentSpec, second: AgentSpec, elo1: float = 10.0) -> MatchSummary:
    """Return the summary of a match whose results are in the order of `match_episodes`."""
    return match_account([result.trace.outcome for result in results], first, second, elo1)


def match_account(outcomes: Sequence[Outcome], first: AgentSpec, second: AgentSpec, elo1: float = 10.0) -> MatchSummary:
    """Return the summary of a match whose games ended like this, in the order of `match_episodes`."""
    scores = [_score_of(outcome, seat=game % 2) for game, outcome in enumerate(outcomes)]
    pair_scores = [(a + b) / 2 for a, b in zip(scores[::2], scores[1::2], strict=False)]
    games = len(scores)
    return MatchSummary(
        first=str(first),
        second=str(second),
        games=games,
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        score=stats.win_rate(sum(scores), games),
        elo=stats.elo(pair_scores),
        sprt=stats.sprt(pair_scores, 0.0, elo1),
        first_seat=stats.win_rate(sum(_score_of(outcome, seat=0) for outcome in outcomes), games),
        outcomes=in_order(Counter(outcome.reason for outcome in outcomes)),
    )


def _score_of(outcome: Outcome, seat: int) -> float:
    return 0.5 if outcome.winner is None else 1.0 if outcome.winner == seat else 0.0
