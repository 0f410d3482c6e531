"""Times that sentences name, and which of them lie within which."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import tokenize
from tatian.text.dates import find_times
from tatian.union.relations.rules import compare_times

FRIDAY = date(2007, 3, 2)


def times(text, published=None):
    tokens = tokenize(text)
    return [
        (text[tokens[one.first].start : tokens[one.end - 1].end], one)
        for one in find_times(tokens, published)
    ]


def only(text, published=None):
    ((_, time),) = times(text, published)
    return time


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("On March 1st, he was fired.", ["On March 1st"]),
        ("He was fired the previous Thursday.", ["the previous Thursday"]),
        ("It closed in 2005 and opened last week.", ["in 2005", "last week"]),
        ("Early Tuesday morning a car burned.", ["Early Tuesday morning"]),
        ("It rained two days ago.", ["two days ago"]),
        ("At 3:15 p.m. Saturday it rained.", ["At 3:15 p.m. Saturday"]),
        ("She may march in May.", ["in May"]),
        ("The horse won years earlier.", []),
        ("He ran 12 miles.", []),
    ],
)
def test_times_are_found_with_the_small_words_before_them(text, named):
    assert [words for words, _ in times(text)] == named


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on Thursday", date(2007, 3, 1), date(2007, 3, 1)),
        ("on Friday", FRIDAY, FRIDAY),
        ("last Friday", date(2007, 2, 23), date(2007, 2, 23)),
        ("next Friday", date(2007, 3, 9), date(2007, 3, 9)),
        ("yesterday", date(2007, 3, 1), date(2007, 3, 1)),
        ("last night", date(2007, 3, 1), date(2007, 3, 1)),
        ("this morning", FRIDAY, FRIDAY),
        ("three days ago", date(2007, 2, 27), date(2007, 2, 27)),
        ("on March 1", date(2007, 3, 1), date(2007, 3, 1)),
        ("on December 24", date(2006, 12, 24), date(2006, 12, 24)),
        ("in December", date(2006, 12, 1), date(2006, 12, 31)),
        ("this week", date(2007, 2, 26), date(2007, 3, 4)),
        ("last month", date(2007, 2, 1), date(2007, 2, 28)),
        ("last year", date(2006, 1, 1), date(2006, 12, 31)),
    ],
)
def test_days_are_counted_from_the_day_of_publication(text, first, last):
    assert only(f"It closed {text}.", FRIDAY).days == (first, last)


def test_a_full_date_needs_no_day_of_publication():
    assert only("It closed on June 25, 2007.").days == (date(2007, 6, 25), date(2007, 6, 25))
    assert only("It closed on Friday.").days is None


def compare(first, second, published=None):
    verdict = compare_times(
        only(f"It closed {first}.", published), only(f"It closed {second}.", published)
    )
    return verdict and verdict.kind


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("on March 1", "the previous Thursday", "equivalent"),
        ("yesterday", "on Thursday", "equivalent"),
        ("yesterday", "earlier this month", "entails"),
        ("this year", "on March 1", "entailed"),
        ("on Thursday morning", "yesterday", "entails"),
        ("on Thursday", "on Wednesday", None),
        ("in February", "in March", None),
    ],
)
def test_with_a_day_of_publication_days_are_compared(first, second, kind):
    assert compare(first, second, FRIDAY) == kind


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("on Friday", "Friday", "equivalent"),
        ("on Friday", "Friday night", "entailed"),
        ("in March 2007", "on March 22, 2007", "entailed"),
        ("by Friday afternoon", "by late afternoon", "entails"),
        ("on Tuesday", "yesterday", "equivalent"),
        ("on July 13", "today", "equivalent"),
        ("on Tuesday", "earlier this month", "entails"),
        ("in 2005", "on Tuesday", None),
        ("Friday morning", "Friday night", None),
    ],
)
def test_without_one_the_guideline_that_it_is_known_holds(first, second, kind):
    assert compare(first, second) == kind


PHRASES = ["on Monday", "yesterday", "in May", "on May 3", "in 2006", "this week", "last night"]


@given(
    st.sampled_from(PHRASES),
    st.sampled_from(PHRASES),
    st.none() | st.dates(date(1999, 1, 1), date(2030, 1, 1)),
)
def test_turning_two_times_round_turns_the_relation(first, second, published):
    turned = {"entails": "entailed", "entailed": "entails"}
    kind = compare(first, second, published)
    assert compare(second, first, published) == turned.get(kind, kind)
    assert compare(first, first, published) == "equivalent"
