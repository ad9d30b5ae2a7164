"""The table of a bench, which grows with every result and keeps numbers only: some hundred bytes per game."""

from __future__ import annotations

import hashlib
import statistics
from array import array
from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridsage.arena import stats
from gridsage.core.trace import Result


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


class Standings:
    """Results summed up by agent. In whatever order they come, the table is the same."""

    def __init__(self, agents: Iterable[str] = ()) -> None:
        """Begin with nothing.

        Args:
            agents: in the order of the table; others come after them, as they are met.
        """
        self._scores = {agent: _Score() for agent in agents}

    def take(self, result: Result) -> None:
        """Count one more result."""
        self._scores.setdefault(str(result.trace.agents[0]), _Score()).take(result)

    def table(self) -> list[AgentLine]:
        """Return one line per agent that has played."""
        return [score.line(agent) for agent, score in self._scores.items() if score.outcomes]

    def pairings(self) -> dict[tuple[str, str], stats.Paired]:
        """Compare each agent with each later one in the table, on the levels, seeds and salts that both played."""
        played = [(agent, score.games()) for agent, score in self._scores.items() if score.outcomes]
        return {(a, b): _paired(ours, theirs) for i, (a, ours) in enumerate(played) for b, theirs in played[i + 1 :]}


class _Score:
    """The numbers of one agent's games."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self._steps_when_won, self._score, self._seconds = array("d"), array("d"), array("d")
        self._p95, self._nodes = array("d"), array("d")
        self._figures: dict[str, array[float]] = {}
        self._order: dict[str, int] = {}  # the last place at which a game reports a figure
        self._played, self._won = array("Q"), array("b")

    def take(self, result: Result) -> None:
        trace = result.trace
        won = trace.outcome.winner == 0
        self.outcomes[trace.outcome.reason] += 1
        if won:
            self._steps_when_won.append(len(trace.actions))
        self._score.append(trace.outcome.scores[0])
        self._seconds.append(result.seconds)
        self._p95.append(result.decisions.get("p95", 0.0))
        self._nodes.append(result.decisions.get("nodes", 0.0))
        self._played.append(_game(trace.level_name, trace.chance))
        self._won.append(won)
        for place, (name, value) in enumerate(result.figures.items()):
            if not isinstance(value, str):
                self._figures.setdefault(name, array("d")).append(value)
                self._order[name] = max(place, self._order.get(name, 0))

    def line(self, agent: str) -> AgentLine:
        episodes, wins = len(self._score), len(self._steps_when_won)
        names = sorted(self._figures, key=lambda name: (self._order[name], name))
        return AgentLine(
            agent=agent,
            episodes=episodes,
            wins=wins,
            win_rate=stats.win_rate(wins, episodes),
            steps=stats.median(self._steps_when_won),
            score=stats.median(self._score),
            seconds=stats.median(self._seconds),
            decision_p95=statistics.median(self._p95),
            nodes=statistics.median(self._nodes),
            outcomes=in_order(self.outcomes),
            figures={name: statistics.fmean(self._figures[name]) for name in names},
        )

    def games(self) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """Return which games were played, each once and in order, and which of them were won."""
        played, places = np.unique(np.array(self._played), return_index=True)
        return played, np.array(self._won, dtype=np.bool_)[places]


def _game(level: str, chance: int) -> int:
    """Return a number for a game that was there to be played. 64 bits: a million games share one once in 10^7 runs."""
    digest = hashlib.blake2b(f"{chance} {level}".encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest(), "big")


def _paired(
    ours: tuple[NDArray[np.uint64], NDArray[np.bool_]], theirs: tuple[NDArray[np.uint64], NDArray[np.bool_]]
) -> stats.Paired:
    _, in_ours, in_theirs = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    a, b = ours[1][in_ours], theirs[1][in_theirs]
    return stats.paired_counts(*(int(which.sum()) for which in (a & b, a & ~b, ~a & b, ~a & ~b)))


def in_order(outcomes: Counter[str]) -> dict[str, int]:
    """Return the endings with how often each was met, the most frequent first."""
    return dict(sorted(outcomes.items(), key=lambda item: (-item[1], item[0])))
