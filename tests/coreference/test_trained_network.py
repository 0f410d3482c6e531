"""The trained heads, the search for antecedents, and groups of links."""

from __future__ import annotations

from math import erf, sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis import analyze
from tatian.analysis.loading import load
from tatian.coreference.constraints import FEMALE, MALE, Clusters, Traits
from tatian.coreference.models import decisions
from tatian.coreference.models.decisions import (
    RankedAntecedents,
    compatible_pairs,
    rank_antecedents,
)
from tatian.coreference.models.network import Candidates, Network, gelu, sigmoid, span_input
from tatian.coreference.models.pairs import codes
from tatian.coreference.models.resolver import read_states
from tatian.coreference.words import SCHEMES, Integers, Text
from tatian.errors import AssetError

TEXT = (
    "Ada Holt bought a boat from Peter Lund. He had built the boat himself. The widow called it "
    "Swan, since her father had liked swans. Lund waved when Holt rowed his old boat away. "
)


@pytest.fixture(scope="module")
def network() -> Network:
    return Network(load().file("coref.npz"))


@pytest.fixture(scope="module")
def text() -> Text:
    return Text.of(analyze(TEXT * 4))


@pytest.fixture(scope="module")
def vectors(network: Network, text: Text) -> npt.NDArray[np.float32]:
    return network.vectors(read_states(text.tokens, load(), 1), text.features)


def candidates(
    network: Network, text: Text, vectors: npt.NDArray[np.float32]
) -> tuple[Integers, Candidates]:
    """All words that may be heads, for the scheme of OntoNotes."""
    places = np.flatnonzero(text.can_head)
    odds = network.mentions(vectors)[places, 0]
    return codes(text)[places], Candidates(network, vectors[places], odds, 0)


@given(st.floats(-30, 30, width=32))
def test_gelu_is_the_exact_one(x: float) -> None:
    wanted = x * (1 + erf(x / sqrt(2))) / 2
    assert gelu(np.array([x], np.float32))[0] == pytest.approx(wanted, abs=3e-6, rel=1e-5)


def test_log_odds_become_probabilities_without_overflow() -> None:
    assert sigmoid(np.array([-1e9, 0, 1e9], np.float32)).tolist() == [pytest.approx(0), 0.5, 1]


def test_every_word_has_odds_by_every_scheme(
    network: Network, text: Text, vectors: npt.NDArray[np.float32]
) -> None:
    assert network.mentions(vectors).shape == (text.count, len(SCHEMES))


def test_a_mention_has_its_head_inside_and_stays_in_its_sentence(
    network: Network, text: Text, vectors: npt.NDArray[np.float32]
) -> None:
    heads = np.flatnonzero(text.can_head)
    first, last = network.edges(vectors, heads, span_input(text, heads), 1)
    assert (first <= heads).all()
    assert (last >= heads).all()
    assert (first >= text.begin[heads]).all()
    assert (last < text.end[heads]).all()


def test_antecedents_come_before_and_probabilities_add_up_to_less_than_one(
    network: Network, text: Text, vectors: npt.NDArray[np.float32]
) -> None:
    rows, ready = candidates(network, text, vectors)
    found = rank_antecedents(rows, ready, 1)
    assert (found.antecedent < np.arange(len(ready))[:, None]).all()
    assert (found.antecedent[0] == -1).all()
    assert (found.probability.sum(1) + found.none <= 1 + 1e-9).all()


def test_the_likeliest_antecedents_come_first(
    network: Network, text: Text, vectors: npt.NDArray[np.float32]
) -> None:
    rows, ready = candidates(network, text, vectors)
    assert (np.diff(rank_antecedents(rows, ready, 1).probability, axis=1) <= 0).all()


