"""What may be given to the analysis, and what of it is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.pieces import as_document, segmented, token_ranges
from tatian.errors import InputError
from tatian.text import SENTENCES, TOKENS, Document, Sentence, Token


def words_of(document: Document) -> list[list[str]]:
    return [[document.tokens[i].text for i in places] for places in token_ranges(document)]


def test_a_text_is_cut_by_rules() -> None:
    assert words_of(segmented(as_document("It rains. We stay."))) == [
        ["It", "rains", "."],
        ["We", "stay", "."],
    ]


def test_sentences_given_as_text_stay_whole() -> None:
    document = as_document(["No. Not now.", "", "Why?"])
    assert [s.of(document.text) for s in document.sentences] == ["No. Not now.", "", "Why?"]
    assert words_of(segmented(document)) == [["No", ".", "Not", "now", "."], [], ["Why", "?"]]


def test_words_given_stay_whole_and_stand_in_the_text() -> None:
    document = as_document([["Dr.", "No-one", "is", "n't", "here"], ["Go", "!"]])
    assert document.text == "Dr. No-one isn't here\nGo!"
    assert words_of(document) == [["Dr.", "No-one", "is", "n't", "here"], ["Go", "!"]]


def test_an_empty_word_is_refused() -> None:
    with pytest.raises(InputError, match="word 2 of the sentence"):
        as_document([["a", ""]])


def test_existing_tokens_are_kept() -> None:
    document = Document("x", "ab cd. E").with_layer(TOKENS, [Token(0, 5, "ab cd")], "me")
    assert words_of(segmented(document)) == [["ab cd"]]


def test_existing_sentences_are_kept() -> None:
    document = Document("x", "Go. Why? No.").with_layer(SENTENCES, [Sentence(0, 8)], "me")
    assert words_of(segmented(document)) == [["Go", ".", "Why", "?"]]


def test_a_token_across_the_end_of_a_sentence_belongs_to_none() -> None:
    document = Document("x", "abcd").with_layer(TOKENS, [Token(0, 1, "a"), Token(1, 4, "bcd")], "m")
    document = document.with_layer(SENTENCES, [Sentence(0, 2), Sentence(2, 4)], "me")
    assert words_of(document) == [["a"], []]


@given(st.text())
def test_every_token_of_any_text_is_in_one_sentence(text: str) -> None:
    document = segmented(as_document(text))
    places = [place for sentence in token_ranges(document) for place in sentence]
    assert places == list(range(len(document.tokens)))
