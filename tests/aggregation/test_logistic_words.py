"""What the logistic ranker takes for words, and their vectors."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.models.logistic.instances import Words
from tatian.aggregation.models.logistic.vectors import (
    EncoderVectors,
    FileVectors,
    average,
    direction,
)
from tatian.aggregation.models.logistic.words import Lemmas, content, words
from tatian.errors import EmptyInput, InputError

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


def test_the_united_states_are_no_stop_word() -> None:
    assert content("US agencies") == ["us", "agencies"]


def test_nouns_become_singular_if_the_singular_is_a_known_word() -> None:
    lemmas = Lemmas({"city", "movie", "new"}.__contains__)
    assert lemmas.content("cities movies Texas news") == ["city", "movie", "texas", "news"]


def test_candidates_are_lemmatised_on_request_only() -> None:
    plain, reduced = Words(PlaneVectors()), Words(PlaneVectors(), lemmas=True)
    assert dict(plain.phrase("rivers").counts) == {"rivers": 1}
    assert dict(reduced.phrase("rivers").counts) == {"river": 1}


def test_context_and_background_are_lemmatised_and_names_are_not() -> None:
    instance = named(0, "rivers", context="Rivers flood.", Ada="Ada has rivers.")
    texts = Words(PlaneVectors()).texts(instance)
    assert dict(texts.context.counts) == {"river": 1, "flood": 1}
    assert dict(texts.background_union.counts) == {"ada": 1, "river": 1}
    assert dict(texts.everything.counts) == {"ada": 2, "bela": 1, "river": 2, "flood": 1}


def test_an_average_counts_repeats_and_skips_unknown_words() -> None:
    found = average({"east": 3, "north": 1, "nowhere": 9}, PlaneVectors())
    assert found.tolist() == [0.75, 0.25]


def test_the_average_of_unknown_words_is_zero() -> None:
    assert average({"nowhere": 1}, PlaneVectors()).tolist() == [0, 0]
    assert direction(np.zeros(2, dtype=np.float32)).tolist() == [0, 0]


def test_the_encoder_places_related_words_closer() -> None:
    vectors = EncoderVectors()
    river, lake, senator = (direction(average({one: 1}, vectors)) for one in WATERS)
    assert river @ lake > river @ senator


WATERS = ("river", "lake", "senator")


def test_the_encoder_knows_words_of_several_pieces_but_no_signs_of_other_worlds() -> None:
    vectors = EncoderVectors()
    assert vectors.vector("diatessaronic") is not None
    assert not vectors.knows("diatessaronic")
    assert vectors.vector("\U0001f9ff") is None


@pytest.mark.parametrize("head", ["", "2 3\n"])
def test_vectors_are_read_from_files_of_glove_and_word2vec(tmp_path: Path, head: str) -> None:
    file = tmp_path / "vectors.txt.gz"
    file.write_bytes(gzip.compress(f"{head}River 1 2 3\n. . 4 5 6\n".encode()))
    vectors = FileVectors(str(file))
    found = vectors.vector("river")
    assert vectors.width == 3
    assert found is not None
    assert found.tolist() == [1, 2, 3]
    assert vectors.knows(". .")
    assert vectors.vector("lake") is None


def test_only_the_first_words_of_a_file_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("river 1 2\nlake 3 4\n")
    assert not FileVectors(str(file), most=1).knows("lake")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"river 1 2\nlake 3\n", "2: 1 numbers where the lines before have 2"),
        (b"river 1 two\n", "1: not a line of word vectors"),
        (b"river 1 nan\n", "1: a number that is not finite"),
        (b"river 1 2\n\xff\xfe 1 2\n", "2: not UTF-8 text"),
    ],
)
def test_a_bad_line_of_vectors_is_named(tmp_path: Path, text: bytes, message: str) -> None:
    file = tmp_path / "vectors.txt"
    file.write_bytes(text)
    with pytest.raises(InputError, match=message):
        FileVectors(str(file))


def test_a_file_without_vectors_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("")
    with pytest.raises(EmptyInput, match="no word vectors"):
        FileVectors(str(file))
