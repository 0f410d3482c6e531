"""Sentences as arrays: positions, casings and batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.training.data import ENTAILMENT, EntailmentPair, LabelledSentence
from tatian.training.examples import (
    IGNORE_INDEX,
    TokenEncoder,
    batches_by_length,
    encode_pair,
    learn_labels,
    pair_batch,
    recase,
    token_batch,
)

torch = pytest.importorskip("torch")


@pytest.fixture
def encoder(start: Any, sentences: list[LabelledSentence]) -> TokenEncoder:
    return TokenEncoder(start.pieces, learn_labels(sentences, width=32, least=1))


def test_words_point_at_their_first_and_last_piece(
    encoder: TokenEncoder, sentences: list[LabelledSentence]
) -> None:
    example = encoder.encode(sentences[0])
    assert example.words.tolist() == [[1, 4], [5, 5], [6, 6], [7, 11]]
    assert len(example.rows) == 13


def test_every_casing_has_shapes_and_scripts_of_its_own(
    encoder: TokenEncoder, sentences: list[LabelledSentence]
) -> None:
    example = encoder.encode(sentences[0])
    scripts = [encoder.labels.scripts[i] for i in example.scripts[:, 0]]
    assert scripts == ["k|0|", "f|0|", "f|0|", "k|0|"]
    assert recase("McDonald", "title") == "Mcdonald"


def test_a_sentence_without_tree_has_no_targets_but_names(encoder: TokenEncoder) -> None:
    example = encoder.encode(LabelledSentence("x", ("Anna",), (), ("B-PER",)))
    assert example.targets["upos"].tolist() == example.targets["heads"].tolist() == [IGNORE_INDEX]
    assert encoder.labels.names[example.targets["names"][0]] == "B-PER"


def test_a_batch_pads_with_nothing(
    encoder: TokenEncoder, sentences: list[LabelledSentence]
) -> None:
    batch = token_batch([encoder.encode(s) for s in sentences])
    assert batch["mask"].sum(1).tolist() == [13, 9]
    assert batch["upos"][1].tolist()[3:] == [IGNORE_INDEX]


def test_a_pair_is_cut_from_its_longer_side(start: Any) -> None:
    pair = EntailmentPair("the " * 50, "dogs sees", "neutral", "x")
    example = encode_pair(pair, start.pieces, ENTAILMENT, longest=20)
    assert len(example.rows) == 20
    assert example.segments.sum() == 3
    assert example.label == ENTAILMENT.index("neutral")
    assert pair_batch([example])["mask"].tolist() == [[1] * 20]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=50), st.integers(60, 300))
def test_batches_hold_every_example_once_within_budget(lengths: list[int], budget: int) -> None:
    batches = batches_by_length(lengths, budget, np.random.default_rng(0))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(max(lengths[i] for i in b) * len(b) <= budget for b in batches)
