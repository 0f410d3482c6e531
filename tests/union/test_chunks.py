"""Sentences cut into phrases that can be lifted out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import TOKENS, Document, Span, WovenToken, tokenize
from tatian.text.provenance import render
from tatian.union.models import Passage
from tatian.union.models.chunks import body_end, cut, quoted
from tatian.union.models.copying import copy_tokens


def woven(text: str) -> list[WovenToken]:
    document = Document("a", text).with_layer(TOKENS, tokenize(text), "test")
    return list(copy_tokens(Passage(document, Span(0, len(text)))))


def chunks(text: str) -> list[str]:
    tokens = woven(text)
    return [render(tokens[chunk.start : chunk.end]) for chunk in cut(tokens)]


def kinds(text: str) -> list[str]:
    return [chunk.kind for chunk in cut(woven(text))]


def test_a_preposition_opens_a_phrase() -> None:
    assert chunks("The ferry sank in fog near Halverne.") == [
        "The ferry sank",
        "in fog",
        "near Halverne",
    ]


def test_of_and_to_belong_to_what_stands_before() -> None:
    assert chunks("The captain of the ferry spoke to police.") == [
        "The captain of the ferry spoke to police"
    ]


@pytest.mark.parametrize("fixed", ["at least twelve", "at most twelve"])
def test_a_bound_belongs_to_its_number(fixed: str) -> None:
    assert chunks(f"It injured {fixed} people.") == [f"It injured {fixed} people"]


def test_two_prepositions_open_one_phrase() -> None:
    assert chunks("It came from behind the bank.") == ["It came", "from behind the bank"]


def test_a_comma_opens_what_follows_it() -> None:
    assert chunks("The ferry, which was old, sank.") == ["The ferry", ", which was old", ", sank"]


def test_a_conjunction_before_a_verb_opens_a_clause() -> None:
    assert chunks("Tugs pulled it free and towed it away.") == [
        "Tugs pulled it free",
        "and towed it away",
    ]


def test_a_conjunction_between_nouns_opens_nothing() -> None:
    assert chunks("Bread and post came late.") == ["Bread and post came late"]


def test_a_hyphen_inside_a_word_opens_nothing() -> None:
    assert chunks("A four-metre tear grew.") == ["A four-metre tear grew"]


def test_nothing_is_cut_inside_quotation_marks() -> None:
    assert chunks('"We sailed in fog, as ever, from Ostrey," he said in port.') == [
        '"We sailed in fog, as ever, from Ostrey," he said',
        "in port",
    ]


def test_the_final_stop_belongs_to_no_phrase() -> None:
    assert chunks("It sank!") == ["It sank"]
    assert body_end(woven("It sank...")) == 2
    assert body_end(woven("...")) == 0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It sank in fog.", "adjunct"),
        ("It sank because fog came.", "clause"),
        ("It sank, killing two.", "clause"),
        ("It sank, which was odd.", "aside"),
        ("It sank, the coast guard said.", "aside"),
        ("It sank, according to Tolle.", "aside"),
        ("It sank, in fog.", "adjunct"),
        ("It rose, fell.", "core"),
    ],
)
def test_what_a_phrase_is_shows_in_how_it_opens(text: str, kind: str) -> None:
    assert kinds(text) == ["core", kind]


def test_a_phrase_in_front_is_an_adjunct() -> None:
    assert kinds("In fog, the ferry sank.")[0] == "adjunct"


def test_a_sentence_without_words_has_no_phrases() -> None:
    assert cut([]) == []
    assert chunks("...") == []


WORDS = ["the", "ferry", "sank", "in", "of", "from", "and", "towed", "which", ",", '"', "-", "."]


@given(st.lists(st.sampled_from(WORDS), max_size=25))
def test_phrases_cover_the_sentence_once_and_in_order(words: list[str]) -> None:
    tokens = woven(" ".join(words))
    found = cut(tokens)
    covered = [index for chunk in found for index in range(chunk.start, chunk.end)]
    assert covered == list(range(body_end(tokens)))
    assert all(chunk.end > chunk.start for chunk in found)
    assert len(quoted(tokens)) == len(tokens)
