"""Nearness in meaning beside shared words."""

from __future__ import annotations

import pytest
from tatian.consolidation.meaning import Meaning

from tatian.analysis.installed import unavailable

SENTENCES = {
    (0, 0): "Thieves stole three paintings from the museum.",
    (1, 0): "Burglars took three pictures from the gallery.",
    (2, 0): "The orchestra played for three hours.",
}


@pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
def test_a_paraphrase_is_nearer_than_another_story() -> None:
    meaning = Meaning(SENTENCES)
    assert meaning.blended(0.2, (0, 0), (1, 0)) > meaning.blended(0.2, (0, 0), (2, 0))


def test_without_vectors_shared_words_decide_alone() -> None:
    assert Meaning({}).blended(0.3, (0, 0), (1, 0)) == 0.3


def test_sentences_that_share_no_word_are_left_apart() -> None:
    assert Meaning(SENTENCES).blended(0.0, (0, 0), (1, 0)) == 0.0
