"""Figures that exclude each other are never printed as if there were only one."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.text.documents import Claim
from tatian.union.generate import one_sentence
from tatian.union.models import Contradiction, later_claims
from tatian.union.models.construct.related_pair import RelatedPair
from tatian.union.models.edit.merger import Edit

TWELVE = "The widow, a mother of 12, was shot outside the shop."
THIRTEEN = "The widow, a mother of 13, was shot outside the shop on Friday."


@pytest.fixture(autouse=True)
def encoder():
    if unavailable():
        pytest.skip("the encoder is not installed")


def merged(passage_of, first, second, **options):
    return Edit(**options).merge([passage_of(first, "one"), passage_of(second, "two")])


def test_both_are_said_by_default(passage_of):
    text = one_sentence(merged(passage_of, TWELVE, THIRTEEN))
    assert "12" in text
    assert "13" in text


def test_a_pair_that_disagrees_is_refused_with_the_reason(passage_of):
    found = merged(passage_of, TWELVE, THIRTEEN, on_conflict="refuse")
    assert found.sentences == ()
    assert found.record is not None
    assert found.record.refused.startswith("disagreement: ")


def test_the_first_sentence_can_be_right(passage_of):
    text = one_sentence(merged(passage_of, TWELVE, THIRTEEN, on_conflict="first"))
    assert "12" in text
    assert "13" not in text


def test_of_an_exact_figure_and_its_bound_the_exact_one_stays(passage_of):
    text = one_sentence(
        merged(
            passage_of,
            "At least 20 miners died in the shaft.",
            "26 miners died in the shaft on Sunday.",
        )
    )
    assert text == "26 miners died in the shaft on Sunday."


def test_the_rival_figure_is_said_to_be_its_speakers(passage_of):
    text = one_sentence(
        merged(
            passage_of,
            "The clinic said that seven nurses had caught the virus.",
            "Twelve nurses caught the virus, the ministry said.",
        )
    )
    assert "according to the clinic" in text or "according to the ministry" in text


GROUP = (
    TWELVE,
    "The widow, a mother of 13, was shot on Friday.",
    "The widow was shot by a robber.",
)


def group(passage_of, *sentences, **options):
    passages = [passage_of(text, str(number)) for number, text in enumerate(sentences)]
    return Edit(effort="quick", **options).merge(passages)


def test_a_group_that_disagrees_is_refused_with_the_reason(passage_of):
    found = group(passage_of, *GROUP, on_conflict="refuse")
    assert found.sentences == ()
    assert found.record is not None
    assert found.record.refused.startswith("disagreement: ")


def test_in_a_group_the_first_sentence_can_be_right(passage_of):
    text = one_sentence(group(passage_of, *GROUP, on_conflict="first"))
    assert "12" in text
    assert "13" not in text
    assert "robber" in text


def test_in_a_group_the_first_to_give_a_figure_is_right(passage_of):
    text = one_sentence(group(passage_of, GROUP[2], GROUP[1], GROUP[0], on_conflict="first"))
    assert "13" in text
    assert "12" not in text


def test_sources_that_agree_with_the_first_are_kept():
    def claim(document: str) -> Claim:
        return Claim(document, 0, 2, document)

    one, two, three = map(claim, ("one", "two", "three"))
    found = [Contradiction("number", pair, "") for pair in ((one, two), (two, three))]
    assert later_claims(found) == {two}


def test_first_sentence_is_kept_if_every_wording_has_the_rival_figure(passage_of, monkeypatch):
    monkeypatch.setattr(Edit, "_score_edit_wordings", lambda *given: [])
    monkeypatch.setattr(RelatedPair, "proposals", lambda self: [])
    found = merged(passage_of, TWELVE, THIRTEEN, on_conflict="first")
    assert one_sentence(found) == TWELVE
    assert found.record is not None
    assert found.record.origin == "the first sentence"
