"""Any number of sentences: two at a time, none worn away by the ones after it."""

from __future__ import annotations

from itertools import permutations

import pytest

from tatian.analysis.installed import unavailable
from tatian.errors import EmptyInput
from tatian.pipeline import Pipeline
from tatian.union.data import UnionInstance
from tatian.union.generate import passages
from tatian.union.models.edit.merger import Edit
from tatian.union.models.multi import Multi, order_by_likeness

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")

PREPARE = Pipeline.for_sentences().process if not unavailable() else None
EDIT = Edit(effort="quick")
FERRY = (
    "A ferry ran aground in fog.",
    "A ferry with 40 people ran aground near Halverne.",
    "The ferry, built in 1988, ran aground on Monday.",
)


def told(*sentences):
    return passages(UnionInstance("1", sentences), PREPARE)


def merged(*sentences):
    return Multi(EDIT.propose).merge(told(*sentences))


@pytest.mark.parametrize("sentences", list(permutations(FERRY)), ids=str)
def test_three_sentences_become_one_in_whatever_order(sentences):
    found = merged(*sentences)
    assert len(found.sentences) == 1
    for piece in ("in fog", "with 40 people", "near Halverne", "built in 1988", "on Monday"):
        assert found.text.count(piece) == 1
    assert found.text.count("aground") == 1


def test_words_keep_their_places_in_the_first_sentences():
    (tokens,) = merged(*FERRY).sentences
    for token in tokens:
        for source in token.sources:
            text = FERRY[int(source.document.rpartition(".")[2]) - 1]
            assert source.kind != "copied" or (
                text[source.start : source.end].lower() == token.text.lower()
            )


def test_unrelated_sentence_stays_separate():
    found = merged(*FERRY[:2], "The price of wheat rose by three per cent in Chicago.")
    assert len(found.sentences) == 2
    assert {t.sources[0].document for t in found.sentences[1]} == {"1.3"}


def test_the_most_alike_come_first_the_more_detailed_before():
    sentences = (
        "The price of wheat rose.",
        "A ferry ran aground.",
        "A ferry ran aground near Halverne.",
    )
    assert order_by_likeness(told(*sentences)) == [2, 1, 0]


def test_an_empty_passage_adds_nothing():
    assert merged(FERRY[0], " ", FERRY[1]).text == merged(FERRY[0], FERRY[1]).text


def test_conflict_among_three_is_named_once():
    found = merged(
        "The crash hurt 12 people in Sennick.",
        "The crash hurt 12 people in Sennick on Monday.",
        "The crash hurt 13 people in Sennick.",
    )
    assert found.text.count("according to another account") == 1
    assert "12" in found.text
    assert "13" in found.text


def test_a_sentence_said_three_times_is_said_once():
    assert merged(FERRY[0], FERRY[0], FERRY[0]).text == FERRY[0]


def test_merging_no_passages_is_an_error():
    with pytest.raises(EmptyInput):
        Multi(EDIT.propose).merge([])
