"""The sizes of a dataset (Table 2, §3.4) and how far its annotators agree."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data import Instance
from tatian.aggregation.data.cleanup import clean, dataset
from tatian.aggregation.data.summary import (
    AnswerAgreement,
    ItemCounts,
    agreement,
    summarize,
    unseen,
)

from .data_samples import CITIES, answer, instances


def make(id: str, entities: str, *phrases: str, type: str = "location") -> Instance:
    return Instance(id, tuple(entities.split()), type, aggregations=phrases)


THREE = [
    make("1", "Lima Quito", "cities", "capitals"),
    make("2", "quito LIMA", "cities"),
    make("3", "Ann Bob Eve", "cities", type="person"),
]


def test_sets_and_phrases_are_counted_in_total_and_distinct() -> None:
    found = summarize(THREE)
    assert found.instances == 3
    assert found.tuples == {
        "person": ItemCounts(1, 1),
        "location": ItemCounts(2, 1),
        "organization": ItemCounts(0, 0),
    }
    assert found.aggregations["location"] == ItemCounts(3, 2)
    assert found.unique_aggregations == 2
    assert found.entities == 5


def test_means_are_over_instances() -> None:
    found = summarize(THREE)
    assert found.sizes == {2: 2, 3: 1}
    assert found.entities_per_tuple == pytest.approx(7 / 3)
    assert found.aggregations_per_instance == pytest.approx(4 / 3)
    assert summarize([CITIES]).candidates_per_instance == 3
    assert summarize([CITIES]).background == 0.5


def test_with_answers_a_phrase_counts_for_every_annotator_who_gave_it() -> None:
    records = [answer("1", "ann", "cities", "ports"), answer("1", "bob", "the cities")]
    cleaned = clean(records, assignments=1)
    found = summarize(dataset(cleaned, {"1": THREE[0]}), cleaned)
    assert found.aggregations["location"] == ItemCounts(3, 2)
    assert found.aggregations_per_instance == 2


def test_without_instances_all_figures_are_zero() -> None:
    found = summarize([])
    assert (found.instances, found.entities_per_tuple, found.sizes) == (0, 0, {})


@given(st.lists(instances(gold=1), max_size=5))
def test_distinct_counts_never_exceed_total_counts(listed: list[Instance]) -> None:
    found = summarize(listed)
    assert sum(one.total for one in found.tuples.values()) == len(listed)
    for counted in (*found.tuples.values(), *found.aggregations.values()):
        assert counted.unique <= counted.total
    assert found.unique_aggregations <= sum(one.unique for one in found.aggregations.values())


def test_unseen_are_instances_that_share_no_entity_with_training() -> None:
    train = [make("t", "Lima Oslo")]
    held_out = [make("1", "LIMA Quito"), make("2", "Quito Cusco"), make("3", "Oslo lima")]
    assert unseen(held_out, train) == pytest.approx(1 / 3)
    assert unseen(held_out, []) == 1
    assert unseen([], train) == 0


def test_annotators_agree_by_a_phrase_in_common_and_on_what_can_be_named() -> None:
    records = [
        answer("1", "ann", "cities", "ports"),
        answer("1", "bob", "the ports"),
        answer("1", "eve", "towns"),
        answer("2", "ann"),
        answer("2", "bob"),
        answer("2", "eve"),
    ]
    found = agreement(clean(records, assignments=1))
    assert (found.pairs, found.shared) == (3, pytest.approx(1 / 3))
    assert found.aggregatable == 1


def test_agreement_can_be_written_as_json() -> None:
    records = [answer("1", "ann", "cities"), answer("1", "bob"), answer("2", "ann", "ports")]
    found = agreement(clean([*records, answer("2", "bob", "ports")], assignments=1))
    assert msgspec.json.decode(msgspec.json.encode(found), type=AnswerAgreement) == found
    assert found.aggregatable == 0


def test_without_two_answers_to_anything_there_is_no_agreement() -> None:
    found = agreement(clean([answer("1", "ann", "cities")], assignments=1))
    assert (found.pairs, found.shared, found.aggregatable) == (0, None, None)
