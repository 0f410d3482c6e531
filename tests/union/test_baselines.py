"""Baseline mergers (Longer, Concatenation, LongerOrBoth), and how mergers copy words."""

import pytest

from tatian.errors import EmptyInput
from tatian.text import Source, Span
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import render
from tatian.union.models import mergers
from tatian.union.models.whole import Concatenation, Longer, LongerOrBoth

ALL_MERGERS = pytest.mark.parametrize("merger", [Longer(), Concatenation(), LongerOrBoth()])


def test_copied_words_keep_their_spacing_and_their_place(passage_of):
    copied = copy_tokens(passage_of('"No," he\n said -- twice.'))
    assert render(copied) == '"No," he said -- twice.'
    assert all(one.sources for one in copied)
    assert copied[1].sources == (Source("d", 1, 3),)


def test_copying_part_of_a_document_keeps_offsets_into_the_whole(passage_of):
    whole = passage_of("A fire broke out. Crews came.")
    copied = copy_tokens(Passage(whole.document, Span(18, 29)))
    assert render(copied) == "Crews came."
    assert copied[0].sources == (Source("d", 18, 23),)
    assert copied[0].space


def test_every_copied_word_is_what_its_source_says(passage_of):
    passage = passage_of("Café owners—all 3—didn't pay $2.5m.")
    for token in copy_tokens(passage):
        (source,) = token.sources
        assert passage.document.text[source.start : source.end] == token.text


def test_longer_keeps_the_longest(passage_of):
    merged = Longer().merge(
        [passage_of("Short."), passage_of("The longest one."), passage_of("Mid.")]
    )
    assert merged.text == "The longest one."
    assert len(merged.sentences) == 1


def test_longer_takes_the_last_on_ties(passage_of):
    assert Longer().merge([passage_of("Abc."), passage_of("Xyz.")]).text == "Xyz."


def test_concatenation_keeps_every_passage_as_its_own_sentence(passage_of):
    merged = Concatenation().merge([passage_of("One."), passage_of("Two."), passage_of("Three.")])
    assert merged.text == "One. Two. Three."
    assert len(merged.sentences) == 3


def test_the_rule_keeps_both_where_most_is_new(passage_of):
    first = passage_of("A ferry ran aground in fog near Halverne.", "1")
    same = LongerOrBoth().merge([first, passage_of("The ferry ran aground.", "2")])
    assert same.text == first.text
    other = LongerOrBoth().merge([passage_of("Twelve people died.", "2"), first])
    assert other.text == f"Twelve people died. {first.text}"
    assert len(other.sentences) == 2


@ALL_MERGERS
def test_single_passage_is_unchanged(merger, passage_of):
    merged = merger.merge([passage_of("Only this.")])
    assert merged.text == "Only this."
    assert len(merged.sentences) == 1


@ALL_MERGERS
def test_merging_no_passages_is_an_error(merger):
    with pytest.raises(EmptyInput, match="no passages"):
        merger.merge([])


@pytest.mark.parametrize("name", ["longer", "concatenation", "longer-or-both"])
def test_baselines_are_registered(name):
    assert name in mergers.names()
    assert mergers.create(name)
