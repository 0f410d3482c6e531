"""The default ranker: a memory of named sets, facts and trees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tatian.aggregation.data import Instance
from tatian.aggregation.models import rankers
from tatian.aggregation.models.boosted import (
    BASE_FEATURES,
    FEATURES,
    EntityFacts,
    KnownEntities,
    candidate_similarities,
    rows,
    trait_support,
)
from tatian.aggregation.models.boosted.memory import Floats, Memory, head_key, key
from tatian.errors import EmptyInput
from tatian.knowledge import open_base

from .published_examples import published_examples, published_text

SETS = (
    Instance("a", ("Ann Lee", "Bo Ruiz"), "person", aggregations=("tall singers", "singers")),
    Instance("b", ("Cy Oh", "Bo Ruiz"), "person", aggregations=("young actors",)),
    Instance("c", ("Oslo", "Rome"), "location", aggregations=("old cities",)),
)
ASKED = Instance(
    "q",
    ("Ann Lee", "Bo Ruiz"),
    "person",
    title="Two singers on stage",
    context="Ann Lee and Bo Ruiz sang.",
    candidates=("singers", "cities"),
)


def encode(texts: list[str]) -> Floats:
    """Letters counted: enough of a space for texts that share words to be near."""
    found = np.zeros((len(texts), 200), dtype=np.float32)
    for row, text in zip(found, texts, strict=True):
        for first, second in zip(text.lower(), text.lower()[1:], strict=False):
            row[(ord(first) * 31 + ord(second)) % 200] += 1
        row[0] += 1
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def table(memory: Memory, without: frozenset[int] = frozenset()) -> dict[str, list[float]]:
    found = rows(ASKED, ASKED.candidates, memory, encode, KnownEntities(), ignored=without)
    return dict(zip(FEATURES, found.T.tolist(), strict=True))


def test_a_phrase_maps_to_the_sets_that_it_named() -> None:
    memory = Memory.of(SETS, encode)
    assert memory.sets_named_by("singers").tolist() == [0]
    assert memory.sets_named_by("Singers ").tolist() == [0]
    assert memory.sets_named_by("painters").tolist() == []


def test_phrases_with_the_same_head_are_alike() -> None:
    memory = Memory.of(SETS, encode)
    assert memory.sets_with_head("old singer").tolist() == [0, 0]
    assert head_key("tall singers") == head_key("singer")


def test_an_entity_maps_to_the_sets_that_contain_it() -> None:
    assert Memory.of(SETS, encode).sets_with_entity("bo ruiz").tolist() == [0, 1]


def test_a_memory_contains_no_text() -> None:
    arrays = Memory.of(SETS, encode).arrays()
    assert all(array.dtype.kind in "iuf" for array in arrays.values())


def test_a_memory_is_restored_from_its_arrays() -> None:
    memory = Memory.of(SETS, encode)
    again = Memory(memory.arrays())
    assert again.sets_named_by("singers").tolist() == [0]
    assert np.array_equal(again.sets, memory.sets)


def test_keys_ignore_case_and_space_around() -> None:
    assert key(" Paris") == key("paris") != key("rome")


def test_phrases_of_the_same_set_raise_the_features() -> None:
    told = table(Memory.of(SETS, encode))
    assert told["nearest_named"][0] == pytest.approx(1, abs=0.02)
    assert told["shares_entity"] == [1.0, 0.0]
    assert told["remembered"][0] > told["remembered"][1]


def test_training_can_ignore_the_set_itself() -> None:
    told = table(Memory.of(SETS, encode), without=frozenset({0}))
    assert told["times"] == [0.0, 0.0]
    assert told["shares_entity"] == [0.0, 0.0]


def test_phrases_of_sets_with_similar_entities_raise_the_features() -> None:
    told = table(Memory.of(SETS, encode))
    assert told["each_mean"][0] == pytest.approx(1, abs=0.05)
    assert told["each_least"][0] > told["each_least"][1]
    forgotten = table(Memory.of(SETS, encode), without=frozenset({0}))
    assert forgotten["each_mean"][0] < told["each_mean"][0]


def test_features_show_whether_facts_support_a_phrase_for_all_entities() -> None:
    told = (
        EntityFacts(traits=frozenset({"singer"})),
        EntityFacts(traits=frozenset({"actor"})),
        EntityFacts(),
    )
    heads, least, _, _ = trait_support(["tall singers"], told)[0].tolist()
    assert (heads, least) == (0.5, 0.0)
    assert np.isnan(trait_support(["singers"], [EntityFacts()])).all()


def test_a_base_gives_kinds_of_an_entity_and_their_hypernyms() -> None:
    told = KnownEntities(open_base("starter")).of("France")
    assert {"countri", "european"} <= told.traits | told.words
    assert told.description
    assert KnownEntities().of("France") == EntityFacts()


def test_similar_candidates_agree() -> None:
    alike, same, other = candidate_similarities(encode(["tall singers", "tall singer", "rivers"]))
    assert alike[0] == same[0] > other[0]


def test_features_include_words_of_the_text() -> None:
    told = table(Memory.of(SETS, encode))
    assert told["said_head"] == [1.0, 0.0]


def test_every_row_has_all_features() -> None:
    found = rows(ASKED, ASKED.candidates, Memory.of(SETS, encode), encode, KnownEntities())
    assert found.shape == (2, len(FEATURES))
    assert len(set(BASE_FEATURES)) == len(BASE_FEATURES)
    assert not np.isinf(found).any()
    unknown = {name for name, row in zip(FEATURES, found.T, strict=True) if np.isnan(row).any()}
    assert all(name.startswith(("described", "trait")) for name in unknown)


def test_shipped_ranker_prefers_phrases_true_of_the_entities() -> None:
    asked = Instance(
        "q",
        ("France", "Germany"),
        "location",
        context="France and Germany agreed on a plan.",
        candidates=("southern cities", "european countries", "swing states"),
    )
    ranking = rankers.create("tatian").rank(asked)
    assert ranking[0][0] == "european countries"
    assert [score for _, score in ranking] == sorted((s for _, s in ranking), reverse=True)


def test_instance_without_candidates_is_refused() -> None:
    with pytest.raises(EmptyInput, match="no candidates"):
        rankers.create("tatian").rank(Instance("q", ("France", "Germany"), "location"))


@pytest.mark.data
def test_the_published_examples_have_all_gold_in_the_first_six(data: Path) -> None:
    ranker = rankers.create("tatian")
    for example in published_examples(published_text(data, "tesa-thesis.txt")):
        first = {phrase for phrase, _ in ranker.rank(example)[:6]}
        assert set(example.aggregations) <= first, example.entities
