"""The mention benchmark's average pairwise kappa."""

import math
from itertools import combinations

import numpy as np
import pytest

from tatian.errors import EmptyInput, InputError
from tatian.statistics import average_pairwise_kappa, cohen_kappa

CANDIDATES = {"s1": ["a", "b", "c", "d"], "s2": ["e", "f"], "s3": ["g"]}


def test_pairs_are_compared_on_their_shared_sentences():
    found = average_pairwise_kappa(
        {"ann": {"s1": ["a", "b"], "s3": ["g"]}, "bob": {"s1": ["a", "c"], "s2": ["e"]}}, CANDIDATES
    )
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.sentences, pair.mentions) == ("ann", "bob", 1, 4)
    assert pair.kappa == cohen_kappa([1, 1, 0, 0], [1, 0, 1, 0])


def test_pairs_weigh_as_much_as_their_shared_sentences_have_mentions():
    found = average_pairwise_kappa(
        {
            "ann": {"s1": ["a", "b"], "s2": ["e"]},
            "bob": {"s1": ["a", "c"], "s2": ["e"]},
            "cat": {"s2": ["f"]},
        },
        CANDIDATES,
    )
    ann_bob = cohen_kappa([1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0])
    expected = (6 * ann_bob + 2 * -1 + 2 * -1) / 10
    assert [pair.mentions for pair in found.pairs] == [6, 2, 2]
    assert found.value == pytest.approx(expected)


def test_detection_counts_every_mention_that_anybody_found():
    marked = {"ann": {"s": ["a"]}, "bob": {"s": ["a", "b"]}, "cat": {"s": ["c"]}}
    found = average_pairwise_kappa(marked)
    assert {pair.mentions for pair in found.pairs} == {3}
    assert found == average_pairwise_kappa(marked, {"s": ["a", "b", "c"]})


def test_labelling_a_sentence_and_finding_nothing_counts():
    found = average_pairwise_kappa({"ann": {"s": ["a"]}, "bob": {"s": []}})
    assert found.pairs[0].kappa == 0


def test_pairs_without_variation_are_listed_but_not_averaged():
    found = average_pairwise_kappa(
        {"ann": {"s1": "ab", "s2": "ef"}, "bob": {"s1": "ab"}, "cat": {"s2": "ef"}}, CANDIDATES
    )
    assert [math.isnan(pair.kappa) for pair in found.pairs] == [False, True]
    assert found.value == 1


def test_only_pairs_without_variation_have_no_average():
    assert math.isnan(average_pairwise_kappa({"ann": {"s": "a"}, "bob": {"s": "a"}}).value)


def test_labelers_without_a_shared_sentence_are_an_error():
    with pytest.raises(EmptyInput, match="no two labelers share"):
        average_pairwise_kappa({"ann": {"s1": ["a"]}, "bob": {"s2": ["e"]}}, CANDIDATES)


def test_a_mark_outside_the_candidates_is_named():
    with pytest.raises(InputError, match="labeler 'bob' marked 'z' in sentence 's1'"):
        average_pairwise_kappa({"ann": {"s1": ["a"]}, "bob": {"s1": ["z"]}}, CANDIDATES)


@pytest.mark.parametrize("seed", range(5))
def test_the_average_of_random_labels_is_statsmodels_kappas_weighed_by_mentions(inter_rater, seed):
    rng = np.random.default_rng(seed)
    candidates = {f"s{n}": range(rng.integers(3, 9)) for n in range(20)}
    marked = {
        labeler: {
            sentence: [one for one in mentions if rng.random() < 0.6]
            for sentence, mentions in candidates.items()
            if rng.random() < 0.7
        }
        for labeler in ("ann", "bob", "cat", "dan")
    }
    kappas, weights = [], []
    for first, second in combinations(marked, 2):
        table = np.zeros((2, 2))
        for sentence in marked[first].keys() & marked[second].keys():
            for one in candidates[sentence]:
                table[
                    int(one in marked[first][sentence]), int(one in marked[second][sentence])
                ] += 1
        kappas.append(inter_rater.cohens_kappa(table, return_results=False))
        weights.append(table.sum())
    found = average_pairwise_kappa(marked, candidates)
    assert found.value == pytest.approx(np.average(kappas, weights=weights), abs=1e-12)
