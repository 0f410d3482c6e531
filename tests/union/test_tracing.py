"""The words of a freely written sentence are traced to the sentences they come from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import Document, Span, tokenize
from tatian.text.documents import Passage
from tatian.text.layers import TOKENS, Authorship, render
from tatian.union.models.tracing import keep_longest, trace_words

FIRST = "The ferry Anna ran aground in thick fog on Monday."
SECOND = 'A ferry with 80 passengers hit a rock, and its captain said "nobody was hurt".'


def passage(text: str, id: str) -> Passage:
    document = Document(id, text)
    tokenized = document.with_layer(TOKENS, tokenize(text), Authorship("test"))
    return Passage(tokenized, Span(0, len(text)))


@pytest.fixture
def both() -> list[Passage]:
    return [passage(FIRST, "one"), passage(SECOND, "two")]


def sources_of(text: str, word: str, passages: list[Passage]) -> set[tuple[str, str, str]]:
    token = next(token for token in trace_words(text, passages).tokens if token.text == word)
    texts = {p.document.id: p.document.text for p in passages}
    return {(s.document, texts[s.document][s.start : s.end], s.kind) for s in token.sources}


def test_the_text_is_kept_as_it_was_written(both: list[Passage]) -> None:
    text = 'The ferry Anna, with 80 passengers, ran aground; "nobody was hurt".'
    assert render(trace_words(text, both).tokens) == text


def test_a_copied_word_knows_its_place(both: list[Passage]) -> None:
    text = "The ferry Anna ran aground with 80 passengers."
    assert sources_of(text, "Anna", both) == {("one", "Anna", "copied")}
    assert sources_of(text, "80", both) == {("two", "80", "copied")}


def test_a_word_that_both_have_stands_for_both(both: list[Passage]) -> None:
    found = sources_of("The ferry Anna ran aground.", "ferry", both)
    assert {document for document, _, _ in found} == {"one", "two"}


def test_a_function_word_belongs_to_the_run_it_stands_in(both: list[Passage]) -> None:
    assert sources_of("It ran aground in thick fog.", "in", both) == {("one", "in", "copied")}


def test_another_form_of_a_word_is_inflected(both: list[Passage]) -> None:
    found = sources_of("A captain with a passenger ran aground.", "passenger", both)
    assert found == {("two", "passengers", "inflected")}


def test_a_word_for_the_same_thing_is_substituted() -> None:
    passages = [passage("The ship ran aground.", "one"), passage("It ran aground.", "two")]
    assert sources_of("The vessel ran aground.", "vessel", passages) == {
        ("one", "ship", "substituted")
    }


def test_words_that_were_moved_are_found(both: list[Passage]) -> None:
    text = "On Monday, in thick fog, the ferry Anna ran aground."
    traced = trace_words(text, both)
    assert traced.faithful
    assert sources_of(text, "Monday", both) == {("one", "Monday", "copied")}


def test_glue_is_a_function_word_without_a_source(both: list[Passage]) -> None:
    traced = trace_words("The ferry Anna, which ran aground in thick fog.", both)
    assert [token.text for token in traced.tokens if token.glue] == [",", "which", "."]
    assert traced.faithful


def test_a_made_up_word_is_named(both: list[Passage]) -> None:
    traced = trace_words("The ferry Anna ran aground in thick fog near Halverne.", both)
    assert traced.novel == ("Halverne",)
    assert not traced.faithful


def test_a_changed_quotation_is_noticed(both: list[Passage]) -> None:
    assert not trace_words('The captain said "nobody was hurt".', both).misquoted
    assert trace_words('The captain said "nobody on the ferry was hurt".', both).misquoted


def test_the_share_of_each_sentence_is_counted(both: list[Passage]) -> None:
    whole, part = trace_words(FIRST, both).covered
    assert whole == 1.0
    assert 0 < part < 0.5


def test_the_longest_alone_is_copied_with_the_reason(both: list[Passage]) -> None:
    merged = keep_longest(both, "because")
    assert merged.text == SECOND
    assert merged.record is not None
    assert merged.record.origin == "the longest sentence: because"


@given(st.text(st.sampled_from('abAB ,."1 '), max_size=30))
def test_any_text_can_be_traced(text: str) -> None:
    passages = [passage("ab AB 1, a b.", "one"), passage('"ab" b 11.', "two")]
    traced = trace_words(text, passages)
    assert "".join(t.text for t in traced.tokens) == "".join(t.text for t in tokenize(text))
    for token in traced.tokens:
        for source in token.sources:
            assert 0 <= source.start < source.end <= 13


def test_an_empty_text_covers_nothing(both: list[Passage]) -> None:
    traced = trace_words("", both)
    assert traced.tokens == ()
    assert traced.covered == (0.0, 0.0)
