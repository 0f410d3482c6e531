"""Tests between two systems on the same items."""

import numpy as np
import pytest

from tatian.errors import InputError
from tatian.statistics import Score, approximate_randomization, micro_f1, paired_bootstrap

BOTH = pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])


def systems(shift, items=100, seed=0):
    rng = np.random.default_rng(seed)
    base = rng.random(items)
    other = base + rng.normal(shift, 0.2, items)
    return Score.of("m", other.tolist()), Score.of("m", base.tolist())


@BOTH
def test_a_clear_difference_is_significant(test):
    comparison = test(*systems(0.2))
    assert comparison.p_value < 0.001
    assert comparison.is_significant()
    assert comparison.difference == pytest.approx(comparison.first - comparison.second)


@BOTH
def test_a_system_does_not_differ_from_itself(test):
    score, _ = systems(0.0)
    comparison = test(score, score)
    assert comparison.difference == 0
    assert comparison.p_value == 1.0


@BOTH
def test_p_value_agrees_with_the_paired_t_test_on_many_items(stats, test):
    for seed in range(5):
        first, second = systems(0.04, seed=seed)
        expected = stats.ttest_rel(first.values, second.values).pvalue
        assert test(first, second).p_value == pytest.approx(expected, abs=0.03)


def test_randomization_agrees_with_scipys_permutation_test(stats):
    first, second = systems(0.03, items=40)
    expected = stats.permutation_test(
        (first.values, second.values),
        lambda a, b, axis: a.mean(axis) - b.mean(axis),
        permutation_type="samples",
        n_resamples=9999,
        vectorized=True,
        random_state=np.random.default_rng(5),
    ).pvalue
    assert approximate_randomization(first, second).p_value == pytest.approx(expected, abs=0.02)


def test_randomization_is_exact_on_two_items():
    first, second = Score.of("m", [1.0, 1.0]), Score.of("m", [0.0, 0.0])
    assert approximate_randomization(first, second).p_value == pytest.approx(0.5, abs=0.02)


@BOTH
def test_false_alarms_are_about_as_frequent_as_promised(test):
    alarms = sum(
        test(*systems(0.0, items=30, seed=seed), resamples=400).is_significant()
        for seed in range(200)
    )
    assert alarms / 200 <= 0.11


def test_interval_of_the_difference_agrees_with_scipys_bootstrap(stats):
    first, second = systems(0.05)
    differences = np.subtract(first.values, second.values)
    expected = stats.bootstrap(
        (differences,),
        np.mean,
        method="percentile",
        n_resamples=9999,
        random_state=np.random.default_rng(2),
    ).confidence_interval
    interval = paired_bootstrap(first, second).interval
    assert interval.low == pytest.approx(expected.low, abs=0.003)
    assert interval.high == pytest.approx(expected.high, abs=0.003)


@BOTH
def test_metrics_of_counts_are_compared_as_wholes(test):
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 9, 80)
    good = Score.of("f1", [(g, g, g) for g in gold.tolist()], micro_f1)
    bad = Score.of("f1", [(g // 2, g, g) for g in gold.tolist()], micro_f1)
    comparison = test(good, bad)
    assert comparison.first == 1.0
    assert comparison.is_significant(0.001)


@BOTH
def test_paired_test_is_deterministic(test):
    first, second = systems(0.03)
    assert test(first, second, seed=3) == test(first, second, seed=3)


@BOTH
def test_different_items_are_refused(test):
    first = Score.of("m", [0.1, 0.2], ids=["a", "b"])
    with pytest.raises(InputError, match="different items: item 1 is 'b' for one and 'c'"):
        test(first, Score.of("m", [0.1, 0.2], ids=["a", "c"]))
    with pytest.raises(InputError, match="different items: 2 and 3"):
        test(first, Score.of("m", [0.1, 0.2, 0.3]))


@BOTH
def test_different_data_are_refused(test):
    with pytest.raises(InputError, match="different data: x and y"):
        test(Score.of("m", [0.1, 0.2], data="x"), Score.of("m", [0.1, 0.2], data="y"))


@BOTH
def test_different_metrics_are_refused(test):
    with pytest.raises(InputError, match="different metrics: rouge1 and rouge2"):
        test(Score.of("rouge1", [0.1]), Score.of("rouge2", [0.1]))


def test_comparison_prints_on_one_line():
    printed = str(approximate_randomization(*systems(0.2)))
    assert printed.startswith("m: ")
    assert "approximate randomization, 10000 resamples, seed 1" in printed
    assert "\n" not in printed
