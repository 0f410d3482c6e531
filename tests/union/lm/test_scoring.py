"""How likely a text is does not depend on what else is asked."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.union.models.lm import Likelihood
from tatian.union.models.lm.model import LanguageModel
from tatian.union.models.lm.network import Cache, Network
from tatian.union.models.lm.scoring import MOST, Tree, chunks, log_probabilities

TEXTS = ["the ferry ran in", "the ferry ran a", "the ferry", "a ferry", "the ferry ran in"]
sequences = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=8), min_size=1, max_size=6)


def test_it_is_the_product_of_the_chances_of_its_tokens(network: Network) -> None:
    ids = np.array([0, 40, 41, 260])
    visible = np.tri(len(ids), dtype=np.bool_).T
    states = network.extend(Cache(network.shape), ids, np.arange(len(ids)), visible)
    logits = network.logits(states).astype(float)
    chances = logits - np.log(np.exp(logits).sum(0))
    expected = [chances[ids[place + 1], place] for place in range(3)]
    (found,) = log_probabilities(network, [ids.tolist()])
    assert found.tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_it_is_the_same_alone_and_among_others(model: LanguageModel, threads: int) -> None:
    alone = [model.likelihoods([text], threads=1)[0].total for text in TEXTS]
    together = [one.total for one in model.likelihoods(TEXTS, threads=threads)]
    assert together == pytest.approx(alone, abs=1e-4)


def test_an_empty_text_is_not_fluent(model: LanguageModel) -> None:
    (found,) = model.likelihoods([""])
    assert found == Likelihood(0.0, 0)
    assert found.mean == -math.inf


def test_no_texts_have_no_likelihoods(model: LanguageModel) -> None:
    assert model.likelihoods([]) == []


def test_the_mean_is_per_token() -> None:
    assert Likelihood(-6.0, 3).mean == -2.0


def test_a_very_long_text_is_judged_by_its_beginning(model: LanguageModel) -> None:
    (found,) = model.likelihoods(["the ferry ran " * 300])
    assert found.tokens == model.network.shape.positions - 1


def test_equal_beginnings_are_read_once() -> None:
    tree = Tree([[0, 1, 2, 3], [0, 1, 2, 4], [0, 5]])
    assert len(tree) == 6
    assert tree.cost([0, 1, 2, 3, 9]) == 1
    assert tree.cost([0, 1]) == 0


@given(sequences)
def test_a_tree_holds_each_sequence(some: list[list[int]]) -> None:
    tree = Tree(some)
    for sequence, path in zip(some, tree.paths, strict=True):
        assert [tree.tokens[node] for node in path] == sequence
        assert [tree.parents[node] for node in path] == [-1, *path[:-1]]


@given(sequences, st.integers(1, 4))
def test_chunks_hold_every_sequence_once(some: list[list[int]], wanted: int) -> None:
    found = chunks(some, wanted)
    assert sorted(index for chunk in found for index in chunk) == list(range(len(some)))
    assert len(found) <= wanted


def test_a_chunk_is_not_larger_than_memory_allows() -> None:
    some = [[first, *range(100)] for first in range(10)]
    assert all(len(Tree(some[i] for i in chunk)) <= MOST for chunk in chunks(some))
