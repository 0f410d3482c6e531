"""The edit model: what it reads, how it walks, what it finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.union.models.edit.decoder import END, FIRST
from tatian.union.models.edit.search import (
    QUICK,
    REPEATED,
    USED,
    Walks,
    log_likelihoods,
    search,
    swap_sentences,
)
from tatian.union.models.edit.words import in_pieces, matches, read_pair, source_words

FERRY = "A ferry sank off the coast on Monday .".split()
DEATHS = "Twelve people died when the old ferry sank .".split()


@pytest.fixture(scope="module")
def parts():
    from tatian.analysis.installed import unavailable

    if unavailable():
        pytest.skip("the encoder is not installed")
    from tatian.analysis.loading import load
    from tatian.union.models.edit.decoder import Decoder

    weights = load()
    shapes = {shape: number for number, shape in enumerate(weights.labels.shapes)}
    return weights, Decoder(weights.file("edit.npz")), shapes


@pytest.fixture(scope="module")
def memory(parts):
    weights, _, shapes = parts
    return read_pair(in_pieces(source_words(FERRY, DEATHS), weights.pieces, shapes), weights)


def test_words_know_whether_the_other_sentence_has_them():
    found = matches(source_words(FERRY, DEATHS))
    assert found[1].tolist() == [1, 1, 0, 1]  # ferry
    assert found[2].tolist() == [1, 1, 1, 1]  # sank, after ferry
    assert found[3].tolist() == [0, 0, 0, 0]  # off


def test_words_are_likelier_in_the_union_when_they_carry_content(memory):
    twelve = len(FERRY)
    assert memory.used[twelve] > 0.5
    assert ((memory.used >= 0) & (memory.used <= 1)).all()


def test_a_pair_too_long_for_the_encoder_is_refused(parts):
    weights, _, shapes = parts
    assert in_pieces(source_words(["word"] * 600, ["word"]), weights.pieces, shapes) is None


def test_no_walk_uses_a_word_twice(parts, memory):
    for walk in search(parts[1], memory, QUICK):
        words = [item for item in walk if item >= FIRST]
        assert len(words) == len(set(words))
        assert END not in walk


def test_the_search_is_the_same_every_time(parts, memory):
    assert search(parts[1], memory, QUICK) == search(parts[1], memory, QUICK)


def test_a_sensible_walk_is_likelier_than_a_scrambled_one(parts, memory):
    whole = tuple(range(FIRST, FIRST + len(FERRY)))
    scrambled = whole[::-1]
    likely = log_likelihoods(parts[1], memory, [whole, scrambled])
    assert likely[0] > likely[1] + 5


def test_likelihoods_do_not_depend_on_the_other_walks(parts, memory):
    walks = search(parts[1], memory, QUICK)[:3]
    together = log_likelihoods(parts[1], memory, walks)
    alone = np.concatenate([log_likelihoods(parts[1], memory, [walk]) for walk in walks])
    np.testing.assert_allclose(together, alone, atol=1e-3)


def test_the_state_knows_what_was_used_and_said(memory):
    walks = Walks(memory.pair, 1)
    ferry, again = 1, len(FERRY) + 6
    walks.take(np.array([0]), np.array([ferry]))
    found = walks.features()[0]
    assert found[ferry, USED] == 1
    assert found[again, USED] == 0
    assert found[again, REPEATED] == 1


@settings(max_examples=settings.default.max_examples // 2)
@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_swapping_the_sentences_twice_gives_the_walk_back(first, second, data):
    items = st.integers(0, FIRST + first + second - 1).filter(lambda item: item != END)
    walk = tuple(data.draw(st.lists(items, max_size=12)))
    assert swap_sentences(swap_sentences(walk, first, second), second, first) == walk
