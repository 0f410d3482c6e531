"""Rankers that look at no text: random, frequency, cosine; and how scores become rankings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.models import order_candidates, rankers
from tatian.aggregation.models.baselines import (
    CosineRanker,
    FrequencyRanker,
    PhraseFrequencies,
    RandomRanker,
)
from tatian.errors import EmptyInput, InputError

from .ranking_samples import named

TASK = named(0, "cities", "towns", "rivers", "lakes")


def phrases(ranking: tuple[tuple[str, float], ...]) -> list[str]:
    return [phrase for phrase, _ in ranking]


@given(st.dictionaries(st.text(), st.floats(allow_nan=False)), st.randoms())
def test_the_order_of_candidates_decides_nothing(scores: dict[str, float], draw: object) -> None:
    given = list(scores)
    draw.shuffle(given)  # type: ignore[attr-defined]
    expected = order_candidates(list(scores), list(scores.values()))
    assert order_candidates(given, [scores[one] for one in given]) == expected


def test_equal_scores_are_in_the_order_of_the_alphabet() -> None:
    assert phrases(order_candidates(["b", "c", "a"], [1, 2, 1])) == ["c", "a", "b"]


@pytest.mark.parametrize("name", ["random", "cosine", "logistic"])
def test_an_instance_without_candidates_is_refused(name: str) -> None:
    bare = replace(TASK, candidates=(), aggregations=())
    with pytest.raises(EmptyInput, match="instance 'n0' has no candidates"):
        rankers.create(name).rank(bare)


@pytest.mark.parametrize("name", ["random", "cosine", "logistic"])
def test_a_ranker_returns_every_candidate_once_best_first(name: str) -> None:
    ranking = rankers.create(name).rank(TASK)
    assert sorted(phrases(ranking)) == sorted(TASK.candidates)
    scores = [score for _, score in ranking]
    assert scores == sorted(scores, reverse=True)


def test_random_is_the_same_for_the_same_seed_whatever_the_order_of_candidates() -> None:
    turned = replace(TASK, candidates=TASK.candidates[::-1])
    assert RandomRanker(3).rank(TASK) == RandomRanker(3).rank(turned)


def test_random_differs_between_seeds_and_between_instances() -> None:
    many = replace(TASK, candidates=tuple(f"phrase {at}" for at in range(24)), aggregations=())
    other = replace(many, id="other")
    orders = [RandomRanker(0).rank(many), RandomRanker(1).rank(many), RandomRanker(0).rank(other)]
    assert len({tuple(phrases(one)) for one in orders}) == 3


def test_frequency_ranks_by_how_often_a_phrase_was_gold() -> None:
    training = [named(1, "rivers"), named(2, "Rivers"), named(3, "lakes")]
    ranking = FrequencyRanker(training).rank(TASK)
    assert ranking == (("rivers", 2.0), ("lakes", 1.0), ("cities", 0.0), ("towns", 0.0))


def test_frequency_counts_each_type_on_its_own() -> None:
    training = [named(1, "rivers", type="organization"), named(2, "lakes")]
    assert phrases(FrequencyRanker(training).rank(TASK))[0] == "lakes"


def test_a_phrase_counts_once_for_an_instance() -> None:
    twice = Instance("t", ("A", "B"), "location", aggregations=("rivers", "Rivers"))
    assert PhraseFrequencies.of([twice]).count("location", "rivers") == 1


def test_an_instance_can_be_left_out_of_the_counts() -> None:
    training = [named(1, "rivers"), named(2, "rivers")]
    frequencies = PhraseFrequencies.of(training)
    assert frequencies.count("location", "rivers", training[0]) == 1
    assert frequencies.count("location", "rivers", named(3, "lakes")) == 2


def test_frequency_without_training_says_what_it_needs() -> None:
    with pytest.raises(InputError, match="give one with --train"):
        rankers.create("frequency")


def test_cosine_prefers_what_the_names_are_near_to() -> None:
    rivers = Instance(
        "r",
        ("Danube", "Rhine"),
        "location",
        candidates=("american presidents", "european rivers", "rock bands"),
    )
    assert phrases(CosineRanker().rank(rivers))[0] == "european rivers"
