"""One sentence through the encoder, whatever its length."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from tatian.analysis.loading import Arrays, Weights
from tatian.analysis.sentences import SentenceLabels, SentenceReader, relation_scores

from .samples import FakeWeights, random_body
from .test_decode import is_tree

words = st.lists(st.text("abcdefgxyz", min_size=1, max_size=30), min_size=1, max_size=120)


def reader(seed: int = 0) -> tuple[SentenceReader, FakeWeights]:
    fake = FakeWeights(random_body(seed))
    return SentenceReader(cast(Weights, fake)), fake


def reading(read: SentenceReader, sentence: list[str]) -> SentenceLabels:
    return read.join([part for unit in read.units(sentence) for part in read.read([unit])])


def test_no_words_need_no_encoder() -> None:
    read, fake = reader()
    assert reading(read, []) == SentenceLabels([], [], [], [], [], [], [])
    assert fake.seen == []


@given(words, st.integers(0, 100))
def test_sentences_of_any_length_get_one_tree(sentence: list[str], seed: int) -> None:
    read, fake = reader(seed)
    found = reading(read, sentence)
    assert all(len(labels) == len(sentence) for labels in found)
    assert is_tree(found.heads)
    assert max(one["mask"].shape[1] for one in fake.seen) <= fake.labels.positions


@given(words, st.integers(0, 100))
def test_only_the_root_has_the_relation_root(sentence: list[str], seed: int) -> None:
    found = reading(reader(seed)[0], sentence)
    for head, relation in zip(found.heads, found.relations, strict=True):
        assert (head == 0) == (relation == 1)


def test_names_are_decoded_with_transition_scores() -> None:
    fake = FakeWeights(random_body(0))
    count = len(fake.labels.names)
    steps = np.zeros((count, count))
    steps[0, 0] = -100.0
    fake.labels = structs.replace(fake.labels, transitions=tuple(map(tuple, steps.tolist())))
    found = reading(SentenceReader(cast(Weights, fake)), ["a", "b"] * 20).names
    assert (0, 0) not in pairwise(found)


def test_encoder_gets_first_and_last_piece_of_each_word() -> None:
    read, fake = reader()
    reading(read, ["Dog", "a", "xyz"])
    (inputs,) = fake.seen
    assert inputs["words"].tolist() == [[[1, 3], [4, 4], [5, 7]]]
    assert inputs["shapes"].tolist() == [[0, 2, 2, 2, 0, 1, 1, 1, 0]]
    assert inputs["endings"].tolist() == [[[1, 2], [0, 0], [0, 0]]]
    assert inputs["mask"].tolist() == [[1] * 9]


def test_sentences_read_together_are_padded_to_the_longest() -> None:
    read, fake = reader()
    read.read([*read.units(["ab"]), *read.units(["a", "b", "c"])])
    (inputs,) = fake.seen
    assert inputs["mask"].tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    assert inputs["words"].tolist() == [[[1, 2], [0, 0], [0, 0]], [[1, 1], [2, 2], [3, 3]]]
    assert inputs["embeddings"][0, 4].tolist() == [0.0] * 4


def test_tags_of_a_long_sentence_come_from_the_window_that_keeps_the_word() -> None:
    def play(count: int, inputs: Arrays) -> Arrays:
        """Every word's tag is 1 if it is written "b"."""
        out = random_body(0)(count, inputs)
        first = inputs["embeddings"][0, inputs["words"][0, :, 0], 0]
        is_b = (first == 5).astype(np.float32)
        out["upos"] = np.stack((1 - is_b, is_b), axis=-1)[None]
        return out

    sentence = ["a", "b", "c"] * 60
    found = reading(SentenceReader(cast(Weights, FakeWeights(play))), sentence)
    assert found.upos == [int(word == "b") for word in sentence]


def test_relation_scores_are_the_bilinear_form() -> None:
    generator = np.random.default_rng(0)
    weights = generator.normal(size=(5, 4, 4)).astype(np.float32)
    dependents = generator.normal(size=(130, 3)).astype(np.float32)
    heads = generator.normal(size=(130, 3)).astype(np.float32)
    ones = np.ones((130, 1), dtype=np.float32)
    d, h = np.hstack((dependents, ones)), np.hstack((heads, ones))
    expected = np.einsum("wi,lij,wj->wl", d, weights, h)
    assert np.allclose(relation_scores(weights, dependents, heads), expected, atol=1e-4)
