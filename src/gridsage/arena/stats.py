"""What results mean: rates and medians with intervals, paired comparisons, Elo and SPRT."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054  # two-sided 95 %
RESAMPLES = 2_000
ELO_SCALE = 400.0
MANY = 2_000  # from here on ranks and the normal law give the bootstrap's interval, without its hundred million draws


Values: TypeAlias = Sequence[float] | NDArray[np.float64] | NDArray[np.int64]


class Interval(msgspec.Struct, frozen=True):
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    def __format__(self, form: str) -> str:
        """The estimate and its interval, each number in that form: f"{rate:.1%}" is "53.0% [50.1%; 55.9%]"."""
        value, low, high = (format(number, form) for number in (self.value, self.low, self.high))
        return f"{value} [{low}; {high}]"


class Paired(msgspec.Struct, frozen=True):
    """Two agents on the same games: who won where the other did not."""

    pairs: int
    both: int
    only_first: int
    only_second: int
    neither: int
    difference: Interval  # win rate of the first minus that of the second
    p_value: float  # exact, two-sided: that the differing pairs are a fair coin's


class Sprt(msgspec.Struct, frozen=True):
    """Where a sequential test stands: accepted `stronger`, accepted `not stronger`, or `go on`."""

    ratio: float  # log-likelihood ratio
    lower: float
    upper: float
    verdict: str


def win_rate(wins: float, games: int) -> Interval:
    """Return Wilson's interval for `wins` out of `games` (a draw is half a win); without games it is 0 to 1."""
    if games == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate, square = wins / games, Z95 * Z95
    centre = (rate + square / (2 * games)) / (1 + square / games)
    reach = Z95 * math.sqrt(rate * (1 - rate) / games + square / (4 * games * games)) / (1 + square / games)
    return Interval(rate, max(0.0, centre - reach), min(1.0, centre + reach))


def median(values: Values, seed: int = 0) -> Interval:
    """Return the median with a percentile bootstrap interval (by ranks if there are many values), the same per seed."""
    return _by_ranks(values) if len(values) > MANY else _bootstrap(values, seed, np.median)


def mean(values: Values, seed: int = 0) -> Interval:
    """Return the mean with a percentile bootstrap interval (the normal one if there are many values)."""
    if len(values) <= MANY:
        return _bootstrap(values, seed, np.mean)
    data = np.sort(np.asarray(values, dtype=np.float64))
    centre, reach = float(data.mean()), float(Z95 * data.std(ddof=1) / math.sqrt(len(data)))
    return Interval(centre, centre - reach, centre + reach)


def _by_ranks(values: Values) -> Interval:
    """Return the median with an interval between two of the values; the count below the median is binomial."""
    data = np.sort(np.asarray(values, dtype=np.float64))
    reach = Z95 * math.sqrt(len(data)) / 2
    low, high = math.floor(len(data) / 2 - reach), math.ceil(len(data) / 2 + reach)
    return Interval(float(np.median(data)), float(data[low]), float(data[high]))


def _bootstrap(values: Values, seed: int, statistic: Callable[..., NDArray[np.float64]]) -> Interval:
    data = np.sort(np.asarray(values, dtype=np.float64))  # draws go by place: the order must not change an interval
    if len(data) == 0:
        return Interval(math.nan, math.nan, math.nan)
    if len(data) == 1:
        return Interval(float(data[0]), float(data[0]), float(data[0]))
    picks = np.random.default_rng(seed).integers(0, len(data), (RESAMPLES, len(data)))
    low, high = np.percentile(statistic(data[picks], axis=1), [2.5, 97.5])
    return Interval(float(statistic(data)), float(low), float(high))


def paired_counts(both: int, only_first: int, only_second: int, neither: int) -> Paired:
    """The account of pairs that were counted already."""
    difference = rate_difference(both, only_first, only_second, neither)
    pairs, p_value = both + only_first + only_second + neither, sign_test(only_first, only_second)
    return Paired(pairs, both, only_first, only_second, neither, difference, p_value)


