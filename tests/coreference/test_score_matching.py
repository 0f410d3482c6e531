"""When a mention of the response stands for one of the key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.metrics import score
from tatian.coreference.metrics.documents import MATCHES, MentionPlace, match

from .score_samples import document, phrase

HADEN = "Haden MacLellan PLC of Surrey, England, said Haden MacLellan rose."
KEY = document(
    HADEN,
    [
        phrase(HADEN, "Haden MacLellan PLC of Surrey, England,", head="Haden MacLellan PLC"),
        phrase(HADEN, "Haden MacLellan", last=True),
    ],
)


def recall_of(key, response, mode) -> float:
    """The share of the key's mentions that the response has."""
    return score([key], [response], match=mode).rates("mentions").recall


def answers(string: str, mode: str, head: str = "tax", whole: str = "the new tax on sugar") -> bool:
    """Whether a response that marks `string` has the key's phrase."""
    text = "Is the new tax on sugar fair?"
    key = document(text, [phrase(text, whole, head=head)])
    return recall_of(key, document(text, [string]), mode) == 1


@pytest.mark.parametrize("string", ["tax", "new tax", "the new tax", "tax on sugar"])
def test_min_matches_responses_between_min_and_the_full_extent(string):
    assert answers(string, "min")
    assert not answers(string, "exact")


@pytest.mark.parametrize("string", ["the new", "sugar", "Is the new tax", "tax on sugar fair"])
def test_min_rejects_responses_without_it_or_beyond_the_extent(string):
    assert not answers(string, "min")


def test_a_response_may_add_an_article_that_the_key_left_out():
    assert answers("the new tax", "min", whole="new tax on sugar")


def test_leading_articles_of_min_itself_are_ignored():
    assert answers("new tax", "min", head="the new tax")


def test_without_min_the_whole_string_is_needed_but_for_its_article():
    text = "A car stopped. The driver of the car left."
    key = document(text, [phrase(text, "The driver of the car")])
    assert recall_of(key, document(text, ["driver of the car"]), "min") == 1
    assert recall_of(key, document(text, ["driver"]), "min") == 0


def test_an_article_alone_is_not_stripped_to_nothing():
    text = "Take the a."
    key = document(text, [phrase(text, "the a")])
    assert recall_of(key, document(text, ["a."]), "min") == 0
    assert recall_of(key, key, "min") == 1


def test_equal_heads_match():
    text = "Is the new tax on sugar fair?"
    key = document(text, [phrase(text, "the new tax on sugar", head="tax")])
    longer = document(text, [phrase(text, "Is the new tax on", head="tax")])
    other = document(text, [phrase(text, "the new tax on sugar fair", head="sugar")])
    assert (recall_of(key, longer, "head"), recall_of(key, other, "head")) == (1, 0)


def test_a_response_without_heads_must_include_the_head():
    assert answers("Is the new tax", "head")
    assert not answers("on sugar", "head")


def test_any_overlap_is_a_partial_match():
    assert answers("sugar fair", "partial")
    assert not answers("fair", "partial")


def test_response_mention_matches_only_one_key_mention():
    text = "the head of the state"
    key = document(text, [phrase(text, "the head of the state"), phrase(text, "the state")])
    assert recall_of(key, document(text, ["of the state"]), "partial") == 0.5


def test_key_mention_matches_only_one_response_mention():
    text = "Is the new tax on sugar fair?"
    key = document(text, [phrase(text, "the new tax on sugar", head="tax")])
    rates = score([key], [document(text, ["tax", "new tax"])], match="min").rates("mentions")
    assert (rates.recall, rates.precision) == (1, 0.5)


def test_an_exact_match_takes_precedence():
    text = "the head of the state"
    key = document(text, ["the head of the state"], ["the state"])
    response = document(text, ["the state"])
    rates = score([key], [response], match="partial").rates("mentions")
    assert (rates.recall, rates.precision) == (0.5, 1)
    assert score([key], [response], match="partial").rates("lea").precision == 1


def test_matching_is_maximal():
    text = "abcdef"
    key = document(text, ["abc"], ["cdef"])
    response = document(text, ["bcd"], ["ab"])
    assert recall_of(key, response, "partial") == 1


def test_the_definition_of_muc_is_the_default_for_its_files():
    text = "Is the new tax on sugar fair?"
    marked = [phrase(text, "the new tax on sugar", head="tax")]
    response = document(text, ["tax"])
    assert score([document(text, marked, format="muc")], [response]).rates("mentions").f1 == 1
    assert score([document(text, marked, format="conll")], [response]).rates("mentions").f1 == 0


def test_the_example_of_the_definition_gets_full_credit():
    response = document(
        HADEN, [phrase(HADEN, "Haden MacLellan PLC"), phrase(HADEN, "Haden MacLellan", last=True)]
    )
    assert score([KEY], [response], match="min").rates("muc").f1 == 1


SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), max_size=7, unique=True).map(
    lambda spans: [(start, start + length) for start, length in spans]
)


def places(spans: list[tuple[int, int]]) -> list[MentionPlace]:
    return [MentionPlace(start, end, start, None, (start, end)) for start, end in spans]


@given(SPANS, SPANS, st.sampled_from(MATCHES), st.randoms())
def test_matching_is_one_to_one_and_does_not_depend_on_the_order(key, response, mode, random):
    before = match(places(key), places(response), mode)
    assert len(set(before.values())) == len(before)
    assert all(before[span] == span for span in response if span in key)
    random.shuffle(key)
    random.shuffle(response)
    assert match(places(key), places(response), mode) == before


@given(SPANS, SPANS)
def test_partial_matching_leaves_no_two_that_still_overlap(key, response):
    pairs = match(places(key), places(response), "partial")
    for start, end in set(key) - set(pairs.values()):
        for first, last in set(response) - set(pairs):
            assert not (start < last and first < end)
