"""Entailment and sentence vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis import Entailment, entails, entails_all, vectors
from tatian.analysis.meaning import shares

PAIRS = [
    ("A man is playing a guitar on stage.", "A man is playing an instrument."),
    ("A man is playing a guitar on stage.", "Nobody is playing a guitar."),
    ("Two ships collided near Oslo.", "Two ships collided near Oslo on Monday."),
]


def test_entailment_neutral_and_contradiction_are_distinguished(weights: None) -> None:
    labels = [found.label for found in entails_all(PAIRS)]
    assert labels == ["entailment", "contradiction", "neutral"]


def test_probabilities_sum_to_one(weights: None) -> None:
    found = entails(*PAIRS[0])
    assert found.entailment + found.neutral + found.contradiction == pytest.approx(1)


def test_the_label_is_the_likeliest() -> None:
    assert Entailment(0.2, 0.5, 0.3).label == "neutral"


@pytest.mark.parametrize("threads", [1, 3])
def test_judgements_do_not_depend_on_threads_or_batches(threads: int, weights: None) -> None:
    alone = [entails(*pair) for pair in PAIRS]
    assert list(entails_all(PAIRS * 5, threads=threads)) == alone * 5


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [("", ""), ("\x00", "a"), ("word " * 2000, "word " * 2000), ("x" * 10000, "a")],
)
def test_empty_and_long_texts_are_judged(premise: str, hypothesis: str, weights: None) -> None:
    assert 0 <= entails(premise, hypothesis).entailment <= 1


@given(st.integers(0, 600), st.integers(0, 600), st.integers(2, 500))
def test_pairs_are_cut_at_the_longer_text_until_they_fit(
    first: int, second: int, room: int
) -> None:
    a, b = first, second
    while a + b > room:
        a, b = (a - 1, b) if a >= b else (a, b - 1)
    assert shares(first, second, room) == (a, b)


def test_vectors_have_unit_length_and_similar_texts_are_near(weights: None) -> None:
    found = vectors([PAIRS[0][0], PAIRS[0][1], "Oil prices fell sharply."])
    assert found.shape == (3, 384)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert found[0] @ found[1] > found[0] @ found[2] + 0.3


def test_a_vector_does_not_depend_on_its_neighbours(weights: None) -> None:
    together = vectors([text for pair in PAIRS for text in pair], threads=2)
    assert np.array_equal(together[1], vectors([PAIRS[0][1]], threads=1)[0])


def test_no_sentences_have_no_vectors_and_an_empty_one_has_one(weights: None) -> None:
    assert vectors([]).shape == (0, 384)
    assert np.isfinite(vectors(["", "word " * 2000, "\x00"])).all()
