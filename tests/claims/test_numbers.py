"""Numbers as news writes them: values, bounds, and how two of them compare."""

from __future__ import annotations

import math
import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.claims.claim import (
    NUMBER,
    apply_bound,
    bound_of,
    compare_intervals,
    number_value,
    rounding_of,
)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("212", 212),
        ("2,400", 2400),
        ("2.4 million", 2.4e6),
        ("twenty-one", 21),
        ("three hundred and five", 305),
        ("1.5bn", 1.5e9),
        ("two dozen", 24),
        ("half a million", 5e5),
        ("a quarter of a million", 2.5e5),
        ("two and a half thousand", 2500),
        ("12 crore", 1.2e8),
        ("4-1/2", 4.5),
        ("41/2", 4.5),
    ],
)
def test_a_number_has_its_value(written: str, value: float) -> None:
    assert re.fullmatch(NUMBER, written, re.IGNORECASE)
    assert number_value(written) == pytest.approx(value)


@pytest.mark.parametrize("digits", ["1", "1,", "1,000", "1.5"])
def test_a_page_full_of_digits_is_searched_in_linear_time(digits: str) -> None:
    began = process_time()
    assert not re.search(rf"{NUMBER} people", digits * (20_000 // len(digits)))
    assert process_time() - began < 2


@pytest.mark.parametrize(
    ("before", "bound"),
    [
        ("killed at least ", "floor"),
        ("more than ", "above"),
        ("up to ", "ceiling"),
        ("fewer than ", "below"),
        ("nearly ", "nearly"),
        ("just over ", "over"),
        ("some ", "about"),
        ("the ", ""),
    ],
)
def test_words_before_a_number_bound_it(before: str, bound: str) -> None:
    assert bound_of(before)[0] == bound


def test_about_leaves_open_what_rounding_would() -> None:
    thirteen = apply_bound(13e9, "about")
    assert thirteen.low < 12.5e9 < 13.5e9 < thirteen.high < 13.9e9
    thirty = apply_bound(30, "about")
    assert thirty.low < 29 < 31 < thirty.high


def test_only_decimals_and_scales_are_rounded() -> None:
    assert rounding_of("13.9 billion") == pytest.approx(0.05e9)
    assert rounding_of("26") == 0


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ((26, ""), (26, ""), "equal"),
        ((26, ""), (20, "floor"), "entails"),
        ((30, "above"), (26, ""), "exclude"),
        ((30, "above"), (20, "above"), "entails"),
        ((7, ""), (7, "ceiling"), "entails"),
        ((13.9, ""), (14, "nearly"), "entails"),
        ((13.9, ""), (13, "about"), "exclude"),
        ((30, "about"), (28, "floor"), "overlap"),
    ],
)
def test_two_numbers_compare(
    first: tuple[float, str], second: tuple[float, str], order: str
) -> None:
    assert compare_intervals(apply_bound(*first), apply_bound(*second)) == order


def test_a_number_in_another_unit_is_equal_within_rounding() -> None:
    metres, feet = apply_bound(1.80, "", 0.005), apply_bound(1.8034, "", 0.0127)
    assert compare_intervals(metres, feet, converted=True) == "equal"


_BOUNDS = st.sampled_from(["", "floor", "above", "ceiling", "below", "nearly", "over", "about"])


@given(st.integers(0, 10_000), _BOUNDS, st.integers(0, 10_000), _BOUNDS)
def test_turning_two_numbers_round_turns_the_relation(
    one: int, bound: str, two: int, other: str
) -> None:
    first, second = apply_bound(one, bound), apply_bound(two, other)
    turned = {"entails": "entailed", "entailed": "entails"}
    forth = compare_intervals(first, second)
    assert compare_intervals(second, first) == turned.get(forth, forth)


def test_bounds_have_no_end() -> None:
    assert apply_bound(20, "floor").high == math.inf