def test_antecedents_depend_neither_on_threads_nor_on_chunks(
    network: Network,
    text: Text,
    vectors: npt.NDArray[np.float32],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, ready = candidates(network, text, vectors)
    monkeypatch.setattr(decisions, "NEAR", 40)
    whole = rank_antecedents(rows, ready, 1)
    same(whole, rank_antecedents(rows, ready, 2))
    monkeypatch.setattr(decisions, "ROWS_AT_ONCE", 7)
    monkeypatch.setattr(decisions, "PAIRS_AT_ONCE", 50)
    same(whole, rank_antecedents(rows, ready, 1))


def same(one: RankedAntecedents, other: RankedAntecedents) -> None:
    assert one.antecedent[:, 0].tolist() == other.antecedent[:, 0].tolist()
    assert one.probability == pytest.approx(other.probability, abs=1e-5)


def test_scoring_fewer_candidates_in_full_hardly_changes_the_antecedents(
    network: Network,
    text: Text,
    vectors: npt.NDArray[np.float32],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, ready = candidates(network, text, vectors)
    whole = rank_antecedents(rows, ready, 1)
    monkeypatch.setattr(decisions, "MAX_SCORED", 20)
    pruned = rank_antecedents(rows, ready, 1)
    linked = whole.probability[:, 0] > whole.none
    assert (whole.antecedent == pruned.antecedent)[linked, 0].mean() > 0.8


def test_distant_antecedents_share_a_word(
    network: Network,
    text: Text,
    vectors: npt.NDArray[np.float32],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, ready = candidates(network, text, vectors)
    monkeypatch.setattr(decisions, "NEAR", 4)
    found = rank_antecedents(rows, ready, 1).antecedent[:, 0]
    far = np.flatnonzero((found >= 0) & (np.arange(len(rows)) - found > 4))
    assert len(far)
    for place in far:
        one, other = rows[place], rows[found[place]]
        shared = set(one[17:]) & set(other[17:]) - {0}
        assert shared or one[1] == other[1]


def test_weights_of_another_version_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "coref.npz"
    with np.load(load().file("coref.npz")) as stored:
        arrays = dict(stored)
    arrays["pair_weights.weight"] = arrays["pair_weights.weight"][:, 1:]
    np.savez(path, **arrays)
    with pytest.raises(AssetError, match="another version"):
        Network(path)


def person(*name: str) -> Traits:
    return Traits(kind="PER", name=name)


def known(**traits: Traits) -> Clusters:
    """Groups of words of which the traits of some are known: `at1` are those of word 1."""
    return Clusters(lambda place: (traits.get(f"at{place}", Traits()),))


def test_linked_words_form_groups() -> None:
    clusters = Clusters()
    for one, other in ((3, 1), (5, 3), (4, 2)):
        assert clusters.join(one, other) is None
    clusters.group_of(9)
    assert clusters.groups() == [[1, 3, 5], [2, 4], [9]]


def test_people_of_different_names_stay_apart() -> None:
    people = known(at1=person("ada", "holt"), at4=person("peter", "lund"))
    links = [(2, [(1, 0.9)]), (4, [(2, 0.6)]), (5, [(4, 0.8)])]
    assert compatible_pairs(links, people) == [(2, 1, 0.9), (5, 4, 0.8)]


def test_a_man_and_a_woman_stay_apart() -> None:
    people = known(at2=Traits(gender=MALE), at3=Traits(gender=FEMALE))
    assert compatible_pairs([(2, [(1, 0.9)]), (3, [(1, 0.8)])], people) == [(2, 1, 0.9)]


def test_excluded_pairs_are_not_joined_through_others() -> None:
    things = Clusters(exclusions={1: {3: "rule"}, 3: {1: "rule"}})
    links = [(2, [(1, 0.9)]), (3, [(2, 0.8), (0, 0.2)]), (4, [(3, 0.7)]), (5, [(4, 0.6), (2, 0.1)])]
    assert compatible_pairs(links, things) == [(2, 1, 0.9), (3, 0, 0.2), (4, 3, 0.7), (5, 4, 0.6)]
    assert things.join(4, 2) == ("rule", 1, 3)


def test_a_refused_antecedent_is_replaced_by_the_next() -> None:
    people = known(at1=Traits(gender=MALE), at3=Traits(gender=FEMALE))
    assert compatible_pairs([(3, [(1, 0.8), (2, 0.1)])], people) == [(3, 2, 0.1)]


def test_the_likelier_of_two_incompatible_links_is_made() -> None:
    people = known(at1=person("holt"), at2=person("lund"))
    links = [(3, [(1, 0.4)]), (4, [(3, 0.9)]), (5, [(4, 0.6)]), (6, [(5, 0.8)])]
    assert compatible_pairs([*links, (7, [(2, 0.7)]), (7, [(6, 0.5)])], people)[-1] == (7, 6, 0.5)
    assert people.join(3, 1)


def test_a_part_of_a_name_is_that_name() -> None:
    people = known(at1=person("ada", "holt"), at2=person("holt"))
    assert compatible_pairs([(2, [(1, 0.5)])], people) == [(2, 1, 0.5)]
