"""Agreement coefficients equal those of statsmodels and krippendorff."""

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.statistics import cohen_kappa, krippendorff_alpha

labels = st.integers(0, 3)
rated_twice = st.lists(st.tuples(labels, labels), min_size=2, max_size=40)
with_gaps = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.none() | labels, min_size=raters, max_size=raters), min_size=1, max_size=30
    )
)


@given(pairs=rated_twice)
def test_cohen_kappa_equals_statsmodels(inter_rater, pairs):
    table = np.zeros((4, 4))
    for first, second in pairs:
        table[first, second] += 1
    assume(len({label for pair in pairs for label in pair}) > 1)
    expected = inter_rater.cohens_kappa(table, return_results=False)
    assert cohen_kappa(*zip(*pairs, strict=True)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@given(ratings=with_gaps)
def test_krippendorff_alpha_equals_the_krippendorff_package(level, ratings):
    pairable = [[one for one in item if one is not None] for item in ratings]
    assume(len({one for item in pairable if len(item) > 1 for one in item}) > 1)
    by_rater = np.array(ratings, dtype=float).T
    expected = krippendorff.alpha(reliability_data=by_rater, level_of_measurement=level)
    assert krippendorff_alpha(ratings, level) == pytest.approx(expected, abs=1e-9)


def test_perfect_agreement_is_one():
    ratings = [("a", "a"), ("b", "b"), ("a", "a")]
    assert cohen_kappa("aba", "aba") == 1
    assert krippendorff_alpha(ratings) == 1


def test_agreement_on_a_single_label_is_undefined():
    constant = [("a", "a"), ("a", "a")]
    assert math.isnan(cohen_kappa("aa", "aa"))
    assert math.isnan(krippendorff_alpha(constant))


def test_two_annotators_who_each_use_one_label_agree_as_chance_would():
    assert cohen_kappa("aaa", "bbb") == 0


def test_disagreement_on_a_single_item_gives_0():
    assert cohen_kappa("a", "b") == 0
    assert krippendorff_alpha([("a", "b")]) == 0


def test_no_items_is_an_error():
    with pytest.raises(EmptyInput, match="no items"):
        cohen_kappa([], [])
    with pytest.raises(EmptyInput, match="no item has two labels"):
        krippendorff_alpha([])


def test_items_with_one_label_do_not_count_for_alpha():
    ratings = [(1, 1), (2, 2), (1, 2)]
    assert krippendorff_alpha([*ratings, (3, None), (None, None)]) == krippendorff_alpha(ratings)


def test_nan_counts_as_missing_for_alpha():
    assert krippendorff_alpha([(1.0, 1.0), (2.0, math.nan, 2.0)]) == 1


def test_annotators_of_different_numbers_of_items_are_refused():
    with pytest.raises(InputError, match="labelled 2 and 3 items"):
        cohen_kappa("ab", "abc")


def test_ordinal_alpha_refuses_labels_without_an_order():
    with pytest.raises(InputError, match="without an order"):
        krippendorff_alpha([("a", 1), ("b", 2)], "ordinal")


def test_interval_alpha_refuses_labels_that_are_not_numbers():
    with pytest.raises(InputError, match="must be numbers"):
        krippendorff_alpha([("a", "b"), ("b", "b")], "interval")


def test_alpha_is_a_plain_number_that_json_can_hold():
    assert type(krippendorff_alpha([[1, 2], [1, 1], [2, 2]], "ordinal")) is float
