"""Intervals and tests against published or exact figures."""

from __future__ import annotations

import math
import random

import pytest

from gridsage.arena import stats


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    # Wilson's interval without continuity correction, as in Newcombe (1998), table I.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(wins, games, low, high):
    interval = stats.win_rate(wins, games)
    assert interval.low == pytest.approx(low, abs=1e-4)
    assert interval.high == pytest.approx(high, abs=1e-4)


def test_an_interval_is_written_in_any_form_of_numbers():
    assert f"{stats.Interval(0.53, 0.501, 0.559):.1%}" == "53.0% [50.1%; 55.9%]"
    assert f"{stats.Interval(104.2, 81.6, 127.0):+.0f}" == "+104 [+82; +127]"


def test_no_games_say_nothing():
    interval = stats.win_rate(0, 0)
    assert math.isnan(interval.value) and (interval.low, interval.high) == (0.0, 1.0)
    assert math.isnan(stats.median([]).value)


def test_the_bootstrap_is_repeatable_and_holds_the_median():
    values = [float(v * v % 97) for v in range(60)]
    first, second = stats.median(values, seed=3), stats.median(values, seed=3)
    assert first == second
    assert first.low <= first.value <= first.high
    assert stats.median([5.0]) == stats.Interval(5.0, 5.0, 5.0)


def test_the_bootstrap_covers_as_often_as_it_says():
    from gridsage.core.rng import generator

    covered = 0
    for seed in range(200):
        random = generator(seed)
        sample = [random.gauss(10.0, 2.0) for _ in range(40)]
        interval = stats.median(sample, seed)
        covered += interval.low <= 10.0 <= interval.high
    assert 180 <= covered <= 199


def test_the_sign_test_is_exact():
    assert stats.sign_test(0, 5) == pytest.approx(2 / 32)
    assert stats.sign_test(3, 3) == 1.0
    assert stats.sign_test(0, 0) == 1.0


def test_paired_comparison_counts_who_won_where():
    pair = stats.paired_counts(both=2, only_first=4, only_second=0, neither=4)
    assert (pair.pairs, pair.both, pair.only_first, pair.only_second, pair.neither) == (10, 2, 4, 0, 4)
    assert pair.difference.value == pytest.approx(0.4)
    assert pair.p_value == pytest.approx(2 / 16)


def test_few_pairs_give_a_wide_interval_and_never_a_point():
    three = stats.rate_difference(both=0, only_first=3, only_second=0, neither=0)
    assert three.value == 1.0 and three.low == pytest.approx(0.206, abs=1e-3) and three.high == 1.0
    assert stats.rate_difference(3, 0, 0, 0).high > 0.3 and stats.rate_difference(0, 0, 0, 3).low < -0.3
    nothing = stats.rate_difference(0, 0, 0, 0)
    assert math.isnan(nothing.value) and (nothing.low, nothing.high) == (-1.0, 1.0)


def test_the_paired_interval_turns_round_with_the_agents():
    one, other = stats.rate_difference(20, 9, 3, 8), stats.rate_difference(20, 3, 9, 8)
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))


def test_agents_that_win_the_same_games_are_told_apart_more_exactly():
    alike, apart = stats.rate_difference(45, 5, 0, 50), stats.rate_difference(25, 25, 20, 30)
    assert alike.value == apart.value == pytest.approx(0.05)
    assert alike.high - alike.low < (apart.high - apart.low) / 2


def test_the_paired_interval_covers_as_often_as_it_says():
    from gridsage.core.rng import generator

    covered = {12: 0, 60: 0}
    for pairs in covered:
        for seed in range(400):
            random, counts = generator(seed), [0, 0, 0, 0]
            for _ in range(pairs):
                hard = random.random()  # the same level for both, so wins go together
                counts[2 * (random.random() < hard) + (random.random() < hard * hard)] += 1
            neither, only_second, only_first, both = counts
            interval = stats.rate_difference(both, only_first, only_second, neither)
            covered[pairs] += interval.low <= 1 / 2 - 1 / 3 <= interval.high
    assert all(372 <= count <= 396 for count in covered.values()), covered


def test_of_many_flips_the_sign_test_is_quick_and_nearly_exact():
    exact = stats.sign_test(1_050, 950)
    assert stats.sign_test(1_051, 950) == pytest.approx(exact, abs=0.002)
    assert stats.sign_test(600_000, 400_000) == 0.0 and stats.sign_test(500_000, 500_000) == 1.0


def test_elo_and_score_are_inverse():
    for points in (-300.0, 0.0, 17.0, 400.0):
        assert stats.elo_of_score(stats.expected_score(points)) == pytest.approx(points)
    assert stats.elo_of_score(1.0) == math.inf and stats.elo_of_score(0.0) == -math.inf
    assert stats.expected_score(400) == pytest.approx(10 / 11)


def test_elo_of_pairs_has_an_interval_around_it():
    interval = stats.elo([1.0, 0.5, 0.5, 1.0, 0.0, 0.5, 1.0, 0.5])
    assert interval.low < interval.value < interval.high
    assert interval.value == pytest.approx(stats.elo_of_score(5 / 8))


