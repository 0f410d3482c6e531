"""What the logistic ranker takes for words, and their vectors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.models.logistic import EncoderVectors, WordBags, content, words

from .ranking_samples import PlaneVectors, named


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The U.S. allies", ["the", "us", "allies"]),
        ("hard-hit cities/towns", ["hard", "hit", "cities", "towns"]),
        ("Trump’s “friends”, O'Neill's", ["trump", "friends", "oneill"]),
        ("", []),
        ("... — !", []),
    ],
)
def test_words_have_neither_capitals_nor_punctuation(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(st.text())
def test_any_text_has_words_without_blanks(text: str) -> None:
    assert all(word and not word.isspace() and " " not in word for word in words(text))


def test_stop_words_are_left_out() -> None:
    assert content("the members of an alliance") == ["members", "alliance"]


def test_us_is_no_stop_word() -> None:
    assert content("US agencies") == ["us", "agencies"]


def test_nouns_become_singular_if_the_singular_is_a_known_word() -> None:
    class Some(PlaneVectors):
        def knows(self, word: str) -> bool:
            return word in {"city", "movie", "new"}

    found = [WordBags(Some()).lemma(word) for word in ("cities", "movies", "texas", "news")]
    assert found == ["city", "movie", "texas", "news"]


def test_candidates_are_not_lemmatised() -> None:
    assert dict(WordBags(PlaneVectors()).phrase("rivers").counts) == {"rivers": 1}


def test_context_and_background_are_lemmatised_and_names_are_not() -> None:
    instance = named(0, "rivers", context="Rivers flood.", Ada="Ada has rivers.")
    texts = WordBags(PlaneVectors()).texts(instance)
    assert dict(texts.context.counts) == {"river": 1, "flood": 1}
    assert dict(texts.background_union.counts) == {"ada": 1, "river": 1}
    assert dict(texts.everything.counts) == {"ada": 2, "bela": 1, "river": 2, "flood": 1}


def test_an_average_counts_repeats_and_skips_unknown_words() -> None:
    found = WordBags(PlaneVectors()).phrase("east east north nowhere")
    assert found.direction.tolist() == pytest.approx([2 / 5**0.5, 1 / 5**0.5])


def test_the_average_of_unknown_words_is_zero() -> None:
    assert WordBags(PlaneVectors()).phrase("nowhere").direction.tolist() == [0, 0]


def test_the_encoder_places_related_words_closer() -> None:
    known = WordBags()
    river, lake, senator = (known.phrase(one).direction for one in WATERS)
    assert river @ lake > river @ senator


WATERS = ("river", "lake", "senator")


def test_words_of_several_pieces_have_vectors_but_unknown_characters_have_none() -> None:
    vectors = EncoderVectors()
    assert vectors.vector("diatessaronic") is not None
    assert not vectors.knows("diatessaronic")
    assert vectors.vector("\U0001f9ff") is None
