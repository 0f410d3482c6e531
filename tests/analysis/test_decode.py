"""Trees and name sequences: always well formed, and the best there are."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.sentences import best_names, best_tree
from tatian.text.spans import name_spans

LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")


def is_tree(heads: list[int]) -> bool:
    """Whether exactly one word hangs on the root and all words reach it."""
    if heads.count(0) != 1:
        return False
    for place in range(1, len(heads) + 1):
        seen = set()
        while place:
            if place in seen:
                return False
            seen.add(place)
            place = heads[place - 1]
    return True


def scores(rows: int, columns: int, seed: int) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_the_tree_is_the_best_of_all_trees(count: int, seed: int) -> None:
    arcs = scores(count, count + 1, seed)
    places = np.arange(count)
    trees = [heads for heads in product(range(count + 1), repeat=count) if is_tree(list(heads))]
    best = max(arcs[places, list(heads)].sum() for heads in trees)
    found = best_tree(arcs)
    assert is_tree(found.tolist())
    assert arcs[places, found].sum() == pytest.approx(best, abs=1e-5)


@given(st.integers(1, 60), st.integers(0, 10**6))
def test_a_long_sentence_has_one_root_and_no_cycle(count: int, seed: int) -> None:
    assert is_tree(best_tree(scores(count, count + 1, seed)).tolist())


@given(st.integers(1, 12), st.floats(-100, 100))
def test_equal_scores_give_a_tree(count: int, value: float) -> None:
    assert is_tree(best_tree(np.full((count, count + 1), value, dtype=np.float32)).tolist())


def test_a_constant_added_to_a_row_changes_nothing() -> None:
    arcs = scores(8, 9, 1)
    shifted = arcs + np.arange(8, dtype=np.float32)[:, None]
    assert best_tree(arcs).tolist() == best_tree(shifted).tolist()


def is_allowed(labels: list[str]) -> bool:
    return all(
        not label.startswith("I-") or previous[2:] == label[2:]
        for previous, label in zip(["O", *labels], labels, strict=False)
    )


@given(st.integers(1, 4), st.integers(0, 10**6))
def test_the_name_labels_are_the_best_allowed_sequence(count: int, seed: int) -> None:
    table = scores(count, len(LABELS), seed)
    sequences = product(range(len(LABELS)), repeat=count)
    allowed = [s for s in sequences if is_allowed([LABELS[i] for i in s])]
    best = max(table[np.arange(count), list(s)].sum() for s in allowed)
    found = best_names(table, LABELS)
    assert is_allowed([LABELS[i] for i in found])
    assert table[np.arange(count), found].sum() == pytest.approx(best, abs=1e-5)


def test_a_sentence_without_words_has_no_labels() -> None:
    assert best_names(np.zeros((0, 5), dtype=np.float32), LABELS) == []


def test_names_are_spans_of_their_labels() -> None:
    labels = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "I-PER"]
    assert name_spans(labels) == [(0, 2, "PER"), (3, 4, "LOC"), (4, 5, "LOC"), (5, 6, "PER")]


def test_transitions_can_outweigh_the_best_label_of_a_word() -> None:
    scores = np.zeros((2, len(LABELS)))
    scores[0, LABELS.index("B-PER")] = scores[1, LABELS.index("O")] = 1.0
    steps = np.zeros((len(LABELS), len(LABELS)))
    steps[LABELS.index("B-PER"), LABELS.index("I-PER")] = 2.0
    found = best_names(scores, LABELS, tuple(tuple(row) for row in steps.tolist()))
    assert [LABELS[label] for label in found] == ["B-PER", "I-PER"]


def test_a_prior_leaves_out_names_that_are_hardly_likelier_than_none() -> None:
    scores = np.zeros((2, len(LABELS)))
    scores[0, LABELS.index("B-PER")], scores[1, LABELS.index("B-LOC")] = 0.4, 0.6
    found = best_names(scores, LABELS, prior=0.5)
    assert [LABELS[label] for label in found] == ["O", "B-LOC"]
