"""Benches and matches: which episodes to play, and the table that sums them up."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from gridsage.arena import stats
from gridsage.core.game import Budget
from gridsage.core.room import NamedLevel, Room
from gridsage.core.trace import AgentSpec, Episode, Result
from gridsage.games import catalog


class AgentLine(msgspec.Struct, frozen=True):
    """One agent's line in the table of a bench."""

    agent: str
    episodes: int
    wins: int
    win_rate: stats.Interval
    steps: stats.Interval  # median over won episodes
    score: stats.Interval  # median over all
    seconds: stats.Interval  # median over episodes of all thinking in one
    decision_p95: float  # the median over episodes of their 95th percentile of seconds per decision
    nodes: float  # median over episodes
    outcomes: dict[str, int]
    figures: dict[str, float]  # mean over the episodes that report them


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
) -> list[Episode]:
    """Return every agent on every level and seed; without levels, on the level that each seed makes.

    In games for two each agent plays against itself.
    """
    tasks: list[tuple[NamedLevel, int]] = []
    for seed in seeds:
        if levels is not None:
            tasks += [(level, seed) for level in levels]
        else:
            assert room.levels.of_seed is not None
            tasks.append((room.levels.of_seed(seed), seed))
    seats = room.rules.seats_with(catalog.options(room, dict(options)))
    wanted = [episode(room, level, (spec,) * seats, seed, options, budget) for spec in agents for level, seed in tasks]
    return list({found.id: found for found in wanted}.values())  # the same game twice proves nothing more


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


def bench_table(results: Sequence[Result]) -> list[AgentLine]:
    """Return one line per agent, in the order in which agents first appear."""
    by_agent: dict[str, list[Result]] = {}
    for result in results:
        by_agent.setdefault(str(result.trace.agents[0]), []).append(result)
    return [_line(agent, played) for agent, played in by_agent.items()]


def pairings(results: Sequence[Result]) -> dict[tuple[str, str], stats.Paired]:
    """Compare each agent with each later one in the table, on the levels and seeds that both played."""
    wins: dict[str, dict[tuple[str, int], bool]] = {}
    for result in results:
        trace = result.trace
        wins.setdefault(str(trace.agents[0]), {})[trace.level_name, trace.seed] = trace.outcome.winner == 0
    names = list(wins)
    return {(a, b): stats.paired(wins[a], wins[b]) for i, a in enumerate(names) for b in names[i + 1 :]}


def match_summary(results: Sequence[Result], first: AgentSpec, second: AgentSpec, elo1: float = 10.0) -> MatchSummary:
    """Return the summary of a match whose results are in the order of `match_episodes`."""
    scores = [_score_of(result, seat=game % 2) for game, result in enumerate(results)]
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
        first_seat=stats.win_rate(sum(_score_of(result, seat=0) for result in results), games),
        outcomes=_outcomes(results),
    )


def _score_of(result: Result, seat: int) -> float:
    winner = result.trace.outcome.winner
    return 0.5 if winner is None else 1.0 if winner == seat else 0.0


def _line(agent: str, played: Sequence[Result]) -> AgentLine:
    won = [result for result in played if result.trace.outcome.winner == 0]
    numbers: dict[str, list[float]] = {}
    for result in played:
        for name, value in result.figures.items():
            if not isinstance(value, str):
                numbers.setdefault(name, []).append(value)
    return AgentLine(
        agent=agent,
        episodes=len(played),
        wins=len(won),
        win_rate=stats.win_rate(len(won), len(played)),
        steps=stats.median([len(result.trace.actions) for result in won]),
        score=stats.median([result.trace.outcome.scores[0] for result in played]),
        seconds=stats.median([result.seconds for result in played]),
        decision_p95=statistics.median([result.decisions.get("p95", 0.0) for result in played]),
        nodes=statistics.median([result.decisions.get("nodes", 0.0) for result in played]),
        outcomes=_outcomes(played),
        figures={name: statistics.fmean(values) for name, values in numbers.items()},
    )


def _outcomes(results: Sequence[Result]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for result in results:
        counts[result.trace.outcome.reason] = counts.get(result.trace.outcome.reason, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
