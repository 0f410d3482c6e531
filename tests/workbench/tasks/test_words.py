"""Words of the annotation pages, and their comparison."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import Span
from tatian.workbench.tasks.words import Vocabulary, find_words, find_words_within


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He said: “No!”", ["He", "said", "No"]),
        (
            "a well-known U.N. envoy's $2.5 plan",
            ["a", "well-known", "U.N", "envoy's", "$2.5", "plan"],
        ),
        ("now—or never", ["now", "or", "never"]),
        ("... -- !", []),
        ("昨天，下雨", ["昨", "天", "下", "雨"]),
        ("שלום, עולם.", ["שלום", "עולם"]),
        ("", []),
    ],
)
def test_words_have_no_punctuation_around_them(text: str, expected: list[str]) -> None:
    assert [word.text for word in find_words(text)] == expected


@given(st.text())
def test_words_match_their_offsets_and_do_not_overlap(text: str) -> None:
    found = find_words(text)
    assert all(text[word.start : word.end] == word.text for word in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("word", "text", "there"),
    [
        ("Crashed", "cars crash", True),
        ("parties", "a party", True),
        ("dog’s", "the dog's", True),
        ("SCHOOL", "a school.", True),
        ("Iran", "Iranian", False),
        ("2010", "the 2010s", False),
        ("his", "hi", False),
    ],
)
def test_case_apostrophes_and_english_endings_do_not_count(
    word: str, text: str, there: bool
) -> None:
    assert (word in Vocabulary(text)) is there


@given(st.text(), st.text())
def test_every_word_of_a_text_is_in_its_vocabulary(text: str, more: str) -> None:
    known = Vocabulary(f"{text} {more}")
    assert all(word.text in known for word in find_words(text))


def test_words_are_found_in_the_spans_that_touch_them() -> None:
    assert [word.text for word in find_words_within("one two three", [Span(5, 9)])] == [
        "two",
        "three",
    ]
