"""Kendall's tau-b equals scipy's."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.statistics import kendall_tau

tied = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=40)


@given(tied)
def test_tau_with_ties_equals_scipys(stats, pairs):
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    expected = stats.kendalltau(x, y, method="asymptotic")
    found = kendall_tau(x, y)
    assert found.tau == pytest.approx(expected.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-9)


@pytest.mark.parametrize("items", [3, 50, 1300])
def test_tau_without_ties_equals_scipys(stats, items):
    rng = np.random.default_rng(items)
    x = rng.random(items)
    y = x + rng.random(items)
    expected = stats.kendalltau(x, y, method="asymptotic")
    found = kendall_tau(x, y)
    assert found.tau == pytest.approx(expected.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-300)


def test_tau_of_many_items_with_ties_equals_scipys(stats):
    rng = np.random.default_rng(1)
    x = rng.integers(0, 30, 40_000).astype(float)
    y = x + rng.integers(0, 20, 40_000)
    expected = stats.kendalltau(x, y, method="asymptotic")
    assert kendall_tau(x, y).tau == pytest.approx(expected.statistic, abs=1e-12)


def test_equal_order_gives_1_and_reversed_order_minus_1():
    assert kendall_tau([1, 2, 3], [10, 20, 30]).tau == 1
    assert kendall_tau([1, 2, 3], [3, 2, 1]).tau == -1


def test_two_items_have_a_tau():
    assert kendall_tau([1, 2], [4, 3]).tau == -1


def test_a_constant_ranking_has_no_order_to_agree_with():
    found = kendall_tau([1, 1, 1], [1, 2, 3])
    assert math.isnan(found.tau)
    assert math.isnan(found.p_value)


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_items_is_an_error(values):
    with pytest.raises(InputError, match="at least two items"):
        kendall_tau(values, values)


def test_different_lengths_are_refused():
    with pytest.raises(InputError, match="cannot correlate 2 values with 3"):
        kendall_tau([1, 2], [1, 2, 3])


def test_values_that_are_not_numbers_are_refused():
    with pytest.raises(InputError, match="finite"):
        kendall_tau([1, math.nan], [1, 2])
