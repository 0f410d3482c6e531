"""A score knows its value, its error, its interval and how it was made."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.statistics import Score, fingerprint, mean, micro_f1

VALUES = np.random.default_rng(7).random(200).tolist()
finite = st.floats(-1e6, 1e6)


def test_value_is_the_mean_of_the_items():
    assert Score.of("m", [1.0, 2.0, 6.0]).value == 3.0


def test_standard_error_of_a_mean_equals_scipys(stats):
    assert Score.of("m", VALUES).standard_error == pytest.approx(stats.sem(VALUES))


def test_interval_agrees_with_the_normal_approximation_on_many_items(stats):
    score = Score.of("m", VALUES, resamples=5000)
    low, high = stats.norm.interval(0.95, np.mean(VALUES), stats.sem(VALUES))
    assert score.interval.low == pytest.approx(low, abs=0.004)
    assert score.interval.high == pytest.approx(high, abs=0.004)


def test_interval_agrees_with_scipys_bootstrap_for_an_aggregate_of_counts(stats):
    rng = np.random.default_rng(3)
    gold = rng.integers(1, 9, 150)
    predicted = rng.integers(1, 9, 150)
    hits = rng.integers(0, np.minimum(gold, predicted) + 1)
    score = Score.of(
        "f1", np.stack([hits, predicted, gold], axis=1).tolist(), micro_f1, resamples=5000
    )
    reference = stats.bootstrap(
        (hits, predicted, gold),
        lambda h, p, g, axis=-1: 2 * h.sum(axis) / (p.sum(axis) + g.sum(axis)),
        paired=True,
        method="percentile",
        n_resamples=5000,
        random_state=np.random.default_rng(11),
    )
    assert score.value == 2 * hits.sum() / (predicted.sum() + gold.sum())
    assert score.standard_error == pytest.approx(reference.standard_error, rel=0.05)
    assert score.interval.low == pytest.approx(reference.confidence_interval.low, abs=0.005)
    assert score.interval.high == pytest.approx(reference.confidence_interval.high, abs=0.005)


def test_score_accepts_any_aggregate_of_the_items():
    def median(table):
        return np.median(table[..., 0], axis=-1)

    score = Score.of("median", [1.0, 2.0, 9.0], median)
    assert score.value == 2.0
    assert 1.0 <= score.interval.low <= score.interval.high <= 9.0


def test_micro_f1_is_zero_where_nothing_was_to_find_and_nothing_found():
    assert Score.of("f1", [(0, 0, 0), (0, 0, 0)], micro_f1).value == 0.0


def test_values_are_the_metric_on_each_item_alone():
    assert Score.of("m", [0.25, 0.5]).values == (0.25, 0.5)
    assert Score.of("f1", [(1, 2, 2), (3, 3, 3)], micro_f1).values == (0.5, 1.0)


@given(st.lists(finite, min_size=2, max_size=30), st.integers(0, 2**32))
def test_score_is_deterministic(values, seed):
    assert Score.of("m", values, seed=seed, resamples=50) == Score.of(
        "m", values, seed=seed, resamples=50
    )


@given(st.lists(finite, min_size=2, max_size=30))
def test_interval_lies_within_the_items(values):
    interval = Score.of("m", values, resamples=50).interval
    slack = 1e-9 * max(1.0, max(map(abs, values)))
    assert min(values) - slack <= interval.low <= interval.high <= max(values) + slack


def test_large_tables_are_resampled_in_batches_with_the_same_result(monkeypatch):
    whole = Score.of("m", VALUES, resamples=30)
    monkeypatch.setattr("tatian.statistics.score._CELLS_AT_ONCE", 1000)
    assert Score.of("m", VALUES, resamples=30).interval == whole.interval


def test_single_item_has_a_value_but_no_error():
    score = Score.of("m", [0.5])
    assert (score.value, score.standard_error, score.interval) == (0.5, None, None)


def test_constant_items_have_no_error():
    score = Score.of("m", [0.5] * 10)
    assert score.standard_error == 0.0
    assert (score.interval.low, score.interval.high) == (0.5, 0.5)


def test_no_items_is_an_error():
    with pytest.raises(EmptyInput, match="m: no items"):
        Score.of("m", [])


def test_items_that_are_not_numbers_are_named():
    with pytest.raises(InputError, match="item 1 has a value that is not a finite number"):
        Score.of("m", [0.5, math.nan])


def test_ragged_statistics_are_refused():
    with pytest.raises(InputError, match="differing numbers of statistics"):
        Score.of("f1", [(1, 2, 3), (1, 2)], micro_f1)


def test_ids_must_match_items():
    with pytest.raises(InputError, match="2 items, but 1 ids"):
        Score.of("m", [0.5, 0.5], ids=["a"])


def test_signature_prints_on_one_line():
    score = Score.of("rouge1", VALUES, options={"stem": "porter"}, data="abc", seed=9)
    assert re.fullmatch(
        r"rouge1\|stem:porter\|n:200\|bs:1000\|seed:9\|data:abc\|version:\d+\.\d+\.\d+\S*",
        str(score.signature),
    )
    assert str(score).startswith(str(score.signature))


def test_json_holds_value_error_interval_and_signature():
    score = Score.of("m", [0.0, 1.0])
    assert score.to_json() == {
        "value": 0.5,
        "standard_error": 0.5,
        "interval": {"low": 0.0, "high": 1.0, "level": 0.95},
        "signature": str(score.signature),
    }


def test_mean_reduces_items_of_stacked_tables():
    assert mean(np.arange(12.0).reshape(2, 3, 2)).tolist() == [2.0, 8.0]


@given(st.lists(st.text(), max_size=5), st.lists(st.text(), max_size=5))
def test_fingerprints_are_equal_exactly_for_equal_records(first, second):
    assert (fingerprint(first) == fingerprint(second)) == (first == second)


def test_fingerprint_is_short_and_hexadecimal():
    assert re.fullmatch(r"[0-9a-f]{12}", fingerprint(["a", "\ud800"]))
