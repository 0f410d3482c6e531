"""What numbers say, in figures and in words."""

from __future__ import annotations

import re
from time import process_time

import pytest

from tatian.text.quantities import NUMBER, in_words, number_at, value_of


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("212", 212),
        ("2,400", 2400),
        ("2.4 million", 2.4e6),
        ("twenty-one", 21),
        ("three hundred and five", 305),
        ("1.5bn", 1.5e9),
    ],
)
def test_a_number_in_a_text_has_its_value(written: str, value: float) -> None:
    found = re.fullmatch(NUMBER, written, re.IGNORECASE)
    assert found is not None
    assert value_of(found["number"]) == pytest.approx(value)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("12 people", 12),
        ("$25 million", 25e6),
        ("nine million crowns", 9e6),
        ("two dozen eggs", 24),
        ("One million", 1e6),
        ("twenty - one million", 21e6),
    ],
)
def test_a_number_reaches_as_far_as_its_words(words: str, value: float) -> None:
    split = words.split()
    found = number_at(split, 0)
    assert found is not None
    assert found[0] == value
    assert split[found[1] :] in ([], ["people"], ["crowns"], ["eggs"])


def test_a_word_that_is_no_number_has_none() -> None:
    assert number_at(["people"], 0) is None
    assert number_at(["2²"], 0) is None


def test_small_counts_are_written_in_words() -> None:
    assert [in_words(2), in_words(12), in_words(13)] == ["two", "twelve", "13"]


@pytest.mark.parametrize("digits", ["1", "1,", "1,000", "1.5"])
def test_a_page_full_of_digits_is_searched_in_linear_time(digits: str) -> None:
    began = process_time()
    assert not re.search(rf"{NUMBER} people", digits * (20_000 // len(digits)))
    assert process_time() - began < 2
