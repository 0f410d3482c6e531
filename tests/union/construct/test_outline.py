"""What a sentence states, who says so, and what is still to come."""

from __future__ import annotations

import pytest

from tatian.union.models.construct.outline import StatementOutline, is_past, is_planned
from tatian.union.models.sentences import parsed


@pytest.fixture
def outline(passage_of):
    def make(text: str) -> StatementOutline:
        sentence = parsed(passage_of(text))
        if sentence is None:
            pytest.skip("the encoder is not installed")
        return StatementOutline(sentence, False)

    return make


def test_coordinated_clauses_are_statements_that_share_their_subject(outline):
    found = outline("The miners sang and the guards slept and snored.")
    words = found.sentence.lower
    assert [words[one.predicate] for one in found.statements] == ["sang", "slept", "snored"]
    assert [words[one.subject] for one in found.statements] == ["miners", "guards", "guards"]


def test_attribution_is_no_statement(outline):
    found = outline("The dam held, an engineer said.")
    assert found.attribution is not None
    assert found.sentence.lower[found.attribution.speaker] == "engineer"
    assert [found.sentence.lower[one.predicate] for one in found.statements] == ["held"]


@pytest.mark.parametrize(
    ("text", "coming"),
    [
        ("The minister will resign on Friday.", True),
        ("The minister is to resign on Friday.", True),
        ("The minister resigned on Friday.", False),
        ("The minister has resigned.", False),
    ],
)
def test_an_act_is_still_to_come_or_has_happened(outline, text, coming):
    sentence = outline(text).sentence
    assert is_planned(sentence, sentence.root) is coming
    assert is_past(sentence, sentence.root) is not coming


def test_a_headline_has_no_articles_and_no_past(outline):
    assert outline("Storm sinks ferry off coast").headline
    assert not outline("A storm sank the ferry off the coast.").headline
    assert not outline("China will build forests around cities to stop erosion.").headline
