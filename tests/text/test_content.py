"""Content words: when two words say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import SENTENCES, TOKENS, Document, Metadata, Span, split, tokenize
from tatian.text.content import (
    concept,
    concepts,
    concepts_of,
    is_content,
    is_exact,
    reporting_concepts,
    stem,
)


def analyzed(text: str, day: str | None = None) -> Document:
    bare = Document("a", text, Metadata(date=day))
    counted = bare.with_layer(TOKENS, tokenize(text), "test")
    return counted.with_layer(SENTENCES, split(text), "test")


def test_inflections_share_a_concept() -> None:
    assert concept("injuring") == concept("Injured") == concept("injures")


@pytest.mark.parametrize(
    ("one", "other"),
    [("ferry", "vessel"), ("dense", "thick"), ("burglars", "thieves")],
)
def test_synonyms_of_news_are_one_concept(one: str, other: str) -> None:
    assert concept(one) == concept(other)


def test_words_of_different_meaning_stay_apart() -> None:
    assert concept("captain") != concept("ferry")


def test_numbers_are_known_by_their_value() -> None:
    assert concept("thirteen") == concept("13")
    assert concept("2,400") == concept("2400")
    assert concept("12") != concept("13")


@pytest.mark.parametrize("word", ["the", "of", "was", "n't", "He", "—", "'s", "..."])
def test_function_words_and_punctuation_are_no_content(word: str) -> None:
    assert not is_content(word)


@pytest.mark.parametrize("word", ["ferry", "Halverne", "212", "7:40", "$2.5m"])
def test_words_names_and_numbers_are_content(word: str) -> None:
    assert is_content(word)


@pytest.mark.parametrize("word", ["Halverne", "212", "thirteen", "MS08-078"])
def test_names_and_numbers_are_exact(word: str) -> None:
    assert is_exact(word)


@pytest.mark.parametrize("word", ["ferry", "dense", "sank"])
def test_common_words_are_not_exact(word: str) -> None:
    assert not is_exact(word)


def test_repeats_are_kept_in_order() -> None:
    assert concepts(["The", "ship", "hit", "another", "ship"]) == ["ship", "hit", "ship"]


def test_verbs_of_reporting_are_known_as_such() -> None:
    assert {concept("said"), concept("told"), concept("announced")} <= reporting_concepts()
    assert concept("sank") not in reporting_concepts()


def test_each_token_has_a_concept_or_none() -> None:
    document = analyzed("The ferry sank.")
    assert concepts_of(document, Span(0, 15)) == [None, concept("ferry"), concept("sank"), None]


def test_only_the_tokens_in_the_span_count() -> None:
    document = analyzed("It sank. Divers came.")
    assert concepts_of(document, Span(9, 21)) == [concept("divers"), concept("came"), None]


def test_days_are_known_by_their_date() -> None:
    tuesday = analyzed("It sank on Tuesday.", "2023-03-15")
    yesterday = analyzed("It sank yesterday.", "2023-03-15")
    assert "2023-03-14" in concepts_of(tuesday, Span(0, 19))
    assert "2023-03-14" in concepts_of(yesterday, Span(0, 18))


@given(st.text(max_size=20))
def test_word_functions_accept_any_text(word: str) -> None:
    assert isinstance(concept(word), str)
    assert concept(word) == concept(word.lower())
    assert stem(word) == stem(word.lower())
    assert is_content(word) in {True, False}
    assert is_exact(word) in {True, False}
