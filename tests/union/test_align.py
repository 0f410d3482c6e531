"""Phrases of one sentence find their place in the other, by their parses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.analysis.installed import unavailable
from tatian.errors import EmptyInput
from tatian.pipeline import Pipeline
from tatian.union.data import Instance
from tatian.union.generate import passages
from tatian.union.models.align import Align

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")

PREPARE = Pipeline.for_sentences().process if not unavailable() else None
PIECES = {
    "with 40 passengers": "A ferry with 40 passengers ran aground.",
    "near Halverne": "A ferry ran aground near Halverne.",
    "in thick fog": "A ferry ran aground in thick fog.",
    "on Monday": "A ferry ran aground on Monday.",
    "owned by Sennick Line": "A ferry owned by Sennick Line ran aground.",
}


def merged(*sentences, date=None, **options):
    told = passages(Instance("1", sentences, date=date), PREPARE)
    return Align(**options).merge(told)


@given(st.sampled_from(sorted(PIECES)), st.sampled_from(sorted(PIECES)))
@settings(max_examples=12, deadline=None)
def test_what_either_sentence_adds_is_said_once(one, two):
    text = merged(PIECES[one], PIECES[two]).text
    assert text.count(one) == text.count(two) == 1
    assert text.lower().count("ran aground") == 1


def test_the_more_specific_phrase_wins():
    found = merged("A ferry sank off Halverne last month.", "A ferry sank off Halverne on Monday.")
    assert found.text == "A ferry sank off Halverne on Monday."


def test_a_fuller_name_takes_the_place_of_the_shorter():
    found = merged("Captain Lee left the bridge in fog.", "Captain Ann Lee left the bridge.")
    assert found.text == "Captain Ann Lee left the bridge in fog."


def test_what_is_announced_is_told_as_done():
    found = merged(
        "Investigators will question the captain on Wednesday about the radar.",
        "Investigators questioned the captain.",
    )
    assert "questioned the captain" in found.text
    assert "will" not in found.text


def test_every_word_has_a_source_or_is_glue():
    found = merged("A ferry ran aground in fog.", "A ferry owned by Sennick ran aground.")
    (tokens,) = found.sentences
    texts = ["A ferry ran aground in fog.", "A ferry owned by Sennick ran aground."]
    for token in tokens:
        for source in token.sources:
            text = texts[int(source.document.rpartition(".")[2]) - 1]
            assert source.kind != "copied" or (
                text[source.start : source.end].lower() == token.text.lower()
            )


def test_a_dispute_is_named_in_the_text():
    found = merged("The crash hurt 12 people in Sennick.", "The crash hurt 13 people in Sennick.")
    assert "12 people (13, according to another account)" in found.text
    assert [claim.text for claim in found.contradictions[0].claims] == ["12", "13"]


def test_the_dispute_may_be_left_to_the_record():
    found = merged("The crash hurt 12 people.", "The crash hurt 13 people.", disputes=False)
    assert "according to" not in found.text
    assert found.contradictions


def test_sentences_that_share_nothing_stay_two():
    found = merged("A ferry ran aground in fog.", "The price of wheat rose in Chicago.")
    assert len(found.sentences) == 2
    assert {outcome.fate for outcome in found.outcomes} == {"kept"}


def test_they_can_be_made_one_all_the_same():
    found = merged(
        "A ferry ran aground in fog.", "The price of wheat rose in Chicago.", always_one=True
    )
    assert len(found.sentences) == 1
    assert "ferry" in found.text
    assert "wheat" in found.text


def test_quotations_are_never_altered():
    quote = '"We saw nothing but fog," said Captain Lee.'
    found = merged(quote, "Captain Lee of the ferry Marta said the crew saw fog.")
    assert '"We saw nothing but fog,"' in found.text or "We" not in found.text


def test_an_outcome_says_what_a_sentence_added():
    found = merged("A large ferry ran aground in thick fog.", "A ferry ran aground on Monday.")
    assert [outcome.fate for outcome in found.outcomes] == ["kept", "merged"]
    assert found.outcomes[1].why == "adds: Monday"


def test_proposals_come_best_first_and_differ():
    told = passages(Instance("1", (PIECES["on Monday"], PIECES["in thick fog"])), PREPARE)
    found = Align().propose(told)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert len({one.tokens for one in found}) == len(found)


def test_nothing_to_merge_is_refused():
    with pytest.raises(EmptyInput):
        Align().merge([])
