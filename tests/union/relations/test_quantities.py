"""What numbers count, and which of two sentences' numbers cannot both be right."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.pipeline import Pipeline
from tatian.union.data import UnionInstance
from tatian.union.generate import passages
from tatian.union.relations.contradictions import find_contradictions
from tatian.union.relations.quantities import quantities

needs_encoder = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")


@pytest.fixture(scope="module")
def told():
    """Sentences as passages whose names have been found."""
    prepare = Pipeline.for_sentences().process
    return lambda *sentences: passages(UnionInstance("1", sentences), prepare)


def counted(passage):
    return [
        (one.value, one.of, passage.document.text[one.token.start : one.last.end])
        for one in quantities(passage)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The ride took twenty-three minutes.", (23, "minut", "twenty-three")),
        ("They paid nine million crowns.", (9_000_000, "crown", "nine million")),
        ("They asked for $25 million in ransom.", (25_000_000, "$", "$25 million")),
        ("Uganda gave 200,000 dollars.", (200_000, "$", "200,000 dollars")),
        ("About 92% of the world breathes it.", (92, "%", "92%")),
        ("Only 16 per cent like the gym.", (16, "%", "16 per cent")),
        ("She was a mother of 12.", (12, "mother of", "12")),
    ],
)
def test_a_number_knows_what_it_counts(told, text, found):
    assert counted(told(text)[0]) == [found]


@needs_encoder
@pytest.mark.parametrize(
    "text", ["Police held Alan Firth, 44, in Sennick.", "44-year-old Alan Firth"]
)
def test_an_age_belongs_to_a_name(told, text):
    (one,) = quantities(told(text)[0])
    assert (one.value, one.of, one.near) == (44, "old", {"firth"})


@pytest.mark.parametrize("text", ["It happened on March 14.", "They won 31-24.", "The age was 44."])
def test_dates_scores_and_bare_numbers_count_nothing(told, text):
    assert [one for one in quantities(told(text)[0]) if one.value != 31] == []


def disputes(told, first, second):
    found = find_contradictions(told(first, second))
    return [tuple(claim.text for claim in one.claims) for one in found]


@needs_encoder
@pytest.mark.parametrize(
    ("first", "second", "claims"),
    [
        (
            "The pirates asked for $25 million in ransom.",
            "They demand a $32 million ransom.",
            ("$25 million", "$32 million"),
        ),
        (
            "Bad air reaches 92% of the world's population.",
            "Of the world's population, 99 percent of the population breathes it.",
            ("92%", "99 percent"),
        ),
        (
            "Her husband, Alan Firth, 64, was shot.",
            "Alan Firth, 71, was found at home.",
            ("64", "71"),
        ),
        (
            "A video shows how a Halverne mother of 13 was killed by a gang.",
            "The video shows the moment a Halverne mother of 12 was killed.",
            ("13", "12"),
        ),
    ],
)
def test_numbers_of_one_thing_that_differ_are_a_dispute(told, first, second, claims):
    assert disputes(told, first, second) == [claims]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The firm paid $25 million to the state.", "The firm earned $32 million in May."),
        ("Over 92% of the population agrees.", "Just 99% of the population agrees."),
        ("A fine of at least $25 million was set.", "A fine of $32 million was set."),
        ("Alan Firth, 64, was shot.", "Maud Ferris, 71, was shot."),
    ],
    ids=["other things", "a lower bound", "at least", "other people"],
)
def test_numbers_that_may_both_be_right_are_none(told, first, second):
    assert disputes(told, first, second) == []


@needs_encoder
def test_the_reason_names_what_is_counted_only_where_it_follows(told):
    told_of = told(
        "A Halverne mother of 13 was shot dead.", "A Halverne mother of 12 was shot dead."
    )
    (dispute,) = find_contradictions(told_of)
    assert dispute.why == "13 against 12"