def rate_difference(both: int, only_first: int, only_second: int, neither: int) -> Interval:
    """The difference of two win rates on the same games, with Newcombe's interval for paired proportions.

    It joins the Wilson intervals of the two rates, so that few pairs give a wide interval and never a point. (A
    bootstrap of three pairs that all went one way says that the difference is certain.) No pairs say nothing: -1 to 1.
    """
    pairs = both + only_first + only_second + neither
    if pairs == 0:
        return Interval(math.nan, -1.0, 1.0)
    first, second = win_rate(both + only_first, pairs), win_rate(both + only_second, pairs)
    alike = _correlation(both, only_first, only_second, neither)
    value = (only_first - only_second) / pairs
    low = _joined(first.value - first.low, second.high - second.value, alike)
    high = _joined(first.high - first.value, second.value - second.low, alike)
    return Interval(value, max(-1.0, value - low), min(1.0, value + high))


def _correlation(both: int, only_first: int, only_second: int, neither: int) -> float:
    """How much the two agents win on the same games, -1 to 1, drawn towards 0 where the pairs are few."""
    pairs = both + only_first + only_second + neither
    product = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    if product == 0:
        return 0.0
    cross = both * neither - only_first * only_second
    corrected = cross if cross < 0 else max(0.0, cross - pairs / 2)
    return corrected / math.sqrt(product)


def _joined(one: float, other: float, alike: float) -> float:
    """The reach of a difference whose two sides have these reaches."""
    return math.sqrt(max(0.0, one * one - 2 * alike * one * other + other * other))


def sign_test(first: int, second: int) -> float:
    """Return the two-sided probability that a fair coin splits at least this unevenly (normal if there are many)."""
    flips, least = first + second, min(first, second)
    if flips > MANY:
        return math.erfc(max(0, abs(first - second) - 1) / math.sqrt(2 * flips))
    tail = sum(math.comb(flips, k) for k in range(least + 1)) / (1 << flips)
    return min(1.0, 2 * tail)


def expected_score(elo: float) -> float:
    """Return the score to expect from an advantage of `elo` points."""
    return 1 / (1 + 10 ** (-elo / ELO_SCALE))


def elo_of_score(score: float) -> float:
    """Return the advantage in Elo points that a score stands for; a clean sweep is infinite."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -ELO_SCALE * math.log10(1 / score - 1)


def elo(pair_scores: Sequence[float]) -> Interval:
    """Return the Elo difference from scores of pairs (same opening, seats swapped), each 0 to 1, with its interval.

    The interval comes from the spread of pairs, so an opening that decides both games does not count twice.
    """
    pairs = len(pair_scores)
    if pairs == 0:
        return Interval(math.nan, -math.inf, math.inf)
    score = math.fsum(pair_scores) / pairs
    # One imaginary drawn pair keeps the spread of a sweep above nothing.
    spread = math.fsum((value - score) ** 2 for value in [*pair_scores, 0.5]) / pairs
    reach = Z95 * math.sqrt(spread / pairs)
    return Interval(elo_of_score(score), elo_of_score(score - reach), elo_of_score(score + reach))


def sprt(
    pair_scores: Sequence[float], elo0: float = 0.0, elo1: float = 10.0, alpha: float = 0.05, beta: float = 0.05
) -> Sprt:
    """Test sequentially "stronger by elo1" against "by elo0" on pair scores of 0 to 1 (normal approximation)."""
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    pairs = len(pair_scores)
    if pairs < 2:
        return Sprt(0.0, lower, upper, "go on")
    score = math.fsum(pair_scores) / pairs
    spread = math.fsum((value - score) ** 2 for value in [*pair_scores, 0.5]) / pairs
    score0, score1 = expected_score(elo0), expected_score(elo1)
    ratio = pairs * (score1 - score0) * (2 * score - score0 - score1) / (2 * spread) if spread > 0 else 0.0
    verdict = "stronger" if ratio >= upper else "not stronger" if ratio <= lower else "go on"
    return Sprt(ratio, lower, upper, verdict)
