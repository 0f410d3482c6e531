"""The metrics, against their definitions applied by brute force."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.metrics import score_clusters
from tatian.errors import UnknownModel
from tatian.scoring.assignment import assign
from tatian.scoring.metric import METRICS, Rates

Clusters = list[list[int]]


@st.composite
def partitions(draw: st.DrawFn) -> Clusters:
    """Some of eight mentions in chains."""
    labels = draw(st.lists(st.integers(0, 5), min_size=8, max_size=8))
    return [
        [mention for mention, label in enumerate(labels) if label == chain]
        for chain in range(1, 6)
        if chain in labels
    ]


def links(clusters: Clusters) -> set[tuple[int, int]]:
    return {pair for cluster in clusters for pair in combinations(sorted(cluster), 2)}


def non_links(clusters: Clusters) -> set[tuple[int, int]]:
    mentions = sorted(mention for cluster in clusters for mention in cluster)
    return set(combinations(mentions, 2)) - links(clusters)


def ratio(above: float, below: float) -> float:
    return above / below if below else 0.0


def close(found: Rates, wanted: Rates) -> bool:
    return found == pytest.approx(wanted, abs=1e-9)


def missing_links(clusters: Clusters, other: Clusters) -> tuple[int, int]:
    """Vilain et al.: links of the chains, and those that their pieces in the other lack."""
    home = {mention: index for index, chain in enumerate(other) for mention in chain}
    needed = sum(len(chain) - 1 for chain in clusters)
    pieces = [{home.get(mention, -1 - mention) for mention in chain} for chain in clusters]
    return needed, sum(len(piece) - 1 for piece in pieces)


@given(partitions(), partitions())
def test_muc_counts_the_links_that_would_have_to_be_added(key, response):
    rates = []
    for one, other in ((key, response), (response, key)):
        needed, lacking = missing_links(one, other)
        rates.append(ratio(needed - lacking, needed))
    assert close(score_clusters(key, response)["muc"], Rates.of(*rates))


@given(partitions(), partitions())
def test_b_cubed_averages_over_mentions(key, response):
    rates = []
    for one, other in ((key, response), (response, key)):
        theirs = {mention: set(chain) for chain in other for mention in chain}
        shares = [
            len(set(chain) & theirs.get(mention, set())) / len(chain)
            for chain in one
            for mention in chain
        ]
        rates.append(ratio(sum(shares), len(shares)))
    assert close(score_clusters(key, response)["b3"], Rates.of(*rates))


def best(key: Clusters, response: Clusters, mentions: bool) -> float:
    """The best of all one-to-one pairings of chains."""
    padded = response + [[] for _ in key]

    def similarity(one: list[int], other: list[int]) -> float:
        shared = len(set(one) & set(other))
        return shared if mentions else 2 * shared / (len(one) + len(other))

    return max(
        sum(similarity(one, other) for one, other in zip(key, chosen, strict=True))
        for chosen in permutations(padded, len(key))
    )


@given(partitions(), partitions())
def test_ceaf_pairs_chains_as_well_as_possible(key, response):
    found = score_clusters(key, response)
    shared, alike = best(key, response, True), best(key, response, False)
    sizes = [sum(map(len, side)) for side in (key, response)]
    assert close(found["ceafm"], Rates.of(*(ratio(shared, size) for size in sizes)))
    assert close(found["ceafe"], Rates.of(ratio(alike, len(key)), ratio(alike, len(response))))


@given(partitions(), partitions())
def test_blanc_averages_over_links_and_non_links(key, response):
    sides = []
    for relation in (links, non_links):
        wanted, given = relation(key), relation(response)
        shared = len(wanted & given)
        if wanted:
            sides.append(Rates.of(ratio(shared, len(wanted)), ratio(shared, len(given))))
    wanted_rates = [
        sum(values) / len(sides) if sides else 0.0
        for values in (zip(*sides, strict=True) if sides else [[], [], []])
    ]
    assert close(score_clusters(key, response)["blanc"], Rates(*wanted_rates))


@given(partitions(), partitions())
def test_lea_weighs_the_links_of_each_chain_by_its_size(key, response):
    def self_linked(clusters):
        return links(clusters) | {(one[0], one[0]) for one in clusters if len(one) == 1}

    rates = []
    for one, other in ((key, response), (response, key)):
        theirs = self_linked(other)
        resolved = []
        for chain in one:
            ours = self_linked([chain])
            resolved.append(len(chain) * len(ours & theirs) / len(ours))
        rates.append(ratio(sum(resolved), sum(map(len, one))))
    assert close(score_clusters(key, response)["lea"], Rates.of(*rates))


@given(partitions(), partitions())
def test_detection_ignores_chains(key, response):
    wanted, given = ({one for chain in side for one in chain} for side in (key, response))
    shared = len(wanted & given)
    rates = Rates.of(ratio(shared, len(wanted)), ratio(shared, len(given)))
    assert close(score_clusters(key, response)["mentions"], rates)


@given(partitions(), partitions())
def test_conll_is_the_mean_of_three(key, response):
    found = score_clusters(key, response)
    mean = (found["muc"].f1 + found["b3"].f1 + found["ceafe"].f1) / 3
    assert found["conll"].f1 == pytest.approx(mean)


@given(partitions())
def test_equal_chains_score_1(key):
    found = score_clusters(key, key)
    linked = any(len(chain) > 1 for chain in key)
    empty = {
        "muc": not linked,
        "conll": not linked,
        "blanc": sum(map(len, key)) < 2,
    }
    for metric, rates in found.items():
        if key and not empty.get(metric):
            assert close(rates, Rates(1, 1, 1)), metric


@given(partitions(), partitions(), st.randoms())
def test_the_order_of_chains_and_mentions_is_irrelevant(key, response, random):
    before = score_clusters(key, response)
    for side in (key, response):
        random.shuffle(side)
        for chain in side:
            random.shuffle(chain)
    after = score_clusters(key, response)
    assert all(close(after[metric], before[metric]) for metric in METRICS["coreference"])


@given(partitions(), partitions())
def test_swapping_key_and_response_swaps_recall_and_precision(key, response):
    found, swapped = score_clusters(key, response), score_clusters(response, key)
    both = all(relation(side) for relation in (links, non_links) for side in (key, response))
    for metric, rates in found.items():
        if metric != "blanc" or both:
            assert close(swapped[metric], Rates(rates.precision, rates.recall, rates.f1)), metric


def test_blanc_takes_the_links_the_key_has_when_it_has_no_others():
    all_one, all_apart = [[1, 2, 3]], [[1], [2], [3]]
    assert score_clusters(all_one, [[1, 2], [3]])["blanc"].recall == pytest.approx(1 / 3)
    assert score_clusters(all_apart, [[1, 2], [3]])["blanc"].recall == pytest.approx(2 / 3)


def test_empty_chains_score_0_as_in_the_reference_scorer():
    assert set(score_clusters([], []).values()) == {Rates(0, 0, 0)}


@pytest.mark.parametrize(("key", "response"), [([[1, 2]], []), ([], [[1, 2]])])
def test_empty_side_scores_0(key, response):
    assert set(score_clusters(key, response).values()) == {Rates(0, 0, 0)}


def test_a_repeated_mention_counts_where_it_comes_first():
    key = [[1, 2], [3, 4]]
    assert score_clusters(key, [[1, 2, 2], [2, 3, 4]]) == score_clusters(key, [[1, 2], [3, 4]])


def test_metrics_can_be_chosen():
    assert list(score_clusters([[1, 2]], [[1, 2]], ["lea", "muc"])) == ["muc", "lea"]
    assert score_clusters([[1, 2]], [[1, 2]], ["conll"])["conll"].f1 == 1


def test_an_unknown_metric_is_refused():
    with pytest.raises(UnknownModel, match="no coreference metric named 'bcub'"):
        score_clusters([], [], ["bcub"])


WEIGHTS = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.one_of(st.integers(1, 4), st.floats(0.01, 1)),
    max_size=14,
)


@given(WEIGHTS)
def test_an_assignment_weighs_as_much_as_the_best_of_all(weights):
    chosen = assign((row, column, weight) for (row, column), weight in weights.items())
    assert len({row for row, _ in chosen}) == len({column for _, column in chosen}) == len(chosen)
    assert all(weights[pair] == weight for pair, weight in chosen.items())
    best = max(
        sum(weights.get((row, column), 0) for row, column in enumerate(columns))
        for columns in permutations(range(6))
    )
    assert sum(chosen.values()) == pytest.approx(best)
