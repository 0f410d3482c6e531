"""Correction for several tests equals statsmodels'."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.statistics import correct_p_values

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.long
@given(values=p_values)
def test_corrections_equal_statsmodels(values):
    from statsmodels.stats.multitest import multipletests

    expected = multipletests(values, method="holm")[1]
    assert correct_p_values(values) == pytest.approx(list(expected), abs=1e-12)


def test_holm_keeps_the_order_given():
    assert correct_p_values([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])


def test_no_tests_need_no_correction():
    assert correct_p_values([]) == []


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_values_that_are_no_p_value_are_refused(value):
    with pytest.raises(InputError, match="is not a p-value"):
        correct_p_values([0.5, value])