def test_sprt_decides_both_ways():
    strong = [1.0, 0.5, 1.0, 0.5] * 60
    even = [1.0, 0.0, 0.5, 0.5] * 400
    assert stats.sprt(strong, 0, 20).verdict == "stronger"
    assert stats.sprt(even, 0, 20).verdict == "not stronger"
    assert stats.sprt(strong[:3], 0, 20).verdict == "go on"


def test_sprt_errs_about_as_rarely_as_promised():
    from gridsage.core.rng import generator

    wrong = 0
    for seed in range(120):
        random, scores = generator(seed), []
        while (verdict := stats.sprt(scores, 0, 40).verdict) == "go on":
            scores += [(random.random() < 0.5) / 2 + (random.random() < 0.5) / 2 for _ in range(10)]
        wrong += verdict == "stronger"
    assert wrong <= 14, "at most some 5 % of equal opponents may be called stronger"


def test_of_many_values_ranks_give_nearly_the_interval_of_the_bootstrap():
    values = [float(v * v % 9973) for v in range(stats.MANY + 1)]
    few, many = stats.median(values[:-1]), stats.median(values)
    assert many.low < many.value < many.high
    width = few.high - few.low
    assert many.low == pytest.approx(few.low, abs=width / 4) and many.high == pytest.approx(few.high, abs=width / 4)
    few, many = stats.mean(values[:-1]), stats.mean(values)
    assert many.low == pytest.approx(few.low, rel=0.01) and many.high == pytest.approx(few.high, rel=0.01)


def test_the_interval_of_many_equal_values_is_a_point():
    assert stats.median([3.0] * 5_000) == stats.Interval(3.0, 3.0, 3.0)


def test_the_interval_of_a_clean_sweep_is_kept_open_by_one_imaginary_drawn_pair():
    interval = stats.elo([1.0] * 4)
    reach = stats.Z95 * math.sqrt(0.25 / 4 / 4)
    assert (interval.value, interval.high) == (math.inf, math.inf)
    assert interval.low == pytest.approx(stats.elo_of_score(1.0 - reach))
    mixed = stats.elo([1.0, 0.5])
    reach = stats.Z95 * math.sqrt((0.25**2 + 0.25**2 + 0.25**2) / 2 / 2)
    assert mixed.low == pytest.approx(stats.elo_of_score(0.75 - reach))


def test_the_ratio_of_sprt_is_that_of_two_normal_laws():
    scores = [1.0, 0.5, 1.0, 0.0, 0.5, 1.0]
    centre = sum(scores) / 6
    spread = sum((score - centre) ** 2 for score in [*scores, 0.5]) / 6
    worse, better = stats.expected_score(-5.0), stats.expected_score(30.0)
    ratio = sum((score - worse) ** 2 - (score - better) ** 2 for score in scores) / (2 * spread)
    test = stats.sprt(scores, -5.0, 30.0, alpha=0.1, beta=0.02)
    assert test.ratio == pytest.approx(ratio)
    assert (test.lower, test.upper) == (pytest.approx(math.log(0.02 / 0.9)), pytest.approx(math.log(0.98 / 0.1)))


def test_sprt_needs_two_pairs_and_some_spread():
    assert stats.sprt([1.0], 0, 400) == stats.Sprt(0.0, stats.sprt([]).lower, stats.sprt([]).upper, "go on")
    assert stats.sprt([1.0, 1.0], 0, 400).ratio > 0
    assert stats.sprt([0.5] * 50).ratio == 0.0


def test_up_to_many_values_the_interval_is_drawn_by_seed_and_above_it_is_not():
    values = [float(v * v % 9973) for v in range(stats.MANY + 1)]
    for statistic in (stats.median, stats.mean):
        assert statistic(values[:-1], 1) != statistic(values[:-1], 2)
        assert statistic(values, 1) == statistic(values, 2)


def test_the_interval_of_many_is_the_normal_one():
    values = [float(v % 7) for v in range(stats.MANY + 1)]
    centre = sum(values) / len(values)
    reach = stats.Z95 * math.sqrt(sum((v - centre) ** 2 for v in values) / (len(values) - 1) / len(values))
    interval = stats.mean(values)
    assert (interval.low, interval.high) == (pytest.approx(centre - reach), pytest.approx(centre + reach))
    ranks = stats.median([float(v) for v in range(10_000)])
    assert (ranks.value, ranks.low, ranks.high) == (4999.5, 4902.0, 5098.0)


@pytest.mark.parametrize("many", [40, 4_000])
@pytest.mark.parametrize("statistic", [stats.median, stats.mean])
def test_the_order_in_which_games_came_in_changes_no_interval(statistic, many):
    chance = random.Random(1)
    values = [chance.expovariate(1.0) for _ in range(many)]
    assert statistic(values) == statistic(values[::-1]) == statistic(sorted(values))
