"""Numbers and times as news writes them: values, bounds, and how two of them compare."""

from __future__ import annotations

import math
import re
from datetime import date
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.claims.claim import (
    NUMBER,
    apply_bound,
    compare_intervals,
    find_bound,
    half_last_digit,
    number_value,
)
from tatian.claims.quantities import find_quantities
from tatian.claims.times import compare_clocks, find_clocks, find_dates


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
        ("three hundred and fifty thousand", 350_000),
        ("two thousand and five", 2005),
        ("two thousand three hundred and five", 2305),
        ("a hundred and fifty", 150),
        ("a hundred thousand", 1e5),
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
    assert find_bound(before)[0] == bound


def test_about_leaves_open_what_rounding_would() -> None:
    thirteen = apply_bound(13e9, "about")
    assert thirteen.low < 12.5e9 < 13.5e9 < thirteen.high < 13.9e9
    thirty = apply_bound(30, "about")
    assert thirty.low < 29 < 31 < thirty.high


def test_only_decimals_and_scales_are_rounded() -> None:
    assert half_last_digit("13.9 billion") == pytest.approx(0.05e9)
    assert half_last_digit("26") == 0


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


@given(st.integers(-10_000, 10_000), _BOUNDS)
def test_the_low_end_of_a_bound_is_not_above_its_high_end(value: int, bound: str) -> None:
    ends = apply_bound(value, bound)
    assert ends.low <= ends.high


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("Between 500 and 1,500 people came.", (500, 1500)),
        ("It drew 500 to 1,000 people.", (500, 1000)),
        ("It costs between $800 and $1,200.", (800, 1200)),
        ("It drew 20 to 30 thousand people.", (20_000, 30_000)),
        ("It drew two to three hundred people.", (200, 300)),
        ("It drew between ten and a hundred people.", (10, 100)),
        ("It drew between one hundred and two thousand people.", (100, 2000)),
        ("Three hundred and fifty thousand people came.", (350_000, 350_000)),
        ("Two thousand and five people came.", (2005, 2005)),
        ("He spoke to a score of people.", (20, 20)),
        ("Ravna lost 24-27.", (27_024, 27_024)),
        ("Ravna lost to Sokol 24-27.", (27_024, 27_024)),
    ],
)
def test_a_line_has_one_figure(line: str, ends: tuple[float, float]) -> None:
    found = [(claim.interval.low, claim.interval.high) for claim in find_quantities(line, set())]
    assert found == [ends]


def test_a_score_that_is_settled_is_no_number() -> None:
    assert not list(find_quantities("He settled a score with him.", set()))


@pytest.mark.parametrize(
    ("line", "ends", "unit"),
    [
        ("It fell at nine o'clock.", (540, 540), "half"),
        ("It fell at a quarter to noon.", (705, 705), "day"),
        ("It fell at half past noon.", (750, 750), "day"),
        ("It fell at a quarter to midnight.", (1425, 1425), "day"),
        ("It fell between 10 and 2 a.m.", (1320, 1560), "day"),
        ("It fell between 10 and 2 p.m.", (600, 840), "day"),
        ("It fell at 8:30 Eastern time.", (510, 510), "half eastern"),
    ],
)
def test_a_time_of_day_is_in_minutes(line: str, ends: tuple[int, int], unit: str) -> None:
    (clock,) = find_clocks(line, set())
    assert (clock.interval.low, clock.interval.high, clock.unit) == (*ends, unit)


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("9 p.m. EST", "9 p.m.", "equal"),
        ("9 p.m. EST", "10 p.m.", ""),
        ("9 p.m. EST", "10 p.m. EST", "exclude"),
        ("9 p.m. EST", "0200 GMT", "equal"),
        ("9 p.m. EST", "9 p.m. Moscow", "exclude"),
        ("9 p.m. EST", "9 p.m. Pacific", ""),
        ("8:30 Eastern", "8:30 p.m. Eastern", "equal"),
    ],
)
def test_times_of_day_compare_within_a_zone(first: str, second: str, order: str) -> None:
    (ours,), (theirs,) = (find_clocks(f"It fell at {time}.", set()) for time in (first, second))
    assert compare_clocks(ours.interval, ours.unit, theirs.interval, theirs.unit) == order


@pytest.mark.parametrize(
    ("words", "published", "first", "last"),
    [
        ("this winter", "2024-12-20", "2024-12-01", "2025-02-28"),
        ("this winter", "2025-01-20", "2024-12-01", "2025-02-28"),
        ("last winter", "2024-12-20", "2023-12-01", "2024-02-29"),
        ("next winter", "2024-12-20", "2025-12-01", "2026-02-28"),
        ("in the last week of June", "2024-09-10", "2024-06-24", "2024-06-30"),
        ("in the last week", "2024-09-10", "2024-09-03", "2024-09-10"),
        ("next weekend", "2024-09-14", "2024-09-20", "2024-09-22"),
        ("last weekend", "2024-09-15", "2024-09-06", "2024-09-08"),
        ("this weekend", "2024-09-15", "2024-09-13", "2024-09-15"),
        ("last weekend", "2024-09-11", "2024-09-06", "2024-09-08"),
    ],
)
def test_days_are_counted_from_publication(
    words: str, published: str, first: str, last: str
) -> None:
    (found,) = find_dates(f"It fell {words}.", (), {}, date.fromisoformat(published), ())
    days = [date.fromordinal(int(end)) for end in (found.interval.low, found.interval.high)]
    assert days == [date.fromisoformat(first), date.fromisoformat(last)]
